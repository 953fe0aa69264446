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
/// On the left and on the right of a name.
const BESIDE: f64 = 2.0;
/// From one line to the next.
const LINE: f64 = 13.0;
/// From the edge of a wall that faces the room to the text.
const APART: f64 = 4.5;

/// A name with its place: the tiles of one row, and its lines.
struct Written {
    row: u16,
    columns: Range<u16>,
    lines: Vec<String>,
    /// Whether the room lies below it.
    above: bool,
}

/// Writes the names of the rooms of a floor whose map begins at a point. Each lies on tiles of wall of its own, not wider
/// than its room; a name that has no room even when it is cut is left out.
pub fn draw_names<'a>(
    rooms: impl Iterator<Item = &'a Room>,
    floor: &Floor,
    (left, top): (f64, f64),
    page: &mut Page,
) {
    let mut taken = BTreeSet::new();
    for room in rooms {
        let Some(written) = place(room, floor, &taken) else { continue };
        taken.extend(written.columns.clone().map(|x| (x, written.row)));
        let middle = f64::from(written.columns.start + written.columns.end) / 2.0;
        let count = written.lines.len();
        for (index, line) in written.lines.iter().enumerate() {
            let from_room = match written.above {
                true => TILE - APART - (count - 1 - index) as f64 * LINE,
                false => APART + 0.75 * NAME.size + index as f64 * LINE,
            };
            let at = (left + middle * TILE, top + f64::from(written.row) * TILE + from_room);
            page.text(at, Anchor::Middle, NAME, line);
        }
    }
}

/// The better of the two places: one where nothing is cut, the upper one before the lower one, the wider one.
fn place(room: &Room, floor: &Floor, taken: &BTreeSet<(u16, u16)>) -> Option<Written> {
    let above = room.at.y.checked_sub(1);
    let below = room.at.y.checked_add(room.height);
    let places = [(above, true), (below, false)].into_iter().filter_map(|(row, above)| {
        let row = row?;
        let free = |x: u16| floor.tile(x, row) == Some(Tile::Wall) && !taken.contains(&(x, row));
        let columns = longest(room.at.x..room.at.x.saturating_add(room.width), free);
        let (lines, whole) = lines(&room.name, f64::from(columns.len() as u16) * TILE - 2.0 * BESIDE)?;
        Some((whole, Written { row, columns, lines, above }))
    });
    let rank = |(whole, written): &(bool, Written)| (*whole, written.columns.len(), written.above);
    let whole_above = |(whole, written): &(bool, Written)| *whole && written.above;
    places.max_by_key(|place| (whole_above(place), rank(place))).map(|(_, written)| written)
}

/// The longest run of columns that fit, the first of equals.
fn longest(columns: Range<u16>, fits: impl Fn(u16) -> bool) -> Range<u16> {
    let mut best = columns.start..columns.start;
    let mut run = best.clone();
    for x in columns {
        run = if !fits(x) {
            x + 1..x + 1
        } else {
            run.start..x + 1
        };
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    best
}

/// A name in two lines at most, and whether it is whole; none if hardly anything of it has room.
fn lines(name: &str, room: f64) -> Option<(Vec<String>, bool)> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let fits = |line: &str| text::width(line, NAME) <= room;
    let whole = words.join(" ");
    if fits(&whole) {
        return Some((vec![whole], true)).filter(|_| !words.is_empty());
    }
    // Where to break so that the longer line is as short as can be.
    let broken = (1..words.len()).map(|at| [words[..at].join(" "), words[at..].join(" ")]);
    let longer = |lines: &[String; 2]| lines.iter().map(|line| text::width(line, NAME)).fold(0.0, f64::max);
    let best = broken.min_by(|one, other| longer(one).total_cmp(&longer(other)));
    let lines = best.map_or_else(|| vec![whole], Vec::from);
    let is_whole = lines.iter().all(|line| fits(line));
    let cut: Vec<String> = lines.iter().map(|line| text::cut(line, NAME, room)).collect();
    cut.iter().all(|line| line.chars().count() >= 3).then_some((cut, is_whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    fn room(name: &str, x: u16, y: u16, width: u16, height: u16) -> Room {
        let at = Position::new(0, x, y);
        Room { name: name.into(), kind: "hall".into(), at, width, height, ceiling: 2 }
    }

    /// `.` is floor, everything else wall.
    fn floor(rows: &[&str]) -> Floor {
        let tile = |c| if c == '.' { Tile::Floor } else { Tile::Wall };
        Floor::from_rows(String::new(), rows.iter().map(|row| row.chars().map(tile).collect()).collect()).unwrap()
    }

    #[test]
    fn a_name_stands_above_its_room_on_wall_only() {
        let map = floor(&["##########", "##.#######", "##......##", "##......##", "##########"]);
        let hall = room("Great hall", 2, 2, 6, 2);
        let written = place(&hall, &map, &BTreeSet::new()).unwrap();
        assert_eq!((written.row, written.columns, written.lines, written.above), (
            1,
            3..8,
            vec!["Great hall".to_owned()],
            true
        ));
        // Where the wall above is another name's, below.
        let taken = (2..8).map(|x| (x, 1)).collect();
        let written = place(&hall, &map, &taken).unwrap();
        assert_eq!((written.row, written.above), (4, false));
    }

    #[test]
    fn a_name_is_broken_and_then_cut_and_then_left_out() {
        let of = |name: &str, tiles: u16| lines(name, f64::from(tiles) * TILE - 2.0 * BESIDE);
        assert_eq!(of("Old forge", 2), Some((vec!["Old forge".into()], true)));
        assert_eq!(of("Forgotten laboratory", 3), Some((vec!["Forgotten".into(), "laboratory".into()], true)));
        assert_eq!(of("Forgotten laboratory", 2).map(|(_, whole)| whole), Some(false));
        assert_eq!(of("Forgotten laboratory", 0), None);
        assert_eq!(of("", 5), None);
    }
}
