//! The table `losing-decisions` (Table B.3): the decisions after which the boss could no longer be defeated.

use polars_core::df;
use polars_core::frame::DataFrame;
use polars_core::prelude::{Column, NamedFrom, PolarsResult, Series, SortMultipleOptions};

use super::batch::{Configuration, Floor};
use super::episodes::{self, UNFINISHED};
use super::table::{Table, floor_notes};
use crate::analysis::{EpisodeAnalysis, LosingDecision};
use crate::eval::Ending;

/// Every losing decision with how often it was made, the most frequent first within a configuration.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(floors: &[Floor<'_>]) -> PolarsResult<Table> {
    let mut notes = vec![
        "The decision after which the boss can no longer be defeated, by exact state values along every episode. By: \
         whose choice the executed action was. Of episodes: all of the configuration on the floor."
            .to_owned(),
        "Value before: final HP under best play before the decision. Earlier value losses: decisions before it that \
         lowered this value. A range stands where episodes differ."
            .to_owned(),
    ];
    notes.extend(floors.iter().flat_map(|floor| floor.configurations.iter().filter_map(|c| without(floor, c))));
    notes.extend(floor_notes(floors));
    Ok(Table::new("losing-decisions", "Losing decisions", notes, frame(floors)?))
}

/// Columns that only put the rows in order.
const RANKS: [&str; 3] = ["floor_rank", "configuration_rank", "first_turn"];
/// Columns that stay.
const COLUMNS: [&str; 10] = [
    "floor",
    "configuration",
    "action",
    "at",
    "by",
    "episodes",
    "of_episodes",
    "turn",
    "value_before",
    "earlier_value_losses",
];

fn frame(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let losses = losses(floors)?;
    let counted = if losses.height() == 0 {
        summary(&losses)?
    } else {
        losses
            .group_by_stable(["floor_rank", "configuration_rank", "action", "at", "by"])?
            .apply(|group| summary(&group))?
    };
    let order = SortMultipleOptions::default()
        .with_order_descending_multi([false, false, true, false])
        .with_maintain_order(true);
    let sorted = counted.sort(["floor_rank", "configuration_rank", "episodes", "first_turn"], order)?;
    Ok(sorted.drop_many(RANKS))
}

/// One row for every episode that a decision lost.
fn losses(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let rows: Vec<Loss<'_>> = floors
        .iter()
        .enumerate()
        .flat_map(|(rank, floor)| {
            floor.configurations.iter().enumerate().flat_map(move |(configuration_rank, configuration)| {
                let losing = configuration.episodes.iter().filter_map(|episode| episode.losing.as_ref());
                losing.map(move |losing| Loss { rank, floor, configuration_rank, configuration, losing })
            })
        })
        .collect();
    df!(
        "floor_rank" => each(&rows, |loss| loss.rank as i64),
        "configuration_rank" => each(&rows, |loss| loss.configuration_rank as i64),
        "floor" => each(&rows, |loss| loss.floor.name.to_owned()),
        "configuration" => each(&rows, |loss| loss.configuration.name.clone()),
        "action" => each(&rows, |loss| loss.losing.text.clone()),
        "at" => each(&rows, |loss| loss.losing.target.to_string()),
        "by" => each(&rows, |loss| episodes::by(loss.losing.by).to_owned()),
        "of_episodes" => each(&rows, |loss| loss.configuration.episodes.len() as i64),
        "turn" => each(&rows, |loss| i64::from(loss.losing.turn)),
        "value_before" => each(&rows, |loss| loss.losing.value_before),
        "earlier_value_losses" => each(&rows, |loss| i64::from(loss.losing.earlier_losses)),
    )
}

struct Loss<'a> {
    rank: usize,
    floor: &'a Floor<'a>,
    configuration_rank: usize,
    configuration: &'a Configuration<'a>,
    losing: &'a LosingDecision,
}

fn each<T>(rows: &[Loss<'_>], of: impl Fn(&Loss<'_>) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// One row for the episodes that the same decision lost.
fn summary(losses: &DataFrame) -> PolarsResult<DataFrame> {
    let series = |name: &str| losses.column(name).map(Column::as_materialized_series);
    let keys = ["floor_rank", "configuration_rank", "floor", "configuration", "action", "at", "by", "of_episodes"];
    let mut row = losses.select(keys)?.head(Some(1));
    let count = Series::new("episodes".into(), [losses.height() as i64]);
    let first_turn = Series::new("first_turn".into(), [series("turn")?.min::<i64>()?]);
    let mut columns = vec![count, first_turn];
    for name in ["turn", "value_before", "earlier_value_losses"] {
        columns.push(Series::new(name.into(), [range(series(name)?)?]));
    }
    // No episodes give no row, but the same columns.
    let height = row.height();
    row.hstack_mut(&columns.into_iter().map(|column| column.head(Some(height)).into()).collect::<Vec<Column>>())?;
    row.select(RANKS.iter().chain(&COLUMNS).copied())
}

/// `12`, or `12–15` where the values differ; none without values.
fn range(values: &Series) -> PolarsResult<Option<String>> {
    Ok(values.min::<i64>()?.zip(values.max::<i64>()?).map(|(low, high)| match low == high {
        true => low.to_string(),
        false => format!("{low}–{high}"),
    }))
}

/// A note on the episodes of a configuration that were not won and yet have no losing decision, if there are any.
fn without(floor: &Floor<'_>, configuration: &Configuration<'_>) -> Option<String> {
    let open = |episode: &&&EpisodeAnalysis| episode.losing.is_none() && episode.ending != Some(Ending::Won);
    let endings: Vec<Option<Ending>> =
        configuration.episodes.iter().filter(open).map(|episode| episode.ending).collect();
    let kinds = Ending::ALL.map(Some).into_iter().chain([None]).filter_map(|kind| {
        let count = endings.iter().filter(|ending| **ending == kind).count();
        (count > 0).then(|| format!("{count} {}", kind.map_or(UNFINISHED.to_owned(), |ending| ending.to_string())))
    });
    let kinds: Vec<String> = kinds.collect();
    let total = endings.len();
    let episodes = if total == 1 { "episode" } else { "episodes" };
    (total > 0).then(|| {
        format!(
            "{}, {}: {total} {episodes} not won, without a losing decision ({}).",
            floor.name,
            configuration.name,
            kinds.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::report::batch;
    use crate::report::export::{Exporter, Markdown};
    use crate::report::sample::{self, episode};

    fn written(analyses: &[EpisodeAnalysis]) -> String {
        let mut out = Vec::new();
        Markdown.write(&table(&batch::floors(analyses)).unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn counts_turns_and_values_are_gathered_by_decision() {
        insta::assert_snapshot!(written(&sample::batch()), @r"
        # Losing decisions

        | floor   | configuration          | action              | at     | by       | episodes | of episodes | turn | value before | earlier value losses |
        | ------- | ---------------------- | ------------------- | ------ | -------- | -------: | ----------: | ---- | ------------ | -------------------- |
        | complex | smollm2 / single_floor | fight the Red Slime | (11,8) | agent    |        2 |           6 | 3–4  | 22–42        | 1–2                  |
        | complex | smollm2 / single_floor | open the blue door  | (12,2) | override |        1 |           6 | 1    | 68           | 0                    |

        - The decision after which the boss can no longer be defeated, by exact state values along every episode. By: whose choice the executed action was. Of episodes: all of the configuration on the floor.
        - Value before: final HP under best play before the decision. Earlier value losses: decisions before it that lowered this value. A range stands where episodes differ.
        - complex, smollm2 / single_floor: 2 episodes not won, without a losing decision (1 aborted, 1 unfinished).
        - hand01: monster table reconstructed.
        ");
    }

    #[test]
    fn the_most_frequent_stands_first_then_the_earliest() {
        let lost = |agent: &str, before: &[i64], x| {
            episode(agent, "none", "f").values(before).loses(ChosenBy::Agent, "fight the Bat", (x, 0)).done()
        };
        let analyses = [
            lost("b", &[68, 68], 3),
            lost("b", &[68, 68, 68], 1),
            lost("b", &[68], 2),
            lost("b", &[42, 42], 1),
            lost("a", &[], 9),
        ];
        let frame = table(&batch::floors(&analyses)).unwrap().frame;
        let column = |name: &str| -> Vec<String> {
            let column = frame.column(name).unwrap();
            (0..column.len()).map(|row| column.get(row).unwrap().str_value().into_owned()).collect()
        };
        assert_eq!(column("configuration"), ["b", "b", "b", "a"]);
        assert_eq!(column("at"), ["(1,0)", "(2,0)", "(3,0)", "(9,0)"]);
        assert_eq!(column("episodes"), ["2", "1", "1", "1"]);
        assert_eq!(column("turn"), ["3–4", "2", "3", "1"]);
        assert_eq!(column("value_before"), ["42–68", "68", "68", "68"]);
        assert_eq!(column("earlier_value_losses"), ["0–1", "0", "0", "0"]);
    }

    #[test]
    fn no_losing_decisions_give_a_table_without_rows() {
        let won = episode("a", "none", "f").values(&[68]).ended(Ending::Won, 68).done();
        insta::assert_snapshot!(written(&[won]), @r"
        # Losing decisions

        | floor | configuration | action | at  | by  | episodes | of episodes | turn | value before | earlier value losses |
        | ----- | ------------- | ------ | --- | --- | -------: | ----------: | ---- | ------------ | -------------------- |

        No rows.

        - The decision after which the boss can no longer be defeated, by exact state values along every episode. By: whose choice the executed action was. Of episodes: all of the configuration on the floor.
        - Value before: final HP under best play before the decision. Earlier value losses: decisions before it that lowered this value. A range stands where episodes differ.
        ");
    }
}
