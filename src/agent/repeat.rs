//! What the rule-based agents think of doing the same again: walking to and fro, touching the same figure, giving the same
//! answer. On a floor without events nothing can be done twice, and this changes nothing there.

use std::collections::HashMap;

use super::View;
use crate::game::{Action, ActionKind, Position};

/// How often each thing has been done before.
pub struct Tiring {
    before: HashMap<(Position, String), i64>,
}

impl Tiring {
    /// What has been done in an episode so far.
    pub fn of(view: &View<'_>) -> Self {
        let mut before = HashMap::new();
        if view.actions.iter().any(is_repeatable) {
            for turn in view.past {
                *before.entry((turn.target, turn.text.clone())).or_insert(0) += 1;
            }
        }
        Tiring { before }
    }

    /// HP that an action counts as costing for having been done before: a sixteenth of the hero's for each time.
    pub fn cost(&self, view: &View<'_>, action: &Action) -> i64 {
        if !is_repeatable(action) {
            return 0;
        }
        let done = self.before.get(&(action.target, view.game.describe_action(action))).copied().unwrap_or(0);
        done.saturating_mul((view.state.hero.hp / 16).max(1))
    }
}

fn is_repeatable(action: &Action) -> bool {
    matches!(action.kind, ActionKind::Walk | ActionKind::Touch | ActionKind::Choose { .. })
}
