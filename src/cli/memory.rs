//! Memory: amounts that are typed, and what a computation has taken.

use peak_alloc::PeakAlloc;

/// Counts what the program has asked for and not given back: the only measure of a search's own memory that does not
/// depend on what else is in the process.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The most memory that has been asked for since a moment.
#[derive(Clone, Copy, Debug)]
pub struct HeapSince {
    before: usize,
}

impl HeapSince {
    /// From now on. The latest such moment counts for all.
    pub fn now() -> Self {
        HEAP.reset_peak_usage();
        HeapSince { before: HEAP.current_usage() }
    }

    /// How much there was at the most on top of what there was then, in MB.
    pub fn most_mb(self) -> f64 {
        let bytes = HEAP.peak_usage().saturating_sub(self.before) as f64;
        (bytes / 1e4).round() / 100.0
    }
}

/// Reads an amount of memory such as `500MB` or `2GB`; a number alone is bytes.
///
/// # Errors
/// That it is none, in words.
pub fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is not an amount of memory such as 500MB or 2GB");
    let text_in_one = text.trim().to_ascii_lowercase();
    let digits = text_in_one.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let factor = match text_in_one[digits.len()..].trim() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number * factor;
    match bytes.is_finite() && (1e6..=1e15).contains(&bytes) {
        true => Ok(bytes as usize),
        false => Err(format!("`{text}`: memory must be 1MB or more, and less than 1000TB")),
    }
}

/// The most memory that this process has had, in MB; none where the system does not say.
pub fn peak_mb() -> Option<f64> {
    let bytes = peak_bytes()?;
    Some((bytes / 1e5).round() / 10.0)
}

/// Linux's `getrusage` counts what the process that started this one had; its own high-water mark does not.
#[cfg(target_os = "linux")]
fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? * 1024.0)
}

/// In kilobytes, but on Apple's systems in bytes.
#[cfg(all(unix, not(target_os = "linux")))]
fn peak_bytes() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let most = getrusage(UsageWho::RUSAGE_SELF).ok()?.max_rss() as f64;
    Some(if cfg!(target_vendor = "apple") { most } else { most * 1024.0 })
}

#[cfg(not(unix))]
fn peak_bytes() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes("1.5 gib"), Ok(1_610_612_736));
        assert_eq!(bytes("3000000"), Ok(3_000_000));
        for wrong in ["", "GB", "2XB", "-1GB", "100", "1e300GB", "é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
