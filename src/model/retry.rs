//! How long to wait before the next attempt, and for how long in all. Knows no clock: it is told what has passed.

use std::time::Duration;

use jiff::Timestamp;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{Fault, Remedy};

/// How long a server that gives no answer is waited for. All in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Patience {
    /// The first wait; each one after it is twice as long.
    pub first: f64,
    /// The longest wait, unless the server asks for a longer one.
    pub longest: f64,
    /// Waiting in all for one answer, attempts that gave nothing included.
    pub total: f64,
    /// The same while the server says that it is loading its model.
    pub loading: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { first: 1.0, longest: 60.0, total: 1_800.0, loading: 3_600.0 }
    }
}

/// Attempts in all at a server that answers with something else than chat completions.
const BRIEF_ATTEMPTS: u32 = 3;

/// The longest wait for a loading model: it says nothing of how far it is, so it is asked often.
const LONGEST_LOADING_WAIT: f64 = 5.0;

impl Patience {
    /// The options by name.
    pub(super) fn seconds(&self) -> [(&'static str, f64); 4] {
        [
            ("retry.first", self.first),
            ("retry.longest", self.longest),
            ("retry.total", self.total),
            ("retry.loading", self.loading),
        ]
    }

    /// The same with a further limit of waiting in all.
    pub fn at_most(self, seconds: Option<f64>) -> Self {
        let limit = seconds.unwrap_or(f64::INFINITY);
        Patience { total: self.total.min(limit), loading: self.loading.min(limit), ..self }
    }

    /// Seconds to wait after the `attempt`-th attempt (from 1) has failed and `waited` seconds have gone by without
    /// an answer.
    ///
    /// The wait doubles from attempt to attempt and is shortened by up to half at random, so that calls that failed
    /// together do not come back together. The server's `Retry-After` is a lower limit.
    ///
    /// # Errors
    /// Why there is no further attempt, in words.
    pub fn wait(&self, fault: &Fault, attempt: u32, waited: f64, seed: u64) -> Result<f64, String> {
        let (limit, longest) = match fault.remedy() {
            Remedy::EndEpisode | Remedy::StopAgent => return Err(fault.to_string()),
            Remedy::RetryBriefly if attempt >= BRIEF_ATTEMPTS => {
                return Err(format!("{fault}, {attempt} times in a row"));
            }
            Remedy::Await => (self.loading, LONGEST_LOADING_WAIT.min(self.longest)),
            Remedy::Retry | Remedy::RetryBriefly => (self.total, self.longest),
        };
        let doubled = self.first * 2f64.powi(attempt.saturating_sub(1).min(32) as i32);
        let mut jitter = ChaCha8Rng::seed_from_u64(seed ^ u64::from(attempt));
        let backed_off = doubled.min(longest) * jitter.random_range(0.5..=1.0);
        let asked_for = fault.retry_after().map_or(0.0, |asked_for| asked_for.as_secs_f64());
        let wait = backed_off.max(asked_for);
        if waited + wait > limit {
            return Err(format!(
                "{fault}; given up after {attempt} attempts and {waited:.0} s, the limit is {limit:.0} s"
            ));
        }
        Ok(wait)
    }
}

/// A `Retry-After` header: whole or broken seconds, or an HTTP date. Anything else counts as absent.
pub fn retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn busy(retry_after: Option<u64>) -> Fault {
        Fault::Status { status: 429, words: "busy".into(), retry_after: retry_after.map(Duration::from_secs) }
    }

    #[test]
    fn retry_after_in_seconds_and_as_a_date() {
        let now: Timestamp = "2015-10-21T07:27:00Z".parse().expect("a timestamp");
        assert_eq!(retry_after("7", now), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(" 0.5 ", now), Some(Duration::from_millis(500)));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:28:00 GMT", now), Some(Duration::from_secs(60)));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:26:00 GMT", now), Some(Duration::ZERO));
        for header in ["", "soon", "-3", "NaN", "1e300"] {
            assert_eq!(retry_after(header, now), None, "{header}");
        }
    }

    #[test]
    fn some_faults_are_final() {
        let patience = Patience::default();
        let status = |status| Fault::Status { status, words: "no".into(), retry_after: None };
        assert_eq!(patience.wait(&status(400), 1, 0.0, 0), Err("400 no".into()));
        assert_eq!(patience.wait(&status(401), 1, 0.0, 0), Err("401 no".into()));
        let page = Fault::Unreadable("<html>".into());
        assert!(patience.wait(&page, 2, 0.0, 0).is_ok());
        assert!(patience.wait(&page, 3, 0.0, 0).is_err());
        insta::assert_snapshot!(patience.wait(&busy(None), 9, 1_799.9, 0).unwrap_err(), @"429 busy; given up after 9 attempts and 1800 s, the limit is 1800 s");
        assert!(patience.wait(&busy(Some(1_801)), 1, 0.0, 0).is_err());
    }

    proptest! {
        #[test]
        fn waits_double_within_their_jitter(attempt in 1u32..100, seed: u64) {
            let patience = Patience { total: 1e9, ..Patience::default() };
            let wait = patience.wait(&busy(None), attempt, 0.0, seed).expect("within the limit");
            let full = 2f64.powi(attempt as i32 - 1).min(60.0);
            prop_assert!(wait >= full / 2.0 && wait <= full);
            prop_assert_eq!(patience.wait(&busy(None), attempt, 0.0, seed), Ok(wait));
            prop_assert_eq!(patience.wait(&busy(Some(100)), attempt, 0.0, seed), Ok(100.0));
        }
    }
}
