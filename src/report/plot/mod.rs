//! Figure 6.2: the state value along every episode on a floor, one panel a configuration, with the decisions that
//! lost marked. Reads analyses; the same analyses give the same bytes.

mod axis;
mod curve;
mod label;
mod legend;
mod panel;
mod style;

use super::batch::{Configuration, Floor};
use super::style::{LINE, SUBTITLE, TITLE};
use super::svg::{Anchor, Page};
use super::text;
use crate::eval::Ending;
use curve::{Curve, End};
use legend::Legend;
use panel::{Panel, Shared};
use style::TICK;

/// Around everything.
const MARGIN: f64 = 20.0;
/// Between the columns of panels.
const COLUMN_GAP: f64 = 18.0;
/// Between the rows of panels.
const ROW_GAP: f64 = 12.0;
/// Below the last row: turns and the axis' name.
const FOOT: f64 = 36.0;

/// The figure of a floor, as SVG.
pub fn state_value(floor: &Floor<'_>) -> String {
    let curves: Vec<Vec<Curve>> = floor.configurations.iter().map(|c| curve::curves(&c.episodes)).collect();
    let grid = Grid::of(curves.len());
    let shared = shared(floor, curves.iter().flatten(), &grid);
    let left =
        MARGIN + 24.0 + shared.hp_ticks.iter().map(|tick| text::width(&axis::label(*tick), TICK)).fold(24.0, f64::max);
    let width = left + grid.columns as f64 * (shared.width + COLUMN_GAP) - COLUMN_GAP + MARGIN;
    let remarks = text::wrap(&remark(floor), SUBTITLE, width - 2.0 * MARGIN);
    let legend = Legend::of(floor, &curves, width - 2.0 * MARGIN);
    let top = MARGIN + 16.0 + LINE * (remarks.len() + legend.lines()) as f64 + 14.0;
    let row_height = shared.outer_height() + ROW_GAP;
    let bottom = top + grid.rows as f64 * row_height - ROW_GAP;

    let title = format!("State value along every episode: {}", floor.title);
    let mut page = Page::new(width, bottom + FOOT, &title);
    page.text((MARGIN, MARGIN + 12.0), Anchor::Start, TITLE, &text::cut(&title, TITLE, width - 2.0 * MARGIN));
    let mut baseline = MARGIN + 14.0;
    for line in &remarks {
        baseline += LINE;
        page.text((MARGIN, baseline), Anchor::Start, SUBTITLE, line);
    }
    legend.draw((MARGIN, baseline + LINE + 2.0), &mut page);
    for (index, (configuration, curves)) in floor.configurations.iter().zip(&curves).enumerate() {
        let (row, column) = (index / grid.columns, index % grid.columns);
        let corner = (left + column as f64 * (shared.width + COLUMN_GAP), top + row as f64 * row_height);
        let is_lowest = index + grid.columns >= floor.configurations.len();
        Panel {
            name: &configuration.name,
            aside: &wins(configuration),
            curves,
            corner,
            hp_labels: column == 0,
            turn_labels: is_lowest,
        }
        .draw(&shared, &mut page);
    }
    page.upward_text((MARGIN + 8.0, (top + bottom) / 2.0), SUBTITLE, "state value (HP)");
    page.text(((left + width - MARGIN) / 2.0, bottom + FOOT - 8.0), Anchor::Middle, SUBTITLE, "turn");
    page.finish()
}

/// How panels are laid out.
struct Grid {
    columns: usize,
    rows: usize,
    /// Pixels of a panel, across and down.
    panel: (f64, f64),
}

impl Grid {
    fn of(panels: usize) -> Self {
        let columns = match panels {
            0 | 1 => 1,
            2 | 4 => 2,
            3 | 5 | 6 | 9 => 3,
            7 | 8 | 10..=16 => 4,
            _ => 5,
        };
        let rows = panels.div_ceil(columns);
        let across = [640.0, 420.0, 320.0, 270.0, 230.0][columns - 1];
        let down = match rows {
            0 | 1 => 250.0,
            2 => 190.0,
            3 => 150.0,
            _ => 120.0,
        };
        Grid { columns, rows, panel: (across, down) }
    }
}

fn shared<'a>(floor: &Floor<'_>, curves: impl Iterator<Item = &'a Curve> + Clone, grid: &Grid) -> Shared {
    let highest = curves.clone().map(Curve::highest).chain(floor.optimum).max().unwrap_or_default().max(1) as f64;
    let last = curves.clone().map(Curve::turn).max().unwrap_or_default().max(1).into();
    let (width, height) = grid.panel;
    Shared {
        width,
        height,
        rail: curves.clone().any(|curve| matches!(curve.end, End::Lost { .. })),
        turns: last * 1.06,
        hp: highest * 1.12,
        turn_ticks: axis::ticks(last, (width / 45.0) as usize),
        hp_ticks: axis::ticks(highest, (height / 28.0) as usize),
        optimum: floor.optimum,
    }
}

/// What is drawn, and the floor's own remark.
fn remark(floor: &Floor<'_>) -> String {
    let count = floor.episodes().count();
    let episodes = if count == 1 { "episode" } else { "episodes" };
    let note = floor.note.map(|note| format!(" Floor: {}.", note.trim_end_matches('.'))).unwrap_or_default();
    format!("Final HP under best play after every decision; {count} {episodes}, equal ones drawn once.{note}")
}

fn wins(configuration: &Configuration<'_>) -> String {
    let won = configuration.episodes.iter().filter(|episode| episode.ending == Some(Ending::Won)).count();
    format!("{won}/{} won", configuration.episodes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::analysis::EpisodeAnalysis;
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
        insta::assert_snapshot!(texts.join(" | "), @r"
        State value along every episode: The complex floor | Final HP under best play after every decision; 7 episodes, equal ones drawn once. | boss defeated, with final HP | losing decision: the boss can no longer be defeated | turn limit, aborted or unfinished | optimum 68 | optimal | 1/1 won | 0 | 1 | 2 | 3 | 4 | 0 | 10 | 20 | 30 | 40 | 50 | 60 | lost | 68 | smollm2 / single_floor | 1/6 won | 0 | 1 | 2 | 3 | 4 | 22 | (12,2) | (11,8) | (11,8) | state value (HP) | turn
        ");
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
