//! `mota value`: what a state is worth under best play, and what each choice in it costs.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::memory::{HeapSince, bytes, peak_mb};
use super::output::{self, hero_line};
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, Hero, ItemMode, Position, State};
use crate::solver::Values;

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
    /// Final HP under best play; null if the boss can no longer be defeated.
    value: Option<i64>,
    /// The same from the start of the floor, without any condition.
    optimum: Option<i64>,
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
    /// Final HP under best play after it; null if the boss can no longer be defeated.
    value: Option<i64>,
}

impl ValueArgs {
    /// Finds the value and prints it.
    pub fn run(self) -> Result<Exit, Failure> {
        let items = if self.items_by_action { ItemMode::Action } else { ItemMode::Auto };
        let game = Game::new(format::read_tower(&self.floor)?, items)?;
        let heap = HeapSince::now();
        let begun = Instant::now();
        let values = Values::new(&game, self.memory)?;
        let seconds = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let start = game.start()?;
        let state = self.after.iter().try_fold(start.clone(), |state, target| {
            let action = game.action_at(&state, *target)?;
            game.apply(&state, &action).map(|step| step.state)
        })?;
        let value = match self.doors_first.as_slice() {
            [] => values.of(&state)?,
            doors => values.with_first_doors(&state, doors)?,
        };
        let answer = ValueOutput {
            floor: game.tower().name.clone(),
            after: self.after,
            doors_first: self.doors_first,
            value,
            optimum: values.of(&start)?,
            keys: values.keys(),
            seconds,
            hero: state.hero,
            actions: actions(&values, &state)?,
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

fn actions(values: &Values, state: &State) -> Result<Vec<ActionOutput>, Failure> {
    let game = values.game();
    let mut outputs = Vec::new();
    for (index, action) in game.actions(state)?.iter().enumerate() {
        outputs.push(ActionOutput {
            number: index as u32 + 1,
            target: action.target,
            text: game.describe_action(action),
            value: values.after(state, action)?,
        });
    }
    Ok(outputs)
}

impl ValueOutput {
    fn text(&self) -> String {
        let value = |value: Option<i64>| value.map_or("lost".to_owned(), |hp| hp.to_string());
        let mut text = format!("{}\n", hero_line(&self.hero));
        if !self.doors_first.is_empty() {
            let doors: Vec<String> = self.doors_first.iter().map(ToString::to_string).collect();
            text += &format!("value with the first doors {}: {}\n", doors.join(", "), value(self.value));
        } else {
            text += &format!("value: {}", value(self.value));
            text += &match self.optimum {
                Some(optimum) if !self.after.is_empty() => format!("  (optimum of the floor: {optimum})\n"),
                _ => "\n".to_owned(),
            };
        }
        for action in &self.actions {
            text += &format!("{:4}. {:>6}  {} {}\n", action.number, value(action.value), action.text, action.target);
        }
        text
    }
}
