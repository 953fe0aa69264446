//! Figure 6.2: the state value along every episode on a floor, one panel a configuration, with the decisions that
//! lost marked. Reads analyses; the same analyses give the same bytes.

use super::axis;
use super::curve::{self, Curve, End};
use super::layout::{Grid, Layout};
use super::legend::{Entry, Mark};
use super::panel::{Panel, Shared};
use crate::analysis::EpisodeAnalysis;
use crate::report::batch::{Configuration, Floor};

/// The figure of a floor, as SVG.
pub fn state_value(floor: &Floor<'_>) -> String {
    let curves: Vec<Vec<Curve>> = floor.configurations.iter().map(|c| curve::curves(&c.episodes)).collect();
    let grid = Grid::of(curves.len());
    let shared = shared(floor, curves.iter().flatten(), &grid);
    let layout = Layout {
        title: &title(floor),
        remark: &remark(floor),
        legend: legend(floor, &curves),
        x_name: "turn",
        y_name: "state value (HP)",
        y_labels: shared.hp_ticks.iter().map(|tick| axis::label(*tick)).collect(),
        grid,
        outer_height: shared.outer_height(),
    };
    let (mut page, places) = layout.page(curves.len());
    for ((configuration, curves), place) in floor.configurations.iter().zip(&curves).zip(places) {
        Panel {
            name: &configuration.name,
            aside: &wins(configuration),
            curves,
            empty: empty(configuration),
            corner: place.corner,
            hp_labels: place.is_leftmost,
            turn_labels: place.is_lowest,
        }
        .draw(&shared, &mut page);
    }
    page.finish()
}

/// Its heading.
pub fn title(floor: &Floor<'_>) -> String {
    format!("State value along every episode: {}", floor.title)
}

fn legend(floor: &Floor<'_>, curves: &[Vec<Curve>]) -> Vec<Entry> {
    let occurs = |is: fn(End) -> bool| curves.iter().flatten().any(|curve| is(curve.end));
    let won = occurs(|end| end == End::Won).then_some((Mark::Dot, "boss defeated, with final HP".into()));
    let lost = occurs(|end| matches!(end, End::Lost { .. }));
    let lost = lost.then_some((Mark::Cross, "losing decision: the boss can no longer be defeated".into()));
    let open = occurs(|end| end == End::Open);
    let open = open.then_some((Mark::Square, "turn limit, aborted or unfinished".into()));
    let between = occurs(|end| matches!(end, End::Between { .. }));
    let between = between.then_some((Mark::Lost, "lost by one of these decisions: it is not known which".into()));
    let optimum = floor.optimum.hp().map(|optimum| (Mark::Dashes, format!("optimum {optimum}")));
    let band = curves.iter().flatten().any(|curve| !curve.is_known());
    let band = band.then_some((Mark::Bar, "not known: from what was found up to what is proven".into()));
    [won, lost, between, open, optimum, band].into_iter().flatten().collect()
}

fn shared<'a>(floor: &Floor<'_>, curves: impl Iterator<Item = &'a Curve> + Clone, grid: &Grid) -> Shared {
    let found = curves.clone().map(|curve| curve.highest()[0]).chain(floor.optimum.hp()).max().unwrap_or_default();
    let proven = curves.clone().map(|curve| curve.highest()[1]).max().unwrap_or_default();
    // A bound far above all that was found would leave no room for it: the band runs out of the panel.
    let room = if found > 0 { found.saturating_mul(2) } else { i64::MAX };
    let highest = proven.min(room).max(found).max(1) as f64;
    let last = curves.clone().map(Curve::turn).max().unwrap_or_default().max(1).into();
    let (width, height) = grid.panel;
    Shared {
        width,
        height,
        rail: curves.clone().any(|curve| matches!(curve.end, End::Lost { .. } | End::Between { .. })),
        turns: last * 1.06,
        hp: highest * 1.12,
        turn_ticks: axis::ticks(last, (width / 45.0) as usize),
        hp_ticks: axis::ticks(highest, (height / 28.0) as usize),
        optimum: floor.optimum.hp(),
    }
}

/// What stands in a panel without a curve.
fn empty(configuration: &Configuration<'_>) -> &'static str {
    match configuration.episodes.iter().any(|episode| episode.optimum.is_lost()) {
        true => "the boss cannot be defeated",
        false => "the state values are not known",
    }
}

/// What is drawn, and the floor's own remark.
fn remark(floor: &Floor<'_>) -> String {
    let count = floor.episodes().count();
    let episodes = if count == 1 { "episode" } else { "episodes" };
    let note = floor.note.map(|note| format!(" Floor: {}.", note.trim_end_matches('.'))).unwrap_or_default();
    format!("Final HP under best play after every decision; {count} {episodes}, equal ones drawn once.{note}")
}

pub(super) fn wins(configuration: &Configuration<'_>) -> String {
    won(&configuration.episodes)
}

/// `1/5 won`, of the finished episodes, and how many are open if any are.
pub(super) fn won(episodes: &[&EpisodeAnalysis]) -> String {
    let won = episodes.iter().filter(|episode| episode.is_won()).count();
    let finished = episodes.iter().filter(|episode| episode.is_finished()).count();
    match episodes.len() - finished {
        0 => format!("{won}/{finished} won"),
        open => format!("{won}/{finished} won, {open} open"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::eval::Ending;
    use crate::report::batch;
    use crate::report::ink::{assert_whole_and_apart, texts};
    use crate::report::sample::{self, Sample, episode};

    fn figure(analyses: &[EpisodeAnalysis]) -> String {
        state_value(&batch::floors(analyses)[0])
    }

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn marks_and_labels_are_those_of_the_episodes() {
        let svg = figure(&sample::batch());
        let texts: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
        insta::assert_snapshot!(texts.join(" | "), @"State value along every episode: The complex floor | Final HP under best play after every decision; 7 episodes, equal ones drawn once. | boss defeated, with final HP | losing decision: the boss can no longer be defeated | turn limit, aborted or unfinished | optimum 68 | state value (HP) | turn | optimal | 1/1 won | 0 | 1 | 2 | 3 | 4 | 0 | 10 | 20 | 30 | 40 | 50 | 60 | lost | 68 | smollm2 / single_floor | 1/5 won, 1 open | 0 | 1 | 2 | 3 | 4 | 22 | (12,2) | (11,8) | (11,8)");
        // Each with one in the legend: two won; three losing decisions; one aborted and one unfinished.
        assert_eq!(count(&svg, "<circle"), 2 + 1);
        assert_eq!(count(&svg, r#"stroke-width="2""#), 3 + 1);
        assert_eq!(count(&svg, r##"stroke="#0072b2" stroke-width="1.5""##), 2 + 1);
    }

    #[test]
    fn equal_episodes_are_drawn_once_with_their_number() {
        let lost = || episode("a", "none", "f").values(&[68]).loses(ChosenBy::Agent, "fight the Bat", (8, 7)).done();
        let (one, three) = (figure(&[lost()]), figure(&[lost(), lost(), lost()]));
        assert!(one.contains(">(8,7)<") && three.contains(">(8,7) ×3<"));
        assert_eq!(count(&one, "<path"), count(&three, "<path"));
    }

    #[test]
    fn a_floor_that_cannot_be_won_says_so() {
        let svg = figure(&[episode("a", "none", "f").optimum(None).lost_turns(2).ended(Ending::Stuck, 5).done()]);
        assert!(svg.contains("the boss cannot be defeated") && !svg.contains("optimum"));
    }

    /// A playing of a length and a fate that differ from repeat to repeat.
    fn varied(agent: &str, repeat: u32) -> Sample {
        let note = "monster table reconstructed: results on this floor cannot be compared with those of the thesis";
        let values: Vec<i64> =
            (0..20 + repeat % 5).map(|turn| i64::from(68 - (turn * (repeat + 1)) / 5 % 60)).collect();
        let played = episode(agent, "single_floor", "f").note(note).repeat(repeat).values(&values);
        match repeat % 3 {
            0 => played.ended(Ending::Won, 1),
            1 => played.loses(ChosenBy::Agent, "fight the Bat", (repeat as u16, 8)),
            _ => played.ended(Ending::TurnLimit, 1),
        }
    }

    #[test]
    fn all_text_shows_whole_and_apart() {
        for (panels, repeats) in [(1, 1), (1, 40), (2, 12), (3, 3), (5, 9), (13, 7), (31, 5)] {
            let name = |panel| format!("provider-{panel}/a-model-with-a-rather-long-name-instruct");
            let analyses: Vec<EpisodeAnalysis> = (0..panels)
                .flat_map(|panel| (0..repeats).map(move |repeat| varied(&name(panel), repeat).done()))
                .collect();
            let svg = figure(&analyses);
            assert_eq!(texts(&svg).len(), count(&svg, "<text"), "text without glyphs");
            assert_whole_and_apart(&svg, &format!("{panels} panels, {repeats} repeats"));
        }
    }
}
