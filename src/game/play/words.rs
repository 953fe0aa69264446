//! What is told about a tile, an action and why something is no action, in words.

use super::super::action::{Action, ActionKind, BlockedReason};
use super::super::cells::CellIndex;
use super::super::error::GameError;
use super::super::event::Trigger;
use super::super::position::Position;
use super::super::program::ChoiceId;
use super::super::state::State;
use super::super::tile::{Colour, Item, Tile};
use super::super::tower::VariableId;
use super::Game;

impl Game {
    /// What stands on a tile, in words: `yellow door`, `Red Slime`, `red potion`.
    pub fn describe(&self, tile: Tile) -> String {
        match tile {
            Tile::Floor => "open floor".into(),
            Tile::Wall => "wall".into(),
            Tile::Door(colour) => format!("{colour} door"),
            Tile::Item(item) => self.describe_item(item),
            Tile::Monster(id) => self.monster(id).name.clone(),
            Tile::Stair(_) => "stairs".into(),
            Tile::Shop => "shop".into(),
            Tile::Gate(id) => self.tower.gates.get(usize::from(id)).map_or_else(String::new, |gate| gate.name.clone()),
            Tile::Event => "event".into(),
            Tile::Figure => "figure".into(),
        }
    }

    /// The same, with an event's title where it has one.
    pub fn describe_at(&self, state: &State, cell: CellIndex) -> String {
        let tile = self.tile_now(state, cell);
        match tile {
            Tile::Event | Tile::Figure => self.title(cell).unwrap_or_else(|| self.describe(tile)),
            other => self.describe(other),
        }
    }

    /// An item's name.
    pub fn describe_item(&self, item: Item) -> String {
        match item {
            Item::Thing(id) => {
                self.tower.things.get(usize::from(id)).map_or_else(String::new, |thing| thing.name.clone())
            }
            usual => usual.to_string(),
        }
    }

    /// What an item gives, in words: `+75 HP`, `+1 yellow key`; empty if nothing that can be told in numbers.
    pub fn describe_gain(&self, item: Item) -> String {
        let Item::Thing(id) = item else { return self.tower.items.describe(item) };
        let Some(thing) = self.tower.things.get(usize::from(id)) else { return String::new() };
        let gain = &thing.gain;
        let quantities = [
            (gain.hp, "HP"),
            (gain.atk, "ATK"),
            (gain.def, "DEF"),
            (gain.mdef, "MDEF"),
            (gain.gold, "gold"),
            (gain.experience, "experience"),
        ];
        let told = quantities.into_iter().filter(|(points, _)| *points != 0);
        let mut told: Vec<String> = told.map(|(points, what)| format!("{points:+} {what}")).collect();
        let keys = Colour::ALL.into_iter().map(|colour| (colour, gain.keys[colour])).filter(|(_, keys)| *keys != 0);
        told.extend(keys.map(|(colour, keys)| format!("{keys:+} {colour} key{}", if keys == 1 { "" } else { "s" })));
        // Of variables, those that stand for something that is held.
        let held = |id: &VariableId| self.tower.variables.get(usize::from(*id))?.name.strip_prefix("item:");
        let tools = thing.tools.iter().filter(|(_, count)| *count != 0);
        told.extend(tools.filter_map(|(id, count)| Some(format!("{count:+} {}", held(id)?))));
        told.join(", ")
    }

    /// What an action does, in words: `open the yellow door`, `fight the Red Slime`, `buy 2 ATK`.
    pub fn describe_action(&self, action: &Action) -> String {
        match action.kind {
            ActionKind::Open(colour) => format!("open the {colour} door"),
            ActionKind::Unlock(id) => format!("open the {}", self.describe(Tile::Gate(id))),
            ActionKind::Fight { monster, .. } => format!("fight the {}", self.monster(monster).name),
            ActionKind::Collect(item) => format!("collect the {}", self.describe_item(item)),
            ActionKind::Touch => {
                let title = self.graph.cell(action.target).and_then(|cell| self.title(cell));
                title.map_or_else(|| "start the event".to_owned(), |title| format!("start the event: {title}"))
            }
            ActionKind::Walk => match self.floor_name(action.target.floor) {
                Some(floor) => format!("walk to {floor}"),
                None => "walk on, with no way back".into(),
            },
            ActionKind::Choose { choice, option } => format!("choose: {}", self.describe_answer(choice, option)),
            ActionKind::Buy { purchase, .. } => {
                let amount = self.tower.shop.as_ref().map_or(0, |shop| shop.amount(purchase));
                format!("buy {amount} {purchase}")
            }
        }
    }

    /// Why something is no action, in words, with the names of this tower.
    pub fn describe_reason(&self, reason: &BlockedReason) -> String {
        let BlockedReason::NoKeys(id) = reason else { return reason.to_string() };
        let Some(gate) = self.tower.gates.get(usize::from(*id)) else { return reason.to_string() };
        let keys = Colour::ALL.into_iter().map(|colour| {
            let count = gate.keys[colour];
            (count, format!("{colour} key{}", if count == 1 { "" } else { "s" }))
        });
        let name = |id: u16| self.tower.variables.get(usize::from(id)).map_or("", |variable| &variable.name);
        let tools = gate.tools.iter().map(|(id, count)| {
            let name = name(*id);
            (*count, name.strip_prefix("item:").unwrap_or(name).to_owned())
        });
        let asked: Vec<String> =
            keys.chain(tools).filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        match asked.is_empty() {
            true => "takes nothing".to_owned(),
            false => format!("takes {}", asked.join(" and ")),
        }
    }

    /// What an event asks, in words.
    pub fn describe_question(&self, choice: ChoiceId) -> &str {
        self.program.question(choice).map_or("", |question| &question.text)
    }

    /// An answer of a question, in words.
    pub fn describe_answer(&self, choice: ChoiceId, option: u16) -> &str {
        let answers = self.program.question(choice).map_or(&[][..], |question| &question.answers);
        answers.get(usize::from(option)).map_or("", |answer| &answer.text)
    }

    /// Whether stepping onto a tile, or touching what is there, starts an event now.
    pub fn has_event(&self, state: &State, cell: CellIndex) -> bool {
        self.step_event(state, cell).is_some()
    }

    /// The title of the event on a tile; none if it has none.
    pub fn event_title(&self, cell: CellIndex) -> Option<String> {
        self.title(cell)
    }

    fn title(&self, cell: CellIndex) -> Option<String> {
        let event = self.schedule.on_tile(cell, &Trigger::Step)?;
        Some(self.tower.events[event].title.clone()).filter(|title| !title.is_empty())
    }

    /// What people call a floor; none in a tower of one floor.
    pub fn floor_name(&self, floor: u16) -> Option<String> {
        let name = &self.tower.floors.get(usize::from(floor))?.name;
        match (self.tower.floors.len(), name.as_str()) {
            (1, _) => None,
            (_, "") => Some(format!("floor {floor}")),
            (_, name) => Some(name.to_owned()),
        }
    }

    /// Why no action is legal on a tile, in words.
    pub(super) fn why_not(&self, state: &State, target: Position) -> Result<String, GameError> {
        let Some(cell) = self.graph.cell(target) else {
            return Ok("it is outside the map".into());
        };
        if let Some(blocked) = self.blocked(state)?.into_iter().find(|blocked| blocked.target == target) {
            return Ok(format!("{}: {}", self.describe_at(state, cell), self.describe_reason(&blocked.reason)));
        }
        let tile = self.tile_now(state, cell);
        Ok(match tile {
            _ if state.end.is_some() => "the game has ended".into(),
            _ if state.pending.is_some() => "an event waits for an answer".into(),
            Tile::Floor if state.cleared.contains(cell) && self.graph.tile(cell) != Tile::Floor => {
                format!("the {} there is already gone", self.describe(self.graph.tile(cell)))
            }
            Tile::Floor | Tile::Stair(_) => "there is nothing to do on an open tile".into(),
            Tile::Wall => "it is a wall".into(),
            _ => format!("the {} there is not in reach", self.describe_at(state, cell)),
        })
    }
}
