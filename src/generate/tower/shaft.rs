//! What joins the floors of a tower: stairs, a second way between each pair of floors, the quick exit from behind the
//! boss. Knows the floors' layouts, not what lives there.

use std::collections::BTreeSet;

use super::grow::Layout;
use super::sheet::{Cut, Sheet, Spread, Square, apart, beside};

/// Tunnels of a second way have at most so many squares each.
const TUNNEL: i64 = 14;

/// A ladder lies at least so many squares from the stairs between the same floors.
const FROM_STAIRS: i32 = 6;

/// The tunnel from the boss's room to the foot of the quick exit has at most so many squares.
const EXIT_TUNNEL: i64 = 60;

/// A ladder between two floors with the tunnels that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaft {
    /// The floor that comes first, from 0, and the other.
    pub floors: (usize, usize),
    /// Where it is, on both.
    pub at: Square,
    /// The tunnels on both floors, each from a room's edge to the ladder.
    pub tunnels: (Vec<Square>, Vec<Square>),
}

/// The alcove of a room for the stairs to the next floor: of the third of its edges that lies farthest from where the room is
/// entered, the one that a lot falls on; none if the room has no edge left.
pub fn nook(sheet: &Sheet, room: usize, entered: Square, lot: usize) -> Option<Square> {
    let mut edges: Vec<Square> = sheet.edges(room).into_iter().filter(|edge| stays_apart(sheet, room, *edge)).collect();
    edges.sort_by_key(|edge| (std::cmp::Reverse(apart(*edge, entered)), *edge));
    edges.truncate(edges.len().div_ceil(3));
    edges.get(lot.checked_rem(edges.len())?).copied()
}

/// Whether an alcove has rock behind it and beside it, so that nothing else opens into it later.
fn stays_apart(sheet: &Sheet, room: usize, edge: Square) -> bool {
    beside(edge).into_iter().filter(|square| sheet.cut(*square) != Some(Cut::Room(room))).all(|square| {
        beside(square)
            .into_iter()
            .filter(|other| *other != edge)
            .all(|other| sheet.is_rock(other) || sheet.cut(other) == Some(Cut::Room(room)))
    })
}

/// One end of a second way that is sought.
#[derive(Clone, Debug)]
pub struct End<'s> {
    /// The floor's squares.
    pub sheet: &'s Sheet,
    /// Rooms that it must not lead from.
    pub barred: BTreeSet<usize>,
    /// Squares near which no keeper may stand: other stairs and ladders, and the hero's start.
    pub loud: Vec<Square>,
}

impl End<'_> {
    fn spread(&self) -> Spread {
        let rooms = (0..self.sheet.rooms.len()).filter(|room| !self.barred.contains(room));
        let edges = rooms.flat_map(|room| self.sheet.edges(room)).map(|edge| (edge, 1));
        Spread::from(self.sheet, edges, TUNNEL)
    }

    /// Whether a keeper may stand in a tunnel that leads to a ladder.
    fn has_keeper(&self, tunnel: &[Square], ladder: Square) -> bool {
        let quiet = |square: &Square| self.loud.iter().chain([&ladder]).all(|other| apart(*square, *other) > QUIET);
        tunnel.iter().any(quiet)
    }
}

/// A second way between a floor and the next: the square that lies farthest from the stairs less 0.6 times the length of
/// both tunnels, at least six squares from them, with a place for a keeper in one of the tunnels.
pub fn second_way(first: usize, above: &End<'_>, below: &End<'_>, stairs: Square) -> Option<Shaft> {
    let (up, down) = (above.spread(), below.spread());
    // Ten times the score, in whole numbers; of equal ones the first square counts.
    let scored = up.squares().filter_map(|(at, length)| {
        let lengths = length + down.cost(at)?;
        let distance = apart(at, stairs);
        let are_tunnels = length > 1 && lengths > length + 1;
        (distance >= FROM_STAIRS && are_tunnels)
            .then(|| (std::cmp::Reverse(10 * i64::from(distance) - 6 * lengths), at))
    });
    let mut scored: Vec<(std::cmp::Reverse<i64>, Square)> = scored.collect();
    scored.sort_unstable();
    let shafts = scored.into_iter().map(|(_, at)| (at, (up.way_to(at), down.way_to(at))));
    let kept = |(at, tunnels): &(Square, (Vec<Square>, Vec<Square>))| {
        above.has_keeper(&tunnels.0, *at) || below.has_keeper(&tunnels.1, *at)
    };
    let (at, tunnels) = shafts.into_iter().find(kept)?;
    Some(Shaft { floors: (first, first + 1), at, tunnels })
}

/// The quick exit from the last floor's goal room to the first floor: the cheapest in squares of both tunnels and in steps
/// from the entrance to where it comes out. `steps` says how far a room's square is walked from the entrance with every
/// lock shut, none if it is not.
pub fn quick_exit(
    floors: &[Layout],
    goal: usize,
    shut: &BTreeSet<usize>,
    steps: impl Fn(Square) -> Option<i64>,
    stairs: Square,
) -> Option<Shaft> {
    let last = floors.len().checked_sub(1).filter(|last| *last > 0)?;
    let (top, bottom) = (&floors.first()?.sheet, &floors.get(last)?.sheet);
    let below = Spread::from(bottom, bottom.edges(goal).into_iter().map(|edge| (edge, 1)), EXIT_TUNNEL);
    let begin = (0..top.rooms.len()).filter(|room| !shut.contains(room)).flat_map(|room| {
        let edges = top.edges(room).into_iter().filter(|edge| apart(*edge, stairs) > 1);
        edges.filter_map(|edge| Some((edge, steps(top.mouth(room, edge)?)?))).collect::<Vec<_>>()
    });
    let above = Spread::from(top, begin, FAR);
    let total = above.squares().filter_map(|(at, cost)| {
        let length = below.cost(at).filter(|length| *length > 1)?;
        let between = floors.get(1..last)?.iter().all(|floor| floor.sheet.is_solid(at));
        let fits = between && apart(at, stairs) > 1 && !is_near(bottom, goal, at);
        fits.then_some((cost + length, at))
    });
    // Door, lever and ladder take three squares.
    let mut total: Vec<(i64, Square)> = total.collect();
    total.sort_unstable();
    let mut ways = total.into_iter().map(|(_, at)| (at, above.way_to(at)));
    let (at, way) = ways.find(|(_, way)| way.len() >= 3 && begins_straight(top, way))?;
    Some(Shaft { floors: (0, last), at, tunnels: (way, below.way_to(at)) })
}

/// Whether the first square of a tunnel lies between two walls, so that a door can hang there.
fn begins_straight(sheet: &Sheet, way: &[Square]) -> bool {
    let [first, second, ..] = way[..] else { return false };
    let opposite = (2 * first.0 - second.0, 2 * first.1 - second.1);
    matches!(sheet.cut(opposite), Some(Cut::Room(_)))
}

/// Whether a square lies so near to a room that nothing could stand in the room for it.
fn is_near(sheet: &Sheet, room: usize, at: Square) -> bool {
    let place = sheet.rooms.get(room).copied().flatten();
    place.is_some_and(|place| place.squares().any(|square| apart(square, at) <= QUIET))
}

/// Squares around an end of stairs or of a ladder in which nothing stands.
pub const QUIET: i32 = 3;

/// The most that a place for the quick exit may cost on floor 1.
const FAR: i64 = 400;

#[cfg(test)]
mod tests {
    use super::super::sheet::Rectangle;
    use super::*;

    #[test]
    fn a_second_way_that_would_rather_be_near_keeps_its_distance() {
        let mut sheet = Sheet::of(2);
        sheet.put_room(0, Rectangle { at: (0, 0), size: (3, 3) });
        // Far off, so that there is rock to dig in between.
        sheet.put_room(1, Rectangle { at: (30, 0), size: (3, 3) });
        let stairs = (3, 1);
        let end = End { sheet: &sheet, barred: BTreeSet::from([1]), loud: Vec::new() };
        let shaft = second_way(0, &end, &end, stairs).unwrap();
        // Each square more of both tunnels costs more than the distance that it gains.
        assert_eq!(apart(shaft.at, stairs), FROM_STAIRS_OF_THE_RULE, "{shaft:?}");
        assert!(shaft.tunnels.0.len() <= 14 && shaft.tunnels.1.len() <= 14, "{shaft:?}");
    }

    /// As it is asked for, whatever the code says.
    const FROM_STAIRS_OF_THE_RULE: i32 = 6;
}
