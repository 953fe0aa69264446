//! A run put on a NATS server, or taken up as it is there. Knows nothing of how it is followed.

use super::follower::Publishing;
use super::parcel::{PARCEL, Parcel};
use crate::cluster::batch::Batch;
use crate::cluster::error::ClusterError;
use crate::cluster::link::Link;
use crate::cluster::names::{Kind, Names};
use crate::cluster::registry::{Listed, PROTOCOL, Registry};
use crate::eval::clock;
use crate::eval::manifest::{Manifest, differences};
use crate::eval::plan::Plan;

/// Publishes a run under an id, or takes up the one that is there.
pub(super) async fn publish(
    link: &Link,
    registry: &Registry,
    id: &str,
    plan: &Plan,
    publishing: Publishing,
) -> Result<(Batch, Listed), ClusterError> {
    let (parcel, beside) = Parcel::pack(plan)?;
    let known = registry.get(id).await?.map(|(listed, _)| listed);
    // The journals hold what was played and paid for: where they are, the run is taken up, whatever else was lost.
    let there = match publishing.fresh {
        true => None,
        false => Batch::incarnation(link, id).await?,
    };
    if !publishing.fresh {
        known.as_ref().map_or(Ok(()), same_version)?;
    }
    let names = |incarnation: String| Names { batch: id.to_owned(), incarnation };
    let batch = match &there {
        Some(incarnation) => {
            let batch = Batch::make(link, names(incarnation.clone()), publishing.lease).await?;
            if let Some(text) = batch.get(PARCEL).await? {
                same_run(&Parcel::read(&text)?.manifest, &parcel.manifest)?;
            }
            batch
        }
        None => {
            if !publishing.fresh && known.is_some() {
                tracing::warn!(
                    "the journals of this run are no longer on the NATS server; it is published anew from its folder"
                );
            }
            Batch::remove(link, &names(String::new())).await?;
            Batch::make(link, names(link.token()), publishing.lease).await?
        }
    };
    let incarnation = batch.names.incarnation.clone();
    let doers: Vec<String> = plan.config.agents.iter().map(|agent| agent.name.clone()).collect();
    for doer in &doers {
        batch.queue(doer).await?;
    }
    // The floors first, so that whoever sees the run finds them.
    batch.put_all(beside).await?;
    batch.put(PARCEL, &parcel.text()?).await?;
    let listed = Listed {
        protocol: PROTOCOL,
        mota: env!("CARGO_PKG_VERSION").into(),
        kind: Kind::Run,
        name: plan.config.name.clone(),
        incarnation,
        doers,
        lease_s: publishing.lease.as_secs().max(1),
        open: true,
        published: clock::now(),
    };
    registry.put(id, &listed).await?;
    Ok((batch, listed))
}

fn same_version(known: &Listed) -> Result<(), ClusterError> {
    if known.is_ours() {
        return Ok(());
    }
    let (theirs, ours) = (&known.mota, env!("CARGO_PKG_VERSION"));
    let why =
        format!("it was published by mota {theirs}, and this is {ours}; go on with that, or begin anew (--fresh)");
    Err(ClusterError::Unreadable { what: format!("the run `{}` on the NATS server", known.name), why })
}

fn same_run(known: &Manifest, now: &Manifest) -> Result<(), ClusterError> {
    let differences = differences(known, now);
    match differences.is_empty() {
        true => Ok(()),
        false => Err(ClusterError::Different { name: now.config.name.clone(), differences }),
    }
}
