//! A table: a frame with what a reader must know to read it. Knows nothing of how it is written down.

use polars_core::frame::DataFrame;

use super::batch::Floor;

/// A table, ready for any exporter.
#[derive(Clone, Debug)]
pub struct Table {
    /// What its files are called.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands below it: definitions, method, remarks on floors; a line each.
    pub notes: Vec<String>,
    /// Its rows. Columns are named in snake case, with the unit last where the name does not say it (`cost_usd`).
    pub frame: DataFrame,
}

/// The remarks that belong below every table of these floors.
pub fn floor_notes(floors: &[Floor<'_>]) -> impl Iterator<Item = String> {
    floors.iter().filter_map(|floor| Some(format!("{}: {}.", floor.name, floor.note?.trim_end_matches('.'))))
}
