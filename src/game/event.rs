//! Scripted events: where, when and what. `play` carries them out.

use super::expression::Expression;
use super::position::Position;
use super::script::Script;

/// Something that happens once its time has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Where: on a tile, or on a floor as a whole (its column and row are then 0).
    pub at: Position,
    /// When.
    pub trigger: Trigger,
    /// What people read; may be empty.
    pub title: String,
    /// Of an event on a tile: whether the tile is switched off until an event shows it.
    pub hidden: bool,
    /// What happens.
    pub script: Script,
}

/// When an event happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The hero steps onto a `Tile::Event` or touches a `Tile::Figure`.
    Step,
    /// A fight on its tile has been won.
    AfterFight,
    /// The item on its tile has been collected.
    AfterCollect,
    /// The door on its tile has been opened.
    AfterOpen,
    /// The hero comes to its floor for the first time.
    FirstArrival,
    /// The hero comes to its floor.
    Arrival,
    /// Something becomes true; looked at after each decision, in the order of the tower's events.
    When {
        /// What.
        condition: Expression,
        /// Whether it happens once only; otherwise at most once a decision.
        once: bool,
        /// Whether it happens wherever the hero is, and not only while he can walk to its floor.
        anywhere: bool,
    },
}

impl Trigger {
    /// Whether it concerns a floor and not a tile.
    pub fn is_of_floor(&self) -> bool {
        matches!(self, Trigger::FirstArrival | Trigger::Arrival | Trigger::When { .. })
    }
}
