//! What is asked of the environment, a line of JSON each. Knows nothing of what is answered.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::Position;
use crate::prompt::escape::readable;

/// A request: one line with one key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Begins an episode.
    Reset(Reset),
    /// Makes a decision.
    Step(Move),
    /// Asks for the present answer again, without the reward.
    Observe {},
    /// Ends the program, as the end of its input does.
    Close {},
}

/// Which floor is played; the first unless one of these says which.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reset {
    /// Its name, as the floor's file has it.
    pub floor: Option<String>,
    /// Its place on the command line, from 0.
    pub index: Option<usize>,
    /// A number from which a floor is drawn, each as likely. Play itself has nothing random.
    pub seed: Option<u64>,
}

/// An action, named as command agents name theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// By its number, from 1.
    Action(u32),
    /// By its tile; where several actions are possible, as in a shop, only a number names one.
    Target(Position),
}

impl Request {
    /// Reads a line; what is not UTF-8 in it does no harm.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_str(&readable(line)).map_err(|error| {
            // There is one line only; the column is what helps.
            let why = error.to_string().replace(" at line 1 column", " at column");
            format!("this is no request: {why}; {EXAMPLES}")
        })
    }
}

const EXAMPLES: &str = r#"requests are {"reset": {}}, {"step": {"action": 3}}, {"observe": {}} and {"close": {}}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        for (line, expected) in [
            (r#"{"reset": {}}"#, Request::Reset(Reset::default())),
            (r#"{"reset": {"index": 2}}"#, Request::Reset(Reset { index: Some(2), ..Reset::default() })),
            (r#"{"step": {"action": 3}}"#, Request::Step(Move::Action(3))),
            (r#"{"step": {"target": {"x": 8, "y": 7}}}"#, Request::Step(Move::Target(Position::new(0, 8, 7)))),
            (r#" {"observe": {}} "#, Request::Observe {}),
            (r#"{"close": {}}"#, Request::Close {}),
        ] {
            assert_eq!(Request::read(line.as_bytes()), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_is_no_request_is_told() {
        let told = |line: &str| Request::read(line.as_bytes()).expect_err(line);
        insta::assert_snapshot!(told(r#"{"go": {}}"#), @r#"this is no request: unknown variant `go`, expected one of `reset`, `step`, `observe`, `close` at column 5; requests are {"reset": {}}, {"step": {"action": 3}}, {"observe": {}} and {"close": {}}"#);
        insta::assert_snapshot!(told(r#"{"step": {"action": -1}}"#), @r#"this is no request: invalid value: integer `-1`, expected u32 at column 22; requests are {"reset": {}}, {"step": {"action": 3}}, {"observe": {}} and {"close": {}}"#);
        insta::assert_snapshot!(told(r#"{"reset": {"flor": "simple"}}"#), @r#"this is no request: unknown field `flor`, expected one of `floor`, `index`, `seed` at column 17; requests are {"reset": {}}, {"step": {"action": 3}}, {"observe": {}} and {"close": {}}"#);
        for line in [
            "",
            "{",
            "3",
            "[]",
            r#"{"step": 3}"#,
            r#"{"step": {}}"#,
            r#"{"step": {"action": 1, "target": {"x": 1, "y": 1}}}"#,
            r#"{"reset": {}, "step": {"action": 1}}"#,
            r#"{"observe": {"x": 1}}"#,
            r#"{"step": {"action": 1e400}}"#,
            r#"{"step": {"action": 4294967296}}"#,
            "{\"reset\": {\"floor\": \"\\ud800\"}",
            "\u{0}",
        ] {
            assert!(told(line).starts_with("this is no request: "), "{line}");
        }
        assert!(Request::read(b"{\"reset\": {\"floor\": \"\xff\"}}").is_ok());
    }
}
