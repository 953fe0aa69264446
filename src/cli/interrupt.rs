//! Ctrl-C while something is computed: once, it stops and says what it has; twice, the program stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// When a computation is to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    pressed: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Interrupt {
    /// Listens for Ctrl-C from now on. The time that is given, if any, runs from now, too.
    pub fn listen(limit: Option<Duration>) -> Self {
        let pressed = Arc::new(AtomicBool::new(false));
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
        let flag = pressed.clone();
        // Without a runtime Ctrl-C ends the program, as it does by itself.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
            thread::spawn(move || {
                runtime.block_on(async {
                    while tokio::signal::ctrl_c().await.is_ok() {
                        if flag.swap(true, Ordering::Relaxed) {
                            std::process::exit(130);
                        }
                    }
                });
            });
        }
        Interrupt { pressed, until }
    }

    /// Whether to stop now.
    pub fn stops(&self) -> bool {
        self.was_pressed() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether somebody pressed Ctrl-C.
    pub fn was_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }
}

/// Reads a length of time such as `30s`, `2m` or `1h 30m`; a number alone is seconds.
///
/// # Errors
/// That it is none, in words.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a length of time such as 30s, 2m or 1.5");
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| wrong());
    }
    let parsed: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
    Duration::try_from(parsed).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        for wrong in ["", "-1", "-3s", "NaN", "inf", "soon", "1e300"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
