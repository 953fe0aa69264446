//! Where a worker does the pieces of one batch of generating or analysing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use super::offered::{Offered, Place};
use super::packet::{pack, unpack};
use super::task::{Piece, Shared, Task, TaskError};
use crate::cluster::batch::Batch;
use crate::cluster::bench::{Bench, Done, MOST_LOSSES, Myself, PATIENCE, fault};
use crate::cluster::error::ClusterError;
use crate::cluster::journal::{JournalWriter, Mark};
use crate::cluster::lease::Lease;
use crate::cluster::lines::{losses, records};
use crate::cluster::status::Status;
use crate::cluster::watch::LOOK_EVERY;

/// Under which name a batch keeps what its pieces share.
pub const SHARED: &str = "shared.json";

/// How soon it is looked once more for a batch that seems not to be there.
const LOOK_AGAIN: Duration = Duration::from_secs(3);

/// Where the pieces of one batch are done.
pub struct Piecework {
    batch: Batch,
    task: Arc<Task>,
    worker: String,
    stop: watch::Receiver<bool>,
}

impl Piecework {
    /// Unpacks what a batch's pieces share.
    ///
    /// # Errors
    /// [`ClusterError`] if it is not there, or not what this program does.
    pub async fn open(batch: Batch, myself: &Myself, stop: watch::Receiver<bool>) -> Result<Self, ClusterError> {
        let shared = batch.get(SHARED).await?.ok_or_else(|| ClusterError::Gone {
            what: format!("what the pieces of {} share", batch.names.batch),
            why: "it is not there".into(),
        })?;
        let unreadable =
            |why: String| ClusterError::Unreadable { what: format!("the batch {}", batch.names.batch), why };
        let shared: Shared = serde_json::from_slice(&shared).map_err(|error| unreadable(error.to_string()))?;
        let task = Arc::new(Task::new(shared).map_err(|error| unreadable(error.to_string()))?);
        Ok(Piecework { batch, task, worker: myself.name.clone(), stop })
    }

    async fn piece(&self, offered: Offered) -> Result<Piece, Done> {
        match offered.piece {
            Place::Here(piece) => Ok(*piece),
            Place::Kept(name) => match self.batch.get(&name).await {
                Ok(Some(packet)) => unpack(&packet).map_err(|error| Done::Later(error.to_string())),
                Ok(None) => Err(Done::Gone(format!("{name} is no longer there"))),
                Err(error) => Err(fault(error)),
            },
        }
    }

    /// Does a piece and writes down what it comes to, unless that has been done.
    async fn piecework(&self, lease: &Lease) -> Result<Done, Done> {
        let offered: Offered = unpack(&lease.payload).map_err(|error| Done::Later(error.to_string()))?;
        let item = offered.item.clone();
        let lines = match self.batch.journal.read(&item).await {
            Ok(lines) => lines,
            Err(_) if self.is_over().await => return Ok(unwanted()),
            Err(error) => return Err(fault(error)),
        };
        if !records(&lines).is_empty() {
            return Ok(Done::Whole);
        }
        let last = lines.last().map_or(0, |line| line.sequence);
        let mut writer = self.batch.journal.writer(&item, last, PATIENCE);
        let losses = losses(&lines);
        if losses >= MOST_LOSSES {
            return leave(&mut writer, &format!("{losses} workers had it and were lost")).await;
        }
        writer.mark(Mark::Taken, &self.worker).await.map_err(fault)?;
        let piece = self.piece(offered).await?;
        match self.run(piece).await {
            Ok(lines) => {
                let packet = pack(&lines).map_err(fault)?;
                // Often enough it is not: whoever wanted some floors has them.
                if self.is_over().await {
                    return Ok(unwanted());
                }
                writer.record(&packet).await.map_err(fault)?;
                Ok(Done::Whole)
            }
            Err(TaskError::Stopped) if *self.stop.borrow() => {
                writer.mark(Mark::Back, &self.worker).await.map_err(fault)?;
                Ok(Done::Back)
            }
            Err(TaskError::Stopped) => Ok(unwanted()),
            // So it is for every worker.
            Err(error) => leave(&mut writer, &error.to_string()).await,
        }
    }

    /// Whether the batch is no longer there, and not only out of the sight of a server that starts.
    async fn is_over(&self) -> bool {
        let is_gone = async || matches!(self.batch.journal.last().await, Err(ClusterError::Gone { .. }));
        if !is_gone().await {
            return false;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
        is_gone().await
    }

    /// Does a piece on a thread of its own, as long as it is wanted.
    async fn run(&self, piece: Piece) -> Result<Vec<String>, TaskError> {
        let (task, stop, unwanted) = (self.task.clone(), self.stop.clone(), Arc::new(AtomicBool::new(false)));
        let flag = unwanted.clone();
        let mut running = tokio::task::spawn_blocking(move || {
            let stops = || flag.load(Ordering::Relaxed) || *stop.borrow();
            task.run(&piece, &stops)
        });
        let mut missing = 0;
        loop {
            tokio::select! {
                done = &mut running => {
                    return done.unwrap_or_else(|error| Err(TaskError::Broken(format!("the program broke over it: {error}"))));
                }
                () = tokio::time::sleep(LOOK_EVERY) => match self.batch.journal.last().await {
                    // A server that starts may not have found it yet.
                    Err(ClusterError::Gone { .. }) => {
                        missing += 1;
                        unwanted.store(missing > 1, Ordering::Relaxed);
                    }
                    _ => missing = 0,
                },
            }
        }
    }
}

/// Whoever published it has all that is wanted.
fn unwanted() -> Done {
    Done::Gone("it is no longer wanted".into())
}

/// Leaves a piece that nobody can do, and says why.
async fn leave(writer: &mut JournalWriter, why: &str) -> Result<Done, Done> {
    writer.mark(Mark::Left, why).await.map_err(fault)?;
    Ok(Done::Whole)
}

#[async_trait]
impl Bench for Piecework {
    async fn work(&self, _: &str, lease: &Lease) -> Done {
        self.piecework(lease).await.unwrap_or_else(|done| done)
    }

    fn status(&self) -> Status {
        Status { trouble: self.batch.journal.trouble(), ..Status::default() }
    }
}
