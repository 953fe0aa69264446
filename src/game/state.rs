//! A moment of a game: what the hero has and what has been cleared. Knows nothing of how one state leads to the next.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::cells::CellSet;
use super::hero::Hero;
use super::position::Position;
use super::tile::Item;

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
    /// How the game ended; `None` while it goes on.
    pub end: Option<End>,
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
    /// The boss is defeated.
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
