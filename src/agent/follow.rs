//! Agents that play what is written down: the published solver's route, and a stored trace.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, heuristic};
use crate::game::Action;

/// Plays a list of actions in order. Where the next one is not legal (the floor is another), or would be lethal, it
/// chooses as the heuristic.
pub struct FollowRoute {
    /// The actions, one a turn.
    pub route: Arc<[Action]>,
}

#[async_trait]
impl Agent for FollowRoute {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let next = self.route.get(view.state.turn as usize);
        let legal = next.and_then(|next| view.actions.iter().position(|action| action.is_same_choice(next)));
        match legal {
            Some(index) if !view.actions[index].is_lethal() => Ok(Choice::own(index as u32 + 1)),
            _ => Ok(Choice::own(heuristic::choose(view)?)),
        }
    }
}

/// Plays the executed decisions of a stored trace; the episode aborts where the trace has none.
pub struct FollowTrace {
    /// The number of the action executed at each turn.
    pub executed: Arc<BTreeMap<u32, u32>>,
}

#[async_trait]
impl Agent for FollowTrace {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let turn = view.turn();
        match self.executed.get(&turn) {
            Some(number) if *number >= 1 && *number as usize <= view.actions.len() => Ok(Choice::own(*number)),
            Some(number) => Err(AgentError::Episode(format!(
                "the trace executes action {number} at turn {turn}, which is not legal here"
            ))),
            None => Err(AgentError::Episode(format!("the trace has no decision for turn {turn}"))),
        }
    }
}
