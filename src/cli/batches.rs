//! `mota batches`: what is published on a NATS server.

use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::nats::AccessArgs;
use super::runtime::{Interrupts, Words};
use super::{Exit, Failure, output};
use crate::cluster::{Batch, ClusterError, Link, Listed, Names, Registry};

/// Arguments of `mota batches`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota batches --nats nats://queue:4222
  mota batches --nats nats://queue:4222 --remove run-complex-rerun

A run stays on the server until it is removed: another machine may still want to follow it. What its folder holds stays \
there. Removing a run that is being played stops it; `mota run --nats` publishes it anew from the folder.")]
pub struct BatchesArgs {
    /// The NATS server
    #[arg(long, value_name = "URL", env = "NATS_URL", hide_env_values = true, help_heading = "NATS")]
    nats: String,
    #[command(flatten)]
    access: AccessArgs,
    /// Remove a batch from the server; repeat for several
    #[arg(long, value_name = "BATCH")]
    remove: Vec<String>,
    /// Print JSON (its schema: mota schema batches)
    #[arg(long)]
    json: bool,
}

/// A batch on a server.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BatchEntry {
    /// Its id.
    batch: String,
    /// What is known of it.
    #[serde(flatten)]
    listed: Option<Listed>,
    /// Items that wait or are being done; null if it is not all there.
    items: Option<u64>,
    /// Bytes that the server keeps of it; null if it is not all there.
    bytes: Option<u64>,
}

impl BatchesArgs {
    /// Lists or removes batches.
    pub fn run(self) -> Result<Exit, Failure> {
        let interrupts = Interrupts::new(Words::FOLLOWING)?;
        interrupts.nothing_left();
        let access = self.access.to(&self.nats)?;
        interrupts.runtime.block_on(async {
            let link = access.connect("mota batches").await?;
            let registry = Registry::open(&link).await?;
            match self.remove.is_empty() {
                true => self.list(&link, &registry).await,
                false => self.remove(&link, &registry).await,
            }
        })
    }

    async fn list(&self, link: &Link, registry: &Registry) -> Result<Exit, Failure> {
        let mut entries = Vec::new();
        let mut unlisted = Batch::ids(link).await?;
        for (batch, listed, _) in registry.all().await? {
            unlisted.remove(&batch);
            let open = Batch::open(link, listed.names(&batch), Duration::from_secs(listed.lease_s)).await;
            let size = match open {
                Ok(open) => open.size().await,
                Err(error) => Err(error),
            };
            // One may be removed while they are listed.
            let size = match size {
                Ok(size) => Some(size),
                Err(ClusterError::Gone { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            let (bytes, items) = size.unzip();
            entries.push(BatchEntry { batch, listed: Some(listed), items, bytes });
        }
        entries.extend(unlisted.into_iter().map(|batch| BatchEntry { batch, listed: None, items: None, bytes: None }));
        if self.json {
            output::json(&entries)?;
            return Ok(Exit::Done);
        }
        let mut text = String::new();
        for BatchEntry { batch, listed, items, bytes } in &entries {
            let Some(listed) = listed else {
                text +=
                    &format!("{batch}  the list does not know it: what is left of a batch, or of another version\n");
                continue;
            };
            let state = match (items, listed.open) {
                (None, _) => "not all of it is there".into(),
                (Some(0), false) => "nothing to do".into(),
                (Some(items), _) => format!("{items} to do"),
            };
            let size = bytes.map(|bytes| format!(", {}", indicatif::HumanBytes(bytes))).unwrap_or_default();
            text += &format!("{batch}  {state}{size}, published {}\n", listed.published);
        }
        if entries.is_empty() {
            text = format!("nothing is published on {}\n", link.url);
        }
        output::text(&text)?;
        Ok(Exit::Done)
    }

    async fn remove(&self, link: &Link, registry: &Registry) -> Result<Exit, Failure> {
        let mut known = Batch::ids(link).await?;
        known.extend(registry.ids().await?);
        if let Some(unknown) = self.remove.iter().find(|batch| !known.contains(*batch)) {
            let ids: Vec<&str> = known.iter().map(String::as_str).collect();
            let there = if ids.is_empty() { "nothing".into() } else { ids.join(", ") };
            let why = format!("there is no batch `{unknown}` on {}; there is {there}", link.url);
            return Err(Failure::bad_input(why));
        }
        let mut text = String::new();
        for batch in &self.remove {
            let names = Names { batch: batch.clone(), incarnation: String::new() };
            Batch::remove(link, &names).await?;
            registry.remove(batch).await?;
            text += &format!("removed {batch}\n");
        }
        output::text(&text)?;
        Ok(Exit::Done)
    }
}
