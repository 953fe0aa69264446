//! Writing a table down: one exporter a file, behind one trait. Knows tables; knows nothing of what they are about.

mod csv;
mod markdown;

use std::io::{self, Write};

use polars_core::prelude::{AnyValue, Column, PolarsError, PolarsResult};

use super::table::Table;

pub use csv::Csv;
pub use markdown::Markdown;

/// A form in which tables are written down.
pub trait Exporter {
    /// What its files end in, without the dot.
    fn extension(&self) -> &'static str;

    /// Writes the whole table.
    ///
    /// # Errors
    /// [`ExportError`] if `out` takes no more, or a column cannot be read.
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), ExportError>;
}

/// Why a table cannot be written down.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file takes no more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A column cannot be read.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

/// Decimals of a column's fractions: means of HP and turns need 2, dollars 6 (a call may cost 0.00001).
fn decimals(column: &str) -> usize {
    if column.ends_with("_usd") { 6 } else { 2 }
}

/// The cells of a column in words; none where there is no value.
pub(super) fn cells(column: &Column) -> PolarsResult<Vec<Option<String>>> {
    let decimals = decimals(column.name());
    (0..column.len()).map(|row| Ok(cell(column.get(row)?, decimals))).collect()
}

/// A cell in words, fractions with so many decimals; none where there is no value.
pub(super) fn cell(value: AnyValue<'_>, decimals: usize) -> Option<String> {
    match value {
        AnyValue::Null => None,
        AnyValue::Int64(number) => Some(number.to_string()),
        AnyValue::Float64(number) => {
            let text = format!("{number:.decimals$}");
            // What rounds to nothing has no sign.
            let zero = text.trim_start_matches('-').bytes().all(|byte| matches!(byte, b'0' | b'.'));
            Some(if zero { text.trim_start_matches('-').to_owned() } else { text })
        }
        // Text comes borrowed or owned; printing an owned one would quote it.
        other => Some(other.get_str().map_or_else(|| other.to_string(), str::to_owned)),
    }
}

/// A table with a line for every column: what tests show.
#[cfg(test)]
pub fn transposed(table: &Table) -> String {
    let line = |column: &Column| {
        let cells: Vec<String> = cells(column).unwrap().into_iter().map(|cell| cell.unwrap_or("–".into())).collect();
        format!("{}: {}\n", column.name(), cells.join(" | "))
    };
    table.frame.columns().iter().map(line).collect()
}
