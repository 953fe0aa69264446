//! The table `searches` (Table B.1): the published, the corrected and the exact search side by side.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::table::{Table, fraction, text, whole};

/// What one search found on one floor, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The floor's name.
    pub floor: String,
    /// The search.
    pub search: &'static str,
    /// Final HP that it finds; none if it finds no way to win.
    pub hp: Option<i64>,
    /// Whether that is proven to be the best; none if there is no answer.
    pub proven: Option<bool>,
    /// States expanded; of the values, keys in the table.
    pub states: Option<u64>,
    /// Routes that win, as the published search counts them.
    pub wins: Option<u64>,
    /// Seconds of the search alone.
    pub seconds: Option<f64>,
    /// The most memory that the search had in use, in MB.
    pub search_mb: Option<f64>,
}

/// One row a search and floor, in the order given; times are medians of so many runs.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(rows: &[Row], runs: u16) -> PolarsResult<Table> {
    let notes = vec![
        "Published: the published search, which is not exact. Corrected: the same with the second test on HP as well. \
         Exact: ours. All values: the table of the values of all states."
            .to_owned(),
        "HP: final HP of the best way to win that was found; proven: whether no way is better. States: expanded; of all \
         values, keys of the table. Winning: winning states taken from the queue, as the published search counts \
         its routes."
            .to_owned(),
        format!("Seconds and MB of the search alone, on one machine, each in a process of its own; medians of {runs} runs."),
    ];
    Ok(Table::new("searches", "Searches side by side", notes, frame(rows)?))
}

fn frame(rows: &[Row]) -> PolarsResult<DataFrame> {
    let count = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
    let columns = vec![
        text("floor", rows, |row| Some(row.floor.clone())),
        text("search", rows, |row| Some(row.search.to_owned())),
        whole("hp", rows, |row| row.hp),
        text("proven", rows, |row| Some(if row.proven? { "yes" } else { "no" }.to_owned())),
        whole("states", rows, |row| count(row.states)),
        whole("winning", rows, |row| count(row.wins)),
        fraction("seconds", rows, |row| row.seconds),
        fraction("search_mb", rows, |row| row.search_mb),
    ];
    DataFrame::new(rows.len(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::export;

    #[test]
    fn what_is_not_known_stays_open() {
        let found = Row {
            floor: "complex".into(),
            search: "published",
            hp: Some(22),
            proven: Some(false),
            states: Some(703_456),
            wins: Some(13),
            seconds: Some(1.25),
            search_mb: Some(80.5),
        };
        let failed = Row {
            search: "all values",
            hp: None,
            proven: None,
            states: None,
            wins: None,
            seconds: None,
            search_mb: None,
            ..found.clone()
        };
        insta::assert_snapshot!(export::transposed(&table(&[found, failed], 3).unwrap()), @"
        floor: complex | complex
        search: published | all values
        hp: 22 | –
        proven: no | –
        states: 703456 | –
        winning: 13 | –
        seconds: 1.2500 | –
        search_mb: 80.50 | –
        ");
    }
}
