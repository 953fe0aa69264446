//! A worker: takes items of all batches that it may work on, as many at once as it has room for, and does them. Knows
//! nothing of what items are: benches do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::batch::Batch;
use super::bench::{Done, Myself};
use super::error::ClusterError;
use super::lease::Lease;
use super::link::Link;
use super::names::Kind;
use super::open::{LONGEST_REST, Open, Source, State, tell};
use super::registry::{Listed, Registry};
use super::shop;

/// How a worker works.
pub struct WorkerOptions {
    /// What it is.
    pub myself: Myself,
    /// Whose work it takes: patterns of agents' names, or `@floors` and the like.
    pub doers: Vec<glob::Pattern>,
    /// Items at once.
    pub jobs: usize,
    /// Of them those that keep a core busy: pieces of generating and analysing. More would wait here while other workers
    /// have nothing to do.
    pub pieces: usize,
    /// After how long without work it ends; never unless given.
    pub idle: Option<Duration>,
}

/// What a worker has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Items that it made whole.
    pub whole: u64,
    /// Items that went back to the others.
    pub back: u64,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// How often the list of batches is looked at.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// The shortest and the longest pause before it is looked for work again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// After how long an item may be taken again with which something was wrong.
const LATER: Duration = Duration::from_secs(10);

/// How long a worker that ends waits for the server to take what it has to say of a batch.
const PARTING: Duration = Duration::from_secs(5);

/// Works until `stop` turns true or there has been nothing to do for long enough. `say` is told what people should read.
///
/// # Errors
/// [`ClusterError`] if the server cannot be used at all.
pub async fn work(
    link: &Link,
    options: &WorkerOptions,
    mut stop: watch::Receiver<bool>,
    say: &(dyn Fn(&str) + Sync),
) -> Result<Worked, ClusterError> {
    let mut ends = stop.clone();
    let registry = Registry::open(link).await?;
    say(&format!("worker {}: waiting for work at {}", options.myself.name, link.url));
    let mut worker = Worker {
        link,
        options,
        stop: stop.clone(),
        say,
        registry,
        batches: Vec::new(),
        complained: BTreeSet::new(),
        seen: None,
        failing: BTreeMap::new(),
        tasks: JoinSet::new(),
        next: 0,
        whole: Arc::default(),
        back: Arc::default(),
        pieces: Arc::default(),
    };
    let (mut pause, mut listed_at, mut idle_since) = (PAUSES.0, None::<Instant>, Instant::now());
    loop {
        while let Some(gone) = worker.tasks.try_join_next() {
            worker.settle(gone);
        }
        if *stop.borrow() {
            break;
        }
        if listed_at.is_none_or(|at| at.elapsed() >= LIST_EVERY) {
            // A server that is away is not waited for by whoever is to end.
            tokio::select! {
                () = worker.list() => {}
                _ = ends.wait_for(|ends| *ends) => {}
            }
            listed_at = Some(Instant::now());
        }
        if worker.tasks.len() >= options.jobs {
            tokio::select! {
                Some(gone) = worker.tasks.join_next() => worker.settle(gone),
                _ = stop.changed() => {}
            }
            continue;
        }
        let taken = tokio::select! {
            taken = worker.take() => taken,
            _ = ends.wait_for(|ends| *ends) => false,
        };
        if taken {
            (pause, idle_since) = (PAUSES.0, Instant::now());
            continue;
        }
        if !worker.tasks.is_empty() {
            idle_since = Instant::now();
        }
        if options.idle.is_some_and(|most| idle_since.elapsed() >= most) {
            break;
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            Some(gone) = worker.tasks.join_next(), if !worker.tasks.is_empty() => worker.settle(gone),
            _ = stop.changed() => {}
        }
        pause = (pause * 2).min(PAUSES.1);
    }
    // What is in flight is finished; its items go back.
    while let Some(gone) = worker.tasks.join_next().await {
        worker.settle(gone);
    }
    for open in &worker.batches {
        let _ = tokio::time::timeout(PARTING, open.bench.close()).await;
    }
    let (whole, back) = (worker.whole.load(Ordering::Relaxed), worker.back.load(Ordering::Relaxed));
    // What was said last must be on its way before we go.
    let _ = tokio::time::timeout(PARTING, link.client.flush()).await;
    Ok(Worked { whole, back, interrupted: *stop.borrow() })
}

struct Worker<'a> {
    link: &'a Link,
    options: &'a WorkerOptions,
    stop: watch::Receiver<bool>,
    say: &'a (dyn Fn(&str) + Sync),
    registry: Registry,
    batches: Vec<Open>,
    /// Batches, by their last change, of which it was said that they cannot be worked on.
    complained: BTreeSet<(String, u64)>,
    /// The last change in the list that has been seen.
    seen: Option<u64>,
    /// Batches, by their last change, that could not be opened: when to try again, and after how long then.
    failing: BTreeMap<(String, u64), (Instant, Duration)>,
    tasks: JoinSet<Finished>,
    /// Whose turn it is to be asked for work.
    next: usize,
    whole: Arc<AtomicU64>,
    back: Arc<AtomicU64>,
    /// Pieces that it is at.
    pieces: Arc<AtomicUsize>,
}

/// An item that is no longer being done.
struct Finished {
    batch: String,
    incarnation: String,
    doer: String,
    done: Done,
}

impl Worker<'_> {
    /// Looks which batches there are, and opens those that are new or changed.
    async fn list(&mut self) {
        let changes = match self.registry.changes().await {
            Ok(changes) => changes,
            Err(ClusterError::Gone { .. }) => {
                // Somebody removed the list; whoever publishes next makes it again.
                self.batches.clear();
                if let Ok(registry) = Registry::open(self.link).await {
                    self.registry = registry;
                }
                self.seen = None;
                return;
            }
            Err(error) => return tracing::debug!("the list of batches cannot be read now: {error}"),
        };
        let now = Instant::now();
        if self.seen == Some(changes) && !self.failing.values().any(|(at, _)| *at <= now) {
            return;
        }
        let all = match self.registry.all().await {
            Ok(all) => all,
            Err(error) => return tracing::debug!("the list of batches cannot be read now: {error}"),
        };
        self.batches.retain(|open| all.iter().any(|(id, listed, revision)| open.is(id, listed, *revision)));
        let wanted = |id: &String, revision: &u64| {
            all.iter().any(|(known, listed, at)| listed.open && known == id && at == revision)
        };
        self.failing.retain(|(id, revision), _| wanted(id, revision));
        for (id, listed, revision) in all {
            let key = (id.clone(), revision);
            if self.failing.get(&key).is_some_and(|(at, _)| *at > now) {
                continue;
            }
            if !listed.open || self.batches.iter().any(|open| open.is(&id, &listed, revision)) {
                continue;
            }
            if !listed.is_ours() {
                let (theirs, ours) = (&listed.mota, env!("CARGO_PKG_VERSION"));
                if self.complained.insert(key) {
                    (self.say)(&format!(
                        "{id} was published by mota {theirs}; this is {ours}, and leaves it to others"
                    ));
                }
                continue;
            }
            let kind = listed.kind;
            match self.open(&id, listed, revision).await {
                Ok(open) => {
                    self.batches.extend(open);
                    self.failing.remove(&key);
                }
                Err(error) => {
                    let wait = self.failing.get(&key).map_or(LIST_EVERY, |(_, wait)| *wait);
                    self.failing.insert(key.clone(), (Instant::now() + wait, (wait * 2).min(LONGEST_REST)));
                    // Pieces that are all done are removed while somebody still looks at them.
                    let over = matches!(error, ClusterError::Gone { .. }) && kind != Kind::Run;
                    if self.complained.insert(key) && !over {
                        tracing::warn!("{id} cannot be worked on now: {error}");
                    }
                }
            }
        }
        self.seen = Some(changes);
    }

    /// Opens a batch; nothing if it has no work that we take.
    async fn open(&self, id: &str, listed: Listed, revision: u64) -> Result<Option<Open>, ClusterError> {
        let ours = |doer: &&String| self.options.doers.iter().any(|pattern| pattern.matches(doer));
        let doers: Vec<&String> = listed.doers.iter().filter(ours).collect();
        if doers.is_empty() {
            return Ok(None);
        }
        let names = listed.names(id);
        let batch = Batch::open(self.link, names, Duration::from_secs(listed.lease_s)).await?;
        let mut queues = Vec::new();
        for doer in doers {
            let queue = batch.queue(doer).await?;
            queues.push(Source::new(doer, queue));
        }
        let bench = shop::bench(&listed, batch.clone(), &self.options.myself, self.stop.clone()).await?;
        let state = Arc::<State>::default();
        let beat = tokio::spawn(tell(
            self.link.clone(),
            batch.names.status(&self.options.myself.name),
            self.options.myself.name.clone(),
            bench.clone(),
            state.clone(),
        ));
        (self.say)(&format!("{id}: working"));
        Ok(Some(Open { id: id.to_owned(), listed, revision, batch, bench, queues, state, beat }))
    }

    /// Takes an item from whoever has one, each batch and doer in turn, and begins it. Says whether there was one.
    async fn take(&mut self) -> bool {
        let sources: Vec<(usize, usize)> = (self.batches.iter().enumerate())
            .flat_map(|(batch, open)| (0..open.queues.len()).map(move |source| (batch, source)))
            .collect();
        for step in 0..sources.len() {
            let turn = (self.next + step) % sources.len();
            let (batch, source) = sources[turn];
            let open = &mut self.batches[batch];
            if open.is_piecework() && self.pieces.load(Ordering::Relaxed) >= self.options.pieces {
                continue;
            }
            if !open.wants_of(&open.queues[source]) {
                continue;
            }
            let id = open.id.clone();
            let Source { doer, queue, at, failures, .. } = &mut open.queues[source];
            match queue.pull().await {
                Ok(None) => *failures = 0,
                Ok(Some(lease)) => {
                    *failures = 0;
                    let (doer, at) = (doer.clone(), at.clone());
                    self.next = (turn + 1) % sources.len();
                    self.begin(batch, lease, doer, at);
                    return true;
                }
                Err(error) => {
                    tracing::debug!("{id}: no work can be had now: {error}");
                    self.next = (turn + 1) % sources.len();
                    open.mend(self.link, source).await;
                    if matches!(error, ClusterError::Gone { .. }) {
                        self.seen = None;
                    }
                    // One silence is enough: a server that is away is not asked for each queue.
                    if matches!(error, ClusterError::Failed { .. }) {
                        return false;
                    }
                }
            }
        }
        false
    }

    fn begin(&mut self, batch: usize, lease: Lease, doer: String, at: Arc<AtomicUsize>) {
        let open = &self.batches[batch];
        let (bench, state) = (open.bench.clone(), open.state.clone());
        let (id, incarnation) = (open.id.clone(), open.listed.incarnation.clone());
        let (whole, back) = (self.whole.clone(), self.back.clone());
        let pieces = open.is_piecework().then(|| self.pieces.clone());
        state.at.fetch_add(1, Ordering::Relaxed);
        at.fetch_add(1, Ordering::Relaxed);
        if let Some(pieces) = &pieces {
            pieces.fetch_add(1, Ordering::Relaxed);
        }
        self.tasks.spawn(async move {
            let done = bench.work(&doer, &lease).await;
            match &done {
                Done::Whole => {
                    lease.done().await;
                    whole.fetch_add(1, Ordering::Relaxed);
                }
                Done::Back | Done::CannotHere(_) => {
                    lease.back(None).await;
                    back.fetch_add(1, Ordering::Relaxed);
                }
                Done::Stale => {
                    lease.back(Some(LIST_EVERY)).await;
                    back.fetch_add(1, Ordering::Relaxed);
                }
                Done::Later(_) | Done::Broken(_) => {
                    lease.back(Some(LATER)).await;
                    back.fetch_add(1, Ordering::Relaxed);
                }
                Done::Lost | Done::Gone(_) => drop(lease),
            }
            state.at.fetch_sub(1, Ordering::Relaxed);
            at.fetch_sub(1, Ordering::Relaxed);
            if let Some(pieces) = &pieces {
                pieces.fetch_sub(1, Ordering::Relaxed);
            }
            Finished { batch: id, incarnation, doer, done }
        });
    }

    fn settle(&mut self, finished: Result<Finished, tokio::task::JoinError>) {
        let Finished { batch, incarnation, doer, done } = match finished {
            Ok(finished) => finished,
            Err(error) => return tracing::error!("an item's task broke: {error}"),
        };
        let is_it = |open: &Open| open.id == batch && open.listed.incarnation == incarnation;
        match done {
            Done::Whole | Done::Back | Done::Lost => {}
            Done::Stale => self.seen = None,
            Done::Later(why) | Done::Broken(why) => {
                tracing::warn!("{batch}: an item went back: {why}");
                if let Some(open) = self.batches.iter().find(|open| is_it(open)) {
                    *open.state.trouble() = Some(why);
                }
            }
            Done::CannotHere(why) => {
                let Some(open) = self.batches.iter().find(|open| is_it(open)) else { return };
                if open.state.cannot().insert(doer.clone(), why.clone()).is_none() {
                    (self.say)(&format!("{batch}: `{doer}` cannot play here, and is left to other workers: {why}"));
                }
            }
            Done::Gone(why) => {
                if self.batches.iter().any(is_it) {
                    (self.say)(&format!("{batch}: it is left: {why}"));
                    self.batches.retain(|open| !is_it(open));
                    self.seen = None;
                }
            }
        }
    }
}
