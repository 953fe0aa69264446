//! `mota export inspect`: a run as logs of inspect_ai.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Opened, tell};
use crate::cli::effort::EffortArgs;
use crate::cli::{Exit, Failure, output};
use crate::export::inspect;

/// Arguments of `mota export inspect`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota export inspect runs/quickstart -o logs
  inspect view --log-dir logs

One log a configuration (agent and prompt): a floor is a sample, a repeat an epoch. Scores are whether the \
game was won, the final HP, the gap to the optimum, and the turn of the losing decision. What each decision \
was worth stands among the events of its sample.")]
pub struct InspectArgs {
    /// The run's folder
    run: PathBuf,
    /// The folder to write to; a log of the same name is replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print what was written as JSON (its schema: mota schema export-inspect)
    #[arg(long)]
    json: bool,
}

/// What `mota export inspect --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InspectOutput {
    /// The logs.
    files: Vec<PathBuf>,
    /// Episodes in them.
    episodes: usize,
    /// Episodes that were left out, and why, a line each.
    left_out: Vec<String>,
}

impl InspectArgs {
    /// Writes the logs.
    pub fn run(self) -> Result<Exit, Failure> {
        let opened = Opened::open(&self.run)?;
        let exported = inspect::write(&opened.run(), self.effort.effort(), &self.output)?;
        let exit = tell(std::slice::from_ref(&exported.walked));
        let answer = InspectOutput {
            files: exported.files,
            episodes: exported.walked.episodes,
            left_out: exported.walked.left_out,
        };
        if self.json {
            output::json(&answer)?;
        } else {
            let mut text = format!("episodes written: {}, in logs: {}\n", answer.episodes, answer.files.len());
            for file in &answer.files {
                text += &format!("  {}\n", file.display());
            }
            output::text(&text)?;
        }
        Ok(exit)
    }
}
