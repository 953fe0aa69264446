//! The `greedy` agent: the least damage now. Doors and purchases cost no HP; of equals the first in number.
//! What can be done again and again costs more each time ([`repeat`]).

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, repeat};
use crate::game::{Action, ActionKind};

/// Chooses what costs the least HP.
pub struct Greedy;

/// HP that an action costs at once.
fn cost(action: &Action) -> i64 {
    match action.kind {
        ActionKind::Fight { fight, .. } => fight.damage().unwrap_or(i64::MAX),
        _ => 0,
    }
}

#[async_trait]
impl Agent for Greedy {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let tiring = repeat::Tiring::of(view);
        let full = |action: &Action| cost(action).saturating_add(tiring.cost(view, action));
        let cheapest = view.actions.iter().enumerate().min_by_key(|(_, action)| full(action));
        Ok(Choice::own(cheapest.map_or(1, |(index, _)| index as u32 + 1)))
    }
}
