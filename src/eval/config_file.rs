//! Reading the file that describes a batch, so that everything that is wrong with it is told at once. Knows nothing of
//! what its names stand for: `plan` loads that, and adds its mistakes to these.

use std::ops::Range;

use serde::Deserialize;

use super::config::{AgentConfig, AgentKind, Concurrency, Config, KINDS, Limits, LookaheadConfig, RunLimits, is_name};
use crate::agent::command::CommandConfig;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Places, Table};
use crate::model::Endpoint;

/// An agent without settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// What every agent may set, beside its name and kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Common {
    name: String,
    r#override: Option<bool>,
    #[serde(default)]
    delay_ms: u64,
}

/// A configuration as it was read, with its mistakes so far and the places that later ones may be about.
pub struct ConfigFile {
    /// What could be read; what could not has its default.
    pub config: Config,
    /// The mistakes.
    pub problems: Problems,
    /// Where each pattern of `floors` stands.
    pub floors: Vec<Range<usize>>,
    /// Where each name of `prompts` stands.
    pub prompts: Vec<Range<usize>>,
    /// Where each agent of the configuration stands.
    pub agents: Vec<Range<usize>>,
    /// Where `cache` stands.
    pub cache: Range<usize>,
}

impl ConfigFile {
    /// Reads a configuration from the text of a file. `file` is for messages; `name` names the run if the text does not.
    pub fn parse(file: &str, name: &str, text: &str) -> Self {
        let mut problems = Problems::new(file, text);
        let mut table = Table::parse(text, &mut problems);
        let limits = read_limits(&mut table, &mut problems);
        let concurrency =
            read_table::<Concurrency>(&mut table, "concurrency", &mut problems, |concurrency, places, problems| {
                require(concurrency.episodes > 0, places.of("episodes"), "`episodes` must be at least 1", problems);
            });
        let has_agents = table.has("agent");
        let tables = table.take_tables("agent", &mut problems);
        let (agents, agent_places) = read_agents(tables, &mut problems).into_iter().unzip();
        let (floor_places, prompt_places) = (table.element_places("floors"), table.element_places("prompts"));
        // What is left once the tables have been taken out; those that were have their defaults in it.
        let (top, places) = table.read_partly::<Config>(&mut problems);
        if !has_agents {
            let problem = Problem::at(places.table(), "there is no agent");
            problems.push(problem.with_help("add a table [[agent]] with a name and a kind, such as \"heuristic\""));
        }
        if places.has("floors") {
            let stated = !top.floors.is_empty() || !floor_places.is_empty();
            require(stated, places.of("floors"), "`floors` names no floor", &mut problems);
        } else {
            problems.push(Problem::at(places.table(), "the key `floors` is missing"));
        }
        require(top.repeats > 0, places.of("repeats"), "`repeats` must be at least 1", &mut problems);
        let name = if places.has("name") { top.name } else { name.to_owned() };
        check_name(&name, places.of("name"), &mut problems);
        let config = Config { name, limits, concurrency, agents, ..top };
        let (floors, prompts, agents) = (floor_places, prompt_places, agent_places);
        ConfigFile { config, problems, floors, prompts, agents, cache: places.of("cache") }
    }
}

/// Reads the limits of an episode, and of the batch in a table of their own within.
fn read_limits(table: &mut Table<'_>, problems: &mut Problems) -> Limits {
    let Some(mut inner) = table.take_table("limits", problems) else { return Limits::default() };
    let run = read_table::<RunLimits>(&mut inner, "run", problems, |run, places, problems| {
        require(run.tokens != Some(0), places.of("tokens"), "`tokens` must be at least 1", problems);
        require(is_payable(run.cost_usd), places.of("cost_usd"), NOT_PAYABLE, problems);
    });
    let (limits, places) = inner.read_partly::<Limits>(problems);
    require(limits.turns > 0, places.of("turns"), "`turns` must be at least 1", problems);
    require(limits.tokens != Some(0), places.of("tokens"), "`tokens` must be at least 1", problems);
    require(is_payable(limits.cost_usd), places.of("cost_usd"), NOT_PAYABLE, problems);
    Limits { run, ..limits }
}

const NOT_PAYABLE: &str = "`cost_usd` must be a number above 0";

fn is_payable(cost: Option<f64>) -> bool {
    cost.is_none_or(|cost| cost.is_finite() && cost > 0.0)
}

/// Reads a sub-table, or takes the defaults if it is not there.
fn read_table<T: Default + serde::de::DeserializeOwned>(
    table: &mut Table<'_>,
    key: &str,
    problems: &mut Problems,
    check: impl FnOnce(&T, &Places, &mut Problems),
) -> T {
    let Some(inner) = table.take_table(key, problems) else { return T::default() };
    let (value, places) = inner.read_partly::<T>(problems);
    check(&value, &places, problems);
    value
}

fn require(holds: bool, place: Range<usize>, message: &str, problems: &mut Problems) {
    if !holds {
        problems.push(Problem::at(place, message));
    }
}

fn check_name(name: &str, place: Range<usize>, problems: &mut Problems) {
    let message = format!(
        "the name {} must be 1 to 80 of a to z, A to Z, 0 to 9, `_`, `-` and `.`, and not begin with `.`",
        quoted(name)
    );
    require(is_name(name), place, &message, problems);
}

/// Reads the agents, each with the place of its table.
fn read_agents(tables: Vec<Table<'_>>, problems: &mut Problems) -> Vec<(AgentConfig, Range<usize>)> {
    let mut agents: Vec<(AgentConfig, Range<usize>)> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for mut table in tables {
        let place = table.place();
        let common = table.split(&["name", "override", "delay_ms"]).read::<Common>(problems);
        let kind = table.take("kind");
        let kind = read_kind(kind, table, &place, problems);
        let Some((Common { name, r#override, delay_ms }, places)) = common else { continue };
        check_name(&name, places.of("name"), problems);
        require(
            !names.contains(&name),
            places.of("name"),
            &format!("there are two agents named {}", quoted(&name)),
            problems,
        );
        names.push(name.clone());
        if let Some(kind) = kind {
            agents.push((AgentConfig { name, r#override, delay_ms, kind }, place));
        }
    }
    agents
}

/// Adds what is wrong with an option, at its key, unless its value could not be read and that has been told.
fn tell_of_option(wrong: String, places: &Places, problems: &mut Problems) {
    let option = wrong.split([':', '.']).next().unwrap_or_default();
    let place = places.of(option);
    let inside = |span: &Range<usize>| place.start <= span.start && span.end <= place.end;
    let told = places.has(option) && problems.problems.iter().filter_map(|known| known.span.as_ref()).any(inside);
    if !told {
        problems.push(Problem::at(place, wrong));
    }
}

/// Reads an agent's kind and the settings of that kind.
fn read_kind(
    kind: Option<Entry<'_>>,
    table: Table<'_>,
    place: &Range<usize>,
    problems: &mut Problems,
) -> Option<AgentKind> {
    let Some(kind) = kind else {
        let problem = Problem::at(place.clone(), "this agent has no `kind`");
        problems.push(problem.with_help(format!("one of {}", KINDS.join(", "))));
        return None;
    };
    let Some(name) = kind.value.as_str() else {
        let problem = Problem::at(kind.place, "`kind`: expected a string");
        problems.push(problem.with_help(format!("one of {}", KINDS.join(", "))));
        return None;
    };
    let plain = |kind, table: Table<'_>, problems: &mut Problems| table.read::<Nothing>(problems).map(|_| kind);
    match name {
        "random" => plain(AgentKind::Random, table, problems),
        "greedy" => plain(AgentKind::Greedy, table, problems),
        "heuristic" => plain(AgentKind::Heuristic, table, problems),
        "optimal" => plain(AgentKind::Optimal, table, problems),
        "published_route" => plain(AgentKind::PublishedRoute, table, problems),
        "lookahead" => {
            let (config, places) = table.read_partly::<LookaheadConfig>(problems);
            let fine = (1..=6).contains(&config.depth);
            require(fine, places.of("depth"), "`depth` must be 1 to 6", problems);
            Some(AgentKind::Lookahead(config))
        }
        "human" => plain(AgentKind::Human, table, problems),
        "replay" => table.read(problems).map(|(config, _)| AgentKind::Replay(config)),
        "command" => {
            let (config, places) = table.read_partly::<CommandConfig>(problems);
            for wrong in config.check() {
                tell_of_option(wrong, &places, problems);
            }
            Some(AgentKind::Command(config))
        }
        "model" => {
            let (config, places) = table.read_partly::<Endpoint>(problems);
            for wrong in config.check() {
                tell_of_option(wrong.to_string(), &places, problems);
            }
            Some(AgentKind::Model(Box::new(config)))
        }
        other => {
            let problem = Problem::at(kind.place, format!("there is no kind of agent {}", quoted(other)));
            let near = problem.clone().with_nearest(other, KINDS);
            problems.push(match near.help {
                Some(_) => near,
                None => problem.with_help(format!("one of {}", KINDS.join(", "))),
            });
            None
        }
    }
}
