//! `mota solve`: the best result on a floor, and a route to it.

mod answer;
mod branch;
mod exact;
mod told;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

pub use answer::SolveOutput;

use super::interrupt::{Interrupt, duration};
use super::memory::{HeapSince, bytes, peak_mb};
use super::output::{self, RouteStep};
use super::{Exit, Failure};
use crate::format;
use crate::game::{Action, Game, ItemMode};
use crate::solver::SolveError;
use crate::solver::assumption::Assumptions;
use crate::solver::goal::Goal;
use crate::solver::playable;
use crate::solver::published::{self, Options, Version};
use answer::NodesOutput;

/// Arguments of `mota solve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota solve floors/complex.toml
  mota solve floors/complex.toml --top 3
  mota solve floors/complex.toml --goal 'hp + 50*yellow'
  mota solve big.toml --anytime --time-limit 2m --memory 500MB
  mota solve floors/complex.toml --algorithm corrected --json

A search that ends before its answer is proven (by --time-limit, --memory or Ctrl-C) prints the best route that it has,
the proven upper bound and the gap between them; it exits with 3, with --anytime with 0, after Ctrl-C with 130.")]
pub struct SolveArgs {
    /// The floor file, native or published format
    floor: PathBuf,
    /// Which search: the exact one, branch and bound, or the published solver's with or without its correction
    #[arg(long, value_enum, default_value_t = Algorithm::Exact)]
    algorithm: Algorithm,
    /// Exact and branch: be content with a route and a bound, and tell them on standard error as they get better
    #[arg(long)]
    anytime: bool,
    /// Exact and branch: search no longer than this (30s, 2m; a number alone is seconds)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Exact and branch: memory that the search may take, roughly
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = bytes)]
    memory: usize,
    /// Exact: threads that the search may use [default: all cores; the answer does not depend on it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Exact: list the best N distinct winning sets of cleared doors and monsters
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    top: u32,
    /// Exact: what is to be as high as possible at the end, a sum of hp, atk, def, mdef, keys, yellow, blue, red, green
    #[arg(long, value_name = "SUM", default_value_t = Goal::default())]
    goal: Goal,
    /// Exact: search on the published solver's merged graph (neighbours without a choice between them are cleared together)
    #[arg(long)]
    merge: bool,
    /// Exact and branch: collect items by actions of their own instead of at once
    #[arg(long)]
    items_by_action: bool,
    /// Published and corrected search only: do not merge neighbouring nodes
    #[arg(long)]
    no_merge: bool,
    /// Published and corrected search only: do not clear harmless monsters at once
    #[arg(long)]
    no_eat: bool,
    /// Exact and branch, to measure what it is worth: leave out a part of the search; repeat for several
    #[arg(long, value_enum, value_name = "PART", hide_short_help = true)]
    without: Vec<Part>,
    /// Print JSON (its schema: mota schema solve)
    #[arg(long)]
    json: bool,
}

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// The exact search; on towers that it does not take, branch and bound.
    Exact,
    /// Branch and bound, on any tower.
    Branch,
    /// The published search with the correction of its dominance test.
    Corrected,
    /// The published search as it is.
    Published,
}

/// Parts of a search that can be left out; the best answer does not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Exact: the bound, and with it the passes of growing width
    Bound,
    /// Exact and branch: doing at once what costs nothing
    Forced,
    /// Exact: putting off what gives nothing by itself
    Order,
    /// Exact: leaving aside states that others have outdone
    Gifts,
    /// Exact: counting obstacles that have nothing to give as cleared
    Spent,
    /// Branch: what fights must cost, in the bound
    Combat,
    /// Branch: keys that there are for doors, in the bound
    Keys,
    /// Branch: what can be got to, and what guards it, in the bound
    Items,
    /// Branch: the table of states; the search then goes depth first
    Table,
}

impl SolveArgs {
    /// Solves the floor and prints the answer.
    pub fn run(self) -> Result<Exit, Failure> {
        self.refuse_what_does_not_go_together()?;
        let tower = format::read_tower(&self.floor)?;
        let note = tower.note.clone();
        if tower.has_no_goal() {
            tracing::warn!("nothing in this file wins the game");
        }
        let items = if self.items_by_action { ItemMode::Action } else { ItemMode::Auto };
        let game = Game::new(tower, items)?;
        let merges_more = self.merge && !game.tower().is_plain();
        let takes_exact = !merges_more && !matches!(Assumptions::of(&game), Err(SolveError::NotExact(_)));
        self.refuse_what_branch_does_not_do(takes_exact)?;
        let interrupt = self.is_ours().then(|| Interrupt::listen(self.time_limit));
        let heap = HeapSince::now();
        let begun = Instant::now();
        let (mut answer, exit) = match (self.algorithm, &interrupt) {
            (Algorithm::Exact, Some(interrupt)) if takes_exact => self.exact(&game, interrupt)?,
            (Algorithm::Exact, Some(interrupt)) => self.branch(&game, interrupt)?,
            (Algorithm::Branch, Some(interrupt)) => self.branch(&game, interrupt)?,
            (Algorithm::Corrected, _) => (self.published(&game, Version::Corrected)?, Exit::Done),
            _ => (self.published(&game, Version::Published)?, Exit::Done),
        };
        answer.seconds = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        answer.peak_mb = peak_mb();
        answer.search_mb = heap.most_mb();
        match self.json {
            true => output::json(&answer)?,
            false => output::text(&answer.text(note.as_deref()))?,
        }
        Ok(exit)
    }

    /// Whether the search is one of ours, which can be interrupted, and not the published one.
    fn is_ours(&self) -> bool {
        matches!(self.algorithm, Algorithm::Exact | Algorithm::Branch)
    }

    fn refuse_what_does_not_go_together(&self) -> Result<(), Failure> {
        let exact = self.algorithm == Algorithm::Exact;
        if self.is_ours() && (self.no_merge || self.no_eat) {
            return Err(Failure::bad_input("--no-merge and --no-eat go with --algorithm published or corrected"));
        }
        let named = [
            (self.anytime, "--anytime"),
            (self.time_limit.is_some(), "--time-limit"),
            (self.items_by_action, "--items-by-action"),
            (!self.without.is_empty(), "--without"),
        ];
        if let Some((_, option)) = named.iter().find(|(given, _)| *given && !self.is_ours()) {
            return Err(Failure::bad_input(format!("{option} goes with --algorithm exact or branch")));
        }
        let named = [
            (self.threads.is_some(), "--threads"),
            (self.top != 1, "--top"),
            (self.goal != Goal::default(), "--goal"),
            (self.merge, "--merge"),
        ];
        if let Some((_, option)) = named.iter().find(|(given, _)| *given && !exact) {
            return Err(Failure::bad_input(format!("{option} goes with --algorithm exact")));
        }
        if self.merge && self.items_by_action {
            return Err(Failure::bad_input(
                "--merge and --items-by-action do not go together: merging collects at once",
            ));
        }
        Ok(())
    }

    /// Refuses what branch and bound does not do, if it is what will run.
    fn refuse_what_branch_does_not_do(&self, takes_exact: bool) -> Result<(), Failure> {
        if self.algorithm != Algorithm::Exact || takes_exact {
            return Ok(());
        }
        let named = [(self.top != 1, "--top"), (self.goal != Goal::default(), "--goal"), (self.merge, "--merge")];
        match named.iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(Failure::bad_input(format!(
                "the exact search does not take this tower, and {option} does not go with branch and bound"
            ))),
            None => Ok(()),
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
            r#final: outcome.best.map(|win| win.hero),
            states: outcome.states,
            wins: outcome.wins,
            ends_at_limit: Some(outcome.ends_at_limit),
            nodes: Some(NodesOutput { with_obstacle: outcome.nodes.with_obstacle, all: outcome.nodes.all }),
            route: play(game, &actions)?,
            ..SolveOutput::new(&game.tower().name, self.algorithm, &self.goal)
        })
    }
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
