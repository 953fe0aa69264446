//! McNemar's test for paired outcomes, exact: of the pairs that differ, under the null hypothesis either side wins as
//! often, so their number is binomial with probability one half.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Pairs up to which the tail is summed term by term, which is exact where few differ; beyond, a power of one half is 0.
const MOST_SUMMED: u64 = 1000;

/// The two-sided p-value of so many pairs that only the one, and only the other, has won: twice the smaller tail, at
/// most 1; 1 if no pair differs.
pub fn mcnemar(only_one: usize, only_other: usize) -> f64 {
    let (fewer, differing) = (only_one.min(only_other) as u64, (only_one + only_other) as u64);
    (2.0 * tail(fewer, differing)).min(1.0)
}

/// The probability of at most so many heads among so many tosses.
fn tail(heads: u64, tosses: u64) -> f64 {
    if tosses > MOST_SUMMED {
        return Binomial::new(0.5, tosses).map_or(1.0, |binomial| binomial.cdf(heads));
    }
    let mut term = 0.5_f64.powi(tosses as i32);
    let mut sum = term;
    for head in 0..heads {
        term *= (tosses - head) as f64 / (head + 1) as f64;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tables_by_hand() {
        // 2 × (1/2)^5; 2 × (1 + 6) / 2^6; both tails meet; nothing differs.
        for (one, other, p) in
            [(0, 5, 0.0625), (1, 5, 14.0 / 64.0), (5, 1, 14.0 / 64.0), (3, 3, 1.0), (0, 0, 1.0), (0, 1, 1.0)]
        {
            assert!((mcnemar(one, other) - p).abs() < 1e-12, "{one}, {other}: {}", mcnemar(one, other));
        }
    }

    #[test]
    fn both_ways_to_the_tail_agree() {
        for (heads, tosses) in [(0, 1), (3, 17), (240, 500), (499, 1000)] {
            let known = Binomial::new(0.5, tosses).unwrap().cdf(heads);
            assert!((tail(heads, tosses) / known - 1.0).abs() < 1e-9, "{heads} of {tosses}");
        }
        assert_eq!(mcnemar(0, 1), 1.0);
    }

    #[test]
    fn many_pairs_do_no_harm() {
        assert!(mcnemar(0, 2000) >= 0.0 && mcnemar(0, 2000) < 1e-300);
        assert!((mcnemar(100_000, 100_000) - 1.0).abs() < 1e-9);
    }
}
