//! The clock, for the `time` objects of traces and for nothing else.

use std::time::Duration;

use jiff::{Timestamp, Unit};

/// Now: RFC 3339, UTC, to the millisecond.
pub fn now() -> String {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now).to_string()
}

/// Seconds to the microsecond.
pub fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Seconds from a trace, which may hold anything.
pub fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or_default()
}
