//! `mota export decisions`: what was decided, for study and training.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Opened, tell};
use crate::cli::effort::EffortArgs;
use crate::cli::{Exit, Failure, output};
use crate::export::decisions;

/// Arguments of `mota export decisions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota export decisions runs/quickstart -o decisions.parquet
  mota export decisions runs/small runs/large -o decisions.parquet

docs/decisions.md says what each column means. Decisions stand in the order of the plan, run by run.")]
pub struct DecisionsArgs {
    /// The runs' folders
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print what was written as JSON (its schema: mota schema export-decisions)
    #[arg(long)]
    json: bool,
}

/// What `mota export decisions --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionsOutput {
    /// The file.
    file: PathBuf,
    /// Decisions in it.
    decisions: usize,
    /// Episodes that they come from, those without a decision included.
    episodes: usize,
    /// Episodes that were left out, and why, a line each.
    left_out: Vec<String>,
}

impl DecisionsArgs {
    /// Writes the file.
    pub fn run(self) -> Result<Exit, Failure> {
        for (index, run) in self.runs.iter().enumerate() {
            let place = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
            if self.runs[..index].iter().any(|known| place(known) == place(run)) {
                return Err(Failure::bad_input(format!("{}: this run is named twice", run.display())));
            }
        }
        let opened = self.runs.iter().map(|folder| Opened::open(folder)).collect::<Result<Vec<_>, _>>()?;
        let runs: Vec<_> = opened.iter().map(Opened::run).collect();
        let exported = decisions::write(&runs, self.effort.effort(), &self.output)?;
        let exit = tell(&exported.walked);
        let answer = DecisionsOutput {
            file: self.output,
            decisions: exported.decisions,
            episodes: exported.walked.iter().map(|walked| walked.episodes).sum(),
            left_out: exported.walked.into_iter().flat_map(|walked| walked.left_out).collect(),
        };
        if self.json {
            output::json(&answer)?;
        } else {
            let (decisions, episodes, file) = (answer.decisions, answer.episodes, answer.file.display());
            output::text(&format!("{decisions} decisions of {episodes} episodes written to {file}\n"))?;
        }
        Ok(exit)
    }
}
