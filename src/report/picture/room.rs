//! The names of rooms, written on the wall beside them: above the room, or below where there is more wall. Knows where the
//! tiles of a floor lie on the page once it is told.

use std::collections::BTreeSet;
use std::ops::Range;

use super::glyph::TILE;
use super::palette::PAPER;
use crate::game::{Floor, Room, Tile};
use crate::report::svg::{Anchor, Font, Page};
use crate::report::text;

const NAME: Font = Font { size: 11.0, bold: true, fill: PAPER, halo: false };
/// Where the usual size does not fit.
const SMALL: Font = Font { size: 9.5, ..NAME };
/// On the left and on the right of a name.
const BESIDE: f64 = 2.0;
/// From one line to the next.
const LINE: f64 = 13.0;
/// From the edge of a wall that faces the room to the text.
const APART: f64 = 4.5;

/// Fewest characters of a line of a name that is cut.
const LEAST: usize = 5;

/// A name with its place: the tiles of one row, and its lines.
struct Written {
    row: u16,
    columns: Range<u16>,
    name: Lines,
    /// Whether the room lies below it.
    above: bool,
}

/// A name as it is written.
#[derive(Clone, Debug, PartialEq)]
struct Lines {
    lines: Vec<String>,
    font: Font,
    /// Whether nothing is cut.
    whole: bool,
}

/// Writes the names of the rooms of a floor whose map begins at a point. Each lies on tiles of wall of its own, not wider
/// than its room; a name that has no room even when it is cut is left out.
pub fn draw_names<'a>(rooms: impl Iterator<Item = &'a Room>, floor: &Floor, map: (f64, f64), page: &mut Page) {
    let (mut taken, mut rest) = (BTreeSet::new(), Vec::new());
    // First those that stand whole above their rooms: a room's upper wall is its own before it is that of the room above.
    for room in rooms {
        match place(room, floor, true, &taken).filter(|written| written.name.whole) {
            Some(written) => draw(&written, map, &mut taken, page),
            None => rest.push(room),
        }
    }
    for room in rest {
        let places = [true, false].map(|above| place(room, floor, above, &taken));
        let best = |written: &Written| (written.name.whole, written.columns.len(), written.above);
        if let Some(written) = places.into_iter().flatten().max_by_key(best) {
            draw(&written, map, &mut taken, page);
        }
    }
}

fn draw(written: &Written, (left, top): (f64, f64), taken: &mut BTreeSet<(u16, u16)>, page: &mut Page) {
    let Written { row, columns, name, above } = written;
    let middle = f64::from(columns.start + columns.end) / 2.0;
    let wide = name.lines.iter().map(|line| text::width(line, name.font)).fold(0.0, f64::max) / TILE;
    let covers = |x: &u16| f64::from(*x) < middle + wide / 2.0 && f64::from(*x) + 1.0 > middle - wide / 2.0;
    taken.extend(columns.clone().filter(covers).map(|x| (x, *row)));
    let count = name.lines.len();
    for (index, line) in name.lines.iter().enumerate() {
        let from_top = match above {
            true => TILE - APART - (count - 1 - index) as f64 * LINE,
            false => APART + 0.75 * name.font.size + index as f64 * LINE,
        };
        let at = (left + middle * TILE, top + f64::from(*row) * TILE + from_top);
        page.text(at, Anchor::Middle, name.font, line);
    }
}

/// Where a name stands above or below its room; nowhere if there is no wall for it.
fn place(room: &Room, floor: &Floor, above: bool, taken: &BTreeSet<(u16, u16)>) -> Option<Written> {
    let row = if above { room.at.y.checked_sub(1)? } else { room.at.y.checked_add(room.height)? };
    let free = |x: u16| floor.tile(x, row) == Some(Tile::Wall) && !taken.contains(&(x, row));
    let columns = longest(room.at.x..room.at.x.saturating_add(room.width), free);
    let name = lines(&room.name, columns.len() as f64 * TILE - 2.0 * BESIDE)?;
    Some(Written { row, columns, name, above })
}

/// The longest run of columns that fit, the first of equals.
fn longest(columns: Range<u16>, fits: impl Fn(u16) -> bool) -> Range<u16> {
    let mut best = columns.start..columns.start;
    let mut run = best.clone();
    for x in columns {
        run = if !fits(x) { x + 1..x + 1 } else { run.start..x + 1 };
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    best
}

/// A name in two lines at most; none if hardly anything of it has room.
fn lines(name: &str, room: f64) -> Option<Lines> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let longer = |lines: &[String]| lines.iter().map(|line| text::width(line, SMALL)).fold(0.0, f64::max);
    let one = vec![words.join(" ")];
    // Where to break so that the longer line is as short as can be.
    let broken = (1..words.len()).map(|at| vec![words[..at].join(" "), words[at..].join(" ")]);
    let two = broken.min_by(|one, other| longer(one).total_cmp(&longer(other))).unwrap_or_else(|| one.clone());
    if words.is_empty() {
        return None;
    }
    for (lines, font) in [(&one, NAME), (&two, NAME), (&two, SMALL)] {
        if lines.iter().all(|line| text::width(line, font) <= room) {
            return Some(Lines { lines: lines.clone(), font, whole: true });
        }
    }
    let lines: Vec<String> = two.iter().map(|line| text::cut(line, SMALL, room)).collect();
    let says_something = lines.iter().all(|line| line.chars().count() >= LEAST);
    says_something.then_some(Lines { lines, font: SMALL, whole: false })
}

#[cfg(test)]
mod tests {
    use proptest::bool::weighted;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::game::Position;
    use crate::report::ink::{assert_whole_and_apart, texts};

    fn room(name: &str, x: u16, y: u16, width: u16, height: u16) -> Room {
        let at = Position::new(0, x, y);
        Room { name: name.into(), kind: "hall".into(), at, width, height, ceiling: 2 }
    }

    /// `.` is floor, everything else wall.
    fn floor(rows: &[&str]) -> Floor {
        let tile = |c| if c == '.' { Tile::Floor } else { Tile::Wall };
        Floor::from_rows(String::new(), rows.iter().map(|row| row.chars().map(tile).collect()).collect()).unwrap()
    }

    /// Row, columns and lines.
    fn placed(room: &Room, map: &Floor, above: bool, taken: &[(u16, u16)]) -> Option<(u16, Range<u16>, String)> {
        let written = place(room, map, above, &taken.iter().copied().collect())?;
        Some((written.row, written.columns, written.name.lines.join("/")))
    }

    #[test]
    fn a_name_stands_on_wall_only() {
        let map = floor(&["##########", "##.#######", "##......##", "##......##", "##########"]);
        let hall = room("Great hall", 2, 2, 6, 2);
        assert_eq!(placed(&hall, &map, true, &[]), Some((1, 3..8, "Great hall".into())));
        assert_eq!(placed(&hall, &map, true, &[(5, 1)]), Some((1, 3..5, "Great hall".into())));
        assert_eq!(placed(&hall, &map, false, &[]), Some((4, 2..8, "Great hall".into())));
        assert_eq!(placed(&room("Great hall", 2, 0, 6, 2), &map, true, &[]), None);
    }

    #[test]
    fn a_name_is_broken_and_then_cut_and_then_left_out() {
        let of = |name: &str, tiles: u16| {
            lines(name, f64::from(tiles) * TILE - 2.0 * BESIDE).map(|name| (name.lines.join("/"), name.whole))
        };
        assert_eq!(of("Old forge", 2), Some(("Old forge".into(), true)));
        assert_eq!(of("Forgotten laboratory", 3), Some(("Forgotten/laboratory".into(), true)));
        assert_eq!(of("Whitewashed guardroom", 2), Some(("Whitewas…/guardroom".into(), false)));
        assert_eq!([of("Forgotten laboratory", 0), of("Forgotten laboratory", 1), of("", 5)], [None, None, None]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn names_lie_on_wall_within_their_rooms_columns_and_apart(
            open in vec(vec(weighted(0.4), 10), 10),
            rooms in vec(("[A-Z][a-z]{2,11} [a-z]{3,11}", 0..8_u16, 1..8_u16, 1..6_u16, 1..5_u16), 1..6),
        ) {
            let tile = |open: &bool| if *open { Tile::Floor } else { Tile::Wall };
            let rows = open.iter().map(|row| row.iter().map(tile).collect()).collect();
            let floor = Floor::from_rows(String::new(), rows).unwrap();
            let rooms: Vec<Room> = rooms.iter().map(|(name, x, y, wide, high)| room(name, *x, *y, *wide, *high)).collect();
            let mut page = Page::new(10.0 * TILE, 10.0 * TILE, "");
            draw_names(rooms.iter(), &floor, (0.0, 0.0), &mut page);
            let svg = page.finish();
            assert_whole_and_apart(&svg, "names");
            for (name, area) in texts(&svg) {
                let tile = |at: f32| (f64::from(at) / TILE).floor() as u16;
                let columns = tile(area.left())..tile(area.right()) + 1;
                let row = tile(area.top());
                prop_assert_eq!(row, tile(area.bottom()));
                prop_assert!(columns.clone().all(|x| floor.tile(x, row) == Some(Tile::Wall)), "{} {:?}", name, area);
                let beside = |room: &Room| room.at.y == row + 1 || room.at.y + room.height == row;
                let within = |room: &Room| columns.start >= room.at.x && columns.end <= room.at.x + room.width;
                prop_assert!(rooms.iter().any(|room| beside(room) && within(room)), "{} {:?}", name, area);
            }
        }
    }
}
