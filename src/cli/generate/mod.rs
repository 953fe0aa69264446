//! `mota generate`: floors made by the program.

mod answer;
mod floors;
mod tower;
mod towers;
mod towers_answer;

use clap::Subcommand;

use super::{Exit, Failure};

pub use answer::{GenerateOutput, TowerAnswer};
pub use towers_answer::TowersAnswer;

/// What can be made.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Single floors from seeds, each with a known optimum
    Floors(floors::FloorsArgs),
    /// A tower of several floors from plain words or a description, with a known optimum
    Tower(tower::TowerArgs),
    /// Many towers of some requests, and what they are like
    Towers(towers::TowersArgs),
}

impl GenerateCommand {
    /// Makes it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            GenerateCommand::Floors(args) => args.run(),
            GenerateCommand::Tower(args) => args.run(),
            GenerateCommand::Towers(args) => args.run(),
        }
    }
}
