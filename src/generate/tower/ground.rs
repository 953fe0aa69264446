//! What stands and lies on the squares of a drawn tower, and where something may be put. Knows no rule of how much of it.

use std::collections::{BTreeMap, BTreeSet};

use super::shaft::QUIET;
use super::sheet::{Cut, Square, apart, beside};
use super::site::{RoomId, Site};
use crate::game::{Colour, Item};

/// What is put on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A monster, by its row in the bestiary.
    Monster(usize),
    /// The boss, by its row in the bestiary.
    Boss(usize),
    /// An item.
    Item(Item),
    /// A plate.
    Plate,
    /// A door.
    Door(Colour),
    /// A gate of the cycle.
    CycleGate,
    /// What opens it.
    CycleKey,
    /// The door of the quick exit.
    ExitGate,
    /// Its lever.
    Lever,
}

/// Something on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What.
    pub what: What,
    /// Whether the population's rule put it there.
    pub by_rule: bool,
}

/// A tower with what stands and lies in it.
#[derive(Clone, Debug)]
pub struct Ground<'d> {
    /// The floors and what joins them.
    pub site: Site<'d>,
    /// What is on each floor, by square.
    pub placed: Vec<BTreeMap<Square, Placed>>,
    /// Squares on each floor that can be seen from the first room, with all doors open and nobody in the way.
    seen_from_start: BTreeSet<Square>,
}

impl<'d> Ground<'d> {
    /// A drawn tower with nothing in it.
    pub fn of(site: Site<'d>) -> Self {
        let placed = vec![BTreeMap::new(); site.floors.len()];
        let mut ground = Ground { site, placed, seen_from_start: BTreeSet::new() };
        let sheet = &ground.site.floors[0].sheet;
        let room: Vec<Square> = sheet.rooms[0].iter().flat_map(|room| room.squares()).collect();
        let seen = sheet.open().map(|(square, _)| square);
        let seen = seen.filter(|square| room.iter().any(|from| ground.sees(0, *from, *square))).collect();
        ground.seen_from_start = seen;
        ground
    }

    /// Puts something somewhere.
    pub fn put(&mut self, floor: usize, square: Square, what: What, by_rule: bool) {
        self.placed[floor].insert(square, Placed { what, by_rule });
    }

    /// What is on a square.
    pub fn at(&self, floor: usize, square: Square) -> Option<What> {
        self.placed[floor].get(&square).map(|placed| placed.what)
    }

    /// The squares of a room on which nothing is, row by row. Of the first room without the hero's.
    pub fn free_squares(&self, (floor, room): RoomId) -> Vec<Square> {
        let place = self.site.floors[floor].sheet.rooms[room];
        let hero = (floor == 0 && room == 0).then(|| self.site.start());
        let squares = place.into_iter().flat_map(|place| place.squares());
        squares.filter(|square| self.at(floor, *square).is_none() && Some(*square) != hero).collect()
    }

    /// The squares of a room beside what opens into it.
    pub fn mouths(&self, (floor, room): RoomId) -> Vec<Square> {
        let sheet = &self.site.floors[floor].sheet;
        let squares = sheet.rooms[room].into_iter().flat_map(|place| place.squares());
        let opens = |square: &Square| {
            beside(*square).into_iter().any(|other| !matches!(sheet.cut(other), None | Some(Cut::Room(_))))
        };
        squares.filter(opens).collect()
    }

    /// Whether a monster may stand on a square: not in the first room or in sight of it, not within three squares of the
    /// hero's start, of stairs or of a ladder.
    pub fn is_quiet(&self, floor: usize, square: Square) -> bool {
        let near = |other: Square| apart(square, other) <= QUIET;
        let at_start = floor == 0 && (self.seen_from_start.contains(&square) || near(self.site.start()));
        !at_start && !self.site.ends(floor).into_iter().any(near)
    }

    /// Whether one sees from one square of a floor to another: no rock on the line between them, drawn from either end.
    pub fn sees(&self, floor: usize, from: Square, to: Square) -> bool {
        let sheet = &self.site.floors[floor].sheet;
        let clear = |from: Square, to: Square| line(from, to).all(|square| !sheet.is_rock(square));
        clear(from, to) || clear(to, from)
    }
}

/// The squares of a straight line, both ends counted.
fn line(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (width, height) = (to.0 - from.0, to.1 - from.1);
    let steps = width.abs().max(height.abs());
    // Rounded half up, in whole numbers.
    let part = move |whole: i32, n: i32| (2 * whole * n + steps).div_euclid((2 * steps).max(1));
    (0..=steps).map(move |n| (from.0 + part(width, n), from.1 + part(height, n)))
}
