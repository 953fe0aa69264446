//! Towers of several floors, from plain words or from a description. Knows the rules and asks the solver what a tower is
//! worth; knows nothing of agents, episodes or the command line.

pub mod accept;
pub mod bestiary;
pub mod build;
pub mod description;
pub mod furnish;
pub mod goods;
pub mod ground;
pub mod grow;
pub mod kind;
pub mod locks;
pub mod population;
pub mod shaft;
pub mod sheet;
pub mod site;
mod word;

pub use description::{Cycle, Description, FloorPlan, LinkKind, LinkPlan, Population, RoomPlan};
pub use kind::{Kind, Kinds};
