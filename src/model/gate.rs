//! Where the calls of one agent wait for its limits, in the order in which they came. The trait is the boundary behind
//! which limits may be counted elsewhere than in this process.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::Notify;

use super::rate::{Hold, Rate, Rates, Return, Ticket};

/// Where the limits of one agent are counted, over all its episodes.
#[async_trait]
pub trait Limits: Send + Sync {
    /// Waits until a call that will use about so many tokens may leave. `told` is told of every wait: why, and for how
    /// many seconds, where that is known. The future may be dropped at any time.
    async fn leave(&self, tokens: u64, told: &mut (dyn FnMut(&'static str, f64) + Send)) -> Ticket;

    /// A call has come back. Every ticket comes back once.
    fn come_back(&self, ticket: Ticket, how: Return);
}

/// Limits that are counted in this process.
pub struct Gate {
    began: Instant,
    rate: Mutex<Rate>,
    /// Whoever holds it is the next to leave.
    first: tokio::sync::Mutex<()>,
    returned: Notify,
}

/// How long a call that waits for another one's return is said to wait, in seconds: nobody knows.
const UNKNOWN: f64 = 1.0;

impl Gate {
    /// A gate at which nobody waits yet.
    pub fn new(rates: Rates) -> Self {
        Gate {
            began: Instant::now(),
            rate: Mutex::new(Rate::new(rates)),
            first: tokio::sync::Mutex::default(),
            returned: Notify::new(),
        }
    }

    fn try_leave(&self, tokens: u64) -> Result<Ticket, Hold> {
        let now = self.began.elapsed().as_secs_f64();
        self.rate.lock().unwrap_or_else(PoisonError::into_inner).leave(now, tokens)
    }
}

#[async_trait]
impl Limits for Gate {
    async fn leave(&self, tokens: u64, told: &mut (dyn FnMut(&'static str, f64) + Send)) -> Ticket {
        let first = match self.first.try_lock() {
            Ok(first) => first,
            Err(_) => {
                told("this agent's own limits", UNKNOWN);
                self.first.lock().await
            }
        };
        let mut waited = None;
        let ticket = loop {
            // Registered before the look, so that no return between the two is missed.
            let returned = self.returned.notified();
            let hold = match self.try_leave(tokens) {
                Ok(ticket) => break ticket,
                Err(hold) => hold,
            };
            if waited != Some(hold) {
                match hold {
                    Hold::Seconds(seconds) => told("this agent's own limit for a minute", seconds),
                    Hold::Return => told("this agent's limit of calls at once", UNKNOWN),
                }
            }
            match hold {
                Hold::Seconds(seconds) => {
                    // A return may show that fewer tokens were used than was guessed.
                    let sleep = tokio::time::sleep(Duration::from_secs_f64(seconds));
                    tokio::select! {
                        () = sleep => {}
                        () = returned => {}
                    }
                }
                Hold::Return => returned.await,
            }
            waited = Some(hold);
        };
        drop(first);
        ticket
    }

    fn come_back(&self, ticket: Ticket, how: Return) {
        self.rate.lock().unwrap_or_else(PoisonError::into_inner).come_back(ticket, how);
        self.returned.notify_waiters();
    }
}

/// A call that has left; comes back by itself if it is dropped.
pub(super) struct Pass<'a> {
    limits: &'a dyn Limits,
    ticket: Option<Ticket>,
}

impl<'a> Pass<'a> {
    /// Waits until a call may leave.
    pub(super) async fn wait(
        limits: &'a dyn Limits,
        tokens: u64,
        told: &mut (dyn FnMut(&'static str, f64) + Send),
    ) -> Self {
        Pass { limits, ticket: Some(limits.leave(tokens, told).await) }
    }

    /// Comes back.
    pub(super) fn come_back(mut self, how: Return) {
        if let Some(ticket) = self.ticket.take() {
            self.limits.come_back(ticket, how);
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.limits.come_back(ticket, Return::Otherwise);
        }
    }
}
