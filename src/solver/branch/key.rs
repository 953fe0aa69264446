//! What tells states apart: everything but HP, in words of 64 bits, with a hash of them.

use crate::game::{CellIndex, CellSet, Colour, Item, State, Tile};

use super::ground::{Ground, NO_SLOT};

/// The key of a state. Two states with the same words are the same but for their HP, turn and where the hero stands.
pub(super) type Key = Box<[u64]>;

/// A Zobrist hash of a key: each word, with its place, stands for a random number; those are added bit by bit. Keys
/// with the same hash are not taken to be the same.
pub(super) fn hash(key: &[u64]) -> u64 {
    key.iter().enumerate().fold(0, |sum, (place, word)| sum ^ random(*word ^ random(place as u64 + 1)))
}

/// The number that follows a seed in the sequence of `SplitMix64`.
fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The key of a state of any tower: all of it but HP, unless those count, and the turn. Of where the hero stands, one
/// tile of his region says enough, and the floor, which arrivals ask for; but on a tile that one does not walk over
/// freely, or while he is asked, the tile itself counts.
fn whole(ground: &Ground, state: &State) -> Key {
    let mut words = Vec::new();
    let hero = &state.hero;
    let graph = ground.game.graph();
    let stands = |cell: &CellIndex| {
        let walked = matches!(ground.game.tile_now(state, *cell), Tile::Floor | Tile::Stair(_));
        state.pending.is_some() || !walked || graph.leads(*cell) != *cell
    };
    let at = graph.cell(state.at).filter(stands);
    words.extend([state.region.iter().next(), at].map(|cell| cell.map_or(u64::MAX, u64::from)));
    words.push(state.at.floor.into());
    words.extend([hero.atk, hero.def, hero.mdef, hero.gold, hero.experience].map(|number| number as u64));
    words.extend(Colour::ALL.map(|colour| hero.keys[colour] as u64));
    let marks = hero.marks;
    words.extend([u64::from(marks.cross), u64::from(marks.coin), u64::from(marks.curse), marks.hatred as u64]);
    words.extend(state.purchases.map(u64::from));
    words.extend(state.variables.iter().map(|number| *number as u64));
    if !ground.hp_counts.is_empty() {
        words.push(hero.hp as u64);
    }
    // Lists of any length say first how long they are.
    words.push(state.exits.len() as u64);
    words.extend(state.exits.iter().map(|cell| u64::from(*cell)));
    for set in [&state.cleared, &state.hidden, &state.past] {
        words.push(set.len() as u64);
        words.extend(set.iter().map(u64::from));
    }
    words.push(state.changed.len() as u64);
    words.extend(state.changed.iter().flat_map(|(cell, tile)| [u64::from(*cell), number_of(*tile)]));
    if let Some(pending) = &state.pending {
        words.extend([u64::from(pending.choice), graph.cell(pending.at).map_or(u64::MAX, u64::from)]);
        words.extend(pending.then.iter().map(|place| u64::from(*place)));
        words.push(pending.then.len() as u64);
    }
    words.push(u64::from(state.pending.is_some()));
    for monster in state.monsters.iter().flat_map(|table| table.iter()) {
        let numbers = [monster.hp, monster.atk, monster.def, monster.gold, monster.experience];
        words.extend(numbers.map(|number| number as u64));
    }
    words.push(u64::from(state.monsters.is_some()));
    words.into()
}

/// A number for each tile.
fn number_of(tile: Tile) -> u64 {
    let (kind, which) = match tile {
        Tile::Floor => (0, 0),
        Tile::Wall => (1, 0),
        Tile::Door(colour) => (2, colour as u64),
        Tile::Monster(id) => (3, id.into()),
        Tile::Stair(way) => (4, way as u64),
        Tile::Shop => (5, 0),
        Tile::Gate(id) => (6, id.into()),
        Tile::Event => (7, 0),
        Tile::Figure => (8, 0),
        Tile::Item(Item::Key(colour)) => (9, colour as u64),
        Tile::Item(Item::Gem(gem)) => (10, gem as u64),
        Tile::Item(Item::Potion(potion)) => (11, potion as u64),
        Tile::Item(Item::Sword) => (12, 0),
        Tile::Item(Item::Shield) => (13, 0),
        Tile::Item(Item::Thing(id)) => (14, id.into()),
    };
    kind << 32 | which
}

/// What of a state of a plain tower follows from its tiles.
///
/// An obstacle in reach is *spent* if every tile beside it can be walked to or is an obstacle in reach: clearing it
/// gives nothing and opens nothing, now and later. A monster is never spent where its gold buys something or fights heal;
/// the boss never is. A key counts spent obstacles as cleared: the same can follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// Cleared or spent tiles, by slot.
    gone: Vec<u64>,
    /// Doors of each colour that are neither.
    pub doors: [i64; 4],
    frontier: Vec<CellIndex>,
    seen: CellSet,
    /// Whether spent obstacles count as cleared.
    merges: bool,
}

impl Scene {
    /// Looks at a state.
    pub(super) fn look(&mut self, ground: &Ground, state: &State) {
        if !ground.plain {
            return;
        }
        let graph = ground.game.graph();
        self.gone.clear();
        self.gone.resize(ground.slot_count.div_ceil(64), 0);
        self.doors = [0; 4];
        self.merges = !ground.without.forced;
        self.seen = CellSet::empty(graph.len());
        self.frontier.clear();
        for cell in state.region.iter() {
            for &next in graph.neighbours(cell) {
                if !state.region.contains(next) && self.seen.insert(next) {
                    self.frontier.push(next);
                }
            }
        }
        for cell in state.cleared.iter() {
            self.take(ground, cell);
        }
        for index in 0..self.frontier.len() {
            let cell = self.frontier[index];
            if self.is_spent(ground, state, cell) {
                self.take(ground, cell);
            }
        }
        for (cell, slot) in ground.slots.iter().enumerate() {
            if let Tile::Door(colour) = graph.tile(cell as CellIndex)
                && !self.is_gone(*slot)
            {
                self.doors[colour as usize] += 1;
            }
        }
    }

    /// Whether clearing an obstacle gives nothing, as far as the scene that was looked at last goes.
    pub(super) fn is_spent(&self, ground: &Ground, state: &State, cell: CellIndex) -> bool {
        let graph = ground.game.graph();
        let spendable = match graph.tile(cell) {
            Tile::Door(_) => true,
            Tile::Monster(id) => !ground.bosses.contains(&cell) && !ground.heals && ground.is_poor(id),
            _ => false,
        };
        let known = |next: &CellIndex| state.region.contains(*next) || self.seen.contains(*next);
        self.merges && spendable && graph.neighbours(cell).iter().all(known)
    }

    /// The key of the state that was looked at, and a number that grows with every decision.
    pub(super) fn key(&self, ground: &Ground, state: &State) -> (Key, u32) {
        if !ground.plain {
            return (whole(ground, state), state.turn);
        }
        let mut words = Vec::with_capacity(self.gone.len() + 9);
        words.extend_from_slice(&self.gone);
        for colour in Colour::ALL {
            // Keys that no door needs are not counted.
            words.push(state.hero.keys[colour].min(self.doors[colour as usize]) as u64);
        }
        words.extend(state.purchases.iter().map(|count| u64::from(*count)));
        if !ground.hp_counts.is_empty() {
            words.push(state.hero.hp as u64);
        }
        let decided: u32 = self.gone.iter().map(|word| word.count_ones()).sum();
        (words.into(), decided.saturating_add(state.purchase_count()))
    }

    fn take(&mut self, ground: &Ground, cell: CellIndex) {
        let slot = ground.slots[cell as usize];
        if slot != NO_SLOT {
            self.gone[slot as usize / 64] |= 1 << (slot % 64);
        }
    }

    fn is_gone(&self, slot: u32) -> bool {
        slot == NO_SLOT || self.gone[slot as usize / 64] >> (slot % 64) & 1 != 0
    }
}
