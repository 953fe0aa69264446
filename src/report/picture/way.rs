//! Stairs and ladders as ways between floors: the letter that both ends of a pair bear, and the lines that join them. Knows
//! nothing of where a tile lies on the page until it is told.

use std::collections::BTreeMap;

use super::badge;
use super::glyph::TILE;
use super::palette::{BLUE, GREEN, PAPER, RED};
use crate::game::{Game, LadderKind, Position};
use crate::report::svg::{Page, Stroke};

/// With more pairs than this on a picture none is joined by a line: nobody could follow them.
const MOST_JOINED: usize = 12;
/// How far apart lines are in the middle, in pixels, whose ends lie in one line.
const APART: f64 = 52.0;
/// Lines nearer to each other than this, in pixels, are taken to lie in one line.
const NEAR: f64 = 1.5 * TILE;

/// What joins two tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A staircase.
    Stairs,
    /// A ladder of some use.
    Ladder(LadderKind),
}

/// A pair of stairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What both ends bear.
    pub label: String,
    /// What it is.
    pub kind: Kind,
    /// Its ends, that on the floor that comes first before the other.
    pub ends: [Position; 2],
}

/// The pairs of stairs of which an end is shown.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// In the order of the tower.
    pub all: Vec<Way>,
    labels: BTreeMap<Position, String>,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Stairs => "stairs",
            Kind::Ladder(LadderKind::SecondWay) => "ladder",
            Kind::Ladder(LadderKind::QuickExit) => "quick exit",
        }
    }

    /// Its line: solid for stairs, dashed for ladders, dotted for the quick exit.
    pub fn stroke(self) -> Stroke {
        let (colour, dash) = match self {
            Kind::Stairs => (BLUE, None),
            Kind::Ladder(LadderKind::SecondWay) => (GREEN, Some((9.0, 5.0))),
            Kind::Ladder(LadderKind::QuickExit) => (RED, Some((2.5, 3.5))),
        };
        Stroke { colour, width: 2.5, opacity: 0.85, dash }
    }
}

impl Ways {
    /// Those with an end on a floor, or all. A letter belongs to the pair, whichever floors are shown.
    pub fn of(game: &Game, floor: Option<u16>) -> Self {
        let tower = game.tower();
        let mut ways = Ways::default();
        for (index, (one, other)) in tower.stairs.iter().enumerate() {
            let ends = [*one.min(other), *one.max(other)];
            if floor.is_some_and(|floor| ends.iter().all(|end| end.floor != floor)) {
                continue;
            }
            let kind = tower.blueprint.ladder(*one, *other).map_or(Kind::Stairs, Kind::Ladder);
            let label = letters(index);
            for end in ends {
                let of_end = ways.labels.entry(end).or_default();
                if !of_end.is_empty() {
                    of_end.push(',');
                }
                *of_end += &label;
            }
            ways.all.push(Way { label, kind, ends });
        }
        ways
    }

    /// What a tile bears: the letters of its pairs.
    pub fn label(&self, at: Position) -> Option<&str> {
        self.labels.get(&at).map(String::as_str)
    }

    /// Whether lines join the ends: there are some, but few, and all floors are shown.
    pub fn are_joined(&self, floor: Option<u16>) -> bool {
        floor.is_none() && (1..=MOST_JOINED).contains(&self.all.len())
    }

    /// Joins the ends of all, each end given by the top left of its tile.
    pub fn join(&self, corner: impl Fn(Position) -> Option<(f64, f64)>, page: &mut Page) {
        let middle = |end| corner(end).map(|(x, y)| (x + TILE / 2.0, y + TILE / 2.0));
        let mut between: BTreeMap<[u16; 2], Vec<Line>> = BTreeMap::new();
        for way in &self.all {
            if let [Some(from), Some(to)] = way.ends.map(middle) {
                between.entry(way.ends.map(|end| end.floor)).or_default().push(Line { from, to, kind: way.kind });
            }
        }
        for lines in between.values_mut() {
            // Whichever lies farther to the side swings out farther: lines do not cross without need.
            lines.sort_by(|one, other| one.beside().total_cmp(&other.beside()));
            for near in lines.chunk_by(|one, other| other.beside() - one.beside() < NEAR) {
                for (line, index) in near.iter().zip(0..) {
                    line.draw(swing(index, near.len()), page);
                }
            }
        }
    }
}

/// A line between two points.
struct Line {
    from: (f64, f64),
    to: (f64, f64),
    kind: Kind,
}

impl Line {
    /// A step to the right of its course; nowhere if it has none.
    fn right(&self) -> (f64, f64) {
        let (across, down) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = across.hypot(down).max(1.0);
        (-down / length, across / length)
    }

    /// How far to the right of its course it lies.
    fn beside(&self) -> f64 {
        let (right, below) = self.right();
        self.from.0 * right + self.from.1 * below
    }

    /// Draws it, swung out to the right, with a pale rim, so that it is seen on walls, too.
    fn draw(&self, swing: f64, page: &mut Page) {
        let (from, to, stroke) = (self.from, self.to, self.kind.stroke());
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        // A curve reaches three quarters of the way to its two handles.
        let (right, below) = self.right();
        let (right, below) = (right * swing / 0.75, below * swing / 0.75);
        let handle = |share: f64| (from.0 + share * across + right, from.1 + share * down + below);
        let curve = [from, handle(0.25), handle(0.75), to];
        page.curve(curve, Stroke { colour: PAPER, width: stroke.width + 2.5, opacity: 0.6, dash: None });
        page.curve(curve, stroke);
    }
}

/// Draws a pair's letter in the corner of its tile.
pub fn draw_label(label: &str, at: (f64, f64), page: &mut Page) {
    let glyph = badge::letter(label);
    page.define(&glyph.name, &glyph.shape);
    page.place(&glyph.name, at, 1.0);
}

/// How far one of several lines swings out to the right of its course: none is straight, for a straight one would run through
/// the ends of others over its column.
fn swing(index: usize, lines: usize) -> f64 {
    (index as f64 - (lines / 2) as f64 + 0.5) * APART
}

/// A to Z, then AA to ZZ, and so on.
fn letters(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    match index / 26 {
        0 => last.to_string(),
        before => letters(before - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_behind_z() {
        assert_eq!(
            [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letters),
            ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
        );
    }

    #[test]
    fn lines_swing_out_to_both_sides_and_none_is_straight() {
        let swings = |lines| (0..lines).map(|index| swing(index, lines)).collect::<Vec<_>>();
        assert_eq!([1, 2, 3].map(swings), [vec![26.0], vec![-26.0, 26.0], vec![-26.0, 26.0, 78.0]]);
    }

    #[test]
    fn kinds_differ_without_colour() {
        let kinds = [Kind::Stairs, Kind::Ladder(LadderKind::SecondWay), Kind::Ladder(LadderKind::QuickExit)];
        let looks = kinds.map(|kind| kind.stroke().dash);
        assert!(looks[0].is_none() && looks[1].is_some() && looks[2].is_some() && looks[1] != looks[2]);
    }
}
