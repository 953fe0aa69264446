//! `mota generate`: floors made by the program.

mod answer;
mod floors;
mod tower;

use clap::Subcommand;

use super::{Exit, Failure};

pub use answer::{GenerateOutput, TowerAnswer};

/// What can be made.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Single floors from seeds, each with a known optimum
    Floors(floors::FloorsArgs),
    /// A tower of several floors from plain words or a description, with a known optimum
    Tower(tower::TowerArgs),
}

impl GenerateCommand {
    /// Makes it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            GenerateCommand::Floors(args) => args.run(),
            GenerateCommand::Tower(args) => args.run(),
        }
    }
}
