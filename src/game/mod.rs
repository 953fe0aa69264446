//! The rules of Magic Tower: what a tower is, what a fight costs, what a hero may do and what follows.
//!
//! Nothing here reads a file, a clock or a random number, and nothing here knows of solvers, agents or
//! episodes: the same tower and the same actions give the same states, everywhere.

pub mod action;
pub mod cells;
pub mod combat;
pub mod error;
pub mod floor;
pub mod hero;
pub mod monster;
pub mod play;
pub mod position;
pub mod ratio;
pub mod region;
pub mod rules;
pub mod shop;
pub mod state;
pub mod tile;
pub mod tower;

pub use action::{Action, ActionKind, Blocked, BlockedReason};
pub use cells::{CellIndex, CellSet};
pub use combat::{Fight, fight};
pub use error::{GameError, TowerError};
pub use floor::Floor;
pub use hero::{Hero, Keys};
pub use monster::{Abilities, Ability, Monster};
pub use play::Game;
pub use position::Position;
pub use ratio::Ratio;
pub use rules::{ItemMode, RuleSet, Rules};
pub use shop::{Purchase, Shop};
pub use state::{End, State, Step};
pub use tile::{Colour, Gem, Item, Potion, StairWay, Tile};
pub use tower::{ItemValues, MonsterId, Origin, Tower};
