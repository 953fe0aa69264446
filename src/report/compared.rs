//! The tables of `mota compare`: two runs, pair by pair.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::differences::method;
use super::episodes;
use super::table::{Table, ends, fraction, text, text_if_any, whole};
use crate::analysis::ActionValue;
use crate::analysis::pairing::{Pair, differences};
use crate::solver::Worth;

/// A configuration of the one run set beside one of the other.
pub struct Compared<'a> {
    /// What the one run calls it.
    pub one: String,
    /// What the other run calls it.
    pub other: String,
    /// Their pairs, on all floors.
    pub pairs: Vec<Pair<'a>>,
}

/// The tables `paired` (a row for every two configurations, and for each of their floors) and `partings` (a row for every
/// pair that is not the same to the end).
///
/// # Errors
/// If a frame cannot be built.
pub fn tables(compared: &[Compared<'_>]) -> PolarsResult<[Table; 2]> {
    let mut notes = vec![
        "One: of the first run; other: of the second. Floor (all): all pairs of the two configurations together."
            .into(),
    ];
    notes.extend(method());
    notes.push("The p-values are not corrected for their number.".into());
    let partings = vec![
        "Every pair of episodes that is not the same to the end, with the first decision at which they part; those that \
         changed outcome first. Value: final HP under best play after the action, none if the boss can no longer be \
         defeated, or if the floor's values are not known; before: that of the state in which they part."
            .to_owned(),
    ];
    Ok([
        Table::new("paired", "Two runs, paired by floor and repeat", notes, paired(compared)?),
        Table::new("partings", "Where paired episodes part", partings, parted(compared)?),
    ])
}

/// What stands for all floors; no floor can have this name.
const ALL: &str = "(all)";

/// Pairs with what they are called.
struct Group<'a> {
    one: &'a str,
    other: &'a str,
    floor: &'a str,
    pairs: Vec<Pair<'a>>,
}

fn groups<'a>(compared: &'a [Compared<'a>]) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    for Compared { one, other, pairs } in compared {
        let mut floors: Vec<&str> = Vec::new();
        for pair in pairs {
            if !floors.contains(&pair.one.key.floor.as_str()) {
                floors.push(&pair.one.key.floor);
            }
        }
        groups.push(Group { one, other, floor: ALL, pairs: pairs.clone() });
        // A single floor is all there is.
        for floor in floors.iter().filter(|_| floors.len() > 1) {
            let pairs = pairs.iter().copied().filter(|pair| pair.one.key.floor == **floor).collect();
            groups.push(Group { one, other, floor, pairs });
        }
    }
    groups
}

fn paired(compared: &[Compared<'_>]) -> PolarsResult<DataFrame> {
    let groups = groups(compared);
    let rows: Vec<_> = groups.iter().map(|group| (group, differences(&group.pairs))).collect();
    let mut columns = vec![
        text("one", &rows, |(group, _)| Some(group.one.to_owned())),
        text("other", &rows, |(group, _)| Some(group.other.to_owned())),
        text("floor", &rows, |(group, _)| Some(group.floor.to_owned())),
        whole("pairs", &rows, |(_, d)| Some(d.pairs as i64)),
        whole("both_won", &rows, |(_, d)| Some(d.both as i64)),
        whole("only_one_won", &rows, |(_, d)| Some(d.only_one as i64)),
        whole("only_other_won", &rows, |(_, d)| Some(d.only_other as i64)),
        fraction("p_wins", &rows, |(_, d)| d.p_wins),
        fraction("hp_difference", &rows, |(_, d)| d.hp),
    ];
    columns.extend(ends("hp_difference", &rows, |(_, d)| d.hp_interval));
    columns.push(fraction("p_hp", &rows, |(_, d)| d.p_hp));
    columns.push(whole("same_to_the_end", &rows, |(group, _)| {
        Some(group.pairs.iter().filter(|pair| pair.parting().is_none()).count() as i64)
    }));
    DataFrame::new(rows.len(), columns)
}

fn parted(compared: &[Compared<'_>]) -> PolarsResult<DataFrame> {
    let all = compared.iter().flat_map(|compared| compared.pairs.iter().map(move |pair| (compared, pair)));
    let mut rows: Vec<_> = all.filter_map(|(compared, pair)| Some((compared, pair, pair.parting()?))).collect();
    rows.sort_by_key(|(_, pair, _)| !pair.changed_outcome());
    let value = |action: &Option<ActionValue>| action.as_ref().and_then(|action| action.worth.hp());
    let open = |worth: Worth| (!worth.is_known()).then(|| worth.to_string());
    let open_after = |action: &Option<ActionValue>| open(action.as_ref()?.worth);
    let mut columns = vec![
        text("one", &rows, |(compared, ..)| Some(compared.one.clone())),
        text("other", &rows, |(compared, ..)| Some(compared.other.clone())),
        text("floor", &rows, |(_, pair, _)| Some(pair.one.key.floor.clone())),
        whole("repeat", &rows, |(_, pair, _)| Some(pair.one.key.repeat.into())),
        text("one_ending", &rows, |(_, pair, _)| Some(episodes::ending(pair.one.ending))),
        text("other_ending", &rows, |(_, pair, _)| Some(episodes::ending(pair.other.ending))),
        whole("one_hp", &rows, |(_, pair, _)| Some(pair.one.final_hp())),
        whole("other_hp", &rows, |(_, pair, _)| Some(pair.other.final_hp())),
        whole("turn", &rows, |(.., parting)| Some(parting.turn.into())),
        whole("value_before", &rows, |(.., parting)| parting.before.hp()),
    ];
    columns.extend(text_if_any("value_before_bounds", &rows, |(.., parting)| open(parting.before)));
    columns.extend([
        text("one_action", &rows, |(.., parting)| parting.one.as_ref().map(in_words)),
        whole("one_value", &rows, |(.., parting)| value(&parting.one)),
    ]);
    columns.extend(text_if_any("one_value_bounds", &rows, |(.., parting)| open_after(&parting.one)));
    columns.extend([
        text("other_action", &rows, |(.., parting)| parting.other.as_ref().map(in_words)),
        whole("other_value", &rows, |(.., parting)| value(&parting.other)),
    ]);
    columns.extend(text_if_any("other_value_bounds", &rows, |(.., parting)| open_after(&parting.other)));
    DataFrame::new(rows.len(), columns)
}

fn in_words(action: &ActionValue) -> String {
    format!("{} {}", action.text, action.target)
}

#[cfg(test)]
mod tests {
    use crate::agent::ChosenBy;
    use crate::analysis::EpisodeAnalysis;
    use crate::analysis::pairing::pairs;
    use crate::eval::Ending;
    use crate::report::export;
    use crate::report::sample::episode;

    use super::*;

    #[test]
    fn outcomes_that_changed_stand_first() {
        let won = |agent| episode(agent, "none", "f").values(&[68, 68]).ended(Ending::Won, 68);
        let lost = |agent| {
            let begun = episode(agent, "none", "f").values(&[68]);
            begun.loses(ChosenBy::Agent, "fight the Bat", (2, 3)).ended(Ending::Stuck, 5)
        };
        let one = [won("a").done(), won("a").repeat(1).done(), lost("a").repeat(2).done()];
        let other = [won("b").done(), lost("b").repeat(1).done(), won("b").repeat(2).done()];
        let longer = episode("b", "none", "f").repeat(3).values(&[68, 68, 68]).ended(Ending::Won, 68).done();
        let shorter = won("a").repeat(3).done();
        let one: Vec<&EpisodeAnalysis> = one.iter().chain([&shorter]).collect();
        let other: Vec<&EpisodeAnalysis> = other.iter().chain([&longer]).collect();
        let compared = [Compared { one: "a".into(), other: "b".into(), pairs: pairs(&one, &other) }];
        let [paired, partings] = tables(&compared).unwrap();
        insta::assert_snapshot!(export::transposed(&paired) + "\n" + &export::transposed(&partings), @"
        one: a
        other: b
        floor: (all)
        pairs: 4
        both_won: 2
        only_one_won: 1
        only_other_won: 1
        p_wins: 1.0000
        hp_difference: 0.00
        hp_difference_low: -51.00
        hp_difference_high: 51.00
        p_hp: 1.0000
        same_to_the_end: 1

        one: a | a | a
        other: b | b | b
        floor: f | f | f
        repeat: 1 | 2 | 3
        one_ending: won | stuck | won
        other_ending: stuck | won | won
        one_hp: 68 | 0 | 68
        other_hp: 0 | 68 | 68
        turn: 2 | 2 | 3
        value_before: 68 | 68 | 68
        one_action: open the yellow door (1,1) | fight the Bat (2,3) | –
        one_value: 68 | – | –
        other_action: fight the Bat (2,3) | open the yellow door (1,1) | open the yellow door (1,1)
        other_value: – | 68 | 68
        ");
        assert_eq!(tables(&[]).unwrap().map(|table| table.frame.height()), [0, 0]);
    }
}
