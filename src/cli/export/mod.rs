//! `mota export`: runs in forms that other programs read.

mod decisions;
mod inspect;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::{Exit, Failure};
use crate::analysis::run::kept_floors;
use crate::analysis::walk::Walked;
use crate::eval::floor::BatchFloor;
use crate::eval::folder::read_manifest;
use crate::eval::manifest::Manifest;
use crate::export::Run;

pub use decisions::DecisionsOutput;
pub use inspect::InspectOutput;

/// The forms.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// One row a decision as a Parquet file, with what the agent saw and the value of every legal action
    Decisions(decisions::DecisionsArgs),
    /// Logs that the viewer of inspect_ai opens, with every message, decision and score
    Inspect(inspect::InspectArgs),
}

impl ExportCommand {
    /// Writes it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            ExportCommand::Decisions(args) => args.run(),
            ExportCommand::Inspect(args) => args.run(),
        }
    }
}

/// A run as its folder holds it.
struct Opened {
    folder: PathBuf,
    manifest: Manifest,
    floors: Vec<BatchFloor>,
}

impl Opened {
    fn open(folder: &Path) -> Result<Self, Failure> {
        let manifest = read_manifest(folder)?;
        let floors = kept_floors(folder, &manifest)?;
        Ok(Opened { folder: folder.to_owned(), manifest, floors })
    }

    fn run(&self) -> Run<'_> {
        Run { folder: &self.folder, manifest: &self.manifest, floors: &self.floors }
    }
}

/// Tells what is missing, and how the program ends for it.
fn tell(walked: &[Walked]) -> Exit {
    for walked in walked {
        for why in &walked.left_out {
            tracing::warn!("left out: {why}");
        }
        for (floor, why) in &walked.unknown {
            tracing::warn!("floor `{floor}`: state values are not known where they stand empty: {why}");
        }
    }
    if walked.iter().all(Walked::is_whole) { Exit::Done } else { Exit::NotWell }
}
