//! What of a game is the same in all its states: found once, before a search.

use std::fmt;

use crate::game::{
    Ability, CellIndex, Colour, Expression, Game, Instruction, MonsterId, Operator, Purchase, Quantity, Script, State,
    Target, Tile, Trigger, script,
};
use crate::solver::assumption::Assumptions;
use crate::solver::error::SolveError;

use super::Without;
use super::least::Harmless;
use super::outlook::{Happenings, Outlook};
use super::survey::{Gain, Stands};

/// Stands for no place in a key.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// A reason why more HP may be worse than less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A vampire that takes more than all HP, or adds what it takes to its own: its name.
    Vampire(String),
    /// An event that asks for HP: where, or of which thing.
    Event(String),
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::Event(which) => write!(f, "{which} asks for HP"),
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
    /// Where bosses stand at the start.
    pub bosses: Vec<CellIndex>,
    /// Each tile's place in the keys of plain towers.
    pub slots: Vec<u32>,
    /// How many places there are.
    pub slot_count: usize,
    pub sales: Sales,
    /// What its scripts can do.
    pub happenings: Happenings,
    /// Why no bound is known, if none is.
    pub objection: Option<String>,
    /// Whether the hero always has 1 HP at least.
    pub mortal: bool,
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
        let happenings = Happenings::new(game);
        let negative = happenings.attributes_may_be_negative(game);
        let odd = tower.monsters.iter().any(Harmless::takes_a_share);
        let objection = happenings.objection(game).or_else(|| {
            let heals = negative && odd && tower.rules.negative_damage;
            heals.then(|| "attributes may be below 0, and fights can heal".into())
        });
        Ok(Ground {
            objection,
            happenings,
            mortal: tower.things.iter().all(|thing| thing.gain.hp >= 0),
            game: game.clone(),
            without,
            plain,
            ordered,
            heals: tower.rules.negative_damage,
            hp_counts,
            bosses: tower.bosses().filter_map(|at| game.graph().cell(at)).collect(),
            slots,
            slot_count,
            sales: Sales::new(game),
            harmless: tower.monsters.iter().map(|monster| Harmless::new(monster, tower.rules, negative)).collect(),
        })
    }

    /// What a tile gives, at most, to whoever clears it.
    pub(super) fn gain(&self, tile: Tile) -> Gain {
        match tile {
            Tile::Item(_) | Tile::Monster(_) => self.happenings.gain(&self.game, tile),
            _ => Gain::default(),
        }
    }

    /// The tile that may be met at a place: where something may change, also what is switched off.
    pub(super) fn tile(&self, outlook: &Outlook, state: &State, cell: CellIndex) -> Tile {
        let hidden = !self.plain && state.hidden.contains(cell) && outlook.changing.contains(cell);
        if !hidden || state.cleared.contains(cell) {
            return self.game.tile_now(state, cell);
        }
        match state.changed.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(index) => state.changed[index].1,
            Err(_) => self.game.graph().tile(cell),
        }
    }

    /// What stands on a tile.
    pub(super) fn stands(&self, outlook: &Outlook, state: &State, cell: CellIndex) -> Stands {
        if !self.plain && outlook.changing.contains(cell) {
            return Stands::Nothing;
        }
        match self.game.tile_now(state, cell) {
            tile @ (Tile::Door(_) | Tile::Monster(_) | Tile::Figure) => Stands::Obstacle(tile),
            Tile::Gate(id) => match self.game.tower().gates.get(usize::from(id)) {
                Some(gate) if !gate.by_event => Stands::Obstacle(Tile::Gate(id)),
                _ => Stands::Wall,
            },
            Tile::Wall => Stands::Wall,
            _ => Stands::Nothing,
        }
    }

    /// Keys that an obstacle takes, in the order of `Colour::ALL`.
    pub(super) fn toll(&self, obstacle: Option<Tile>) -> [i64; 4] {
        let mut toll = [0; 4];
        match obstacle {
            Some(Tile::Door(colour)) => toll[colour as usize] = 1,
            Some(Tile::Gate(id)) => {
                if let Some(gate) = self.game.tower().gates.get(usize::from(id)) {
                    toll = Colour::ALL.map(|colour| gate.keys[colour]);
                }
            }
            _ => {}
        }
        toll
    }

    /// The least that a fight costs at attributes up to these; none if it cannot be won.
    pub(super) fn least(&self, monster: MonsterId, points: [i64; 3]) -> Option<i64> {
        if self.happenings.ranges.is_altered(monster) {
            return Some(0);
        }
        self.harmless.get(usize::from(monster)).map_or(Some(0), |harmless| harmless.least(points))
    }

    /// Whether a monster's gold is worth nothing, because nothing is sold.
    pub(super) fn is_poor(&self, monster: MonsterId) -> bool {
        !self.sales.any() || self.game.monster(monster).gold == 0
    }
}

/// Why more HP may be worse than less.
fn readings(game: &Game) -> Vec<Reading> {
    let tower = game.tower();
    let adds = |ability| matches!(ability, Ability::Vampire { ratio, add } if ratio.exceeds_one() || add);
    let monsters = tower.monsters.iter().filter(|monster| monster.abilities.iter().any(adds));
    let mut readings: Vec<Reading> = monsters.map(|monster| Reading::Vampire(monster.name.clone())).collect();
    for event in &tower.events {
        let asks = matches!(&event.trigger, Trigger::When { condition, .. } if reads_hp(condition));
        if asks || script::all(&event.script).into_iter().any(asks_hp) {
            readings.push(Reading::Event(format!("the event at {}", event.at)));
        }
    }
    for thing in tower.things.iter().filter(|thing| script::all(&thing.script).into_iter().any(asks_hp)) {
        readings.push(Reading::Event(thing.name.clone()));
    }
    readings
}

/// Whether what an instruction does depends on HP so that more may be worse. HP that are set to what rises with HP, or
/// does not depend on them, are no more for less.
fn asks_hp(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Set { target: Target::Hero(Quantity::Hp), value } => !rises_with_hp(value),
        other => other.expressions().into_iter().any(reads_hp),
    }
}

fn reads_hp(expression: &Expression) -> bool {
    expression.parts().contains(&&Expression::Hero(Quantity::Hp))
}

/// Whether a value is never less for more HP, all else being the same.
fn rises_with_hp(value: &Expression) -> bool {
    match value {
        Expression::Operation(left, operator, right) => match operator {
            Operator::Plus | Operator::Least | Operator::Most => rises_with_hp(left) && rises_with_hp(right),
            Operator::Minus => rises_with_hp(left) && !reads_hp(right),
            Operator::Times | Operator::Over => match &**right {
                Expression::Number(by) if by.numerator() >= 0 => rises_with_hp(left),
                _ => !reads_hp(value),
            },
            _ => !reads_hp(value),
        },
        Expression::Floor(inner) => rises_with_hp(inner),
        Expression::Hero(Quantity::Hp) => true,
        other => !reads_hp(other),
    }
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
        let puts = |script: &Script| {
            script::all(script).iter().any(|each| matches!(each, Instruction::Put { tile: Tile::Shop, .. }))
        };
        let scripts = tower.events.iter().map(|event| &event.script);
        let stands = tower.tiles().any(|(_, tile)| tile == Tile::Shop)
            || scripts.chain(tower.things.iter().map(|thing| &thing.script)).any(puts);
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
