//! One panel of Figure 6.2: the curves of one configuration. Knows where it lies on the page; the figure decides that.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::axis::{Axis, label};
use super::curve::{Curve, End, Span};
use super::label::Labels;
use super::style::{ASIDE, BASE, GRID, GROUND, LABEL, LOST, OPEN, OPTIMUM, TICK, WON};
use crate::game::Position;
use crate::report::style::PANEL;
use crate::report::svg::{Anchor, Page, Stroke};
use crate::report::text;

/// Height of a panel's heading.
pub const HEADING: f64 = 20.0;
/// Height of the rail of losing decisions with their labels below, the gap above it included.
pub const RAIL: f64 = 34.0;
/// Ends of curves that get a label, of either kind.
const MOST_LABELS: usize = 4;
/// Turns with losing decisions beyond which none is labelled: the table of losing decisions has them.
const MOST_LOSING_TURNS: usize = 8;
/// Half the size of a mark.
pub const MARK: f64 = 3.5;

/// How strongly a band is drawn beside a line.
const VEIL: f64 = 0.3;
/// Pixels across that a band has at least: what is known of the last state has no time.
const LEAST_BAND: f64 = 3.0;

/// What all panels of a figure share.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Pixels across.
    pub width: f64,
    /// Pixels from the highest value to 0.
    pub height: f64,
    /// Whether there is a rail of losing decisions.
    pub rail: bool,
    /// Turns at the right end.
    pub turns: f64,
    /// HP at the top.
    pub hp: f64,
    /// Turns with a tick.
    pub turn_ticks: Vec<f64>,
    /// HP with a tick.
    pub hp_ticks: Vec<f64>,
    /// Where the dashed line is.
    pub optimum: Option<i64>,
}

impl Shared {
    /// Pixels down, heading and rail included, ticks not.
    pub fn outer_height(&self) -> f64 {
        HEADING + self.height + if self.rail { RAIL } else { 0.0 }
    }
}

/// What is a panel's own.
pub struct Panel<'a> {
    /// Its heading.
    pub name: &'a str,
    /// What stands to the right of the heading.
    pub aside: &'a str,
    /// What it shows.
    pub curves: &'a [Curve],
    /// What it says if that is nothing.
    pub empty: &'a str,
    /// Top left, the heading included.
    pub corner: (f64, f64),
    /// Whether HP are written to the left of it.
    pub hp_labels: bool,
    /// Whether turns are written below it.
    pub turn_labels: bool,
}

impl Panel<'_> {
    /// Draws it.
    pub fn draw(&self, shared: &Shared, page: &mut Page) {
        let (left, top) = (self.corner.0, self.corner.1 + HEADING);
        let right = left + shared.width;
        let bottom = top + shared.height;
        let ground = Ground {
            x: Axis { end: shared.turns, from: left, to: right },
            y: Axis { end: shared.hp, from: bottom, to: top },
            rail: shared.rail.then_some(bottom + 11.0),
        };
        self.heading(shared, page);
        self.grid(shared, &ground, page);
        let (opacity, width) = self.weight();
        for curve in self.curves {
            ground.curve(curve, opacity, width, page);
        }
        ground.marks(&Ends::of(self.curves), page);
        if self.curves.is_empty() {
            let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
            page.text(middle, Anchor::Middle, ASIDE, self.empty);
        }
    }

    fn heading(&self, shared: &Shared, page: &mut Page) {
        let (x, y) = (self.corner.0, self.corner.1 + 13.0);
        let room = shared.width - text::width(self.aside, ASIDE) - 8.0;
        page.text((x, y), Anchor::Start, PANEL, &text::cut(self.name, PANEL, room));
        page.text((x + shared.width, y), Anchor::End, ASIDE, self.aside);
    }

    fn grid(&self, shared: &Shared, ground: &Ground, page: &mut Page) {
        let Ground { x, y, rail } = ground;
        page.rect(x.from, y.to, shared.width, shared.height, GROUND);
        let low = rail.map_or(y.from, |rail| rail + 7.0);
        if let Some(rail) = rail {
            page.rect(x.from, rail - 7.0, shared.width, 14.0, GROUND);
        }
        for &tick in &shared.turn_ticks {
            page.line((x.at(tick), y.to), (x.at(tick), low), GRID);
            if self.turn_labels {
                let below = y.from + if shared.rail { RAIL } else { 4.0 };
                page.text((x.at(tick), below + 10.0), Anchor::Middle, TICK, &label(tick));
            }
        }
        for &tick in &shared.hp_ticks {
            page.line((x.from, y.at(tick)), (x.to, y.at(tick)), if tick == 0.0 { BASE } else { GRID });
            if self.hp_labels {
                page.text((x.from - 6.0, y.at(tick) + 3.5), Anchor::End, TICK, &label(tick));
            }
        }
        if let (Some(rail), true) = (rail, self.hp_labels) {
            page.text((x.from - 6.0, rail + 3.5), Anchor::End, TICK, "lost");
        }
        if let Some(optimum) = shared.optimum {
            page.line((x.from, y.at(optimum as f64)), (x.to, y.at(optimum as f64)), OPTIMUM);
        }
    }

    /// Opacity and width of a curve: the more there are, the fainter.
    fn weight(&self) -> (f64, f64) {
        let count = self.curves.len() as f64;
        let width = if count <= 12.0 {
            1.75
        } else if count <= 100.0 {
            1.25
        } else {
            0.75
        };
        ((2.0 / count.sqrt()).clamp(0.06, 0.9), width)
    }
}

/// Where turns and HP lie on the page.
struct Ground {
    x: Axis,
    y: Axis,
    /// Middle of the rail of losing decisions.
    rail: Option<f64>,
}

impl Ground {
    fn at(&self, turn: u32, hp: i64) -> (f64, f64) {
        (self.x.at(f64::from(turn)), self.y.at(hp as f64))
    }

    /// Steps: the value after a decision holds until the next. A lost curve falls to the rail.
    /// A value that is not known is a band.
    fn curve(&self, curve: &Curve, opacity: f64, width: f64, page: &mut Page) {
        let shift = shift(curve.end);
        let colour = colour(curve.end);
        let mut lines = vec![Vec::with_capacity(2 * curve.values.len())];
        let mut band = None;
        for (turn, &value) in (0..).zip(&curve.values) {
            let Some(points) = lines.last_mut() else { break };
            if let Some(&(_, y)) = points.last() {
                points.push((self.x.at(f64::from(turn)), y));
            }
            if value.is_known() {
                let (x, y) = self.at(turn, value.low);
                points.push((x, y + shift));
                continue;
            }
            // One band for all the turns with the same bounds: side by side their edges would show.
            let from = *band.get_or_insert(turn);
            if curve.values.get(turn as usize + 1) != Some(&value) {
                self.band(from..turn + 1, value, curve, (colour, opacity), page);
                band = None;
            }
            if !points.is_empty() {
                lines.push(Vec::new());
            }
        }
        // As many translucent lines on top of each other as there are episodes.
        let opacity = (1.0 - (1.0 - opacity).powf(curve.count as f64)).min(0.95);
        let stroke = Stroke { colour, width, opacity, dash: None };
        let end = (self.x.at(f64::from(curve.turn())), self.y.at(curve.last() as f64) + shift);
        if let (End::Lost { .. }, Some(rail)) = (curve.end, self.rail) {
            if let Some(points) = lines.last_mut().filter(|_| curve.values.last().is_some_and(|last| last.is_known())) {
                points.push(end);
            }
            let fall = Stroke { width: width.min(1.0), dash: Some((1.5, 2.5)), ..stroke };
            page.line(end, (end.0, rail), fall);
        }
        if let (End::Between { first, last }, Some(rail)) = (curve.end, self.rail) {
            let [from, to] = [first, last].map(|turn| self.x.at(f64::from(turn)));
            page.line((from, rail), (to, rail), Stroke { width: 5.0, ..stroke });
        }
        for points in lines.iter().filter(|points| !points.is_empty()) {
            page.polyline(points, stroke);
        }
    }

    /// What the value lies between from one turn to another.
    fn band(&self, turns: Range<u32>, value: Span, curve: &Curve, (colour, opacity): (&str, f64), page: &mut Page) {
        let (left, bottom) = self.at(turns.start, value.low);
        let right = self.x.at(f64::from(turns.end).min(f64::from(curve.turn()))).max(left + LEAST_BAND);
        let top = self.y.at(value.high as f64).max(self.y.to);
        page.veil((left, top), (right - left, (bottom - top).max(1.0)), colour, VEIL * opacity);
    }

    fn marks(&self, ends: &Ends, page: &mut Page) {
        let mark = match ends.won.len() + ends.open.len() {
            0..=12 => MARK,
            13..=40 => 0.7 * MARK,
            _ => 0.5 * MARK,
        };
        let mut labels = Labels::within((self.x.from, self.y.to), (self.x.to, self.y.from));
        for (turn, hp) in ends.open.keys() {
            page.square(self.at(*turn, *hp), mark, OPEN);
            labels.avoid(self.at(*turn, *hp), mark);
        }
        for (turn, hp) in ends.won.keys() {
            page.dot(self.at(*turn, *hp), mark + 0.5, WON);
            labels.avoid(self.at(*turn, *hp), mark);
        }
        for ((turn, hp), text) in ends.labels() {
            let (x, y) = self.at(turn, hp);
            // Above first: beside the dot, the line of the optimum may run through the number.
            let places = [
                ((x + 3.0, y - 7.0), Anchor::End),
                ((x + 7.0, y + 3.5), Anchor::Start),
                ((x + 3.0, y + 14.0), Anchor::End),
                ((x - 7.0, y + 3.5), Anchor::End),
            ];
            labels.put(page, &text, LABEL, &places);
        }
        if let Some(rail) = self.rail {
            self.losing_marks(&ends.lost, rail, page);
        }
    }

    fn losing_marks(&self, lost: &BTreeMap<u32, BTreeMap<Position, usize>>, rail: f64, page: &mut Page) {
        let mut marks: Vec<(f64, usize, String)> = lost
            .iter()
            .map(|(turn, targets)| (self.x.at(f64::from(*turn)), targets.values().sum(), losing_text(targets)))
            .collect();
        let most = marks.iter().map(|(_, count, _)| *count).max().unwrap_or(1) as f64;
        for (x, count, _) in &marks {
            page.cross((*x, rail), MARK, LOST, 0.35 + 0.65 * *count as f64 / most);
        }
        if marks.len() > MOST_LOSING_TURNS {
            return;
        }
        marks.sort_by_key(|(_, count, _)| Reverse(*count));
        let mut labels = Labels::within((self.x.from - 4.0, rail), (self.x.to + 4.0, rail + 24.0));
        for (x, _, text) in marks.iter().take(MOST_LABELS) {
            let (x, y) = (*x, rail + 18.0);
            let places = [((x, y), Anchor::Middle), ((x - 4.0, y), Anchor::Start), ((x + 4.0, y), Anchor::End)];
            labels.put(page, text, LABEL, &places);
        }
    }
}

/// Where the curves of a panel end, and how many episodes end there.
#[derive(Default)]
struct Ends {
    won: BTreeMap<(u32, i64), usize>,
    open: BTreeMap<(u32, i64), usize>,
    lost: BTreeMap<u32, BTreeMap<Position, usize>>,
}

impl Ends {
    fn of(curves: &[Curve]) -> Self {
        let mut ends = Ends::default();
        for curve in curves {
            let at = (curve.turn(), curve.last());
            let count = match curve.end {
                End::Won => ends.won.entry(at).or_default(),
                End::Open => ends.open.entry(at).or_default(),
                End::Lost { turn, target } => ends.lost.entry(turn).or_default().entry(target).or_default(),
                End::Between { .. } => continue,
            };
            *count += curve.count;
        }
        ends
    }

    /// Final HP, and how often where more than once. Of many, only the highest and the lowest.
    fn labels(&self) -> Vec<((u32, i64), String)> {
        let mut won: Vec<((u32, i64), String)> =
            self.won.iter().map(|(at, count)| (*at, format!("{}{}", at.1, times(*count)))).collect();
        if won.len() > MOST_LABELS {
            won.sort_by_key(|((turn, hp), _)| (*hp, *turn));
            let last = won.split_off(won.len() - 1);
            won.truncate(1);
            return [last, won].concat();
        }
        let open = self.open.iter().filter(|(_, count)| **count > 1);
        let open = open.map(|(at, count)| (*at, format!("×{count}"))).take(MOST_LABELS);
        won.into_iter().chain(open).collect()
    }
}

fn colour(end: End) -> &'static str {
    match end {
        End::Won => WON,
        End::Lost { .. } | End::Between { .. } => LOST,
        End::Open => OPEN,
    }
}

/// Pixels by which curves of a kind are moved down, so that none hides one of another kind.
fn shift(end: End) -> f64 {
    match end {
        End::Won => -1.0,
        End::Open => 0.0,
        End::Lost { .. } | End::Between { .. } => 1.0,
    }
}

/// ` ×3`, or nothing for one.
fn times(count: usize) -> String {
    if count > 1 { format!(" ×{count}") } else { String::new() }
}

/// The tiles of the losing decisions of one turn, the most frequent first.
fn losing_text(targets: &BTreeMap<Position, usize>) -> String {
    let mut listed: Vec<(&Position, usize)> = targets.iter().map(|(target, count)| (target, *count)).collect();
    listed.sort_by_key(|(_, count)| Reverse(*count));
    let total: usize = targets.values().sum();
    let names: Vec<String> = listed.iter().take(2).map(|(target, _)| target.to_string()).collect();
    let more = if listed.len() > 2 { " …" } else { "" };
    format!("{}{more}{}", names.join(" "), times(total))
}
