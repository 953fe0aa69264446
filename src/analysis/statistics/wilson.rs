//! Wilson's score interval for a proportion (E. B. Wilson, 1927), without continuity correction: it holds for few
//! trials, and for none or all of them successful, where the textbook's interval has no width.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{COVERAGE, Interval};

/// The interval for the probability behind so many successes in so many trials; none without trials.
pub fn wilson(successes: usize, trials: usize) -> Option<Interval> {
    if trials == 0 || successes > trials {
        return None;
    }
    let (count, share) = (trials as f64, successes as f64 / trials as f64);
    let z = Normal::standard().inverse_cdf(0.5 + COVERAGE / 2.0);
    let weight = 1.0 / (1.0 + z * z / count);
    let centre = weight * (share + z * z / (2.0 * count));
    let half = weight * z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    // At the ends the bound is the end itself; sums of fractions miss it by a hair.
    let low = if successes == 0 { 0.0 } else { centre - half };
    let high = if successes == trials { 1.0 } else { centre + half };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Newcombe (1998), table I, method 3, whose four examples are quoted everywhere.
    #[test]
    fn published_examples() {
        for (successes, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = wilson(successes, trials).unwrap();
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
        }
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(3, 2), None);
    }

    proptest! {
        #[test]
        fn it_holds_the_share_and_mirrors(trials in 1_usize..5000, share in 0.0..=1.0_f64) {
            let successes = (share * trials as f64).round() as usize;
            let interval = wilson(successes, trials).unwrap();
            let share = successes as f64 / trials as f64;
            prop_assert!(0.0 <= interval.low && interval.low <= share && share <= interval.high && interval.high <= 1.0);
            let mirrored = wilson(trials - successes, trials).unwrap();
            prop_assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-12);
        }
    }
}
