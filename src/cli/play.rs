//! `mota play`: a floor for a human, on a screen or line by line.

mod lines;

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{colours, is_interactive};
use super::{Exit, Failure, output};
use crate::eval::Ending;
use crate::eval::floor::BatchFloor;
use crate::eval::human::{HumanError, HumanGame, HumanGames};
use crate::eval::store::trace_path;
use crate::format;
use crate::game::ItemMode;
use crate::screen::play::Play;
use crate::screen::{self, Closed, Palette};

/// Arguments of `mota play`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota play floors/hand01.toml
  mota play floors/complex.toml --player alice --out runs/alice
  mota play floors/simple.toml --text

Games are kept like the episodes of a run: mota report, mota analyze and mota replay read the folder. An unfinished \
game is gone on with. What is taken back, and whether state values were shown, stands in the trace.")]
pub struct PlayArgs {
    /// The floor file
    floor: PathBuf,
    /// The folder that keeps the games; several floors and players may share it
    #[arg(long, default_value = "runs/play")]
    out: PathBuf,
    /// Who plays: the agent's name in tables and traces
    #[arg(long, value_name = "NAME", default_value = "human")]
    player: String,
    /// Collect items by decisions of their own
    #[arg(long)]
    items_by_action: bool,
    /// Play over plain lines: numbers in, text out; so it is without a terminal
    #[arg(long)]
    text: bool,
}

impl PlayArgs {
    /// Plays until the player has enough.
    pub fn run(self) -> Result<Exit, Failure> {
        let items = if self.items_by_action { ItemMode::Action } else { ItemMode::Auto };
        let tower = format::read_tower(&self.floor)?;
        let floor = BatchFloor::new(tower, self.floor.clone(), items)
            .map_err(|why| Failure::bad_input(format!("{}: {why}", self.floor.display())))?;
        let mut games = HumanGames::open(&self.out, &self.player, floor, items)?;
        if self.text || !is_interactive() {
            return lines::play(&mut games, &self.out);
        }
        let mut play = Play::new(&mut games, Palette::new(colours())).map_err(Failure::failed)?;
        let closed = screen::run(&mut play).map_err(Failure::failed)?;
        output::text(&kept(&self.out, play.game()))?;
        Ok(match closed {
            Closed::Quit => Exit::Done,
            Closed::Interrupted => Exit::Interrupted,
        })
    }
}

/// Where a game is kept, and what can be done with it.
fn kept(folder: &Path, game: &HumanGame) -> String {
    let path = trace_path(folder, &game.trace().header.id);
    match game.ending() {
        None => format!("Not finished; the same command goes on. Kept in {}\n", path.display()),
        Some(Ending::Won) => format!("Won with {} HP. Kept in {}\n", game.state().hero.hp, path.display()),
        Some(ending) => format!("Ended: {ending}. Kept in {}\n", path.display()),
    }
}

impl From<HumanError> for Failure {
    fn from(error: HumanError) -> Self {
        match error {
            HumanError::Folder(error) => error.into(),
            HumanError::Trace(error) => error.into(),
            HumanError::Batch { .. }
            | HumanError::Different { .. }
            | HumanError::Name(_)
            | HumanError::Difference { .. }
            | HumanError::Game(_) => Failure::bad_input(error),
        }
    }
}
