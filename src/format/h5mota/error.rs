//! Why a project cannot be imported. Knows nothing of what a project means.

use std::path::PathBuf;

use crate::format::ReadError;
use crate::game::TowerError;

/// Why a project cannot be imported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ImportError {
    /// The folder is none of a project.
    #[error("{} is no project of the HTML5 engine: it has no file project/data.js", .0.display())]
    #[diagnostic(help("name the folder that holds the folder `project`, or that folder itself"))]
    NotAProject(PathBuf),
    /// A file of it cannot be read, or is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    File(#[from] ReadError),
    /// What was asked for does not fit the project.
    #[error("{0}")]
    Wish(String),
    /// What came out is no tower.
    #[error("what was read is no tower that can be played: {0}")]
    Tower(#[from] TowerError),
}
