//! The symbols of one tower: those that stand for the same on every map, and those of its own tables. Knows nothing of
//! where they stand.

use std::collections::BTreeMap;

use super::read::StatedItems;
use crate::format::legend;
use crate::game::{Gate, GateId, Item, Monster, MonsterId, Thing, ThingId, Tile, Tower};

/// What a reader knows of the symbols of a tower.
pub(super) struct Symbols<'t> {
    monsters: BTreeMap<&'t str, MonsterId>,
    things: BTreeMap<&'t str, ThingId>,
    gates: BTreeMap<&'t str, GateId>,
    /// What the file says that items give.
    pub items: &'t StatedItems,
    /// Whether the file says what shops sell.
    pub has_shop: bool,
}

impl<'t> Symbols<'t> {
    /// The symbols of these tables.
    pub(super) fn new(
        monsters: &'t [Monster],
        things: &'t [Thing],
        gates: &'t [Gate],
        items: &'t StatedItems,
        has_shop: bool,
    ) -> Self {
        Symbols {
            monsters: monsters.iter().zip(0..).map(|(monster, id)| (monster.symbol.as_str(), id)).collect(),
            things: things.iter().zip(0..).map(|(thing, id)| (thing.symbol.as_str(), id)).collect(),
            gates: gates.iter().zip(0..).map(|(gate, id)| (gate.symbol.as_str(), id)).collect(),
            items,
            has_shop,
        }
    }

    /// The row of a monster; none if the table has none of this symbol.
    pub(super) fn monster(&self, symbol: &str) -> Option<MonsterId> {
        self.monsters.get(symbol).copied()
    }

    /// The tile of a symbol; none if it is unknown or has no row. The hero's own is none here.
    pub(super) fn tile(&self, symbol: &str) -> Option<Tile> {
        let own = || {
            let monster = || self.monster(symbol).map(Tile::Monster);
            let thing = || self.things.get(symbol).map(|id| Tile::Item(Item::Thing(*id)));
            let gate = || self.gates.get(symbol).map(|id| Tile::Gate(*id));
            monster().or_else(thing).or_else(gate)
        };
        legend::tile(symbol).filter(|_| symbol != legend::HERO).or_else(own)
    }

    /// The symbols of monsters, in order.
    pub(super) fn monsters(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.monsters.keys().copied()
    }

    /// The key under `[items]` that should say what a tile gives and does not.
    pub(super) fn unsaid(&self, tile: Tile) -> Option<&'static str> {
        let Tile::Item(item) = tile else { return None };
        super::read::value_key(item).filter(|key| !self.items.keys.contains(key))
    }
}

/// The table that a symbol's row stands in, with its singular; none if the symbol needs no row.
pub(super) fn table_of(symbol: &str) -> Option<(&'static str, &'static str)> {
    match symbol {
        monster if legend::is_monster(monster) => Some(("monsters", "monster")),
        thing if legend::is_thing(thing) => Some(("things", "item")),
        gate if legend::is_gate(gate) => Some(("gates", "door")),
        _ => None,
    }
}

/// The symbol of a tile of this tower; `?` if it has none.
pub(super) fn symbol(tower: &Tower, tile: Tile) -> &str {
    let own = match tile {
        Tile::Monster(id) => tower.monsters.get(usize::from(id)).map(|monster| monster.symbol.as_str()),
        Tile::Item(Item::Thing(id)) => tower.things.get(usize::from(id)).map(|thing| thing.symbol.as_str()),
        Tile::Gate(id) => tower.gates.get(usize::from(id)).map(|gate| gate.symbol.as_str()),
        other => legend::symbol(other),
    };
    own.unwrap_or("?")
}
