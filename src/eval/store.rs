//! Where the episodes of a run are stored while they are played. The trait is the boundary behind which they may be
//! elsewhere than in a folder on this machine, and through which an episode in progress moves from one process to
//! another; the folder is its one implementation here.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::record::Record;
use super::trace::{Trace, TraceError, TraceWriter};
use crate::model::Spending;

/// Where the episodes of a run are stored.
#[async_trait]
pub trait EpisodeStore: Send + Sync {
    /// What is stored of an episode, for whoever does not play it; nothing if it has not been begun.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn look(&self, id: &str) -> Result<Option<Trace>, StoreError>;

    /// Takes an episode in order to play it from where it stands. Whoever had taken it before can add nothing to it any
    /// more: so it moves between processes, and nothing is played twice.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn take(&self, id: &str) -> Result<Taken, StoreError>;

    /// Puts what is stored of an episode aside, so that it begins anew. Nothing that was paid for is thrown away.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn set_aside(&self, id: &str) -> Result<(), StoreError>;

    /// What the calls used whose episodes were set aside.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn spent_aside(&self) -> Result<Spending, StoreError>;

    /// Where an episode is stored, for messages.
    fn place(&self, id: &str) -> String;
}

/// An episode that has been taken.
pub struct Taken {
    /// What is stored of it; nothing if it has not been begun.
    pub trace: Option<Trace>,
    /// What adds to it.
    pub writer: Box<dyn EpisodeWriter>,
}

/// Adds to an episode that has been taken.
#[async_trait]
pub trait EpisodeWriter: Send + Sync {
    /// Stores a record. When this returns, another process would find it.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the episode has been taken by somebody else, [`StoreError::Failed`] if the record cannot
    /// be stored.
    async fn write(&mut self, record: &Record) -> Result<(), StoreError>;
}

/// What cannot be done with a stored episode.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What is stored of this episode cannot be read.
    #[error(transparent)]
    Unreadable(TraceError),
    /// Nothing can be stored, which holds for other episodes, too.
    #[error("{0}")]
    Failed(String),
    /// What it is stored in is no longer there.
    #[error("{0}")]
    Gone(String),
    /// Somebody else goes on with this episode.
    #[error("{0}: somebody else has taken this episode over")]
    Moved(String),
}

/// The episodes of a run in its folder: `episodes/ID.jsonl`, and those that were set aside in `retried/ID.N.jsonl`.
///
/// The folder's lock keeps other processes away; within this one, the last to take an episode has it.
pub struct FolderStore {
    folder: PathBuf,
    holders: Mutex<HashMap<String, Holder>>,
}

/// Whose turn it is to write a trace, counted by who took it; locked while it is read or written.
type Holder = Arc<Mutex<u64>>;

/// Where a run's folder keeps the traces that were set aside.
pub const RETRIED: &str = "retried";

impl FolderStore {
    /// The episodes in the folder of a run.
    pub fn new(folder: &Path) -> Self {
        FolderStore { folder: folder.to_owned(), holders: Mutex::default() }
    }

    fn path(&self, id: &str) -> PathBuf {
        trace_path(&self.folder, id)
    }

    /// The trace of an episode, if it holds at least a header.
    fn read(&self, id: &str) -> Result<Option<Trace>, StoreError> {
        match Trace::read(&self.path(id)) {
            Ok(trace) => Ok(Some(trace)),
            Err(TraceError::Empty { .. }) => Ok(None),
            Err(TraceError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::Unreadable(error)),
        }
    }
}

#[async_trait]
impl EpisodeStore for FolderStore {
    async fn look(&self, id: &str) -> Result<Option<Trace>, StoreError> {
        self.read(id)
    }

    async fn take(&self, id: &str) -> Result<Taken, StoreError> {
        let holder = {
            let mut holders = self.holders.lock().unwrap_or_else(PoisonError::into_inner);
            holders.entry(id.to_owned()).or_default().clone()
        };
        // Whoever had it before is shut out before it is read: a line of theirs after that would be missing here.
        let mut turn = holder.lock().unwrap_or_else(PoisonError::into_inner);
        *turn += 1;
        let (trace, path) = (self.read(id)?, self.path(id));
        let writer = match &trace {
            Some(trace) => TraceWriter::resume(&path, trace),
            None => TraceWriter::create(&path),
        };
        let writer = writer.map_err(|error| StoreError::Failed(error.to_string()))?;
        let writer = Box::new(FolderWriter { place: path, writer, holder: holder.clone(), turn: *turn });
        Ok(Taken { trace, writer })
    }

    async fn set_aside(&self, id: &str) -> Result<(), StoreError> {
        let (from, to) = (self.path(id), free_place(&self.folder, id));
        let moved = fs::create_dir_all(self.folder.join(RETRIED)).and_then(|()| fs::rename(&from, &to));
        moved.map_err(|error| StoreError::Failed(format!("{}: {error}", from.display())))
    }

    async fn spent_aside(&self) -> Result<Spending, StoreError> {
        let folder = self.folder.join(RETRIED);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Spending::default()),
            Err(error) => return Err(StoreError::Failed(format!("{}: {error}", folder.display()))),
        };
        // One that cannot be read says nothing of what it used; the others do.
        let traces = entries.filter_map(|entry| Trace::read(&entry.ok()?.path()).ok());
        Ok(traces.map(|trace| trace.spent()).sum())
    }

    fn place(&self, id: &str) -> String {
        self.path(id).display().to_string()
    }
}

/// Adds to a trace in the folder as long as nobody else has taken it.
struct FolderWriter {
    place: PathBuf,
    writer: TraceWriter,
    holder: Holder,
    turn: u64,
}

#[async_trait]
impl EpisodeWriter for FolderWriter {
    async fn write(&mut self, record: &Record) -> Result<(), StoreError> {
        let turn = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        if *turn != self.turn {
            return Err(StoreError::Moved(self.place.display().to_string()));
        }
        self.writer.write(record).map_err(|error| StoreError::Failed(error.to_string()))
    }
}

/// The place of a trace that is set aside, the first of an episode under number 1.
pub fn aside_path(folder: &Path, id: &str, number: u32) -> PathBuf {
    folder.join(RETRIED).join(format!("{id}.{number}.jsonl"))
}

/// A place for a trace that is set aside, under a number that is free.
pub fn free_place(folder: &Path, id: &str) -> PathBuf {
    let mut places = (1..).map(|number| aside_path(folder, id, number));
    places.find(|path| !path.exists()).unwrap_or_else(|| aside_path(folder, id, 0))
}

/// The trace of an episode in a run's folder.
pub fn trace_path(folder: &Path, id: &str) -> PathBuf {
    folder.join("episodes").join(format!("{id}.jsonl"))
}
