//! Limits that hold over all workers of a batch, counted in a key-value bucket. What a server taught by being busy stays
//! with the worker that it taught. Knows nothing of episodes.

mod clock;
pub mod ledger;
mod page;
mod question;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv::Store;
use async_trait::async_trait;
use tokio::sync::watch;

use crate::model::gate::{Pass, Ticket, Told};
use crate::model::purse::Most;
use crate::model::rate::{Hold, Return};
use crate::model::{Budget, Limits, LocalLimits, Rates, Refusal, Spending};
use clock::Clock;
use ledger::{Given, Ledger, Want};
use page::{Desk, Page};
use question::{Held, Looks, UNKNOWN, ask};

/// How often the server's time is measured again.
const MEASURED_EVERY: Duration = Duration::from_secs(240);
/// How long a worker that ends waits until all is counted.
const CLOSING: Duration = Duration::from_secs(15);
/// The most seconds that an answer is reckoned to take.
const MOST_SLACK: f64 = 30.0;

/// The keys of the bucket.
const BUDGET: &str = "budget";
const DEAREST: &str = "dearest";

/// Why limits cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// Their bucket does not exist any more.
    #[error("the batch's key-value bucket is gone from the server; it has been removed")]
    Gone,
    /// The server does not answer, or not as it should.
    #[error("the server does not answer: {0}")]
    NoAnswer(String),
    /// What stands in the bucket was not written by this program.
    #[error("the key `{key}` of the batch's bucket holds no counts: {why}")]
    Garbled {
        /// The key.
        key: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Begins the counts of a batch, or raises them: at least so much has been spent by the calls that are recorded, and a token
/// has cost its agent so many US dollars at the most. Harmless while workers count.
///
/// # Errors
/// [`LimitsError`] if the bucket cannot be read or written.
pub async fn open(store: &Store, spent: Spending, dearest: &BTreeMap<String, f64>) -> Result<(), LimitsError> {
    if spent != Spending::default() {
        let clock = Clock::of(store).await?;
        page::change(store, BUDGET, |ledger: &mut Ledger| ledger.raise(spent, clock.now())).await?;
    }
    page::change(store, DEAREST, |known: &mut BTreeMap<String, f64>| {
        let before = known.clone();
        for (agent, each) in dearest {
            let known = known.entry(agent.clone()).or_default();
            *known = known.max(*each);
        }
        *known != before
    })
    .await
}

/// The most US dollars that a token has cost, by agent, as [`open`] was told.
///
/// # Errors
/// [`LimitsError`] if the bucket cannot be read.
pub async fn dearest(store: &Store) -> Result<BTreeMap<String, f64>, LimitsError> {
    Ok(page::read(store, DEAREST).await?.0)
}

/// What has been spent of a batch's budget, as far as its workers have counted.
///
/// # Errors
/// [`LimitsError`] if the bucket cannot be read.
pub async fn spent(store: &Store) -> Result<Spending, LimitsError> {
    Ok(page::read::<Ledger>(store, BUDGET).await?.0.spent())
}

/// How long workers are waited for, and servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// For how long what a worker has away counts after it was last heard of.
    pub lease: Duration,
    /// How long a call waits for a server that does not answer.
    pub patience: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Waits { lease: Duration::from_secs(30), patience: Duration::from_secs(120) }
    }
}

/// Limits counted together with all other workers of a batch.
pub struct SharedLimits {
    /// What busy servers have taught this worker; holds nothing back otherwise.
    local: Arc<LocalLimits>,
    agents: BTreeMap<String, Counter>,
    budget: Option<(Budget, Arc<Page>)>,
    away: Mutex<BTreeMap<u64, Away>>,
    next: AtomicU64,
    closing: watch::Sender<bool>,
}

/// Where the calls of one agent leave this worker, and are counted if its limits are stated.
struct Counter {
    rates: Rates,
    page: Option<Arc<Page>>,
    /// Whoever holds it is the next to leave.
    first: tokio::sync::Mutex<()>,
}

/// What is counted of a call that is away.
struct Away {
    local: Ticket,
    departure: Option<Held>,
    reservation: Option<Held>,
}

impl SharedLimits {
    /// Limits of these agents and of the batch, as the worker of that name counts them.
    ///
    /// # Errors
    /// [`LimitsError`] if the server does not say what time it is.
    pub async fn new(
        store: Store,
        holder: String,
        rates: Vec<(String, Rates)>,
        budget: Budget,
    ) -> Result<Arc<Self>, LimitsError> {
        Self::with(store, holder, rates, budget, Waits::default()).await
    }

    /// The same, waiting so long.
    ///
    /// # Errors
    /// [`LimitsError`] if the server does not say what time it is.
    pub async fn with(
        store: Store,
        holder: String,
        rates: Vec<(String, Rates)>,
        budget: Budget,
        waits: Waits,
    ) -> Result<Arc<Self>, LimitsError> {
        let local = rates.iter().map(|(agent, _)| (agent.clone(), Rates::default()));
        let local = LocalLimits::new(local, Budget::default(), Spending::default());
        let counts = budget != Budget::default() || rates.iter().any(|(_, rates)| *rates != Rates::default());
        // Without anything to count nobody asks what time it is.
        let clock = if counts { Clock::of(&store).await? } else { Clock::new() };
        // A worker started again under its name is another one: what it had away before is not its own.
        let holder = format!("{holder} {:016x}", RandomState::new().build_hasher().finish());
        let desk = Arc::new(Desk { store, holder, clock, waits });
        let (closing, closed) = watch::channel(false);
        let kept = |key: String| {
            let page = Page::new(&desk, key);
            tokio::spawn(page.clone().keep(closed.clone()));
            page
        };
        let counter = |(agent, rates): (String, Rates)| {
            let page = (rates != Rates::default()).then(|| kept(key(&agent)));
            (agent, Counter { rates, page, first: tokio::sync::Mutex::default() })
        };
        let agents = rates.into_iter().map(counter).collect();
        let budget = (budget != Budget::default()).then(|| (budget, kept(BUDGET.to_owned())));
        if counts {
            tokio::spawn(measure(desk.clone(), closed.clone()));
        }
        let (away, next) = (Mutex::default(), AtomicU64::new(0));
        Ok(Arc::new(SharedLimits { local, agents, budget, away, next, closing }))
    }

    /// Sets aside what a call may use, and waits while only returns can tell whether it may be made.
    async fn reserve(&self, most: &Most<'_>, told: &mut Told<'_>) -> Result<Option<(Held, Spending)>, Refusal> {
        let Some((budget, page)) = &self.budget else { return Ok(None) };
        let mut looks = Looks::default();
        loop {
            let came_back = page.came_back.notified();
            let most = most();
            let asked = ask(page, Want::Reservation { budget: *budget, most }, told).await?;
            match (asked.given, asked.held) {
                (Given::Reservation(most), Some(held)) => return Ok(Some((held, most))),
                (Given::Refused(spent), _) => return Err(spent.into()),
                _ => looks.wait(page, Hold::Return, "what is left of the batch's budget", told, came_back).await,
            }
        }
    }
}

impl Counter {
    /// Waits until a call of this agent may leave, and counts it.
    async fn depart(&self, tokens: u64, told: &mut Told<'_>) -> Result<Option<Held>, Refusal> {
        let Some(page) = &self.page else { return Ok(None) };
        let mut looks = Looks::default();
        let (mut slack, mut instead_of) = (0.0, None);
        loop {
            let came_back = page.came_back.notified();
            let want = Want::Departure { rates: self.rates, tokens, slack, instead_of };
            let began = Instant::now();
            let asked = ask(page, want, told).await?;
            match (asked.given, asked.held) {
                // Counted before it leaves it would be forgotten before its minute is over.
                (Given::Departure(at), Some(_)) if asked.answered > at && slack < MOST_SLACK => {
                    instead_of = Some(at);
                    slack = (2.0 * began.elapsed().as_secs_f64()).min(MOST_SLACK);
                }
                (Given::Departure(_), Some(held)) => return Ok(Some(held)),
                (Given::Hold(hold), _) => {
                    let why = match hold {
                        Hold::Seconds(_) => "this agent's own limit for a minute",
                        Hold::Return => "this agent's limit of calls at once",
                    };
                    looks.wait(page, hold, why, told, came_back).await;
                }
                _ => looks.wait(page, Hold::Return, "this agent's own limits", told, came_back).await,
            }
        }
    }
}

#[async_trait]
impl Limits for SharedLimits {
    async fn leave(&self, agent: &str, most: &Most<'_>, told: &mut Told<'_>) -> Result<Ticket, Refusal> {
        // Whoever is first waits at the server for all of this agent's calls here. Where nothing is counted nobody waits.
        let counter = self.agents.get(agent).filter(|counter| counter.page.is_some() || self.budget.is_some());
        let _first = match counter.map(|counter| (counter, counter.first.try_lock())) {
            None => None,
            Some((_, Ok(first))) => Some(first),
            Some((counter, Err(_))) => {
                told("this agent's own limits", UNKNOWN);
                Some(counter.first.lock().await)
            }
        };
        let local = Pass::wait(&*self.local, agent, most, told).await?;
        let (reservation, reserved) = self.reserve(most, told).await?.unzip();
        let reserved = reserved.unwrap_or_else(|| {
            let most = most();
            if most.cost_usd.is_finite() { most } else { Spending { cost_usd: 0.0, ..most } }
        });
        // Last, because the moment of leaving is counted.
        let departure = match counter {
            Some(counter) => counter.depart(reserved.tokens, told).await?,
            None => None,
        };
        let call = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(local) = local.keep() {
            let away = Away { local, departure, reservation };
            self.away.lock().unwrap_or_else(PoisonError::into_inner).insert(call, away);
        }
        Ok(Ticket { call, most: reserved })
    }

    fn come_back(&self, agent: &str, ticket: Ticket, how: Return) {
        let away = self.away.lock().unwrap_or_else(PoisonError::into_inner).remove(&ticket.call);
        let Some(Away { local, departure, reservation }) = away else { return };
        self.local.come_back(agent, local, how);
        let used = match how {
            Return::Answered { used } => used,
            Return::Busy | Return::Otherwise => Spending::default(),
        };
        for held in departure.into_iter().chain(reservation) {
            held.come_back(used);
        }
    }

    async fn settled(&self) {
        let agents = || self.agents.values().filter_map(|counter| counter.page.as_ref());
        let pages = || agents().chain(self.budget.iter().map(|(_, page)| page));
        let began = Instant::now();
        while !pages().all(|page| page.is_settled()) && began.elapsed() < CLOSING {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for SharedLimits {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        // Whoever drops it with calls away has been stopped in their midst: nobody will say what they used.
        for away in self.away.get_mut().unwrap_or_else(PoisonError::into_inner).values_mut() {
            away.departure.iter_mut().chain(&mut away.reservation).for_each(Held::forget);
        }
    }
}

/// Measures the server's time again and again.
async fn measure(desk: Arc<Desk>, mut closed: watch::Receiver<bool>) {
    while tokio::time::timeout(MEASURED_EVERY, closed.wait_for(|closed| *closed)).await.is_err() {
        // What it was stands if nobody answers.
        let _ = desk.clock.measure(&desk.store).await;
    }
}

/// The key of an agent, whose name may hold what keys may not.
fn key(agent: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let written = agent.bytes().map(|byte| if plain(byte) { char::from(byte).into() } else { format!("={byte:02X}") });
    format!("agent.{}", written.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_agents_are_fit_for_keys() {
        assert_eq!(key("qwen3-8b_t0"), "agent.qwen3-8b_t0");
        assert_eq!(
            (key("a.b"), key("a=b"), key("é.")),
            ("agent.a=2Eb".into(), "agent.a=3Db".into(), "agent.=C3=A9=2E".into())
        );
    }
}
