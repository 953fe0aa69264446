//! How a route is read from a model's answer. Knows nothing of whether it leads anywhere.

use serde_json::Value;

use crate::game::Position;

use super::answer::{Answer, Parsed, Verdict, objects, searched, usable};
use super::choice::{self, tiles};

/// Steps that a route may have; it is sent again before every decision.
pub const MOST_STEPS: usize = 1_000;

/// Reads the route that was asked for.
pub fn parse_route(answer: &Answer) -> Parsed {
    let how = "write the tiles of your route in their order, such as (3,4) (3,1)";
    let (text, arguments) = match usable(answer, how) {
        Ok(found) => found,
        Err(wrong) => return wrong,
    };
    let found = arguments.and_then(|arguments| route_in(arguments.trim())).or_else(|| route_in(text));
    let wrong = |complaint: String| Parsed::wrong(Verdict::Unparsable, Some(complaint));
    match found {
        Some(route) if route.len() > MOST_STEPS => {
            wrong(format!("Your route has {} steps, it may have {MOST_STEPS}; {how}.", route.len()))
        }
        Some(route) => Parsed { route: Some(route), ..Parsed::of(Verdict::Ok) },
        None => wrong(format!("No route could be found in your answer; {how}.")),
    }
}

/// The route that an answer holds beside its action; one that is empty or too long leaves the route as it was.
pub(super) fn beside_action(text: &str, arguments: Option<&str>) -> Option<Vec<Position>> {
    let found = arguments.and_then(|arguments| route_in(arguments.trim())).or_else(|| route_in(text));
    found.filter(|route| route.len() <= MOST_STEPS)
}

/// The last route of a text that names a tile: a key `route` of a JSON object, else what stands between a line that
/// begins with `Route` and the end or a line that names the action.
fn route_in(text: &str) -> Option<Vec<Position>> {
    let in_object = objects(text).iter().rev().find_map(|object| object.get("route").map(in_value));
    let route = in_object.unwrap_or_else(|| in_lines(searched(text)));
    (!route.is_empty()).then_some(route)
}

fn in_value(value: &Value) -> Vec<Position> {
    match value {
        Value::String(text) => tiles(text),
        Value::Array(pair) if pair.len() == 2 && pair.iter().all(Value::is_u64) => {
            choice::tile(value).into_iter().collect()
        }
        Value::Array(steps) => steps.iter().flat_map(in_value).collect(),
        Value::Object(map) => match map.get("target") {
            Some(target) => in_value(target),
            None => choice::tile(value).into_iter().collect(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The last section of a text that begins with a line `Route:` and names a tile.
fn in_lines(text: &str) -> Vec<Position> {
    let lines: Vec<&str> = text.lines().collect();
    let ends = |line: &&&str| heading(line, "action").is_none() && heading(line, "target").is_none();
    let section = |first: usize| -> Option<Vec<Position>> {
        let head = tiles(heading(lines[first], "route")?);
        let rest = lines[first + 1..].iter().take_while(ends).take(2 * MOST_STEPS);
        let found: Vec<Position> = head.into_iter().chain(rest.flat_map(|line| tiles(unnumbered(line)))).collect();
        (!found.is_empty()).then_some(found)
    };
    // Sections without end must not take long.
    (0..lines.len())
        .rev()
        .filter(|line| heading(lines[*line], "route").is_some())
        .take(8)
        .find_map(section)
        .unwrap_or_default()
}

/// What follows a word that a line begins with, if that is no sentence: `**Route:** (3,4)`, `Route = …`, `Route`.
fn heading<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let start = bare.get(..word.len())?;
    let rest = bare[word.len()..].trim_start_matches(['*', '_', '`', '"', ' ']);
    let goes_on = rest.is_empty()
        || rest.starts_with([':', '=', '-', '(', '['])
        || rest.starts_with(|c: char| c.is_ascii_digit());
    (start.eq_ignore_ascii_case(word) && goes_on).then_some(rest.trim_start_matches(':'))
}

/// An item of a list without its number, which is no floor.
fn unnumbered(line: &str) -> &str {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = rest.len() < line.len() && rest.starts_with([':', '.', ')']);
    let after = rest.get(1..).unwrap_or_default();
    if item && after.starts_with(char::is_whitespace) { after } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(content: &str) -> Parsed {
        parse_route(&Answer { content: Some(content.into()), ..Answer::default() })
    }

    fn places(tiles: &[(u16, u16, u16)]) -> Option<Vec<Position>> {
        Some(tiles.iter().map(|(floor, x, y)| Position::new(*floor, *x, *y)).collect())
    }

    #[test]
    fn routes_in_all_forms() {
        let two = places(&[(0, 8, 7), (0, 8, 4)]);
        for content in [
            r#"{"reasoning": "x", "route": ["(8,7)", "(8,4)"]}"#,
            r#"{"route": [{"x": 8, "y": 7}, {"x": 8, "y": 4}]}"#,
            r#"{"route": [[8, 7], [8, 4]]}"#,
            r#"{"route": [{"target": "(8,7)", "why": "a key"}, {"target": [8, 4]}]}"#,
            r#"{"route": "(8,7) -> (8,4)"}"#,
            "I think.\nRoute: (8,7) (8,4)",
            "**Route:** 8,7, 8,4",
            "Route: (9,9)\nNo, better:\nRoute:\n1. yellow door (8,7)\n2. rat (8,4)\n",
            "Route:\n1: 8,7\n2: 8,4",
            "Route: (8,7) (8,4)\nRoutes like this one are good.",
            "Route: (8,7) (8,4)\nRoute",
            "```json\n{\"route\": [\"(8,7)\", \"(8,4)\"]}\n```",
        ] {
            assert_eq!(read(content).route, two, "{content}");
        }
        assert_eq!(read("Route: (1:2,3) (8,4)").route, places(&[(1, 2, 3), (0, 8, 4)]));
        let called = Answer { arguments: Some(r#"{"route": ["(8,7)", "(8,4)"]}"#.into()), ..Answer::default() };
        assert_eq!(parse_route(&called).route, two);
    }

    #[test]
    fn what_is_no_route_is_told() {
        for (content, verdict) in [
            ("", Verdict::Empty),
            ("go north", Verdict::Unparsable),
            ("(8,7) then (8,4)", Verdict::Unparsable),
            (r#"{"route": []}"#, Verdict::Unparsable),
            ("<think>Route: (8,7)", Verdict::Truncated),
        ] {
            let parsed = read(content);
            assert_eq!((parsed.verdict, parsed.route), (verdict, None), "{content}");
            assert!(parsed.complaint.is_some_and(|complaint| complaint.contains("(3,4)")), "{content}");
        }
        let long = "(1,1) ".repeat(MOST_STEPS + 1);
        insta::assert_snapshot!(read(&format!("Route: {long}")).complaint.unwrap_or_default(), @"Your route has 1001 steps, it may have 1000; write the tiles of your route in their order, such as (3,4) (3,1).");
    }

    #[test]
    fn a_route_beside_an_action() {
        let two = places(&[(0, 8, 7), (0, 8, 4)]);
        assert_eq!(beside_action(r#"{"route": ["(8,7)", "(8,4)"], "action": 1}"#, None), two);
        assert_eq!(beside_action("Route: (8,7) (8,4)\nAction: 1, at (9,9)", None), two);
        assert_eq!(beside_action(r#"{"route": [], "action": 1}"#, None), None);
        assert_eq!(beside_action("Action: 1", None), None);
        assert_eq!(beside_action("Route stays as it is, next is (5,6).\nAction: 1", None), None);
    }

    proptest! {
        #[test]
        fn any_text_gets_a_verdict(content in "\\PC*|(\\{|\\}|\\[|\\]|\"|route|Route|:|[0-9]|,|\\(|\\)|\n|\u{0}|é| ){0,60}") {
            let parsed = read(&content);
            prop_assert_eq!(parsed.verdict == Verdict::Ok, parsed.route.is_some());
            prop_assert_eq!(parsed.verdict == Verdict::Ok, parsed.complaint.is_none());
        }

        #[test]
        fn what_is_written_is_read(tiles in proptest::collection::vec((0u16..3, 0u16..40, 0u16..40), 1..30)) {
            let expected = places(&tiles);
            let words: Vec<String> = expected.iter().flatten().map(Position::to_string).collect();
            prop_assert_eq!(&read(&json!({ "route": words }).to_string()).route, &expected);
            prop_assert_eq!(&read(&format!("Route: {}", words.join(" "))).route, &expected);
        }
    }
}
