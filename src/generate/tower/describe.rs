//! A description made from a request and a seed: how many rooms each floor has, which, how large, and what joins them.
//! Knows nothing of maps. The same request, kinds and seed give the same description.

pub mod links;
mod names;

use rand::RngExt;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::description::{Description, FloorPlan, LinkKind, Population, RoomPlan};
use super::kind::{Kinds, USUAL};
use super::words::Request;
use names::Names;

/// Describes what was asked for.
pub fn describe(request: &Request, kinds: &Kinds, seed: u64) -> Description {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (least, most) = request.rooms;
    let rooms = rng.random_range(least..=most.max(least));
    let floors = usize::from(request.floors.max(1));
    let mut names = Names::default();
    let floors: Vec<FloorPlan> = (dealt(usize::from(rooms), floors).into_iter().enumerate())
        .map(|(floor, rooms)| {
            let is_last = floor + 1 == floors;
            let named = request.named.iter().skip(floor).step_by(floors).cloned().collect();
            let rows = kinds_of(Wanted { rooms, is_last, named, unwanted: &request.unwanted }, kinds, &mut rng);
            floor_plan(Floor { number: floor, is_last, rows }, request, &mut names, &mut rng)
        })
        .collect();
    let first = floors.first().and_then(|floor| floor.rooms.first()).map(|room| room.name.clone());
    Description {
        name: name(&request.ask, seed),
        title: Some(title(floors.len(), usize::from(rooms), seed)),
        descends: request.descends,
        difficulty: request.difficulty,
        cycle: request.cycle,
        optimum: None,
        population: Population { empty: first.into_iter().collect(), ..Population::default() },
        floors,
    }
}

/// The kind of a floor's first room, if the table has it.
const FIRST: &str = "landing";
/// The kinds that the last floor's goal room may be of, as far as the table has them.
const GOAL: [&str; 2] = ["vault", USUAL];
/// Letters of the request in a tower's name.
const LONGEST_SLUG: usize = 50;

/// Rooms floor by floor: as many on each, the odd ones on the deeper floors.
fn dealt(rooms: usize, floors: usize) -> Vec<usize> {
    let (each, odd) = (rooms / floors, rooms % floors);
    (0..floors).map(|floor| each + usize::from(floor + odd >= floors)).collect()
}

/// What the rooms of a floor are to be.
struct Wanted<'a> {
    rooms: usize,
    is_last: bool,
    named: Vec<String>,
    unwanted: &'a [String],
}

/// The kinds of a floor's rooms, from the first to the goal. Those that are named stand anywhere between; of the others
/// none comes twice before each came once.
fn kinds_of(wanted: Wanted, kinds: &Kinds, rng: &mut ChaCha8Rng) -> Vec<String> {
    let Wanted { rooms, is_last, mut named, unwanted } = wanted;
    let is_wanted = |name: &str| !unwanted.iter().any(|other| other == name);
    let free: Vec<String> = kinds.names().into_iter().filter(|name| name != FIRST && is_wanted(name)).collect();
    let usual = || kinds.named(USUAL).or(kinds.kinds.last()).map(|kind| kind.name.clone()).unwrap_or_default();
    let first = kinds.named(FIRST).map_or_else(usual, |kind| kind.name.clone());
    let goal = is_last.then(|| {
        // A vault that was asked for is where the boss sits.
        let named = named.iter().position(|name| GOAL.contains(&name.as_str())).map(|at| named.remove(at));
        named.unwrap_or_else(|| {
            let goals: Vec<&str> =
                GOAL.into_iter().filter(|name| kinds.named(name).is_some() && is_wanted(name)).collect();
            let lot = rng.random_range(0..goals.len().max(1));
            goals.get(lot).map_or_else(usual, |name| (*name).to_owned())
        })
    });
    // What the words name, and the goal's kind, is not drawn besides, as long as there are others.
    let is_there = |kind: &String, between: &[String]| between.contains(kind) || goal.as_ref() == Some(kind);
    let places = rooms.saturating_sub(1 + usize::from(goal.is_some()));
    let mut between: Vec<String> = named.into_iter().take(places).collect();
    let mut stack: Vec<String> = Vec::new();
    while between.len() < places {
        if stack.is_empty() {
            stack.clone_from(&free);
            stack.shuffle(rng);
            stack.sort_by_key(|kind| !is_there(kind, &between));
        }
        between.push(stack.pop().unwrap_or_else(usual));
    }
    between.shuffle(rng);
    [first].into_iter().chain(between).chain(goal).collect()
}

/// A floor before its rooms have sizes.
struct Floor {
    number: usize,
    is_last: bool,
    rows: Vec<String>,
}

fn floor_plan(floor: Floor, request: &Request, names: &mut Names, rng: &mut ChaCha8Rng) -> FloorPlan {
    let count = floor.rows.len();
    let mut rooms = Vec::new();
    for (number, kind) in floor.rows.into_iter().enumerate() {
        let is_boss = floor.is_last && number + 1 == count;
        let (size, height) = match (number, is_boss) {
            (0, _) => ([rng.random_range(3..=5), rng.random_range(3..=4)], 2),
            (_, true) => ([rng.random_range(5..=7), rng.random_range(3..=5)], 3),
            _ => ([rng.random_range(3..=7), rng.random_range(3..=5)], height(rng)),
        };
        let name = match number {
            0 => names.landing(&kind, floor.number),
            _ => names.of(&kind, size, height, rng),
        };
        rooms.push(RoomPlan { name, size, kind: Some(kind), height, note: String::new() });
    }
    // The puzzle's gates need a way of their own into the boss's room.
    let into_goal = match floor.is_last {
        true if request.cycle.is_some() => Some(LinkKind::Corridor),
        true => Some(LinkKind::Narrow),
        false => None,
    };
    let links = links::draw(&rooms, links::Rule { floor: floor.number, into_goal }, rng);
    let goal = rooms.last().map(|room| room.name.clone());
    FloorPlan { name: None, rooms, links, goal, placed: Vec::new() }
}

/// Of ten rooms two are low and two are high.
fn height(rng: &mut ChaCha8Rng) -> u8 {
    match rng.random_range(0..10) {
        0..2 => 1,
        2..8 => 2,
        _ => 3,
    }
}

/// The tower's short name: the request's letters, and the seed.
fn name(ask: &str, seed: u64) -> String {
    let words = super::word::words_of(ask);
    let plain = words.iter().map(|word| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>());
    let mut name = String::new();
    for word in plain.filter(|word| !word.is_empty()) {
        if name.len() + word.len() > LONGEST_SLUG {
            break;
        }
        name += &word;
        name.push('-');
    }
    if name.is_empty() {
        name += "tower-";
    }
    format!("{name}{seed}")
}

fn title(floors: usize, rooms: usize, seed: u64) -> String {
    match floors {
        1 => format!("Tower of one floor with {rooms} rooms, seed {seed}"),
        _ => format!("Tower of {floors} floors with {rooms} rooms, seed {seed}"),
    }
}

#[cfg(test)]
mod tests;
