//! `mota value`: what a state is worth under best play, and what each choice in it costs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::memory::{HeapSince, bytes, peak_mb};
use super::output::{self, hero_line};
use super::{Exit, Failure};
use crate::analysis::keys;
use crate::format;
use crate::game::{Game, Hero, ItemMode, Position, State};
use crate::solver::worth::brief;
use crate::solver::{Effort, SolveError, Values, Worth, Worths};

/// Arguments of `mota value`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota value floors/complex.toml
  mota value floors/complex.toml --after 8,7 --json
  mota value floors/complex.toml --doors-first 8,7 --doors-first 8,4")]
pub struct ValueArgs {
    /// The floor file
    floor: PathBuf,
    /// Tile of an action to make first, as x,y or floor:x,y; repeat for several, in order
    #[arg(long, value_name = "X,Y")]
    after: Vec<Position>,
    /// Best play whose first door is this one; repeat for the second and so on
    #[arg(long, value_name = "X,Y")]
    doors_first: Vec<Position>,
    /// Collect items by actions of their own instead of at once
    #[arg(long)]
    items_by_action: bool,
    /// Memory that the table of all states may take; beyond it, each value is searched for
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes)]
    memory: usize,
    /// Steps that each of these searches may take for what is told as bounds if it is not proven by then; unless given, as
    /// many as the memory stands for
    #[arg(long, value_name = "STEPS")]
    effort: Option<u64>,
    /// Print JSON (its schema: mota schema value)
    #[arg(long)]
    json: bool,
}

/// What `mota value --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ValueOutput {
    /// The floor's name.
    floor: String,
    /// The actions made first.
    after: Vec<Position>,
    /// The doors that best play had to open first.
    doors_first: Vec<Position>,
    /// Final HP under best play; null if the boss can no longer be defeated, or if that is not known.
    #[serde(flatten, with = "keys::value")]
    #[schemars(with = "keys::value::ValueKeys")]
    value: Worth,
    /// The same from the start of the floor, without any condition.
    #[serde(flatten, with = "keys::optimum")]
    #[schemars(with = "keys::optimum::OptimumKeys")]
    optimum: Worth,
    /// States in the table of all that play can reach; null if they were too many and each value was searched for.
    keys: Option<usize>,
    /// Seconds that the table took.
    seconds: f64,
    /// The most memory that the process has had, in MB; null where the system does not say.
    peak_mb: Option<f64>,
    /// The most memory that the table and the search for the answer had in use, in MB.
    search_mb: f64,
    /// The hero after the actions made first.
    hero: Hero,
    /// The legal actions there, each with the value of the state that it leads to.
    actions: Vec<ActionOutput>,
}

/// A legal action and its value.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ActionOutput {
    /// Its number, from 1.
    number: u32,
    /// Its tile.
    target: Position,
    /// What it does.
    text: String,
    /// Final HP under best play after it.
    #[serde(flatten, with = "keys::value")]
    #[schemars(with = "keys::value::ValueKeys")]
    value: Worth,
}

impl ValueArgs {
    /// Finds the value and prints it.
    pub fn run(self) -> Result<Exit, Failure> {
        let items = if self.items_by_action { ItemMode::Action } else { ItemMode::Auto };
        let game = Game::new(format::read_tower(&self.floor)?, items)?;
        let heap = HeapSince::now();
        let begun = Instant::now();
        let sought = self.sought(&game)?;
        let seconds = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let start = game.start()?;
        let state = self.after.iter().try_fold(start.clone(), |state, target| {
            let action = game.action_at(&state, *target)?;
            game.apply(&state, &action).map(|step| step.state)
        })?;
        let value = match self.doors_first.as_slice() {
            [] => None,
            doors => Some(Worth::exactly(sought.values()?.with_first_doors(&state, doors)?)),
        };
        let (mut here, actions) = actions(&sought, &state)?;
        let mut optimum = sought.worth(&start)?;
        (here, optimum) = (here.at_most_that_of(optimum), optimum.at_least_that_of(here));
        let answer = ValueOutput {
            floor: game.tower().name.clone(),
            after: self.after,
            doors_first: self.doors_first,
            value: value.unwrap_or(here),
            optimum,
            keys: sought.values().ok().and_then(Values::keys),
            seconds,
            hero: state.hero,
            actions,
            peak_mb: peak_mb(),
            search_mb: heap.most_mb(),
        };
        match self.json {
            true => output::json(&answer)?,
            false => output::text(&answer.text())?,
        }
        Ok(Exit::Done)
    }
}

/// Where values come from: exact ones, or bounds within an effort.
enum Sought {
    Exact(Values),
    Bounds(Worths),
}

impl ValueArgs {
    /// Exact values, unless bounds were asked for or are all that can be had.
    fn sought(&self, game: &Game) -> Result<Sought, Failure> {
        let values = Values::new(game, self.memory);
        match (values, self.effort) {
            (Ok(values), None) => Ok(Sought::Exact(values)),
            (values @ Ok(_), Some(steps)) => {
                Ok(Sought::Bounds(Worths::of(game, values.map(Arc::new), Effort::Steps(steps))?))
            }
            (Err(why), effort) => {
                tracing::warn!("values are sought between bounds: {why}");
                let steps = effort.unwrap_or((self.memory / BYTES_A_STEP) as u64);
                Ok(Sought::Bounds(Worths::of(game, Err(why), Effort::Steps(steps))?))
            }
        }
    }
}

/// Bytes of memory that stand for one step of a search.
const BYTES_A_STEP: usize = 2_000;

impl Sought {
    fn worth(&self, state: &State) -> Result<Worth, SolveError> {
        match self {
            Sought::Exact(values) => match values.of(state) {
                Err(SolveError::NotProven { best, upper_bound }) => Ok(Worth::between(best, upper_bound)),
                value => value.map(Worth::exactly),
            },
            Sought::Bounds(worths) => worths.of_state(state),
        }
    }

    fn values(&self) -> Result<&Values, Failure> {
        match self {
            Sought::Exact(values) => Ok(values),
            Sought::Bounds(worths) => worths.values().ok_or_else(|| {
                Failure::bad_input("--doors-first: the states of this floor are too many for values under a condition")
            }),
        }
    }
}

/// What a state is worth, and each legal action there.
fn actions(sought: &Sought, state: &State) -> Result<(Worth, Vec<ActionOutput>), Failure> {
    let game = match sought {
        Sought::Exact(values) => values.game(),
        Sought::Bounds(worths) => worths.game(),
    };
    let legal = game.actions(state)?;
    let after = legal.iter().map(|action| sought.worth(&game.apply(state, action)?.state));
    let mut after = after.collect::<Result<Vec<_>, SolveError>>()?;
    let mut here = sought.worth(state)?;
    here.tighten(&mut after);
    let outputs = legal.iter().zip(after).enumerate().map(|(index, (action, value))| ActionOutput {
        number: index as u32 + 1,
        target: action.target,
        text: game.describe_action(action),
        value,
    });
    Ok((here, outputs.collect()))
}

impl ValueOutput {
    fn text(&self) -> String {
        let mut text = format!("{}\n", hero_line(&self.hero));
        if !self.doors_first.is_empty() {
            let doors: Vec<String> = self.doors_first.iter().map(ToString::to_string).collect();
            text += &format!("value with the first doors {}: {}\n", doors.join(", "), self.value);
        } else {
            text += &format!("value: {}", self.value);
            text += &match self.optimum.is_lost() || self.after.is_empty() {
                false => format!("  (optimum of the floor: {})\n", self.optimum),
                true => "\n".to_owned(),
            };
        }
        for action in &self.actions {
            text += &format!("{:4}. {:>6}  {} {}\n", action.number, brief(action.value), action.text, action.target);
        }
        text
    }
}
