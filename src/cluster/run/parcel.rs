//! What a worker needs to play the episodes of a run: made of a plan where it is published, unpacked where it is played.
//! Holds no keys: they stay where they are.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cluster::error::ClusterError;
use crate::eval::config::{AgentKind, is_name};
use crate::eval::floor::hash;
use crate::eval::manifest::Manifest;
use crate::eval::plan::{Entry, Plan};
use crate::eval::record::EpisodeKey;

/// Under which name a batch keeps its parcel.
pub const PARCEL: &str = "run.json";

/// A run, apart from its floors, each of which is kept by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// The run.
    pub manifest: Manifest,
    /// The texts of its prompts, by name.
    pub prompts: BTreeMap<String, String>,
    /// Under which names the traces are kept that `replay` agents play, by agent.
    pub replays: BTreeMap<String, String>,
}

/// An episode, as a worker is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Which publication of the run offered it.
    pub publication: u64,
    /// Which of the run.
    #[serde(flatten)]
    pub key: EpisodeKey,
    /// SHA-256 of its floor.
    pub floor_hash: String,
}

impl Item {
    /// The episode of an entry of a plan.
    pub fn of(plan: &Plan, entry: &Entry, publication: u64) -> Self {
        Item { publication, key: entry.key.clone(), floor_hash: plan.floors[entry.floor].hash.clone() }
    }
}

/// Under which name a floor is kept.
pub fn floor_name(hash: &str) -> String {
    format!("floors/{hash}")
}

/// A run's parcel, and what is kept beside it: names and contents.
pub type Packed = (Parcel, Vec<(String, Vec<u8>)>);

impl Parcel {
    /// Packs what a plan's episodes need.
    ///
    /// # Errors
    /// [`ClusterError::Io`] if a trace that is to be replayed cannot be read.
    pub fn pack(plan: &Plan) -> Result<Packed, ClusterError> {
        let mut beside: Vec<(String, Vec<u8>)> =
            plan.floors.iter().map(|floor| (floor_name(&floor.hash), floor.text.as_bytes().to_vec())).collect();
        let mut replays = BTreeMap::new();
        for agent in &plan.config.agents {
            let AgentKind::Replay(replay) = &agent.kind else { continue };
            let path = plan.base.join(&replay.trace);
            let text = std::fs::read(&path).map_err(|source| ClusterError::Io { path, source })?;
            let name = format!("traces/{}", hash(&String::from_utf8_lossy(&text)));
            replays.insert(agent.name.clone(), name.clone());
            beside.push((name, text));
        }
        let prompts = plan.prompts.iter().map(|prompt| (prompt.name.clone(), prompt.text().to_owned())).collect();
        Ok((Parcel { manifest: Manifest::of(plan), prompts, replays }, beside))
    }

    /// Reads a parcel.
    ///
    /// # Errors
    /// [`ClusterError::Unreadable`].
    pub fn read(text: &[u8]) -> Result<Self, ClusterError> {
        let wrong = |why: String| ClusterError::Unreadable { what: "the run on the NATS server".into(), why };
        let parcel: Parcel = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        // Names become those of files; whoever published it may be anybody.
        match parcel.manifest.config.agents.iter().find(|agent| !is_name(&agent.name)) {
            Some(agent) => Err(wrong(format!("`{}` is no name of an agent", agent.name))),
            None => Ok(parcel),
        }
    }

    /// The parcel as it is kept.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub fn text(&self) -> Result<Vec<u8>, ClusterError> {
        serde_json::to_vec(self).map_err(|error| ClusterError::of("packing the run", &error))
    }
}

/// Where a trace that is to be replayed lies in a folder of the worker's own.
pub(super) fn replay_path(folder: &Path, agent: &str) -> std::path::PathBuf {
    folder.join(format!("{agent}.jsonl"))
}
