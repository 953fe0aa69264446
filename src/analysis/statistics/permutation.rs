//! The permutation test for paired differences (R. A. Fisher, 1935): under the null hypothesis the two sides of a pair
//! could as well be exchanged, so every difference has either sign with probability one half.
//!
//! Differences are whole numbers, so all 2^n exchanges are counted exactly, by the distribution of their sum; only where
//! that has too many values, exchanges are drawn.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Exchanges that are drawn where they cannot be counted.
pub const SHUFFLES: usize = 100_000;
/// Steps beyond which exchanges are drawn: some tenths of a second.
const MOST_STEPS: u128 = 50_000_000;
/// Where the draws begin; the same differences always get the same p-value.
const SEED: u64 = 0x6d6f_7461;

/// The two-sided p-value of the sum of some differences: the share of exchanges whose sum lies as far from 0. 1 if
/// there are none, or none that differs.
pub fn sign_flips(differences: &[i64]) -> f64 {
    let sizes: Vec<u64> = differences.iter().map(|d| d.unsigned_abs()).filter(|size| *size > 0).collect();
    let reach: u128 = sizes.iter().map(|size| u128::from(*size)).sum();
    let observed = differences.iter().map(|d| i128::from(*d)).sum::<i128>().unsigned_abs();
    if observed == 0 {
        return 1.0;
    }
    let unit = sizes.iter().copied().fold(0, greatest_common_divisor);
    match (reach / u128::from(unit.max(1))).saturating_mul(sizes.len() as u128) {
        0..=MOST_STEPS => counted(&sizes, unit, observed),
        _ => drawn(&sizes, observed),
    }
}

/// By the distribution of the sum of those differences that keep their sign: `sum = 2 × kept − reach`.
fn counted(sizes: &[u64], unit: u64, observed: u128) -> f64 {
    let sizes: Vec<usize> = sizes.iter().map(|size| (size / unit) as usize).collect();
    let reach: usize = sizes.iter().sum();
    let observed = (observed / u128::from(unit)) as usize;
    let mut shares = vec![0.0_f64; reach + 1];
    shares[0] = 1.0;
    let mut filled = 0;
    for size in sizes {
        filled += size;
        for kept in (0..=filled).rev() {
            let with = if kept >= size { shares[kept - size] } else { 0.0 };
            shares[kept] = 0.5 * (shares[kept] + with);
        }
    }
    let far = |kept: usize| (2 * kept).abs_diff(reach) >= observed;
    let share: f64 = (0..=reach).filter(|kept| far(*kept)).map(|kept| shares[kept]).sum();
    share.min(1.0)
}

/// With the exchange that was observed among those drawn, so that no p-value is 0.
fn drawn(sizes: &[u64], observed: u128) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let far = (0..SHUFFLES).filter(|_| {
        let sum: i128 =
            sizes.iter().map(|size| if random.random::<bool>() { i128::from(*size) } else { -i128::from(*size) }).sum();
        sum.unsigned_abs() >= observed
    });
    (far.count() + 1) as f64 / (SHUFFLES + 1) as f64
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All 2^n exchanges, one by one.
    fn tried(differences: &[i64]) -> f64 {
        let observed = differences.iter().sum::<i64>().abs();
        let exchanges = 1_u32 << differences.len();
        let far = (0..exchanges).filter(|signs| {
            let flipped = differences.iter().enumerate().map(|(bit, d)| if signs >> bit & 1 == 1 { -d } else { *d });
            flipped.sum::<i64>().abs() >= observed
        });
        far.count() as f64 / f64::from(exchanges)
    }

    #[test]
    fn small_samples_by_hand() {
        assert_eq!(sign_flips(&[]), 1.0);
        assert_eq!(sign_flips(&[0, 0, 0]), 1.0);
        // All of one sign: two of 2^5 exchanges lie as far out.
        assert_eq!(sign_flips(&[5, 8, 2, 1, 9]), 2.0 / 32.0);
        assert_eq!(sign_flips(&[-5, -8, -2, -1, -9, 0]), 2.0 / 32.0);
        assert_eq!(sign_flips(&[3, -3]), 1.0);
    }

    #[test]
    fn numbers_without_bounds_do_no_harm() {
        for differences in [vec![i64::MIN, i64::MAX], vec![i64::MAX; 40], vec![i64::MAX - 1, 1, 1, 7]] {
            let p = sign_flips(&differences);
            assert!((0.0..=1.0).contains(&p), "{differences:?}: {p}");
        }
    }

    proptest! {
        #[test]
        fn it_is_what_trying_all_gives(differences in prop::collection::vec(-40_i64..=40, 0..12), unit in 1_i64..1000) {
            let scaled: Vec<i64> = differences.iter().map(|d| d * unit).collect();
            prop_assert!((sign_flips(&scaled) - tried(&scaled)).abs() < 1e-9);
        }

        #[test]
        fn drawing_comes_near_counting(differences in prop::collection::vec(-500_i64..=500, 2..30)) {
            let sizes: Vec<u64> = differences.iter().map(|d| d.unsigned_abs()).filter(|d| *d > 0).collect();
            let observed = differences.iter().sum::<i64>().unsigned_abs();
            prop_assume!(observed > 0);
            prop_assert!((drawn(&sizes, observed.into()) - sign_flips(&differences)).abs() < 0.01);
        }
    }
}
