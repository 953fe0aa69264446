//! How a model's answer is read, and what it can turn out to be. Knows nothing of endpoints, and of the game only which
//! actions are legal.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::Action;

use super::choice::{self, Named};
use super::escape::without_lone_surrogates;
use super::form::Naming;

/// What happens when an agent's answers to one decision are used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnInvalid {
    /// The rule-based heuristic chooses.
    #[default]
    Heuristic,
    /// The episode ends as aborted.
    Abort,
    /// A legal action is drawn.
    Random,
}

/// What a call can give: a closed set, each counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A legal action was named.
    Ok,
    /// No action could be found in the answer.
    Unparsable,
    /// An action was named that is not legal.
    Illegal,
    /// There was no text.
    Empty,
    /// The answer was cut off before it was complete.
    Truncated,
    /// The model or its provider refused.
    Refused,
    /// No answer came, whatever was tried.
    TransportError,
}

impl Verdict {
    /// All verdicts, in the order in which tables list them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Ok,
        Verdict::Unparsable,
        Verdict::Illegal,
        Verdict::Empty,
        Verdict::Truncated,
        Verdict::Refused,
        Verdict::TransportError,
    ];
}

/// An answer as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Its text.
    pub content: Option<String>,
    /// Its reasoning, from whatever field.
    pub reasoning: Option<String>,
    /// The arguments of its first tool call, as JSON text.
    pub arguments: Option<String>,
    /// What it says instead of answering.
    pub refusal: Option<String>,
    /// Why the server stopped.
    pub finish_reason: Option<String>,
}

/// What was made of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Its verdict.
    pub verdict: Verdict,
    /// Number of the action, from 1; with verdict `ok` only.
    pub number: Option<u32>,
    /// What was wrong, in one line for the model; with any other verdict.
    pub complaint: Option<String>,
}

/// Bytes at the end of an answer in which it is looked for. An answer stands at the end, and the limit keeps the
/// time for a hostile text of any length small.
const SEARCHED: usize = 1 << 18;

/// Reads an answer against the legal actions of its decision. Never panics, whatever the text.
pub fn parse(answer: &Answer, actions: &[Action], naming: Naming) -> Parsed {
    let wrong = |verdict, complaint: String| Parsed { verdict, number: None, complaint: Some(complaint) };
    let legal = match naming {
        Naming::Number => legal_numbers(actions),
        Naming::Target => "name the tile of a legal action by its x and y".to_owned(),
    };
    let finish = answer.finish_reason.as_deref().unwrap_or_default();
    if finish == "content_filter" || has_text(&answer.refusal) {
        return wrong(Verdict::Refused, format!("You refused to answer. Choose one action; {legal}."));
    }
    let content = answer.content.as_deref().unwrap_or_default();
    let visible = visible(content);
    let cut = matches!(finish, "length" | "max_tokens");
    if cut || visible.is_none() {
        let complaint = format!("Your answer was cut off before it was complete. Answer shorter; {legal}.");
        return wrong(Verdict::Truncated, complaint);
    }
    let text = visible.unwrap_or_default().trim();
    let arguments = answer.arguments.as_deref().filter(|arguments| !arguments.trim().is_empty());
    if text.is_empty() && arguments.is_none() {
        // Reasoning without an answer means that the budget went into reasoning, whatever the server calls it.
        return match has_text(&answer.reasoning) || !content.trim().is_empty() {
            true => wrong(Verdict::Truncated, format!("You reasoned but gave no answer. Reason less; {legal}.")),
            false => wrong(Verdict::Empty, format!("Your answer was empty. Name one action; {legal}.")),
        };
    }
    let named = arguments.and_then(|arguments| named(arguments.trim())).or_else(|| named(text));
    match named.map(|named| resolve(named, actions, naming)) {
        Some(Ok(number)) => Parsed { verdict: Verdict::Ok, number: Some(number), complaint: None },
        Some(Err((verdict, complaint))) => wrong(verdict, format!("{complaint}; {legal}.")),
        None => wrong(Verdict::Unparsable, format!("No action could be found in your answer; {legal}.")),
    }
}

/// The text outside of `<think>…</think>`: what follows the last `</think>`. `None` if a `<think>` is never closed.
pub fn visible(content: &str) -> Option<&str> {
    let (closed, opened) = (content.rfind("</think>"), content.rfind("<think>"));
    match (closed, opened) {
        (None, Some(_)) => None,
        (Some(closed), Some(opened)) if opened > closed => None,
        // A template may have put the opening tag into the prompt, so a closing tag alone ends the reasoning too.
        (Some(closed), _) => content.get(closed + "</think>".len()..),
        (None, None) => Some(content),
    }
}

fn has_text(text: &Option<String>) -> bool {
    text.as_ref().is_some_and(|text| !text.trim().is_empty())
}

fn legal_numbers(actions: &[Action]) -> String {
    match actions.len() {
        1 => "the one legal action has number 1".into(),
        count => format!("the legal actions have numbers 1 to {count}"),
    }
}

/// What an answer's text names: by its last complete JSON object with the key `action` or `target`, else by its last
/// line.
fn named(text: &str) -> Option<Named> {
    match last_object(text) {
        Some(value) => choice::in_value(&value),
        None => choice::in_line(last_line(tail(text))),
    }
}

/// The value of `action` or `target` in the last complete object that has it.
fn last_object(text: &str) -> Option<Value> {
    let text = without_lone_surrogates(text);
    if let Some(value) = serde_json::from_str(&text).ok().and_then(chosen) {
        return Some(value);
    }
    let text = tail(&text);
    let mut last = None;
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + open;
        let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        at = match objects.next() {
            Some(Ok(object)) => {
                last = chosen(object).or(last);
                start + objects.byte_offset()
            }
            _ => start + 1,
        };
    }
    last
}

fn chosen(object: Value) -> Option<Value> {
    let Value::Object(mut map) = object else { return None };
    map.remove("action").or_else(|| map.remove("target"))
}

/// The last [`SEARCHED`] bytes, from a character's start.
fn tail(text: &str) -> &str {
    let from = text.len().saturating_sub(SEARCHED);
    (from..=text.len()).find_map(|from| text.get(from..)).unwrap_or_default()
}

/// The last line that is neither blank nor the fence of a code block.
fn last_line(text: &str) -> &str {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("```");
    text.lines().rev().find(is_text).unwrap_or_default()
}

/// The number of the action that is named, or what is wrong with it.
fn resolve(named: Named, actions: &[Action], naming: Naming) -> Result<u32, (Verdict, Cow<'static, str>)> {
    match named {
        Named::Number(digits) if naming == Naming::Target => {
            Err((Verdict::Unparsable, format!("Actions have no numbers here, {} is no tile", short(&digits)).into()))
        }
        Named::Number(digits) => match digits.parse::<u32>() {
            Ok(number) if number >= 1 && number as usize <= actions.len() => Ok(number),
            _ => Err((Verdict::Illegal, format!("There is no action {}", short(&digits)).into())),
        },
        Named::Target(target) => {
            let mut there = (1..).zip(actions).filter(|(_, action)| action.target == target).map(|(number, _)| number);
            match (there.next(), there.next()) {
                (Some(number), None) => Ok(number),
                (Some(_), Some(_)) => {
                    let complaint = format!("There are several actions at {target}, name one by its number");
                    Err((Verdict::Unparsable, complaint.into()))
                }
                (None, _) => Err((Verdict::Illegal, format!("There is no legal action at {target}").into())),
            }
        }
        Named::Several(all) => {
            let some: Vec<&str> = all.iter().take(4).map(|name| short(name)).collect();
            Err((Verdict::Unparsable, format!("Your last line names several actions ({})", some.join(", ")).into()))
        }
    }
}

/// The first characters of something that the model wrote.
fn short(text: &str) -> &str {
    text.char_indices().nth(24).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ActionKind, Colour, Position};
    use proptest::prelude::*;
    use serde_json::json;

    /// Three doors: 1 (8,7), 2 (8,4), 3 (1:2,3).
    fn doors() -> Vec<Action> {
        [Position::new(0, 8, 7), Position::new(0, 8, 4), Position::new(1, 2, 3)]
            .map(|target| Action { target, kind: ActionKind::Open(Colour::Yellow) })
            .to_vec()
    }

    fn read(content: &str) -> Parsed {
        read_as(content, Naming::Number)
    }

    fn read_as(content: &str, naming: Naming) -> Parsed {
        parse(&Answer { content: Some(content.into()), ..Answer::default() }, &doors(), naming)
    }

    fn check(content: &str, expected: Result<u32, Verdict>) {
        let parsed = read(content);
        let found = if parsed.verdict == Verdict::Ok { Ok(parsed.number.unwrap_or(0)) } else { Err(parsed.verdict) };
        assert_eq!(found, expected, "{content}");
        assert_eq!(parsed.complaint.is_none(), expected.is_ok(), "{content}");
        assert_eq!(parsed.number.is_some(), expected.is_ok(), "{content}");
    }

    #[test]
    fn json_anywhere() {
        check(r#"{"action": 2}"#, Ok(2));
        check(r#"{"reasoning": "a } b { c \" d", "action": 2}"#, Ok(2));
        check("Here:\n```json\n{\"action\": 2}\n```\n", Ok(2));
        check(r#"first {"action": 1}, no: {"action": 3} is better"#, Ok(3));
        check(r#"{"action": 3, "instead": [{"action": 1}]}"#, Ok(3));
        check(r#"{"action": 3} and {"note": "no choice"}"#, Ok(3));
        check(r#"{"action": 3} and then {"action": 1"#, Ok(3));
        check(r#"{"action": "2"}"#, Ok(2));
        check(r#"{"action": "8,4"}"#, Ok(2));
        check(r#"{"action": {"x": 8, "y": 7}}"#, Ok(1));
        check(r#"{"target": {"floor": 1, "x": 2, "y": 3}}"#, Ok(3));
        check(r#"{"reasoning": "\ud800 cut", "action": 2}"#, Ok(2));
        check(r#"{"action": 4}"#, Err(Verdict::Illegal));
        check(r#"{"action": 0}"#, Err(Verdict::Illegal));
        check(r#"{"action": -1}"#, Err(Verdict::Illegal));
        check(r#"{"action": 1e99}"#, Err(Verdict::Illegal));
        check(r#"{"action": null}"#, Err(Verdict::Unparsable));
        check(r#"{"action": "#, Err(Verdict::Unparsable));
    }

    #[test]
    fn the_last_line() {
        check("I think.\n\nAction: 3", Ok(3));
        check("3", Ok(3));
        check("1 is bad\n2 is worse\naction 3.\n\n", Ok(3));
        check("so (1:2,3)", Ok(3));
        check("8,7", Ok(1));
        check("Action: 9", Err(Verdict::Illegal));
        check("(5,5)", Err(Verdict::Illegal));
        check("action 1 or action 2", Err(Verdict::Unparsable));
        check("Action: 2\nbecause it is good", Err(Verdict::Unparsable));
        check("I open the yellow door", Err(Verdict::Unparsable));
    }

    #[test]
    fn thought_is_not_answer() {
        check("<think>Action: 1</think>Action: 2", Ok(2));
        check("Action: 1</think>\nAction: 2", Ok(2));
        check("<think>Action: 1</think>", Err(Verdict::Truncated));
        check("<think>Action: 1", Err(Verdict::Truncated));
        check("<think>a</think>{\"action\": 1}<think>b", Err(Verdict::Truncated));
        check("", Err(Verdict::Empty));
        check(" \n\t", Err(Verdict::Empty));
    }

    #[test]
    fn what_the_server_says_comes_first() {
        let ok = Answer { content: Some("Action: 1".into()), ..Answer::default() };
        let verdict = |answer: &Answer| parse(answer, &doors(), Naming::Number).verdict;
        assert_eq!(verdict(&Answer { finish_reason: Some("stop".into()), ..ok.clone() }), Verdict::Ok);
        assert_eq!(verdict(&Answer { finish_reason: Some("length".into()), ..ok.clone() }), Verdict::Truncated);
        assert_eq!(verdict(&Answer { finish_reason: Some("content_filter".into()), ..ok.clone() }), Verdict::Refused);
        assert_eq!(verdict(&Answer { refusal: Some("I cannot".into()), ..ok.clone() }), Verdict::Refused);
        assert_eq!(verdict(&Answer { refusal: Some(String::new()), ..ok }), Verdict::Ok);
        assert_eq!(verdict(&Answer::default()), Verdict::Empty);
        let thought = Answer { reasoning: Some("hm".into()), ..Answer::default() };
        assert_eq!(verdict(&thought), Verdict::Truncated);
        let tool = Answer { arguments: Some(r#"{"action": 2}"#.into()), ..thought };
        assert_eq!(parse(&tool, &doors(), Naming::Number).number, Some(2));
    }

    #[test]
    fn complaints_say_what_was_wrong() {
        let complaint = |content: &str| read(content).complaint.unwrap_or_default();
        insta::assert_snapshot!(complaint("Action: 9"), @"There is no action 9; the legal actions have numbers 1 to 3.");
        insta::assert_snapshot!(complaint("(5,5)"), @"There is no legal action at (5,5); the legal actions have numbers 1 to 3.");
        insta::assert_snapshot!(complaint("hello"), @"No action could be found in your answer; the legal actions have numbers 1 to 3.");
        insta::assert_snapshot!(complaint("action 1, action 2"), @"Your last line names several actions (1, 2); the legal actions have numbers 1 to 3.");
    }

    /// Where actions are not listed a number says nothing: a model could hit one by chance.
    #[test]
    fn where_actions_are_not_listed_only_tiles_name_them() {
        let check = |content: &str, expected: Result<u32, Verdict>| {
            let parsed = read_as(content, Naming::Target);
            assert_eq!(parsed.number.ok_or(parsed.verdict), expected, "{content}");
        };
        check(r#"{"reasoning": "x", "target": {"x": 8, "y": 4}}"#, Ok(2));
        check(r#"{"target": {"floor": 1, "x": 2, "y": 3}}"#, Ok(3));
        check("Target: (8,7)", Ok(1));
        check("Action: 8,4", Ok(2));
        check(r#"{"target": {"x": 5, "y": 5}}"#, Err(Verdict::Illegal));
        for numbered in [r#"{"action": 2}"#, "Action: 2", "2", "2. open the yellow door"] {
            check(numbered, Err(Verdict::Unparsable));
        }
        let complaint = |content: &str| read_as(content, Naming::Target).complaint.unwrap_or_default();
        insta::assert_snapshot!(complaint("Action: 2"), @"Actions have no numbers here, 2 is no tile; name the tile of a legal action by its x and y.");
        insta::assert_snapshot!(complaint("(5,5)"), @"There is no legal action at (5,5); name the tile of a legal action by its x and y.");
        insta::assert_snapshot!(complaint(""), @"Your answer was empty. Name one action; name the tile of a legal action by its x and y.");
    }

    #[test]
    fn a_long_text_is_read_at_its_end() {
        for filler in ["{", "{\"a\":[", "\\ud800", "8,7 ", "action ", "\u{0}", "é"] {
            let mut text = filler.repeat((10 << 20) / filler.len());
            text.push_str("\nAction: 2");
            assert_eq!(read(&text).number, Some(2), "{filler}");
        }
        let long = json!({ "reasoning": "x".repeat(10 << 20), "action": 3 }).to_string();
        assert_eq!(read(&long).number, Some(3));
    }

    proptest! {
        #[test]
        fn any_text_gets_a_verdict(
            content in "\\PC*|(\\{|\\}|\"|action|:|[0-9]|,|<think>|</think>|\\\\ud800|\n|\u{0}|é| ){0,40}",
            finish_reason in proptest::option::of("stop|length|content_filter|"),
        ) {
            let answer = Answer { content: Some(content), finish_reason, ..Answer::default() };
            let parsed = parse(&answer, &doors(), Naming::Number);
            prop_assert_eq!(parsed.verdict == Verdict::Ok, parsed.number.is_some());
            prop_assert_eq!(parsed.verdict == Verdict::Ok, parsed.complaint.is_none());
            prop_assert!(parsed.number.is_none_or(|number| (1..=3).contains(&number)));
            prop_assert!(parsed.complaint.is_none_or(|complaint| complaint.lines().count() == 1));
            let cut = answer.finish_reason.as_deref() == Some("length");
            prop_assert!(!cut || parsed.verdict == Verdict::Truncated);
        }

        #[test]
        fn a_schema_answer_is_read_whatever_its_reasoning(reasoning in "\\PC*", action in -3i64..9) {
            let parsed = read(&json!({ "reasoning": reasoning, "action": action }).to_string());
            // A reasoning that speaks of thinking tags is cut there, as it is for every reader.
            prop_assume!(!reasoning.contains("think>"));
            let expected = if (1..=3).contains(&action) { Verdict::Ok } else { Verdict::Illegal };
            prop_assert_eq!(parsed.verdict, expected);
        }
    }
}
