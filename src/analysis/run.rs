//! Judging all episodes of a run's folder and keeping the result in `analysis/episodes.jsonl`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::decision::EpisodeAnalysis;
use super::judge::judge;
use crate::eval::floor::BatchFloor;
use crate::eval::folder::{FolderError, floor_path, read_manifest};
use crate::eval::manifest::Manifest;
use crate::eval::store::trace_path;
use crate::eval::trace::{Trace, TraceError};
use crate::format::{self, ReadError};
use crate::solver::{SolveError, Values};

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
    /// Episodes that could not be judged, and why, a line each.
    pub left_out: Vec<String>,
}

impl RunAnalysis {
    /// Whether every episode was judged, by known values.
    pub fn is_whole(&self) -> bool {
        self.left_out.is_empty() && self.episodes.iter().all(|episode| episode.values_unknown.is_none())
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

/// Judges all episodes of a run and keeps the result: floor by floor, so that the values of one floor are in memory at
/// a time, and the episodes of a floor side by side.
///
/// # Errors
/// [`AnalysisError`] if the folder is none of a run or the result cannot be kept. An episode that cannot be judged is
/// left out and told.
pub fn analyze(folder: &Path, floors: &[BatchFloor]) -> Result<RunAnalysis, AnalysisError> {
    let manifest = read_manifest(folder)?;
    let entries = manifest.episodes();
    let mut analysis = RunAnalysis::default();
    for (index, floor) in floors.iter().enumerate() {
        let begun: Vec<Begun> = (entries.iter())
            .filter(|entry| entry.floor == index)
            .map(|entry| Begun {
                path: trace_path(folder, &entry.id),
                id: entry.id.clone(),
                seed: manifest.config.seed,
            })
            .filter(|begun| begun.path.exists())
            .collect();
        for result in judge_floor(&begun, floor).into_iter().flatten() {
            match result {
                Ok(episode) => analysis.episodes.push(episode),
                Err(why) => analysis.left_out.push(why),
            }
        }
    }
    keep(folder, &analysis.episodes)?;
    Ok(analysis)
}

/// An episode that has a trace, and what the trace must say of itself.
struct Begun {
    path: PathBuf,
    id: String,
    seed: u64,
}

/// An episode judged, or why it cannot be; nothing if it has not been begun.
type Judged = Option<Result<EpisodeAnalysis, String>>;

/// Judges the episodes of one floor, in order, on all cores.
fn judge_floor(begun: &[Begun], floor: &BatchFloor) -> Vec<Judged> {
    if begun.is_empty() {
        return Vec::new();
    }
    let values = floor.values();
    let values = values.as_deref();
    let results: Vec<Mutex<Judged>> = begun.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(begun.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(begun), Some(slot)) = (begun.get(index), results.get(index)) else { return };
                    let judged = judge_file(begun, floor, values);
                    if let Ok(mut slot) = slot.lock() {
                        *slot = judged;
                    }
                }
            });
        }
    });
    results.into_iter().map(|slot| slot.into_inner().ok().flatten()).collect()
}

fn judge_file(begun: &Begun, floor: &BatchFloor, values: Result<&Values, &SolveError>) -> Judged {
    let path = &begun.path;
    let trace = match Trace::read(path) {
        Ok(trace) => trace,
        Err(TraceError::Empty { .. }) => return None,
        Err(error) => return Some(Err(error.to_string())),
    };
    if trace.header.id != begun.id || trace.header.seed != begun.seed {
        return Some(Err(format!("{}: this trace belongs to another episode or run", path.display())));
    }
    Some(judge(&trace, &floor.game, values).map_err(|error| format!("{}: {error}", path.display())))
}

/// Where the analysis of a run is kept.
pub fn analysis_path(folder: &Path) -> PathBuf {
    folder.join("analysis").join("episodes.jsonl")
}

fn keep(folder: &Path, episodes: &[EpisodeAnalysis]) -> Result<(), AnalysisError> {
    let path = analysis_path(folder);
    let io = |source| AnalysisError::Io { path: path.clone(), source };
    fs::create_dir_all(folder.join("analysis")).map_err(io)?;
    let draft = path.with_extension("tmp");
    let mut file = BufWriter::new(File::create(&draft).map_err(io)?);
    for episode in episodes {
        serde_json::to_writer(&mut file, episode).map_err(|error| io(error.into()))?;
        file.write_all(b"\n").map_err(io)?;
    }
    file.into_inner().map_err(|error| io(error.into_error()))?;
    fs::rename(&draft, &path).map_err(io)
}
