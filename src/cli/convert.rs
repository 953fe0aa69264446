//! `mota convert`: a floor from one format into the other.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output;
use super::{Exit, Failure};
use crate::format;

/// Arguments of `mota convert`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota convert floors/complex.toml --to published -o complex.txt")]
pub struct ConvertArgs {
    /// The floor file; its format is told by its content
    floor: PathBuf,
    /// The format to write
    #[arg(long, value_enum)]
    to: FloorFormat,
    /// The file to write; standard output unless given
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// The floor formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FloorFormat {
    /// Native TOML.
    Native,
    /// The published solver's text.
    Published,
}

impl ConvertArgs {
    /// Converts the floor.
    pub fn run(self) -> Result<Exit, Failure> {
        let tower = format::read_tower(&self.floor)?;
        let text = match self.to {
            FloorFormat::Native => format::write_native(&tower),
            FloorFormat::Published => format::write_published(&tower)?,
        };
        match self.output {
            None => output::text(&text)?,
            Some(path) => output::file(&path, text.as_bytes())?,
        }
        Ok(Exit::Done)
    }
}
