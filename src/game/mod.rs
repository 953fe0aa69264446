//! The rules of Magic Tower: what a tower is, what a fight costs, what a hero may do and what follows.
//!
//! Nothing here reads a file, a clock or a random number, and nothing here knows of solvers, agents or
//! episodes: the same tower and the same actions give the same states, everywhere.

pub mod action;
pub mod blueprint;
pub mod cells;
pub mod combat;
pub mod error;
pub mod event;
pub mod expression;
pub mod floor;
pub mod hero;
pub mod kind;
pub mod monster;
pub mod number;
pub mod play;
pub mod position;
pub mod program;
pub mod ratio;
pub mod region;
pub mod rules;
mod schedule;
pub mod script;
pub mod shop;
pub mod sight;
pub mod state;
pub mod tile;
pub mod tower;
mod validity;

pub use action::{Action, ActionKind, Blocked, BlockedReason};
pub use blueprint::{Blueprint, Ladder, LadderKind, Room};
pub use cells::{CellIndex, CellSet};
pub use combat::{Fight, fight};
pub use error::{GameError, TowerError};
pub use event::{Event, Trigger};
pub use expression::{Attribute, Expression, Operator, Quantity};
pub use floor::Floor;
pub use hero::{Hero, Keys, Marks};
pub use kind::{Barrier, Gate, Goal, Passage, Thing, Variable};
pub use monster::{Abilities, Ability, Monster};
pub use number::Number;
pub use play::Game;
pub use position::Position;
pub use ratio::Ratio;
pub use rules::{ItemMode, RuleSet, Rules};
pub use script::{Choice, Instruction, Script, Target};
pub use shop::{Purchase, Shop};
pub use state::{End, Pending, State, Step};
pub use tile::{Colour, Gem, Item, Potion, StairWay, Tile};
pub use tower::{GateId, ItemValues, MonsterId, Origin, ThingId, Tower, VariableId};
