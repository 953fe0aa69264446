//! The lines of a trace. Knows their shape only; `trace` reads and writes them, `episode` makes them.
//!
//! Every clock reading stands in an object `time`, so that two traces compare without it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::{Call, ChosenBy};
use crate::game::{End, Hero, ItemMode, Position};
use crate::prompt::{ActionView, BlockedView};

/// Version of the trace format that this program writes. 2 has calls that ask for a route, and calls that were sent with
/// earlier turns; 3 has what humans took back.
pub const FORMAT: u32 = 3;

/// One line of a trace: a header, then calls and decisions as they come, then a footer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The first line.
    Header(Header),
    /// A completed call to a model.
    Call(Call),
    /// A decision that has been executed.
    Decision(Decision),
    /// What a human did since the last decision, while there is no next one to say it.
    Pending(Pending),
    /// The last line of a finished episode.
    Footer(Footer),
}

/// Which episode of a batch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct EpisodeKey {
    /// The agent's name in the configuration.
    pub agent: String,
    /// The floor's name.
    pub floor: String,
    /// The prompt's name; `none` for agents that read none.
    pub prompt: String,
    /// Repeat, from 0.
    pub repeat: u32,
}

impl EpisodeKey {
    /// The episode's id: its key and the first eight digits of its floor's hash.
    pub fn id(&self, floor_hash: &str) -> String {
        let short: String = floor_hash.chars().take(8).collect();
        format!("{}.{}.{}.{}.{short}", self.agent, self.floor, self.prompt, self.repeat)
    }

    /// Agent and prompt: what a table calls a configuration.
    pub fn configuration(&self) -> String {
        match self.prompt.as_str() {
            "none" => self.agent.clone(),
            prompt => format!("{} / {prompt}", self.agent),
        }
    }
}

/// What an episode is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// Version of the trace format.
    pub format: u32,
    /// Version of the program that began it.
    pub mota: String,
    /// The episode's id: its key and the short hash of its floor. Also the name of its file.
    pub id: String,
    /// Which episode of the batch.
    #[serde(flatten)]
    pub key: EpisodeKey,
    /// SHA-256 of the floor in native form, in hexadecimal.
    pub floor_hash: String,
    /// First 12 digits of the SHA-256 of the prompt's text; none for agents that read none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_hash: Option<String>,
    /// The run's seed.
    pub seed: u64,
    /// When items are collected.
    pub items: ItemMode,
    /// Whether the mechanical override replaces lethal choices.
    pub r#override: bool,
    /// Decisions after which the episode was to end when it began.
    pub turn_limit: u32,
    /// The hero at the first decision, with what is in reach collected.
    pub hero: Hero,
    /// What was collected before the first decision is in the hero already; where he stands.
    pub at: Position,
    /// Clock readings.
    pub time: HeaderTime,
}

/// Clock readings of a header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HeaderTime {
    /// When the episode began: RFC 3339, UTC.
    pub started: String,
}

/// A decision and what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// Its number, from 1.
    pub turn: u32,
    /// The hero before it.
    pub hero: Hero,
    /// Where he stands before it.
    pub at: Position,
    /// The legal actions.
    pub actions: Vec<ActionView>,
    /// What is in reach but not legal.
    pub blocked: Vec<BlockedView>,
    /// Number of the action that the agent, or its stand-in, chose.
    pub chosen: u32,
    /// Number of the action that was executed.
    pub executed: u32,
    /// Whose choice the executed action is.
    pub by: ChosenBy,
    /// The tile of the executed action.
    pub target: Position,
    /// What was collected, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collected: Vec<String>,
    /// The hero after it.
    pub after: Hero,
    /// How the game ended by it, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Decisions that a human made in its place and took back, in the order in which they were taken back: whatever
    /// followed one of them stands before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
    /// Whether a human had been shown state values since the decision before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
    /// Clock readings.
    pub time: DecisionTime,
}

/// A decision that a human took back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakenBack {
    /// Its number, from 1.
    pub turn: u32,
    /// Number of the action.
    pub executed: u32,
    /// The tile of the action.
    pub target: Position,
    /// What it did, in words.
    pub text: String,
    /// The hero's HP after it.
    pub hp_after: i64,
    /// How the game had ended by it, if it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Whether state values were shown after it, before it was taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
}

/// What a human did since the last decision. It is the last line of an unfinished trace, or the last before the footer;
/// the next decision takes its place and says the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pending {
    /// Decisions that were taken back, as in a decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
    /// Whether state values were shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
    /// Clock readings.
    pub time: PendingTime,
}

/// Clock readings of what a human did since the last decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PendingTime {
    /// When it was written: RFC 3339, UTC.
    pub at: String,
}

/// Clock readings of a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DecisionTime {
    /// When it was executed: RFC 3339, UTC.
    pub at: String,
    /// Seconds from asking the agent to having its choice, waits included.
    pub took_s: f64,
}

/// How an episode ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Footer {
    /// How.
    pub ending: Ending,
    /// Why, where that needs words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The limit of decisions that ended it, if that did; the run may have been given another than it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_limit: Option<u32>,
    /// Decisions made.
    pub turns: u32,
    /// The hero at the end.
    pub hero: Hero,
    /// Clock readings.
    pub time: FooterTime,
}

/// Clock readings of a footer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FooterTime {
    /// When the episode ended: RFC 3339, UTC.
    pub ended: String,
    /// Seconds of work over all sittings.
    pub working_s: f64,
    /// Seconds of waiting for servers over all sittings.
    pub waiting_s: f64,
}

/// How an episode ends: by the rules of the game, or from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The boss is defeated.
    Won,
    /// A lethal fight was executed.
    Dead,
    /// Only lethal or unwinnable fights, and doors without a key, remain.
    Stuck,
    /// The turn limit was reached.
    TurnLimit,
    /// The model failed, or a limit of tokens, cost or time was reached.
    Aborted,
}

impl Ending {
    /// All endings, in the order in which tables list them.
    pub const ALL: [Ending; 5] = [Ending::Won, Ending::Dead, Ending::Stuck, Ending::TurnLimit, Ending::Aborted];
}

impl From<End> for Ending {
    fn from(end: End) -> Self {
        match end {
            End::Won => Ending::Won,
            End::Dead => Ending::Dead,
            End::Stuck => Ending::Stuck,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Won => "won",
            Ending::Dead => "dead",
            Ending::Stuck => "stuck",
            Ending::TurnLimit => "turn limit",
            Ending::Aborted => "aborted",
        })
    }
}
