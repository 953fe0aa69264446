//! Identifiers and times of a log, derived so that the same traces give the same bytes. Knows nothing of what they name.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// An identifier that these parts determine, as long as the package's own.
pub fn id(parts: &[&str]) -> String {
    const LENGTH: usize = 11;
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().take(LENGTH).map(|byte| format!("{byte:02x}")).collect()
}

/// A clock reading of a trace as a log writes it; that of `otherwise` if it is none, and the beginning of time if that is
/// none, either: a log must have times.
pub fn time(reading: &str, otherwise: &str) -> String {
    let read = |text: &str| text.parse::<Timestamp>().ok();
    let at = read(reading).or_else(|| read(otherwise)).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// What the package calls a log of this time, task and identifier.
pub fn file_name(time: &str, task: &str, id: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '-' };
    let seconds: String = time.chars().take("2026-01-01T00:00:00".len()).map(plain).collect();
    let task: String = task.chars().map(plain).collect();
    format!("{seconds}-00-00_{task}_{id}.eval")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_follow_from_their_parts() {
        assert_eq!(id(&["a", "b"]), id(&["a", "b"]));
        assert_ne!(id(&["a", "b"]), id(&["ab", ""]));
        assert_eq!(id(&[]).len(), 22);
    }

    #[test]
    fn a_time_there_always_is() {
        assert_eq!(time("2026-11-29T21:16:03.443Z", ""), "2026-11-29T21:16:03.443000+00:00");
        assert_eq!(time("soon", "2026-11-29T21:16:03Z"), "2026-11-29T21:16:03.000000+00:00");
        assert_eq!(time("", ""), "1970-01-01T00:00:00.000000+00:00");
        let name = file_name("2026-11-29T21:16:03.443000+00:00", "a_b/c", "0f");
        assert_eq!(name, "2026-11-29T21-16-03-00-00_a-b-c_0f.eval");
    }
}
