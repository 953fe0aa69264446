//! Blocks that events put on tiles: whether what their kind starts, or what follows it, can happen where they are put. A
//! tile has one event of a time, so that the map's own comes first, and of several newcomers none has one.

use super::block::Block;
use super::build::Builder;
use super::cell::Role;
use super::instruct::acts;
use crate::game::Position;

impl Builder<'_> {
    /// The block that the map shows on a tile.
    fn native(&self, at: Position) -> Option<Block> {
        self.number_at(at).map(|number| self.blocks.get(number))
    }

    /// The only kind of block of some sort that events put on a tile where the map shows none of that sort.
    fn only(&self, at: Position, is_so: impl Fn(&Self, &Block) -> bool) -> Option<Block> {
        let placed = self.placed.get(&at)?;
        let native = self.native(at).filter(|native| !is_so(self, native))?;
        let others = placed.iter().filter(|number| **number != native.number).map(|number| self.blocks.get(*number));
        let mut found = others.filter(|block| is_so(self, block));
        let first = found.next()?;
        found.all(|other| other.id == first.id).then_some(first)
    }

    /// The only block that events put on a tile and that starts an event there, where the map has none.
    pub(super) fn newcomer(&self, at: Position) -> Option<Block> {
        self.placed.get(&at)?;
        let native = self.native(at)?;
        let is_taken = matches!(self.role(at, &native), Role::Event { .. } | Role::Ambush | Role::Way { .. });
        if is_taken || self.cell(at).is_some_and(|cell| cell.hidden) {
            return None;
        }
        self.only(at, |builder, block| matches!(builder.role(at, block), Role::Event { .. } | Role::Ambush))
    }

    /// The only monster that events put on a tile where the map has none.
    pub(super) fn only_monster(&self, at: Position) -> Option<Block> {
        self.only(at, |_, block| block.is_enemy())
    }

    /// The only door that events put on a tile where the map has none.
    pub(super) fn only_door(&self, at: Position) -> Option<Block> {
        self.only(at, |_, block| block.trigger.as_deref() == Some("openDoor"))
    }

    /// Whether the event that a block starts on a tile is made, so that the block can stand for it.
    fn is_started(&self, at: Position, block: &Block) -> bool {
        let Some(native) = self.native(at).filter(|native| native.number != block.number) else { return true };
        let is_event = |block: &Block| matches!(self.role(at, block), Role::Event { .. }) && block.event.is_none();
        (is_event(&native) && is_event(block)) || self.newcomer(at).is_some_and(|only| only.id == block.id)
    }

    /// What a block does on a tile, as far as its event is made.
    pub(super) fn modelled_role(&self, at: Position, block: &Block) -> Role {
        match self.role(at, block) {
            role @ (Role::Event { .. } | Role::Ambush) if self.is_started(at, block) => role,
            Role::Ambush => Role::Monster,
            Role::Event { figure: true } => Role::Wall,
            Role::Event { figure: false } => Role::Open,
            role => role,
        }
    }

    /// What of a block's own is lost where an event puts it.
    pub(super) fn lost(&self, at: Position, number: u32) -> Option<String> {
        let block = self.blocks.get(number);
        let native = self.native(at)?;
        if native.id == block.id {
            return None;
        }
        let is = |only: Option<Block>| only.is_some_and(|only| only.id == block.id);
        let enemy = self.project.enemies.get(&block.id).filter(|_| block.is_enemy());
        let follows = enemy.and_then(|enemy| enemy.get("afterBattle")).is_some_and(acts);
        let is_door = block.trigger.as_deref() == Some("openDoor");
        let what = if self.role(at, &block) != self.modelled_role(at, &block) {
            "comes before it is reached"
        } else if follows && !is(self.only_monster(at)) {
            "follows the fight"
        } else if is_door && block.after_opening.as_ref().is_some_and(acts) && !is(self.only_door(at)) {
            "follows its opening"
        } else {
            return None;
        };
        Some(format!("`{}` is put at {} without what {what}", block.id, self.place_name(at)))
    }
}
