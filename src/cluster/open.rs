//! A batch that a worker works on: its bench, where its items come from, and how it goes. Knows nothing of what items are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State as Connection;

use super::batch::{Batch, Queue};
use super::bench::Bench;
use super::link::Link;
use super::names::Kind;
use super::registry::Listed;
use super::status::{EVERY, Status};

/// The longest time for which a batch that cannot be opened, or a queue that does not answer, is left alone.
pub(super) const LONGEST_REST: Duration = Duration::from_secs(60);
/// Calls of one agent that may wait here while more of its episodes are taken.
const MOST_WAITING: usize = 1;

/// A batch that is worked on.
pub(super) struct Open {
    pub(super) id: String,
    pub(super) listed: Listed,
    pub(super) revision: u64,
    pub(super) batch: Batch,
    pub(super) bench: Arc<dyn Bench>,
    pub(super) queues: Vec<Source>,
    pub(super) state: Arc<State>,
    pub(super) beat: tokio::task::JoinHandle<()>,
}

/// Where the work of one doer of a batch comes from.
pub(super) struct Source {
    pub(super) doer: String,
    pub(super) queue: Queue,
    /// Items of it that we are at.
    pub(super) at: Arc<AtomicUsize>,
    /// How often it has failed since it last answered.
    pub(super) failures: u32,
    /// Until when it is left alone.
    rests_until: Option<Instant>,
}

impl Source {
    pub(super) fn new(doer: &str, queue: Queue) -> Self {
        Source { doer: doer.to_owned(), queue, at: Arc::default(), failures: 0, rests_until: None }
    }
}

/// How it goes on a batch.
#[derive(Default)]
pub(super) struct State {
    /// Items that we are at.
    pub(super) at: AtomicUsize,
    /// Whose work cannot be done here, and why.
    cannot: Mutex<BTreeMap<String, String>>,
    /// Why an item went back last, until it is told.
    trouble: Mutex<Option<String>>,
}

impl State {
    pub(super) fn cannot(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.cannot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.beat.abort();
    }
}

impl Open {
    pub(super) fn is_piecework(&self) -> bool {
        self.listed.kind != Kind::Run
    }

    /// Whether it is what the list has, in the same state of it.
    pub(super) fn is(&self, id: &str, listed: &Listed, revision: u64) -> bool {
        self.id == id && listed.open && self.listed.incarnation == listed.incarnation && self.revision == revision
    }

    /// Whether more of a doer's work can be done here now.
    pub(super) fn wants_of(&self, source: &Source) -> bool {
        if self.state.cannot().contains_key(&source.doer) || source.rests_until.is_some_and(|at| at > Instant::now()) {
            return false;
        }
        // What would only wait here takes a place in which others could be working.
        if source.at.load(Ordering::Relaxed) >= self.bench.room(&source.doer) {
            return false;
        }
        let status = self.bench.status();
        status.trouble.is_none() && status.waiting.get(&source.doer).is_none_or(|wait| wait.calls <= MOST_WAITING)
    }

    /// Leaves a queue that does not answer alone for a while, and makes it anew: the server may have lost it.
    pub(super) async fn mend(&mut self, link: &Link, source: usize) {
        // Of a server that is away nothing is lost yet.
        if link.client.connection_state() != Connection::Connected {
            return;
        }
        let source = &mut self.queues[source];
        source.failures += 1;
        let rest = Duration::from_secs(1 << source.failures.min(6)).min(LONGEST_REST);
        source.rests_until = Some(Instant::now() + rest);
        match self.batch.queue(&source.doer).await {
            Ok(queue) => source.queue = queue,
            Err(error) => tracing::debug!("{}: its queue cannot be made anew now: {error}", self.id),
        }
    }
}

/// Tells those who follow a batch how it is going.
pub(super) async fn tell(link: Link, subject: String, worker: String, bench: Arc<dyn Bench>, state: Arc<State>) {
    loop {
        let (cannot, trouble) = (state.cannot().clone(), state.trouble().take());
        let (worker, items, status) = (worker.clone(), state.at.load(Ordering::Relaxed), bench.status());
        let status = Status { worker, items, cannot, trouble: trouble.or(status.trouble.clone()), ..status };
        if let Ok(text) = serde_json::to_vec(&status) {
            let _ = link.client.publish(subject.clone(), text.into()).await;
        }
        tokio::time::sleep(EVERY).await;
    }
}
