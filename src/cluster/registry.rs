//! The list of all batches that an account of a NATS server holds, in a key-value bucket. Knows nothing of what is in
//! them.

use std::time::Duration;

use async_nats::jetstream::kv::{self, Store};
use bytes::Bytes;
use futures_util::TryStreamExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{ClusterError, is_contested, is_missing, is_no_message};
use super::link::Link;
use super::names::{Kind, Names, REGISTRY};
use crate::eval::clock;

/// Version of everything that programs say to each other over a server.
pub const PROTOCOL: u32 = 1;

/// A batch, as the list has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// Version of what is said in it.
    pub protocol: u32,
    /// Version of the program that published it.
    pub mota: String,
    /// What kind of work it is.
    pub kind: Kind,
    /// Its name, as people have it.
    pub name: String,
    /// Which publication of it.
    pub incarnation: String,
    /// Which of its publications, from 1: what a worker holds of an earlier one may be out of date.
    #[serde(default)]
    pub publication: u64,
    /// Who does its work: agents, or `@floors` and the like.
    pub doers: Vec<String>,
    /// Seconds of silence after which an item goes to another worker.
    pub lease_s: u64,
    /// Whether there is work to do.
    pub open: bool,
    /// When it was published: RFC 3339, UTC.
    pub published: String,
}

impl Listed {
    /// A batch published by this program now, for the first time, whose doers are still to be named.
    pub fn new(kind: Kind, name: &str, incarnation: String, lease: Duration) -> Self {
        Listed {
            protocol: PROTOCOL,
            mota: env!("CARGO_PKG_VERSION").into(),
            kind,
            name: name.to_owned(),
            incarnation,
            publication: 1,
            doers: Vec::new(),
            lease_s: lease.as_secs().max(1),
            open: true,
            published: clock::now(),
        }
    }

    /// Whether this program may work on it: results must not depend on who did the work.
    pub fn is_ours(&self) -> bool {
        self.protocol == PROTOCOL && self.mota == env!("CARGO_PKG_VERSION")
    }

    /// The names of its parts.
    pub fn names(&self, batch: &str) -> Names {
        Names { batch: batch.to_owned(), incarnation: self.incarnation.clone() }
    }
}

/// The list.
#[derive(Clone)]
pub struct Registry {
    store: Store,
}

impl Registry {
    /// Opens the list, making it if there is none.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn open(link: &Link) -> Result<Self, ClusterError> {
        let store = match link.jetstream.get_key_value(REGISTRY).await {
            Ok(store) => {
                // It is everybody's: who wants less of it for themselves is not to have it on fewer.
                let config = &store.stream.cached_info().config;
                if let Some(servers) = link.replicas.filter(|servers| *servers > config.num_replicas) {
                    link.keep_on(config, servers).await?;
                }
                store
            }
            Err(error) if is_missing(&error) => {
                let config = kv::Config {
                    bucket: REGISTRY.into(),
                    description: "what mota has published here".into(),
                    num_replicas: link.replicas_of_new(),
                    ..kv::Config::default()
                };
                let made = link.jetstream.create_key_value(config).await;
                made.map_err(|error| ClusterError::of("the list of batches", &error))?
            }
            Err(error) => return Err(ClusterError::of("the list of batches", &error)),
        };
        Ok(Registry { store })
    }

    /// A batch and the number of its last change; nothing if it is not listed. Asks whoever leads the list's stream: of a
    /// cluster's servers another one may lag behind.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn get(&self, batch: &str) -> Result<Option<(Listed, u64)>, ClusterError> {
        let subject = format!("$KV.{REGISTRY}.{batch}");
        let message = match self.store.stream.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => message,
            Err(error) if is_no_message(&error) => return Ok(None),
            Err(error) => return Err(ClusterError::of("the list of batches", &error)),
        };
        // What was removed leaves an empty message that says so.
        if message.headers.get("KV-Operation").is_some() {
            return Ok(None);
        }
        let listed = serde_json::from_slice(&message.payload).map_err(|error| ClusterError::Unreadable {
            what: format!("the batch {batch} in the list of the NATS server"),
            why: error.to_string(),
        })?;
        Ok(Some((listed, message.sequence)))
    }

    /// The ids of all batches, in order.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn ids(&self) -> Result<Vec<String>, ClusterError> {
        let failed = |error: &(dyn std::error::Error + 'static)| ClusterError::of("the list of batches", error);
        let keys = self.store.keys().await.map_err(|error| failed(&error))?;
        let mut keys: Vec<String> = keys.try_collect().await.map_err(|error| failed(&error))?;
        keys.sort_unstable();
        Ok(keys)
    }

    /// All batches by id, with the number of each one's last change. What this program cannot read is passed over: it is
    /// another version's.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn all(&self) -> Result<Vec<(String, Listed, u64)>, ClusterError> {
        let mut all = Vec::new();
        for key in self.ids().await? {
            match self.get(&key).await {
                Ok(Some((listed, revision))) => all.push((key, listed, revision)),
                Ok(None) => {}
                Err(ClusterError::Unreadable { what, why }) => tracing::debug!("{what}: {why}"),
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }

    /// The number of the last change in the list.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn changes(&self) -> Result<u64, ClusterError> {
        let info = self.store.stream.get_info().await;
        Ok(info.map_err(|error| ClusterError::of("the list of batches", &error))?.state.last_sequence)
    }

    /// Lists a batch, or what has changed of it; gives the number of the change.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn put(&self, batch: &str, listed: &Listed) -> Result<u64, ClusterError> {
        let put = self.store.put(batch, text(listed)?).await;
        put.map_err(|error| ClusterError::of("the list of batches", &error))
    }

    /// Changes what is listed of a batch, unless somebody else has changed it after this number. Says whether it did.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn update(&self, batch: &str, listed: &Listed, revision: u64) -> Result<bool, ClusterError> {
        match self.store.update(batch, text(listed)?, revision).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision || is_contested(&error) => Ok(false),
            Err(error) => Err(ClusterError::of("the list of batches", &error)),
        }
    }

    /// Takes a batch out of the list.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn remove(&self, batch: &str) -> Result<(), ClusterError> {
        self.store.purge(batch).await.map_err(|error| ClusterError::of("the list of batches", &error))
    }
}

fn text(listed: &Listed) -> Result<Bytes, ClusterError> {
    let text = serde_json::to_vec(listed).map_err(|error| ClusterError::of("the list of batches", &error))?;
    Ok(Bytes::from(text))
}
