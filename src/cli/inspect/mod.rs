//! `mota inspect`: what a floor is like, and what makes it hard.

mod table;
mod text;

use std::path::PathBuf;

use clap::Args;

use super::memory::bytes;
use super::output;
use super::picture;
use super::progress::bar;
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, ItemMode};
use crate::inspect::{Inspection, MOST_SETS, Player, Wishes, inspect};
use crate::report::picture::{Mark, Picture};
use crate::report::png::LONGEST;
use crate::report::{ReportError, mechanisms, write_tables};

/// Arguments of `mota inspect`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota inspect floors/complex.toml
  mota inspect floors/complex.toml -o complex.svg
  mota inspect floors/hand0*.toml floors/generated/*.toml
  mota inspect floors/hand0*.toml --tables tables

One floor is told in full, several as a table. A decision is critical if an action that loses without \
being lethal stands beside one that keeps the boss defeatable, and forced if exactly one action does. \
What a rule's choices cost is asked at every decision of best play, each choice being followed by best \
play again.")]
pub struct InspectArgs {
    /// Floor files
    #[arg(required = true)]
    floors: Vec<PathBuf>,
    /// Draw the floor with the places that matter into a file: FILE.svg or FILE.png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Width of a PNG in pixels; unless given, twice the size of the SVG
    #[arg(long, value_name = "PIXELS", requires = "output", value_parser = clap::value_parser!(u32).range(1..=i64::from(LONGEST)))]
    width: Option<u32>,
    /// How often the random agent plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    random: u32,
    /// What the random agent's choices derive from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Leave out the published solver's route, which may take long
    #[arg(long)]
    no_published: bool,
    /// Memory that the table of all states may take; beyond it, what rests on state values is not known
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes)]
    memory: usize,
    /// Sets of cleared doors and monsters that are told apart, at most
    #[arg(long, value_name = "N", default_value_t = MOST_SETS)]
    sets: usize,
    /// Also write the table of what makes the floors hard to this folder, as CSV, Markdown, LaTeX and Parquet
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Print JSON, a list of one entry a floor (its schema: mota schema inspect)
    #[arg(long)]
    json: bool,
}

impl InspectArgs {
    /// Inspects the floors and prints what they are like.
    pub fn run(self) -> Result<Exit, Failure> {
        let picture = self.picture()?;
        // What is wrong with a file is told before anything is computed.
        let games = self.games()?;
        let wishes = self.wishes();
        let bar = bar(games.len() as u64, "floors", self.json || games.len() == 1);
        let (mut inspections, mut failed) = (Vec::new(), Vec::new());
        for (game, path) in games.iter().zip(&self.floors) {
            match inspect(game, &wishes) {
                Ok(inspection) => inspections.push(inspection),
                Err(error) => failed.push(miette::miette!("{}: {error}", path.display())),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        if let (Some((path, form)), [game], [inspection]) = (picture, games.as_slice(), inspections.as_slice()) {
            picture::write(path, form, draw(game, inspection)?)?;
        }
        if let Some(folder) = &self.tables {
            let table = mechanisms::table(&inspections).map_err(ReportError::from)?;
            write_tables(&[table], folder)?;
        }
        match (self.json, inspections.as_slice()) {
            (true, all) => output::json(&all)?,
            (false, []) => {}
            (false, [one]) => output::text(&text::text(one))?,
            (false, all) => output::text(&table::table(all))?,
        }
        // One floor that cannot be inspected does not take the others with it.
        match failed.is_empty() {
            true => Ok(Exit::Done),
            false => Err(Failure { reports: failed, exit: Exit::Failed }),
        }
    }

    /// The floors, or everything that is wrong with their files.
    fn games(&self) -> Result<Vec<Game>, Failure> {
        let read =
            |path: &PathBuf| -> Result<Game, Failure> { Ok(Game::new(format::read_tower(path)?, ItemMode::Auto)?) };
        let (mut games, mut reports) = (Vec::new(), Vec::new());
        for game in self.floors.iter().map(read) {
            match game {
                Ok(game) => games.push(game),
                Err(failure) => reports.extend(failure.reports),
            }
        }
        match reports.is_empty() {
            true => Ok(games),
            false => Err(Failure { reports, exit: Exit::BadInput }),
        }
    }

    fn picture(&self) -> Result<Option<(&PathBuf, picture::Form)>, Failure> {
        match (&self.output, self.floors.len()) {
            (None, _) => Ok(None),
            (Some(path), 1) => Ok(Some((path, picture::form(path, self.width)?))),
            (Some(_), _) => Err(Failure::bad_input("-o draws one floor; name one only")),
        }
    }

    fn wishes(&self) -> Wishes {
        let players = Player::REFERENCE.into_iter();
        let players = players.filter(|player| !(self.no_published && *player == Player::PublishedRoute)).collect();
        Wishes { memory: self.memory, most_sets: self.sets, players, random_episodes: self.random, seed: self.seed }
    }
}

/// The floor with the places that matter.
fn draw(game: &Game, inspection: &Inspection) -> Result<String, Failure> {
    let marks = inspection.points.iter().map(|point| Mark { at: point.at, text: Some(point.text.clone()) });
    let marks: Vec<Mark> = marks.collect();
    Ok(Picture { game, state: &game.untouched(), marks: &marks, legend: false, floor: None }.svg()?)
}
