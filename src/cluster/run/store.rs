//! Episodes stored in the journals of a batch: what a worker writes there, another goes on with.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use crate::cluster::error::ClusterError;
use crate::cluster::journal::{Journal, JournalWriter, Line, Mark};
use crate::cluster::lines::records;
use crate::eval::record::Record;
use crate::eval::store::{EpisodeStore, EpisodeWriter, StoreError, Taken};
use crate::eval::trace::{Trace, TraceError};
use crate::model::Spending;

/// The episodes of a run in the journals of its batch.
pub struct JournalStore {
    journal: Journal,
    worker: String,
    patience: Duration,
    /// What adds to the episodes that have been taken and not parted with.
    held: Mutex<HashMap<String, Held>>,
}

/// Adds to an episode for as long as nobody else has taken it.
type Held = Arc<tokio::sync::Mutex<JournalWriter>>;

/// How often an episode is taken again that somebody else wrote to while it was read.
const TRIES: u32 = 10;
/// How long is waited before that, longer each time.
const REST: Duration = Duration::from_millis(20);

impl JournalStore {
    /// Stores in these journals what the worker of that name plays. A server that is away or full is waited for so long.
    pub fn new(journal: Journal, worker: &str, patience: Duration) -> Self {
        JournalStore { journal, worker: worker.to_owned(), patience, held: Mutex::default() }
    }

    /// Parts with an episode that was taken here, saying with a mark how, if there is something to say. Whoever has lost it
    /// to somebody else says nothing.
    ///
    /// # Errors
    /// [`ClusterError::Moved`] if somebody else has it; others if the mark cannot be written.
    pub async fn part(&self, id: &str, mark: Option<(Mark, &str)>) -> Result<(), ClusterError> {
        let held = self.held().remove(id);
        match (held, mark) {
            (Some(held), Some((mark, text))) => held.lock().await.mark(mark, text).await,
            _ => Ok(()),
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trace(&self, id: &str, lines: &[Line]) -> Result<Option<Trace>, StoreError> {
        let mut text = Vec::new();
        for record in records(lines) {
            text.extend_from_slice(&record);
            text.push(b'\n');
        }
        match Trace::parse(&PathBuf::from(self.place(id)), text.as_slice()) {
            Ok(trace) => Ok(Some(trace)),
            Err(TraceError::Empty { .. }) => Ok(None),
            Err(error) => Err(StoreError::Unreadable(error)),
        }
    }
}

#[async_trait]
impl EpisodeStore for JournalStore {
    async fn look(&self, id: &str) -> Result<Option<Trace>, StoreError> {
        self.trace(id, &self.journal.read(id).await?)
    }

    async fn take(&self, id: &str) -> Result<Taken, StoreError> {
        let mut tries = 0;
        loop {
            let lines = self.journal.read(id).await?;
            let last = lines.last().map_or(0, |line| line.sequence);
            let mut writer = self.journal.writer(id, last, self.patience);
            // Shuts out whoever had it before; a line of theirs that came in between shows here.
            match writer.mark(Mark::Taken, &self.worker).await {
                Ok(()) => {
                    let writer = Arc::new(tokio::sync::Mutex::new(writer));
                    self.held().insert(id.to_owned(), writer.clone());
                    let trace = self.trace(id, &lines)?;
                    return Ok(Taken { trace, writer: Box::new(Writing { writer }) });
                }
                Err(ClusterError::Moved { .. }) if tries < TRIES => {
                    tries += 1;
                    // Of a cluster's servers the one that was read from may lag behind.
                    tokio::time::sleep(REST * tries).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn set_aside(&self, id: &str) -> Result<(), StoreError> {
        let last = self.journal.read(id).await?.last().map_or(0, |line| line.sequence);
        Ok(self.journal.writer(id, last, self.patience).mark(Mark::Aside, "").await?)
    }

    async fn spent_aside(&self) -> Result<Spending, StoreError> {
        // Counted by whoever follows the run, which has all that was ever played.
        Ok(Spending::default())
    }

    fn place(&self, id: &str) -> String {
        format!("the journal of {id}")
    }
}

/// Adds to an episode's journal.
struct Writing {
    writer: Held,
}

#[async_trait]
impl EpisodeWriter for Writing {
    async fn write(&mut self, record: &Record) -> Result<(), StoreError> {
        let text = serde_json::to_vec(record).map_err(|error| StoreError::Failed(error.to_string()))?;
        Ok(self.writer.lock().await.record(&text).await?)
    }
}

impl From<ClusterError> for StoreError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Moved { what } => StoreError::Moved(what),
            ClusterError::Gone { .. } => StoreError::Gone(error.to_string()),
            error => StoreError::Failed(error.to_string()),
        }
    }
}
