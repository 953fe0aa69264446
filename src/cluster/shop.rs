//! Which bench the items of a batch are done on.

use std::sync::Arc;

use tokio::sync::watch;

use super::batch::Batch;
use super::bench::{Bench, Myself};
use super::error::ClusterError;
use super::names::Kind;
use super::pieces::piecework::Piecework;
use super::registry::Listed;
use super::run::venue::Venue;

/// The bench of a batch.
///
/// # Errors
/// [`ClusterError`] if the batch is not there or cannot be read.
pub async fn bench(
    listed: &Listed,
    mut batch: Batch,
    myself: &Myself,
    stop: watch::Receiver<bool>,
) -> Result<Arc<dyn Bench>, ClusterError> {
    batch.journal = batch.journal.until(stop.clone());
    match listed.kind {
        Kind::Run => Ok(Arc::new(Venue::open(listed, batch, myself, stop).await?)),
        Kind::Floors | Kind::Towers | Kind::Analysis => Ok(Arc::new(Piecework::open(batch, myself, stop).await?)),
    }
}
