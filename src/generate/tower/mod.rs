//! Towers of several floors, from plain words or from a description. Knows the rules and asks the solver what a tower is
//! worth; knows nothing of agents, episodes or the command line.

pub mod accept;
pub mod bestiary;
pub mod build;
pub mod describe;
pub mod description;
pub mod furnish;
pub mod goods;
pub mod ground;
pub mod grow;
pub mod hardness;
pub mod kind;
pub mod locks;
#[cfg(test)]
mod manual;
pub mod many;
pub mod population;
pub mod shaft;
pub mod sheet;
pub mod site;
#[cfg(test)]
mod tests;
mod word;
pub mod words;

pub use describe::describe;
pub use description::{
    Cycle, Description, DescriptionError, FloorPlan, HandPlaced, LinkKind, LinkPlan, Population, RoomPlan,
};
pub use kind::{Kind, Kinds, KindsError};
pub use words::{AskError, Request, understand};
