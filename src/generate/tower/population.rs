//! Who lives in the rooms, by the rule of their kinds: monsters, caches and plates. Knows what a room is; what its
//! monsters are worth in HP is the bestiary's affair.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::bestiary::Bestiary;
use super::description::{LinkKind, RoomPlan};
use super::ground::{Ground, What};
use super::kind::{Kind, Kinds, item_named};
use super::sheet::{Cut, Square, apart, beside};
use super::site::RoomId;

/// What the rule needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'t> {
    /// Kinds of rooms.
    pub kinds: &'t Kinds,
    /// Types of monsters.
    pub bestiary: &'t Bestiary,
    /// The tower's seed.
    pub seed: u64,
}

impl Rule<'_> {
    /// Puts what the rule asks for into every room but the first and the boss's. What was placed by hand stays, and a room
    /// in which a hand placed monsters, items or plates gets none of these by rule.
    pub fn populate(&self, ground: &mut Ground<'_>) {
        for floor in 0..ground.site.floors.len() {
            for room in 0..ground.site.plan(floor).rooms.len() {
                let id = (floor, room);
                let plan = &ground.site.plan(floor).rooms[room];
                let is_empty = ground.site.description.population.empty.contains(&plan.name);
                if id == (0, 0) || id == ground.site.boss_room() || is_empty {
                    continue;
                }
                let mut rng = self.draws_of(ground, id);
                let kind = self.kind_of(plan);
                // All lots are drawn, so that what a hand places in a room changes nothing else in it.
                let (cache, plate) = (chance(kind.cache, &mut rng), chance(kind.plate, &mut rng));
                let held = kind.holds.choose(&mut rng).and_then(|name| item_named(name));
                let by_hand = |what: fn(&What) -> bool| {
                    let room = ground.site.floors[floor].sheet.rooms[room];
                    let within = |square: &Square| room.is_some_and(|room| room.contains(*square));
                    ground.placed[floor].iter().any(|(square, placed)| within(square) && what(&placed.what))
                };
                let items = by_hand(|what| matches!(what, What::Item(_)));
                let plates = by_hand(|what| *what == What::Plate);
                let monsters = by_hand(|what| matches!(what, What::Monster(_)));
                if let Some(item) = held.filter(|_| cache && !items) {
                    cut_cache(ground, id, item, &mut rng);
                }
                if plate && !plates {
                    self.put_plate(ground, id);
                }
                if !monsters {
                    self.put_monsters(ground, id, kind, &mut rng);
                }
            }
        }
    }

    /// The kind of a room; all are known to have one before anything is drawn.
    pub fn kind_of(&self, plan: &RoomPlan) -> &Kind {
        self.kinds.of(plan.kind.as_deref(), &plan.note, &plan.name).unwrap_or(&self.kinds.kinds[0])
    }

    /// The draws of a room: from the tower, the room and the block's seed.
    fn draws_of(&self, ground: &Ground<'_>, (floor, room): RoomId) -> ChaCha8Rng {
        let description = ground.site.description;
        let names = [description.name.as_bytes(), &[0], ground.site.plan(floor).rooms[room].name.as_bytes()].concat();
        let numbers = [self.seed.to_le_bytes(), description.population.seed.to_le_bytes()].concat();
        ChaCha8Rng::seed_from_u64(fnv(&[names, numbers].concat()))
    }

    /// As many monsters as the room's squares and its kind ask for, each on the square that bars something if there is
    /// one, sees most of the way in, and lies farthest from the others.
    fn put_monsters(&self, ground: &mut Ground<'_>, id: RoomId, kind: &Kind, rng: &mut ChaCha8Rng) {
        let population = &ground.site.description.population;
        let size = ground.site.plan(id.0).rooms[id.1].size;
        let area = f64::from(size[0]) * f64::from(size[1]);
        let wanted = (area * kind.monsters / f64::from(population.squares.max(1))).round() as u16;
        let (least, most) = (population.least.min(population.most), population.most);
        let mut standing = Vec::new();
        for _ in 0..wanted.clamp(least, most) {
            let Some(square) = self.square_for(ground, id, kind, &standing) else { break };
            let Some(row) = self.type_for(ground, id, square, rng) else { break };
            ground.put(id.0, square, What::Monster(row), true);
            standing.push(square);
        }
    }

    /// The square for a room's next monster.
    pub fn square_for(&self, ground: &Ground<'_>, id: RoomId, kind: &Kind, others: &[Square]) -> Option<Square> {
        let (floor, _) = id;
        let way_in = way_in(ground, id);
        let bars = barring(ground, id);
        let candidates = ground.free_squares(id).into_iter().filter(|square| ground.is_quiet(floor, *square));
        let scored = candidates.map(|square| {
            let sees = |other: &&Square| {
                apart(**other, square) <= i32::from(kind.light) && ground.sees(floor, square, **other)
            };
            let seen = way_in.iter().filter(sees).count();
            let from_others = others.iter().map(|other| apart(*other, square)).min().unwrap_or_default();
            let to_way = way_in.last().map_or(0, |last| apart(*last, square));
            ((bars.contains(&square), seen, from_others, -to_way, std::cmp::Reverse(square)), square)
        });
        scored.max().map(|(_, square)| square)
    }

    /// A type that lives on the floor and fits under the room's ceiling, and in the mouth of a crawl only a low one.
    fn type_for(&self, ground: &Ground<'_>, id: RoomId, square: Square, rng: &mut ChaCha8Rng) -> Option<usize> {
        let (floor, room) = id;
        let plan = &ground.site.plan(floor).rooms[room];
        let before_crawl = beside(square).into_iter().any(|other| {
            let sheet = &ground.site.floors[floor].sheet;
            matches!(sheet.cut(other), Some(Cut::Way(way)) if ground.site.kind(floor, &sheet.ways[way]) == LinkKind::Crawl)
        });
        let tallest = if before_crawl { 1 } else { plan.height };
        let difficulty = ground.site.description.difficulty_of(floor);
        let weights = ground.site.description.population.floors.get(&(floor + 1).to_string());
        let weight = |row: usize| {
            let kind = &self.bestiary.types[row];
            let asked = |weights: &std::collections::BTreeMap<String, u16>| -> u64 {
                weights
                    .iter()
                    .filter(|(name, _)| self.bestiary.named(name) == Some(row))
                    .map(|(_, weight)| u64::from(*weight))
                    .sum()
            };
            match weights {
                _ if kind.height > tallest => 0,
                Some(weights) => asked(weights),
                None if kind.lives_at(difficulty) => kind.weight.into(),
                None => 0,
            }
        };
        let rows: Vec<(usize, u64)> = (0..self.bestiary.types.len()).map(|row| (row, weight(row))).collect();
        rows.choose_weighted(rng, |(_, weight)| *weight).ok().map(|(row, _)| *row)
    }

    /// A plate where it bars something; nowhere if there is no such square.
    fn put_plate(&self, ground: &mut Ground<'_>, id: RoomId) {
        let free = ground.free_squares(id);
        let square = barring(ground, id).into_iter().find(|square| free.contains(square));
        if let Some(square) = square {
            ground.put(id.0, square, What::Plate, true);
        }
    }
}

/// The squares of the way by which a room is entered, from afar to near.
fn way_in(ground: &Ground<'_>, id: RoomId) -> Vec<Square> {
    match ground.site.way_in(id) {
        Some(way) => way.squares.clone(),
        None => ground.site.floors[id.0].arrival.into_iter().collect(),
    }
}

/// Squares of a room that bar something: before its caches, in the mouth of the way in unless that is a corridor, and in
/// the mouths of narrow ways and crawls that lead on.
fn barring(ground: &Ground<'_>, (floor, room): RoomId) -> Vec<Square> {
    let sheet = &ground.site.floors[floor].sheet;
    let bars = |square: &Square| {
        beside(*square).into_iter().any(|other| match sheet.cut(other) {
            Some(Cut::Nook(_)) => matches!(ground.at(floor, other), Some(What::Item(_))),
            Some(Cut::Way(way)) => {
                let way = &sheet.ways[way];
                let kind = ground.site.kind(floor, way);
                let leads_in = way.rooms.1 == room;
                kind == LinkKind::Narrow || kind == LinkKind::Crawl || (leads_in && kind == LinkKind::Door)
            }
            _ => false,
        })
    };
    sheet.rooms[room].into_iter().flat_map(|place| place.squares()).filter(bars).collect()
}

/// Cuts an alcove of a room and puts an item there.
fn cut_cache(ground: &mut Ground<'_>, id: RoomId, item: crate::game::Item, rng: &mut ChaCha8Rng) {
    let (floor, room) = id;
    let sheet = &ground.site.floors[floor].sheet;
    let mouths = ground.mouths(id);
    let mut edges: Vec<Square> = sheet.edges(room);
    edges.retain(|edge| sheet.mouth(room, *edge).is_some_and(|mouth| !mouths.contains(&mouth)));
    edges.shuffle(rng);
    if let Some(edge) = edges.first() {
        ground.site.floors[floor].sheet.cut_as(&[*edge], Cut::Nook(room));
        ground.put(floor, *edge, What::Item(item), true);
    }
}

fn chance(share: f64, rng: &mut ChaCha8Rng) -> bool {
    rng.random_bool(share.clamp(0.0, 1.0))
}

/// A number for some bytes (FNV-1a), the same everywhere.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
