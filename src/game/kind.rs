//! What a tower has of its own: things, gates, variables, one-way passages, its goal. Knows nothing of play.

use super::hero::{Hero, Keys};
use super::position::Position;
use super::script::Script;
use super::tower::VariableId;

/// A kind of item that is not one of the usual ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thing {
    /// The map's symbol for it: `i` and a number.
    pub symbol: String,
    /// What people read.
    pub name: String,
    /// What it adds to what the hero has; a mark that is set in it is given.
    pub gain: Hero,
    /// What it adds to variables.
    pub tools: Vec<(VariableId, i64)>,
    /// What else happens when it is collected; then collecting it is a decision.
    pub script: Script,
}

/// A kind of door that is not one of the usual ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// The map's symbol for it: `D` and a number.
    pub symbol: String,
    /// What people read.
    pub name: String,
    /// Keys that it takes.
    pub keys: Keys,
    /// What it takes of variables.
    pub tools: Vec<(VariableId, i64)>,
    /// Whether only an event opens it.
    pub by_event: bool,
}

impl Gate {
    /// Whether it opens for nothing; then it is walked through, unless something follows its opening.
    pub fn takes_nothing(&self) -> bool {
        !self.by_event && self.keys == Keys::default() && self.tools.iter().all(|(_, count)| *count == 0)
    }
}

/// A number that events keep, whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its name, such as `flag:door` or `item:pickaxe`.
    pub name: String,
    /// What it is at the start.
    pub start: i64,
}

/// A way that leads in one direction only: whoever enters the first tile stands on the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passage {
    /// The tile that is entered.
    pub from: Position,
    /// Where that leads.
    pub to: Position,
}

/// A side of a tile that cannot be crossed from within.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Barrier {
    /// The tile.
    pub from: Position,
    /// The tile beside it that cannot be walked to from there.
    pub to: Position,
}

/// What wins the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The boss is defeated.
    #[default]
    Boss,
    /// The boss is defeated and this tile can be walked to.
    Exit(Position),
    /// An event says so.
    Event,
}
