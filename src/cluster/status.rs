//! How a worker is doing on a batch, as it tells whoever follows it, about once a second. Nobody keeps it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::eval::waits::Wait;

/// How often a worker tells.
pub const EVERY: Duration = Duration::from_secs(1);
/// Workers that are kept in mind.
const MOST: usize = 10_000;
/// Silence after which a worker is taken for gone.
const SILENCE: Duration = Duration::from_secs(5);

/// How a worker is doing on a batch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Its name.
    pub worker: String,
    /// Items that it is at.
    pub items: usize,
    /// Calls that servers are answering.
    pub in_flight: usize,
    /// Calls that wait, by agent.
    pub waiting: BTreeMap<String, Wait>,
    /// What is in its way: the server is full, or an item had to go back.
    #[serde(default)]
    pub trouble: Option<String>,
    /// Who cannot do their work there, and why.
    pub cannot: BTreeMap<String, String>,
}

/// The workers of a batch as far as they have told of late.
#[derive(Default)]
pub struct Workers {
    told: BTreeMap<String, (Status, Instant)>,
}

impl Workers {
    /// Takes what a worker tells; gives what it had told before.
    pub fn take(&mut self, status: Status) -> Status {
        if self.told.len() >= MOST && !self.told.contains_key(&status.worker) {
            return Status::default();
        }
        let now = Instant::now();
        let before = self.told.insert(status.worker.clone(), (status, now));
        before.map(|(status, _)| status).unwrap_or_default()
    }

    /// Forgets those that have fallen silent; gives what they had told last.
    pub fn forget(&mut self) -> Vec<Status> {
        let silent: Vec<String> = (self.told.iter())
            .filter(|(_, (_, at))| at.elapsed() >= SILENCE)
            .map(|(worker, _)| worker.clone())
            .collect();
        silent.iter().filter_map(|worker| self.told.remove(worker)).map(|(status, _)| status).collect()
    }

    /// Whose work none of them can do.
    pub fn nobody_can(&self) -> BTreeSet<String> {
        let mut all = self.told.values().map(|(status, _)| status.cannot.keys().cloned().collect::<BTreeSet<String>>());
        let first = all.next().unwrap_or_default();
        all.fold(first, |common, cannot| common.intersection(&cannot).cloned().collect())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.told.len()
    }

    /// Items that they are at, all together.
    pub fn items(&self) -> usize {
        self.told.values().map(|(status, _)| status.items).sum()
    }

    /// Calls that servers are answering to all of them.
    pub fn in_flight(&self) -> usize {
        self.told.values().map(|(status, _)| status.in_flight).sum()
    }
}
