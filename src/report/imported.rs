//! The tables of an import: every scripted event with what became of it, and what else is not modelled.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::table::{Table, text, whole};
use crate::format::h5mota::Report;

/// Table B.4: the scripted events, by floor and place.
///
/// # Errors
/// If polars cannot make the frame.
pub fn events(report: &Report) -> PolarsResult<Table> {
    let rows = &report.events;
    let columns = vec![
        text("floor", rows, |row| Some(row.floor.clone())),
        whole("x", rows, |row| row.x.map(i64::from)),
        whole("y", rows, |row| row.y.map(i64::from)),
        text("trigger", rows, |row| Some(row.trigger.clone())),
        text("what", rows, |row| Some(row.what.clone())),
        whole("changes", rows, |row| i64::try_from(row.changes).ok()),
        whole("changes_modelled", rows, |row| i64::try_from(row.changes_modelled).ok()),
        whole("unknown", rows, |row| i64::try_from(row.unknown).ok()),
        text("modelled", rows, |row| Some(row.modelled.word().to_owned())),
        text("why", rows, |row| Some(row.why.clone()).filter(|why| !why.is_empty())),
    ];
    let notes = vec![
        "Changes: instructions that change, or may change, the game's state (quantities, items, flags, blocks, where the hero \
         is, fights, the end), inserted ones included; text, sound and pictures are none."
            .to_owned(),
        "Unknown: calls of the project's own code alone, of which no file that is read says what they do; not among the changes."
            .to_owned(),
        "Modelled: yes if all of them are, no if none is; show only if there are none. Why: each reason once.".to_owned(),
    ];
    let frame = DataFrame::new(rows.len(), columns)?;
    Ok(Table::new("events", "Table B.4: scripted events", notes, frame))
}

/// What else is not modelled.
///
/// # Errors
/// If polars cannot make the frame.
pub fn others(report: &Report) -> PolarsResult<Table> {
    let rows = &report.others;
    let columns = vec![
        text("what", rows, |row| Some(row.what.clone())),
        text("name", rows, |row| Some(row.name.clone())),
        whole("count", rows, |row| i64::try_from(row.count).ok()),
        text("first", rows, |row| Some(row.first.clone()).filter(|first| !first.is_empty())),
        text("why", rows, |row| Some(row.why.clone())),
    ];
    let notes = vec!["Count: of a block its tiles, of an ability the kinds of monster that have it, of anything else how often the import came upon it. First: where that was first.".to_owned()];
    let frame = DataFrame::new(rows.len(), columns)?;
    Ok(Table::new("not_modelled", "Other things that are not modelled", notes, frame))
}
