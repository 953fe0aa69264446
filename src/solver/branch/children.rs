//! What a state leads to: the legal actions worth trying, executed.

use crate::game::{Action, ActionKind, Fight, GameError, State};

use super::ground::Ground;
use super::key::Scene;

/// Finds out what states lead to.
#[derive(Clone, Debug)]
pub(super) struct Children<'g> {
    ground: &'g Ground,
    scene: Scene,
    /// Decisions that could not be carried out.
    pub failed: u64,
}

impl<'g> Children<'g> {
    pub(super) fn new(ground: &'g Ground) -> Self {
        Children { ground, scene: Scene::default(), failed: 0 }
    }

    /// What each action that must be tried leads to. What cannot be carried out leads nowhere, and is counted.
    pub(super) fn of(&mut self, state: &State) -> Vec<(Action, State)> {
        let Ok(actions) = self.actions(state) else {
            self.failed += 1;
            return Vec::new();
        };
        let mut children = Vec::with_capacity(actions.len());
        for action in actions {
            match self.ground.game.carry_out(state, &action) {
                Ok(step) => children.push((action, step.state)),
                Err(_) => self.failed += 1,
            }
        }
        children
    }

    /// The actions that must be tried from a state: whoever leaves out the others still finds the best.
    ///
    /// On plain towers: clearing what is spent gives nothing. Where more attributes never make a fight dearer and no
    /// fight heals, what costs nothing is done at once: items are collected, harmless monsters defeated, doors opened
    /// whose colour has a key for each that is left, and a purchase is made as soon as it can be paid: done later, each
    /// costs the same and gives the same.
    fn actions(&mut self, state: &State) -> Result<Vec<Action>, GameError> {
        let ground = self.ground;
        let mut actions = ground.game.actions(state)?;
        actions.retain(|action| !action.is_lethal());
        if !ground.plain || ground.without.forced {
            return Ok(actions);
        }
        self.scene.look(ground, state);
        let graph = ground.game.graph();
        let is_spent = |action: &Action| match action.kind {
            ActionKind::Open(_) | ActionKind::Fight { .. } => {
                graph.cell(action.target).is_some_and(|cell| self.scene.is_spent(ground, state, cell))
            }
            _ => false,
        };
        actions.retain(|action| !is_spent(action));
        // All shops sell the same at the same price.
        let shop =
            actions.iter().find(|action| matches!(action.kind, ActionKind::Buy { .. })).map(|first| first.target);
        actions.retain(|action| !matches!(action.kind, ActionKind::Buy { .. }) || Some(action.target) == shop);
        if !ground.ordered {
            return Ok(actions);
        }
        if let Some(free) = actions.iter().find(|action| self.is_free(state, action)) {
            return Ok(vec![*free]);
        }
        if shop.is_some() {
            actions.retain(|action| matches!(action.kind, ActionKind::Buy { .. }));
        }
        Ok(actions)
    }

    fn is_free(&self, state: &State, action: &Action) -> bool {
        match action.kind {
            ActionKind::Collect(_) => true,
            ActionKind::Fight { fight: Fight::Winnable { damage }, .. } => {
                let cell = self.ground.game.graph().cell(action.target);
                damage <= 0 && cell.is_some_and(|cell| !self.ground.bosses.contains(&cell))
            }
            ActionKind::Open(colour) => state.hero.keys[colour] >= self.scene.doors[colour as usize],
            _ => false,
        }
    }
}
