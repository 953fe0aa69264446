//! State values: the final HP under best play from any state of a game, or none if the boss can no longer be defeated.
//! What any state of play is worth is asked for here; how it is found is the oracle's affair.

use std::sync::Arc;

use crate::game::{Action, End, Game, Goal, ItemMode, Position, State};

use super::assumption::Assumptions;
use super::error::SolveError;
use super::graph;
pub use super::oracle::Sets;
use super::oracle::{Holding, Oracle, Staircases};
use super::worth::Worth;

/// Bytes that an oracle may take, roughly, unless told otherwise.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// The oracle of one game. Cheap to clone.
#[derive(Clone)]
pub struct Values {
    game: Game,
    oracle: Arc<dyn Oracle>,
}

impl Values {
    /// The oracle of a game, taking at most about `memory` bytes.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or cannot be solved exactly.
    pub fn new(game: &Game, memory: usize) -> Result<Self, SolveError> {
        Values::with(game, memory, Holding::IfItFits)
    }

    /// The same, if all values can be looked up.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::new`]; [`SolveError::TooManyStates`] if they do not fit into `memory` bytes.
    pub fn held(game: &Game, memory: usize) -> Result<Self, SolveError> {
        Values::with(game, memory, Holding::All)
    }

    /// The same without any value held or proven, for brackets.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or cannot be solved exactly.
    pub fn searched(game: &Game, memory: usize) -> Result<Self, SolveError> {
        Values::with(game, memory, Holding::Nothing)
    }

    fn with(game: &Game, memory: usize, holding: Holding) -> Result<Self, SolveError> {
        // Where the game goes on after the boss's fall, what lies behind him is collected or not.
        let is_alike = game.items() == ItemMode::Action && !matches!(game.tower().goal, Goal::Exit(_));
        let solved = match is_alike && Assumptions::of(game)?.hold() {
            true => Game::new(game.tower().clone(), ItemMode::Auto).map_err(SolveError::Tower)?,
            false => game.clone(),
        };
        let oracle: Arc<dyn Oracle> = match graph::size(&solved) {
            0..=64 => Arc::new(Staircases::<1>::new(&solved, memory, holding)?),
            65..=128 => Arc::new(Staircases::<2>::new(&solved, memory, holding)?),
            129..=256 => Arc::new(Staircases::<4>::new(&solved, memory, holding)?),
            257..=512 => Arc::new(Staircases::<8>::new(&solved, memory, holding)?),
            _ => Arc::new(Staircases::<16>::new(&solved, memory, holding)?),
        };
        Ok(Values { game: game.clone(), oracle })
    }

    /// The game whose values these are.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Final HP under best play from a state; `None` if the boss cannot be defeated any more.
    ///
    /// # Errors
    /// [`SolveError`] if the state is not one that this oracle can answer for.
    pub fn of(&self, state: &State) -> Result<Option<i64>, SolveError> {
        Ok(self.with_decisions(state)?.map(|(value, _)| value))
    }

    /// What a state is worth by at most so many steps of the search: its value if they suffice, else the best that was
    /// found and what is proven. The same state and steps give the same answer.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`]; not for want of steps.
    pub fn bracket(&self, state: &State, most_steps: u64) -> Result<Worth, SolveError> {
        match state.end {
            Some(End::Won) => Ok(Worth::exactly(Some(state.hero.hp))),
            Some(_) => Ok(Worth::LOST),
            None => self.oracle.bracket(state, most_steps),
        }
    }

    /// The same with the fewest decisions that reach it; 0 where that number is not known.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn with_decisions(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError> {
        let counted = self.game.items() == self.oracle.items();
        let value = match state.end {
            Some(End::Won) => Ok(Some((state.hero.hp, 0))),
            Some(_) => Ok(None),
            None => self.oracle.value(state),
        };
        Ok(value?.map(|(value, decisions)| (value, if counted { decisions } else { 0 })))
    }

    /// Final HP under best play after an action.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`], or if the action is not legal.
    pub fn after(&self, state: &State, action: &Action) -> Result<Option<i64>, SolveError> {
        self.of(&self.game.apply(state, action)?.state)
    }

    /// Whether the value of a state is a look-up: so it is for every state that play from the start can reach, unless
    /// they are too many for the memory given. Others are searched for when asked.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn holds(&self, state: &State) -> Result<bool, SolveError> {
        if state.end.is_some() { Ok(true) } else { self.oracle.holds(state) }
    }

    /// Whether an action opens no area and gives nothing, and so is never needed.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError> {
        self.oracle.gives_nothing(state, action)
    }

    /// Final HP under the best play whose first doors are these, in this order; anything else may come between.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`], or if a position is no door.
    pub fn with_first_doors(&self, state: &State, doors: &[Position]) -> Result<Option<i64>, SolveError> {
        self.oracle.best_with_first_doors(state, doors)
    }

    /// How many canonical keys were reached from the start; none if they were too many.
    pub fn keys(&self) -> Option<usize> {
        self.oracle.keys()
    }

    /// From how many of them the boss can be defeated at once.
    pub fn wins(&self) -> u64 {
        self.oracle.wins()
    }

    /// From how many of them the boss cannot be defeated any more, each taken with the most HP that it can be reached
    /// with; none if they were too many.
    pub fn lost(&self) -> Option<usize> {
        self.oracle.lost()
    }

    /// All sets of cleared obstacles that play can reach; none if there are more than `most` or than fit into the memory
    /// that the values were given, or the values are not look-ups. Unlike [`Values::keys`], it tells sets apart that differ in obstacles that lead to nothing any more.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    pub fn sets(&self, most: usize) -> Result<Option<Sets>, SolveError> {
        self.oracle.sets(most)
    }

    /// The least HP with which the boss could still be defeated from a state, all else being as it is: how much of its
    /// HP is to spare. None if the boss cannot be defeated, or the value of the state is not a look-up.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn least_hp(&self, state: &State) -> Result<Option<i64>, SolveError> {
        if state.end.is_some() { Ok(None) } else { self.oracle.least_hp(state) }
    }
}
