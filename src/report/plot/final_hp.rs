//! Final HP against the optimum: one panel a configuration, one mark an episode.

use std::collections::BTreeMap;

use super::axis;
use super::ground::Ground;
use super::label::Labels;
use super::layout::{Grid, Layout};
use super::legend::{Entry, Mark};
use super::panel::MARK;
use super::style::{LABEL, LOST, OPEN, OPTIMUM, WON};
use crate::analysis::EpisodeAnalysis;
use crate::eval::Ending;
use crate::report::batch::{self, Floor};
use crate::report::svg::{Anchor, Page};

/// Marks with a number beside them, at most.
const MOST_LABELS: usize = 60;

/// How an episode ended, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Won,
    Lost,
    Open,
}

impl Outcome {
    fn of(episode: &EpisodeAnalysis) -> Self {
        match episode.ending {
            Some(Ending::Won) => Outcome::Won,
            Some(Ending::Dead | Ending::Stuck) => Outcome::Lost,
            Some(Ending::TurnLimit | Ending::Aborted) | None => Outcome::Open,
        }
    }
}

/// How many episodes ended how, by optimum and final HP.
type Points = BTreeMap<(Outcome, i64, i64), usize>;

/// The figure with its heading; none if no floor with a known optimum has a finished episode.
pub fn final_hp(floors: &[Floor<'_>]) -> Option<(String, String)> {
    let mut panels: Vec<(String, String, Points)> = Vec::new();
    for (_, episodes) in batch::configurations(floors) {
        let mut points = Points::new();
        for episode in episodes.iter().filter(|episode| episode.is_finished()) {
            if let Some(optimum) = episode.optimum.hp() {
                *points.entry((Outcome::of(episode), optimum, episode.final_hp())).or_default() += 1;
            }
        }
        panels.push((episodes[0].key.configuration(), super::state_value::won(&episodes), points));
    }
    let all = || panels.iter().flat_map(|(_, _, points)| points.keys());
    let highest = all().map(|(_, optimum, hp)| *optimum.max(hp)).max()?.max(1) as f64;
    let grid = Grid::of(panels.len());
    let ticks = |pixels: f64, each: f64| -> Vec<(f64, String)> {
        axis::ticks(highest, (pixels / each) as usize).into_iter().map(|tick| (tick, axis::label(tick))).collect()
    };
    let ground = Ground {
        size: grid.panel,
        x_end: highest * 1.08,
        y_end: highest * 1.12,
        x_ticks: ticks(grid.panel.0, 45.0),
        y_ticks: ticks(grid.panel.1, 28.0),
    };
    let occurs = |wanted: Outcome| all().any(|(outcome, ..)| *outcome == wanted);
    let entry = |wanted, mark, meaning: &str| occurs(wanted).then(|| (mark, meaning.to_owned()));
    let legend: Vec<Entry> = [
        entry(Outcome::Won, Mark::Dot, "boss defeated"),
        entry(Outcome::Lost, Mark::Cross, "lost"),
        entry(Outcome::Open, Mark::Square, "turn limit or aborted"),
        Some((Mark::Dashes, "the optimum".to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect();
    let title = "Final HP against the optimum".to_owned();
    let layout = Layout {
        title: &title,
        remark: "Each finished episode at its floor's optimum; one that was not won counts as 0 HP. Equal ones are drawn \
                 once, with their number where there is room.",
        legend,
        x_name: "optimum of the floor (HP)",
        y_name: "final HP",
        y_labels: ground.y_labels(),
        grid,
        outer_height: ground.outer_height(),
    };
    let (mut page, places) = layout.page(panels.len());
    for ((name, aside, points), place) in panels.iter().zip(places) {
        let axes = ground.draw(place, name, aside, &mut page);
        page.line(axes.at(0.0, 0.0), axes.at(highest, highest), OPTIMUM);
        let corners = (axes.at(0.0, ground.y_end), axes.at(ground.x_end, 0.0));
        draw(points, |optimum, hp| axes.at(optimum as f64, hp as f64), corners, &mut page);
    }
    Some((title, page.finish()))
}

fn draw(points: &Points, at: impl Fn(i64, i64) -> (f64, f64), corners: ((f64, f64), (f64, f64)), page: &mut Page) {
    let mut labels = Labels::within(corners.0, corners.1);
    for (outcome, optimum, hp) in points.keys() {
        let centre = at(*optimum, *hp);
        match outcome {
            Outcome::Won => page.dot(centre, MARK + 0.5, WON),
            Outcome::Lost => page.cross(centre, MARK, LOST, 1.0),
            Outcome::Open => page.square(centre, MARK, OPEN),
        }
        labels.avoid(centre, MARK);
    }
    let mut repeated: Vec<_> = points.iter().filter(|(_, count)| **count > 1).collect();
    repeated.sort_by_key(|(place, count)| (std::cmp::Reverse(**count), **place));
    for ((_, optimum, hp), count) in repeated.into_iter().take(MOST_LABELS) {
        let (x, y) = at(*optimum, *hp);
        let places =
            [((x, y - 7.0), Anchor::Middle), ((x + 7.0, y + 3.5), Anchor::Start), ((x - 7.0, y + 3.5), Anchor::End)];
        labels.put(page, &format!("×{count}"), LABEL, &places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ink::{assert_whole_and_apart, texts};
    use crate::report::sample;

    #[test]
    fn every_finished_episode_has_its_mark() {
        let analyses = sample::batch();
        let (_, svg) = final_hp(&batch::floors(&analyses)).unwrap();
        let texts: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
        insta::assert_snapshot!(texts.join(" | "), @"Final HP against the optimum | Each finished episode at its floor's optimum; one that was not won counts as 0 HP. Equal ones are drawn once, with their number where there is room. | boss defeated | lost | turn limit or aborted | the optimum | final HP | optimum of the floor (HP) | optimal | 1/1 won | 0 | 10 | 20 | 30 | 40 | 50 | 60 | 0 | 10 | 20 | 30 | 40 | 50 | 60 | smollm2 / single_floor | 2/6 won, 1 open | 0 | 10 | 20 | 30 | 40 | 50 | 60 | ×2");
        assert_whole_and_apart(&svg, "final HP");
    }

    #[test]
    fn nothing_finished_gives_no_figure() {
        assert_eq!(final_hp(&[]), None);
        let open = sample::episode("a", "none", "f").done();
        assert_eq!(final_hp(&batch::floors(&[open])), None);
    }
}
