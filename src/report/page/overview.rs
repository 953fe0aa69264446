//! What a page says at first sight: runs, tables, the list of episodes. Knows analyses and manifests; knows nothing of
//! traces.

use polars_core::prelude::{Column, PolarsResult};
use serde::Serialize;

use super::value::Value;
use super::whole::Whole;
use super::{Ground, Page, Played};
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::config::AgentKind;
use crate::eval::manifest::Manifest;
use crate::game::ItemMode;
use crate::prompt::Verdict;
use crate::report::episodes::{UNFINISHED, by};
use crate::report::export::cells;
use crate::report::source::Source;
use crate::report::table::Table;

/// What a page says at first sight.
#[derive(Serialize)]
pub struct Overview<'a> {
    title: &'a str,
    version: &'static str,
    runs: Vec<Run<'a>>,
    tables: Vec<Sheet<'a>>,
    /// Captions of the figures.
    plots: Vec<&'a str>,
    floors: Vec<Floor<'a>>,
    episodes: Vec<Episode<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    name: &'a str,
    version: &'a str,
    seed: Whole,
    repeats: u32,
    turn_limit: u32,
    items_by_decision: bool,
    /// How many the plan has; those that were begun are listed.
    planned: usize,
    agents: Vec<Agent<'a>>,
    prompts: Vec<(&'a str, &'a str)>,
    floors: Vec<&'a str>,
}

#[derive(Serialize)]
struct Agent<'a> {
    name: &'a str,
    kind: &'static str,
    /// What else tells it from others of its kind.
    detail: Option<String>,
}

#[derive(Serialize)]
struct Floor<'a> {
    name: &'a str,
    title: &'a str,
    note: Option<&'a str>,
}

/// A table in words.
#[derive(Serialize)]
struct Sheet<'a> {
    name: &'a str,
    title: &'a str,
    notes: &'a [String],
    columns: Vec<Heading<'a>>,
    /// Column by column.
    cells: Vec<Vec<Option<String>>>,
}

#[derive(Serialize)]
struct Heading<'a> {
    name: &'a str,
    numeric: bool,
}

#[derive(Serialize)]
struct Episode<'a> {
    id: &'a str,
    run: usize,
    floor: Option<usize>,
    floor_name: &'a str,
    agent: &'a str,
    /// None for agents that read none.
    prompt: Option<&'a str>,
    repeat: u32,
    ending: String,
    reason: Option<&'a str>,
    /// None while it is unfinished.
    final_hp: Option<Whole>,
    hp: Whole,
    optimum: Value,
    values_unknown: Option<&'a str>,
    /// Of the state at the start and after every decision; nothing if nothing is known of any.
    values: Vec<Value>,
    decisions: usize,
    value_losses: Option<usize>,
    losing: Option<Losing<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    losing_between: Option<Between>,
    invalid: u64,
    calls: u64,
    prompt_tokens: Whole,
    completion_tokens: Whole,
    cost_usd: Option<f64>,
}

/// Where the losing decision lies if it is not known which it is.
#[derive(Serialize)]
struct Between {
    first: u32,
    text: String,
}

#[derive(Serialize)]
struct Losing<'a> {
    turn: u32,
    text: &'a str,
    at: String,
    by: &'static str,
    value_before: Value,
    earlier_losses: u32,
}

impl<'a> Overview<'a> {
    /// Of a page with these floors and episodes.
    ///
    /// # Errors
    /// If a table's column cannot be read.
    pub fn of(page: &'a Page<'a>, grounds: &[Ground<'a>], played: &'a [Played<'a>]) -> PolarsResult<Self> {
        Ok(Overview {
            title: page.title,
            version: env!("CARGO_PKG_VERSION"),
            runs: page.sources.iter().map(run).collect(),
            tables: page.tables.iter().map(|table| sheet(table)).collect::<PolarsResult<_>>()?,
            plots: page.plots.iter().map(|plot| plot.title.as_str()).collect(),
            floors: grounds.iter().map(|ground| floor(ground)).collect(),
            episodes: played.iter().map(episode).collect(),
        })
    }
}

fn run<'a>(source: &Source<'a>) -> Run<'a> {
    let manifest: &'a Manifest = source.manifest;
    let config = &manifest.config;
    Run {
        name: &config.name,
        version: &manifest.mota,
        seed: config.seed.into(),
        repeats: config.repeats,
        turn_limit: config.limits.turns,
        items_by_decision: config.items == ItemMode::Action,
        planned: manifest.episodes,
        agents: (config.agents.iter())
            .map(|agent| {
                let (kind, detail) = described(&agent.kind);
                Agent { name: &agent.name, kind, detail }
            })
            .collect(),
        prompts: manifest.prompts.iter().map(|prompt| (prompt.name.as_str(), prompt.hash.as_str())).collect(),
        floors: manifest.floors.iter().map(|floor| floor.name.as_str()).collect(),
    }
}

/// A kind in words, and what else tells an agent from others of it. An endpoint's address is left out: it may be nobody
/// else's business.
fn described(kind: &AgentKind) -> (&'static str, Option<String>) {
    match kind {
        AgentKind::Random => ("random", None),
        AgentKind::Greedy => ("greedy", None),
        AgentKind::Heuristic => ("heuristic", None),
        AgentKind::Lookahead(settings) => ("lookahead", Some(format!("depth {}", settings.depth))),
        AgentKind::Optimal => ("optimal", None),
        AgentKind::PublishedRoute => ("published route", None),
        AgentKind::Replay(_) => ("replay of a trace", None),
        AgentKind::Command(_) => ("command", None),
        AgentKind::Human => ("human", None),
        AgentKind::Model(endpoint) => ("model", Some(endpoint.model.clone())),
    }
}

fn floor<'a>(ground: &Ground<'a>) -> Floor<'a> {
    let tower = ground.floor.game.tower();
    Floor { name: &tower.name, title: &tower.title, note: tower.note.as_deref() }
}

fn sheet(table: &Table) -> PolarsResult<Sheet<'_>> {
    let columns = table.frame.columns();
    let heading = |column: &'_ Column| column.dtype().is_primitive_numeric();
    Ok(Sheet {
        name: table.name,
        title: table.title,
        notes: &table.notes,
        columns: columns.iter().map(|column| Heading { name: column.name(), numeric: heading(column) }).collect(),
        cells: columns.iter().map(cells).collect::<PolarsResult<_>>()?,
    })
}

fn episode<'a>(played: &Played<'a>) -> Episode<'a> {
    let Played { episode, run, floor, .. } = *played;
    let calls = |counted: &dyn Fn(Verdict) -> bool| -> u64 {
        let counts = episode.verdicts.iter().filter(|(verdict, _)| counted(**verdict));
        counts.map(|(_, count)| u64::from(*count)).sum()
    };
    Episode {
        id: &episode.id,
        run,
        floor,
        floor_name: &episode.key.floor,
        agent: &episode.key.agent,
        prompt: Some(episode.key.prompt.as_str()).filter(|prompt| *prompt != "none"),
        repeat: episode.key.repeat,
        ending: episode.ending.map_or_else(|| UNFINISHED.to_owned(), |ending| ending.to_string()),
        reason: episode.reason.as_deref(),
        final_hp: episode.ending.map(|_| episode.final_hp().into()),
        hp: episode.hero.hp.into(),
        optimum: episode.optimum.into(),
        values_unknown: episode.values_unknown.as_deref(),
        values: values(episode),
        decisions: episode.decisions.len(),
        value_losses: episode.value_losses(),
        losing: episode.losing.as_ref().map(|losing| Losing {
            turn: losing.turn,
            text: &losing.text,
            at: losing.target.to_string(),
            by: by(losing.by),
            value_before: losing.before.into(),
            earlier_losses: losing.earlier_losses,
        }),
        losing_between: (episode.losing_between)
            .map(|between| Between { first: between.first, text: between.in_words() }),
        invalid: calls(&|verdict| verdict != Verdict::Ok),
        calls: calls(&|_| true),
        prompt_tokens: episode.prompt_tokens.into(),
        completion_tokens: episode.completion_tokens.into(),
        cost_usd: episode.cost_usd,
    }
}

fn values(episode: &EpisodeAnalysis) -> Vec<Value> {
    if episode.is_unknown() {
        return Vec::new();
    }
    let after = episode.decisions.iter().map(DecisionValue::after);
    std::iter::once(episode.optimum).chain(after).map(Value::from).collect()
}
