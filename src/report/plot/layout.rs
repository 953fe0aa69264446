//! How a figure of panels is laid out: heading, remark, legend, panels in a grid, the axes' names. Knows nothing of what
//! the panels show.

use super::legend::{Entry, Legend};
use super::style::TICK;
use crate::report::style::{LINE, SUBTITLE, TITLE};
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// Around everything.
const MARGIN: f64 = 20.0;
/// Between the columns of panels.
const COLUMN_GAP: f64 = 18.0;
/// Between the rows of panels.
const ROW_GAP: f64 = 12.0;
/// Below the last row: ticks and the axis' name.
const FOOT: f64 = 36.0;

/// A grid of panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    columns: usize,
    rows: usize,
    /// Pixels of a panel's ground, across and down.
    pub panel: (f64, f64),
}

impl Grid {
    /// For so many panels.
    pub fn of(panels: usize) -> Self {
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

/// What a figure says besides its panels.
pub struct Layout<'a> {
    /// Its heading.
    pub title: &'a str,
    /// What is drawn, in a sentence or two.
    pub remark: &'a str,
    /// The marks that occur, with their meanings.
    pub legend: Vec<Entry>,
    /// What the horizontal axis measures.
    pub x_name: &'a str,
    /// What the vertical axis measures.
    pub y_name: &'a str,
    /// What stands left of the panels at the vertical ticks.
    pub y_labels: Vec<String>,
    /// How the panels are arranged.
    pub grid: Grid,
    /// Pixels down of a panel, its heading and all that is below its ground included, ticks not.
    pub outer_height: f64,
}

/// Where a panel goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its top left, the heading included.
    pub corner: (f64, f64),
    /// Whether the vertical ticks are written to the left of it.
    pub is_leftmost: bool,
    /// Whether the horizontal ticks are written below it.
    pub is_lowest: bool,
    /// Whether it has a horizontal axis of its own.
    pub is_alone: bool,
}

impl Layout<'_> {
    /// A page with everything but the panels, and the places of so many panels.
    pub fn page(&self, panels: usize) -> (Page, Vec<Place>) {
        let Grid { columns, rows, panel: (across, _) } = self.grid;
        let labels = self.y_labels.iter().map(|label| text::width(label, TICK)).fold(24.0, f64::max);
        let left = MARGIN + 24.0 + labels;
        let width = left + columns as f64 * (across + COLUMN_GAP) - COLUMN_GAP + MARGIN;
        let room = width - 2.0 * MARGIN;
        let remarks = text::wrap(self.remark, SUBTITLE, room);
        let legend = Legend::of(&self.legend, room);
        let top = MARGIN + 16.0 + LINE * (remarks.len() + legend.lines()) as f64 + 14.0;
        let row_height = self.outer_height + ROW_GAP;
        let bottom = top + rows as f64 * row_height - ROW_GAP;

        let mut page = Page::new(width, bottom + FOOT, self.title);
        page.text((MARGIN, MARGIN + 12.0), Anchor::Start, TITLE, &text::cut(self.title, TITLE, room));
        let mut baseline = MARGIN + 14.0;
        for line in &remarks {
            baseline += LINE;
            page.text((MARGIN, baseline), Anchor::Start, SUBTITLE, line);
        }
        legend.draw((MARGIN, baseline + LINE + 2.0), &mut page);
        page.upward_text((MARGIN + 8.0, (top + bottom) / 2.0), SUBTITLE, self.y_name);
        let middle = (left + width - MARGIN) / 2.0;
        page.text((middle, bottom + FOOT - 8.0), Anchor::Middle, SUBTITLE, self.x_name);
        let place = |index: usize| Place {
            corner: (
                left + (index % columns) as f64 * (across + COLUMN_GAP),
                top + (index / columns) as f64 * row_height,
            ),
            is_leftmost: index.is_multiple_of(columns),
            is_lowest: index + columns >= panels,
            is_alone: false,
        };
        (page, (0..panels).map(place).collect())
    }
}
