//! The percentile bootstrap of a mean (B. Efron, 1979): the middle of the means of samples drawn from the sample, with
//! replacement.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{COVERAGE, Interval};

/// Samples that are drawn.
pub const RESAMPLES: usize = 10_000;
/// Where the draws begin; the same numbers always get the same interval.
const SEED: u64 = 0x6d6f_7461;

/// The interval for the mean of some values; none with fewer than two. Values that are all the same give an interval
/// without width.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut mean = || (0..count).map(|_| values[random.random_range(0..count)]).sum::<f64>() / count as f64;
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean()).collect();
    means.sort_by(f64::total_cmp);
    let tail = (1.0 - COVERAGE) / 2.0;
    Some(Interval { low: quantile(&means, tail), high: quantile(&means, 1.0 - tail) })
}

/// The quantile of sorted values, linear between its neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_give_none() {
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[3.0]), None);
        assert_eq!(mean_interval(&[3.0, 3.0]), Some(Interval { low: 3.0, high: 3.0 }));
    }

    /// Of 0 and 1 drawn twice: the mean is 0 or 1 in a quarter of the draws each, more than the tail takes.
    #[test]
    fn two_values_reach_to_both() {
        assert_eq!(mean_interval(&[0.0, 1.0]), Some(Interval { low: 0.0, high: 1.0 }));
    }

    /// One success in ten: the number of successes drawn is binomial with n = 10, p = 0.1. Its 2.5 % quantile is 0, its
    /// 97.5 % quantile 3 (P(X ≤ 2) = 0.930, P(X ≤ 3) = 0.987).
    #[test]
    fn one_in_ten_is_the_binomial_distribution() {
        let mut values = [0.0; 10];
        values[4] = 1.0;
        assert_eq!(mean_interval(&values), Some(Interval { low: 0.0, high: 0.3 }));
    }

    #[test]
    fn quantiles_are_linear_between_neighbours() {
        assert_eq!(
            [0.0, 0.25, 0.5, 0.9, 1.0].map(|share| quantile(&[1.0, 2.0, 4.0], share)),
            [1.0, 1.5, 2.0, 3.6, 4.0]
        );
    }
}
