//! The layout of one floor: a tree of rooms that grows from the first one, and further ways that close loops. Knows rooms
//! and links, not what lives there.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::description::{FloorPlan, LinkKind};
use super::sheet::{Rectangle, Sheet, Square, Way, beside};

/// A floor whose rooms and ways have been drawn.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Its squares.
    pub sheet: Sheet,
    /// Where the stairs from the floor before arrive; none on the first floor.
    pub arrival: Option<Square>,
    /// Links that could not be drawn, by their numbers.
    pub dropped: Vec<usize>,
}

/// Squares that a way may be longer than the least, to go round what is there.
const LENGTHENED: i32 = 14;

/// The most squares of a way that closes a loop.
const LOOP: usize = 22;

/// Draws a floor. The first room lies so that an alcove of it is at `arrival`. None if a room finds no place.
///
/// The links must join all rooms. The floor grows around `over`, twice the middle of the floors before, so that floors lie
/// over one another.
pub fn grow(plan: &FloorPlan, arrival: Option<Square>, over: Option<Square>, rng: &mut ChaCha8Rng) -> Option<Layout> {
    let mut sheet = Sheet::of(plan.rooms.len());
    let first = size_of(plan, 0);
    match arrival {
        None => sheet.put_room(0, Rectangle { at: (0, 0), size: first }),
        Some(nook) => {
            let side = rng.random_range(0..4);
            let (place, _) = beyond(nook, side, first, 0, rng.random_range(0..across(first, side)));
            sheet.put_room(0, place);
            sheet.cut_as(&[nook], super::sheet::Cut::Nook(0));
        }
    }
    let (tree, loops) = tree_and_loops(plan);
    for (link, from, to) in tree {
        let (place, squares) = place_for(&sheet, plan, (link, from, to), (arrival, over), rng)?;
        sheet.put_room(to, place);
        sheet.cut_way(Way { rooms: (from, to), link, squares });
    }
    let mut dropped = Vec::new();
    for (link, from, to) in loops {
        let is_door = plan.links.get(link).is_some_and(|link| link.kind == LinkKind::Door);
        match sheet.route(from, to, LOOP).filter(|squares| !is_door || holds_door(&sheet, from, to, squares)) {
            Some(squares) => sheet.cut_way(Way { rooms: (from, to), link, squares }),
            None => dropped.push(link),
        }
    }
    Some(Layout { sheet, arrival, dropped })
}

/// Whether a way has a square that is no bend, so that a door can hang there.
fn holds_door(sheet: &Sheet, from: usize, to: usize, way: &[Square]) -> bool {
    let mouth = |room: usize, end: Option<&Square>| end.and_then(|end| sheet.mouth(room, *end));
    let (before, after) = (mouth(from, way.first()), mouth(to, way.last()));
    let all: Vec<Square> = before.into_iter().chain(way.iter().copied()).chain(after).collect();
    all.windows(3).any(|three| three[0].0 == three[2].0 || three[0].1 == three[2].1)
}

/// A link's number, and the rooms it joins: the nearer to the first room, the other.
type Joined = (usize, usize, usize);

/// Links of a tree from the first room, in the order in which it reaches the rooms, and the others.
pub fn tree_and_loops(plan: &FloorPlan) -> (Vec<Joined>, Vec<Joined>) {
    let number = |name: &str| plan.rooms.iter().position(|room| room.name == name);
    let ends: Vec<Option<(usize, usize)>> =
        plan.links.iter().map(|link| Some((number(&link.from)?, number(&link.to)?))).collect();
    let (mut tree, mut used, mut seen) = (Vec::new(), BTreeSet::new(), vec![0]);
    let mut next = 0;
    while let Some(&room) = seen.get(next) {
        next += 1;
        for (link, ends) in ends.iter().enumerate() {
            let other = match ends {
                Some((from, to)) if *from == room => *to,
                Some((from, to)) if *to == room => *from,
                _ => continue,
            };
            if !seen.contains(&other) {
                seen.push(other);
                used.insert(link);
                tree.push((link, room, other));
            }
        }
    }
    let order = |room: usize| seen.iter().position(|other| *other == room);
    let loops = ends.iter().enumerate().filter(|(link, _)| !used.contains(link)).filter_map(|(link, ends)| {
        let (from, to) = (*ends)?;
        (from != to).then(|| if order(from) <= order(to) { (link, from, to) } else { (link, to, from) })
    });
    let loops = loops.collect();
    (tree, loops)
}

/// The place of a room beyond a room that has one, and the straight way there: the shortest that touches nothing; sides
/// and offsets in seeded order.
fn place_for(
    sheet: &Sheet,
    plan: &FloorPlan,
    (link, from, to): Joined,
    (arrival, over): (Option<Square>, Option<Square>),
    rng: &mut ChaCha8Rng,
) -> Option<(Rectangle, Vec<Square>)> {
    let (room, size) = (sheet.rooms.get(from).copied().flatten()?, size_of(plan, to));
    let mut tries: Vec<(usize, i32, i32)> = (0..4)
        .flat_map(|side| {
            let theirs = across(size, side);
            (0..across(room.size, side)).flat_map(move |ours| (0..theirs).map(move |theirs| (side, ours, theirs)))
        })
        .collect();
    tries.shuffle(rng);
    let least = least_length(plan.links.get(link).map(|link| link.kind).unwrap_or_default());
    let middle = over.unwrap_or_else(|| middle_of(sheet));
    for length in least..=least + LENGTHENED {
        let fitting = tries.iter().filter_map(|(side, ours, theirs)| {
            let edge = edge(room, *side, *ours);
            let (place, squares) = beyond_way(edge, *side, size, length, *theirs);
            let clear = sheet.has_place_for(place)
                && squares.iter().all(|square| is_clear(sheet, from, *square))
                && arrival.is_none_or(|nook| !near(place, nook));
            clear.then_some((place, squares))
        });
        // Of the first few that fit, the one nearest to what is there already, so that floors stay compact.
        let best = fitting.take(6).min_by_key(|(place, _)| {
            let (x, y) = (2 * place.at.0 + place.size.0, 2 * place.at.1 + place.size.1);
            (x - middle.0).abs().max((y - middle.1).abs())
        });
        if best.is_some() {
            return best;
        }
    }
    None
}

/// Twice the middle of all rooms that have been placed.
pub fn middle_of(sheet: &Sheet) -> Square {
    let rooms = || sheet.rooms.iter().flatten();
    let (left, right) = (rooms().map(|room| room.at.0).min(), rooms().map(|room| room.at.0 + room.size.0).max());
    let (top, bottom) = (rooms().map(|room| room.at.1).min(), rooms().map(|room| room.at.1 + room.size.1).max());
    (left.unwrap_or_default() + right.unwrap_or_default(), top.unwrap_or_default() + bottom.unwrap_or_default())
}

/// Whether a way may pass: the square and those beside it are rock, but for the room that it begins at.
fn is_clear(sheet: &Sheet, from: usize, square: Square) -> bool {
    let own = Some(super::sheet::Cut::Room(from));
    sheet.is_rock(square)
        && beside(square).into_iter().all(|other| sheet.is_rock(other) || sheet.cut(other) == own)
        && beside(square).into_iter().filter(|other| sheet.cut(*other) == own).count() <= 1
}

fn near(place: Rectangle, (x, y): Square) -> bool {
    let ((left, top), (width, height)) = (place.at, place.size);
    (left - 1..left + width + 1).contains(&x) && (top - 1..top + height + 1).contains(&y)
}

/// Squares of a way at least.
fn least_length(kind: LinkKind) -> i32 {
    match kind {
        LinkKind::Door | LinkKind::Narrow => 1,
        LinkKind::Crawl => 2,
        LinkKind::Corridor => 3,
    }
}

fn size_of(plan: &FloorPlan, room: usize) -> (i32, i32) {
    plan.rooms.get(room).map_or((1, 1), |room| (i32::from(room.size[0]), i32::from(room.size[1])))
}

/// How many squares a room has along one of its sides: 0 above, 1 right, 2 below, 3 left.
fn across((width, height): (i32, i32), side: usize) -> i32 {
    if side.is_multiple_of(2) { width } else { height }
}

/// The edge square of a room on one of its sides.
fn edge(room: Rectangle, side: usize, offset: i32) -> Square {
    let ((x, y), (width, height)) = (room.at, room.size);
    match side {
        0 => (x + offset, y - 1),
        1 => (x + width, y + offset),
        2 => (x + offset, y + height),
        _ => (x - 1, y + offset),
    }
}

/// The room beyond a way of some squares that begins at an edge square, and the way.
fn beyond_way(edge: Square, side: usize, size: (i32, i32), length: i32, offset: i32) -> (Rectangle, Vec<Square>) {
    beyond(edge, side, size, length - 1, offset)
}

fn beyond((x, y): Square, side: usize, size: (i32, i32), further: i32, offset: i32) -> (Rectangle, Vec<Square>) {
    let (width, height) = size;
    let step = [(0, -1), (1, 0), (0, 1), (-1, 0)][side % 4];
    let squares: Vec<Square> = (0..=further).map(|n| (x + n * step.0, y + n * step.1)).collect();
    let (last_x, last_y) = (x + further * step.0, y + further * step.1);
    let at = match side {
        0 => (last_x - offset, last_y - height),
        1 => (last_x + 1, last_y - offset),
        2 => (last_x - offset, last_y + 1),
        _ => (last_x - width, last_y - offset),
    };
    (Rectangle { at, size }, squares)
}
