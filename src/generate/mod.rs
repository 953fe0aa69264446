//! Floors made by a recipe and a seed. Knows the rules and asks the solver whether a floor is worth keeping; knows
//! nothing of agents, episodes or the command line.

pub mod acceptance;
pub mod contents;
pub mod draft;
pub mod layout;
pub mod recipe;
pub mod search;
pub mod sieve;
pub mod tower;

pub use acceptance::{Acceptance, Verdict};
pub use recipe::{Recipe, RecipeError};
pub use search::{Finding, GenerateError, Order, Outcome, search};
pub use sieve::{Sieve, Tally, Tried, Untried};
