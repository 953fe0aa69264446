//! The clock, for the `time` objects of traces and for nothing else.

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
