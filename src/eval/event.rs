//! What happens in a run, as it happens, in the one order that `dispatcher` gives it. Log and display read these.

use super::record::Ending;
use crate::agent::{Usage, Verdict};

/// Something that happened. `episode` is the episode's place in the plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An episode begins, or goes on after `turns` decisions.
    Started {
        /// Which.
        episode: usize,
        /// Decisions found in its trace.
        turns: u32,
        /// Bytes of a torn last line that were cut off.
        torn: usize,
    },
    /// A call to a model was completed.
    Called {
        /// Which.
        episode: usize,
        /// What it gave.
        verdict: Verdict,
        /// What it used.
        usage: Usage,
        /// Whether that was paid for before.
        from_cache: bool,
    },
    /// A call waits before it is tried again.
    Waiting {
        /// Which agent's.
        agent: String,
        /// Why, in the server's words.
        why: String,
        /// For how many seconds.
        seconds: f64,
    },
    /// That wait is over.
    Resumed {
        /// Which agent's.
        agent: String,
    },
    /// A decision was executed.
    Decided {
        /// Which.
        episode: usize,
    },
    /// An episode ended.
    Finished {
        /// Which.
        episode: usize,
        /// How.
        ending: Ending,
    },
    /// An episode stays open for a later run.
    Left {
        /// Which.
        episode: usize,
        /// Why.
        why: String,
    },
    /// An agent cannot play; its episodes stay open.
    AgentStopped {
        /// Which.
        agent: String,
        /// Why, in the server's words.
        why: String,
    },
}
