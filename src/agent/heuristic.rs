//! The `heuristic` agent: the rule of a careful player without search.

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, repeat, score};

/// Chooses the action of the highest [`score`]; what can be done again and again is worth less each time ([`repeat`]).
pub struct Heuristic;

/// The rule's choice by the state alone, which is also the mechanical override's, as a number from 1.
///
/// # Errors
/// [`AgentError::Game`] if an effect cannot be computed.
pub fn choose(view: &View<'_>) -> Result<u32, AgentError> {
    Ok(score::best(view.game, view.state, view.actions)?.unwrap_or(1))
}

#[async_trait]
impl Agent for Heuristic {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let tiring = repeat::Tiring::of(view);
        let best = score::best_less(view.game, view.state, view.actions, |action| tiring.cost(view, action))?;
        Ok(Choice::own(best.unwrap_or(1)))
    }
}
