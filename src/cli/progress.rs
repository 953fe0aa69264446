//! How far a computation is, on standard error while somebody looks, and how many threads it takes.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts `things`, with a message; hidden where nobody would see it.
pub fn bar(count: u64, things: &str, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {things}, {{msg}}, {{elapsed}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// As many threads as were asked for, or as there are cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
