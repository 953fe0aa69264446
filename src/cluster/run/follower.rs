//! A run published on a NATS server and followed from there: its folder comes to hold what a local run would have
//! written. May be killed and begun again, here or elsewhere: everything that matters is on the server and in the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream as futures};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::happening::{event, happenings, pass_on};
use super::mirror::{Mirror, Told};
use super::parcel::Item;
use super::publish::{Published, publish};
use super::venue::Left;
use crate::cluster::batch::{Batch, Offer};
use crate::cluster::error::ClusterError;
use crate::cluster::following::Following;
use crate::cluster::journal::Mark;
use crate::cluster::limits;
use crate::cluster::lines;
use crate::cluster::link::Link;
use crate::cluster::names::{Kind, batch_id};
use crate::cluster::registry::{Listed, Registry};
use crate::cluster::status::{Status, Workers};
use crate::cluster::watch::watch_over;
use crate::eval::config::RunLimits;
use crate::eval::dispatcher::{self, Agenda, Reporter, RunOptions, Standing, Summary};
use crate::eval::event::Event;
use crate::eval::folder::{PUBLICATION, RunFolder};
use crate::eval::plan::Plan;
use crate::eval::record::Record;
use crate::eval::store::FolderStore;
use crate::model::Spending;

/// How a run is published.
#[derive(Clone, Copy, Debug)]
pub struct Publishing {
    /// What of it is played.
    pub options: RunOptions,
    /// Whether what the server holds of it is removed first.
    pub fresh: bool,
    /// Silence after which an episode goes to another worker.
    pub lease: Duration,
}

/// A run that has been published.
pub struct Follower {
    link: Link,
    plan: Arc<Plan>,
    registry: Registry,
    batch: Batch,
    listed: Listed,
    /// The number of our last change in the list.
    revision: u64,
    mirror: Mirror,
    following: Following,
    /// What there is to do, and what has been spent.
    pub agenda: Agenda,
}

/// How long a line of ours may wait for a server that is away or full.
const PATIENCE: Duration = Duration::from_secs(30);
/// Journals that are written to at once.
const AT_ONCE: usize = 64;
/// Seconds without a worker after which that is told.
const ALONE: u32 = 5;
/// Silence after which the episodes that are open are offered once more, at first and at most: twice as long each time.
const QUIET: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(600));
/// How often what is recorded is held against what is counted.
const COUNT_EVERY: Duration = Duration::from_secs(10);

impl Follower {
    /// Publishes a run, or takes it up where the server and the folder have come to, and offers all episodes that are to
    /// be played.
    ///
    /// # Errors
    /// [`ClusterError`]; what is in the folder stays as it is.
    pub async fn open(
        link: &Link,
        plan: &Arc<Plan>,
        folder: &RunFolder,
        publishing: Publishing,
    ) -> Result<Self, ClusterError> {
        let registry = Registry::open(link).await?;
        let id = batch_id(Kind::Run, &plan.config.name);
        let place = folder.path.join(PUBLICATION);
        let follows = fs::read_to_string(&place).ok();
        let follows = follows.as_deref().map(str::trim);
        let Published { batch, listed, revision } = publish(link, &registry, &id, plan, publishing, follows).await?;
        fs::write(&place, format!("{}\n", listed.incarnation))
            .map_err(|source| ClusterError::Io { path: place, source })?;
        let mirror = Mirror::open(&folder.path, &plan.episodes)?;
        let following = Following::new(&batch.journal);
        let agenda = Agenda::default();
        let link = link.clone();
        let mut follower =
            Follower { link, plan: plan.clone(), registry, batch, listed, revision, mirror, following, agenda };
        follower.catch_up().await?;
        follower.put_in_what_is_missing().await?;
        let store = FolderStore::new(&folder.path);
        let agenda = dispatcher::agenda(plan, &store, publishing.options).await;
        follower.agenda =
            agenda.map_err(|error| ClusterError::Failed { what: "the run's folder".into(), why: error.to_string() })?;
        limits::open(&follower.batch.counts, follower.agenda.spent, &follower.agenda.dearest).await?;
        follower.offer_all().await?;
        Ok(follower)
    }

    /// Follows the run until every episode has ended or stays open, or `stop` turns true: the workers go on all the same.
    ///
    /// # Errors
    /// [`ClusterError`] if the batch was removed from the server, or the folder cannot be written.
    pub async fn follow(
        mut self,
        mut stop: watch::Receiver<bool>,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, ClusterError> {
        let mut summary = self.agenda.summary();
        let standings = self.agenda.standings.iter().enumerate();
        let mut open: BTreeSet<usize> =
            standings.filter(|(_, standing)| !matches!(standing, Standing::Ended(_))).map(|(index, _)| index).collect();
        let mut told = self
            .link
            .client
            .subscribe(self.batch.names.status("*"))
            .await
            .map_err(|error| ClusterError::of("listening to workers", &error))?;
        let mut workers = Workers::default();
        let mut clock = tokio::time::interval(Duration::from_secs(1));
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (batch, registry) = (self.batch.clone(), self.registry.clone());
        let mut gone = watch_over(move || look(batch.clone(), registry.clone()));
        let (mut left, mut alone, mut heard) = (BTreeSet::new(), 0, Instant::now());
        let (mut counted_at, mut quiet) = (Instant::now(), QUIET.0);
        let mut unplayed = BTreeSet::new();
        while !open.is_empty() && !*stop.borrow() {
            tokio::select! {
                biased;
                _ = clock.tick() => {
                    for silent in workers.forget() {
                        pass_on(&self.plan, &silent, &Status::default(), reporter);
                    }
                    event(&self.plan, Event::Workers { count: workers.count() }, reporter);
                    alone = if workers.count() == 0 { alone + 1 } else { 0 };
                    if alone == ALONE {
                        tracing::warn!("no worker is there; `mota worker --nats {}` starts one, on any machine", self.link.url);
                    }
                    reporter.tick(workers.in_flight());
                    for agent in workers.nobody_can() {
                        if unplayed.insert(agent.clone()) {
                            tracing::warn!("agent `{agent}`: no worker that is there can play it; its episodes wait");
                        }
                    }
                    if counted_at.elapsed() >= COUNT_EVERY {
                        counted_at = Instant::now();
                        self.count();
                    }
                    if heard.elapsed() >= quiet {
                        (heard, quiet) = (Instant::now(), (quiet * 2).min(QUIET.1));
                        self.offer_again(&open).await;
                    }
                }
                _ = stop.changed() => {}
                Some(error) = gone.recv() => return Err(error),
                Some(message) = told.next() => {
                    if let Ok(status) = serde_json::from_slice::<Status>(&message.payload) {
                        let before = workers.take(status.clone());
                        pass_on(&self.plan, &before, &status, reporter);
                    }
                }
                line = self.following.next() => {
                    let Some((index, told)) = self.mirror.take(&line?)? else { continue };
                    for happened in happenings(index, &told) {
                        if let Event::Called { usage, from_cache: false, .. } = &happened {
                            self.agenda.spent += Spending::from(usage);
                        }
                        if let Event::Finished { ending, .. } = &happened
                            && open.remove(&index)
                        {
                            *summary.endings.entry(*ending).or_default() += 1;
                        }
                        event(&self.plan, happened, reporter);
                    }
                    if let Told::Left(why) = &told {
                        let why = read_left(why);
                        // A worker that had not heard of ours yet left it by what it knew; it is offered again.
                        if why.publication >= self.listed.publication && open.remove(&index) {
                            self.leave(index, why, &mut summary, reporter);
                            left.insert(index);
                        }
                    }
                    (heard, quiet) = (Instant::now(), QUIET.0);
                    self.settle(index)?;
                }
            }
        }
        summary.interrupted = *stop.borrow() && !open.is_empty();
        summary.open = open.len() + left.len();
        if open.is_empty() {
            // Nobody looks for work any more where there is none.
            self.close().await;
        }
        Ok(summary)
    }

    /// Has what is recorded counted, too: a worker may have died in between.
    fn count(&self) {
        if self.plan.config.limits.run == RunLimits::default() {
            return;
        }
        let (counts, spent) = (self.batch.counts.clone(), self.agenda.spent);
        tokio::spawn(async move {
            if let Err(error) = limits::open(&counts, spent, &BTreeMap::new()).await {
                tracing::debug!("what is spent cannot be counted now: {error}");
            }
        });
    }

    /// Offers what is open once more: an item may have gone without that its episode ended. What waits or is being played
    /// is not offered twice.
    async fn offer_again(&mut self, open: &BTreeSet<usize>) {
        let offered = async {
            let id = &self.batch.names.batch;
            // Another follower may have seen the end of what it wanted.
            if let Some((listed, revision)) = self.registry.get(id).await?
                && !listed.open
                && listed.incarnation == self.listed.incarnation
            {
                self.listed.publication = listed.publication;
                if self.registry.update(id, &self.listed, revision).await? {
                    self.revision = self.registry.get(id).await?.map_or(revision, |(_, revision)| revision);
                }
            }
            self.offer(open.iter().copied()).await
        };
        if let Err::<(), ClusterError>(error) = offered.await {
            tracing::debug!("episodes cannot be offered again now: {error}");
        }
    }

    /// Says that there is nothing more to do, unless somebody else has published the run again or waits for the rest.
    async fn close(&mut self) {
        self.listed.open = false;
        let closed = async {
            match self.registry.update(&self.batch.names.batch, &self.listed, self.revision).await? {
                true => self.batch.clear().await,
                false => Ok(()),
            }
        };
        if let Err(error) = closed.await {
            tracing::warn!("workers still look for work of this run: {error}");
        }
    }

    /// Reads what the journals hold up to now.
    async fn catch_up(&mut self) -> Result<(), ClusterError> {
        let last = self.batch.journal.last().await?;
        let mut at = 0;
        while at < last {
            let line = self.following.next().await?;
            at = line.sequence;
            self.mirror.take(&line)?;
        }
        (0..self.plan.episodes.len()).try_for_each(|index| self.settle(index))
    }

    /// Where the folder and the workers have played an episode differently, the workers' is kept.
    fn settle(&mut self, index: usize) -> Result<(), ClusterError> {
        let entry = &self.plan.episodes[index];
        if self.mirror.settle(index, entry)? {
            let id = &entry.id;
            tracing::warn!("{id}: played here and by the workers; theirs is kept, the one here is put aside");
        }
        Ok(())
    }

    /// Writes into the journals what only the folder holds: a run that was begun here, or a stream that was lost.
    async fn put_in_what_is_missing(&mut self) -> Result<(), ClusterError> {
        let (mirror, journal) = (&self.mirror, &self.batch.journal);
        let put = |(index, entry)| async move {
            let Some(surplus) = mirror.surplus(index, entry)? else { return Ok(0) };
            let mut writer = journal.writer(&surplus.id, surplus.last, PATIENCE);
            let written = async {
                // Whatever stands there unfinished is over.
                writer.mark(if surplus.anew { Mark::Aside } else { Mark::Taken }, "").await?;
                for record in &surplus.records {
                    writer.record(record).await?;
                }
                Ok(1)
            };
            match written.await {
                // A worker is at it: theirs is kept.
                Err(ClusterError::Moved { .. }) => Ok(1),
                written => written,
            }
        };
        let entries = self.plan.episodes.iter().enumerate();
        let puts = futures::iter(entries).map(put).buffer_unordered(AT_ONCE);
        match puts.try_fold(0, |sum, put| async move { Ok(sum + put) }).await? {
            0 => Ok(()),
            _ => self.catch_up().await,
        }
    }

    /// Offers the episodes that are to be played.
    async fn offer_all(&mut self) -> Result<(), ClusterError> {
        let mut due = Vec::new();
        for (index, standing) in self.agenda.standings.iter().enumerate() {
            match standing {
                Standing::Ended(_) => continue,
                Standing::Due => {}
                Standing::Again => self.put_aside(&self.plan.episodes[index].id).await?,
            }
            due.push(index);
        }
        self.offer(due).await
    }

    /// Offers episodes. Those that wait or are being played already are not offered twice.
    async fn offer(&self, due: impl IntoIterator<Item = usize>) -> Result<(), ClusterError> {
        let offers = due.into_iter().map(|index| {
            let entry = &self.plan.episodes[index];
            let item = Item::of(&self.plan, entry, self.listed.publication);
            let payload = serde_json::to_vec(&item).map_err(|error| ClusterError::of("packing an episode", &error))?;
            Ok(Offer { doer: entry.key.agent.clone(), item: entry.id.clone(), payload })
        });
        self.batch.offer(offers).await.map(drop)
    }

    /// Has an aborted episode begin anew. A worker that hears of it late may still write to it; another follower may have
    /// done so already.
    async fn put_aside(&self, id: &str) -> Result<(), ClusterError> {
        let (known, began) = (self.mirror.last(id), Instant::now());
        loop {
            let lines = self.batch.journal.read(id).await?;
            // Of a cluster's servers the one that was read from may lag behind what has been followed.
            if lines.last().map_or(0, |line| line.sequence) < known && began.elapsed() < PATIENCE {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            if !lines::records(&lines).last().is_some_and(|record| is_footer(record)) {
                return Ok(());
            }
            let last = lines.last().map_or(0, |line| line.sequence);
            match self.batch.journal.writer(id, last, PATIENCE).mark(Mark::Aside, "").await {
                Err(ClusterError::Moved { .. }) => tokio::time::sleep(Duration::from_millis(100)).await,
                written => return written,
            }
        }
    }

    /// An episode stays open.
    fn leave(&self, index: usize, left: Left, summary: &mut Summary, reporter: &mut dyn Reporter) {
        let entry = &self.plan.episodes[index];
        if left.broken {
            summary.broken.push(format!("{}: {}", entry.id, left.why));
        }
        if left.stops_agent {
            let agent = &entry.key.agent;
            if summary.stopped_agents.insert(agent.clone(), left.why.clone()).is_none() {
                event(&self.plan, Event::AgentStopped { agent: agent.clone(), why: left.why.clone() }, reporter);
            }
        }
        event(&self.plan, Event::Left { episode: index, why: left.why }, reporter);
    }
}

/// Whether a batch is there, and still the one that we published.
async fn look(batch: Batch, registry: Registry) -> Result<(), ClusterError> {
    let what = || format!("the run {}", batch.names.batch);
    let gone = |what: String, why: &str, then: &str| {
        Err(ClusterError::Gone { what, why: format!("{why}; what had arrived is in the run's folder{then}") })
    };
    let goes_on = ", and the same command goes on";
    let known = match registry.get(&batch.names.batch).await {
        Ok(known) => known,
        Err(ClusterError::Gone { .. }) => None,
        Err(error) => return Err(error),
    };
    match (known, batch.look().await) {
        // Not so the same command: the other's episodes have no place in this folder.
        (Some((listed, _)), _) if listed.incarnation != batch.names.incarnation => {
            gone(what(), "somebody has published it anew", "")
        }
        (None, Err(ClusterError::Gone { .. })) => gone(what(), "it was removed", goes_on),
        (None, Ok(())) => gone(what(), "the list of batches does not have it any more", goes_on),
        (_, Err(ClusterError::Gone { what, why })) => gone(what, &why, goes_on),
        (_, looked) => looked,
    }
}

/// Whether a record ends an episode.
fn is_footer(record: &[u8]) -> bool {
    matches!(serde_json::from_slice(record), Ok(Record::Footer(_)))
}

/// Why an episode was left open.
fn read_left(why: &[u8]) -> Left {
    let words = || String::from_utf8_lossy(why).into_owned();
    let unknown = |_| Left { publication: u64::MAX, why: words(), stops_agent: false, broken: true };
    serde_json::from_slice(why).unwrap_or_else(unknown)
}
