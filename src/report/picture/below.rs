//! What stands below the map: captions, the key of stairs and ladders, legend, note, each only if there is one. Knows nothing of the map.

use super::Picture;
use super::glyph::Glyphs;
use super::key::Key;
use super::legend::Legend;
use super::mark::Captions;
use super::way::Ways;
use crate::report::style::{LINE, SUBTITLE};
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// Above each part.
const GAP: f64 = 12.0;

/// The parts, laid out.
pub struct Below {
    captions: Captions,
    key: Key,
    legend: Option<Legend>,
    note: Vec<String>,
}

impl Below {
    /// Lays them out within `room` pixels.
    pub fn of(picture: &Picture<'_>, ways: &Ways, room: f64) -> Self {
        let Picture { game, state, marks, legend, .. } = *picture;
        let note = game.tower().note.as_ref().map(|note| format!("Note: {}.", note.trim().trim_end_matches('.')));
        Below {
            captions: Captions::of(game, state, marks, room),
            key: Key::of(game, ways, ways.are_joined(picture.floor), room),
            legend: legend.then(|| Legend::of(game, state, picture.cells(), room)),
            note: note.map(|note| text::wrap(&note, SUBTITLE, room)).unwrap_or_default(),
        }
    }

    /// Pixels down.
    pub fn height(&self) -> f64 {
        self.heights().iter().map(|part| with_gap(*part)).sum()
    }

    /// Draws them below a point.
    pub fn draw(&self, (x, y): (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        let [captions, key, legend, _] = self.heights();
        self.captions.draw((x, y + GAP), page);
        let y = y + with_gap(captions);
        self.key.draw((x, y + GAP), page);
        let y = y + with_gap(key);
        if let Some(legend) = &self.legend {
            legend.draw((x, y + GAP), glyphs, page);
        }
        let y = y + with_gap(legend);
        for (line, number) in self.note.iter().zip(1..) {
            page.text((x, y + GAP - 4.0 + f64::from(number) * LINE), Anchor::Start, SUBTITLE, line);
        }
    }

    fn heights(&self) -> [f64; 4] {
        let legend = self.legend.as_ref().map_or(0.0, Legend::height);
        [self.captions.height(), self.key.height(), legend, LINE * self.note.len() as f64]
    }
}

/// Height of a part with the gap above it; 0 if the part is not there.
fn with_gap(part: f64) -> f64 {
    if part > 0.0 { GAP + part } else { 0.0 }
}
