//! The server's time, since the clocks of machines need not agree. Knows when the server was last out of reach.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use async_nats::jetstream::kv::Store;

use super::LimitsError;
use super::page;

/// The key that is written to see what time it is.
const KEY: &str = "clock";

/// Measurements of which the quickest counts.
const MEASUREMENTS: usize = 3;

/// A clock that goes by the server's.
pub(super) struct Clock {
    began: Instant,
    set: Mutex<Set>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Set {
    /// The server's time when this clock began, in seconds since 1970.
    offset: f64,
    /// When the server began to answer, by its own time.
    answers_since: f64,
}

impl Clock {
    /// A clock that has not been set.
    pub(super) fn new() -> Self {
        Clock { began: Instant::now(), set: Mutex::default() }
    }

    /// A clock set by a server's.
    ///
    /// # Errors
    /// [`LimitsError`] if it does not answer.
    pub(super) async fn of(store: &Store) -> Result<Self, LimitsError> {
        let clock = Clock::new();
        clock.measure(store).await?;
        clock.with(|set, now| set.answers_since = now);
        Ok(clock)
    }

    /// Seconds since 1970, by the server.
    pub(super) fn now(&self) -> f64 {
        self.with(|_, now| now)
    }

    /// It has shown that its time is at least that.
    pub(super) fn at_least(&self, seconds: f64) {
        self.with(|set, now| set.offset += (seconds - now).max(0.0));
    }

    /// The server did not answer.
    pub(super) fn missed(&self) {
        self.with(|set, now| set.answers_since = now);
    }

    /// For how many seconds it has been answering.
    pub(super) fn steady_for(&self) -> f64 {
        self.with(|set, now| now - set.answers_since)
    }

    /// Measures what time it is.
    ///
    /// # Errors
    /// [`LimitsError`] if the server does not answer.
    pub(super) async fn measure(&self, store: &Store) -> Result<(), LimitsError> {
        let mut best = None;
        for _ in 0..MEASUREMENTS {
            let before = self.began.elapsed().as_secs_f64();
            let written = match store.put(KEY, "".into()).await {
                Ok(written) => written,
                Err(error) => return Err(page::why(store, error).await),
            };
            let entry = match store.entry(KEY).await {
                Ok(entry) => entry,
                Err(error) => return Err(page::why(store, error).await),
            };
            let after = self.began.elapsed().as_secs_f64();
            // Whoever wrote it, it was written in between; not so if a replica answered that is behind.
            let Some(entry) = entry.filter(|entry| entry.revision >= written) else { continue };
            let offset = page::seconds(&entry) - (before + after) / 2.0;
            if best.is_none_or(|(took, _)| after - before < took) {
                best = Some((after - before, offset));
            }
        }
        if let Some((_, offset)) = best {
            self.with(|set, _| set.offset = offset);
        }
        Ok(())
    }

    fn with<T>(&self, change: impl FnOnce(&mut Set, f64) -> T) -> T {
        let mut set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let now = set.offset + self.began.elapsed().as_secs_f64();
        change(&mut set, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_has_shown_is_not_forgotten() {
        let clock = Clock::new();
        clock.at_least(1_000.0);
        clock.missed();
        assert!(clock.now() >= 1_000.0 && clock.steady_for() < 100.0);
        clock.at_least(2_000.0);
        clock.at_least(1_500.0);
        assert!(clock.now() >= 2_000.0 && clock.now() < 2_100.0);
    }
}
