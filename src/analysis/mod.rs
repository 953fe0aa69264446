//! What each decision was worth, by exact state values. Reads traces and values; knows nothing of tables or plots.

pub mod decision;
pub mod judge;
pub mod run;
pub mod walk;

pub use decision::{ActionValue, DecisionValue, EpisodeAnalysis, LosingDecision};
