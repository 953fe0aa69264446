//! `mota generate`: floors made by the program.

mod answer;
mod floors;

use clap::Subcommand;

use super::{Exit, Failure};

pub use answer::GenerateOutput;

/// What can be made.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Single floors from seeds, each with a known optimum
    Floors(floors::FloorsArgs),
}

impl GenerateCommand {
    /// Makes it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            GenerateCommand::Floors(args) => args.run(),
        }
    }
}
