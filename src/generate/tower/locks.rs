//! What shuts the ways of a tower, and what opens it again: doors and their keys, the cycle, the lever of the quick exit,
//! the boss and its guard. Knows nothing of what else lives there.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::bestiary::Bestiary;
use super::description::Cycle;
use super::ground::{Ground, What};
use super::shaft::Shaft;
use super::sheet::{Square, apart};
use super::site::{Lock, RoomId};
use crate::game::{Colour, Item};

/// Puts doors and the cycle's gate into the ways, the quick exit's door and lever into its tunnel.
pub fn shut(ground: &mut Ground<'_>) {
    for floor in 0..ground.site.floors.len() {
        let ways = ground.site.floors[floor].sheet.ways.clone();
        for way in &ways {
            match ground.site.lock(floor, way) {
                None => {}
                Some(Lock::Door(colour)) => {
                    if let Some(square) = straight(ground, floor, &way.squares).first() {
                        ground.put(floor, *square, What::Door(colour), false);
                    }
                }
                Some(Lock::Cycle(Cycle::Flood)) => {
                    for square in &way.squares {
                        ground.put(floor, *square, What::CycleGate, false);
                    }
                }
                Some(Lock::Cycle(_)) => {
                    if let Some(square) = straight(ground, floor, &way.squares).last() {
                        ground.put(floor, *square, What::CycleGate, false);
                    }
                }
            }
        }
    }
    let tunnel = ground.site.exit.as_ref().map(|exit| exit.tunnels.0.clone()).unwrap_or_default();
    if let [door, lever, ..] = tunnel[..] {
        ground.put(0, door, What::ExitGate, false);
        ground.put(0, lever, What::Lever, false);
    }
}

/// The squares of a way with an open square before and behind and rock on both sides: all but its bends.
fn straight(ground: &Ground<'_>, floor: usize, way: &[Square]) -> Vec<Square> {
    let open = |square: Square| !ground.site.floors[floor].sheet.is_rock(square);
    let passes = |(x, y): &&Square| {
        let (left, right) = (open((x - 1, *y)), open((x + 1, *y)));
        let (above, below) = (open((*x, y - 1)), open((*x, y + 1)));
        left == right && above == below && left != above
    };
    way.iter().filter(passes).copied().collect()
}

/// Puts the boss into its room, as far from the way in as can be, and its guard into the mouth of the way. None if they
/// find no quiet square.
pub fn put_boss(ground: &mut Ground<'_>, bestiary: &Bestiary) -> Option<()> {
    let id = ground.site.boss_room();
    let (floor, _) = id;
    let named = ground.site.description.population.boss.as_ref().and_then(|name| bestiary.named(name));
    let boss =
        named.filter(|row| bestiary.types[*row].boss).or_else(|| bestiary.types.iter().position(|row| row.boss))?;
    let guard = bestiary.types.iter().position(|row| row.guard)?;
    let quiet = |ground: &Ground<'_>| {
        ground.free_squares(id).into_iter().filter(|square| ground.is_quiet(floor, *square)).collect::<Vec<_>>()
    };
    // In the mouth itself, so that nobody passes it.
    let way = ground.site.way_in(id).and_then(|way| way.squares.last().copied())?;
    let mouth = ground.site.floors[floor].sheet.mouth(id.1, way).filter(|mouth| quiet(ground).contains(mouth))?;
    ground.put(floor, mouth, What::Monster(guard), true);
    let throne = quiet(ground).into_iter().max_by_key(|square| (apart(*square, mouth), std::cmp::Reverse(*square)))?;
    ground.put(floor, throne, What::Boss(boss), false);
    Some(())
}

/// Puts keepers before what leads on from each floor but the last: into the way to the stairs' room, and into a tunnel of the
/// second way on either floor. Says how many found no quiet square: what lies beyond is then reached for nothing.
pub fn put_keepers(ground: &mut Ground<'_>, bestiary: &Bestiary) -> usize {
    let Some(guard) = bestiary.types.iter().position(|row| row.guard) else { return 0 };
    let height = bestiary.types[guard].height;
    let mut missing = 0;
    for floor in 0..ground.site.stairs.len() {
        let goal = (floor, ground.site.goal_of(floor));
        if let Some(way) = ground.site.way_in(goal).cloned() {
            let high = |room: &usize| ground.site.plan(floor).rooms[*room].height >= height;
            let ends = [way.rooms.0, way.rooms.1].map(|room| Some(room).filter(high));
            missing += usize::from(put_keeper(ground, floor, &way.squares, ends, guard).is_none());
        }
        let ladder = ground.site.ladders.iter().find(|ladder| ladder.floors.0 == floor).cloned();
        if let Some(Shaft { tunnels, .. }) = ladder {
            let kept = put_keeper(ground, floor, &tunnels.0, [None; 2], guard)
                .or_else(|| put_keeper(ground, floor + 1, &tunnels.1, [None; 2], guard));
            missing += usize::from(kept.is_none());
        }
    }
    missing
}

/// Puts a keeper where nobody passes it: on a square of a way, or before it or behind it in one of the rooms, the first that is
/// quiet. None if none is.
fn put_keeper(
    ground: &mut Ground<'_>,
    floor: usize,
    way: &[Square],
    rooms: [Option<usize>; 2],
    guard: usize,
) -> Option<()> {
    let sheet = &ground.site.floors[floor].sheet;
    let ends = rooms.into_iter().zip([way.first(), way.last()]);
    let mouths = ends.filter_map(|(room, end)| sheet.mouth(room?, *end?));
    let squares: Vec<Square> = way.iter().copied().chain(mouths).collect();
    let free = |square: &Square| {
        let is_start = floor == 0 && *square == ground.site.start();
        !is_start && ground.at(floor, *square).is_none() && ground.is_quiet(floor, *square)
    };
    let square = squares.into_iter().find(free)?;
    ground.put(floor, square, What::Monster(guard), true);
    Some(())
}

/// Puts what opens the cycle's gate into a room of the last floor that is not behind it: of those, one that is reached over
/// many ways. None if there is no room for it.
pub fn put_cycle_key(ground: &mut Ground<'_>, rng: &mut ChaCha8Rng) -> Option<()> {
    if ground.site.description.cycle.is_none() {
        return Some(());
    }
    let last = ground.site.floors.len() - 1;
    let is_cycle = |floor: usize, way: &super::sheet::Way| matches!(ground.site.lock(floor, way), Some(Lock::Cycle(_)));
    let reached = ground.site.reach(is_cycle);
    let mut rooms: Vec<RoomId> = reached.into_iter().filter(|id| id.0 == last && *id != (0, 0)).collect();
    rooms.retain(|id| !places(ground, *id).is_empty());
    // Not in the very room before the gate, if there is another.
    let before = ground.site.way_in(ground.site.boss_room()).map(|way| (last, way.rooms.0));
    if rooms.iter().any(|id| Some(*id) != before) {
        rooms.retain(|id| Some(*id) != before);
    }
    rooms.sort_by_key(|id| std::cmp::Reverse(depth(ground, *id)));
    rooms.truncate(3);
    let room = *rooms.choose(rng)?;
    let square = *places(ground, room).choose(rng)?;
    ground.put(last, square, What::CycleKey, true);
    Some(())
}

/// Ways from a floor's first room to a room.
fn depth(ground: &Ground<'_>, id: RoomId) -> usize {
    let mut steps = 0;
    let mut at = id;
    while let Some(way) = ground.site.way_in(at) {
        at = (id.0, way.rooms.0);
        steps += 1;
        if steps > ground.site.floors[id.0].sheet.rooms.len() {
            break;
        }
    }
    steps
}

/// Squares of a room on which something may lie: free ones, not before what opens into the room if others are free.
pub fn places(ground: &Ground<'_>, id: RoomId) -> Vec<Square> {
    let (free, mouths) = (ground.free_squares(id), ground.mouths(id));
    let inner: Vec<Square> = free.iter().filter(|square| !mouths.contains(square)).copied().collect();
    if inner.is_empty() { free } else { inner }
}

/// Puts a key for every door into a room that can be reached before it in one order of opening; `spare` keys more (yellow),
/// or as many less, of doors that the way to the boss does not need. None if there is no room for one.
pub fn put_keys(ground: &mut Ground<'_>, spare: i32, rng: &mut ChaCha8Rng) -> Option<()> {
    let mut doors: BTreeMap<(usize, usize), Colour> = BTreeMap::new();
    for (floor, layout) in ground.site.floors.iter().enumerate() {
        for (number, way) in layout.sheet.ways.iter().enumerate() {
            if let Some(Lock::Door(colour)) = ground.site.lock(floor, way) {
                doors.insert((floor, number), colour);
            }
        }
    }
    let needless = needless(ground, &doors, usize::try_from(-spare).unwrap_or_default(), rng);
    let mut opened: BTreeSet<(usize, usize)> = BTreeSet::new();
    while opened.len() < doors.len() {
        let reached = reached_by(ground, &doors, &opened);
        let frontier: Vec<(usize, usize)> = doors
            .keys()
            .filter(|door| !opened.contains(door))
            .filter(|(floor, way)| {
                let (from, to) = ground.site.floors[*floor].sheet.ways[*way].rooms;
                reached.contains(&(*floor, from)) || reached.contains(&(*floor, to))
            })
            .copied()
            .collect();
        let door = *frontier.choose(rng)?;
        opened.insert(door);
        if !needless.contains(&door) {
            let colour = doors.get(&door).copied().unwrap_or(Colour::Yellow);
            put_item(ground, &reached, Item::Key(colour), rng)?;
        }
    }
    let all = reached_by(ground, &doors, &opened);
    for _ in 0..spare.max(0).min(doors.len() as i32) {
        put_item(ground, &all, Item::Key(Colour::Yellow), rng)?;
    }
    Some(())
}

/// Doors that get no key, at most so many: those without which the boss's room is still reached.
fn needless(
    ground: &Ground<'_>,
    doors: &BTreeMap<(usize, usize), Colour>,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> BTreeSet<(usize, usize)> {
    let mut needless = BTreeSet::new();
    let mut waiting: Vec<(usize, usize)> = doors.keys().copied().collect();
    while needless.len() < most && !waiting.is_empty() {
        let door = waiting.swap_remove(rng.random_range(0..waiting.len()));
        // Of each colour a key remains, or nobody could ever open its doors.
        let of_colour = |other: &&(usize, usize)| doors.get(*other) == doors.get(&door) && !needless.contains(*other);
        if doors.keys().filter(of_colour).count() < 2 {
            continue;
        }
        let mut others: BTreeSet<(usize, usize)> = doors.keys().copied().collect();
        others.retain(|other| !needless.contains(other) && *other != door);
        // Neither the boss nor what opens its room may lie behind it.
        let last = ground.site.floors.len() - 1;
        let reached = reached_by(ground, doors, &others);
        let keeps = (0..ground.site.floors[last].sheet.rooms.len()).filter(|room| holds_key(ground, (last, *room)));
        if reached.contains(&ground.site.boss_room()) && keeps.into_iter().all(|room| reached.contains(&(last, room))) {
            needless.insert(door);
        }
    }
    needless
}

fn holds_key(ground: &Ground<'_>, (floor, room): RoomId) -> bool {
    let place = ground.site.floors[floor].sheet.rooms[room];
    let within = |square: &Square| place.is_some_and(|place| place.contains(*square));
    ground.placed[floor].iter().any(|(square, placed)| placed.what == What::CycleKey && within(square))
}

/// Rooms that can be reached with some doors open and the others shut.
fn reached_by(
    ground: &Ground<'_>,
    doors: &BTreeMap<(usize, usize), Colour>,
    opened: &BTreeSet<(usize, usize)>,
) -> BTreeSet<RoomId> {
    ground.site.reach(|floor, way| {
        let number = ground.site.floors[floor].sheet.ways.iter().position(|other| other == way).unwrap_or_default();
        doors.contains_key(&(floor, number)) && !opened.contains(&(floor, number))
    })
}

/// Puts an item into one of some rooms, the boss's left aside.
pub fn put_item(ground: &mut Ground<'_>, rooms: &BTreeSet<RoomId>, item: Item, rng: &mut ChaCha8Rng) -> Option<()> {
    let boss = ground.site.boss_room();
    let rooms: Vec<RoomId> =
        rooms.iter().filter(|id| **id != boss && !places(ground, **id).is_empty()).copied().collect();
    let id = *rooms.choose(rng)?;
    let square = *places(ground, id).choose(rng)?;
    ground.put(id.0, square, What::Item(item), true);
    Some(())
}
