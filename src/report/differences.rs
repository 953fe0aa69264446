//! The table `differences`: every two configurations, their episodes paired by floor and repeat.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::batch::{self, Floor};
use super::table::{Table, ends, floor_notes, fraction, text, whole};
use crate::analysis::pairing::{Differences, differences, pairs};
use crate::analysis::statistics::{RESAMPLES, SHUFFLES, holm};

/// How a comparison was made, in words; for every table of differences.
pub fn method() -> Vec<String> {
    vec![
        "Finished episodes paired by floor and repeat. Wins: two-sided p-value by McNemar's exact test on the pairs that \
         only one of the two has won."
            .to_owned(),
        format!(
            "HP: mean of the other's final HP less the one's, a lost episode counting as 0; its interval covers 95 %, by \
             the percentile bootstrap of {RESAMPLES} samples of pairs drawn with replacement, none with fewer than two; \
             two-sided p-value by the permutation test that exchanges the two of a pair, all exchanges counted exactly \
             ({SHUFFLES} drawn where they are too many)."
        ),
    ]
}

/// One row for every two configurations, the earlier one first.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(floors: &[Floor<'_>]) -> PolarsResult<Table> {
    let mut notes = method();
    notes.push(
        "Holm: the p-values corrected for all rows that have a pair, by Holm's method, wins and HP each by themselves. \
         Pairs on the same floor are taken for independent; a configuration that plays without chance plays each floor \
         once, and only its first repeat is paired."
            .to_owned(),
    );
    notes.extend(floor_notes(floors));
    Ok(Table::new("differences", "Differences between configurations", notes, frame(floors)?))
}

struct Row {
    names: [String; 2],
    differences: Differences,
}

fn frame(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let configurations = batch::configurations(floors);
    let mut rows = Vec::new();
    for (index, (_, one)) in configurations.iter().enumerate() {
        for (_, other) in &configurations[index + 1..] {
            let names = [one[0].key.configuration(), other[0].key.configuration()];
            rows.push(Row { names, differences: differences(&pairs(one, other)) });
        }
    }
    let (p_wins, p_hp) = (corrected(&rows, |d| d.p_wins), corrected(&rows, |d| d.p_hp));
    let count = |of: fn(&Differences) -> usize| move |row: &Row| Some(of(&row.differences) as i64);
    let mut columns = vec![
        text("one", &rows, |row| Some(row.names[0].clone())),
        text("other", &rows, |row| Some(row.names[1].clone())),
        whole("pairs", &rows, count(|d| d.pairs)),
        whole("both_won", &rows, count(|d| d.both)),
        whole("only_one_won", &rows, count(|d| d.only_one)),
        whole("only_other_won", &rows, count(|d| d.only_other)),
        fraction("p_wins", &rows, |row| row.differences.p_wins),
        fraction("p_wins_holm", &p_wins, |p| *p),
        fraction("hp_difference", &rows, |row| row.differences.hp),
    ];
    columns.extend(ends("hp_difference", &rows, |row| row.differences.hp_interval));
    columns.extend([fraction("p_hp", &rows, |row| row.differences.p_hp), fraction("p_hp_holm", &p_hp, |p| *p)]);
    DataFrame::new(rows.len(), columns)
}

/// The p-values of the rows that have one, corrected for each other.
fn corrected(rows: &[Row], of: impl Fn(&Differences) -> Option<f64>) -> Vec<Option<f64>> {
    let found: Vec<Option<f64>> = rows.iter().map(|row| of(&row.differences)).collect();
    let known: Vec<f64> = found.iter().copied().flatten().collect();
    let mut corrected = holm(&known).into_iter();
    found.into_iter().map(|p| p.and_then(|_| corrected.next())).collect()
}

#[cfg(test)]
mod tests {
    use crate::analysis::EpisodeAnalysis;
    use crate::eval::Ending;
    use crate::report::sample::episode;
    use crate::report::{batch, export, sample};

    fn shown(analyses: &[EpisodeAnalysis]) -> String {
        export::transposed(&super::table(&batch::floors(analyses)).unwrap())
    }

    /// Two agents on one floor, five repeats, by hand. HP of a: 0, 0, 0, 10, 4; of b: 20, 30, 0, 20, 0. Differences 20,
    /// 30, 0, 10, −4 (mean 11.2). b alone has won two, a alone one: p = 2 × P(X ≤ 1) with n = 3, which is 1. Of the 16
    /// exchanges of 20, 30, 10, 4 those as far out as 56: ±64 and ±56, so 4/16.
    #[test]
    fn two_agents_by_hand() {
        let played = |agent: &str, hp: &[i64]| -> Vec<EpisodeAnalysis> {
            let one = |(repeat, hp): (u32, &i64)| {
                let ending = if *hp > 0 { Ending::Won } else { Ending::Stuck };
                episode(agent, "none", "f").repeat(repeat).ended(ending, *hp).done()
            };
            (0..).zip(hp).map(one).collect()
        };
        let analyses = [played("a", &[0, 0, 0, 10, 4]), played("b", &[20, 30, 0, 20, 0])].concat();
        insta::assert_snapshot!(shown(&analyses), @"
        one: a
        other: b
        pairs: 5
        both_won: 1
        only_one_won: 1
        only_other_won: 2
        p_wins: 1.0000
        p_wins_holm: 1.0000
        hp_difference: 11.20
        hp_difference_low: 0.40
        hp_difference_high: 22.00
        p_hp: 0.2500
        p_hp_holm: 0.2500
        ");
    }

    #[test]
    fn a_batch_and_nothing_at_all() {
        insta::assert_snapshot!(shown(&sample::batch()), @"
        one: optimal
        other: smollm2 / single_floor
        pairs: 1
        both_won: 0
        only_one_won: 1
        only_other_won: 0
        p_wins: 1.0000
        p_wins_holm: 1.0000
        hp_difference: -68.00
        hp_difference_low: –
        hp_difference_high: –
        p_hp: 1.0000
        p_hp_holm: 1.0000
        ");
        assert_eq!(super::table(&[]).unwrap().frame.height(), 0);
    }
}
