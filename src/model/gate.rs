//! Where calls wait for limits: those of their agent, in the order in which they came, and the budget of the batch. The
//! trait is the boundary behind which limits may be counted elsewhere than in this process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::Notify;

use super::purse::{Most, Purse, Spent};
use super::rate::{self, Hold, Rate, Rates, Return};
use super::spending::{Budget, Spending};

/// Where limits are counted: an agent's over all its episodes, the batch's over all its agents.
#[async_trait]
pub trait Limits: Send + Sync {
    /// Waits until a call of an agent that may use so much may leave. `told` is told of every wait: why, and for how many
    /// seconds, where that is known. The future may be dropped at any time.
    ///
    /// # Errors
    /// [`Refusal`] if the call must not be made.
    async fn leave(&self, agent: &str, most: &Most<'_>, told: &mut Told<'_>) -> Result<Ticket, Refusal>;

    /// A call has come back. Every ticket comes back once. Must not block.
    fn come_back(&self, agent: &str, ticket: Ticket, how: Return);

    /// Waits until all that has come back is counted, or nobody can count it: before the process ends, where limits are
    /// counted elsewhere.
    async fn settled(&self) {}
}

/// Is told why a call waits and for how many seconds.
pub type Told<'a> = dyn FnMut(&'static str, f64) + Send + 'a;

/// A call that has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ticket {
    /// Its number, which only who counts understands.
    pub call: u64,
    /// What was set aside for it of the batch's budget.
    pub most: Spending,
}

/// Why a call must not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The batch's budget does not allow it.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// The limits cannot be counted now, where that is not done in this process.
    #[error("the limits cannot be counted: {0}")]
    Unreachable(String),
}

/// Limits that are counted in this process.
pub struct LocalLimits {
    gates: BTreeMap<String, Gate>,
    purse: Purse,
}

impl LocalLimits {
    /// Limits of these agents, and a budget of which so much has been spent already.
    pub fn new(rates: impl IntoIterator<Item = (String, Rates)>, budget: Budget, spent: Spending) -> Arc<Self> {
        let gates = rates.into_iter().map(|(agent, rates)| (agent, Gate::new(rates))).collect();
        Arc::new(LocalLimits { gates, purse: Purse::new(budget, spent) })
    }
}

#[async_trait]
impl Limits for LocalLimits {
    async fn leave(&self, agent: &str, most: &Most<'_>, told: &mut Told<'_>) -> Result<Ticket, Refusal> {
        let reserved = self.purse.reserve(most, &mut || told("what is left of the batch's budget", UNKNOWN)).await?;
        // Should it go away before it may leave its gate, it gives back what it set aside.
        let held = Held { purse: &self.purse, most: Some(reserved) };
        // Last, because the gate counts the moment of leaving.
        let call = match self.gates.get(agent) {
            Some(gate) => gate.leave(reserved.tokens, told).await.call,
            None => 0,
        };
        held.keep();
        Ok(Ticket { call, most: reserved })
    }

    fn come_back(&self, agent: &str, ticket: Ticket, how: Return) {
        let used = match how {
            Return::Answered { used } => used,
            Return::Busy | Return::Otherwise => Spending::default(),
        };
        self.purse.settle(ticket.most, used);
        if let Some(gate) = self.gates.get(agent) {
            gate.come_back(rate::Ticket { call: ticket.call }, how);
        }
    }
}

/// What a call has set aside that has not left its gate yet.
struct Held<'a> {
    purse: &'a Purse,
    most: Option<Spending>,
}

impl Held<'_> {
    fn keep(mut self) {
        self.most = None;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(most) = self.most {
            self.purse.settle(most, Spending::default());
        }
    }
}

/// The gate of one agent.
struct Gate {
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
    fn new(rates: Rates) -> Self {
        Gate {
            began: Instant::now(),
            rate: Mutex::new(Rate::new(rates)),
            first: tokio::sync::Mutex::default(),
            returned: Notify::new(),
        }
    }

    fn try_leave(&self, tokens: u64) -> Result<rate::Ticket, Hold> {
        let now = self.began.elapsed().as_secs_f64();
        self.rate.lock().unwrap_or_else(PoisonError::into_inner).leave(now, tokens)
    }

    async fn leave(&self, tokens: u64, told: &mut Told<'_>) -> rate::Ticket {
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

    fn come_back(&self, ticket: rate::Ticket, how: Return) {
        self.rate.lock().unwrap_or_else(PoisonError::into_inner).come_back(ticket, how);
        self.returned.notify_waiters();
    }
}

/// A call that has left; comes back by itself if it is dropped.
pub(crate) struct Pass<'a> {
    limits: &'a dyn Limits,
    agent: &'a str,
    ticket: Option<Ticket>,
}

impl<'a> Pass<'a> {
    /// Waits until a call may leave.
    pub(crate) async fn wait(
        limits: &'a dyn Limits,
        agent: &'a str,
        most: &Most<'_>,
        told: &mut Told<'_>,
    ) -> Result<Self, Refusal> {
        let ticket = limits.leave(agent, most, told).await?;
        Ok(Pass { limits, agent, ticket: Some(ticket) })
    }

    /// Leaves it to the caller that it comes back.
    pub(crate) fn keep(mut self) -> Option<Ticket> {
        self.ticket.take()
    }

    /// Comes back.
    pub(super) fn come_back(mut self, how: Return) {
        if let Some(ticket) = self.ticket.take() {
            self.limits.come_back(self.agent, ticket, how);
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.limits.come_back(self.agent, ticket, Return::Otherwise);
        }
    }
}
