//! A client of one model: asks, waits where waiting helps, and says what it does. Shared by all episodes of an agent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::prompt::{Answer, Message, Wanted};

use super::endpoint::{Endpoint, EndpointError};
use super::error::{CallError, Fault, Remedy};
use super::exchange::{self, Chat};
use super::gate::{Gate, Limits, Pass};
use super::key::Key;
use super::rate::Return;
use super::usage::{CallTime, Usage};
use super::watch::{CallEvent, CallWatch, Watched};
use super::{request, response};

/// A client of one model, with one pool of connections.
pub struct Client {
    agent: String,
    endpoint: Endpoint,
    key: Key,
    chat: Chat,
    limits: Box<dyn Limits>,
    watch: Arc<dyn CallWatch>,
    calls: AtomicU64,
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
        let chat = exchange::chat(&endpoint, &key)?;
        let limits = Box::new(Gate::new(endpoint.rates()));
        Ok(Client { agent: agent.to_owned(), endpoint, key, chat, limits, watch, calls: AtomicU64::new(0) })
    }

    /// The options that it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Asks the model to go on with a conversation by an answer that holds what is `wanted`, and goes on asking while
    /// waiting helps. `seed` is for the lengths
    /// of waits. The future may be dropped at any time: an attempt on its way is then cut off.
    ///
    /// # Errors
    /// [`CallError`] with the server's own words.
    pub async fn call(&self, messages: &[Message], wanted: Wanted, seed: u64) -> Result<Reply, CallError> {
        let body = request::body(&self.endpoint, messages, wanted);
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut watched = Watched::new(&*self.watch, &self.agent, number);
        let began = Instant::now();
        let mut time = CallTime { started: format!("{:.3}", Timestamp::now()), ..CallTime::default() };
        let mut retries = Retries::default();
        let tokens = self.endpoint.estimated_tokens(messages);
        // Waiting for our own limits is no patience with the server.
        let mut held = Duration::ZERO;
        loop {
            let came = Instant::now();
            let mut told = |why: &'static str, seconds: f64| watched.note(CallEvent::Waiting { why, seconds });
            let pass = Pass::wait(&*self.limits, tokens, &mut told).await;
            held += came.elapsed();
            watched.note(CallEvent::Sent);
            let sent = Instant::now();
            let outcome = exchange::attempt(&self.chat, &body).await;
            let fault = match outcome.and_then(|body| Ok((self.redacted(response::answer(&body)?), body))) {
                Ok((answer, body)) => {
                    time.working_s = seconds(sent.elapsed());
                    time.waiting_s = seconds(sent.duration_since(began));
                    time.retries = retries.in_words();
                    let usage = self.priced(response::usage(&body));
                    pass.come_back(Return::Answered {
                        tokens: usage.prompt_tokens.saturating_add(usage.completion_tokens),
                    });
                    watched.note(CallEvent::Answered { usage: &usage });
                    return Ok(Reply { answer, usage, time });
                }
                Err(fault) => self.redacted_fault(fault),
            };
            pass.come_back(if fault.is_busy() { Return::Busy } else { Return::Otherwise });
            time.waiting_s = seconds(began.elapsed());
            let attempt = retries.count + 1;
            let patience = seconds(began.elapsed().saturating_sub(held));
            let wait = match self.endpoint.retry.wait(&fault, attempt, patience, seed) {
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
