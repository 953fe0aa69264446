//! Logs that inspect_ai's viewer opens: one file a configuration (agent and prompt), a zip of JSON documents. The shapes
//! are those of the package's own logs, version 2, with what is ours in their metadata.

mod identity;
mod log;
mod sample;
mod scores;
mod transcript;
mod usage;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{ExportError, Run};
use crate::analysis::walk::{Judged, Walked, walk};
use crate::solver::Effort;
use log::Log;
use sample::Sample;

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The logs, in the order of their names.
    pub files: Vec<PathBuf>,
    /// What was gone through.
    pub walked: Walked,
}

/// Writes the logs of a run into a folder, which is made if it is missing. A log of the same name is replaced.
///
/// # Errors
/// [`ExportError`], with no log written.
pub fn write(run: &Run<'_>, effort: Effort, out: &Path) -> Result<Exported, ExportError> {
    fs::create_dir_all(out).map_err(|source| ExportError::Write { path: out.to_owned(), source })?;
    let mut logs: BTreeMap<String, Log> = BTreeMap::new();
    let sample = |judged: Judged<'_>| Sample::of(run, &judged);
    let walked = walk(run.folder, run.manifest, run.floors, effort, sample, |sample| {
        let log = match logs.remove(&sample.configuration) {
            Some(log) => log,
            None => Log::begin(run, &sample, out)?,
        };
        let configuration = sample.configuration.clone();
        logs.insert(configuration, log.with(sample)?);
        Ok(())
    })?;
    let files = logs.into_values().map(|log| log.end(run)).collect::<Result<Vec<_>, _>>()?;
    Ok(Exported { files, walked })
}
