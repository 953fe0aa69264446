//! The `optimal` agent: follows the exact state values.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, heuristic};
use crate::solver::{Values, route};

/// Chooses the lowest-numbered optimal action that gives something; where nothing can be won, as the heuristic.
pub struct Optimal {
    /// The values of the game being played.
    pub values: Arc<Values>,
}

#[async_trait]
impl Agent for Optimal {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let step =
            route::best_step(&self.values, view.state).map_err(|error| AgentError::Episode(error.to_string()))?;
        let number = step.and_then(|step| view.actions.iter().position(|action| *action == step.action));
        match number {
            Some(index) => Ok(Choice::own(index as u32 + 1)),
            None => Ok(Choice::own(heuristic::choose(view)?)),
        }
    }
}
