//! What happens to calls, told as it happens: a wait that nobody sees looks like a hang. Knows nothing of displays.

use super::usage::Usage;

/// Is told of every step of every call. Called from many tasks at once; must not block.
pub trait CallWatch: Send + Sync {
    /// Something has happened to a call. `call` tells the calls of one agent apart.
    fn note(&self, agent: &str, call: u64, event: CallEvent<'_>);
}

/// A step of a call. The first is `Sent`; `Waiting` is followed by `Sent` or the end; the end is `Answered`,
/// `Failed` or `Dropped`, once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallEvent<'a> {
    /// An attempt is on its way.
    Sent,
    /// An attempt gave nothing; the next one follows.
    Waiting {
        /// Why, such as `503 Loading model`.
        why: &'a str,
        /// Seconds until the next attempt.
        seconds: f64,
    },
    /// There is an answer.
    Answered {
        /// What it used.
        usage: &'a Usage,
    },
    /// There is none and there will be none.
    Failed {
        /// Why.
        why: &'a str,
    },
    /// The caller has gone before there was an answer.
    Dropped,
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl CallWatch for Unwatched {
    fn note(&self, _agent: &str, _call: u64, _event: CallEvent<'_>) {}
}

/// One call as its watch sees it; says `Dropped` if it goes away before its end.
pub(super) struct Watched<'a> {
    watch: &'a dyn CallWatch,
    agent: &'a str,
    call: u64,
    ended: bool,
}

impl<'a> Watched<'a> {
    pub(super) fn new(watch: &'a dyn CallWatch, agent: &'a str, call: u64) -> Self {
        Watched { watch, agent, call, ended: false }
    }

    pub(super) fn note(&mut self, event: CallEvent<'_>) {
        self.ended = !matches!(event, CallEvent::Sent | CallEvent::Waiting { .. });
        self.watch.note(self.agent, self.call, event);
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.note(CallEvent::Dropped);
        }
    }
}
