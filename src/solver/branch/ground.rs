//! What of a game is the same in all its states: found once, before a search.

use std::fmt;

use crate::game::{Ability, CellIndex, Game, Hero, Item, MonsterId, Purchase, State, Tile};
use crate::solver::assumption::Assumptions;
use crate::solver::error::SolveError;

use super::Without;
use super::least::Harmless;
use super::survey::{Gain, Stands};

/// Stands for no place in a key.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// A reason why more HP may be worse than less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A vampire that takes more than all HP, or adds what it takes to its own: its name.
    Vampire(String),
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::Vampire(name) => write!(f, "{name} takes more than all HP or adds what it takes to its own"),
        }
    }
}

/// A game with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub game: Game,
    pub without: Without,
    /// Whether the rules of plain towers hold: what is cleared determines the rest.
    pub plain: bool,
    /// Whether doing at once what costs nothing is never worse than doing it later.
    pub ordered: bool,
    /// Whether a fight can heal.
    pub heals: bool,
    /// Why HP belong to the key; empty if they do not.
    pub hp_counts: Vec<Reading>,
    /// Where the boss stands.
    pub boss: Option<CellIndex>,
    /// Each tile's place in the keys of plain towers.
    pub slots: Vec<u32>,
    /// How many places there are.
    pub slot_count: usize,
    pub sales: Sales,
    harmless: Vec<Harmless>,
}

impl Ground {
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    pub(super) fn new(game: &Game, without: Without) -> Result<Self, SolveError> {
        let tower = game.tower();
        let plain = tower.is_plain();
        let hp_counts = readings(game);
        let ordered = match Assumptions::of(game) {
            Ok(assumptions) => plain && assumptions.hold(),
            Err(SolveError::NotExact(_)) => false,
            Err(error) => return Err(error),
        };
        let mut slots = vec![NO_SLOT; game.graph().len()];
        let mut slot_count = 0;
        for (cell, slot) in slots.iter_mut().enumerate() {
            if matches!(game.graph().tile(cell as CellIndex), Tile::Door(_) | Tile::Monster(_) | Tile::Item(_)) {
                *slot = slot_count as u32;
                slot_count += 1;
            }
        }
        Ok(Ground {
            game: game.clone(),
            without,
            plain,
            ordered,
            heals: tower.rules.negative_damage,
            hp_counts,
            boss: tower.bosses().next().and_then(|at| game.graph().cell(at)),
            slots,
            slot_count,
            sales: Sales::new(game),
            harmless: tower.monsters.iter().map(|monster| Harmless::new(monster, tower.rules)).collect(),
        })
    }

    /// What a tile gives, at most, to whoever clears it.
    pub(super) fn gain(&self, tile: Tile) -> Gain {
        match tile {
            Tile::Item(Item::Thing(id)) => self
                .game
                .tower()
                .things
                .get(usize::from(id))
                .map_or(Gain::default(), |thing| Gain::of_hero(&thing.gain)),
            Tile::Item(item) => {
                let given = self.game.tower().items.give(&Hero::default(), item);
                given.map_or(Gain::default(), |given| Gain::of_hero(&given))
            }
            Tile::Monster(id) => Gain { gold: self.game.monster(id).gold, ..Gain::default() },
            _ => Gain::default(),
        }
    }

    /// What stands on a tile.
    pub(super) fn stands(&self, state: &State, cell: CellIndex) -> Stands {
        match self.game.tile_now(state, cell) {
            tile @ (Tile::Door(_) | Tile::Monster(_)) => Stands::Obstacle(tile),
            Tile::Wall => Stands::Wall,
            _ => Stands::Nothing,
        }
    }

    /// The least that a fight costs at attributes up to these; none if it cannot be won.
    pub(super) fn least(&self, monster: MonsterId, points: [i64; 3]) -> Option<i64> {
        self.harmless.get(usize::from(monster)).map_or(Some(0), |harmless| harmless.least(points))
    }

    /// Whether a monster's gold is worth nothing, because nothing is sold.
    pub(super) fn is_poor(&self, monster: MonsterId) -> bool {
        !self.sales.any() || self.game.monster(monster).gold == 0
    }
}

/// Why more HP may be worse than less.
fn readings(game: &Game) -> Vec<Reading> {
    let adds = |ability| matches!(ability, Ability::Vampire { ratio, add } if ratio.exceeds_one() || add);
    let monsters = game.tower().monsters.iter().filter(|monster| monster.abilities.iter().any(adds));
    monsters.map(|monster| Reading::Vampire(monster.name.clone())).collect()
}

/// What shops sell, and what a number of purchases costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Sales {
    /// Points that one purchase gives: HP, ATK, DEF, MDEF.
    pub amounts: [i64; 4],
    /// Gold for the first so many purchases; empty where nothing is sold.
    sums: Vec<i64>,
}

impl Sales {
    /// Purchases that are counted, at most.
    const MOST: u32 = 1 << 16;

    fn new(game: &Game) -> Self {
        let tower = game.tower();
        let stands = tower.tiles().any(|(_, tile)| tile == Tile::Shop);
        let Some(shop) = tower.shop.as_ref().filter(|_| stands) else { return Sales::default() };
        let amounts = Purchase::ALL.map(|purchase| shop.amount(purchase));
        let mut sums = Vec::new();
        if amounts.iter().any(|amount| *amount > 0) {
            let mut sum: i64 = 0;
            sums.push(sum);
            for made in 0..Sales::MOST {
                match shop.price(made).and_then(|price| sum.checked_add(price)) {
                    Some(more) => sum = more,
                    None => break,
                }
                sums.push(sum);
            }
        }
        Sales { amounts, sums }
    }

    /// Whether anything is sold.
    pub(super) fn any(&self) -> bool {
        !self.sums.is_empty()
    }

    /// How many more purchases an amount of gold pays for after `made` of them; none if that is not known.
    pub(super) fn affordable(&self, gold: i64, made: u32) -> Option<i64> {
        if !self.any() {
            return Some(0);
        }
        let paid = *self.sums.get(made as usize)?;
        let up_to = self.sums.partition_point(|sum| *sum - paid <= gold);
        (up_to < self.sums.len()).then(|| (up_to as i64 - 1 - i64::from(made)).max(0))
    }
}
