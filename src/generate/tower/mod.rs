//! Towers of several floors, from plain words or from a description. Knows the rules and asks the solver what a tower is
//! worth; knows nothing of agents, episodes or the command line.

pub mod describe;
pub mod description;
pub mod kind;
mod word;
pub mod words;

pub use describe::describe;
pub use description::{
    Cycle, Description, DescriptionError, FloorPlan, HandPlaced, LinkKind, LinkPlan, Population, RoomPlan,
};
pub use kind::{Kind, Kinds, KindsError};
pub use words::{AskError, Request, understand};
