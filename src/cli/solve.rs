//! `mota solve`: the best result on a floor, and a route to it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{self, RouteStep, hero_line};
use super::{Exit, Failure};
use crate::format;
use crate::game::{Action, Game, Hero, ItemMode, Tower};
use crate::solver::published::{self, Options, Version};
use crate::solver::{Values, playable, route, values};

/// Arguments of `mota solve`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota solve floors/complex.toml --algorithm corrected --json")]
pub struct SolveArgs {
    /// The floor file, native or published format
    floor: PathBuf,
    /// Which search: exact state values, or the published solver's search with or without its correction
    #[arg(long, value_enum, default_value_t = Algorithm::Exact)]
    algorithm: Algorithm,
    /// Published and corrected search only: do not merge neighbouring nodes
    #[arg(long)]
    no_merge: bool,
    /// Published and corrected search only: do not clear harmless monsters at once
    #[arg(long)]
    no_eat: bool,
    /// Print JSON (its schema: mota schema solve)
    #[arg(long)]
    json: bool,
}

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Exact state values.
    Exact,
    /// The published search with the correction of its dominance test.
    Corrected,
    /// The published search as it is.
    Published,
}

/// What `mota solve --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SolveOutput {
    /// The floor's name.
    floor: String,
    /// The search that was used.
    algorithm: Algorithm,
    /// The hero after defeating the boss; null if the search finds no way to.
    r#final: Option<Hero>,
    /// States: of the published and corrected search those expanded, of the exact one the keys reached.
    states: u64,
    /// Published and corrected: wins taken from the queue. Exact: keys from which the boss can be defeated at once.
    wins: u64,
    /// Published and corrected: states past the limit of decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at_limit: Option<u64>,
    /// Published and corrected: nodes of the merged graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<NodesOutput>,
    /// A route to that result: the decisions of the game that is played, one a tile.
    route: Vec<RouteStep>,
}

/// Nodes of the published solver's graph.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodesOutput {
    /// Those that hold a door or a monster.
    with_obstacle: usize,
    /// All of them.
    all: usize,
}

impl SolveArgs {
    /// Solves the floor and prints the answer.
    pub fn run(self) -> Result<Exit, Failure> {
        if self.algorithm == Algorithm::Exact && (self.no_merge || self.no_eat) {
            return Err(Failure::bad_input("--no-merge and --no-eat go with --algorithm published or corrected"));
        }
        let tower = format::read_tower(&self.floor)?;
        let note = tower.note.clone();
        let answer = self.solve(tower)?;
        match self.json {
            true => output::json(&answer)?,
            false => output::text(&answer.text(note.as_deref()))?,
        }
        Ok(Exit::Done)
    }

    fn solve(&self, tower: Tower) -> Result<SolveOutput, Failure> {
        let game = Game::new(tower, ItemMode::Auto)?;
        match self.algorithm {
            Algorithm::Exact => exact(&game),
            Algorithm::Corrected => self.published(&game, Version::Corrected),
            Algorithm::Published => self.published(&game, Version::Published),
        }
    }

    fn published(&self, game: &Game, version: Version) -> Result<SolveOutput, Failure> {
        let options = Options { merge: !self.no_merge, eat: !self.no_eat, ..Options::new(version) };
        let outcome = published::search(game.tower(), &options)?;
        let actions = match &outcome.best {
            Some(win) => playable::play(game.tower(), &win.route)?.actions,
            None => Vec::new(),
        };
        Ok(SolveOutput {
            floor: game.tower().name.clone(),
            algorithm: self.algorithm,
            r#final: outcome.best.map(|win| win.hero),
            states: outcome.states,
            wins: outcome.wins,
            ends_at_limit: Some(outcome.ends_at_limit),
            nodes: Some(NodesOutput { with_obstacle: outcome.nodes.with_obstacle, all: outcome.nodes.all }),
            route: play(game, &actions)?,
        })
    }
}

fn exact(game: &Game) -> Result<SolveOutput, Failure> {
    let values = Values::new(game, values::DEFAULT_MEMORY)?;
    let steps = route::best_route(&values, &game.start()?)?;
    Ok(SolveOutput {
        floor: game.tower().name.clone(),
        algorithm: Algorithm::Exact,
        r#final: steps.last().map(|step| step.state.hero),
        states: values.keys() as u64,
        wins: values.wins(),
        ends_at_limit: None,
        nodes: None,
        route: steps.iter().map(|step| RouteStep::new(game, step)).collect(),
    })
}

/// Plays legal actions in order.
fn play(game: &Game, actions: &[Action]) -> Result<Vec<RouteStep>, Failure> {
    let mut state = game.start()?;
    let mut route = Vec::new();
    for action in actions {
        let step = game.apply(&state, action)?;
        route.push(RouteStep::new(game, &step));
        state = step.state;
    }
    Ok(route)
}

impl SolveOutput {
    fn text(&self, note: Option<&str>) -> String {
        let mut text = match &self.r#final {
            Some(hero) => format!("{}: {}\n", self.floor, hero_line(hero)),
            None => format!("{}: no way to defeat the boss was found\n", self.floor),
        };
        for step in &self.route {
            let effect = match step.damage {
                0 => String::new(),
                damage => format!(", costs {damage}"),
            };
            let collects = match step.collects.as_slice() {
                [] => String::new(),
                items => format!("; collects {}", items.join(", ")),
            };
            text +=
                &format!("{:4}. {} {}{effect}{collects}  [HP {}]\n", step.turn, step.text, step.target, step.hero.hp);
        }
        text += &match self.algorithm {
            Algorithm::Exact if self.r#final.is_none() => {
                format!("{} states; it is proven that the boss cannot be defeated\n", self.states)
            }
            Algorithm::Exact => format!("{} states; the result is proven to be the best\n", self.states),
            _ => {
                format!("{} states expanded, {} wins; this search does not prove its result\n", self.states, self.wins)
            }
        };
        if let Some(note) = note {
            text += &format!("Note: {note}.\n");
        }
        text
    }
}
