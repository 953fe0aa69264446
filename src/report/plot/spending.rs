//! What models took against what came of it: tokens and cost of an episode, and the share of the optimum that they reached.

use super::axis::Axis;
use super::ground::Ground;
use super::label::Labels;
use super::layout::{Grid, Layout};
use super::legend::{Entry, Mark};
use super::panel::MARK;
use super::style::{BAND, LABEL, WON};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::statistics::{Interval, mean, mean_interval};
use crate::report::batch::{self, Floor};
use crate::report::svg::{Anchor, Page};

/// A configuration, as it is drawn.
struct Point {
    name: String,
    /// Tokens of an episode on average, above 0.
    tokens: f64,
    /// US dollars of an episode on average, above 0.
    cost: Option<f64>,
    /// Percent of the optimum reached.
    share: f64,
    interval: Option<Interval>,
}

impl Point {
    fn of(episodes: &[&EpisodeAnalysis]) -> Option<Self> {
        let finished: Vec<&EpisodeAnalysis> =
            episodes.iter().copied().filter(|episode| episode.is_finished()).collect();
        let shares: Vec<f64> =
            finished.iter().filter_map(|episode| Some(100.0 * episode.share_of_optimum()?)).collect();
        let tokens: u64 = finished.iter().map(|episode| episode.prompt_tokens + episode.completion_tokens).sum();
        let costs: Vec<f64> = finished.iter().filter_map(|episode| episode.cost_usd).collect();
        if tokens == 0 {
            return None;
        }
        Some(Point {
            name: episodes.first()?.key.configuration(),
            tokens: tokens as f64 / finished.len() as f64,
            cost: mean(&costs).filter(|cost| *cost > 0.0),
            share: mean(&shares)?,
            interval: mean_interval(&shares),
        })
    }
}

/// The figure with its heading; none if no model has finished an episode on a floor with a known optimum.
pub fn spending(floors: &[Floor<'_>]) -> Option<(String, String)> {
    let points: Vec<Point> =
        batch::configurations(floors).iter().filter_map(|(_, episodes)| Point::of(episodes)).collect();
    if points.is_empty() {
        return None;
    }
    let costs: Vec<(&Point, f64)> = points.iter().filter_map(|point| Some((point, point.cost?))).collect();
    let tokens: Vec<(&Point, f64)> = points.iter().map(|point| (point, point.tokens)).collect();
    let mut panels = vec![("tokens of an episode, sent and answered", tokens)];
    if !costs.is_empty() {
        panels.push(("US dollars of an episode", costs));
    }
    let grid = Grid::of(panels.len());
    let percent = |tick: u32| (f64::from(tick), format!("{tick} %"));
    let title = "Result against what it took".to_owned();
    let legend: Vec<Entry> = vec![
        (Mark::Dot, "a configuration, averaged over its finished episodes".into()),
        (Mark::Band, "95 % interval (bootstrap)".into()),
    ];
    let y_ticks: Vec<(f64, String)> = [0, 20, 40, 60, 80, 100].map(percent).into();
    let layout = Layout {
        title: &title,
        remark: "Share of the optimum: final HP over the floor's optimum, a lost episode counting as 0, averaged over \
                 episodes. The horizontal axes are logarithmic.",
        legend,
        x_name: "",
        y_name: "share of the optimum",
        y_labels: y_ticks.iter().map(|(_, label)| label.clone()).collect(),
        grid,
        outer_height: super::panel::HEADING + grid.panel.1,
    };
    let (mut page, places) = layout.page(panels.len());
    for ((name, points), place) in panels.iter().zip(places) {
        let scale = Scale::of(points.iter().map(|(_, spent)| *spent));
        let ground = Ground {
            size: grid.panel,
            x_end: scale.end(),
            y_end: 108.0,
            x_ticks: scale.ticks(),
            y_ticks: y_ticks.clone(),
        };
        // Every panel has a scale of its own, so all have their ticks.
        let place = super::layout::Place { is_lowest: true, is_alone: true, ..place };
        let axes = ground.draw(place, name, "", &mut page);
        let corners = (axes.at(0.0, ground.y_end), axes.at(ground.x_end, 0.0));
        let marks: Vec<Placed<'_>> =
            points.iter().map(|(point, spent)| Placed { point, x: axes.x.at(scale.at(*spent)), y: axes.y }).collect();
        draw(&marks, corners, &mut page);
    }
    Some((title, page.finish()))
}

/// A configuration with its place on a panel.
struct Placed<'a> {
    point: &'a Point,
    x: f64,
    y: Axis,
}

fn draw(marks: &[Placed<'_>], corners: ((f64, f64), (f64, f64)), page: &mut Page) {
    let mut labels = Labels::within(corners.0, corners.1);
    for Placed { point, x, y } in marks {
        if let Some(Interval { low, high }) = point.interval {
            page.line((*x, y.at(low)), (*x, y.at(high)), BAND);
        }
        labels.avoid((*x, y.at(point.share)), MARK + 1.0);
    }
    for Placed { point, x, y } in marks {
        page.dot((*x, y.at(point.share)), MARK + 1.0, WON);
    }
    for Placed { point, x, y } in marks {
        let (x, y) = (*x, y.at(point.share));
        let places = [
            ((x + 8.0, y + 3.5), Anchor::Start),
            ((x - 8.0, y + 3.5), Anchor::End),
            ((x, y - 8.0), Anchor::Middle),
            ((x, y + 16.0), Anchor::Middle),
            ((x + 8.0, y - 8.0), Anchor::Start),
            ((x - 8.0, y - 8.0), Anchor::End),
            ((x + 8.0, y + 16.0), Anchor::Start),
            ((x - 8.0, y + 16.0), Anchor::End),
        ];
        labels.put(page, &point.name, LABEL, &places);
    }
}

/// A logarithmic scale, of which the lowest power of ten is 0.
struct Scale {
    /// Exponents of ten at the two ends.
    powers: (i32, i32),
}

impl Scale {
    /// Whole powers of ten around some numbers above 0.
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let exponent = |value: f64| value.clamp(1e-12, 1e18).log10();
        let low = values.clone().map(exponent).fold(f64::INFINITY, f64::min);
        let high = values.map(exponent).fold(f64::NEG_INFINITY, f64::max);
        let low = (low - 0.05).floor() as i32;
        Scale { powers: (low, ((high + 0.05).ceil() as i32).max(low + 1)) }
    }

    fn at(&self, value: f64) -> f64 {
        value.clamp(1e-12, 1e18).log10() - f64::from(self.powers.0)
    }

    fn end(&self) -> f64 {
        f64::from(self.powers.1 - self.powers.0)
    }

    /// Powers of ten; within a single one or two, 2 and 5 times them as well.
    fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = self.powers;
        let between: &[f64] = if high - low <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let of = |power: i32| between.iter().map(move |factor| (factor, power));
        let all = (low..high).flat_map(of).map(|(factor, power)| (*factor, power)).chain([(1.0, high)]);
        all.map(|(factor, power)| {
            let value = factor * 10_f64.powi(power);
            (self.at(value), label(value, power))
        })
        .collect()
    }
}

fn label(value: f64, power: i32) -> String {
    match power {
        ..0 => format!("{value:.*}", power.unsigned_abs() as usize),
        _ => super::axis::label(value.round()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Ending;
    use crate::report::ink::{assert_whole_and_apart, texts};
    use crate::report::sample;

    #[test]
    fn a_scale_holds_its_values() {
        let ticks = |values: &[f64]| -> Vec<String> {
            Scale::of(values.iter().copied()).ticks().into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(ticks(&[1200.0, 4000.0]), ["1000", "2000", "5000", "10k"]);
        assert_eq!(ticks(&[0.012, 3.0]), ["0.01", "0.1", "1", "10"]);
        assert_eq!(ticks(&[0.0]).len(), 7);
    }

    #[test]
    fn models_alone_are_drawn() {
        let mut analyses = sample::batch();
        for (index, name) in ["a-model-with-a-long-name", "b", "c"].into_iter().enumerate() {
            for repeat in 0..3 {
                let hp = 20 * index as i64 + i64::from(repeat);
                let played = sample::episode(name, "single_floor", "complex").repeat(repeat);
                analyses.push(played.used(40_000 << (2 * index), 900, Some(0.02)).ended(Ending::Won, hp).done());
            }
        }
        let (_, svg) = spending(&batch::floors(&analyses)).unwrap();
        let texts: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
        insta::assert_snapshot!(texts.join(" | "), @"Result against what it took | Share of the optimum: final HP over the floor's optimum, a lost episode counting as 0, averaged over episodes. The horizontal axes are logarithmic. | a configuration, averaged over its finished episodes | 95 % interval (bootstrap) | share of the optimum | tokens of an episode, sent and answered | 100 | 1000 | 10k | 100k | 1M | 0 % | 20 % | 40 % | 60 % | 80 % | 100 % | smollm2 / single_floor | a-model-with-a-long-name / single_floor | b / single_floor | c / single_floor | US dollars of an episode | 0.01 | 0.02 | 0.05 | 0.1 | 0.2 | 0.5 | 1 | smollm2 / single_floor | a-model-with-a-long-name / single_floor | b / single_floor | c / single_floor");
        assert_whole_and_apart(&svg, "spending");
    }

    #[test]
    fn no_model_gives_no_figure() {
        assert_eq!(spending(&[]), None);
        let won = sample::episode("a", "none", "f").values(&[68]).ended(Ending::Won, 68).done();
        assert_eq!(spending(&batch::floors(&[won])), None);
    }
}
