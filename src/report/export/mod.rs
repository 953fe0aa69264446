//! Writing a table down: one exporter a file, behind one trait. Knows tables; knows nothing of what they are about.

mod csv;
mod latex;
mod markdown;
mod parquet;

use std::io::{self, Write};

use polars_core::prelude::{AnyValue, Column, PolarsError, PolarsResult};

use super::table::Table;

pub use csv::Csv;
pub use latex::{Latex, document};
pub use markdown::Markdown;
pub use parquet::Parquet;

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

/// All exporters, in the order in which their files are listed.
pub const ALL: [&dyn Exporter; 4] = [&Csv, &Markdown, &Latex, &Parquet];

/// Decimals of a column's fractions: means of HP and turns need 2, shares 3, p-values and seconds of a search 4, dollars 6 (a call may cost
/// 0.00001).
fn decimals(column: &str) -> usize {
    let column = column.strip_suffix("_low").or(column.strip_suffix("_high")).unwrap_or(column);
    match column {
        column if column.contains("_usd") => 6,
        column if column.starts_with("p_") || column == "seconds" => 4,
        column if column.ends_with("rate") || column.starts_with("share") => 3,
        _ => 2,
    }
}

/// A column as people read it: its heading and its cells in words, each with its interval.
pub(super) struct Shown {
    /// Its name in words.
    pub heading: String,
    /// Its cells; none where there is no value.
    pub cells: Vec<Option<String>>,
    /// Whether it holds numbers.
    pub is_number: bool,
}

/// The columns of a table that people read.
pub(super) fn shown(table: &Table) -> PolarsResult<Vec<Shown>> {
    table.shown().into_iter().map(|(column, ends)| shown_column(column, ends)).collect()
}

fn shown_column(column: &Column, ends: Option<[&Column; 2]>) -> PolarsResult<Shown> {
    let mut cells = cells(column)?;
    if let Some([low, high]) = ends {
        let ends = self::cells(low)?.into_iter().zip(self::cells(high)?);
        for (cell, (low, high)) in cells.iter_mut().zip(ends) {
            if let (Some(cell), Some(low), Some(high)) = (cell, low, high) {
                *cell = format!("{cell} ({low} to {high})");
            }
        }
    }
    Ok(Shown { heading: heading(column.name()), cells, is_number: column.dtype().is_primitive_numeric() })
}

/// A column's name in words.
fn heading(name: &str) -> String {
    let word = |word: &str| match word {
        "hp" | "usd" => word.to_uppercase(),
        "s" => "(s)".to_owned(),
        word => word.to_owned(),
    };
    name.split('_').map(word).collect::<Vec<_>>().join(" ")
}

/// The cells of a column in words; none where there is no value.
pub(super) fn cells(column: &Column) -> PolarsResult<Vec<Option<String>>> {
    let decimals = decimals(column.name());
    let is_p_value = column.name().starts_with("p_");
    let words = |value: AnyValue<'_>| match value {
        // A small one is no zero.
        AnyValue::Float64(p) if is_p_value && p < 1e-4 => Some(format!("{p:.1e}")),
        value => cell(value, decimals),
    };
    (0..column.len()).map(|row| Ok(words(column.get(row)?))).collect()
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
