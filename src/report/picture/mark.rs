//! Marks that people set on tiles: rings with numbers, and captions. Knows where a tile lies once it is told.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::badge;
use super::glyph::TILE;
use super::palette::{MARK, PAPER};
use crate::game::position::NotAPosition;
use crate::game::{Game, Position, State, Tile};
use crate::report::style::{LINE, SUBTITLE};
use crate::report::svg::{Anchor, Font, Page, Stroke};
use crate::report::text;

/// A mark on a tile. Marks are numbered from 1 in the order in which a picture is given them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub at: Position,
    /// What its caption says besides what stands there.
    pub text: Option<String>,
}

/// Reads `X,Y` and `X,Y=TEXT`, with a floor before it or not.
impl FromStr for Mark {
    type Err = NotAPosition;

    fn from_str(written: &str) -> Result<Self, NotAPosition> {
        let (at, text) = written.split_once('=').unwrap_or((written, ""));
        let text = text.trim();
        Ok(Mark { at: at.parse()?, text: (!text.is_empty()).then(|| text.to_owned()) })
    }
}

/// What stands on a tile now, in words; the hero only where nothing else does.
pub fn what_stands(game: &Game, state: &State, at: Position) -> String {
    let tile = game.graph().cell(at).map(|cell| game.tile_now(state, cell));
    match tile {
        Some(Tile::Floor) if at == state.at => "hero".into(),
        Some(_) => game.graph().cell(at).map(|cell| game.describe_at(state, cell)).unwrap_or_default(),
        None => String::new(),
    }
}

/// A mark in words, without its number: `yellow door (8,7): opened early`.
pub fn words(game: &Game, state: &State, mark: &Mark) -> String {
    let what = format!("{} {}", what_stands(game, state, mark.at), mark.at);
    match &mark.text {
        Some(text) => format!("{what}: {text}"),
        None => what,
    }
}

/// The numbers of the marks on each marked tile.
pub fn numbers(marks: &[Mark]) -> BTreeMap<Position, Vec<usize>> {
    let mut numbers: BTreeMap<Position, Vec<usize>> = BTreeMap::new();
    for (mark, number) in marks.iter().zip(1..) {
        numbers.entry(mark.at).or_default().push(number);
    }
    numbers
}

/// The ring around a marked tile: within it, so that rings of neighbours do not touch.
pub fn draw_ring((x, y): (f64, f64), page: &mut Page) {
    let ring = |inset: f64, stroke, page: &mut Page| {
        let side = TILE - 2.0 * inset;
        page.frame((x + inset, y + inset), (side, side), 5.0, stroke);
    };
    ring(0.8, Stroke::solid(PAPER, 4.4), page);
    ring(0.8, Stroke::solid(MARK, 2.8), page);
}

/// The numbers of the marks on a tile, in the corners that a symbol of some width leaves free.
pub fn draw_numbers(numbers: &[usize], symbol_width: f64, (x, y): (f64, f64), page: &mut Page) {
    let mut shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let corners = corners(&shown, symbol_width);
    let more = shown.len().saturating_sub(corners.len());
    shown.truncate(corners.len());
    if let (Some(last), 1..) = (shown.last_mut(), more) {
        *last = match (corners.len(), more) {
            (1, _) => format!("{last}…"),
            (_, ..9) => format!("+{}", more + 1),
            _ => "…".into(),
        };
    }
    for (number, (left, top, anchor)) in shown.iter().zip(corners) {
        badge::draw_number(number, (x + left, y + top), *anchor, page);
    }
}

type Corner = (f64, f64, Anchor);

/// How far a number reaches beyond its tile.
const BEYOND: f64 = 1.0;
const TOP_LEFT: Corner = (-BEYOND, -BEYOND, Anchor::Start);
const TOP_RIGHT: Corner = (TILE + BEYOND, -BEYOND, Anchor::End);
const BOTTOM_LEFT: Corner = (-BEYOND, TILE + BEYOND - badge::HEIGHT, Anchor::Start);
const TOP: Corner = (TILE / 2.0, -BEYOND, Anchor::Middle);

/// The corners that numbers so long can have without touching each other.
fn corners(numbers: &[String], symbol_width: f64) -> &'static [Corner] {
    match numbers.iter().map(String::len).max() {
        Some(0..=1) if symbol_width < 0.6 * TILE => &[TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT],
        Some(0..=2) => &[TOP_LEFT, TOP_RIGHT],
        _ => &[TOP],
    }
}

const NUMBER: Font = Font { size: 12.0, bold: true, fill: MARK, halo: false };

/// The captions of all marks, laid out.
pub struct Captions {
    /// Each with its number, in lines.
    entries: Vec<(String, Vec<String>)>,
    /// From a number to its words.
    indent: f64,
}

impl Captions {
    /// Lays them out within `room` pixels.
    pub fn of(game: &Game, state: &State, marks: &[Mark], room: f64) -> Self {
        let indent = text::width(&format!("({})", marks.len()), NUMBER) + 5.0;
        let lines = |mark| text::wrap(&words(game, state, mark), SUBTITLE, room - indent);
        let entries = marks.iter().zip(1..).map(|(mark, number)| (format!("({number})"), lines(mark))).collect();
        Captions { entries, indent }
    }

    /// Pixels down.
    pub fn height(&self) -> f64 {
        LINE * self.entries.iter().map(|(_, lines)| lines.len()).sum::<usize>() as f64
    }

    /// Draws them below a point.
    pub fn draw(&self, (x, y): (f64, f64), page: &mut Page) {
        let mut baseline = y - 4.0;
        for (number, lines) in &self.entries {
            page.text((x, baseline + LINE), Anchor::Start, NUMBER, number);
            for line in lines {
                baseline += LINE;
                page.text((x + self.indent, baseline), Anchor::Start, SUBTITLE, line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_with_or_without_text() {
        let mark = |floor, x, y, text: Option<&str>| {
            Ok(Mark { at: Position::new(floor, x, y), text: text.map(str::to_owned) })
        };
        assert_eq!("8,7".parse(), mark(0, 8, 7, None));
        assert_eq!("(8,7)= ".parse(), mark(0, 8, 7, None));
        assert_eq!("1:8,7=a = b, c".parse(), mark(1, 8, 7, Some("a = b, c")));
        let told = "8=7,9".parse::<Mark>().unwrap_err().to_string();
        insta::assert_snapshot!(told, @"`8` is not a position: write x,y (such as 8,7) or floor:x,y (such as 1:8,7), each counted from 0");
    }

    fn shown(numbers: &[usize], symbol_width: f64) -> Vec<String> {
        let mut page = Page::new(100.0, 100.0, "");
        draw_numbers(numbers, symbol_width, (40.0, 40.0), &mut page);
        let svg = page.finish();
        svg.lines().filter_map(|line| Some(line.strip_suffix("</text>")?.rsplit_once('>')?.1.to_owned())).collect()
    }

    #[test]
    fn marks_on_one_tile_share_its_corners() {
        let all: Vec<usize> = (1..=9).collect();
        for (numbers, symbol_width, expected) in [
            ([1_usize].as_slice(), 0.0, ["1"].as_slice()),
            (&[1, 3, 9], 13.0, &["1", "3", "9"]),
            (&[1, 3, 9], 30.0, &["1", "+2"]),
            (&[1, 3, 5, 7, 9], 0.0, &["1", "3", "+3"]),
            (&all, 0.0, &["1", "2", "+7"]),
            (&[9, 10], 0.0, &["9", "10"]),
            (&[9, 10, 11], 0.0, &["9", "+2"]),
            (&(10..30).collect::<Vec<_>>(), 0.0, &["10", "…"]),
            (&[100], 0.0, &["100"]),
            (&[1, 100], 0.0, &["1…"]),
        ] {
            assert_eq!(shown(numbers, symbol_width), expected);
        }
    }
}
