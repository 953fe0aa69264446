//! Where states come from, so that a route can be told.

use crate::game::{Action, Game, State, Step};
use crate::solver::error::SolveError;

/// Stands for the state that a search starts from.
pub(super) const ROOT: u32 = u32::MAX;

/// The decisions that led to the states of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    entries: Vec<(u32, Action)>,
}

impl History {
    /// Bytes that an entry takes.
    pub(super) const BYTES: usize = size_of::<(u32, Action)>();

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a decision that follows another; gives its number.
    pub(super) fn push(&mut self, from: u32, action: Action) -> u32 {
        self.entries.push((from, action));
        (self.entries.len() - 1) as u32
    }

    /// The decisions up to one.
    pub(super) fn trace(&self, mut at: u32) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some((from, action)) = self.entries.get(at as usize) {
            actions.push(*action);
            at = *from;
        }
        actions.reverse();
        actions
    }
}

/// Plays decisions from a state.
pub(super) fn play(game: &Game, from: &State, actions: &[Action]) -> Result<Vec<Step>, SolveError> {
    let mut steps: Vec<Step> = Vec::with_capacity(actions.len());
    for action in actions {
        let state = steps.last().map_or(from, |step| &step.state);
        steps.push(game.apply(state, action)?);
    }
    Ok(steps)
}
