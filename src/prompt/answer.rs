//! How a model's answer is read, and what it can turn out to be. Knows nothing of endpoints, and of the game only which
//! actions are legal.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{Action, Position};

use super::choice::{self, Named, OFF_THE_MAP};
use super::escape::without_lone_surrogates;
use super::form::{Naming, Wanted};
use super::route_answer::beside_action;
use super::thought::visible;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A legal action was named, or a route written that was asked for.
    #[default]
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

/// In words.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Ok => "ok",
            Verdict::Unparsable => "unparsable",
            Verdict::Illegal => "illegal",
            Verdict::Empty => "empty",
            Verdict::Truncated => "truncated",
            Verdict::Refused => "refused",
            Verdict::TransportError => "transport error",
        })
    }
}

/// An answer as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Answer {
    /// Bytes of all that it says.
    pub fn bytes(&self) -> usize {
        [&self.content, &self.reasoning, &self.arguments, &self.refusal].into_iter().flatten().map(String::len).sum()
    }
}

/// What was made of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Its verdict.
    pub verdict: Verdict,
    /// Number of the action, from 1; with verdict `ok` only.
    pub number: Option<u32>,
    /// The route: the one that was asked for, or another one beside an action; with verdict `ok` only.
    pub route: Option<Vec<Position>>,
    /// What was wrong, in one line for the model; with any other verdict.
    pub complaint: Option<String>,
}

impl Parsed {
    /// An answer that cannot be used, and what was wrong with it.
    pub fn wrong(verdict: Verdict, complaint: Option<String>) -> Self {
        Parsed { complaint, ..Parsed::of(verdict) }
    }

    /// Nothing but a verdict.
    pub(super) fn of(verdict: Verdict) -> Self {
        Parsed { verdict, number: None, route: None, complaint: None }
    }
}

/// Bytes at the end of an answer in which it is looked for. An answer stands at the end, and the limit keeps the
/// time for a hostile text of any length small.
const SEARCHED: usize = 1 << 18;

/// Reads an answer against the legal actions of its decision. Never panics, whatever the text.
pub fn parse(answer: &Answer, actions: &[Action], wanted: Wanted) -> Parsed {
    let legal = match wanted.naming {
        Naming::Number => legal_numbers(actions),
        Naming::Target => "name the tile of a legal action by its x and y".to_owned(),
    };
    let (text, arguments) = match usable(answer, &legal) {
        Ok(found) => found,
        Err(wrong) => return wrong,
    };
    let named = arguments.and_then(|arguments| named(arguments.trim())).or_else(|| named(text));
    let wrong = |verdict, complaint: String| Parsed::wrong(verdict, Some(complaint));
    match named.map(|named| resolve(named, actions, wanted.naming)) {
        Some(Ok(number)) => {
            let route = if wanted.revises { beside_action(text, arguments) } else { None };
            Parsed { number: Some(number), route, ..Parsed::of(Verdict::Ok) }
        }
        Some(Err((verdict, complaint))) => wrong(verdict, format!("{complaint}; {legal}.")),
        None => wrong(Verdict::Unparsable, format!("No action could be found in your answer; {legal}.")),
    }
}

/// What there is to read in an answer: its text, reasoning left out, and the arguments of its tool call. `how` tells the
/// model what to do instead.
///
/// # Errors
/// What was made of an answer in which there is nothing to read.
pub(super) fn usable<'a>(answer: &'a Answer, how: &str) -> Result<(&'a str, Option<&'a str>), Parsed> {
    let wrong = |verdict, complaint: String| Err(Parsed::wrong(verdict, Some(complaint)));
    let finish = answer.finish_reason.as_deref().unwrap_or_default();
    if finish == "content_filter" || has_text(&answer.refusal) {
        return wrong(Verdict::Refused, format!("You refused to answer. Give one all the same; {how}."));
    }
    let content = answer.content.as_deref().unwrap_or_default();
    let visible = visible(content);
    let cut = matches!(finish, "length" | "max_tokens");
    if cut || visible.is_none() {
        let complaint = format!("Your answer was cut off before it was complete. Answer shorter; {how}.");
        return wrong(Verdict::Truncated, complaint);
    }
    let text = visible.unwrap_or_default().trim();
    let arguments = answer.arguments.as_deref().filter(|arguments| !arguments.trim().is_empty());
    if text.is_empty() && arguments.is_none() {
        // Reasoning without an answer means that the budget went into reasoning, whatever the server calls it.
        return match has_text(&answer.reasoning) || !content.trim().is_empty() {
            true => wrong(Verdict::Truncated, format!("You reasoned but gave no answer. Reason less; {how}.")),
            false => wrong(Verdict::Empty, format!("Your answer was empty; {how}.")),
        };
    }
    Ok((text, arguments))
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
        None => choice::in_line(last_line(searched(text))),
    }
}

/// The value of `action` or `target` in the last complete object that has it.
fn last_object(text: &str) -> Option<Value> {
    let has = |object: Map<String, Value>| -> Option<Value> {
        object.get("action").or_else(|| object.get("target")).cloned()
    };
    objects(text).into_iter().rev().find_map(has)
}

/// The complete JSON objects of a text, in order: the whole of it, or those within its end.
pub(super) fn objects(text: &str) -> Vec<Map<String, Value>> {
    let text = without_lone_surrogates(text);
    if let Ok(object) = serde_json::from_str(&text) {
        return vec![object];
    }
    let text = searched(&text);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + open;
        let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Map<String, Value>>();
        at = match objects.next() {
            Some(Ok(object)) => {
                found.push(object);
                start + objects.byte_offset()
            }
            _ => start + 1,
        };
    }
    found
}

/// The last [`SEARCHED`] bytes, from a character's start.
pub(super) fn searched(text: &str) -> &str {
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
        Named::Target(Position { floor, x, y }) if [floor, x, y].contains(&OFF_THE_MAP) => {
            Err((Verdict::Illegal, "Your answer names a tile that is not on the map".into()))
        }
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
mod tests;
