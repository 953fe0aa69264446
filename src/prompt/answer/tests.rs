//! Tests of reading answers.

use super::*;
use crate::game::{ActionKind, Colour};
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
    parse(
        &Answer { content: Some(content.into()), ..Answer::default() },
        &doors(),
        Wanted { naming, ..Wanted::default() },
    )
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
    let verdict = |answer: &Answer| parse(answer, &doors(), Wanted::default()).verdict;
    assert_eq!(verdict(&Answer { finish_reason: Some("stop".into()), ..ok.clone() }), Verdict::Ok);
    assert_eq!(verdict(&Answer { finish_reason: Some("length".into()), ..ok.clone() }), Verdict::Truncated);
    assert_eq!(verdict(&Answer { finish_reason: Some("content_filter".into()), ..ok.clone() }), Verdict::Refused);
    assert_eq!(verdict(&Answer { refusal: Some("I cannot".into()), ..ok.clone() }), Verdict::Refused);
    assert_eq!(verdict(&Answer { refusal: Some(String::new()), ..ok }), Verdict::Ok);
    assert_eq!(verdict(&Answer::default()), Verdict::Empty);
    let thought = Answer { reasoning: Some("hm".into()), ..Answer::default() };
    assert_eq!(verdict(&thought), Verdict::Truncated);
    let tool = Answer { arguments: Some(r#"{"action": 2}"#.into()), ..thought };
    assert_eq!(parse(&tool, &doors(), Wanted::default()).number, Some(2));
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
    insta::assert_snapshot!(complaint(""), @"Your answer was empty; name the tile of a legal action by its x and y.");
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
    // A key of the answer may be long as well.
    let names: String = (0..1 << 20).map(|number| format!("action {number} ({number},8) ")).collect();
    assert_eq!(read(&json!({ "action": names }).to_string()).verdict, Verdict::Unparsable);
    assert_eq!(read(&json!({ "action": names + " 2" }).to_string()).verdict, Verdict::Unparsable);
}

proptest! {
    #[test]
    fn any_text_gets_a_verdict(
        content in "\\PC*|(\\{|\\}|\"|action|:|[0-9]|,|<think>|</think>|\\\\ud800|\n|\u{0}|é| ){0,40}",
        finish_reason in proptest::option::of("stop|length|content_filter|"),
    ) {
        let answer = Answer { content: Some(content), finish_reason, ..Answer::default() };
        let parsed = parse(&answer, &doors(), Wanted::default());
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
        prop_assume!(!crate::prompt::thought::is_in(&reasoning));
        let expected = if (1..=3).contains(&action) { Verdict::Ok } else { Verdict::Illegal };
        prop_assert_eq!(parsed.verdict, expected);
    }
}
