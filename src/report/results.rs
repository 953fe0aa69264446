//! The table `results`: one row for every floor and configuration, computed from the table `episodes`.

use polars_core::df;
use polars_core::frame::DataFrame;
use polars_core::prelude::{ChunkCompareEq, Column, NamedFrom, PolarsResult, Series};

use super::batch::Floor;
use super::episodes::{INVALID, LOSSES_NOT_KNOWN, UNFINISHED, ending};
use super::table::{Table, ends, floor_notes, known};
use crate::analysis::statistics::{Interval, RESAMPLES, mean, mean_interval, wilson};
use crate::eval::Ending;

/// Columns summed over a group's episodes, before and after the invalid answers.
const TOTALS_OF_DECISIONS: [&str; 5] =
    ["overrides", "value_losses", LOSSES_NOT_KNOWN[0], "own_value_losses", LOSSES_NOT_KNOWN[1]];
const TOTALS_OF_CALLS: [&str; 5] = ["on_invalid", "calls", "prompt_tokens", "completion_tokens", "reasoning_tokens"];
/// Columns whose totals are none where nothing is known.
const KNOWN_TOTALS: [&str; 3] = ["cost_usd", "working_s", "waiting_s"];

/// What is printed on paper; the answers have a table of their own.
const BRIEF: &[&str] = &[
    "floor",
    "agent",
    "prompt",
    "episodes",
    "won",
    "win_rate",
    "mean_final_hp",
    "best_final_hp",
    "optimum",
    "optimum_least",
    "optimum_most",
    "gap",
    "mean_turns",
    "overrides",
    "own_value_losses",
    "own_value_losses_not_known",
];

/// What is printed on paper of the answers.
const BRIEF_CALLS: &[&str] = &[
    "floor",
    "agent",
    "prompt",
    "calls",
    "unparsable",
    "illegal",
    "empty",
    "truncated",
    "refused",
    "transport_error",
    "on_invalid",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "working_s",
];

/// How every configuration fared on every floor. `episodes` is the table of that name, of the same floors.
///
/// # Errors
/// If `episodes` lacks a column.
pub fn table(floors: &[Floor<'_>], episodes: &Table) -> PolarsResult<Table> {
    let mut notes = vec![
        "Mean and best final HP, gap, win rate and mean turns are over finished episodes; one that was not won counts \
         as 0 HP. Mean HP won is over the won ones only. Gap: optimum less final HP, averaged."
            .to_owned(),
        format!(
            "Intervals cover 95 %: of the win rate by Wilson's score method; of mean final HP and gap by the percentile \
             bootstrap, {RESAMPLES} samples of the row's finished episodes drawn with replacement, none with fewer than \
             two. They are those of a sample: an agent that plays without chance would play the same again."
        ),
        "Optimum: final HP under best play, by exact search. Value losses: decisions that lowered it, the losing one \
         included. Own value losses: those of them that the agent itself chose."
            .to_owned(),
        "Overrides, value losses, answers by kind, on invalid (choices of the stand-in), calls, tokens, cost and time \
         are totals over all episodes. Time: seconds of the calls that were answered, and of waiting for them."
            .to_owned(),
    ];
    notes.extend(floor_notes(floors));
    let title = "Results by floor and configuration";
    Ok(Table { name: "results", title, notes, frame: frame(&episodes.frame)?, brief: BRIEF })
}

/// The table `answers`: what came back from models, for those rows of the table `results` that made calls.
///
/// # Errors
/// If `results` lacks a column.
pub fn answers(floors: &[Floor<'_>], results: &Table) -> PolarsResult<Table> {
    let mut notes = vec![
        "Totals over all episodes. Every call is counted by what was made of its answer; those not listed were an \
         action. On invalid: decisions of the stand-in after answers that could not be used."
            .to_owned(),
        "Working: seconds of the calls that were answered.".to_owned(),
    ];
    notes.extend(floor_notes(floors));
    let calls = results.frame.column("calls")?.i64()?.not_equal(0);
    let frame = results.frame.filter(&calls)?.select(BRIEF_CALLS.iter().copied())?;
    Ok(Table::new("answers", "Answers, tokens and cost", notes, frame))
}

fn frame(episodes: &DataFrame) -> PolarsResult<DataFrame> {
    if episodes.height() == 0 {
        return Ok(summary(episodes)?.head(Some(0)));
    }
    // Stable: groups stand in the order of their first rows, which `batch` has laid down.
    episodes.group_by_stable(["floor", "agent", "prompt"])?.apply(|group| summary(&group))
}

/// One row for the episodes of one configuration on one floor.
fn summary(episodes: &DataFrame) -> PolarsResult<DataFrame> {
    let ending = episodes.column("ending")?.str()?;
    let finished = episodes.filter(&ending.not_equal(UNFINISHED))?;
    let mut row = df!(
        "floor" => [first(episodes, "floor")?],
        "agent" => [first(episodes, "agent")?],
        "prompt" => [first(episodes, "prompt")?],
        "episodes" => [episodes.height() as i64],
    )?;
    for name in Ending::ALL.map(|ending| self::ending(Some(ending))).iter().map(String::as_str).chain([UNFINISHED]) {
        let count = ending.equal(name).sum().unwrap_or_default();
        row.with_column(Series::new(name.into(), [i64::from(count)]).into())?;
    }
    let won = episodes.filter(&ending.equal("won"))?;
    let (wins, trials) = (won.height(), finished.height());
    let rate = (trials > 0).then(|| wins as f64 / trials as f64);
    let (hp, gap) = (known(&finished, "final_hp")?, known(&finished, "gap")?);
    let mut columns: Vec<Column> = Vec::new();
    let mut estimate = |name: &str, value: Option<f64>, interval: Option<Interval>| {
        columns.push(Series::new(name.into(), [value]).into());
        columns.extend(ends(name, &[interval], |interval| *interval));
    };
    estimate("win_rate", rate, wilson(wins, trials));
    estimate("mean_final_hp", mean(&hp), mean_interval(&hp));
    estimate("gap", mean(&gap), mean_interval(&gap));
    row.hstack_mut(&columns)?;
    row.hstack_mut(
        df!(
            "mean_hp_won" => [series(&won, "hp")?.mean()],
            "best_final_hp" => [series(&finished, "final_hp")?.max::<i64>()?],
            "optimum" => [series(episodes, "optimum")?.max::<i64>()?],
        )?
        .columns(),
    )?;
    // All episodes of a row begin in the same state: the best bounds are those of the floor.
    let is_open = row.column("optimum")?.null_count() > 0;
    for (name, is_least) in [("optimum_least", true), ("optimum_most", false)] {
        if let Ok(values) = series(episodes, name) {
            let best = if is_least { values.max::<i64>()? } else { values.min::<i64>()? };
            row.with_column(Series::new(name.into(), [best.filter(|_| is_open)]).into())?;
        }
    }
    row.with_column(Series::new("mean_turns".into(), [series(&finished, "turns")?.mean()]).into())?;
    let invalid = INVALID.map(|(_, name)| name);
    let totals = [&TOTALS_OF_DECISIONS[..], &invalid, &TOTALS_OF_CALLS].concat();
    // What is always known has no column that says of how much it is not.
    for name in totals.into_iter().filter(|name| !LOSSES_NOT_KNOWN.contains(name) || episodes.column(name).is_ok()) {
        let values = series(episodes, name)?;
        let total = if all_unknown(values) { None } else { Some(values.sum::<i64>()?) };
        row.with_column(Series::new(name.into(), [total]).into())?;
    }
    for name in KNOWN_TOTALS {
        row.with_column(Series::new(name.into(), [known_total(series(episodes, name)?)?]).into())?;
    }
    Ok(row)
}

fn series<'a>(frame: &'a DataFrame, column: &str) -> PolarsResult<&'a Series> {
    Ok(frame.column(column)?.as_materialized_series())
}

/// What all rows of a group have in common; none without rows.
fn first<'a>(frame: &'a DataFrame, column: &str) -> PolarsResult<Option<&'a str>> {
    Ok(frame.column(column)?.str()?.iter().next().flatten())
}

/// The sum of what is known; none if nothing is.
fn known_total(values: &Series) -> PolarsResult<Option<f64>> {
    if all_unknown(values) { Ok(None) } else { values.sum().map(Some) }
}

/// Whether there are values, and none of them is known.
fn all_unknown(values: &Series) -> bool {
    !values.is_empty() && values.null_count() == values.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{batch, episodes, export, sample};

    fn results(analyses: &[crate::analysis::EpisodeAnalysis]) -> Table {
        let floors = batch::floors(analyses);
        table(&floors, &episodes::table(&floors).unwrap()).unwrap()
    }

    /// smollm2 on complex, by hand: five finished, final HP 0, 0, 0, 22, 0 (mean 4.4), gaps 68 × 4 + 46 (63.6), turns
    /// 5, 4, 1, 4, 1 (mean 3). Value losses 2, 3, 1, 2, 0, 0; of the eight, one by on_invalid and one by override.
    #[test]
    fn every_column_is_what_is_counted_by_hand() {
        insta::assert_snapshot!(export::transposed(&results(&sample::batch())), @"
        floor: complex | complex | hand01
        agent: optimal | smollm2 | smollm2
        prompt: none | single_floor | single_floor
        episodes: 1 | 6 | 1
        won: 1 | 1 | 1
        dead: 0 | 1 | 0
        stuck: 0 | 1 | 0
        turn_limit: 0 | 1 | 0
        aborted: 0 | 1 | 0
        unfinished: 0 | 1 | 0
        win_rate: 1.000 | 0.200 | 1.000
        win_rate_low: 0.207 | 0.036 | 0.207
        win_rate_high: 1.000 | 0.624 | 1.000
        mean_final_hp: 68.00 | 4.40 | 9.00
        mean_final_hp_low: – | 0.00 | –
        mean_final_hp_high: – | 13.20 | –
        gap: 0.00 | 63.60 | 0.00
        gap_low: – | 54.80 | –
        gap_high: – | 68.00 | –
        mean_hp_won: 68.00 | 22.00 | 9.00
        best_final_hp: 68 | 22 | 9
        optimum: 68 | 68 | 9
        mean_turns: 3.00 | 3.00 | 1.00
        overrides: 0 | 1 | 0
        value_losses: 0 | 8 | 0
        own_value_losses: 0 | 6 | 0
        unparsable: 0 | 2 | 0
        illegal: 0 | 1 | 0
        empty: 0 | 3 | 0
        truncated: 0 | 4 | 0
        refused: 0 | 5 | 0
        transport_error: 0 | 6 | 0
        on_invalid: 0 | 1 | 0
        calls: 0 | 25 | 0
        prompt_tokens: 0 | 3010 | 0
        completion_tokens: 0 | 121 | 0
        reasoning_tokens: 0 | 0 | 0
        cost_usd: – | 0.750000 | –
        working_s: – | – | –
        waiting_s: – | – | –
        ");
    }

    #[test]
    fn notes_tell_of_reconstructed_floors() {
        let notes = results(&sample::batch()).notes;
        assert_eq!(notes.last().map(String::as_str), Some("hand01: monster table reconstructed."));
    }

    #[test]
    fn no_episodes_give_the_same_columns_and_no_rows() {
        let (none, some) = (results(&[]).frame, results(&sample::batch()).frame);
        assert_eq!(none.height(), 0);
        assert_eq!(none.schema(), some.schema());
    }
}
