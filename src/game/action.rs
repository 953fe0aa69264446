//! What the hero may do, and what he may not do and why. Knows nothing of who chooses.

use std::fmt;

use super::combat::Fight;
use super::position::Position;
use super::program::ChoiceId;
use super::shop::Purchase;
use super::tile::{Colour, Item};
use super::tower::{GateId, MonsterId};

/// A legal action of one state. Actions are numbered from 1 in order of floor, x, y, choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The tile that it clears or uses.
    pub target: Position,
    /// What it does there.
    pub kind: ActionKind,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Opens a door with one key of its colour.
    Open(Colour),
    /// Fights a monster that can be hurt; the fight may be lethal.
    Fight {
        /// The monster's row.
        monster: MonsterId,
        /// How it ends.
        fight: Fight,
    },
    /// Collects an item; only where items are actions.
    Collect(Item),
    /// Opens a gate with all that it takes.
    Unlock(GateId),
    /// Steps onto an event's tile, or touches a figure.
    Touch,
    /// Walks where there is no way back, or to a floor on which something happens on arrival.
    Walk,
    /// Answers what an event asks.
    Choose {
        /// What is asked.
        choice: ChoiceId,
        /// The answer's index among its options.
        option: u16,
    },
    /// Buys in a shop.
    Buy {
        /// What is raised.
        purchase: Purchase,
        /// Gold that it costs now.
        price: i64,
    },
}

impl Action {
    /// Whether it ends the hero's life.
    pub fn is_lethal(&self) -> bool {
        matches!(self.kind, ActionKind::Fight { fight: Fight::Lethal { .. }, .. })
    }

    /// Whether both choose the same thing at the same tile, whatever a fight there costs at the time.
    pub fn is_same_choice(&self, other: &Action) -> bool {
        self.target == other.target && self.choice() == other.choice()
    }

    /// Orders the actions on one tile.
    pub(super) fn choice(&self) -> u16 {
        match self.kind {
            ActionKind::Buy { purchase, .. } => purchase as u16,
            ActionKind::Choose { option, .. } => option,
            _ => 0,
        }
    }
}

/// Something in reach that is not a legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The tile.
    pub target: Position,
    /// Why.
    pub reason: BlockedReason,
}

/// Why something in reach is no legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockedReason {
    /// The door's colour has no key.
    NoKey(Colour),
    /// The hero's strikes do nothing.
    TooHard {
        /// The monster's row.
        monster: MonsterId,
        /// The hero's ATK.
        hero_atk: i64,
        /// The monster's DEF in this fight.
        monster_def: i64,
    },
    /// A gate asks for more than the hero has.
    NoKeys(GateId),
    /// Only an event opens the gate.
    ByEvent,
    /// The monster cannot be hurt without the cross.
    NoCross,
    /// The answer cannot be given now.
    NotOffered {
        /// What is asked.
        choice: ChoiceId,
        /// The answer's index.
        option: u16,
    },
    /// The next purchase costs more than the hero has.
    TooDear {
        /// Gold asked for.
        price: i64,
        /// Gold held.
        gold: i64,
    },
}

impl fmt::Display for BlockedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockedReason::NoKey(colour) => write!(f, "no {colour} key"),
            BlockedReason::TooHard { hero_atk, monster_def, .. } => {
                write!(f, "hero ATK {hero_atk} ≤ monster DEF {monster_def}")
            }
            BlockedReason::NoKeys(_) => f.write_str("not all that it takes is held"),
            BlockedReason::ByEvent => f.write_str("no key opens it"),
            BlockedReason::NoCross => f.write_str("it cannot be hurt without the cross"),
            BlockedReason::NotOffered { .. } => f.write_str("this cannot be chosen now"),
            BlockedReason::TooDear { price, gold } => write!(f, "costs {price} gold, the hero has {gold}"),
        }
    }
}
