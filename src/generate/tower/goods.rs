//! What lies in a tower: what hands placed, gems and potions, dealt to the rooms of each floor. Knows nothing of doors.

use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::ground::{Ground, What};
use super::kind::item_named;
use super::locks::places;
use super::population::Rule;
use super::sheet::Square;
use super::site::RoomId;
use crate::game::{Gem, Item, ItemValues, Potion};

/// What items give in generated towers.
pub const VALUES: ItemValues = ItemValues {
    red_gem: 2,
    blue_gem: 2,
    green_gem: 0,
    red_potion: 30,
    blue_potion: 80,
    yellow_potion: 0,
    green_potion: 0,
    sword: 6,
    shield: 6,
};

/// Puts what hands placed: on their squares, or where the rule would. None if something finds no place.
pub fn put_by_hand(ground: &mut Ground<'_>, rule: &Rule<'_>) -> Option<()> {
    for floor in 0..ground.site.floors.len() {
        let plan = ground.site.plan(floor);
        for placed in &plan.placed {
            let room = plan.rooms.iter().position(|room| room.name == placed.room)?;
            let id = (floor, room);
            let what = what_named(&placed.what, rule)?;
            let standing = monsters_in(ground, id);
            let stated = placed.at.zip(ground.site.floors[floor].sheet.rooms[room]);
            let square = match (stated, what) {
                (Some(([x, y], place)), _) => (place.at.0 + i32::from(x), place.at.1 + i32::from(y)),
                (None, What::Monster(_)) => rule.square_for(ground, id, rule.kind_of(&plan.rooms[room]), &standing)?,
                (None, _) => *places(ground, id).first()?,
            };
            if !ground.free_squares(id).contains(&square) {
                return None;
            }
            ground.put(floor, square, what, false);
        }
    }
    Some(())
}

/// Where monsters stand in a room.
fn monsters_in(ground: &Ground<'_>, (floor, room): RoomId) -> Vec<Square> {
    let place = ground.site.floors[floor].sheet.rooms[room];
    let is_one = |square: &Square| matches!(ground.at(floor, *square), Some(What::Monster(_)));
    place.into_iter().flat_map(|place| place.squares()).filter(is_one).collect()
}

fn what_named(name: &str, rule: &Rule<'_>) -> Option<What> {
    let item = item_named(name).map(What::Item);
    let plate = (name == "plate").then_some(What::Plate);
    item.or(plate).or_else(|| rule.bestiary.named(name).map(What::Monster))
}

/// Deals gems and potions to the rooms of each floor: a red and a blue gem for every four rooms, potions the fewer the
/// harder the floor is, by the share of the rooms' kinds.
pub fn deal(ground: &mut Ground<'_>, rule: &Rule<'_>, rng: &mut ChaCha8Rng) {
    for floor in 0..ground.site.floors.len() {
        let rooms = ground.site.plan(floor).rooms.len();
        let difficulty = usize::from(ground.site.description.difficulty_of(floor));
        let gems = rooms.div_ceil(4);
        for gem in [Gem::Red, Gem::Blue] {
            for _ in 0..gems {
                deal_one(ground, floor, Item::Gem(gem), |_| 1.0, rng);
            }
        }
        let red = (rooms * (8 - difficulty)).div_ceil(24);
        let blue = (rooms * (7 - difficulty)) / 60;
        for (potion, count) in [(Potion::Red, red), (Potion::Blue, blue)] {
            for _ in 0..count {
                let plan = ground.site.plan(floor);
                deal_one(ground, floor, Item::Potion(potion), |room| rule.kind_of(&plan.rooms[room]).potions, rng);
            }
        }
    }
}

/// How many times as likely something lies in a room as in one that anybody walks into: what is worth something lies behind
/// what bars the way.
fn guarded(ground: &Ground<'_>, id: RoomId) -> u32 {
    let Some(way) = ground.site.way_in(id) else { return 1 };
    let barred = |square: &Square| !matches!(ground.at(id.0, *square), None | Some(What::Item(_)));
    let mouth = way.squares.last().and_then(|last| ground.site.floors[id.0].sheet.mouth(id.1, *last));
    if way.squares.iter().chain(&mouth).any(barred) { 3 } else { 1 }
}

/// Puts an item into a room of a floor that has a place for it; not into the first one or the boss's.
fn deal_one(ground: &mut Ground<'_>, floor: usize, item: Item, share: impl Fn(usize) -> f64, rng: &mut ChaCha8Rng) {
    let boss = ground.site.boss_room();
    let rooms: Vec<(usize, u32)> = (0..ground.site.plan(floor).rooms.len())
        .filter(|room| (floor, *room) != (0, 0) && (floor, *room) != boss)
        .filter(|room| !places(ground, (floor, *room)).is_empty())
        // Whole numbers, so that the lots are the same everywhere.
        .map(|room| (room, (share(room).clamp(0.0, 1_000.0) * 1_000.0).round() as u32 * guarded(ground, (floor, room))))
        .collect();
    let Ok((room, _)) = rooms.choose_weighted(rng, |(_, weight)| *weight) else { return };
    let id = (floor, *room);
    if let Some(square) = places(ground, id).choose(rng).copied() {
        ground.put(floor, square, What::Item(item), true);
    }
}
