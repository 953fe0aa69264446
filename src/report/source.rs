//! Where a report comes from: the folders of runs, with what is known of them. Knows nothing of tables and pictures.

use std::path::Path;

use crate::analysis::EpisodeAnalysis;
use crate::eval::floor::BatchFloor;
use crate::eval::manifest::Manifest;

/// A run to be reported.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Its folder, in which the traces lie ([`crate::eval::store::trace_path`]).
    pub folder: &'a Path,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// Its floors.
    pub floors: &'a [BatchFloor],
    /// Its episodes that could be judged, in the order of its plan.
    pub episodes: &'a [EpisodeAnalysis],
}
