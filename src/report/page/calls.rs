//! The calls of an episode, packed: every text once, however many calls sent it again. Reads traces; knows nothing of the
//! game.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::whole::Whole;
use crate::agent::call::Asks;
use crate::agent::{Call, Verdict, conversation};
use crate::analysis::EpisodeAnalysis;
use crate::eval::trace::Trace;
use crate::prompt::{Message, Role};

/// What was sent and what came back.
#[derive(Default, Serialize)]
pub struct Calls {
    /// Every text once.
    texts: Vec<Arc<str>>,
    calls: Vec<Exchange>,
    /// Calls that the analysis has counted and the trace no longer holds.
    calls_missing: u64,
}

/// A call; texts by their place.
#[derive(Serialize)]
struct Exchange {
    turn: u32,
    reask: u32,
    asks: Asks,
    /// Who speaks, and what.
    messages: Vec<(Role, usize)>,
    earlier: u32,
    cut: u32,
    content: Option<usize>,
    reasoning: Option<usize>,
    finish_reason: Option<String>,
    verdict: Verdict,
    number: Option<u32>,
    /// Tiles, in words.
    route: Option<Vec<String>>,
    complaint: Option<String>,
    prompt_tokens: Whole,
    completion_tokens: Whole,
    reasoning_tokens: Whole,
    cached_tokens: Whole,
    guessed: bool,
    cost_usd: Option<f64>,
    seconds: f64,
    from_cache: bool,
    retries: Vec<String>,
}

/// The calls of an episode, as far as its trace still holds them.
pub fn of(trace: Option<&Trace>, episode: &EpisodeAnalysis) -> Calls {
    let counted: u64 = episode.verdicts.values().copied().map(u64::from).sum();
    if counted == 0 {
        return Calls::default();
    }
    let calls = trace.map(|trace| trace.calls.as_slice()).unwrap_or_default();
    let mut texts = Texts::default();
    let exchanges: Vec<Exchange> =
        calls.iter().enumerate().map(|(index, call)| exchange(call, &calls[..index], &mut texts)).collect();
    let calls_missing = counted.saturating_sub(exchanges.len() as u64);
    Calls { texts: texts.all, calls: exchanges, calls_missing }
}

fn exchange(call: &Call, before: &[Call], texts: &mut Texts) -> Exchange {
    Exchange {
        turn: call.turn,
        reask: call.reask,
        asks: call.asks,
        messages: (sent(call, before).into_iter())
            .map(|message| (message.role, texts.place(message.content)))
            .collect(),
        earlier: call.earlier,
        cut: call.cut,
        content: call.content.as_deref().map(|text| texts.place(text.into())),
        reasoning: call.reasoning.as_deref().map(|text| texts.place(text.into())),
        finish_reason: call.finish_reason.clone(),
        verdict: call.verdict,
        number: call.number,
        route: call.route.as_ref().map(|route| route.iter().map(ToString::to_string).collect()),
        complaint: call.complaint.clone(),
        prompt_tokens: call.usage.prompt_tokens.into(),
        completion_tokens: call.usage.completion_tokens.into(),
        reasoning_tokens: call.usage.reasoning_tokens.into(),
        cached_tokens: call.usage.cached_tokens.into(),
        guessed: call.usage.guessed,
        cost_usd: call.usage.cost_usd,
        seconds: call.time.working_s,
        from_cache: call.time.from_cache,
        retries: call.time.retries.clone(),
    }
}

/// The messages as they were sent. Earlier turns are sought only for a call that sent some: seeking them for every call
/// would take time by the square of their number.
fn sent(call: &Call, before: &[Call]) -> Vec<Message> {
    match (call.earlier, call.cut) {
        (0, 0) => call.messages.clone(),
        _ => conversation::sent(call, before),
    }
}

/// Texts in the order in which they first came.
#[derive(Default)]
struct Texts {
    all: Vec<Arc<str>>,
    places: HashMap<Arc<str>, usize>,
}

impl Texts {
    fn place(&mut self, text: Arc<str>) -> usize {
        let next = self.all.len();
        *self.places.entry(text).or_insert_with_key(|text| {
            self.all.push(text.clone());
            next
        })
    }
}
