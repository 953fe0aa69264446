//! What a block on a tile starts when it is reached: its event, a fight after an event, a way that an event leads. Knows
//! the tile's own events, not what else the floor has.

use super::block::Block;
use super::build::Builder;
use super::calc::Scene;
use super::cell::Role;
use super::events::Events;
use super::literal::Value;
use crate::game::{Event, Instruction, Position, Script, Tile, Trigger};

impl<'p> Builder<'p> {
    /// The event that a block starts on a tile, if it starts one.
    pub(super) fn starts(&mut self, at: Position, block: &Block, made: &mut Events) {
        let role = self.role(at, block);
        let name = self.name_of(block);
        let hidden = self.cell(at).is_some_and(|cell| cell.hidden);
        match role {
            Role::Event { figure } => {
                let before = made.events.len();
                self.own_event(at, block, !figure, name, made);
                if made.events.len() == before {
                    made.idle.push((at, if figure { Tile::Wall } else { Tile::Floor }));
                }
            }
            Role::Ambush => self.ambush(at, block, name, made),
            Role::Way { figure } if figure || hidden => {
                let to = self.leave(at).map(|value| self.way_to(at, value));
                if let Some(Ok(to)) = to {
                    let script = vec![Instruction::Go { to }];
                    made.events.push(Event { at, trigger: Trigger::Step, title: name, hidden: false, script });
                } else {
                    made.idle.push((at, if figure { Tile::Wall } else { Tile::Floor }));
                }
            }
            // What is only shown, or never runs, is told all the same.
            _ => {
                let data = self.cell(at).and_then(|cell| cell.data);
                if let Some(data) = data.filter(|data| !super::events::is_empty(data)) {
                    self.unused(made, at, data, role);
                }
            }
        }
    }

    /// The event of a block that an event puts on a tile.
    pub(super) fn starts_later(&mut self, at: Position, made: &mut Events) {
        let Some(block) = self.newcomer(at) else { return };
        let (name, before) = (self.name_of(&block), made.events.len());
        match self.role(at, &block) {
            Role::Event { figure } => self.own_event(at, &block, !figure, name.clone(), made),
            Role::Ambush => self.ambush(at, &block, name.clone(), made),
            _ => return,
        }
        if made.events.len() == before {
            // What it does is not modelled: it stands there, and nothing happens.
            let script = Script::new();
            made.events.push(Event { at, trigger: Trigger::Step, title: name, hidden: false, script });
        }
    }

    fn scene_of(&mut self, at: Position, is_on_it: bool) -> Scene {
        let hero = if is_on_it { Some(at) } else { self.beside(at) };
        Scene { home: at.floor, at: Some((at.x, at.y)), current: Some(at.floor), hero, fold_flags: false }
    }

    fn own_event(&mut self, at: Position, block: &Block, is_on_it: bool, name: String, made: &mut Events) {
        let data: Vec<&Value> = match &block.event {
            None => self.cell(at).and_then(|cell| cell.data).into_iter().collect(),
            Some(own) => vec![own],
        };
        let scene = self.scene_of(at, is_on_it);
        self.event(made, scene, &data, at, (Trigger::Step, "events", name));
    }

    fn ambush(&mut self, at: Position, block: &Block, name: String, made: &mut Events) {
        let step = made.events.len();
        let before = self.before_fight(at, &block.id);
        let fight = self.monster(&block.id).map(|monster| Instruction::Fight { monster, at: Some(at) });
        let scene = self.scene_of(at, false);
        self.event(made, scene, &before, at, (Trigger::Step, "beforeBattle", name));
        if made.events.len() == step {
            let (title, script) = (block.id.clone(), Script::new());
            made.events.push(Event { at, trigger: Trigger::Step, title, hidden: false, script });
        }
        if let (Some(event), Ok(fight)) = (made.events.last_mut(), fight) {
            event.script.push(fight);
        }
    }
}
