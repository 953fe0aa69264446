//! The `heuristic` agent: the rule of a careful player without search, which is also the mechanical override's.

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, score};

/// Chooses the action of the highest [`score`].
pub struct Heuristic;

/// The rule's choice, as a number from 1.
///
/// # Errors
/// [`AgentError::Game`] if an effect cannot be computed.
pub fn choose(view: &View<'_>) -> Result<u32, AgentError> {
    Ok(score::best(view.game, view.state, view.actions)?.unwrap_or(1))
}

#[async_trait]
impl Agent for Heuristic {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        Ok(Choice::own(choose(view)?))
    }
}
