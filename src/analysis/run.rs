//! Judging all episodes of a run's folder and keeping the result in `analysis/episodes.jsonl`.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::decision::EpisodeAnalysis;
use super::walk::{Walked, walk};
use crate::eval::floor::BatchFloor;
use crate::eval::folder::{FolderError, floor_path, read_manifest};
use crate::eval::manifest::Manifest;
use crate::format::{self, ReadError};
use crate::solver::Effort;

/// An analysis that cannot be made or kept.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum AnalysisError {
    /// The folder is none of a run.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A kept floor cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Floor(#[from] ReadError),
    /// A kept floor is not the one that the manifest names.
    #[error("{}: this floor is not the one that the run was played on (its hash differs)", path.display())]
    OtherFloor {
        /// The file.
        path: PathBuf,
    },
    /// A kept floor cannot be played.
    #[error("{}: {why}", path.display())]
    Unplayable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The file system's word.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
}

/// The analysis of a run.
#[derive(Clone, Debug, Default)]
pub struct RunAnalysis {
    /// The episodes that have a trace, in the order of the plan.
    pub episodes: Vec<EpisodeAnalysis>,
    /// What was gone through, and what could not be judged.
    pub walked: Walked,
}

impl RunAnalysis {
    /// Whether every episode was judged, as far as was asked for.
    pub fn is_whole(&self) -> bool {
        self.walked.is_whole()
    }
}

/// The floors of a run, from its own folder.
///
/// # Errors
/// [`AnalysisError`] if one is missing, broken or another.
pub fn kept_floors(folder: &Path, manifest: &Manifest) -> Result<Vec<BatchFloor>, AnalysisError> {
    let mut floors = Vec::new();
    for entry in &manifest.floors {
        let path = floor_path(folder, &entry.name);
        let tower = format::read_tower(&path)?;
        let floor = BatchFloor::new(tower, path.clone(), manifest.config.items)
            .map_err(|why| AnalysisError::Unplayable { path: path.clone(), why })?;
        if floor.hash != entry.hash {
            return Err(AnalysisError::OtherFloor { path });
        }
        floors.push(floor);
    }
    Ok(floors)
}

/// Judges all episodes of a run: floor by floor, so that the values of one floor are in memory at a time, and the
/// episodes of a floor side by side. The folder is only read. An episode that cannot be judged is left out and told.
pub fn judge_all(folder: &Path, manifest: &Manifest, floors: &[BatchFloor], effort: Effort) -> RunAnalysis {
    let mut episodes = Vec::new();
    let walked: Result<Walked, Infallible> = walk(
        folder,
        manifest,
        floors,
        effort,
        |judged| judged.analysis,
        |analysis| {
            episodes.push(analysis);
            Ok(())
        },
    );
    let Ok(walked) = walked;
    RunAnalysis { episodes, walked }
}

/// Judges all episodes of a run and keeps the result in its folder.
///
/// # Errors
/// [`AnalysisError`] if the folder is none of a run or the result cannot be kept.
pub fn analyze(folder: &Path, floors: &[BatchFloor], effort: Effort) -> Result<RunAnalysis, AnalysisError> {
    let analysis = judge_all(folder, &read_manifest(folder)?, floors, effort);
    keep(folder, &analysis.episodes)?;
    Ok(analysis)
}

/// Where the analysis of a run is kept.
pub fn analysis_path(folder: &Path) -> PathBuf {
    folder.join("analysis").join("episodes.jsonl")
}

/// Keeps the analysis of a run in its folder.
///
/// # Errors
/// [`AnalysisError::Io`].
pub fn keep(folder: &Path, episodes: &[EpisodeAnalysis]) -> Result<(), AnalysisError> {
    let path = analysis_path(folder);
    let io = |source| AnalysisError::Io { path: path.clone(), source };
    fs::create_dir_all(folder.join("analysis")).map_err(io)?;
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file = BufWriter::new(File::create(&draft).map_err(io)?);
    for episode in episodes {
        serde_json::to_writer(&mut file, episode).map_err(|error| io(error.into()))?;
        file.write_all(b"\n").map_err(io)?;
    }
    file.into_inner().map_err(|error| io(error.into_error()))?;
    fs::rename(&draft, &path).map_err(io)
}
