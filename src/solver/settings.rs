//! What a search is asked for and what it answers: limits, wishes, where it stands, what it found.

use super::goal::Goal;
use super::moves::Choice;

/// Limits and wishes of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is to be as high as possible.
    pub goal: Goal,
    /// How many of the best distinct sets of cleared obstacles are wanted.
    pub top: usize,
    /// Bytes that it may take, roughly.
    pub memory: usize,
    /// Steps that it may follow: states, wins and ways in the making. With several threads it may go a little beyond.
    pub most_steps: u64,
    /// Threads that it may use. The answer does not depend on them.
    pub threads: usize,
    /// Width of the first pass.
    pub width: usize,
    /// Reductions that are left out, for measurement.
    pub without: Without,
}

/// Parts of the search that can be switched off, for measurement. The answer does not depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// The bound and the passes of growing width.
    pub bound: bool,
    /// What costs nothing is not done at once.
    pub forced: bool,
    /// Decisions in any order.
    pub order: bool,
    /// States that others have outdone are followed.
    pub gifts: bool,
    /// Spent obstacles are told apart.
    pub spent: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            goal: Goal::default(),
            top: 1,
            memory: 2_000_000_000,
            most_steps: u64::MAX,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(8),
            width: 64,
            without: Without::default(),
        }
    }
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The incumbent's value.
    pub best: Option<i64>,
    /// Proven upper bound; none if none is known.
    pub upper_bound: Option<i64>,
    /// States expanded so far.
    pub states: u64,
    /// Width of the pass that runs.
    pub width: usize,
}

/// Whoever looks on.
pub struct Watch<'w> {
    /// Asked often, from any thread, whether to stop.
    pub stop: &'w (dyn Fn() -> bool + Sync),
    /// Told now and then where the search stands.
    pub tell: &'w mut dyn FnMut(&Standing),
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best ways to win, best first: one, or as many as were wanted.
    pub wins: Vec<Way>,
    /// Whether they are proven to be the best; with none, that the boss cannot be defeated.
    pub proven: bool,
    /// Proven upper bound of the value; none if nothing can be won, or no bound is known.
    pub upper_bound: Option<i64>,
    /// States expanded, in all passes.
    pub states: u64,
    /// Times that the boss could be defeated from an expanded state.
    pub wins_seen: u64,
    /// Passes begun.
    pub passes: u32,
    /// The most states that waited at a time.
    pub most_open: usize,
}

/// A way to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its value.
    pub value: i64,
    /// What to do, in order.
    pub choices: Vec<Choice>,
}
