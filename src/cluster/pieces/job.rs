//! Work in pieces as a batch on a server: published, or taken up where it is there. Knows nothing of the pieces.

use std::time::Duration;

use super::piecework::SHARED;
use super::task::Shared;
use crate::cluster::batch::Batch;
use crate::cluster::contest::publish_in_peace;
use crate::cluster::error::ClusterError;
use crate::cluster::link::Link;
use crate::cluster::names::{Kind, Names, hash_digits};
use crate::cluster::registry::{Listed, Registry};

/// What is to be done in pieces.
pub struct Job<'j> {
    /// What kind of work it is.
    pub kind: Kind,
    /// Its name for people.
    pub name: String,
    /// What its pieces share.
    pub shared: &'j Shared,
    /// What tells it apart from other work that shares the same.
    pub inputs: &'j [u8],
    /// Silence after which a piece goes to another worker.
    pub lease: Duration,
}

/// Publishes a job, or takes up the one that is there. Of two who do so at once one comes second, and finds it.
pub(super) async fn publish(link: &Link, registry: &Registry, job: &Job<'_>) -> Result<Batch, ClusterError> {
    publish_in_peace(async |_| attempt(link, registry, job).await).await
}

async fn attempt(link: &Link, registry: &Registry, job: &Job<'_>) -> Result<Batch, ClusterError> {
    let shared = serde_json::to_vec(job.shared).map_err(|error| ClusterError::of("packing work", &error))?;
    let digits = hash_digits(&[&shared, &[0][..], job.inputs].concat(), 16);
    let id = format!("{}-{digits}", job.kind.name());
    if let Some((listed, _)) = registry.get(&id).await?.filter(|(listed, _)| listed.is_ours() && listed.open) {
        match Batch::open(link, listed.names(&id), job.lease).await {
            Ok(batch) => {
                Batch::keep_on_servers(link, &batch.names).await?;
                if batch.get(SHARED).await?.is_some_and(|known| known == shared) {
                    return Ok(batch);
                }
            }
            Err(ClusterError::Gone { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let names = Names { batch: id.clone(), incarnation: link.token() };
    Batch::remove(link, &names).await?;
    let doer = job.kind.doer();
    let batch = Batch::make(link, names.clone(), job.lease).await?;
    batch.queue(&doer).await?;
    batch.put(SHARED, &shared).await?;
    let listed = Listed::new(job.kind, &job.name, names.incarnation, job.lease);
    registry.put(&id, &Listed { doers: vec![doer], ..listed }).await?;
    Ok(batch)
}
