//! From a configuration to the episodes of a batch: loads floors and prompts, and tells everything that is wrong with
//! them before anything runs.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::config::{AgentConfig, AgentKind, Config};
use super::config_file::ConfigFile;
use super::episode::{Episode, trace_path};
use super::floor::BatchFloor;
use super::record::EpisodeKey;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::{self, ReadError};
use crate::game::{ItemMode, Purchase};
use crate::model::{Client, Unwatched};
use crate::prompt::{Naming, Observation, Prompt, PromptError};

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
    pub fn new(file: ConfigFile, base: &Path) -> Result<Self, PlanError> {
        let mut loading = Loading { file, base, broken: Vec::new(), warnings: Vec::new() };
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

    /// The episode of an entry, in a run's folder.
    pub fn episode(&self, index: usize, folder: &Path) -> Episode {
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
            path: trace_path(folder, &entry.id),
        }
    }
}

/// A floor and the place of the pattern that named it.
type Placed = (BatchFloor, Range<usize>);

/// The most episodes of a batch.
const MOST_EPISODES: u64 = 1_000_000;

/// What a configuration names, being loaded; mistakes are added to those of the file.
struct Loading<'a> {
    file: ConfigFile,
    base: &'a Path,
    broken: Vec<ReadError>,
    warnings: Vec<String>,
}

impl Loading<'_> {
    fn wrong(&mut self, place: Range<usize>, message: impl Into<String>) {
        self.file.problems.push(Problem::at(place, message));
    }

    fn floors(&mut self) -> Vec<Placed> {
        let mut floors: Vec<Placed> = Vec::new();
        let mut seen: Vec<PathBuf> = Vec::new();
        let patterns: Vec<(String, Range<usize>)> =
            self.file.config.floors.clone().into_iter().zip(self.file.floors.clone()).collect();
        for (pattern, place) in patterns {
            for path in self.matches(&pattern, &place) {
                if !seen.contains(&path) {
                    seen.push(path.clone());
                    self.floor(path, &place, &mut floors);
                }
            }
        }
        floors
    }

    fn floor(&mut self, path: PathBuf, place: &Range<usize>, floors: &mut Vec<Placed>) {
        let tower = match format::read_tower(&path) {
            Ok(tower) => tower,
            Err(error) => return self.broken.push(error),
        };
        if let Some((first, _)) = floors.iter().find(|(floor, _)| floor.name() == tower.name) {
            let message = format!("{} and {} are both named `{}`", first.path.display(), path.display(), tower.name);
            return self.wrong(place.clone(), message);
        }
        match BatchFloor::new(tower, path.clone(), self.file.config.items) {
            Ok(floor) => floors.push((floor, place.clone())),
            Err(why) => self.wrong(place.clone(), format!("{}: {why}", path.display())),
        }
    }

    /// The files of a pattern, in order of their names.
    fn matches(&mut self, pattern: &str, place: &Range<usize>) -> Vec<PathBuf> {
        // Only the configuration's own part is a pattern; brackets in the name of a folder above it are just that.
        let whole = match Path::new(pattern).is_absolute() {
            true => pattern.to_owned(),
            false => format!("{}/{pattern}", glob::Pattern::escape(&self.base.display().to_string())),
        };
        let paths = match glob::glob(&whole) {
            Ok(paths) => paths,
            Err(error) => {
                self.wrong(place.clone(), format!("{} is not a pattern: {error}", quoted(pattern)));
                return Vec::new();
            }
        };
        let mut found: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
        found.sort();
        if found.is_empty() {
            self.wrong(place.clone(), format!("{} matches no file in {}", quoted(pattern), self.base.display()));
        }
        found
    }

    fn prompts(&mut self) -> Vec<Arc<Prompt>> {
        let mut prompts: Vec<Arc<Prompt>> = Vec::new();
        if !self.file.config.agents.iter().any(|agent| agent.kind.reads_prompts()) {
            return prompts;
        }
        let names = self.file.config.prompts.clone();
        let mut places = self.file.prompts.clone();
        places.resize(names.len(), 0..0);
        if names.is_empty() {
            self.wrong(0..0, "a model agent plays, but `prompts` names none");
        }
        for (name, place) in names.iter().zip(places) {
            match find_prompt(name, self.base) {
                Ok(prompt) if prompt.name == "none" => {
                    self.wrong(place, "a prompt cannot be named `none`: that stands for agents that read none");
                }
                Ok(prompt) if prompts.iter().any(|known| known.name == prompt.name) => {
                    self.wrong(place, format!("two prompts are named `{}`", prompt.name));
                }
                Ok(prompt) => prompts.push(Arc::new(prompt)),
                Err(error) => self.wrong(place, error.to_string()),
            }
        }
        prompts
    }

    /// What agents need from outside must be there.
    fn agents(&mut self) {
        let agents: Vec<(AgentConfig, Range<usize>)> =
            self.file.config.agents.clone().into_iter().zip(self.file.agents.clone()).collect();
        for (agent, place) in &agents {
            if let Some(why) = missing(agent, &self.file.config, self.base) {
                self.wrong(place.clone(), format!("agent `{}`: {why}", agent.name));
            }
            let repeats = if agent.kind.is_deterministic() { 1 } else { u64::from(self.file.config.repeats) };
            if repeats > MOST_EPISODES {
                let message = format!("agent `{}` would play {repeats} episodes a floor", agent.name);
                let problem = Problem::at(place.clone(), message);
                self.file
                    .problems
                    .push(problem.with_help(format!("`repeats` of at most {MOST_EPISODES} is supported")));
            }
        }
    }

    /// The names of agent, floor and prompt together must fit the name of a file.
    fn names(&mut self, floors: &[Placed], prompts: &[Arc<Prompt>]) {
        /// Bytes of a file's name, less repeat, hash and ending.
        const MOST: usize = 255 - 40;
        let floor = floors.iter().map(|(floor, _)| floor.name().len()).max().unwrap_or(0);
        let prompt = prompts.iter().map(|prompt| prompt.name.len()).max().unwrap_or(4);
        for index in 0..self.file.config.agents.len().min(self.file.agents.len()) {
            let agent = self.file.config.agents[index].name.len();
            if agent + floor + prompt > MOST {
                let message = format!("the names of agent, floor and prompt have more than {MOST} letters together");
                self.wrong(self.file.agents[index].clone(), message);
            }
        }
    }

    /// Renders every prompt once for every model, so that a template that fails is told now.
    fn render(&mut self, floors: &[Placed], prompts: &[Arc<Prompt>]) {
        let turns = Some(self.file.config.limits.turns);
        let Some(observation) =
            floors.first().and_then(|(floor, _)| Observation::of(&floor.game, &floor.start, turns, &[]).ok())
        else {
            return;
        };
        let mut failures: Vec<(Range<usize>, String)> = Vec::new();
        for (agent, place) in self.file.config.agents.iter().zip(&self.file.agents) {
            let AgentKind::Model(endpoint) = &agent.kind else { continue };
            for prompt in prompts {
                if let Err(error) = prompt.render(&observation, endpoint.answer) {
                    failures.push((place.clone(), format!("agent `{}`: {error}", agent.name)));
                }
            }
        }
        for (place, message) in failures {
            self.wrong(place, message);
        }
        self.tiles_that_name_nothing(floors, prompts);
    }

    /// Where answers name tiles, a shop that sells several things leaves open which.
    fn tiles_that_name_nothing(&mut self, floors: &[Placed], prompts: &[Arc<Prompt>]) {
        let sells_several = |floor: &BatchFloor| {
            let shop = floor.game.tower().shop.as_ref();
            shop.is_some_and(|shop| Purchase::ALL.into_iter().filter(|what| shop.amount(*what) > 0).count() > 1)
        };
        for prompt in prompts.iter().filter(|prompt| prompt.naming == Naming::Target) {
            for (floor, place) in floors.iter().filter(|(floor, _)| sells_several(floor)) {
                let what = "has answers name tiles, and the shop of this floor sells several things at one";
                self.wrong(place.clone(), format!("{}: the prompt `{}` {what}", floor.path.display(), prompt.name));
            }
        }
    }

    /// A floor proven unwinnable is an error, one whose optimum is not known a warning. The floors are solved side by
    /// side.
    fn optima(&mut self, floors: &[Placed]) {
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(floors.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((floor, _)) = floors.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // Kept by the floor; read below, in the order of the plan.
                        let _ = floor.optimum();
                    }
                });
            }
        });
        for (floor, place) in floors {
            let path = floor.path.display();
            match floor.optimum() {
                Ok(Some(_)) => {}
                Ok(None) => self.wrong(place.clone(), format!("{path}: the boss cannot be defeated on this floor")),
                Err(error) => self.warnings.push(format!("{path}: the optimum is not known: {error}")),
            }
        }
    }
}

/// A prompt by its built-in name, or from a file of the user's.
fn find_prompt(name: &str, base: &Path) -> Result<Prompt, PromptError> {
    match Prompt::names().contains(&name) || !name.ends_with(".md") {
        true => Prompt::builtin(name),
        false => Prompt::read(&base.join(name)),
    }
}

/// What an agent needs that is not there.
fn missing(agent: &AgentConfig, config: &Config, base: &Path) -> Option<String> {
    match &agent.kind {
        AgentKind::PublishedRoute if config.items == ItemMode::Action => {
            Some("published_route collects items at once; it cannot play with items = \"action\"".into())
        }
        // What is wrong with the options has been told where they stand.
        AgentKind::Model(endpoint) if endpoint.check().is_empty() => {
            let client = Client::new(&agent.name, (**endpoint).clone(), Arc::new(Unwatched));
            client.err().map(|error| error.to_string())
        }
        AgentKind::Replay(replay) => {
            let path = base.join(&replay.trace);
            (!path.is_file()).then(|| format!("there is no trace {}", path.display()))
        }
        _ => None,
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
