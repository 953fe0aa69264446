//! Definitions of what a decision can be: optimal, losing, critical, forced. The one place for them; every table uses
//! these. The value of a state is the final HP under best play, or none if the boss can no longer be defeated.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::{ChosenBy, Verdict};
use crate::eval::{Ending, EpisodeKey};
use crate::game::{Hero, Position};

/// A legal action with the value of the state that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActionValue {
    /// Its number, from 1.
    pub number: u32,
    /// Its tile.
    pub target: Position,
    /// What it does, in words.
    pub text: String,
    /// Whether it kills the hero.
    pub lethal: bool,
    /// Final HP under best play after it; none if the boss can no longer be defeated.
    pub value: Option<i64>,
}

/// A decision with the values of everything that could have been chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionValue {
    /// Its number, from 1.
    pub turn: u32,
    /// The hero before it.
    pub hero: Hero,
    /// Value of the state before it: the best of its actions' values.
    pub before: Option<i64>,
    /// The legal actions, in the order of their numbers.
    pub actions: Vec<ActionValue>,
    /// Number of the action that the agent, or its stand-in, chose.
    pub chosen: u32,
    /// Number of the action that was executed; the one that is judged.
    pub executed: u32,
    /// Whose choice the executed action is.
    pub by: ChosenBy,
}

impl DecisionValue {
    /// The executed action.
    pub fn action(&self) -> Option<&ActionValue> {
        self.actions.get((self.executed as usize).checked_sub(1)?)
    }

    /// Value of the state after it.
    pub fn after(&self) -> Option<i64> {
        self.action()?.value
    }

    /// HP of value that it cost: 0 if none, all of the value if the boss can no longer be defeated after it; none if
    /// that was so before.
    pub fn value_lost(&self) -> Option<i64> {
        Some(self.before? - self.after().unwrap_or(0))
    }

    /// Whether no other action has a higher value; none where nothing can be won any more.
    pub fn is_optimal(&self) -> bool {
        self.before.is_some() && self.before == self.after()
    }

    /// Whether it lowered the value, be it to none.
    pub fn loses_value(&self) -> bool {
        self.value_lost().is_some_and(|lost| lost > 0)
    }

    /// Whether the boss could be defeated before it and no longer after it.
    pub fn is_losing(&self) -> bool {
        self.before.is_some() && self.after().is_none()
    }

    /// Whether a losing action that is not lethal stood beside a saving one.
    pub fn is_critical(&self) -> bool {
        let saving = self.actions.iter().any(|action| action.value.is_some());
        saving && self.actions.iter().any(|action| action.value.is_none() && !action.lethal)
    }

    /// Whether exactly one action keeps the boss defeatable.
    pub fn is_forced(&self) -> bool {
        self.actions.iter().filter(|action| action.value.is_some()).count() == 1
    }
}

/// The decision that lost an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LosingDecision {
    /// Its number, from 1.
    pub turn: u32,
    /// The tile of the executed action.
    pub target: Position,
    /// What was done, in words.
    pub text: String,
    /// Whose choice it was.
    pub by: ChosenBy,
    /// Value of the state before it.
    pub value_before: i64,
    /// Decisions before it that lowered the value.
    pub earlier_losses: u32,
}

/// An episode with its values: one line of `analysis/episodes.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EpisodeAnalysis {
    /// The episode's id.
    pub id: String,
    /// Which episode of the batch.
    #[serde(flatten)]
    pub key: EpisodeKey,
    /// Title of the floor.
    pub floor_title: String,
    /// A remark that belongs under every table and picture of this floor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_note: Option<String>,
    /// Value of the first state: the floor's optimum.
    pub optimum: Option<i64>,
    /// Why the values are not known, if they are not: then every value here is none, and none says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values_unknown: Option<String>,
    /// How the episode ended; none while it is unfinished.
    pub ending: Option<Ending>,
    /// Why, where that needs words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The hero at the end, or now.
    pub hero: Hero,
    /// The decisions with their values.
    pub decisions: Vec<DecisionValue>,
    /// The decision after which the boss could no longer be defeated, if there is one.
    pub losing: Option<LosingDecision>,
    /// Completed calls by verdict; those that never came are left out.
    pub verdicts: BTreeMap<Verdict, u32>,
    /// Tokens sent, over all calls.
    pub prompt_tokens: u64,
    /// Tokens answered, over all calls.
    pub completion_tokens: u64,
    /// Of the tokens answered, reasoning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// US dollars, over all calls; none if no call states any.
    pub cost_usd: Option<f64>,
    /// Decisions that a human took back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken_back: u32,
    /// Decisions before which a human was shown state values.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hinted: u32,
    /// Clock readings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<EpisodeTime>,
}

/// Clock readings of an episode, over all its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EpisodeTime {
    /// Seconds that the answered attempts took.
    pub working_s: f64,
    /// Seconds of waiting between attempts and on attempts that gave nothing.
    pub waiting_s: f64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl EpisodeAnalysis {
    /// HP at the end: the hero's if he won, else 0.
    pub fn final_hp(&self) -> i64 {
        if self.is_won() { self.hero.hp } else { 0 }
    }

    /// Final HP over the optimum, from 0 to 1; none if the optimum is not known, or 0.
    pub fn share_of_optimum(&self) -> Option<f64> {
        Some(self.final_hp() as f64 / self.optimum.filter(|optimum| *optimum > 0)? as f64)
    }

    /// Completed calls, whatever was made of them.
    pub fn calls(&self) -> u32 {
        self.verdicts.values().sum()
    }

    /// Whether it has ended, by the rules or from outside.
    pub fn is_finished(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether the boss was defeated.
    pub fn is_won(&self) -> bool {
        self.ending == Some(Ending::Won)
    }

    /// Whether the values are known: if not, what rests on them says nothing.
    pub fn is_judged(&self) -> bool {
        self.values_unknown.is_none()
    }

    /// Decisions that lowered the value; none if the values are not known.
    pub fn value_losses(&self) -> Option<usize> {
        self.is_judged().then(|| self.decisions.iter().filter(|decision| decision.loses_value()).count())
    }

    /// Those of them that the agent itself chose; none if the values are not known.
    pub fn own_value_losses(&self) -> Option<usize> {
        let own = |decision: &&DecisionValue| decision.by == ChosenBy::Agent && decision.loses_value();
        self.is_judged().then(|| self.decisions.iter().filter(own).count())
    }

    /// Decisions in which the mechanical override replaced the choice.
    pub fn overrides(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.by == ChosenBy::Override).count()
    }
}
