//! A table: a frame with what a reader must know to read it. Knows nothing of how it is written down.

use polars_core::frame::DataFrame;
use polars_core::prelude::{Column, NamedFrom, PolarsResult, Series};

use super::batch::{Configuration, Floor};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::statistics::Interval;
use crate::solver::Worth;

/// A table, ready for any exporter.
#[derive(Clone, Debug)]
pub struct Table {
    /// What its files are called.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands below it: definitions, method, remarks on floors; a line each.
    pub notes: Vec<String>,
    /// Its rows. Columns are named in snake case, with the unit last where the name does not say it (`cost_usd`). The
    /// ends of an interval for column `x` are `x_low` and `x_high`.
    pub frame: DataFrame,
    /// The columns that are printed where room is short, on paper, in this order; all of them if it is empty.
    pub brief: &'static [&'static str],
}

impl Table {
    /// A table of which all columns are always shown.
    pub fn new(name: &'static str, title: &'static str, notes: Vec<String>, frame: DataFrame) -> Self {
        Table { name, title, notes, frame, brief: &[] }
    }

    /// The columns that are shown to people, each with the ends of its interval if it has one: those of `brief`, or all.
    pub fn shown(&self) -> Vec<(&Column, Option<[&Column; 2]>)> {
        let find = |name: &str| self.frame.columns().iter().find(|column| column.name() == name);
        let ends = |name: &str| Some([find(&format!("{name}_low"))?, find(&format!("{name}_high"))?]);
        let is_end = |name: &str| {
            let of = name.strip_suffix("_low").or(name.strip_suffix("_high"));
            of.is_some_and(|of| find(of).is_some() && ends(of).is_some())
        };
        let all = self.frame.columns().iter().map(|column| column.name().as_str());
        let names: Vec<&str> = match self.brief {
            [] => all.filter(|name| !is_end(name)).collect(),
            brief => brief.to_vec(),
        };
        names.into_iter().filter_map(|name| Some((find(name)?, ends(name)))).collect()
    }
}

/// The remarks that belong below every table of these floors: the floors' own, what is not known of them, and what helped
/// humans on them.
pub fn floor_notes(floors: &[Floor<'_>]) -> impl Iterator<Item = String> {
    let own = |floor: &Floor<'_>| Some(format!("{}: {}.", floor.name, floor.note?.trim_end_matches('.')));
    let helped = (floors.iter())
        .flat_map(|floor| floor.configurations.iter().filter_map(|configuration| helped(floor.name, configuration)));
    floors.iter().filter_map(own).chain(floors.iter().filter_map(unknown)).chain(helped)
}

/// Why values of a floor are not known, and of how many decisions, if some are not.
fn unknown(floor: &Floor<'_>) -> Option<String> {
    let why = floor.episodes().find_map(|episode| episode.values_unknown.as_deref())?;
    if floor.episodes().all(EpisodeAnalysis::is_unknown) {
        return Some(format!("{}: the state values are not known, nor what rests on them: {why}.", floor.name));
    }
    let (mut all, mut known, mut nothing) = (0, 0, 0);
    for decision in floor.episodes().flat_map(|episode| &episode.decisions) {
        all += 1;
        known += usize::from(decision.is_known());
        nothing += usize::from(decision.before.is_unknown() && decision.after().is_unknown());
    }
    // Branch and bound may have proven what the oracle does not hold.
    (known < all).then(|| format!(
        "{}: the values before and after are known of {known} of {all} decisions; of {} there are bounds, of {nothing} there is \
         nothing ({why}). What is counted is proven; a column named not known says of how many neither is proven, and no \
         mean has them.",
        floor.name,
        all - known - nothing
    ))
}

/// How many decisions a human took back on a floor, and before how many he was shown state values; nothing if none.
fn helped(floor: &str, configuration: &Configuration<'_>) -> Option<String> {
    let (mut taken_back, mut hinted, mut decisions) = (0, 0, 0);
    for episode in &configuration.episodes {
        taken_back += episode.taken_back;
        hinted += episode.hinted;
        decisions += episode.decisions.len();
    }
    let name = &configuration.name;
    let plural = if taken_back == 1 { "" } else { "s" };
    let what =
        format!("took back {taken_back} decision{plural}, and was shown state values before {hinted} of {decisions}");
    (taken_back > 0 || hinted > 0).then(|| format!("{floor}: {name} {what}."))
}

/// A column of texts, one a row.
pub fn text<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<String>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

/// A column of whole numbers, one a row.
pub fn whole<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<i64>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

/// A column of whole numbers that is there only if some row has one that is not 0.
pub fn whole_if_any<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<i64>) -> Option<Column> {
    let values: Vec<Option<i64>> = rows.iter().map(of).collect();
    values.iter().flatten().any(|value| *value != 0).then(|| Series::new(name.into(), values).into())
}

/// A column of texts that is there only if some row has one.
pub fn text_if_any<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<String>) -> Option<Column> {
    let values: Vec<Option<String>> = rows.iter().map(of).collect();
    values.iter().any(Option::is_some).then(|| Series::new(name.into(), values).into())
}

/// The bounds of a value, if it is not known: the columns `x_least` and `x_most` beside `x`, where some row has them.
pub fn bounds<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Worth) -> Vec<Column> {
    let open = |row: &R| Some(of(row)).filter(|worth| !worth.is_known());
    let least = whole_if_any(&format!("{name}_least"), rows, |row| open(row)?.least);
    let most = whole_if_any(&format!("{name}_most"), rows, |row| open(row)?.bound());
    least.into_iter().chain(most).collect()
}

/// A column of fractions, one a row.
pub fn fraction<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<f64>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

/// The two columns of the ends of an interval, one a row.
pub fn ends<R>(name: &str, rows: &[R], of: impl Fn(&R) -> Option<Interval>) -> [Column; 2] {
    let intervals: Vec<Option<Interval>> = rows.iter().map(of).collect();
    [
        fraction(&format!("{name}_low"), &intervals, |interval| Some(interval.as_ref()?.low)),
        fraction(&format!("{name}_high"), &intervals, |interval| Some(interval.as_ref()?.high)),
    ]
}

/// The values of a column that are known, as fractions.
///
/// # Errors
/// If the frame has no such column, or it holds text.
pub fn known(frame: &DataFrame, column: &str) -> PolarsResult<Vec<f64>> {
    let column = frame.column(column)?.cast(&polars_core::prelude::DataType::Float64)?;
    Ok(column.f64()?.iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::batch::floors;
    use crate::report::sample::episode;

    #[test]
    fn what_helped_a_human_is_said_below() {
        let mut played = episode("me", "none", "f").values(&[68, 60]).done();
        (played.taken_back, played.hinted) = (3, 1);
        let analyses = [played, episode("greedy", "none", "f").values(&[68]).done()];
        let notes: Vec<String> = floor_notes(&floors(&analyses)).collect();
        assert_eq!(notes, ["f: me took back 3 decisions, and was shown state values before 1 of 2."]);
    }
}
