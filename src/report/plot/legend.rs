//! The legend of a figure: the marks that occur in it, each with its meaning, in as many lines as they need.

use super::curve::{Curve, End};
use super::panel::MARK;
use super::style::{LOST, OPEN, OPTIMUM, WON};
use crate::report::batch::Floor;
use crate::report::style::{LINE, SUBTITLE};
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// From a mark to its meaning, in pixels.
const GAP: f64 = 6.0;
/// From a meaning to the next mark.
const SPACE: f64 = 16.0;

/// A legend, laid out.
pub struct Legend {
    /// Line, left end and meaning of every mark.
    entries: Vec<(usize, f64, Mark, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Dot,
    Cross,
    Square,
    Dashes,
}

impl Mark {
    fn width(self) -> f64 {
        if self == Mark::Dashes { 24.0 } else { 8.0 }
    }

    fn draw(self, (x, y): (f64, f64), page: &mut Page) {
        let centre = (x + self.width() / 2.0, y);
        match self {
            Mark::Dot => page.dot(centre, MARK + 0.5, WON),
            Mark::Cross => page.cross(centre, MARK, LOST, 1.0),
            Mark::Square => page.square(centre, MARK, OPEN),
            Mark::Dashes => page.line((x, y), (x + self.width(), y), OPTIMUM),
        }
    }
}

impl Legend {
    /// Lays it out within `room` pixels.
    pub fn of(floor: &Floor<'_>, curves: &[Vec<Curve>], room: f64) -> Self {
        let occurs = |is: fn(End) -> bool| curves.iter().flatten().any(|curve| is(curve.end));
        let won = occurs(|end| end == End::Won).then_some((Mark::Dot, "boss defeated, with final HP".into()));
        let lost = occurs(|end| matches!(end, End::Lost { .. }));
        let lost = lost.then_some((Mark::Cross, "losing decision: the boss can no longer be defeated".into()));
        let open = occurs(|end| end == End::Open);
        let open = open.then_some((Mark::Square, "turn limit, aborted or unfinished".into()));
        let optimum = floor.optimum.map(|optimum| (Mark::Dashes, format!("optimum {optimum}")));

        let (mut line, mut x, mut entries) = (0, 0.0, Vec::new());
        for (mark, meaning) in [won, lost, open, optimum].into_iter().flatten() {
            let width = mark.width() + GAP + text::width(&meaning, SUBTITLE);
            if x > 0.0 && x + width > room {
                (line, x) = (line + 1, 0.0);
            }
            entries.push((line, x, mark, meaning));
            x += width + SPACE;
        }
        Legend { entries }
    }

    /// Lines that it takes.
    pub fn lines(&self) -> usize {
        self.entries.last().map_or(0, |(line, ..)| line + 1)
    }

    /// Draws it with the baseline of its first line at a point.
    pub fn draw(&self, (left, baseline): (f64, f64), page: &mut Page) {
        for (line, x, mark, meaning) in &self.entries {
            let (x, y) = (left + x, baseline + *line as f64 * LINE);
            mark.draw((x, y - 4.0), page);
            page.text((x + mark.width() + GAP, y), Anchor::Start, SUBTITLE, meaning);
        }
    }
}
