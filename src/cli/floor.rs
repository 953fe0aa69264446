//! `mota floor`: about floor files.

use clap::Subcommand;

use super::output;
use super::{Exit, Failure};
use crate::format::legend;

/// The commands about floor files.
#[derive(Debug, Subcommand)]
pub enum FloorCommand {
    /// Print the symbols of the native map
    Legend,
}

impl FloorCommand {
    /// Prints it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            FloorCommand::Legend => output::text(&legend::legend())?,
        }
        Ok(Exit::Done)
    }
}
