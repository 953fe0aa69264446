//! What whoever drew a tower says of its parts: rooms, ladders, what a rule put there. Nothing here changes how the tower
//! is played; checks and pictures read it.

use super::floor::Floor;
use super::position::Position;
use super::tower::MonsterId;

/// The parts of a tower by the names of whoever drew it; empty where nobody says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blueprint {
    /// The rooms, floor by floor.
    pub rooms: Vec<Room>,
    /// Pairs of stairs that are ladders, in the order of their ends; each of them is one of the tower's stairs, too.
    pub ladders: Vec<Ladder>,
    /// What a rule put there, not a hand, in the order of positions.
    pub by_rule: Vec<Position>,
    /// How tall types of monsters are, from 1 to 3, in the order of the table; what is not listed fits everywhere.
    pub heights: Vec<(MonsterId, u8)>,
}

/// A rectangle of open squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// What people read; no two rooms of a tower have the same name.
    pub name: String,
    /// Its row in the table of kinds.
    pub kind: String,
    /// Its upper left square.
    pub at: Position,
    /// Columns, at least 1.
    pub width: u16,
    /// Rows, at least 1.
    pub height: u16,
    /// The tallest monster that fits under its ceiling: 1 low, 2 usual, 3 high.
    pub ceiling: u8,
}

/// A pair of stairs that is no staircase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// Its end on the floor that comes first in the tower.
    pub first: Position,
    /// The other end.
    pub second: Position,
    /// What it is for.
    pub kind: LadderKind,
}

/// What a ladder is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LadderKind {
    /// A way between two floors besides the stairs.
    SecondWay,
    /// The way from behind the boss to the first floor.
    QuickExit,
}

impl Room {
    /// Whether a position lies in it.
    pub fn contains(&self, at: Position) -> bool {
        at.floor == self.at.floor
            && (self.at.x..self.at.x.saturating_add(self.width)).contains(&at.x)
            && (self.at.y..self.at.y.saturating_add(self.height)).contains(&at.y)
    }

    /// What is wrong with its place on these floors, in words: it reaches beyond them; none if it lies within.
    pub fn beyond(&self, floors: &[Floor]) -> Option<String> {
        let Some(floor) = floors.get(usize::from(self.at.floor)) else {
            return Some(format!("the room `{}` lies on floor {}, which is not there", self.name, self.at.floor));
        };
        let within = |from: u16, length: u16, all: u16| u32::from(from) + u32::from(length) <= u32::from(all);
        let inside = within(self.at.x, self.width, floor.width()) && within(self.at.y, self.height, floor.height());
        (!inside).then(|| {
            let (width, height) = (floor.width(), floor.height());
            format!("the room `{}` reaches beyond the map, which is {width} tiles wide and {height} high", self.name)
        })
    }

    /// Its squares, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Position> + use<> {
        let (at, width) = (self.at, self.width);
        let rows = at.y..at.y.saturating_add(self.height);
        rows.flat_map(move |y| (at.x..at.x.saturating_add(width)).map(move |x| Position::new(at.floor, x, y)))
    }
}

impl Blueprint {
    /// The room that a position lies in.
    pub fn room_at(&self, at: Position) -> Option<&Room> {
        self.rooms.iter().find(|room| room.contains(at))
    }

    /// What the ladder between two tiles is for, whichever is named first; none if there is no ladder.
    pub fn ladder(&self, one: Position, other: Position) -> Option<LadderKind> {
        let joins = |ladder: &&Ladder| {
            (ladder.first, ladder.second) == (one, other) || (ladder.first, ladder.second) == (other, one)
        };
        self.ladders.iter().find(joins).map(|ladder| ladder.kind)
    }

    /// Whether an end of a ladder is here.
    pub fn is_ladder(&self, at: Position) -> bool {
        self.ladders.iter().any(|ladder| [ladder.first, ladder.second].contains(&at))
    }

    /// How tall a type of monster is; none if nobody says.
    pub fn height_of(&self, monster: MonsterId) -> Option<u8> {
        self.heights.iter().find(|(id, _)| *id == monster).map(|(_, height)| *height)
    }
}
