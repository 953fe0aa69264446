//! A run's folder: what is where in it, its lock, and whether a plan may use it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use fs4::FileExt;
use serde::Deserialize;

use super::floor::BatchFloor;
use super::manifest::{FORMAT, Manifest, differences};
use super::plan::Plan;
use super::store::RETRIED;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The file system's word.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// Another process has it.
    #[error("{}: another process is working on this run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// There is none.
    #[error("{}: this is not the folder of a run (it has no manifest.json)", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// It holds something else.
    #[error("{}: this folder is not empty and holds no run; give another with --out", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// Its manifest cannot be read.
    #[error("{}: the manifest cannot be read: {why}; `mota run --fresh` begins the run anew", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// It was written by another configuration.
    #[error(
        "{}: this run was written by another configuration:\n{}\nGive another folder with --out, or --fresh to begin anew.",
        path.display(),
        differences.iter().map(|line| format!("  - {line}")).collect::<Vec<_>>().join("\n")
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs, a line each.
        differences: Vec<String>,
    },
}

/// A run's folder, locked for this process.
#[derive(Debug)]
pub struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it held a run before.
    pub resumed: bool,
    lock: File,
}

impl RunFolder {
    /// Opens or makes the folder of a plan. `fresh` removes the run that it holds.
    ///
    /// # Errors
    /// [`FolderError`] if it cannot be written, is in use, or holds another run.
    pub fn open(path: &Path, plan: &Plan, fresh: bool) -> Result<Self, FolderError> {
        RunFolder::of(path, &Manifest::of(plan), &plan.floors, fresh)
    }

    /// Opens or makes the folder of the run that a manifest describes, and keeps these of its floors.
    ///
    /// # Errors
    /// As [`RunFolder::open`].
    pub fn of(path: &Path, manifest: &Manifest, floors: &[BatchFloor], fresh: bool) -> Result<Self, FolderError> {
        let manifest_path = path.join("manifest.json");
        let known = match manifest_path.exists() && !fresh {
            true => Some(read_manifest(path)?),
            false => None,
        };
        if known.is_none() && holds_something_else(path)? {
            return Err(FolderError::Foreign { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(|source| FolderError::Io { path: path.to_owned(), source })?;
        let lock = lock(path)?;
        if fresh {
            clear(path)?;
        } else if let Some(known) = &known {
            let differences = differences(known, manifest);
            if !differences.is_empty() {
                return Err(FolderError::Different { path: path.to_owned(), differences });
            }
        }
        let resumed = known.is_some() && !fresh;
        let folder = RunFolder { path: path.to_owned(), resumed, lock };
        folder.keep(manifest)?;
        for part in ["episodes", "floors", "analysis"] {
            let part = path.join(part);
            fs::create_dir_all(&part).map_err(|source| FolderError::Io { path: part, source })?;
        }
        for floor in floors {
            write(&floor_path(path, floor.name()), floor.text.as_bytes())?;
        }
        Ok(folder)
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// [`FolderError`] if it cannot be written.
    pub fn keep(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let path = self.path.join("manifest.json");
        let mut text = serde_json::to_vec_pretty(manifest)
            .map_err(|error| FolderError::Manifest { path: path.clone(), why: error.to_string() })?;
        text.push(b'\n');
        write(&path, &text)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The lock goes with the process in any case.
        let _ = FileExt::unlock(&self.lock);
    }
}

/// The kept text of a floor.
pub fn floor_path(folder: &Path, name: &str) -> PathBuf {
    folder.join("floors").join(format!("{name}.toml"))
}

/// Reads the manifest of a run.
///
/// # Errors
/// [`FolderError::Manifest`] or [`FolderError::Io`].
pub fn read_manifest(folder: &Path) -> Result<Manifest, FolderError> {
    let path = folder.join("manifest.json");
    let text = fs::read(&path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            FolderError::NoRun { path: folder.to_owned() }
        }
        _ => FolderError::Io { path: path.clone(), source },
    })?;
    let wrong = |why: String| FolderError::Manifest { path: path.clone(), why };
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let Version { format } = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    if format > FORMAT {
        return Err(wrong(format!("its format {format} is newer than this program, which reads up to {FORMAT}")));
    }
    serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))
}

/// The file in which a run that is played elsewhere keeps which publication of it the folder follows.
pub const PUBLICATION: &str = ".publication";

/// What a run puts into its folder, one that was killed while it began included.
const OWN_NAMES: [&str; 10] = [
    ".lock",
    PUBLICATION,
    "manifest.json",
    "manifest.tmp",
    "episodes",
    RETRIED,
    "floors",
    "analysis",
    "report",
    "log.jsonl",
];

/// Whether there is anything in a folder that no run puts there.
fn holds_something_else(path: &Path) -> Result<bool, FolderError> {
    let foreign = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| !OWN_NAMES.iter().any(|own| entry.file_name() == *own))
    };
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.any(foreign)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(FolderError::Io { path: path.to_owned(), source }),
    }
}

fn lock(folder: &Path) -> Result<File, FolderError> {
    let path = folder.join(".lock");
    let io = |source| FolderError::Io { path: path.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(io)?;
    match FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(fs4::TryLockError::WouldBlock) => Err(FolderError::Locked { path: folder.to_owned() }),
        Err(fs4::TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Removes what a run has written, and nothing else.
fn clear(folder: &Path) -> Result<(), FolderError> {
    for file in ["log.jsonl", PUBLICATION] {
        match fs::remove_file(folder.join(file)) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(FolderError::Io { path: folder.join(file), source });
            }
            _ => {}
        }
    }
    for part in ["episodes", RETRIED, "floors", "analysis", "report"] {
        let path = folder.join(part);
        match fs::remove_dir_all(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(FolderError::Io { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes a file so that it is either the old one or the new one, whole.
fn write(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let io = |source| FolderError::Io { path: path.to_owned(), source };
    let draft = path.with_extension("tmp");
    fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, path)).map_err(io)
}
