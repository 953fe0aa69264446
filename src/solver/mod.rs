//! Searches for the best way to play a tower: exact state values, and the published solver with its correction. Knows
//! the rules; knows nothing of files, agents or episodes.

pub mod bits;
pub mod error;
pub mod graph;
pub mod key;
pub mod merged;
pub mod moves;
pub mod playable;
pub mod published;
pub mod route;
pub mod table;
pub mod values;

#[cfg(test)]
mod fixed;

pub use error::SolveError;
pub use values::Values;
