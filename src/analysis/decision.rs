//! Definitions of what a decision can be: optimal, losing, critical, forced. The one place for them; every table uses
//! these. The value of a state is the final HP under best play, or none if the boss can no longer be defeated; a worth is
//! what is known of it. So each definition has three answers: it is so, it is not so, or (none) that is not known.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::keys;
pub use super::losing::{LosingBetween, LosingDecision};
use crate::agent::{ChosenBy, Verdict};
use crate::eval::{Ending, EpisodeKey};
use crate::game::{Hero, Position};
use crate::solver::Worth;

/// A legal action with what the state that it leads to is worth.
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
    /// What the state after it is worth.
    #[serde(flatten, with = "keys::value")]
    #[schemars(with = "keys::value::ValueKeys")]
    pub worth: Worth,
}

/// A decision with what everything that could have been chosen is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionValue {
    /// Its number, from 1.
    pub turn: u32,
    /// The hero before it.
    pub hero: Hero,
    /// What the state before it is worth: as much as the best of its actions.
    #[serde(flatten, with = "keys::before")]
    #[schemars(with = "keys::before::BeforeKeys")]
    pub before: Worth,
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

    /// What the state after it is worth.
    pub fn after(&self) -> Worth {
        self.action().map_or(Worth::UNKNOWN, |action| action.worth)
    }

    /// What the states before and after it are worth.
    pub fn change(&self) -> Change {
        Change { before: self.before, after: self.after() }
    }

    /// Whether the values before and after it are known.
    pub fn is_known(&self) -> bool {
        self.change().is_known()
    }

    /// HP of value that it cost: [`Change::value_lost`].
    pub fn value_lost(&self) -> Option<i64> {
        self.change().value_lost()
    }

    /// Whether no other action has a higher value: [`Change::is_optimal`].
    pub fn is_optimal(&self) -> Option<bool> {
        self.change().is_optimal()
    }

    /// Whether it lowered the value: [`Change::loses_value`].
    pub fn loses_value(&self) -> Option<bool> {
        self.change().loses_value()
    }

    /// Whether the boss could be defeated before it and no longer after it: [`Change::is_losing`].
    pub fn is_losing(&self) -> Option<bool> {
        self.change().is_losing()
    }

    /// Whether a losing action that is not lethal stood beside a saving one.
    pub fn is_critical(&self) -> Option<bool> {
        let saving = self.before.is_saved() || self.actions.iter().any(|action| action.worth.is_saved());
        let mut able_to_lose = self.actions.iter().filter(|action| !action.lethal && !action.worth.is_saved());
        let one_loses = able_to_lose.clone().any(|action| action.worth.is_lost());
        match self.are_all_lost() || able_to_lose.next().is_none() {
            true => Some(false),
            false => (saving && one_loses).then_some(true),
        }
    }

    /// Whether exactly one action keeps the boss defeatable.
    pub fn is_forced(&self) -> Option<bool> {
        let able_to_save = self.actions.iter().filter(|action| !action.worth.is_lost()).count();
        let saving = self.actions.iter().filter(|action| action.worth.is_saved()).count();
        match (saving, able_to_save) {
            _ if self.are_all_lost() => Some(false),
            (2.., _) => Some(false),
            (1, 1) => Some(true),
            (_, 1) if self.before.is_saved() => Some(true),
            _ => None,
        }
    }

    fn are_all_lost(&self) -> bool {
        self.before.is_lost() || self.actions.iter().all(|action| action.worth.is_lost())
    }
}

/// How many decisions something holds of, and of how many that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Of how many it is proven.
    pub proven: usize,
    /// Of how many it is not known.
    pub not_known: usize,
}

impl Count {
    /// Counts answers.
    pub fn of(answers: impl IntoIterator<Item = Option<bool>>) -> Self {
        let mut count = Count::default();
        for answer in answers {
            match answer {
                Some(holds) => count.proven += usize::from(holds),
                None => count.not_known += 1,
            }
        }
        count
    }
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
    /// What the first state is worth: the floor's optimum.
    #[serde(flatten, with = "keys::optimum")]
    #[schemars(with = "keys::optimum::OptimumKeys")]
    pub optimum: Worth,
    /// Why values are not known, if some are not: those have a bracket beside them.
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
    /// The decision after which the boss could no longer be defeated, if it is proven that there is one and which.
    pub losing: Option<LosingDecision>,
    /// Where that decision lies, if there may be one and it is not known which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losing_between: Option<LosingBetween>,
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

pub(super) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl EpisodeAnalysis {
    /// HP at the end: the hero's if he won, else 0.
    pub fn final_hp(&self) -> i64 {
        if self.is_won() { self.hero.hp } else { 0 }
    }

    /// Final HP over the optimum, from 0 to 1; none if the optimum is not known, or 0.
    pub fn share_of_optimum(&self) -> Option<f64> {
        Some(self.final_hp() as f64 / self.optimum.hp().filter(|optimum| *optimum > 0)? as f64)
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

    /// Whether it ended at the optimum; none if that is not known.
    pub fn is_optimal(&self) -> Option<bool> {
        let most = self.optimum.bound();
        match self.is_won() {
            false => Some(false),
            true if most.is_some_and(|most| self.hero.hp >= most) => Some(true),
            true => (Some(self.hero.hp) < self.optimum.least).then_some(false),
        }
    }

    /// Whether the optimum is known, and of each decision whether it lowered the value.
    pub fn is_judged(&self) -> bool {
        self.optimum.is_known() && self.decisions.iter().all(|decision| decision.loses_value().is_some())
    }

    /// Whether nothing is known of any value.
    pub fn is_unknown(&self) -> bool {
        self.values_unknown.is_some()
            && self.optimum.is_unknown()
            && self.decisions.iter().all(|decision| decision.before.is_unknown() && decision.loses_value().is_none())
    }

    /// Decisions that lowered the value; none if of none it is known.
    pub fn value_losses(&self) -> Option<usize> {
        self.known(|_| true)
    }

    /// Those of them that the agent itself chose; none if of none it is known.
    pub fn own_value_losses(&self) -> Option<usize> {
        self.known(|decision| decision.by == ChosenBy::Agent)
    }

    /// Decisions of which it is not known whether they lowered the value, and those of them that the agent itself chose.
    pub fn losses_not_known(&self) -> [usize; 2] {
        [self.count(|_| true).not_known, self.count(|decision| decision.by == ChosenBy::Agent).not_known]
    }

    fn count(&self, counts: impl Fn(&DecisionValue) -> bool) -> Count {
        Count::of(self.decisions.iter().filter(|decision| counts(decision)).map(DecisionValue::loses_value))
    }

    /// How many are proven, unless it is known of none.
    fn known(&self, counts: impl Fn(&DecisionValue) -> bool + Copy) -> Option<usize> {
        let (count, all) = (self.count(counts), self.decisions.iter().filter(|decision| counts(decision)).count());
        (!self.is_unknown() && (all == 0 || count.not_known < all)).then_some(count.proven)
    }

    /// Decisions in which the mechanical override replaced the choice.
    pub fn overrides(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.by == ChosenBy::Override).count()
    }
}
