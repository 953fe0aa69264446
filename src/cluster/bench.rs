//! Where a worker does the items of one batch, whatever they are.

use std::time::Duration;

use async_trait::async_trait;

use super::error::ClusterError;
use super::lease::Lease;
use super::status::Status;

/// Does the items of one batch.
#[async_trait]
pub trait Bench: Send + Sync {
    /// Does an item, or goes on with it.
    async fn work(&self, doer: &str, lease: &Lease) -> Done;

    /// Items of this doer's that are worth doing at once here: more would only wait for each other.
    fn room(&self, _: &str) -> usize {
        usize::MAX
    }

    /// How it is going: calls that are on their way or wait.
    fn status(&self) -> Status;

    /// Nothing more is done here: what is still to be told the server is told.
    async fn close(&self) {}
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is whole, or left open for good: nobody is to get it again.
    Whole,
    /// It goes back to the others: we are being stopped.
    Back,
    /// It goes back to the others after a while: something is wrong here or with the server, in words.
    Later(String),
    /// Somebody else has it.
    Lost,
    /// Who should do it cannot do so here: it goes back to the others, and we take no more of this doer's. Why, in words.
    CannotHere(String),
    /// It is of a later publication than what we hold of the batch: it goes back, and the list is looked at.
    Stale,
    /// What is stored of it cannot be gone on with, by anybody, in words.
    Broken(String),
    /// The batch is no longer there, in words.
    Gone(String),
}

/// What a worker is, to those who follow.
#[derive(Clone, Debug)]
pub struct Myself {
    /// Its name: host and process unless given.
    pub name: String,
    /// Whether it starts the programs of `command` agents, which whoever publishes a run names.
    pub runs_commands: bool,
}

/// How long a record waits for a server that is away or full. Its item is not given up before.
pub(super) const PATIENCE: Duration = Duration::from_secs(24 * 3_600);
/// How often an item may be lost at one and the same place before it is left open: whoever does it seems to die of it.
pub(super) const MOST_LOSSES: usize = 10;

/// What an error of the server means for an item.
pub(super) fn fault(error: ClusterError) -> Done {
    match error {
        ClusterError::Moved { .. } => Done::Lost,
        ClusterError::Gone { .. } => Done::Gone(error.to_string()),
        error => Done::Later(error.to_string()),
    }
}
