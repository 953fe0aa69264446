//! `mota runs`: the runs of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output;
use super::{Exit, Failure};
use crate::eval::folder::read_manifest;
use crate::eval::store::trace_path;
use crate::eval::trace::Trace;

/// Arguments of `mota runs`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota runs --json")]
pub struct RunsArgs {
    /// The folder that holds runs
    #[arg(default_value = "runs")]
    folder: PathBuf,
    /// Print JSON (its schema: mota schema runs)
    #[arg(long)]
    json: bool,
}

/// A run, in short.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunEntry {
    /// Its folder.
    path: PathBuf,
    /// Its name.
    name: String,
    /// Version of the program that wrote it last.
    mota: String,
    /// Episodes that it has.
    episodes: usize,
    /// Those that have ended.
    ended: usize,
    /// Those that have begun and not ended.
    begun: usize,
}

impl RunsArgs {
    /// Lists the runs.
    pub fn run(self) -> Result<Exit, Failure> {
        let mut paths: Vec<PathBuf> = match fs::read_dir(&self.folder) {
            Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.path()).collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::bad_input(format!("{}: {error}", self.folder.display()))),
        };
        paths.sort();
        let runs: Vec<RunEntry> = paths.iter().filter_map(|path| entry(path)).collect();
        if self.json {
            output::json(&runs)?;
            return Ok(Exit::Done);
        }
        let mut text = String::new();
        for run in &runs {
            text += &format!("{}  {} of {} episodes ended", run.path.display(), run.ended, run.episodes);
            text += &if run.begun > 0 { format!(", {} begun\n", run.begun) } else { "\n".into() };
        }
        if runs.is_empty() {
            text = format!("no runs in {}\n", self.folder.display());
        }
        output::text(&text)?;
        Ok(Exit::Done)
    }
}

fn entry(path: &Path) -> Option<RunEntry> {
    let manifest = read_manifest(path).ok()?;
    let traces: Vec<Trace> =
        manifest.episodes().iter().filter_map(|entry| Trace::read(&trace_path(path, &entry.id)).ok()).collect();
    let ended = traces.iter().filter(|trace| trace.footer.is_some()).count();
    Some(RunEntry {
        path: path.to_owned(),
        name: manifest.config.name.clone(),
        mota: manifest.mota.clone(),
        episodes: manifest.episodes,
        ended,
        begun: traces.len() - ended,
    })
}
