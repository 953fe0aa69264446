//! The workers of a NATS server doing what a command would else do by itself: generating and analysing.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;
use serde_json::json;

use super::Failure;
use super::nats::NatsArgs;
use super::progress::bar;
use super::runtime::{Interrupts, Words};
use crate::analysis::piece::{Gathering, Pieces};
use crate::analysis::run::RunAnalysis;
use crate::cluster::pieces::harvest::{Analysis, Floors, Towers};
use crate::cluster::pieces::job::Job;
use crate::cluster::pieces::spread::{Ended, Harvest, Spread, Wait};
use crate::cluster::pieces::task::analysis::SharedAnalysis;
use crate::cluster::pieces::task::floors::SharedFloors;
use crate::cluster::pieces::task::towers::SharedTowers;
use crate::cluster::pieces::task::{Shared, Work};
use crate::cluster::{ClusterError, Kind, Link};
use crate::eval::floor::BatchFloor;
use crate::eval::manifest::Manifest;
use crate::eval::store::trace_path;
use crate::generate::tower::many::Tried;
use crate::generate::{Finding, GenerateError, Order, Outcome, Sieve, Tally};
use crate::solver::Effort;

/// The workers of a server.
pub struct Crew {
    interrupts: Interrupts,
    link: Link,
    lease: Duration,
}

impl Crew {
    /// Connects to the server, if one was named; `name` is what its lists show of us.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be used.
    pub fn of(nats: &NatsArgs, name: &str) -> Result<Option<Self>, Failure> {
        let Some(access) = nats.access()? else { return Ok(None) };
        let interrupts = Interrupts::new(Words::FOLLOWING)?;
        let link = interrupts.runtime.block_on(access.connect(name))?;
        Ok(Some(Crew { interrupts, link, lease: nats.lease() }))
    }

    /// With a runtime and a connection that are there.
    pub fn with(interrupts: Interrupts, link: Link, lease: Duration) -> Self {
        Crew { interrupts, link, lease }
    }

    /// Whether somebody asked to stop.
    pub fn stops(&self) -> bool {
        *self.interrupts.stop.borrow()
    }

    /// Searches for floors as [`crate::generate::search()`] does.
    ///
    /// # Errors
    /// [`Failure`] if the floors cannot be made, or the server cannot be used.
    pub fn search(
        &self,
        order: &Order,
        bar: &ProgressBar,
        found: &mut dyn FnMut(Finding) -> ControlFlow<()>,
    ) -> Result<(Tally, Outcome), Failure> {
        let sieve = match Sieve::new(order).map_err(Failure::bad_input)? {
            ControlFlow::Continue(sieve) => sieve,
            ControlFlow::Break(end) => return Ok(end),
        };
        let shared = Shared::new(Work::Floors(SharedFloors::of(order)));
        let inputs = json!([order.first_seed, order.count, order.most_tries]).to_string();
        let (first, count) = (order.first_seed, order.count);
        let (seeds, workers) = (Cell::new(0), Cell::new(0));
        let show = || bar.set_message(format!("{} seeds tried, {}", seeds.get(), crowd(workers.get())));
        let mut tried = |tally: &Tally| {
            seeds.set(tally.tried);
            show();
        };
        let mut harvest = Floors::new(order, sieve, found, &mut tried);
        let name = format!("{count} floors from seed {first} on");
        let job = Job { kind: Kind::Floors, name, shared: &shared, inputs: inputs.as_bytes(), lease: self.lease };
        let mut told = |count| {
            workers.set(count);
            show();
        };
        let (ended, spread) = self.gather(&job, &mut harvest, &mut told, None)?;
        let end = harvest.end(ended == Ended::Stopped);
        if !matches!(end, Ok((_, Outcome::Stopped))) {
            self.remove(spread);
        }
        end.map_err(|error| match error {
            GenerateError::Recipe(error) => Failure::bad_input(error),
            error => Failure::failed(error),
        })
    }

    /// Makes so many towers of each request from this seed on, one request after the other; `begin` is told of each by its
    /// index, `made` is given its towers.
    ///
    /// # Errors
    /// [`Failure`] if the server cannot be used, and what `made` says.
    pub fn towers(
        &self,
        shared: SharedTowers,
        (first, count): (u64, u64),
        hidden: bool,
        begin: impl Fn(usize),
        mut made: impl FnMut(usize, Vec<Tried>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let requests = shared.asks.len();
        let name = shared.asks.join("; ");
        let shared = Shared::new(Work::Towers(shared));
        let inputs = json!([first, count]).to_string();
        let job = Job { kind: Kind::Towers, name, shared: &shared, inputs: inputs.as_bytes(), lease: self.lease };
        let mut spread = None;
        for ask in 0..requests {
            begin(ask);
            let bar = bar(count, "towers", hidden);
            let mut tell = |_: &Tried| bar.inc(1);
            let mut harvest = Towers::new(ask, first, count, &mut tell);
            let mut told = |workers| bar.set_message(crowd(workers));
            let gathered = self.gather_in(&mut spread, &job, &mut harvest, &mut told, None);
            bar.finish_and_clear();
            let ended = gathered?;
            made(ask, harvest.made())?;
            if ended != Ended::Whole {
                return Ok(());
            }
        }
        self.remove(spread);
        Ok(())
    }

    /// Judges all episodes of a run as [`crate::analysis::run::judge_all`] does; `keep` keeps the result. Nothing if no
    /// worker comes within `alone`, or somebody asked to stop.
    ///
    /// # Errors
    /// [`Failure`] if the server cannot be used, and what `keep` says.
    pub fn judge_all(
        &self,
        (folder, manifest, floors): (&Path, &Manifest, &[BatchFloor]),
        effort: Effort,
        (hidden, alone): (bool, Option<Duration>),
        keep: impl FnOnce(&RunAnalysis) -> Result<(), Failure>,
    ) -> Result<Option<RunAnalysis>, Failure> {
        let entries = manifest.episodes();
        let begun = entries.iter().filter(|entry| trace_path(folder, &entry.id).exists()).count();
        let shared = Shared::new(Work::Analysis(SharedAnalysis { items: manifest.config.items, effort }));
        let hashes: Vec<&str> = manifest.floors.iter().map(|floor| floor.hash.as_str()).collect();
        let config = &manifest.config;
        let inputs = json!([config.name, config.seed, hashes]).to_string();
        let name = config.name.clone();
        let job = Job { kind: Kind::Analysis, name, shared: &shared, inputs: inputs.as_bytes(), lease: self.lease };
        let bar = bar(begun as u64, "episodes judged", hidden);
        let mut episodes = Vec::new();
        let mut take = |analysis| {
            episodes.push(analysis);
            bar.inc(1);
        };
        let pieces = Pieces::of(folder, manifest, floors, &entries);
        let mut harvest = Analysis::new(pieces, Gathering::new(folder, floors, effort), &mut take);
        let mut told = |workers| bar.set_message(crowd(workers));
        let gathered = self.gather(&job, &mut harvest, &mut told, alone);
        bar.finish_and_clear();
        let (ended, spread) = gathered?;
        let walked = harvest.finish();
        let analysis = RunAnalysis { episodes, walked };
        match ended {
            Ended::Stopped => return Ok(None),
            Ended::Alone => {
                self.remove(spread);
                return Ok(None);
            }
            Ended::Whole => {}
        }
        keep(&analysis)?;
        self.remove(spread);
        Ok(Some(analysis))
    }

    fn gather(
        &self,
        job: &Job<'_>,
        harvest: &mut dyn Harvest,
        told: &mut dyn FnMut(usize),
        alone: Option<Duration>,
    ) -> Result<(Ended, Option<Spread>), Failure> {
        let mut spread = None;
        let ended = self.gather_in(&mut spread, job, harvest, told, alone)?;
        Ok((ended, spread))
    }

    /// Gathers in what has been published, publishing it if it has not been.
    fn gather_in(
        &self,
        published: &mut Option<Spread>,
        job: &Job<'_>,
        harvest: &mut dyn Harvest,
        told: &mut dyn FnMut(usize),
        alone: Option<Duration>,
    ) -> Result<Ended, ClusterError> {
        self.interrupts.runtime.block_on(async {
            let spread = match published {
                Some(spread) => spread,
                None => {
                    let mut stop = self.interrupts.stop.clone();
                    tokio::select! {
                        opened = Spread::open(&self.link, job) => published.insert(opened?),
                        _ = stop.wait_for(|stop| *stop) => return Ok(Ended::Stopped),
                    }
                }
            };
            let wait = Wait { stop: self.interrupts.stop.clone(), told, alone };
            spread.gather(job, harvest, wait).await
        })
    }

    /// Takes work off the server that is done and written. It is harmless there.
    fn remove(&self, spread: Option<Spread>) {
        let Some(spread) = spread else { return };
        if let Err(error) = self.interrupts.runtime.block_on(spread.remove()) {
            tracing::warn!("the work stays on the NATS server (mota batches --remove): {error}");
        }
    }
}

/// How many workers there are, in words.
fn crowd(workers: usize) -> String {
    match workers {
        0 => "no worker yet".into(),
        1 => "1 worker".into(),
        many => format!("{many} workers"),
    }
}
