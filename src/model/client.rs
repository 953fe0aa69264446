//! A client of one model: asks, waits where waiting helps, and says what it does. Shared by all episodes of an agent.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use crate::prompt::{Answer, Message, Wanted, tokens};

use super::cache::{Cache, Kept};
use super::endpoint::{Endpoint, EndpointError};
use super::error::{CallError, Fault, Remedy};
use super::estimate::Estimate;
use super::exchange::{self, Chat};
use super::gate::{Limits, LocalLimits, Pass};
use super::key::Key;
use super::rate::Return;
use super::spending::{Budget, Spending};
use super::usage::{CallTime, Usage};
use super::watch::{CallEvent, CallWatch, Watched};
use super::{request, response};

/// A client of one model, with one pool of connections.
pub struct Client {
    agent: String,
    endpoint: Endpoint,
    key: Key,
    chat: Chat,
    limits: Arc<dyn Limits>,
    cache: Option<Arc<Cache>>,
    estimate: Mutex<Estimate>,
    watch: Arc<dyn CallWatch>,
    calls: AtomicU64,
}

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The conversation that it is to go on with.
    pub messages: &'a [Message],
    /// What its answer must hold.
    pub wanted: Wanted,
    /// For the lengths of waits.
    pub seed: u64,
    /// The episode's repeat: an answer from the cache is one of the same repeat.
    pub repeat: u32,
    /// Seconds that the server may be waited for, where that is less than the endpoint's own limits.
    pub patience: Option<f64>,
}

impl<'a> Ask<'a> {
    /// Asks for an action that is named by its number, with nothing else that matters.
    pub fn of(messages: &'a [Message]) -> Self {
        Ask { messages, wanted: Wanted::default(), seed: 0, repeat: 0, patience: None }
    }
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The answer of its first choice.
    pub answer: Answer,
    /// What it used.
    pub usage: Usage,
    /// How long it took.
    pub time: CallTime,
}

impl Client {
    /// A client for the agent of that name. The key is read from the environment here and nowhere else.
    ///
    /// # Errors
    /// [`EndpointError`]: the first option that cannot be used, or a missing key.
    pub fn new(agent: &str, endpoint: Endpoint, watch: Arc<dyn CallWatch>) -> Result<Self, EndpointError> {
        let key = match &endpoint.api_key_env {
            None => Key::none(),
            Some(variable) => Key::from_environment(variable)
                .map_err(|reason| EndpointError::NoKey { variable: variable.clone(), reason })?,
        };
        Client::with_key(agent, endpoint, key, watch)
    }

    /// The same with a key at hand.
    ///
    /// # Errors
    /// [`EndpointError`]: the first option that cannot be used.
    pub fn with_key(
        agent: &str,
        endpoint: Endpoint,
        key: Key,
        watch: Arc<dyn CallWatch>,
    ) -> Result<Self, EndpointError> {
        if let Some(wrong) = endpoint.check().into_iter().next() {
            return Err(wrong);
        }
        Ok(Client {
            agent: agent.to_owned(),
            chat: exchange::chat(&endpoint, &key)?,
            limits: LocalLimits::new([(agent.to_owned(), endpoint.rates())], Budget::default(), Spending::default()),
            cache: None,
            estimate: Mutex::new(Estimate::new(&endpoint)),
            endpoint,
            key,
            watch,
            calls: AtomicU64::new(0),
        })
    }

    /// Has limits counted with those of others.
    pub fn with_limits(self, limits: Arc<dyn Limits>) -> Self {
        Client { limits, ..self }
    }

    /// Reckons with what a token has cost at the most in earlier sittings.
    pub fn with_dearest(self, usd_per_token: Option<f64>) -> Self {
        let estimate = Mutex::new(Estimate::new(&self.endpoint).with_dearest(usd_per_token));
        Client { estimate, ..self }
    }

    /// Has answers kept, and taken from where they are kept.
    pub fn with_cache(self, cache: Option<Arc<Cache>>) -> Self {
        Client { cache, ..self }
    }

    /// The options that it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Asks the model, and goes on asking while waiting helps. The future may be dropped at any time: an attempt on its
    /// way is then cut off.
    ///
    /// # Errors
    /// [`CallError`] with the server's own words.
    pub async fn call(&self, ask: Ask<'_>) -> Result<Reply, CallError> {
        let body = request::body(&self.endpoint, ask.messages, ask.wanted);
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut watched = Watched::new(&*self.watch, &self.agent, number);
        let mut time = CallTime { started: format!("{:.3}", Timestamp::now()), ..CallTime::default() };
        let kept = self.kept_at(&body, ask.repeat);
        if let Some(Kept { answer, usage }) = kept.as_ref().and_then(|(cache, place)| cache.get(place)) {
            let usage = self.priced(usage);
            time.from_cache = true;
            watched.note(CallEvent::Answered { usage: &usage });
            return Ok(Reply { answer, usage, time });
        }
        let bytes = tokens::bytes(ask.messages);
        let began = Instant::now();
        let mut retries = Retries::default();
        // Waiting for our own limits is no patience with the server.
        let mut held = Duration::ZERO;
        loop {
            let came = Instant::now();
            let most = || self.estimate(|estimate| estimate.spending(bytes));
            let mut told = |why: &'static str, seconds: f64| watched.note(CallEvent::Waiting { why, seconds });
            let passed = Pass::wait(&*self.limits, &self.agent, &most, &mut told).await;
            held += came.elapsed();
            time.held_s = seconds(held);
            let pass = match passed {
                Ok(pass) => pass,
                Err(refusal) => {
                    let why = refusal.to_string();
                    watched.note(CallEvent::Failed { why: &why });
                    return Err(refusal.into());
                }
            };
            watched.note(CallEvent::Sent);
            let sent = Instant::now();
            let outcome = exchange::attempt(&self.chat, &body).await;
            let fault = match outcome.and_then(|body| Ok((self.redacted(response::answer(&body)?), body))) {
                Ok((answer, body)) => {
                    time.working_s = seconds(sent.elapsed());
                    time.waiting_s = seconds(sent.duration_since(began));
                    time.retries = retries.in_words();
                    let counted = response::usage(&body).or_guessed(bytes, answer.bytes());
                    let usage = self.priced(counted);
                    self.estimate(|estimate| estimate.learn(bytes, &usage));
                    pass.come_back(Return::Answered { used: Spending::from(&usage) });
                    watched.note(CallEvent::Answered { usage: &usage });
                    if let Some((cache, place)) = &kept {
                        cache.put(place, &Kept { answer: answer.clone(), usage: counted });
                    }
                    return Ok(Reply { answer, usage, time });
                }
                Err(fault) => self.redacted_fault(fault),
            };
            pass.come_back(if fault.is_busy() { Return::Busy } else { Return::Otherwise });
            time.waiting_s = seconds(began.elapsed());
            let attempt = retries.count + 1;
            let waited = seconds(began.elapsed().saturating_sub(held));
            let patience = self.endpoint.retry.at_most(ask.patience);
            let wait = match patience.wait(&fault, attempt, waited, ask.seed) {
                Ok(wait) => wait,
                Err(why) => {
                    watched.note(CallEvent::Failed { why: &why });
                    retries.add(&fault);
                    time.retries = retries.in_words();
                    return Err(match fault.remedy() {
                        Remedy::StopAgent => CallError::Agent { why },
                        _ => CallError::Episode { why, time },
                    });
                }
            };
            retries.add(&fault);
            watched.note(CallEvent::Waiting { why: &fault.to_string(), seconds: wait });
            tokio::time::sleep(Duration::from_secs_f64(wait)).await;
        }
    }

    /// The cache, if there is one, and the place in it for the answer to a request.
    fn kept_at(&self, body: &impl Serialize, repeat: u32) -> Option<(&Cache, PathBuf)> {
        let cache = self.cache.as_deref()?;
        let body = serde_json::to_vec(body).ok()?;
        Some((cache, cache.place(&self.endpoint.base_url, &self.endpoint.headers, &body, repeat)))
    }

    /// Reads or corrects the estimate that all calls of this agent share.
    fn estimate<T>(&self, with: impl FnOnce(&mut Estimate) -> T) -> T {
        with(&mut self.estimate.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a call used, with its cost by our prices if the provider states none.
    fn priced(&self, usage: Usage) -> Usage {
        let cost_usd = usage.cost_usd.or_else(|| self.endpoint.price.map(|price| price.of(&usage)));
        Usage { cost_usd, ..usage }
    }

    /// The answer without the key, should it have been echoed with escapes.
    fn redacted(&self, answer: Answer) -> Answer {
        let clean = |text: Option<String>| text.map(|text| self.key.redact(text));
        Answer {
            content: clean(answer.content),
            reasoning: clean(answer.reasoning),
            arguments: clean(answer.arguments),
            refusal: clean(answer.refusal),
            finish_reason: clean(answer.finish_reason),
        }
    }

    fn redacted_fault(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Status { status, words, retry_after } => {
                Fault::Status { status, words: self.key.redact(words), retry_after }
            }
            Fault::Unreadable(words) => Fault::Unreadable(self.key.redact(words)),
            other => other,
        }
    }
}

/// Attempts that gave nothing, equal ones in a row counted.
#[derive(Default)]
struct Retries {
    count: u32,
    runs: Vec<(String, u32)>,
}

impl Retries {
    fn add(&mut self, fault: &Fault) {
        self.count = self.count.saturating_add(1);
        let why = fault.to_string();
        match self.runs.last_mut() {
            Some((last, times)) if *last == why => *times += 1,
            _ => self.runs.push((why, 1)),
        }
    }

    fn in_words(&self) -> Vec<String> {
        let words = |(why, times): &(String, u32)| match times {
            1 => why.clone(),
            times => format!("{why} ({times} times)"),
        };
        self.runs.iter().map(words).collect()
    }
}

/// Seconds to the millisecond.
fn seconds(duration: Duration) -> f64 {
    duration.as_millis() as f64 / 1e3
}
