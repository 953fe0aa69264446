//! What a file says of a tower's parts: `[[floor.room]]`, `[[floor.placed]]`. Knows nothing of play; ladders are read with the
//! stairs, and how tall monsters are with their rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;

use super::expression::outside;
use super::quantity::{Label, Place, Within};
use super::read::string;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::Table;
use crate::game::{Floor, Position, Room, Tower};

/// The ceiling of a room of which nobody says how high it is.
const USUAL_CEILING: u8 = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoomKeys {
    name: Label,
    kind: Label,
    at: Place<2>,
    size: Place<2>,
    ceiling: Option<Within<1, 3>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacedKeys {
    at: Vec<Place<2>>,
    #[serde(rename = "from")]
    _from: From,
}

/// Who put something there.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum From {
    Rule,
}

/// The parts of all floors, each with its place in the file.
#[derive(Default)]
pub(super) struct Parts {
    rooms: Vec<(Room, Range<usize>)>,
    by_rule: Vec<(Position, Range<usize>)>,
}

impl Parts {
    /// Takes the parts of a floor out of its table.
    pub(super) fn read(&mut self, floor: u16, table: &mut Table<'_>, problems: &mut Problems) {
        for room in table.take_tables("room", problems) {
            let Some((keys, places)) = room.read::<RoomKeys>(problems) else { continue };
            let ([x, y], [width, height]) = (keys.at.0, keys.size.0);
            if width == 0 || height == 0 {
                let message = "`size`: a room has at least one column and one row";
                problems.push(Problem::at(places.of("size"), message));
                continue;
            }
            let room = Room {
                name: keys.name.0,
                kind: keys.kind.0,
                at: Position::new(floor, x, y),
                width,
                height,
                ceiling: keys.ceiling.map_or(USUAL_CEILING, |ceiling| ceiling.0),
            };
            self.rooms.push((room, places.table()));
        }
        for placed in table.take_tables("placed", problems) {
            let places = placed.element_places("at");
            let Some((keys, _)) = placed.read::<PlacedKeys>(problems) else { continue };
            let squares = keys.at.iter().map(|Place([x, y])| Position::new(floor, *x, *y));
            self.by_rule.extend(squares.zip(places));
        }
    }

    /// Checks that they lie on their floors and that no name and no square is said twice.
    pub(super) fn check(&self, floors: &[Floor], problems: &mut Problems) {
        let mut named: BTreeMap<&str, Position> = BTreeMap::new();
        for (room, place) in &self.rooms {
            if let Some(message) = room.beyond(floors) {
                problems.push(Problem::at(place.clone(), message));
            }
            if let Some(first) = named.get(room.name.as_str()) {
                let message = format!("a second room {}; the first is at {first}", quoted(&room.name));
                problems.push(Problem::at(place.clone(), message));
            }
            named.entry(&room.name).or_insert(room.at);
        }
        let mut seen = BTreeSet::new();
        for (at, place) in &self.by_rule {
            if let Some(message) = outside(*at, Some(floors)) {
                problems.push(Problem::at(place.clone(), message));
            } else if !seen.insert(*at) {
                problems.push(Problem::at(place.clone(), format!("{at} is listed twice")));
            }
        }
    }

    /// Puts them into the tower.
    pub(super) fn put(self, tower: &mut Tower) {
        tower.blueprint.rooms = self.rooms.into_iter().map(|(room, _)| room).collect();
        tower.blueprint.by_rule = self.by_rule.into_iter().map(|(at, _)| at).collect();
        tower.blueprint.by_rule.sort_unstable();
    }
}

/// Appends the parts of a floor.
pub(super) fn write(tower: &Tower, floor: u16, text: &mut String) {
    for room in tower.blueprint.rooms.iter().filter(|room| room.at.floor == floor) {
        let _ = writeln!(text, "\n[[floor.room]]\nname = {}\nkind = {}", string(&room.name), string(&room.kind));
        let _ = writeln!(text, "at = [{}, {}]\nsize = [{}, {}]", room.at.x, room.at.y, room.width, room.height);
        if room.ceiling != USUAL_CEILING {
            let _ = writeln!(text, "ceiling = {}", room.ceiling);
        }
    }
    let here = tower.blueprint.by_rule.iter().filter(|at| at.floor == floor);
    let squares: Vec<String> = here.map(|at| format!("[{}, {}]", at.x, at.y)).collect();
    if !squares.is_empty() {
        let _ = writeln!(text, "\n[[floor.placed]]\nfrom = \"rule\"\nat = [{}]", squares.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::{read, write};

    const DRAWN: &str = r##"name = "drawn"
rules = "thesis"

[hero]
hp = 100
atk = 9
def = 4

[items]
red_gem = 1

[monsters.1]
name = "Green Slime"
hp = 50
atk = 7
def = 3
height = 3

[monsters.B]
name = "Boss"
hp = 50
atk = 20
def = 12

[[floor]]
map = """
@ . v
# # 1
v a .
"""

[[floor.stairs]]
at = [2, 0]
to = [1, 2, 0]

[[floor.stairs]]
at = [0, 2]
to = [1, 0, 2]
ladder = "second way"

[[floor.room]]
name = "Gate hall"
kind = "hall"
at = [0, 0]
size = [3, 1]

[[floor.room]]
name = "Cellar"
kind = "store"
at = [0, 2]
size = [3, 1]
ceiling = 1

[[floor.placed]]
from = "rule"
at = [[1, 2], [2, 1]]

[[floor]]
map = """
B . ^
. # #
^ . .
"""
"##;

    /// What is said of the floors with one text put in the place of another.
    fn mistakes(changes: &[(&str, &str)]) -> String {
        let mut text = DRAWN.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        read("drawn.toml", &text).map_or_else(|problems| problems.to_string(), |_| "none".to_owned())
    }

    #[test]
    fn parts_are_written_as_they_were_read() {
        let tower = read("drawn.toml", DRAWN).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(write(&tower), DRAWN);
        let parts = &tower.blueprint;
        assert_eq!((parts.rooms.len(), parts.ladders.len(), parts.by_rule.len(), parts.heights.len()), (2, 1, 2, 1));
        assert_eq!((parts.rooms[0].ceiling, parts.rooms[1].ceiling, parts.height_of(0)), (2, 1, Some(3)));
        let two = DRAWN
            .replace("at = [[1, 2], [2, 1]]\n", "at = [[2, 1]]\n[[floor.placed]]\nfrom = \"rule\"\nat = [[1, 2]]\n");
        assert_eq!(read("drawn.toml", &two).unwrap(), tower);
    }

    #[test]
    fn mistakes_in_parts_are_told_at_their_places() {
        assert_snapshot!(mistakes(&[("size = [3, 1]", "size = [4, 1]"), ("\"Cellar\"", "\"Gate hall\""), ("ceiling = 1", "ceiling = 4")]), @"
        drawn.toml:41:1: the room `Gate hall` reaches beyond the map, which is 3 tiles wide and 3 high
        drawn.toml:52:11: `ceiling`: expected a whole number from 1 to 3, found `4`
        ");
        assert_snapshot!(mistakes(&[("size = [3, 1]", "size = [4, 1]"), ("\"Cellar\"", "\"Gate hall\""), ("[2, 1]]", "[2, 1], [1, 2], [1, 9]]")]), @"
        drawn.toml:41:1: the room `Gate hall` reaches beyond the map, which is 3 tiles wide and 3 high
        drawn.toml:47:1: a second room `Gate hall`; the first is at (0,0)
        drawn.toml:56:23: (1,2) is listed twice
        drawn.toml:56:31: (1,9) lies outside the map
        ");
        assert_snapshot!(mistakes(&[("size = [3, 1]", "size = [0, 1]"), ("height = 3", "height = 0"), ("\"rule\"", "\"hand\"")]), @"
        drawn.toml:17:10: `height`: expected a whole number from 1 to 3, found `0`
        drawn.toml:45:8: `size`: a room has at least one column and one row
        drawn.toml:55:8: `from`: unknown value `hand` (known here: rule)
        ");
        assert_snapshot!(mistakes(&[("kind = \"hall\"\n", ""), ("[[1, 2], [2, 1]]", "[[1, 2], [2]]"), ("\"second way\"", "\"rope\"")]), @"
        drawn.toml:39:10: `ladder`: unknown value `rope` (known here: second way, quick exit)
        drawn.toml:41:1: the key `kind` is missing
        drawn.toml:55:6: `at`: expected column and row, found 1 of them: write [3, 4], each from 0
        ");
        assert_snapshot!(mistakes(&[("ladder = ", "one_way = true\nladder = ")]), @"drawn.toml:40:10: a ladder leads both ways, and this is `one_way`");
        assert_snapshot!(mistakes(&[("[[floor.room]]", "[[floor.stairs]]\nat = [0, 2]\nto = [1, 0, 2]\nladder = \"quick exit\"\n[[floor.room]]")]), @"drawn.toml:44:10: another ladder joins (0,2) and (1:0,2), and is of another kind");
        assert_snapshot!(mistakes(&[("from = \"rule\"\n", "")]), @"drawn.toml:54:1: the key `from` is missing");
    }
}
