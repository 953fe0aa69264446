//! `mota report`: tables and plots of one run or several.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::effort::EffortArgs;
use super::output;
use super::{Exit, Failure};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::run::{judge_all, kept_floors};
use crate::eval::floor::BatchFloor;
use crate::eval::folder::read_manifest;
use crate::eval::manifest::{Manifest, clash};
use crate::report::{self, source::Source};

/// Arguments of `mota report`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota report runs/quickstart --out reports/quickstart")]
pub struct ReportArgs {
    /// The runs' folders
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// The folder to write to; RUN/report for a single run unless given
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print the files written as JSON (its schema: mota schema report)
    #[arg(long)]
    json: bool,
}

/// What `mota report --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportOutput {
    /// Episodes reported.
    episodes: usize,
    /// Files written.
    files: Vec<PathBuf>,
}

/// A run that is reported.
struct Run<'a> {
    folder: &'a Path,
    manifest: Manifest,
    floors: Vec<BatchFloor>,
    episodes: Vec<EpisodeAnalysis>,
}

impl Run<'_> {
    fn source(&self) -> Source<'_> {
        Source { folder: self.folder, manifest: &self.manifest, floors: &self.floors, episodes: &self.episodes }
    }
}

impl ReportArgs {
    /// Analyses the runs and writes the report.
    pub fn run(self) -> Result<Exit, Failure> {
        if let Some(out) = self.out.as_ref().filter(|out| out.is_file()) {
            return Err(Failure::bad_input(format!("{}: this is a file; --out names a folder", out.display())));
        }
        let out = match (&self.out, self.runs.as_slice()) {
            (Some(out), _) => out.clone(),
            (None, [run]) => run.join("report"),
            (None, _) => return Err(Failure::bad_input("several runs: say where to write with --out")),
        };
        let mut runs: Vec<Run<'_>> = Vec::new();
        let mut whole = true;
        for run in &self.runs {
            let manifest = read_manifest(run)?;
            if let Some((other, why)) =
                runs.iter().find_map(|known| Some((known.folder, clash(&known.manifest, &manifest)?)))
            {
                let message = format!("{} and {} cannot be reported together: {why}", other.display(), run.display());
                return Err(Failure::bad_input(message));
            }
            let floors = kept_floors(run, &manifest)?;
            let planned = manifest.episodes().len();
            let analysis = judge_all(run, &manifest, &floors, self.effort.effort());
            super::analyze::warn(&analysis);
            whole &= analysis.is_whole();
            let open = analysis.episodes.iter().filter(|episode| !episode.is_finished()).count();
            let missing = planned.saturating_sub(analysis.episodes.len() + analysis.walked.left_out.len());
            if open + missing > 0 {
                let run = run.display();
                tracing::warn!(
                    "{run}: of {planned} episodes {missing} have not been begun, and {open} are not finished"
                );
            }
            runs.push(Run { folder: run, manifest, floors, episodes: analysis.episodes });
        }
        let sources: Vec<Source<'_>> = runs.iter().map(Run::source).collect();
        let files = report::write_all(&sources, &out)?;
        if self.json {
            output::json(&ReportOutput { episodes: sources.iter().map(|run| run.episodes.len()).sum(), files })?;
        } else {
            let mut text = report::terminal(sources.iter().flat_map(|run| run.episodes), output::width())?;
            text += &format!("\nWritten to {}:\n{}", out.display(), super::written::lines(&files, &out));
            output::text(&text)?;
        }
        Ok(if whole { Exit::Done } else { Exit::NotWell })
    }
}
