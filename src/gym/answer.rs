//! What the environment answers, a line of JSON each. Knows nothing of how it comes about.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::keys;
use crate::game::End;
use crate::prompt::Observation;
use crate::solver;

/// An answer: to every request one line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Answer {
    /// Where the episode stands.
    Standing(Box<Standing>),
    /// The request cannot be met, and nothing has changed.
    Error {
        /// What is wrong with it.
        error: String,
    },
    /// The program ends.
    Closed {
        /// True.
        closed: bool,
    },
}

/// Where an episode stands, after a step with what that step earned.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// What a player may know.
    pub observation: Observation,
    /// What the state here is worth.
    #[serde(flatten, serialize_with = "keys::value::serialize")]
    #[schemars(with = "keys::value::ValueKeys")]
    pub value: solver::Worth,
    /// The same from the start of the floor.
    #[serde(flatten, serialize_with = "keys::optimum::serialize")]
    #[schemars(with = "keys::optimum::OptimumKeys")]
    pub optimum: solver::Worth,
    /// Why values are not known, if some are not: those have a bracket beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values_unknown: Option<String>,
    /// The legal actions, in the order of the observation's; none once the episode has ended.
    pub actions: Vec<Worth>,
    /// What the step earned; null unless this answers a step.
    pub reward: Option<Reward>,
    /// Whether the game has ended by its own rules.
    pub terminated: bool,
    /// Whether the limit of decisions has ended the episode.
    pub truncated: bool,
    /// How the game ended; null while it goes on, and where the limit ended the episode.
    pub end: Option<End>,
    /// HP at the end: the hero's if he won, else 0; null while the episode goes on.
    pub final_hp: Option<i64>,
}

/// What a legal action is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Worth {
    /// Its number, from 1.
    pub number: u32,
    /// What the state after it is worth.
    #[serde(flatten, serialize_with = "keys::value::serialize")]
    #[schemars(with = "keys::value::ValueKeys")]
    pub value: solver::Worth,
    /// HP of value that it costs: 0 for the best, the whole value if it loses; null if the boss cannot be defeated
    /// anyhow, or the value is not known.
    pub regret: Option<i64>,
    /// Whether the boss can be defeated before it and no longer after it; null if that is not known.
    pub losing: Option<bool>,
    /// Whether it kills the hero at once.
    pub lethal: bool,
}

/// What a step earned, in terms from which a reward is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reward {
    /// HP that its fight cost, as the observation had announced it; 0 if it was no fight.
    pub damage: i64,
    /// The hero's HP after it less his HP before it.
    pub hp_change: i64,
    /// What was collected, in words.
    pub collected: Vec<String>,
    /// HP of value that it cost, as [`Worth::regret`] told before it, or as the values before and after it say.
    pub value_lost: Option<i64>,
}
