//! The table `decisions`: how good the decisions of each floor and configuration were, told apart by who chose.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::batch::Floor;
use super::episodes;
use super::table::{Table, ends, floor_notes, fraction, text, whole};
use crate::agent::ChosenBy;
use crate::analysis::DecisionValue;
use crate::analysis::statistics::wilson;

/// One row for everyone who chose on a floor for a configuration: the agent, the override, the stand-in.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(floors: &[Floor<'_>]) -> PolarsResult<Table> {
    let mut notes = vec![
        "By: whose choice the executed action was. Judged: decisions in states from which the boss could be defeated; \
         all that follows is of these. Optimal: no other action led to a state of higher value (final HP under best \
         play). Value lost: HP by which the value was lowered, all of it where the boss could no longer be defeated."
            .to_owned(),
        "Losing: the boss could be defeated before it and no longer after it. Critical: a losing action that was not \
         lethal stood beside a saving one; critical lost: such an action was chosen. Forced: exactly one action kept \
         the boss defeatable; forced lost: another was chosen."
            .to_owned(),
        "Interval of the optimal share: 95 %, Wilson's score method; it takes decisions for independent.".to_owned(),
    ];
    notes.extend(floor_notes(floors));
    Ok(Table::new("decisions", "Decisions by who chose", notes, frame(floors)?))
}

struct Row<'a> {
    floor: &'a str,
    configuration: &'a str,
    by: ChosenBy,
    decisions: Vec<&'a DecisionValue>,
    judged: Vec<&'a DecisionValue>,
}

impl Row<'_> {
    fn count(&self, holds: impl Fn(&DecisionValue) -> bool) -> usize {
        self.judged.iter().filter(|decision| holds(decision)).count()
    }
}

fn rows<'a>(floors: &'a [Floor<'a>]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for floor in floors {
        for configuration in &floor.configurations {
            for by in [ChosenBy::Agent, ChosenBy::Override, ChosenBy::OnInvalid] {
                let all = configuration.episodes.iter().flat_map(|episode| &episode.decisions);
                let decisions: Vec<&DecisionValue> = all.filter(|decision| decision.by == by).collect();
                if !decisions.is_empty() {
                    let judged = decisions.iter().copied().filter(|decision| decision.before.is_some()).collect();
                    let (floor, configuration) = (floor.name, configuration.name.as_str());
                    rows.push(Row { floor, configuration, by, decisions, judged });
                }
            }
        }
    }
    rows
}

fn frame(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let rows = rows(floors);
    // Where nothing was judged, nothing is known.
    let some = |row: &Row<'_>, number: i64| (!row.judged.is_empty()).then_some(number);
    let count = |row: &Row<'_>, holds: fn(&DecisionValue) -> bool| some(row, row.count(holds) as i64);
    let optimal = |row: &Row<'_>| row.count(DecisionValue::is_optimal);
    let mut columns = vec![
        text("floor", &rows, |row| Some(row.floor.to_owned())),
        text("configuration", &rows, |row| Some(row.configuration.to_owned())),
        text("by", &rows, |row| Some(episodes::by(row.by).to_owned())),
        whole("decisions", &rows, |row| Some(row.decisions.len() as i64)),
        whole("judged", &rows, |row| Some(row.judged.len() as i64)),
        whole("optimal", &rows, |row| some(row, optimal(row) as i64)),
        fraction("optimal_rate", &rows, |row| {
            (!row.judged.is_empty()).then(|| optimal(row) as f64 / row.judged.len() as f64)
        }),
    ];
    columns.extend(ends("optimal_rate", &rows, |row| wilson(optimal(row), row.judged.len())));
    columns.extend([
        whole("value_lost", &rows, |row| {
            some(row, row.judged.iter().filter_map(|decision| decision.value_lost()).sum())
        }),
        whole("losing", &rows, |row| count(row, DecisionValue::is_losing)),
        whole("critical", &rows, |row| count(row, DecisionValue::is_critical)),
        whole("critical_lost", &rows, |row| count(row, |d| d.is_critical() && d.is_losing() && !is_lethal(d))),
        whole("forced", &rows, |row| count(row, DecisionValue::is_forced)),
        whole("forced_lost", &rows, |row| count(row, |d| d.is_forced() && d.is_losing())),
    ]);
    DataFrame::new(rows.len(), columns)
}

fn is_lethal(decision: &DecisionValue) -> bool {
    decision.action().is_some_and(|action| action.lethal)
}

#[cfg(test)]
mod tests {
    use crate::report::{batch, export, sample};

    #[test]
    fn every_column_is_what_is_counted_by_hand() {
        let analyses = sample::batch();
        let table = super::table(&batch::floors(&analyses)).unwrap();
        insta::assert_snapshot!(export::transposed(&table), @"
        floor: complex | complex | complex | complex | hand01
        configuration: optimal | smollm2 / single_floor | smollm2 / single_floor | smollm2 / single_floor | smollm2 / single_floor
        by: agent | agent | override | on_invalid | agent
        decisions: 3 | 15 | 1 | 1 | 1
        judged: 3 | 13 | 1 | 1 | 1
        optimal: 3 | 7 | 0 | 0 | 1
        optimal_rate: 1.000 | 0.538 | 0.000 | 0.000 | 1.000
        optimal_rate_low: 0.439 | 0.291 | 0.000 | 0.000 | 0.207
        optimal_rate_high: 1.000 | 0.768 | 0.793 | 0.793 | 1.000
        value_lost: 0 | 162 | 68 | 20 | 0
        losing: 0 | 2 | 1 | 0 | 0
        critical: 0 | 0 | 0 | 0 | 0
        critical_lost: 0 | 0 | 0 | 0 | 0
        forced: 3 | 11 | 0 | 1 | 1
        forced_lost: 0 | 0 | 0 | 0 | 0
        ");
    }
}
