//! Why a tower is not solved.

use crate::game::{GameError, TowerError};

/// A tower that the solver does not solve, or not within its limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// Sets of this size are not supported.
    #[error("the tower has {found} obstacles or areas; this search takes at most {most}")]
    TooManyObstacles {
        /// How many it has.
        found: usize,
        /// How many fit.
        most: usize,
    },
    /// The cap on states was reached.
    #[error("more than {cap} states can be reached, which is all that fits in memory; the search was given up")]
    TooManyStates {
        /// The cap.
        cap: usize,
    },
    /// The search ended before it had proven its answer.
    #[error(
        "the value is not proven within the limits: {}, {}",
        best.map_or("no way to win was found".into(), |best| format!("the best found is {best}")),
        upper_bound.map_or("no bound is known".into(), |bound| format!("nothing is better than {bound}"))
    )]
    NotProven {
        /// The best that was found.
        best: Option<i64>,
        /// Proven upper bound.
        upper_bound: Option<i64>,
    },
    /// Something that breaks what the search rests on.
    #[error("{0} cannot be solved exactly")]
    NotExact(String),
    /// Somebody asked the search to stop.
    #[error("the search was stopped")]
    Stopped,
    /// A quantity beyond 64 bits.
    #[error("a quantity is beyond 64 bits on the way: {0}")]
    Overflow(String),
    /// The tower cannot be played.
    #[error(transparent)]
    Tower(TowerError),
    /// The rules cannot be computed.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// An error for a sum that left its range.
pub(super) fn overflow() -> SolveError {
    SolveError::Overflow("what the hero gains".into())
}
