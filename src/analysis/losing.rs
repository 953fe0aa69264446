//! The decision that lost an episode, or between which it lies if that is not known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decision::{Count, DecisionValue};
use super::keys;
use crate::agent::ChosenBy;
use crate::game::Position;
use crate::solver::Worth;

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
    /// What the state before it was worth: it could still be won.
    #[serde(flatten, with = "keys::value_before")]
    #[schemars(with = "keys::value_before::ValueBeforeKeys")]
    pub before: Worth,
    /// Decisions before it that are proven to have lowered the value.
    pub earlier_losses: u32,
    /// Decisions before it of which it is not known whether they lowered the value.
    #[serde(default, skip_serializing_if = "super::decision::is_zero")]
    pub earlier_not_known: u32,
}

/// Where the decision that lost an episode lies, if it is not known which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LosingBetween {
    /// Number of the first decision that it can be: it is proven that the game could be won before it, or it is the first
    /// of all.
    pub first: u32,
    /// Number of the last decision that it can be, after which it is proven that the game cannot be won; null if that is
    /// not proven even at the end, so that there may be none.
    pub last: Option<u32>,
    /// Whether it is proven that the game could ever be won; if not, it may have been lost from the start.
    pub could_be_won: bool,
}

impl LosingBetween {
    /// In words: `between decisions 3 and 17`.
    pub fn in_words(&self) -> String {
        let LosingBetween { first, last, could_be_won } = *self;
        let where_it_is = match last {
            Some(last) => format!("between decisions {first} and {last}"),
            None => format!("at decision {first} or later, if there is one"),
        };
        if could_be_won { where_it_is } else { format!("{where_it_is}, or lost from the start") }
    }
}

/// The decision after which the boss could no longer be defeated, if it is proven which that is.
pub fn losing(decisions: &[DecisionValue]) -> Option<LosingDecision> {
    let index = decisions.iter().position(|decision| decision.is_losing() == Some(true))?;
    let decision = &decisions[index];
    let action = decision.action()?;
    let earlier = Count::of(decisions[..index].iter().map(DecisionValue::loses_value));
    Some(LosingDecision {
        turn: decision.turn,
        target: action.target,
        text: action.text.clone(),
        by: decision.by,
        before: decision.before,
        earlier_losses: earlier.proven as u32,
        earlier_not_known: earlier.not_known as u32,
    })
}

/// Where that decision lies, if it is not known; none if it is, or if there is none for sure. `optimum` is the worth of the
/// first state.
pub fn losing_between(decisions: &[DecisionValue], optimum: Worth) -> Option<LosingBetween> {
    let last = decisions.iter().find(|decision| decision.after().is_lost());
    let kept = decisions.last()?.after().is_saved();
    if optimum.is_lost() || kept || losing(decisions).is_some() {
        return None;
    }
    // What can be won before a decision could be won before all earlier ones.
    let saved = decisions.iter().rfind(|decision| decision.before.is_saved());
    let first = saved.or(decisions.first())?.turn;
    Some(LosingBetween { first, last: last.map(|decision| decision.turn), could_be_won: saved.is_some() })
}
