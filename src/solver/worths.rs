//! What any state of a game is worth: exactly where the oracle fits, else between bounds, within an effort that is the same
//! on every machine. Never an error for want of memory or steps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::game::{Action, End, Game, State};

use super::branch::{self, Limits};
use super::error::SolveError;
use super::values::Values;
use super::worth::Worth;

/// What may be done for the worth of a state that no oracle holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Nothing: no value is sought at all, not even by an oracle.
    NoValues,
    /// So many steps of a search: states, wins and ways in the making.
    Steps(u64),
}

impl Default for Effort {
    fn default() -> Self {
        Effort::Steps(DEFAULT_STEPS)
    }
}

/// Steps a state unless told otherwise.
pub const DEFAULT_STEPS: u64 = 20_000;

/// Bytes of states that are remembered with their brackets; beyond them each is sought anew.
const REMEMBERED: usize = 256 << 20;

/// What the states of one game are worth.
pub struct Worths {
    game: Game,
    source: Source,
    why: Option<String>,
    asked: Mutex<Asked>,
}

/// Where worths come from.
enum Source {
    /// A look-up for every state.
    Oracle(Arc<Values>),
    /// The exact search, as far as the steps go. The first state's value may be known better.
    Search { values: Arc<Values>, steps: u64, first: (Box<State>, Worth) },
    /// Branch and bound, for what the exact search does not take.
    Branches(u64),
    /// Nowhere.
    Nothing,
}

/// Brackets that were found.
#[derive(Default)]
struct Asked {
    found: HashMap<State, Worth, FxBuildHasher>,
    bytes: usize,
}

impl Worths {
    /// The worths of a game: by its values if they can be had within `memory` bytes.
    ///
    /// # Errors
    /// [`SolveError::Game`] if the game's first state cannot be computed.
    pub fn new(game: &Game, memory: usize, effort: Effort) -> Result<Self, SolveError> {
        match effort {
            Effort::NoValues => Ok(Worths::none(game, "no values were asked for")),
            Effort::Steps(_) => Worths::of(game, Values::new(game, memory).map(Arc::new), effort),
        }
    }

    /// The worths of a game whose values are these, or cannot be had for this reason.
    ///
    /// # Errors
    /// [`SolveError::Game`] if the game's first state cannot be computed.
    pub fn of(game: &Game, values: Result<Arc<Values>, SolveError>, effort: Effort) -> Result<Self, SolveError> {
        let Effort::Steps(steps) = effort else { return Ok(Worths::none(game, "no values were asked for")) };
        let start = game.start()?;
        let (source, why) = match values {
            Ok(values) if values.keys().is_some() => (Source::Oracle(values), None),
            Ok(values) => {
                let first = (Box::new(start.clone()), Worth::exactly(values.of(&start)?));
                (Source::Search { values, steps, first }, Some(TOO_MANY.to_owned()))
            }
            Err(error @ SolveError::NotProven { best, upper_bound }) => {
                let first = (Box::new(start), Worth::between(best, upper_bound));
                let values = Arc::new(Values::searched(game, super::values::DEFAULT_MEMORY)?);
                (Source::Search { values, steps, first }, Some(error.to_string()))
            }
            Err(error) => (Source::Branches(steps), Some(error.to_string())),
        };
        Ok(Worths { game: game.clone(), source, why, asked: Mutex::default() })
    }

    /// No worths, and why.
    pub fn none(game: &Game, why: &str) -> Self {
        Worths { game: game.clone(), source: Source::Nothing, why: Some(why.to_owned()), asked: Mutex::default() }
    }

    /// The game whose worths these are.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Why a value may not be known; none if all are.
    pub fn why_unknown(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Whether no value is sought.
    pub fn are_none(&self) -> bool {
        matches!(self.source, Source::Nothing)
    }

    /// The look-up, if there is one.
    pub fn values(&self) -> Option<&Values> {
        if let Source::Oracle(values) = &self.source { Some(values) } else { None }
    }

    /// Whether what was not done is judged like what was done: not where each worth takes a search that proves little. Then
    /// only the states of a play are worth one.
    pub fn judge_alternatives(&self) -> bool {
        match &self.source {
            Source::Oracle(_) => true,
            Source::Search { first: (_, worth), .. } => worth.is_known(),
            Source::Branches(_) | Source::Nothing => false,
        }
    }

    /// What a state is worth.
    ///
    /// # Errors
    /// [`SolveError`] if the state is none of this game, or a quantity leaves its range.
    pub fn of_state(&self, state: &State) -> Result<Worth, SolveError> {
        match (state.end, &self.source) {
            (Some(End::Won), _) => Ok(Worth::exactly(Some(state.hero.hp))),
            (Some(_), _) => Ok(Worth::LOST),
            (None, Source::Nothing) => Ok(Worth::UNKNOWN),
            (None, Source::Oracle(values)) => Ok(Worth::exactly(values.of(state)?)),
            (None, Source::Search { values, steps, first: (start, known) }) => {
                if *known != Worth::UNKNOWN && **start == *state {
                    return Ok(*known);
                }
                self.remembered(state, |state| values.bracket(state, *steps))
            }
            (None, Source::Branches(steps)) => self.remembered(state, |state| by_branches(&self.game, state, *steps)),
        }
    }

    /// What the state after an action is worth.
    ///
    /// # Errors
    /// As [`Worths::of_state`], or if the action is not legal.
    pub fn after(&self, state: &State, action: &Action) -> Result<Worth, SolveError> {
        if action.is_lethal() {
            return Ok(Worth::LOST);
        }
        self.of_state(&self.game.apply(state, action)?.state)
    }

    /// A bracket, sought once as long as there is room for it.
    fn remembered(
        &self,
        state: &State,
        seek: impl FnOnce(&State) -> Result<Worth, SolveError>,
    ) -> Result<Worth, SolveError> {
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        // How many decisions led to a state is of no account to its worth.
        let key = State { turn: 0, ..state.clone() };
        if let Some(known) = asked().found.get(&key) {
            return Ok(*known);
        }
        let worth = seek(state)?;
        let mut asked = asked();
        let bytes = size_of::<State>() + 2 * self.game.graph().len().div_ceil(8);
        if asked.bytes + bytes <= REMEMBERED && asked.found.insert(key, worth).is_none() {
            asked.bytes += bytes;
        }
        Ok(worth)
    }
}

const TOO_MANY: &str = "the states are too many to be held, and the search for a value ends before it is proven";

/// Tiles of a tower on which branch and bound makes a state for one step; on a larger one a state takes more of them.
const TILES_A_STEP: u64 = 200;

/// A bracket of a game that the exact search does not take.
fn by_branches(game: &Game, state: &State, steps: u64) -> Result<Worth, SolveError> {
    let steps_a_state = (game.graph().len() as u64 / TILES_A_STEP).max(1);
    let limits = Limits { states: (steps / steps_a_state).max(1), memory: MEMORY_OF_BRANCHES };
    branch::bracket(game, state, &limits)
}

/// Bytes that branch and bound may take for one state.
const MEMORY_OF_BRANCHES: usize = 256 << 20;
