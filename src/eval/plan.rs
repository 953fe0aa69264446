//! From a configuration to the episodes of a batch. `loading` finds what the configuration names; here it is laid out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::config::{AgentKind, Config};
use super::config_file::ConfigFile;
use super::episode::Episode;
use super::floor::BatchFloor;
use super::loading::Loading;
pub use super::loading::WherePlayed;
use super::record::EpisodeKey;
use crate::format::ReadError;
use crate::format::problem::Problems;
use crate::prompt::Prompt;

/// A batch ready to be played.
#[derive(Clone)]
pub struct Plan {
    /// The configuration that it came from.
    pub config: Config,
    /// Where relative paths of the configuration start.
    pub base: PathBuf,
    /// The floors, in the order in which the configuration names them.
    pub floors: Vec<BatchFloor>,
    /// The prompts that model agents play under.
    pub prompts: Vec<Arc<Prompt>>,
    /// The episodes: by floor, agent, prompt and repeat.
    pub episodes: Vec<Entry>,
    /// What should be known, but does not keep the batch from running.
    pub warnings: Vec<String>,
}

/// An episode of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Which of the batch.
    pub key: EpisodeKey,
    /// Its floor, as an index into the plan's.
    pub floor: usize,
    /// Its prompt, as an index into the plan's.
    pub prompt: Option<usize>,
    /// Its agent, as an index into the configuration's.
    pub agent: usize,
}

/// What is wrong with a configuration, with what it names, and with the floors.
#[derive(Debug, thiserror::Error)]
#[error("the configuration cannot be used")]
pub struct PlanError {
    /// The mistakes in the configuration, those included that only show when what it names is loaded.
    pub config: Option<Box<Problems>>,
    /// Floor files that cannot be read.
    pub floors: Vec<ReadError>,
}

impl Plan {
    /// Loads what a configuration names, relative to `base`, and lays out its episodes.
    ///
    /// # Errors
    /// [`PlanError`] with everything that is wrong.
    pub fn new(file: ConfigFile, base: &Path, where_played: WherePlayed) -> Result<Self, PlanError> {
        let mut loading = Loading { file, base, broken: Vec::new(), warnings: Vec::new(), where_played };
        let floors = loading.floors();
        let prompts = loading.prompts();
        loading.agents();
        loading.names(&floors, &prompts);
        loading.render(&floors, &prompts);
        loading.optima(&floors);
        let Loading { file, broken, warnings, .. } = loading;
        let config = match file.problems.into_result(Some(file.config)) {
            Ok(config) if broken.is_empty() => config,
            Ok(_) => return Err(PlanError { config: None, floors: broken }),
            Err(problems) => return Err(PlanError { config: Some(Box::new(problems)), floors: broken }),
        };
        let floors: Vec<BatchFloor> = floors.into_iter().map(|(floor, _)| floor).collect();
        let named: Vec<(&str, &str)> = floors.iter().map(|floor| (floor.name(), floor.hash.as_str())).collect();
        let prompt_names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        let episodes = lay_out(&config, &named, &prompt_names);
        Ok(Plan { config, base: base.to_owned(), floors, prompts, episodes, warnings })
    }

    /// The episode of an entry.
    pub fn episode(&self, index: usize) -> Episode {
        let entry = &self.episodes[index];
        let agent = &self.config.agents[entry.agent];
        let floor = &self.floors[entry.floor];
        let prompt = entry.prompt.map(|prompt| &self.prompts[prompt]);
        let default_override = prompt.is_some_and(|prompt| prompt.overrides);
        Episode {
            index,
            id: entry.id.clone(),
            key: entry.key.clone(),
            game: floor.game.clone(),
            floor_hash: floor.hash.clone(),
            prompt_hash: prompt.map(|prompt| prompt.hash().to_owned()),
            seed: self.config.seed,
            items: self.config.items,
            r#override: agent.r#override.unwrap_or(default_override),
            calls_a_server: agent.kind.reads_prompts(),
            limits: self.config.limits.clone(),
            delay: Duration::from_millis(agent.delay_ms),
            sends_earlier_turns: matches!(&agent.kind, AgentKind::Model(endpoint) if endpoint.history.is_some()),
        }
    }
}

/// The episodes of a configuration on floors of these names and hashes, under prompts of these names.
pub fn lay_out(config: &Config, floors: &[(&str, &str)], prompts: &[&str]) -> Vec<Entry> {
    let mut episodes = Vec::new();
    for (floor_index, (floor, hash)) in floors.iter().enumerate() {
        for (agent_index, agent) in config.agents.iter().enumerate() {
            let conditions: Vec<Option<usize>> = match agent.kind.reads_prompts() {
                true => (0..prompts.len()).map(Some).collect(),
                false => vec![None],
            };
            let repeats = if agent.kind.is_deterministic() { 1 } else { config.repeats };
            for prompt in conditions {
                for repeat in 0..repeats {
                    let key = EpisodeKey {
                        agent: agent.name.clone(),
                        floor: (*floor).to_owned(),
                        prompt: prompt.map_or("none", |prompt| prompts[prompt]).to_owned(),
                        repeat,
                    };
                    let id = key.id(hash);
                    episodes.push(Entry { id, key, floor: floor_index, prompt, agent: agent_index });
                }
            }
        }
    }
    episodes
}
