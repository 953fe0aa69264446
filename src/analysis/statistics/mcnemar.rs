//! McNemar's test for paired outcomes, exact: of the pairs that differ, under the null hypothesis either side wins as
//! often, so their number is binomial with probability one half.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The two-sided p-value of so many pairs that only the one, and only the other, has won: twice the smaller tail, at
/// most 1; 1 if no pair differs.
pub fn mcnemar(only_one: usize, only_other: usize) -> f64 {
    let (fewer, differing) = (only_one.min(only_other) as u64, (only_one + only_other) as u64);
    match Binomial::new(0.5, differing) {
        Ok(binomial) if differing > 0 => (2.0 * binomial.cdf(fewer)).min(1.0),
        _ => 1.0,
    }
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
    fn many_pairs_do_no_harm() {
        assert!(mcnemar(0, 2000) >= 0.0 && mcnemar(0, 2000) < 1e-300);
        assert!((mcnemar(100_000, 100_000) - 1.0).abs() < 1e-9);
    }
}
