//! Which bench the items of a batch are done on.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use super::batch::Batch;
use super::bench::Bench;
use super::error::ClusterError;
use super::names::Kind;
use super::registry::Listed;
use super::venue::{Myself, Venue};
use crate::eval::lineup::local_limits;
use crate::eval::plan::Plan;
use crate::model::Spending;

/// The bench of a batch.
///
/// # Errors
/// [`ClusterError`] if the batch is not there or cannot be read.
pub async fn bench(
    listed: &Listed,
    batch: Batch,
    myself: &Myself,
    stop: watch::Receiver<bool>,
) -> Result<Arc<dyn Bench>, ClusterError> {
    match listed.kind {
        Kind::Run => {
            let limits = async |_: &Batch, parcel: &super::parcel::Parcel| {
                let config = parcel.manifest.config.clone();
                let (floors, prompts, episodes, warnings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
                let plan = Plan { config, base: ".".into(), floors, prompts, episodes, warnings };
                Ok((local_limits(&plan, Spending::default()), BTreeMap::new()))
            };
            Ok(Arc::new(Venue::open(batch, myself, limits, stop).await?))
        }
        other => Err(ClusterError::Unreadable {
            what: format!("a batch of {}", other.name()),
            why: "this program does no such work".into(),
        }),
    }
}
