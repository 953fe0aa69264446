//! The table `decisions`: how good the decisions of each floor and configuration were, told apart by who chose.

use polars_core::frame::DataFrame;
use polars_core::prelude::{Column, PolarsResult};

use super::batch::Floor;
use super::episodes;
use super::table::{Table, ends, floor_notes, fraction, text, whole, whole_if_any};
use crate::agent::ChosenBy;
use crate::analysis::statistics::wilson;
use crate::analysis::{Count, DecisionValue};

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
    /// Of how many decisions something is proven, and of how many it is not known: those that were lost before are none
    /// of either.
    fn count(&self, holds: impl Fn(&DecisionValue) -> Option<bool>) -> Count {
        Count::of(self.decisions.iter().map(|decision| holds(decision)))
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
                    let judged = decisions.iter().copied().filter(|decision| decision.before.is_saved()).collect();
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
    let optimal = |row: &Row<'_>| row.count(DecisionValue::is_optimal);
    let judged_known = |row: &Row<'_>| row.judged.iter().filter(|decision| decision.is_optimal().is_some()).count();
    let mut columns = vec![
        text("floor", &rows, |row| Some(row.floor.to_owned())),
        text("configuration", &rows, |row| Some(row.configuration.to_owned())),
        text("by", &rows, |row| Some(episodes::by(row.by).to_owned())),
        whole("decisions", &rows, |row| Some(row.decisions.len() as i64)),
        whole("judged", &rows, |row| Some(row.judged.len() as i64)),
    ];
    columns.extend(whole_if_any("judged_not_known", &rows, |row| {
        Some(row.count(|decision| decision.before.can_be_won()).not_known as i64)
    }));
    columns.extend(counted("optimal", &rows, DecisionValue::is_optimal));
    // What the share rests on, where that is not all that are judged.
    columns.extend(whole_if_any("optimal_rate_of", &rows, |row| {
        let all_known = rows.iter().all(|row| judged_known(row) == row.judged.len());
        (!all_known).then(|| judged_known(row) as i64)
    }));
    columns.push(fraction("optimal_rate", &rows, |row| {
        let known = judged_known(row);
        (known > 0).then(|| optimal(row).proven as f64 / known as f64)
    }));
    columns.extend(ends("optimal_rate", &rows, |row| wilson(optimal(row).proven, judged_known(row))));
    columns.push(whole("value_lost", &rows, |row| {
        let known: Vec<i64> = row.judged.iter().filter_map(|decision| decision.value_lost()).collect();
        (!known.is_empty()).then(|| known.iter().sum())
    }));
    columns.extend(whole_if_any("value_lost_not_known", &rows, |row| {
        let open = |decision: &&&DecisionValue| !decision.before.is_lost() && decision.value_lost().is_none();
        Some(row.decisions.iter().filter(open).count() as i64)
    }));
    columns.extend(counted("losing", &rows, DecisionValue::is_losing));
    columns.extend(counted("critical", &rows, DecisionValue::is_critical));
    columns.extend(counted("critical_lost", &rows, |d| both([d.is_critical(), d.is_losing(), Some(!is_lethal(d))])));
    columns.extend(counted("forced", &rows, DecisionValue::is_forced));
    columns.extend(counted("forced_lost", &rows, |d| both([d.is_forced(), d.is_losing()])));
    DataFrame::new(rows.len(), columns)
}

/// Of how many decisions something is proven, and, where there are any, of how many it is not known.
fn counted(name: &str, rows: &[Row<'_>], holds: impl Fn(&DecisionValue) -> Option<bool>) -> Vec<Column> {
    // Where nothing is known, not even of a decision that was not lost before, 0 would be a claim.
    let proven = whole(name, rows, |row| {
        let count = row.count(&holds);
        (!row.judged.is_empty() && count.not_known < row.decisions.len()).then_some(count.proven as i64)
    });
    let open = whole_if_any(&format!("{name}_not_known"), rows, |row| Some(row.count(&holds).not_known as i64));
    std::iter::once(proven).chain(open).collect()
}

/// Whether all hold: not if one does not, and not known if one is not known and none fails.
fn both<const N: usize>(answers: [Option<bool>; N]) -> Option<bool> {
    if answers.contains(&Some(false)) {
        Some(false)
    } else {
        answers.into_iter().all(|it| it == Some(true)).then_some(true)
    }
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
