//! The calls of a run that are on their way or wait, as the clients tell it. Turns that into events, and knows when
//! nothing is in flight any more.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc::UnboundedSender;

use super::event::Event;
use crate::model::{CallEvent, CallWatch};

/// Watches all calls of a run.
pub struct CallBoard {
    events: UnboundedSender<Event>,
    /// Whether each call that has not ended waits.
    waiting: Mutex<HashMap<(String, u64), bool>>,
    in_flight: AtomicUsize,
    /// Completed calls that are being stored.
    storing: AtomicUsize,
}

/// A completed call that is being stored, for as long as this is held.
pub struct Storing<'a>(&'a CallBoard);

impl Drop for Storing<'_> {
    fn drop(&mut self) {
        self.0.storing.fetch_sub(1, Ordering::Relaxed);
    }
}

impl CallBoard {
    /// A board that tells `events`.
    pub fn new(events: UnboundedSender<Event>) -> Self {
        CallBoard { events, waiting: Mutex::default(), in_flight: AtomicUsize::new(0), storing: AtomicUsize::new(0) }
    }

    /// Calls that a server is answering now.
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Says that a completed call is being stored: a run that stops waits for it, since it is paid for.
    pub fn storing(&self) -> Storing<'_> {
        self.storing.fetch_add(1, Ordering::Relaxed);
        Storing(self)
    }

    /// Whether a server is answering a call, or an answer is being stored.
    pub fn is_busy(&self) -> bool {
        self.in_flight() > 0 || self.storing.load(Ordering::Relaxed) > 0
    }
}

impl CallWatch for CallBoard {
    fn note(&self, agent: &str, call: u64, event: CallEvent<'_>) {
        let Ok(mut waiting) = self.waiting.lock() else { return };
        let key = (agent.to_owned(), call);
        let before = waiting.get(&key).copied();
        let now = match event {
            CallEvent::Sent => Some(false),
            CallEvent::Waiting { .. } => Some(true),
            CallEvent::Answered { .. } | CallEvent::Failed { .. } | CallEvent::Dropped => None,
        };
        match now {
            Some(state) => waiting.insert(key, state),
            None => waiting.remove(&key),
        };
        match (before == Some(false), now == Some(false)) {
            (false, true) => {
                self.in_flight.fetch_add(1, Ordering::Relaxed);
            }
            (true, false) => {
                self.in_flight.fetch_sub(1, Ordering::Relaxed);
            }
            _ => {}
        }
        // Nobody may be listening any more; the call goes on all the same.
        if before == Some(true) {
            let _ = self.events.send(Event::Resumed { agent: agent.to_owned() });
        }
        if let CallEvent::Waiting { why, seconds } = event {
            tracing::debug!(agent, call, why, seconds, "waiting before the next attempt");
            let _ = self.events.send(Event::Waiting { agent: agent.to_owned(), why: why.to_owned(), seconds });
        }
    }
}
