//! A moment of a game: what the hero has and what has been cleared. Knows nothing of how one state leads to the next.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::cells::{CellIndex, CellSet};
use super::hero::Hero;
use super::monster::Monster;
use super::position::Position;
use super::program::ChoiceId;
use super::tile::{Item, Tile};

/// A state of a game, with everything in reach already collected where items are free.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What the hero has.
    pub hero: Hero,
    /// Where he stands: the start, or the tile of the last decision.
    pub at: Position,
    /// Decisions made so far.
    pub turn: u32,
    /// Purchases made so far: HP, ATK, DEF, MDEF.
    pub purchases: [u32; 4],
    /// Tiles whose door, monster or item is gone.
    pub cleared: CellSet,
    /// Tiles that he can walk to.
    pub region: CellSet,
    /// Tiles that he can walk to without a way back, one of each piece, in the order of their numbers.
    pub exits: Vec<CellIndex>,
    /// How the game ended; `None` while it goes on.
    pub end: Option<End>,
    /// Tiles that events have put somewhere, in the order of their places.
    pub changed: Vec<(CellIndex, Tile)>,
    /// Tiles that are switched off: open floor until an event shows them.
    pub hidden: CellSet,
    /// The tower's variables, as they are now.
    pub variables: Vec<i64>,
    /// Events, by number, that have happened and will not again.
    pub past: CellSet,
    /// The monster table as it is now, once an event has altered it.
    pub monsters: Option<Arc<Vec<Monster>>>,
    /// What an event waits for.
    pub pending: Option<Pending>,
}

/// An event that waits for the player's choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What is asked.
    pub choice: ChoiceId,
    /// The tile of the event.
    pub at: Position,
    /// Where what is still to be run goes on, the innermost last.
    pub then: Vec<u32>,
}

impl State {
    /// Purchases made so far, of whatever kind.
    pub fn purchase_count(&self) -> u32 {
        self.purchases.iter().sum()
    }
}

/// How a game ends by its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The tower's goal is reached.
    Won,
    /// A lethal fight was executed.
    Dead,
    /// Only lethal or unwinnable fights, and doors without a key, remain.
    Stuck,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Won => "won",
            End::Dead => "dead",
            End::Stuck => "stuck",
        })
    }
}

/// What one decision did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action that was executed.
    pub action: Action,
    /// Items that came into reach and were collected, in the order of their tiles' numbers.
    pub collected: Vec<(Position, Item)>,
    /// The state after it.
    pub state: State,
}
