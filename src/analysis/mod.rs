//! What each decision was worth, by exact state values. Reads traces and values; knows nothing of tables or plots.

pub mod change;
pub mod decision;
pub mod judge;
pub mod keys;
pub mod losing;
pub mod pairing;
pub mod piece;
pub mod run;
pub mod side_by_side;
pub mod statistics;
pub mod tighten;
pub mod walk;

pub use decision::{ActionValue, Count, DecisionValue, EpisodeAnalysis, EpisodeTime};
pub use losing::{LosingBetween, LosingDecision};

#[cfg(test)]
mod tests;
