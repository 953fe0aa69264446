//! The key of stairs and ladders: a letter, what bears it, and which places it joins, in columns. Knows nothing of the map.

use super::badge;
use super::glyph::TILE;
use super::way::{Kind, Way, Ways, draw_label};
use crate::game::{Game, Position};
use crate::report::style::SUBTITLE;
use crate::report::svg::{Anchor, Page};
use crate::report::text;

/// Height of an entry.
const LINE: f64 = 18.0;
/// Between columns.
const GAP: f64 = 20.0;
/// Width of a line's sample, with the gap behind it.
const SAMPLE: f64 = 40.0;
/// From a letter to its words.
const BESIDE: f64 = 6.0;

/// A key, laid out.
pub struct Key {
    /// Letter, kind and words of each pair.
    entries: Vec<(String, Kind, String)>,
    column: f64,
    columns: usize,
    indent: f64,
    /// Whether lines are drawn, so that they are explained.
    joined: bool,
}

impl Key {
    /// Lays it out within `room` pixels.
    pub fn of(game: &Game, ways: &Ways, joined: bool, room: f64) -> Self {
        let sample = if joined { SAMPLE } else { 0.0 };
        let letter = ways.all.iter().map(|way| badge::letter_width(&way.label)).fold(0.0, f64::max);
        let indent = sample + letter + BESIDE;
        let all: Vec<String> = ways.all.iter().map(|way| words(game, way)).collect();
        let widest = all.iter().map(|words| text::width(words, SUBTITLE)).fold(0.0, f64::max);
        let column = (indent + widest).min(room);
        let columns = ((room + GAP) / (column + GAP)).floor().max(1.0) as usize;
        let cut = |words: String| text::cut(&words, SUBTITLE, column - indent);
        let entries = ways.all.iter().zip(all).map(|(way, words)| (way.label.clone(), way.kind, cut(words)));
        Key { entries: entries.collect(), column, columns, indent, joined }
    }

    /// Pixels down.
    pub fn height(&self) -> f64 {
        LINE * self.rows() as f64
    }

    /// Draws it with its top left at a point; the entries run down the columns.
    pub fn draw(&self, (left, top): (f64, f64), page: &mut Page) {
        let rows = self.rows().max(1);
        for (index, (label, kind, words)) in self.entries.iter().enumerate() {
            let x = left + (index / rows) as f64 * (self.column + GAP);
            let y = top + (index % rows) as f64 * LINE;
            let middle = y + badge::HEIGHT / 2.0;
            if self.joined {
                page.line((x, middle), (x + SAMPLE - 8.0, middle), kind.stroke());
            }
            // A letter lies at the bottom right of a tile.
            let right = x + self.indent - BESIDE;
            draw_label(label, (right - TILE + 0.5, y + badge::HEIGHT - TILE + 0.5), page);
            page.text((x + self.indent, y + badge::HEIGHT - 2.7), Anchor::Start, SUBTITLE, words);
        }
    }

    fn rows(&self) -> usize {
        self.entries.len().div_ceil(self.columns)
    }
}

/// A pair in words, without its letter: `stairs: Cellar (3,4) – Attic (3,4)`.
pub fn words(game: &Game, way: &Way) -> String {
    let [one, other] = way.ends.map(|end| place(game, end));
    format!("{}: {one} – {other}", way.kind.name())
}

/// A place by its floor's name.
fn place(game: &Game, at: Position) -> String {
    let Position { floor, x, y } = at;
    match game.floor_name(floor) {
        Some(name) => format!("{name} ({x},{y})"),
        None => format!("({x},{y})"),
    }
}
