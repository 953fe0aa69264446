//! `mota report`: tables and plots of one run or several.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output;
use super::{Exit, Failure};
use crate::analysis::run::{analyze, kept_floors};
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

impl ReportArgs {
    /// Analyses the runs and writes the report.
    pub fn run(self) -> Result<Exit, Failure> {
        let out = match (&self.out, self.runs.as_slice()) {
            (Some(out), _) => out.clone(),
            (None, [run]) => run.join("report"),
            (None, _) => return Err(Failure::bad_input("several runs: say where to write with --out")),
        };
        let mut manifests: Vec<(&Path, Manifest)> = Vec::new();
        let mut episodes = Vec::new();
        let mut kept = Vec::new();
        let mut whole = true;
        for run in &self.runs {
            let manifest = read_manifest(run)?;
            if let Some((other, why)) =
                manifests.iter().find_map(|(path, known)| Some((path, clash(known, &manifest)?)))
            {
                let message = format!("{} and {} cannot be reported together: {why}", other.display(), run.display());
                return Err(Failure::bad_input(message));
            }
            let floors = kept_floors(run, &manifest)?;
            let analysis = analyze(run, &floors)?;
            super::analyze::warn(&analysis);
            whole &= analysis.is_whole();
            episodes.extend(analysis.episodes.iter().cloned());
            kept.push((floors, analysis.episodes));
            manifests.push((run, manifest));
        }
        fs::create_dir_all(&out).map_err(|error| Failure::failed(format!("{}: {error}", out.display())))?;
        let mut files = report::write_all(&episodes, &out)?;
        let sources: Vec<Source<'_>> = (manifests.iter().zip(&kept))
            .map(|((folder, manifest), (floors, episodes))| Source { folder, manifest, floors, episodes })
            .collect();
        let names: Vec<&str> = manifests.iter().map(|(_, manifest)| manifest.config.name.as_str()).collect();
        files.push(report::write_page(&names.join(", "), &sources, &out)?);
        if self.json {
            output::json(&ReportOutput { episodes: episodes.len(), files })?;
        } else {
            let mut text = report::terminal(&episodes)?;
            text += "\nWritten:\n";
            for file in &files {
                text += &format!("  {}\n", file.display());
            }
            output::text(&text)?;
        }
        Ok(if whole { Exit::Done } else { Exit::NotWell })
    }
}
