//! Loading what a configuration names (floors, prompts, what agents need), so that everything that is wrong with it is told
//! before anything runs. Knows nothing of episodes.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::config::{AgentConfig, AgentKind, Config, RouteSource};
use super::config_file::ConfigFile;
use super::floor::{BatchFloor, route_source};
use crate::format::name::is_table;
use crate::format::problem::{Problem, quoted};
use crate::format::{self, ReadError};
use crate::game::{ItemMode, Purchase};
use crate::model::key::Key;
use crate::model::{Client, Endpoint, Estimate, Unwatched};
use crate::prompt::{Asks, Naming, Prompt, PromptError, tokens};
use crate::solver::SolveError;

/// A floor and the place of the pattern that named it.
pub(super) type Placed = (BatchFloor, Range<usize>);

/// Where the agents of a batch play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WherePlayed {
    /// In this process: what they need must be here.
    #[default]
    Here,
    /// On other machines, which have the keys of the models.
    Elsewhere,
}

/// The most episodes of a batch.
const MOST_EPISODES: u64 = 1_000_000;

/// What a configuration names, being loaded; mistakes are added to those of the file.
pub(super) struct Loading<'a> {
    /// The configuration with its mistakes so far.
    pub(super) file: ConfigFile,
    /// Where its relative paths start.
    pub(super) base: &'a Path,
    /// Floor files that cannot be read.
    pub(super) broken: Vec<ReadError>,
    /// What should be known.
    pub(super) warnings: Vec<String>,
    /// Where its agents play.
    pub(super) where_played: WherePlayed,
}

impl Loading<'_> {
    fn wrong(&mut self, place: Range<usize>, message: impl Into<String>) {
        self.file.problems.push(Problem::at(place, message));
    }

    /// The floors, in the order in which the configuration names them.
    pub(super) fn floors(&mut self) -> Vec<Placed> {
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
        if tower.has_no_goal() {
            self.warnings.push(format!("{}: nothing in this file wins the game", path.display()));
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
        if found.len() > 1 {
            found.retain(|path| !is_table(path));
        }
        found.sort();
        if found.is_empty() {
            self.wrong(place.clone(), format!("{} matches no file in {}", quoted(pattern), self.base.display()));
        }
        found
    }

    /// The prompts; none if nobody reads them.
    pub(super) fn prompts(&mut self) -> Vec<Arc<Prompt>> {
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
    pub(super) fn agents(&mut self) {
        self.unpriced();
        if let Some(folder) = &self.file.config.cache {
            let path = self.base.join(folder);
            if folder.as_os_str().is_empty() || (path.exists() && !path.is_dir()) {
                self.wrong(self.file.cache.clone(), format!("`cache` must name a folder, {} is none", path.display()));
            }
        }
        let agents: Vec<(AgentConfig, Range<usize>)> =
            self.file.config.agents.clone().into_iter().zip(self.file.agents.clone()).collect();
        for (agent, place) in &agents {
            if let Some(why) = missing(agent, &self.file.config, self.base, self.where_played) {
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

    /// A limit in money says little about calls whose price nobody knows beforehand.
    fn unpriced(&mut self) {
        let limits = &self.file.config.limits;
        if limits.cost_usd.is_none() && limits.run.cost_usd.is_none() {
            return;
        }
        for agent in &self.file.config.agents {
            if matches!(&agent.kind, AgentKind::Model(endpoint) if endpoint.price.is_none()) {
                let name = &agent.name;
                let what =
                    "has no `price`: the limit of cost_usd holds only as far as its provider says what calls cost";
                self.warnings.push(format!("agent `{name}` {what}"));
            }
        }
    }

    /// The names of agent, floor and prompt together must fit the name of a file.
    pub(super) fn names(&mut self, floors: &[Placed], prompts: &[Arc<Prompt>]) {
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

    /// Renders every prompt once for every model, so that a template that fails is told now, and one that is longer than
    /// it may be.
    pub(super) fn render(&mut self, floors: &[Placed], prompts: &[Arc<Prompt>]) {
        let mut failures = self.routeless(floors, prompts);
        if failures.is_empty() {
            for (agent, place) in self.file.config.agents.iter().zip(&self.file.agents) {
                let AgentKind::Model(endpoint) = &agent.kind else { continue };
                let wrong = prompts.iter().filter_map(|prompt| self.unrenderable(endpoint, prompt, floors));
                failures.extend(wrong.map(|why| (place.clone(), format!("agent `{}`: {why}", agent.name))));
            }
        }
        for (place, message) in failures {
            self.wrong(place, message);
        }
        self.tiles_that_name_nothing(floors, prompts);
    }

    /// Floors without the solver's route that a prompt carries.
    fn routeless(&self, floors: &[Placed], prompts: &[Arc<Prompt>]) -> Vec<(Range<usize>, String)> {
        let config = &self.file.config;
        let mut failures: Vec<(Range<usize>, String)> = Vec::new();
        for prompt in prompts {
            for (floor, place) in floors {
                let Err(why) = floor.carried_route(prompt, config.route_source) else { continue };
                let (path, name) = (floor.path.display(), &prompt.name);
                if config.items == ItemMode::Action
                    && route_source(prompt, config.route_source) == Some(RouteSource::Published)
                {
                    // So it is on every floor.
                    failures.push((place.clone(), format!("the prompt `{name}`: {why}")));
                    break;
                }
                failures.push((place.clone(), format!("{path}: the prompt `{name}` carries a solver's route: {why}")));
            }
        }
        failures
    }

    /// Why a prompt cannot be sent to a model before the first decision on some floor.
    fn unrenderable(&self, endpoint: &Endpoint, prompt: &Prompt, floors: &[Placed]) -> Option<String> {
        let first = prompt.asks_first();
        let asked: &[Asks] = if first == Asks::Action { &[Asks::Action] } else { &[Asks::Route, Asks::Action] };
        let estimate = Estimate::new(endpoint);
        for (floor, _) in floors {
            for asks in asked {
                let messages = match floor.prompt_at_start(prompt, endpoint, *asks, &self.file.config) {
                    Ok(messages) => messages,
                    Err(why) => return Some(why),
                };
                let needed = estimate.tokens(tokens::bytes(&messages));
                if let Some(most) = endpoint.prompt_tokens.filter(|most| needed > *most) {
                    let (floor, prompt) = (floor.name(), &prompt.name);
                    let what = format!("the prompt `{prompt}` comes to about {needed} tokens on the floor `{floor}`");
                    return Some(format!("{what}, and prompt_tokens allows {most}"));
                }
            }
        }
        None
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
    pub(super) fn optima(&mut self, floors: &[Placed]) {
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
                Err(SolveError::NotExact(what)) => self.warnings.push(format!(
                    "{path}: the optimum is not known before the values are sought: it has {}, which takes branch and bound",
                    what.trim_end_matches(',')
                )),
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
fn missing(agent: &AgentConfig, config: &Config, base: &Path, where_played: WherePlayed) -> Option<String> {
    match &agent.kind {
        AgentKind::PublishedRoute if config.items == ItemMode::Action => {
            Some("published_route collects items at once; it cannot play with items = \"action\"".into())
        }
        AgentKind::Human => Some("humans play with `mota play FLOOR`; leave this agent out of the batch".into()),
        // What is wrong with the options has been told where they stand.
        AgentKind::Model(endpoint) if endpoint.check().is_empty() => {
            let (endpoint, watch) = ((**endpoint).clone(), Arc::new(Unwatched));
            let client = match where_played {
                WherePlayed::Here => Client::new(&agent.name, endpoint, watch),
                WherePlayed::Elsewhere => Client::with_key(&agent.name, endpoint, Key::none(), watch),
            };
            client.err().map(|error| error.to_string())
        }
        AgentKind::Replay(replay) => {
            let path = base.join(&replay.trace);
            (!path.is_file()).then(|| format!("there is no trace {}", path.display()))
        }
        _ => None,
    }
}
