//! The ground of a panel: heading, ticks, grid. Knows nothing of what is drawn on it.

use super::axis::Axis;
use super::layout::Place;
use super::panel::HEADING;
use super::style::{ASIDE, BASE, GRID, GROUND, TICK};
use crate::report::style::PANEL;
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// A tick: where it stands, and what is written at it.
pub type Tick = (f64, String);

/// What all panels of a figure share.
pub struct Ground {
    /// Pixels across and down.
    pub size: (f64, f64),
    /// The value at the right end, if 0 is at the left.
    pub x_end: f64,
    /// The value at the top, if 0 is at the bottom.
    pub y_end: f64,
    /// Ticks of the horizontal axis.
    pub x_ticks: Vec<Tick>,
    /// Ticks of the vertical axis.
    pub y_ticks: Vec<Tick>,
}

/// Where values lie on one panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
}

impl Axes {
    /// Where a point lies.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }
}

impl Ground {
    /// Pixels down, the heading included.
    pub fn outer_height(&self) -> f64 {
        HEADING + self.size.1
    }

    /// What is written at the vertical ticks.
    pub fn y_labels(&self) -> Vec<String> {
        self.y_ticks.iter().map(|(_, label)| label.clone()).collect()
    }

    /// Draws the ground of a panel with its heading, and what stands to the right of that.
    pub fn draw(&self, place: Place, name: &str, aside: &str, page: &mut Page) -> Axes {
        let (left, top) = (place.corner.0, place.corner.1 + HEADING);
        let (width, height) = self.size;
        let axes = Axes {
            x: Axis { end: self.x_end, from: left, to: left + width },
            y: Axis { end: self.y_end, from: top + height, to: top },
        };
        let baseline = place.corner.1 + 13.0;
        let room = width - text::width(aside, ASIDE) - 8.0;
        page.text((left, baseline), Anchor::Start, PANEL, &text::cut(name, PANEL, room));
        page.text((left + width, baseline), Anchor::End, ASIDE, aside);
        page.rect(left, top, width, height, GROUND);
        for (value, label) in &self.x_ticks {
            let x = axes.x.at(*value);
            page.line((x, top), (x, top + height), GRID);
            if place.is_lowest {
                // At an edge it stays within, off the neighbour's.
                let anchor = match *value {
                    value if value >= self.x_end => Anchor::End,
                    value if value <= 0.0 && place.is_alone => Anchor::Start,
                    _ => Anchor::Middle,
                };
                page.text((x, top + height + 14.0), anchor, TICK, label);
            }
        }
        for (value, label) in &self.y_ticks {
            let y = axes.y.at(*value);
            page.line((left, y), (left + width, y), if *value == 0.0 { BASE } else { GRID });
            if place.is_leftmost {
                page.text((left - 6.0, y + 3.5), Anchor::End, TICK, label);
            }
        }
        axes
    }
}
