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
    let mut taken_up = None;
    if let Some(known) = known.as_ref().filter(|_| !publishing.fresh) {
        same_version(known)?;
        match Batch::open(link, known.names(id), publishing.lease).await {
            Ok(batch) => {
                if let Some(text) = batch.get(PARCEL).await? {
                    same_run(&Parcel::read(&text)?.manifest, &parcel.manifest)?;
                }
                taken_up = Some((known.incarnation.clone(), batch));
            }
            Err(ClusterError::Gone { what, why }) => {
                tracing::warn!(
                    "{what} is no longer on the NATS server ({why}); the run is published anew from its folder"
                );
            }
            Err(error) => return Err(error),
        }
    }
    let doers: Vec<String> = plan.config.agents.iter().map(|agent| agent.name.clone()).collect();
    let (incarnation, batch) = match taken_up {
        Some(there) => there,
        None => {
            let stale = Names { batch: id.to_owned(), incarnation: String::new() };
            Batch::remove(link, &stale).await?;
            let incarnation = link.token();
            let names = Names { batch: id.to_owned(), incarnation: incarnation.clone() };
            (incarnation, Batch::make(link, names, publishing.lease).await?)
        }
    };
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
