//! A run put on a NATS server, or taken up as it is there. Knows nothing of how it is followed.

use std::time::{Duration, Instant};

use super::follower::Publishing;
use super::parcel::{PARCEL, Parcel};
use crate::cluster::batch::Batch;
use crate::cluster::contest::{Attempt, at_once, publish_in_peace};
use crate::cluster::error::ClusterError;
use crate::cluster::link::Link;
use crate::cluster::names::{Kind, Names};
use crate::cluster::registry::{Listed, Registry};
use crate::eval::manifest::{Manifest, differences};
use crate::eval::plan::Plan;

/// A run that is on a server.
pub(super) struct Published {
    pub(super) batch: Batch,
    pub(super) listed: Listed,
    /// The number of its change in the list.
    pub(super) revision: u64,
}

/// For how long journals are sought that should be there: a server that starts may not have found them yet.
const SOUGHT: Duration = Duration::from_secs(5);

/// Publishes a run under an id, or takes up the one that is there, unless a folder `follows` another publication of it. Of
/// two who do so at once one comes second, and takes up what the other has published.
pub(super) async fn publish(
    link: &Link,
    registry: &Registry,
    id: &str,
    plan: &Plan,
    publishing: Publishing,
    follows: Option<&str>,
) -> Result<Published, ClusterError> {
    publish_in_peace(async |which| attempt(link, registry, id, plan, publishing, (follows, which)).await).await
}

async fn attempt(
    link: &Link,
    registry: &Registry,
    id: &str,
    plan: &Plan,
    publishing: Publishing,
    (follows, which): (Option<&str>, Attempt),
) -> Result<Published, ClusterError> {
    let (parcel, beside) = Parcel::pack(plan)?;
    let known = registry.get(id).await?.map(|(listed, _)| listed);
    let names = |incarnation: String| Names { batch: id.to_owned(), incarnation };
    if publishing.fresh && which.first {
        Batch::remove(link, &names(String::new())).await?;
    } else if !publishing.fresh {
        known.as_ref().map_or(Ok(()), same_version)?;
    }
    // The journals hold what was played and paid for: where they are, the run is taken up, whatever else was lost.
    let there = journals(link, id, known.is_some() && !publishing.fresh).await?;
    // What somebody else has published anew is another run: the records of one have no place in the other's folder.
    if there.as_deref().zip(follows).is_some_and(|(there, follows)| there != follows) {
        return Err(ClusterError::Republished { name: plan.config.name.clone() });
    }
    let incarnation = match &there {
        Some(incarnation) => incarnation.clone(),
        None => {
            if known.is_some() && !publishing.fresh {
                let what = "the journals of this run are no longer on the NATS server";
                tracing::warn!("{what}; it is published anew from its folder");
            }
            link.token()
        }
    };
    let mut batch = Batch::make(link, names(incarnation.clone()), publishing.lease).await?;
    if there.is_some() {
        match batch.get(PARCEL).await? {
            Some(text) => same_run(&Parcel::read(&text)?.manifest, &parcel.manifest)?,
            // Who publishes it may be about to say what it is; or did not live to do so.
            None if !which.last => return Err(at_once(format!("the run {id}"))),
            None => {}
        }
        match &known {
            // What was offered before the list was lost is of publications that nobody knows any more.
            None => batch.clear().await?,
            // Workers renew what they have as often as its lease wanted when they took it.
            Some(known) if batch.waiting().await? > 0 => {
                batch.lease = batch.lease.max(Duration::from_secs(known.lease_s));
            }
            Some(_) => {}
        }
    }
    let doers: Vec<String> = plan.config.agents.iter().map(|agent| agent.name.clone()).collect();
    for doer in &doers {
        batch.queue(doer).await?;
    }
    // The floors first, so that whoever sees the run finds them.
    batch.put_all(beside).await?;
    batch.put(PARCEL, &parcel.text()?).await?;
    let publication = known.map_or(0, |known| known.publication) + 1;
    let listed = Listed::new(Kind::Run, &plan.config.name, incarnation, batch.lease);
    let listed = Listed { doers, publication, ..listed };
    let revision = registry.put(id, &listed).await?;
    Ok(Published { batch, listed, revision })
}

/// Which publication of a run the server holds the journals of; where they should be there they are sought for a while.
async fn journals(link: &Link, id: &str, expected: bool) -> Result<Option<String>, ClusterError> {
    let began = Instant::now();
    loop {
        let there = Batch::incarnation(link, id).await?;
        if there.is_some() || !expected || began.elapsed() >= SOUGHT {
            return Ok(there);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
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
