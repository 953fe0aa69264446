//! What a number on a tile is there, with what the floor's file says of that tile: the tile of the game.

use super::block::Block;
use super::build::{Builder, Why};
use super::instruct::acts;
use super::literal::{Kind, Value};
use crate::game::{Position, StairWay, Tile};

/// What a block does on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Open floor.
    Open,
    /// Never passable.
    Wall,
    /// Fought.
    Monster,
    /// Collected.
    Item,
    /// Opened.
    Door,
    /// Starts its event: in the way, or stepped onto.
    Event {
        /// Whether it is in the way.
        figure: bool,
    },
    /// Fought, after an event of its own.
    Ambush,
    /// Leads elsewhere.
    Way {
        /// Whether it is in the way.
        figure: bool,
    },
}

/// What `events` says of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<'p> {
    /// Its instructions.
    pub data: Option<&'p Value>,
    /// Whether it is switched off at first.
    pub hidden: bool,
    /// What the engine starts instead of what the block says.
    pub trigger: Option<&'p str>,
    /// Whether it is in the way, if it says so.
    pub in_the_way: Option<bool>,
}

impl<'p> Builder<'p> {
    /// What `events` says of a tile; none if nothing.
    pub fn cell(&self, at: Position) -> Option<Cell<'p>> {
        let value = *self.floors.get(usize::from(at.floor))?.cells.get(&(at.x, at.y))?;
        let is_object = matches!(value.kind, Kind::Object(_)) && value.get("type").is_none();
        Some(match is_object {
            false => Cell { data: Some(value), hidden: false, trigger: None, in_the_way: None },
            true => Cell {
                data: value.get("data"),
                hidden: value.get("enable").is_some_and(|enable| !enable.counts_as_true()),
                trigger: value.text_of("trigger"),
                in_the_way: value.get("noPass").map(Value::counts_as_true),
            },
        })
    }

    /// What `changeFloor` says of a tile.
    pub fn leave(&self, at: Position) -> Option<&'p Value> {
        self.floors.get(usize::from(at.floor))?.leaves.get(&(at.x, at.y)).copied()
    }

    /// What a block does on a tile.
    pub fn role(&self, at: Position, block: &Block) -> Role {
        let cell = self.cell(at);
        let figure = cell.and_then(|cell| cell.in_the_way).unwrap_or(block.in_the_way);
        let still = if figure { Role::Wall } else { Role::Open };
        if block.event.as_ref().is_some_and(acts) {
            return Role::Event { figure };
        }
        if self.leave(at).is_some() {
            // A stair that is touched and not stepped onto comes to the same: it leads away at once, and whoever comes back
            // stands on it.
            let somebody = block.is_enemy() || block.class.starts_with("npc");
            return Role::Way { figure: figure && somebody };
        }
        let own = match block.trigger.as_deref() {
            Some(own) => Some(own),
            None if block.is_enemy() => Some("battle"),
            None if block.is_item() => Some("getItem"),
            // Walls have door data, too, for events that open them; only a trigger makes a door of it.
            None => None,
        };
        let trigger = cell.and_then(|cell| cell.trigger).or(own).or(cell.map(|_| "action"));
        match trigger {
            Some("battle") if block.is_enemy() => match self.before_fight(at, &block.id).is_empty() {
                true => Role::Monster,
                false => Role::Ambush,
            },
            Some("getItem") if block.is_item() => Role::Item,
            Some("openDoor") => Role::Door,
            Some("action") => match cell.and_then(|cell| cell.data).is_some_and(acts) {
                true => Role::Event { figure },
                false => still,
            },
            _ => still,
        }
    }

    /// What happens before a fight on a tile: the floor's events, then the monster's.
    pub fn before_fight(&self, at: Position, enemy: &str) -> Vec<&'p Value> {
        self.around("beforeBattle", at, self.project.enemies.get(enemy).and_then(|enemy| enemy.get("beforeBattle")))
    }

    /// What a floor's file says under a name of a tile, and something of the kind; only what acts.
    pub fn around(&self, name: &str, at: Position, of_kind: Option<&'p Value>) -> Vec<&'p Value> {
        let floor = self.floors.get(usize::from(at.floor)).and_then(|floor| floor.value.get(name));
        let here = floor.and_then(|all| all.get(&format!("{},{}", at.x, at.y)));
        here.into_iter().chain(of_kind).filter(|value| acts(value)).collect()
    }

    /// The tile of the game that a number is on a tile.
    pub fn tile(&mut self, at: Position, number: u32) -> Result<Tile, Why> {
        let block = self.blocks.get(number);
        Ok(match self.modelled_role(at, &block) {
            Role::Open => Tile::Floor,
            Role::Wall => Tile::Wall,
            Role::Monster => Tile::Monster(self.monster(&block.id)?),
            Role::Item => self.item_tile(at, &block.id)?,
            Role::Door => self.door(&block)?,
            Role::Event { figure: true } | Role::Ambush | Role::Way { figure: true } => Tile::Figure,
            Role::Event { figure: false } => Tile::Event,
            Role::Way { figure: false } => match self.is_led_by_event(at) {
                true => Tile::Event,
                false => Tile::Stair(way(&block.id)),
            },
        })
    }

    /// Whether a way is taken by an event: because it is switched off at first, or leads nowhere that is known.
    pub fn is_led_by_event(&self, at: Position) -> bool {
        self.cell(at).is_some_and(|cell| cell.hidden)
    }
}

/// Up or down, by the block's id.
fn way(id: &str) -> StairWay {
    match id.contains("down") || id.contains("Down") {
        true => StairWay::Down,
        false => StairWay::Up,
    }
}
