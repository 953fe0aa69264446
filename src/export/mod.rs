//! What other programs read of a run: one form a folder, each written from judged episodes. Knows analysis, traces and the
//! game; knows nothing of tables and pictures for people.

pub mod decisions;
pub mod inspect;
mod sink;

use std::io;
use std::path::{Path, PathBuf};

use polars_core::prelude::PolarsError;

use crate::eval::floor::BatchFloor;
use crate::eval::manifest::Manifest;

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The rows cannot be laid out or written.
    #[error("{} cannot be written: {source}", path.display())]
    Rows {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: PolarsError,
    },
}

/// A run to be exported.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Its folder, as it was named.
    pub folder: &'a Path,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// Its floors.
    pub floors: &'a [BatchFloor],
}
