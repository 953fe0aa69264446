//! Tests of what tables and figures say where values are not known: what is proven, of how much nothing is, and no loss that
//! is not proven.

use super::ink::{assert_whole_and_apart, texts};
use super::sample::episode;
use super::{batch, configurations, decisions, episodes, export, losing, plot, results};
use crate::agent::ChosenBy;
use crate::analysis::EpisodeAnalysis;
use crate::eval::Ending;
use crate::report::export::{Exporter, Markdown};
use crate::report::table::Table;
use crate::solver::Worth;

fn between(least: i64, most: i64) -> Worth {
    Worth::between(Some(least), Some(most))
}

fn at_most(most: i64) -> Worth {
    Worth::between(None, Some(most))
}

/// Of one configuration: an episode lost by a decision that is known though no value is, one lost by one of three, one of
/// which it is not known whether it is lost, one won, and one of which nothing is known.
fn batch_of_bounds() -> Vec<EpisodeAnalysis> {
    let played = |repeat, path: &[Worth]| episode("greedy", "none", "tower").repeat(repeat).worths(path);
    let start = between(12, 340);
    let won = Worth::exactly(Some(21));
    vec![
        played(0, &[start, between(12, 200), Worth::LOST]).ended(Ending::Dead, 0).done(),
        played(1, &[start, at_most(340), at_most(90), Worth::LOST]).ended(Ending::Stuck, 5).done(),
        played(2, &[start, between(12, 340), at_most(9)]).ended(Ending::TurnLimit, 80).done(),
        played(3, &[between(21, 340), between(21, 30), won]).ended(Ending::Won, 21).done(),
        played(4, &[Worth::UNKNOWN, Worth::UNKNOWN]).ended(Ending::TurnLimit, 80).done(),
    ]
}

fn chosen(table: &Table, names: &[&str]) -> String {
    let all = export::transposed(table);
    let wanted = |line: &&str| names.iter().any(|name| line.starts_with(&format!("{name}:")));
    all.lines().filter(wanted).map(|line| format!("{line}\n")).collect()
}

#[test]
fn tables_show_what_is_not_known() {
    let analyses = batch_of_bounds();
    let floors = batch::floors(&analyses);
    let episodes = episodes::table(&floors).unwrap();
    let results = results::table(&floors, &episodes).unwrap();
    let of_results = ["optimum", "optimum_least", "optimum_most", "gap", "value_losses", "value_losses_not_known"];
    let shown = [
        export::transposed(&decisions::table(&floors).unwrap()),
        chosen(
            &episodes,
            &[
                "ending",
                "optimum",
                "optimum_least",
                "optimum_most",
                "gap",
                "value_losses",
                "value_losses_not_known",
                "own_value_losses_not_known",
                "losing_turn",
                "losing_value_before",
                "losing_value_before_least",
                "losing_value_before_most",
                "losing_not_known",
            ],
        ),
        chosen(&results, &of_results),
        chosen(&configurations::table(&floors).unwrap(), &["finished", "judged", "optimal", "share_of_optimum"]),
    ];
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn losing_decisions_are_bounded() {
    let analyses = batch_of_bounds();
    let mut out = Vec::new();
    Markdown.write(&losing::table(&batch::floors(&analyses)).unwrap(), &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn a_terminal_shows_bounds() {
    insta::assert_snapshot!(super::terminal(&batch_of_bounds(), 100).unwrap());
}

#[test]
fn a_figure_shows_bounds_as_bands() {
    let analyses = batch_of_bounds();
    let figures = plot::all(&batch::floors(&analyses), &[]);
    let curve = figures.iter().find(|figure| figure.stem.starts_with("state-value")).unwrap();
    let shown: Vec<String> = texts(&curve.svg).into_iter().map(|(text, _)| text).collect();
    insta::assert_snapshot!(shown.join(" | "));
    // Every open state of the four episodes of which something is known, but the last one that is lost; neighbours with the
    // same bounds are one band.
    assert_eq!(curve.svg.matches("fill-opacity").count(), 2 + 3 + 2 + 2, "{}", curve.svg);
    assert_whole_and_apart(&curve.svg, "bounds");
    assert!(figures.iter().all(|figure| !figure.stem.starts_with("value-lost")), "no loss is known");
}

/// Nothing is known of any value: no table and no figure says of a decision that it was good, bad or lost anything.
#[test]
fn of_what_is_not_known_nothing_is_claimed() {
    let path = vec![Worth::UNKNOWN; 4];
    let lost =
        |repeat| episode("greedy", "none", "tower").repeat(repeat).worths(&path).ended(Ending::TurnLimit, 5).done();
    let analyses = [lost(0), lost(1)];
    let floors = batch::floors(&analyses);
    let decisions = export::transposed(&decisions::table(&floors).unwrap());
    for name in
        ["optimal", "optimal_rate", "value_lost", "losing", "critical", "critical_lost", "forced", "forced_lost"]
    {
        assert!(
            decisions.contains(&format!("\n{name}: –\n")) || decisions.ends_with(&format!("\n{name}: –")),
            "{decisions}"
        );
    }
    for name in
        ["judged_not_known", "losing_not_known", "forced_not_known", "critical_not_known", "value_lost_not_known"]
    {
        assert!(decisions.contains(&format!("\n{name}: 6")), "{name}: {decisions}");
    }
    let losing = losing::table(&floors).unwrap();
    assert_eq!(losing.frame.height(), 0);
    assert!(losing.notes.iter().any(|note| note.contains("2 episodes of which it is not known whether")), "{losing:?}");
    let figure = &plot::all(&floors, &[])[0];
    assert!(figure.svg.contains("the state values are not known") && !figure.svg.contains("cannot be defeated"));
    let shown = super::terminal(&analyses, 100).unwrap();
    assert!(shown.contains(" ? ") && !shown.contains('×') && shown.contains("are not known"), "{shown}");
}

/// What is known stands in the same columns as ever: those for what is not appear only where it is needed.
#[test]
fn known_values_need_no_columns_for_what_is_not() {
    let known = [episode("a", "none", "f").values(&[60]).loses(ChosenBy::Agent, "fight the Bat", (1, 2)).done()];
    let floors = batch::floors(&known);
    let episodes = episodes::table(&floors).unwrap();
    for table in [decisions::table(&floors).unwrap(), results::table(&floors, &episodes).unwrap(), episodes] {
        let names: Vec<&str> = table.frame.columns().iter().map(|column| column.name().as_str()).collect();
        assert!(names.iter().all(|name| !name.ends_with("_not_known") && !name.ends_with("_least")), "{names:?}");
    }
}
