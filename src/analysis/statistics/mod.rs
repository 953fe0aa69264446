//! Intervals and tests for a batch's numbers, each by the method that its file states. Knows numbers only: nothing of
//! episodes, floors or tables.
//!
//! Same numbers, same results: what is drawn at random is drawn from seeds that are fixed here.

mod bootstrap;
mod holm;
mod mcnemar;
mod permutation;
mod wilson;

pub use bootstrap::{RESAMPLES, mean_interval};
pub use holm::holm;
pub use mcnemar::mcnemar;
pub use permutation::{SHUFFLES, sign_flips};
pub use wilson::wilson;

/// The mean of some values; none without any.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Coverage of every interval.
pub const COVERAGE: f64 = 0.95;

/// An interval for an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}
