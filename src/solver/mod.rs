//! Searches for the best way to play a tower: exact state values, and the published solver with its correction. Knows
//! the rules; knows nothing of files, agents or episodes.

pub mod assumption;
pub mod bits;
pub mod bound;
pub mod branch;
pub mod cost;
pub mod dominator;
pub mod error;
pub mod exact;
pub mod expand;
mod gain;
pub mod gates;
pub mod goal;
pub mod graph;
mod judge;
pub mod key;
pub mod layer;
pub mod mechanism;
pub mod merged;
pub mod moves;
pub mod oracle;
mod outlook;
pub mod playable;
pub mod published;
pub mod route;
pub mod search;
pub mod settings;
pub mod staircase;
pub mod table;
pub mod values;
pub mod worth;
pub mod worths;

#[cfg(test)]
mod fixed;

pub use error::SolveError;
pub use values::Values;
pub use worth::Worth;
pub use worths::{Effort, Worths};
