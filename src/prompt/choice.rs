//! What an answer names: an action's number or its tile. Knows nothing of which actions are legal.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use crate::game::Position;

/// What an answer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A number, in the answer's own digits: it may be negative or have any length.
    Number(String),
    /// A tile.
    Target(Position),
    /// More than one action.
    Several(Vec<String>),
}

/// `(8,7)`, `8, 7`, `(1:8,7)`, `(x=8, y=7)`.
static TARGET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:(\d+)\s*:\s*)?\b(?:x\s*=\s*)?(\d+)\s*,\s*(?:y\s*=\s*)?(\d+)\b"));
/// `Action: 3`, `action number 3`, `**Action** = "3"`.
static ACTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\baction\b[\s"'`*_:=#>(-]*?(?:(?:number|no\.?|is)\b[\s"'`*_:=#>(]*?)?(-?\d+)\b"#));
/// A line that starts with a number and either ends there or goes on as an item of a list.
static LEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^[\s"'`*_#>(\[]*(-?\d+)(?:\W*$|[.:)]\s)"#));

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("the patterns of this file are constants")
}

/// What a value of the key `action` or `target` names.
pub fn in_value(value: &Value) -> Option<Named> {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 => Some(Named::Number(format!("{float:.0}"))),
            _ => Some(Named::Number(number.to_string())),
        },
        Value::String(text) => in_line(text),
        Value::Object(map) if map.contains_key("x") => {
            let floor = map.get("floor").map_or(Some(0), coordinate);
            target(floor, map.get("x").and_then(coordinate), map.get("y").and_then(coordinate))
        }
        Value::Object(map) => ["number", "action", "target"].iter().find_map(|key| in_value(map.get(*key)?)),
        Value::Array(pair) => match pair.as_slice() {
            [x, y] => target(Some(0), coordinate(x), coordinate(y)),
            [one] => in_value(one),
            _ => None,
        },
        Value::Null | Value::Bool(_) => None,
    }
}

/// Bytes at the end of a line in which it is looked for a name: a longer one is no line that names an action, and must not
/// take long all the same.
const LONGEST_LINE: usize = 4_096;

/// The end of a line, from a character's start.
fn end_of(line: &str) -> &str {
    let from = line.len().saturating_sub(LONGEST_LINE);
    (from..=line.len()).find_map(|from| line.get(from..)).unwrap_or_default()
}

/// Whether a pair of numbers is a tile: `Action: 8,7` is one, `Action 3, 100 HP left` names an action.
fn is_tile(line: &str, found: &Captures<'_>) -> bool {
    let Some(pair) = found.get(0) else { return false };
    let before = line[..pair.start()].trim_end_matches([' ', ':', '#', '*', '=']).to_lowercase();
    let goes_on = line[pair.end()..].trim_start().starts_with(char::is_alphabetic);
    !(before.ends_with("action") && goes_on)
}

/// What a line of text names: `Action: 3`, `3`, `3. open the yellow door`, `(8,7)`.
pub fn in_line(line: &str) -> Option<Named> {
    let line = end_of(line);
    let without_targets = TARGET.replace_all(line, |found: &Captures<'_>| match is_tile(line, found) {
        true => "@".to_owned(),
        false => found[0].to_owned(),
    });
    let numbers = matches(&ACTION, &without_targets);
    match numbers.as_slice() {
        [] => {}
        [number] => return Some(Named::Number(number.clone())),
        _ => return Some(Named::Several(numbers)),
    }
    if let Some(number) = matches(&LEADING, &without_targets).into_iter().next() {
        return Some(Named::Number(number));
    }
    let mut places: Vec<Position> = Vec::new();
    for found in TARGET.captures_iter(line).filter(|found| is_tile(line, found)) {
        let place = place(line, &found);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    match places.as_slice() {
        [] => None,
        [place] => Some(Named::Target(*place)),
        _ => Some(Named::Several(places.iter().map(Position::to_string).collect())),
    }
}

/// All tiles that a text names, in order.
pub fn tiles(text: &str) -> Vec<Position> {
    TARGET.captures_iter(text).map(|found| place(text, &found)).collect()
}

/// The tile that a value names by its numbers.
pub fn tile(value: &Value) -> Option<Position> {
    match in_value(value)? {
        Named::Target(tile) => Some(tile),
        Named::Number(_) | Named::Several(_) => None,
    }
}

/// The tile of a match of [`TARGET`] in a text. Numbers beyond any map, also those below 0, name a tile too, one that is not
/// on it.
fn place(text: &str, found: &Captures<'_>) -> Position {
    let parse = |index: usize| {
        let digits = found.get(index)?;
        let before = text[..digits.start()].strip_suffix('-');
        let negative = before.is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        digits.as_str().parse().ok().filter(|_| !negative)
    };
    let floor = if found.get(1).is_some() { parse(1) } else { Some(0) };
    Position::new(floor.unwrap_or(OFF_THE_MAP), parse(2).unwrap_or(OFF_THE_MAP), parse(3).unwrap_or(OFF_THE_MAP))
}

/// A coordinate that no map has.
pub const OFF_THE_MAP: u16 = u16::MAX;

/// The distinct first groups of all matches, in order.
fn matches(pattern: &Regex, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for capture in pattern.captures_iter(text) {
        if let Some(group) = capture.get(1).filter(|group| !found.iter().any(|known| known == group.as_str())) {
            found.push(group.as_str().to_owned());
        }
    }
    found
}

fn coordinate(value: &Value) -> Option<u16> {
    match value {
        Value::String(digits) => digits.trim().parse().ok(),
        _ => u16::try_from(value.as_u64()?).ok(),
    }
}

fn target(floor: Option<u16>, x: Option<u16>, y: Option<u16>) -> Option<Named> {
    Some(Named::Target(Position::new(floor?, x?, y?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(digits: &str) -> Option<Named> {
        Some(Named::Number(digits.into()))
    }

    fn place(floor: u16, x: u16, y: u16) -> Option<Named> {
        Some(Named::Target(Position::new(floor, x, y)))
    }

    #[test]
    fn lines() {
        for (line, expected) in [
            ("Action: 3", number("3")),
            ("action 3.", number("3")),
            ("**Action:** 3", number("3")),
            ("Action: **3**", number("3")),
            ("My choice is action number 12!", number("12")),
            ("So I take action 3: open the yellow door (8,7).", number("3")),
            ("Action 3, 100 HP left", number("3")),
            ("Action: 8,7", place(0, 8, 7)),
            ("Action: -1", number("-1")),
            ("3", number("3")),
            (" `3`. ", number("3")),
            ("3. open the yellow door (8,7)", number("3")),
            ("(8,7)", place(0, 8, 7)),
            ("8, 7", place(0, 8, 7)),
            ("Action: 8,7", place(0, 8, 7)),
            ("Action: (1:8,7)", place(1, 8, 7)),
            ("open the door at (x=8, y=7)", place(0, 8, 7)),
            ("Target: (-6,8)", place(0, u16::MAX, 8)),
            ("Target: (6,-8)", None),
            ("(-1:6,8)", place(u16::MAX, 6, 8)),
            ("the door-8,7", place(0, 8, 7)),
            ("action 3 or action 4", Some(Named::Several(vec!["3".into(), "4".into()]))),
            ("(8,7) or (8,4)", Some(Named::Several(vec!["(8,7)".into(), "(8,4)".into()]))),
            ("action 99999999999999999999999", number("99999999999999999999999")),
            ("I have 3 keys", None),
            ("3 keys are left", None),
            ("reaction 3", None),
            ("", None),
        ] {
            assert_eq!(in_line(line), expected, "{line}");
        }
    }

    #[test]
    fn values() {
        for (value, expected) in [
            (json!(3), number("3")),
            (json!(3.0), number("3")),
            (json!(3.5), number("3.5")),
            (json!(-1), number("-1")),
            (json!("3"), number("3")),
            (json!("8,7"), place(0, 8, 7)),
            (json!({"x": 8, "y": 7}), place(0, 8, 7)),
            (json!({"floor": 2, "x": 8, "y": "7"}), place(2, 8, 7)),
            (json!([8, 7]), place(0, 8, 7)),
            (json!([3]), number("3")),
            (json!({"number": 3}), number("3")),
            (json!(null), None),
            (json!({"x": 8}), None),
            (json!("go north"), None),
        ] {
            assert_eq!(in_value(&value), expected, "{value}");
        }
    }
}
