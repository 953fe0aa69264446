//! The legend of a figure: the marks that occur in it, each with its meaning, in as many lines as they need.

use super::panel::MARK;
use super::style::{BAND, LOST, OPEN, OPTIMUM, WON};
use crate::report::style::{LINE, SUBTITLE};
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// From a mark to its meaning, in pixels.
const GAP: f64 = 6.0;
/// From a meaning to the next mark.
const SPACE: f64 = 16.0;

/// A mark with its meaning.
pub type Entry = (Mark, String);

/// A legend, laid out.
pub struct Legend<'a> {
    /// Line and left end of every mark.
    entries: Vec<(usize, f64, &'a Entry)>,
}

/// A mark of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// An episode that was won.
    Dot,
    /// A losing decision, or an episode that was lost.
    Cross,
    /// An episode that ended otherwise.
    Square,
    /// The optimum.
    Dashes,
    /// A bar of losing decisions.
    Lost,
    /// A bar of other decisions.
    Bar,
    /// An interval.
    Band,
}

impl Mark {
    fn width(self) -> f64 {
        match self {
            Mark::Dashes | Mark::Band => 24.0,
            Mark::Lost | Mark::Bar => 11.0,
            Mark::Dot | Mark::Cross | Mark::Square => 8.0,
        }
    }

    fn draw(self, (x, y): (f64, f64), page: &mut Page) {
        let centre = (x + self.width() / 2.0, y);
        match self {
            Mark::Dot => page.dot(centre, MARK + 0.5, WON),
            Mark::Cross => page.cross(centre, MARK, LOST, 1.0),
            Mark::Square => page.square(centre, MARK, OPEN),
            Mark::Dashes => page.line((x, y), (x + self.width(), y), OPTIMUM),
            Mark::Lost => page.rect(x, y - 5.0, self.width(), 10.0, LOST),
            Mark::Bar => page.rect(x, y - 5.0, self.width(), 10.0, OPEN),
            Mark::Band => page.line((x, y), (x + self.width(), y), BAND),
        }
    }
}

impl<'a> Legend<'a> {
    /// Lays it out within `room` pixels.
    pub fn of(entries: &'a [Entry], room: f64) -> Self {
        let (mut line, mut x, mut laid_out) = (0, 0.0, Vec::new());
        for entry in entries {
            let width = entry.0.width() + GAP + text::width(&entry.1, SUBTITLE);
            if x > 0.0 && x + width > room {
                (line, x) = (line + 1, 0.0);
            }
            laid_out.push((line, x, entry));
            x += width + SPACE;
        }
        Legend { entries: laid_out }
    }

    /// Lines that it takes.
    pub fn lines(&self) -> usize {
        self.entries.last().map_or(0, |(line, ..)| line + 1)
    }

    /// Draws it with the baseline of its first line at a point.
    pub fn draw(&self, (left, baseline): (f64, f64), page: &mut Page) {
        for (line, x, (mark, meaning)) in &self.entries {
            let (x, y) = (left + x, baseline + *line as f64 * LINE);
            mark.draw((x, y - 4.0), page);
            page.text((x + mark.width() + GAP, y), Anchor::Start, SUBTITLE, meaning);
        }
    }
}
