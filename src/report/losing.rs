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
    if floors.iter().flat_map(Floor::episodes).any(|episode| matches!(Found::of(episode), Some(Found::Between(..)))) {
        notes.push(
            "Not known which: it is proven that the game could be won before the first of these turns and no longer after \
             the last, and not which decision lost it. ≥: no bound is known."
                .to_owned(),
        );
    }
    notes.extend(floors.iter().flat_map(|floor| floor.configurations.iter().filter_map(|c| without(floor, c))));
    notes.extend(floors.iter().flat_map(|floor| floor.configurations.iter().filter_map(|c| perhaps(floor, c))));
    notes.extend(floor_notes(floors));
    Ok(Table::new("losing-decisions", "Losing decisions", notes, frame(floors)?))
}

/// Columns that only put the rows in order.
const RANKS: [&str; 4] = ["floor_rank", "configuration_rank", "open_rank", "first_turn"];
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
        .with_order_descending_multi([false, false, false, true, false])
        .with_maintain_order(true);
    let sorted = counted.sort(["floor_rank", "configuration_rank", "open_rank", "episodes", "first_turn"], order)?;
    Ok(sorted.drop_many(RANKS))
}

/// One row for every episode that a decision lost, known which or not.
fn losses(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let rows: Vec<Loss<'_>> = floors
        .iter()
        .enumerate()
        .flat_map(|(rank, floor)| {
            floor.configurations.iter().enumerate().flat_map(move |(configuration_rank, configuration)| {
                let found = configuration.episodes.iter().filter_map(|episode: &&EpisodeAnalysis| Found::of(episode));
                found.map(move |found| Loss { rank, floor, configuration_rank, configuration, found })
            })
        })
        .collect();
    fn known<'a>(loss: &Loss<'a>) -> Option<&'a LosingDecision> {
        if let Found::Which(losing) = loss.found { Some(losing) } else { None }
    }
    let earlier = |losing: &LosingDecision| i64::from(losing.earlier_losses);
    df!(
        "floor_rank" => each(&rows, |loss| loss.rank as i64),
        "configuration_rank" => each(&rows, |loss| loss.configuration_rank as i64),
        "open_rank" => each(&rows, |loss| i64::from(known(loss).is_none())),
        "floor" => each(&rows, |loss| loss.floor.name.to_owned()),
        "configuration" => each(&rows, |loss| loss.configuration.name.clone()),
        "action" => each(&rows, |loss| known(loss).map_or(NOT_KNOWN.to_owned(), |losing| losing.text.clone())),
        "at" => each(&rows, |loss| known(loss).map(|losing| losing.target.to_string())),
        "by" => each(&rows, |loss| known(loss).map(|losing| episodes::by(losing.by).to_owned())),
        "of_episodes" => each(&rows, |loss| loss.configuration.episodes.len() as i64),
        "turn_low" => each(&rows, |loss| loss.found.turns()[0]),
        "turn_high" => each(&rows, |loss| loss.found.turns()[1]),
        "value_before_low" => each(&rows, |loss| known(loss)?.before.least),
        "value_before_high" => each(&rows, |loss| known(loss)?.before.bound()),
        "earlier_value_losses_low" => each(&rows, |loss| known(loss).map(earlier)),
        "earlier_value_losses_high" => {
            each(&rows, |loss| known(loss).map(|losing| earlier(losing) + i64::from(losing.earlier_not_known)))
        },
    )
}

/// What stands for the action where it is proven that an episode was lost, but not by which decision.
const NOT_KNOWN: &str = "not known which";

struct Loss<'a> {
    rank: usize,
    floor: &'a Floor<'a>,
    configuration_rank: usize,
    configuration: &'a Configuration<'a>,
    found: Found<'a>,
}

/// What is known of the decision that lost an episode.
enum Found<'a> {
    Which(&'a LosingDecision),
    /// One of these turns.
    Between(u32, u32),
}

impl<'a> Found<'a> {
    /// None if it is not proven that the episode was lost by a decision.
    fn of(episode: &'a EpisodeAnalysis) -> Option<Self> {
        let between = || {
            let between = episode.losing_between.filter(|between| between.could_be_won)?;
            Some(Found::Between(between.first, between.last?))
        };
        episode.losing.as_ref().map(Found::Which).or_else(between)
    }

    fn turns(&self) -> [i64; 2] {
        match *self {
            Found::Which(losing) => [losing.turn; 2].map(i64::from),
            Found::Between(first, last) => [first, last].map(i64::from),
        }
    }
}

fn each<T>(rows: &[Loss<'_>], of: impl Fn(&Loss<'_>) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// One row for the episodes that the same decision lost.
fn summary(losses: &DataFrame) -> PolarsResult<DataFrame> {
    let series = |name: &str| losses.column(name).map(Column::as_materialized_series);
    let keys = ["floor", "configuration", "action", "at", "by", "of_episodes"];
    let mut row = losses.select(RANKS[..3].iter().chain(&keys).copied())?.head(Some(1));
    let count = Series::new("episodes".into(), [losses.height() as i64]);
    let first_turn = Series::new("first_turn".into(), [series("turn_low")?.min::<i64>()?]);
    let mut columns = vec![count, first_turn];
    for name in ["turn", "value_before", "earlier_value_losses"] {
        let [low, high] = [series(&format!("{name}_low"))?, series(&format!("{name}_high"))?];
        columns.push(Series::new(name.into(), [range(low, high)?]));
    }
    // No episodes give no row, but the same columns.
    let height = row.height();
    row.hstack_mut(&columns.into_iter().map(|column| column.head(Some(height)).into()).collect::<Vec<Column>>())?;
    row.select(RANKS.iter().chain(&COLUMNS).copied())
}

/// `12`, or `12–15` where the values differ, or lie between bounds, or `≥12` without a bound; none without values.
fn range(lows: &Series, highs: &Series) -> PolarsResult<Option<String>> {
    let Some(low) = lows.min::<i64>()? else { return Ok(None) };
    let bounded = highs.null_count() == lows.null_count();
    Ok(Some(match highs.max::<i64>()?.filter(|_| bounded) {
        Some(high) if high == low => low.to_string(),
        Some(high) => format!("{low}–{high}"),
        None => format!("≥{low}"),
    }))
}

/// What is said of the episodes that have no row because it is not proven that a decision lost them.
fn perhaps(floor: &Floor<'_>, configuration: &Configuration<'_>) -> Option<String> {
    let open = configuration.episodes.iter().filter(|episode| is_open(episode)).count();
    let episodes = if open == 1 { "episode" } else { "episodes" };
    (open > 0).then(|| {
        format!(
            "{}, {}: {open} {episodes} of which it is not known whether a decision lost the game.",
            floor.name, configuration.name
        )
    })
}

fn is_open(episode: &EpisodeAnalysis) -> bool {
    episode.losing_between.is_some() && Found::of(episode).is_none()
}

/// A note on the episodes of a configuration that were not won and yet have no losing decision, if there are any.
fn without(floor: &Floor<'_>, configuration: &Configuration<'_>) -> Option<String> {
    let open = |episode: &&&EpisodeAnalysis| {
        Found::of(episode).is_none() && !is_open(episode) && episode.ending != Some(Ending::Won)
    };
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
