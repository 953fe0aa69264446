//! What each decision was worth, by exact state values. Reads traces and values; knows nothing of tables or plots.

pub mod decision;
pub mod judge;
pub mod pairing;
pub mod run;
pub mod side_by_side;
pub mod statistics;
pub mod walk;

pub use decision::{ActionValue, DecisionValue, EpisodeAnalysis, EpisodeTime, LosingDecision};
