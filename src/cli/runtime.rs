//! The runtime of a command that waits for others, and what Ctrl-C and a request to end do to it: once, what is in flight
//! is finished; twice, the program stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::Failure;

/// A runtime, and whether it is to stop.
pub struct Interrupts {
    /// Runs what waits.
    pub runtime: Runtime,
    /// Turns true when what is in flight is to be finished.
    pub stop: watch::Receiver<bool>,
    over: Arc<AtomicBool>,
}

/// What is said when the program is to stop.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The first time.
    pub first: &'static str,
    /// When it stops at once.
    pub at_once: &'static str,
}

impl Words {
    /// Where episodes are played in this process.
    pub const PLAYING: Words = Words {
        first: "finishing the calls in flight; Ctrl-C again stops at once",
        at_once: "stopped at once; every completed decision is kept",
    };
    /// Where others play them.
    pub const FOLLOWING: Words = Words {
        first: "the workers go on with what is published; the same command follows it again",
        at_once: "stopped at once; the workers go on with what is published",
    };
}

impl Interrupts {
    /// Listens from now on.
    pub fn new(words: Words) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::failed)?;
        let (sender, stop) = watch::channel(false);
        let over = Arc::new(AtomicBool::new(false));
        let is_over = over.clone();
        runtime.spawn(async move {
            let mut ends = Ends::new();
            while ends.asked().await {
                if is_over.load(Ordering::Relaxed) || sender.send_replace(true) {
                    eprintln!("{}", words.at_once);
                    std::process::exit(130);
                }
                eprintln!("{}", words.first);
            }
        });
        Ok(Interrupts { runtime, stop, over })
    }

    /// There is nothing left to finish: from now on the program stops at once.
    pub fn nothing_left(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What batch systems send before they kill.
#[cfg(unix)]
struct Ends(Option<tokio::signal::unix::Signal>);
/// Elsewhere there is only Ctrl-C.
#[cfg(not(unix))]
struct Ends;

impl Ends {
    #[cfg(unix)]
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Ends(signal(SignalKind::terminate()).ok())
    }

    #[cfg(not(unix))]
    fn new() -> Self {
        Ends
    }

    /// Waits until somebody asks the program to end; says whether it can be waited for at all.
    async fn asked(&mut self) -> bool {
        #[cfg(unix)]
        if let Some(ends) = &mut self.0 {
            return tokio::select! {
                pressed = tokio::signal::ctrl_c() => pressed.is_ok(),
                ended = ends.recv() => ended.is_some(),
            };
        }
        tokio::signal::ctrl_c().await.is_ok()
    }
}
