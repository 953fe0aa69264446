//! Value lost by turn: one panel a configuration, the mean loss of an episode at each turn.

use super::axis;
use super::ground::Ground;
use super::layout::{Grid, Layout};
use super::legend::{Entry, Mark};
use super::state_value::wins;
use super::style::{LOST, OPEN};
use crate::report::batch::{Configuration, Floor};

/// Bars of a panel, at most; more turns share bars.
const MOST_BARS: usize = 60;

/// Mean HP of value that an episode lost at each turn, by decisions that lost the boss, and by others.
struct Losses {
    losing: Vec<f64>,
    other: Vec<f64>,
}

impl Losses {
    fn of(configuration: &Configuration<'_>, turns: usize) -> Self {
        let mut losses = Losses { losing: vec![0.0; turns], other: vec![0.0; turns] };
        let judged = || configuration.episodes.iter().filter(|episode| episode.is_judged());
        let share = 1.0 / judged().count().max(1) as f64;
        for decision in judged().flat_map(|episode| &episode.decisions) {
            let kind = if decision.is_losing() == Some(true) { &mut losses.losing } else { &mut losses.other };
            let place = (decision.turn as usize).checked_sub(1).and_then(|place| kind.get_mut(place));
            if let (Some(place), Some(lost)) = (place, decision.value_lost()) {
                *place += lost as f64 * share;
            }
        }
        losses
    }

    /// So many turns to a bar.
    fn binned(&self, turns: usize) -> Vec<(f64, f64)> {
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        self.losing.chunks(turns).zip(self.other.chunks(turns)).map(|(l, o)| (sum(l), sum(o))).collect()
    }
}

/// The figure of a floor with its heading; none if no value was lost on it.
pub fn value_lost(floor: &Floor<'_>) -> Option<(String, String)> {
    let lossy = |episode: &crate::analysis::EpisodeAnalysis| {
        episode.is_judged() && episode.decisions.iter().any(|d| d.value_lost() > Some(0))
    };
    if !floor.episodes().any(lossy) {
        return None;
    }
    let last = floor.episodes().flat_map(|episode| &episode.decisions).filter(|d| d.before.is_saved());
    let turns = last.map(|decision| decision.turn as usize).max().unwrap_or(1);
    let step = turns.div_ceil(MOST_BARS);
    let bars: Vec<Vec<(f64, f64)>> = floor.configurations.iter().map(|c| Losses::of(c, turns).binned(step)).collect();
    let highest = bars.iter().flatten().map(|(losing, other)| losing + other).fold(0.0, f64::max);
    let grid = Grid::of(bars.len());
    let y_ticks = axis::ticks(highest.max(1.0), (grid.panel.1 / 28.0) as usize);
    let ground = Ground {
        size: grid.panel,
        x_end: (bars[0].len() * step) as f64 + 0.5,
        y_end: highest.max(1.0) * 1.08,
        x_ticks: turn_ticks(turns, grid.panel.0),
        y_ticks: y_ticks.into_iter().map(|tick| (tick, axis::label(tick))).collect(),
    };
    let occurs = |of: fn(&(f64, f64)) -> f64| bars.iter().flatten().any(|bar| of(bar) > 0.0);
    let losing = occurs(|bar| bar.0).then(|| (Mark::Lost, "by losing decisions: all of the value".to_owned()));
    let other = occurs(|bar| bar.1).then(|| (Mark::Bar, "by other decisions".to_owned()));
    let legend: Vec<Entry> = [losing, other].into_iter().flatten().collect();
    let title = format!("Value lost by turn: {}", floor.title);
    let shared = if step > 1 { format!(" A bar is {step} turns.") } else { String::new() };
    let open = floor.episodes().filter(|episode| !episode.is_judged()).count();
    let open =
        if open > 0 { format!(" Without {open} of whose decisions it is not always known.") } else { String::new() };
    let note = floor.note.map(|note| format!(" Floor: {}.", note.trim_end_matches('.'))).unwrap_or_default();
    let layout = Layout {
        title: &title,
        remark: &format!(
            "By how much the decisions of each turn lowered the final HP under best play, on average over all episodes of \
             the configuration.{shared}{open}{note}"
        ),
        legend,
        x_name: "turn",
        y_name: "value lost an episode (HP)",
        y_labels: ground.y_labels(),
        grid,
        outer_height: ground.outer_height(),
    };
    let (mut page, places) = layout.page(bars.len());
    for ((configuration, bars), place) in floor.configurations.iter().zip(&bars).zip(places) {
        let axes = ground.draw(place, &configuration.name, &wins(configuration), &mut page);
        for (index, (losing, other)) in bars.iter().enumerate() {
            let (first, next) = ((index * step) as f64 + 0.6, ((index + 1) * step) as f64 + 0.4);
            let mut below = 0.0;
            for (value, colour) in [(*losing, LOST), (*other, OPEN)] {
                if value > 0.0 {
                    let ((left, top), (right, bottom)) = (axes.at(first, below + value), axes.at(next, below));
                    page.rect(left, top, right - left, bottom - top, colour);
                    below += value;
                }
            }
        }
    }
    Some((title, page.finish()))
}

/// Turns are counted from 1: there is none at 0.
fn turn_ticks(turns: usize, across: f64) -> Vec<(f64, String)> {
    let ticks = axis::ticks(turns as f64, (across / 45.0) as usize);
    let mut ticks: Vec<f64> = ticks.into_iter().map(|tick| tick.max(1.0)).collect();
    ticks.dedup();
    ticks.into_iter().map(|tick| (tick, axis::label(tick))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Ending;
    use crate::report::ink::{assert_whole_and_apart, texts};
    use crate::report::{batch, sample};

    /// smollm2 on complex, six episodes, by hand. Turn 1: 26 lost once, 68 once: 26 / 6 and 68 / 6. Turn 2: 26 and 20.
    #[test]
    fn losses_are_means_over_all_episodes() {
        let analyses = sample::batch();
        let floors = batch::floors(&analyses);
        let losses = Losses::of(&floors[0].configurations[1], 4);
        let rounded = |values: &[f64]| values.iter().map(|value| (value * 6.0).round()).collect::<Vec<_>>();
        assert_eq!(rounded(&losses.losing), [68.0, 0.0, 42.0, 22.0]);
        assert_eq!(rounded(&losses.other), [26.0, 26.0 + 20.0 + 26.0, 20.0, 0.0]);
        assert_eq!(losses.binned(3).len(), 2);
    }

    #[test]
    fn the_figure_is_whole() {
        let analyses = sample::batch();
        let (_, svg) = value_lost(&batch::floors(&analyses)[0]).unwrap();
        let texts: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
        insta::assert_snapshot!(texts.join(" | "), @"Value lost by turn: The complex floor | By how much the decisions of each turn lowered the final HP under best play, on average over all episodes of the configuration. | by losing decisions: all of the value | by other decisions | value lost an episode (HP) | turn | optimal | 1/1 won | 1 | 2 | 3 | 4 | 0 | 2 | 4 | 6 | 8 | 10 | 12 | 14 | smollm2 / single_floor | 1/5 won, 1 open | 1 | 2 | 3 | 4");
        assert_whole_and_apart(&svg, "value lost");
        let long: Vec<i64> = (0..200).map(|turn| 1000 - turn).collect();
        let long = sample::episode("a", "none", "f").optimum(Some(1001)).values(&long).ended(Ending::Won, 801).done();
        let (_, svg) = value_lost(&batch::floors(&[long])[0]).unwrap();
        assert!(svg.contains("A bar is 4 turns."), "{svg}");
    }

    #[test]
    fn no_loss_gives_no_figure() {
        let won = sample::episode("a", "none", "f").values(&[68, 68]).ended(Ending::Won, 68).done();
        assert_eq!(value_lost(&batch::floors(&[won])[0]), None);
    }
}
