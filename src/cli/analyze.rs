//! `mota analyze`: the value of every decision of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use super::output;
use super::{Exit, Failure};
use crate::analysis::run::{RunAnalysis, analysis_path, analyze, kept_floors};
use crate::eval::folder::read_manifest;
use crate::report;

/// Arguments of `mota analyze`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota analyze runs/quickstart")]
pub struct AnalyzeArgs {
    /// The run's folder
    run: PathBuf,
    /// Print an array of JSON objects, one an episode (their schema: mota schema analysis)
    #[arg(long)]
    json: bool,
}

impl AnalyzeArgs {
    /// Analyses the run, on the floors that its folder keeps.
    pub fn run(self) -> Result<Exit, Failure> {
        let manifest = read_manifest(&self.run)?;
        let floors = kept_floors(&self.run, &manifest)?;
        let analysis = analyze(&self.run, &floors)?;
        warn(&analysis);
        if self.json {
            output::json(&analysis.episodes)?;
        } else {
            let table = report::terminal(&analysis.episodes, output::width())?;
            output::text(&format!("{table}\nWritten to {}\n", analysis_path(&self.run).display()))?;
        }
        Ok(if analysis.is_whole() { Exit::Done } else { Exit::NotWell })
    }
}

/// Tells what an analysis could not judge.
pub fn warn(analysis: &RunAnalysis) {
    for why in &analysis.left_out {
        tracing::warn!("left out of the analysis: {why}");
    }
    let mut told = BTreeSet::new();
    for episode in &analysis.episodes {
        if let Some(why) = &episode.values_unknown
            && told.insert(&episode.key.floor)
        {
            tracing::warn!(
                "floor `{}`: the state values are not known, so no losing decision is: {why}",
                episode.key.floor
            );
        }
    }
}
