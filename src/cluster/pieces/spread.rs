//! Pieces of work published on a NATS server as they are needed, and their results taken from there in whatever order they
//! come. May be killed and begun again: the same work finds what is done of it. Knows nothing of what the pieces are.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::job::{Job, publish};
use super::offered::{Out, packed};
use super::packet::unpack;
use super::task::{Piece, ResultError};
use crate::cluster::batch::{Batch, Offer};
use crate::cluster::error::ClusterError;
use crate::cluster::following::Following;
use crate::cluster::journal::{Line, Mark};
use crate::cluster::lines::Joint;
use crate::cluster::link::Link;
use crate::cluster::registry::Registry;
use crate::cluster::status::{Status, Workers};
use crate::cluster::watch::watch_over;

/// Cuts the work and takes what comes of it.
pub trait Harvest {
    /// The next piece and its id; nothing if there is none.
    fn next(&mut self) -> Option<(String, Piece)>;

    /// Takes what a piece came to, each once, in any order; breaks if no more is wanted.
    ///
    /// # Errors
    /// [`ResultError`] if it is not that.
    fn take(&mut self, item: &str, lines: &[String]) -> Result<ControlFlow<()>, ResultError>;
}

/// How it is followed.
pub struct Wait<'f> {
    /// Turns true when it is to end: the workers go on with what they have been given.
    pub stop: watch::Receiver<bool>,
    /// Told about once a second how many workers there are.
    pub told: &'f mut dyn FnMut(usize),
    /// After how long without any worker it is given up; never unless given.
    pub alone: Option<Duration>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing more is wanted.
    Whole,
    /// It was to end.
    Stopped,
    /// No worker came.
    Alone,
}

/// Pieces that are out at once, at least and at most: in between, some for each that is being done. Few, because workers
/// go on with what is out when nobody wants it any more.
const OUT: (usize, usize) = (64, 4_096);
/// Pieces that are out for each that is being done.
const AHEAD: usize = 4;
/// Bytes of pieces that may be out at once.
const MOST_BYTES: usize = 64 << 20;
/// Pieces that are offered together.
const TOGETHER: usize = 128;
/// After how long without a worker it is said how to start one.
const ALONE: Duration = Duration::from_secs(10);
/// How often the batch must be missing where work cannot be handed out, before it is gone.
const MISSES: u32 = 5;
/// Silence after which what is out is offered once more, at first and at most: twice as long each time.
const QUIET: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(600));
/// How long it is waited before something is tried again.
const PAUSE: Duration = Duration::from_secs(1);
/// How often it is told that something still cannot be done.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// Work that has been published.
pub struct Spread {
    link: Link,
    registry: Registry,
    batch: Batch,
    doer: String,
    following: Following,
    joints: HashMap<String, Joint>,
    /// Results that nobody has asked for yet.
    early: HashMap<String, Bytes>,
    /// Pieces that are out, as they were offered.
    out: HashMap<String, Out>,
    bytes_out: usize,
    handed_out: u64,
    /// Pieces that may be out.
    room: usize,
    /// Why a piece cannot be done.
    left: Option<ClusterError>,
    /// Whether it was taken off the list once.
    removed: bool,
}

impl Spread {
    /// Publishes a job, or takes up what the server has of it.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn open(link: &Link, job: &Job<'_>) -> Result<Self, ClusterError> {
        let registry = Registry::open(link).await?;
        let batch = publish(link, &registry, job).await?;
        let following = Following::new(&batch.journal);
        let (joints, early, out) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut spread = Spread {
            link: link.clone(),
            registry,
            batch,
            doer: job.kind.doer(),
            following,
            joints,
            early,
            out,
            bytes_out: 0,
            handed_out: 0,
            room: OUT.0,
            left: None,
            removed: false,
        };
        spread.catch_up().await?;
        Ok(spread)
    }

    /// Hands out pieces and takes what they come to, until nothing more is wanted. A server that is away or full is waited
    /// for; if it has lost the work, that is published anew, and nothing that has been taken is done again.
    ///
    /// # Errors
    /// [`ClusterError`] if the work was removed, or a piece cannot be done.
    pub async fn gather(
        &mut self,
        job: &Job<'_>,
        harvest: &mut dyn Harvest,
        mut wait: Wait<'_>,
    ) -> Result<Ended, ClusterError> {
        loop {
            match self.gather_here(harvest, &mut wait).await {
                Err(error @ ClusterError::Gone { .. }) => self.publish_anew(job, error, &wait.stop).await?,
                ended => return ended,
            }
        }
    }

    /// Takes the work off the server: everything is done and written.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn remove(self) -> Result<(), ClusterError> {
        // Off the list first: no worker is to look for what is going.
        self.registry.remove(&self.batch.names.batch).await?;
        Batch::remove(&self.link, &self.batch.names).await
    }

    async fn gather_here(&mut self, harvest: &mut dyn Harvest, wait: &mut Wait<'_>) -> Result<Ended, ClusterError> {
        let listening = self.link.client.subscribe(self.batch.names.status("*")).await;
        let mut statuses = listening.map_err(|error| ClusterError::of("listening to workers", &error))?;
        let (mut workers, mut alone_since) = (Workers::default(), Some(Instant::now()));
        let (mut heard, mut quiet) = (Instant::now(), QUIET.0);
        let mut warned = false;
        let mut clock = tokio::time::interval(Duration::from_secs(1));
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let batch = self.batch.clone();
        let mut gone = watch_over(move || {
            let batch = batch.clone();
            async move { batch.look().await }
        });
        // Where the work was published anew there may be results that came before it was lost.
        let mut there: Vec<String> = self.out.keys().filter(|item| self.early.contains_key(*item)).cloned().collect();
        there.sort_unstable();
        for item in there {
            if self.take(harvest, &item).await?.is_break() {
                return Ok(Ended::Whole);
            }
        }
        loop {
            if *wait.stop.borrow() {
                return Ok(Ended::Stopped);
            }
            if self.hand_out(harvest, &wait.stop).await?.is_break() || self.out.is_empty() {
                return Ok(Ended::Whole);
            }
            tokio::select! {
                biased;
                _ = clock.tick() => {
                    workers.forget();
                    (wait.told)(workers.count());
                    self.room = (AHEAD * workers.items()).clamp(OUT.0, OUT.1);
                    let alone = alone_since.filter(|_| workers.count() == 0);
                    if !warned && alone.is_some_and(|since| since.elapsed() >= ALONE) {
                        let (url, doer) = (&self.link.url, &self.doer);
                        tracing::warn!("no worker has come yet; `mota worker --nats {url}` does this work ({doer})");
                        warned = true;
                    }
                    if heard.elapsed() >= quiet {
                        (heard, quiet) = (Instant::now(), (quiet * 2).min(QUIET.1));
                        self.offer_again().await;
                    }
                    if wait.alone.zip(alone).is_some_and(|(most, since)| since.elapsed() >= most) {
                        return Ok(Ended::Alone);
                    }
                }
                _ = wait.stop.changed() => {}
                Some(error) = gone.recv() => return Err(error),
                Some(message) = statuses.next() => {
                    if let Ok(status) = serde_json::from_slice::<Status>(&message.payload) {
                        alone_since = None;
                        workers.take(status);
                    }
                }
                line = self.following.next() => {
                    if let Some(item) = self.note(&line?)
                        && self.out.contains_key(&item)
                    {
                        alone_since = None;
                        (heard, quiet) = (Instant::now(), QUIET.0);
                        if self.take(harvest, &item).await?.is_break() {
                            return Ok(Ended::Whole);
                        }
                    }
                }
            }
            if let Some(error) = self.left.take() {
                return Err(error);
            }
        }
    }

    /// Hands out as many pieces as there is room for; breaks if what the server has of them is enough.
    async fn hand_out(
        &mut self,
        harvest: &mut dyn Harvest,
        stop: &watch::Receiver<bool>,
    ) -> Result<ControlFlow<()>, ClusterError> {
        while self.out.len() < self.room && self.bytes_out < MOST_BYTES && !*stop.borrow() {
            let mut fresh = Vec::new();
            while fresh.len() < TOGETHER && self.out.len() < self.room && self.bytes_out < MOST_BYTES {
                let Some((item, piece)) = harvest.next() else { break };
                if self.early.contains_key(&item) {
                    if self.take(harvest, &item).await?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    continue;
                }
                let out = packed(self.handed_out, &item, piece)?;
                self.handed_out += 1;
                self.bytes_out += out.bytes();
                self.out.insert(item.clone(), out);
                fresh.push(item);
            }
            if fresh.is_empty() {
                break;
            }
            self.offer(fresh, stop).await?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Offers pieces that are out. A server that is away or full is waited for.
    async fn offer(&self, items: Vec<String>, stop: &watch::Receiver<bool>) -> Result<(), ClusterError> {
        let (mut told, mut missing) = (None::<Instant>, 0);
        loop {
            let error = match self.offer_now(&items).await {
                Ok(()) => return Ok(()),
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error),
            };
            if *stop.borrow() {
                return Ok(());
            }
            // A server that starts may not have found everything yet.
            match self.batch.look().await {
                Err(error @ ClusterError::Gone { .. }) if missing >= MISSES => return Err(error),
                Err(ClusterError::Gone { .. }) => missing += 1,
                _ => missing = 0,
            }
            if missing == 0 && told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
                tracing::warn!("waiting to hand out work: {error}");
                told = Some(Instant::now());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Offers what is out once more: the server may have lost its last items. What waits or is being done is not offered
    /// twice.
    async fn offer_again(&self) {
        let missing = self.out.keys().filter(|item| !self.early.contains_key(*item));
        if let Err(error) = self.offer_now(&missing.cloned().collect::<Vec<_>>()).await {
            tracing::debug!("pieces cannot be offered again now: {error}");
        }
    }

    async fn offer_now(&self, items: &[String]) -> Result<(), ClusterError> {
        let out = || items.iter().filter_map(|item| Some((item, self.out.get(item)?)));
        self.batch.put_all(out().filter_map(|(_, out)| out.kept.clone()).collect()).await?;
        let offer = |(item, out): (&String, &Out)| Offer {
            doer: self.doer.clone(),
            item: item.clone(),
            payload: out.offered.clone(),
        };
        self.batch.offer(out().map(offer).map(Ok)).await.map(drop)
    }

    /// Gives a result to who wants it.
    async fn take(&mut self, harvest: &mut dyn Harvest, item: &str) -> Result<ControlFlow<()>, ClusterError> {
        let Some(packet) = self.early.remove(item) else { return Ok(ControlFlow::Continue(())) };
        if let Some(out) = self.out.remove(item) {
            self.bytes_out -= out.bytes();
            if let Some((name, _)) = &out.kept {
                self.batch.drop_contents(name).await;
            }
        }
        let lines: Vec<String> = unpack(&packet)?;
        harvest.take(item, &lines).map_err(|error| ClusterError::Unreadable {
            what: format!("the result of {item} on the NATS server"),
            why: error.to_string(),
        })
    }

    /// Reads what the journals hold up to now.
    async fn catch_up(&mut self) -> Result<(), ClusterError> {
        let last = self.batch.journal.last().await?;
        let mut at = 0;
        while at < last {
            let line = self.following.next().await?;
            at = line.sequence;
            self.note(&line);
        }
        // What was given up before is tried once more.
        self.left = None;
        Ok(())
    }

    /// Notes a line of a journal; gives the item if its result is whole by that.
    fn note(&mut self, line: &Line) -> Option<String> {
        let joint = self.joints.entry(line.item.clone()).or_default();
        let record = joint.push(line);
        if line.mark != Some(Mark::Part) {
            self.joints.remove(&line.item);
        }
        if line.mark == Some(Mark::Left) && self.out.contains_key(&line.item) {
            let why = String::from_utf8_lossy(&line.payload).into_owned();
            self.left = Some(ClusterError::Failed { what: format!("the piece {}", line.item), why });
        }
        self.early.insert(line.item.clone(), record?);
        Some(line.item.clone())
    }

    /// Publishes anew what the server has lost, with the pieces that are out.
    async fn publish_anew(
        &mut self,
        job: &Job<'_>,
        lost: ClusterError,
        stop: &watch::Receiver<bool>,
    ) -> Result<(), ClusterError> {
        // Off the list it is if somebody removed it on purpose, or asked for the same and has it: then once.
        let is_listed = self.registry.get(&self.batch.names.batch).await.map_or(true, |known| known.is_some());
        if !is_listed && self.removed {
            return Err(lost);
        }
        tracing::warn!("{lost}; what is not done is published anew");
        let mut anew = Spread::open(&self.link, job).await?;
        anew.removed = self.removed || !is_listed;
        anew.out = std::mem::take(&mut self.out);
        (anew.bytes_out, anew.handed_out) = (self.bytes_out, self.handed_out);
        *self = anew;
        // In their order: what comes first is waited for first.
        let missing = self.out.iter().filter(|(item, _)| !self.early.contains_key(*item));
        let mut missing: Vec<(u64, String)> = missing.map(|(item, out)| (out.number, item.clone())).collect();
        missing.sort_unstable();
        let items = missing.into_iter().map(|(_, item)| item).collect();
        self.offer(items, stop).await
    }
}
