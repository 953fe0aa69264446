//! What happens in a run, as it happens, in the one order that `dispatcher` gives it. Log and display read these.

use super::plan::Plan;
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
    /// So many workers elsewhere are at work on the run.
    Workers {
        /// How many.
        count: usize,
    },
    /// Something is in the way of a worker elsewhere.
    Trouble {
        /// Which worker.
        worker: String,
        /// What, in words.
        why: String,
    },
    /// An agent cannot play on one of the workers elsewhere; its episodes wait for another one.
    CannotHere {
        /// Which worker.
        worker: String,
        /// Which agent.
        agent: String,
        /// Why, in the server's words.
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

impl Event {
    /// Writes it into the log, with the id of its episode.
    pub fn log(&self, plan: &Plan) {
        let id = |episode: &usize| plan.episodes.get(*episode).map_or("", |entry| entry.id.as_str());
        match self {
            Event::Started { episode, turns, torn } => {
                tracing::info!(episode = id(episode), turns, torn, "started");
            }
            Event::Finished { episode, ending } => tracing::info!(episode = id(episode), %ending, "finished"),
            Event::Left { episode, why } => tracing::info!(episode = id(episode), why, "left open"),
            Event::Called { episode, verdict, .. } => tracing::debug!(episode = id(episode), ?verdict, "called"),
            Event::Decided { episode } => tracing::debug!(episode = id(episode), "decided"),
            Event::CannotHere { worker, agent, why } => tracing::info!(worker, agent, why, "a worker cannot play"),
            Event::Trouble { worker, why } => tracing::info!(worker, why, "a worker has trouble"),
            Event::Workers { .. } | Event::Waiting { .. } | Event::Resumed { .. } | Event::AgentStopped { .. } => {}
        }
    }
}
