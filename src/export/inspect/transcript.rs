//! What was said and what came of it: the messages of an episode, and its events in their order. Knows nothing of scores.

use serde_json::{Value, json};

use super::identity::{id, time};
use super::usage::usage;
use crate::agent::{Call, Verdict, conversation};
use crate::analysis::keys::Bracket;
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::Decision;
use crate::eval::trace::Trace;
use crate::prompt::{Asks, Message, Role};

/// What was said, and what came of it.
pub struct Transcript {
    /// The conversation: each question once, each answer with its reasoning.
    pub messages: Vec<Value>,
    /// Calls and decisions.
    pub events: Vec<Value>,
    /// The last answer, as a model's output.
    pub output: Value,
    /// Calls made.
    pub calls: usize,
}

/// The transcript of an episode; an agent of this name speaks.
pub fn of(trace: &Trace, analysis: &EpisodeAnalysis, agent: &str) -> Transcript {
    let mut told = Telling { trace, agent, messages: Vec::new(), events: Vec::new(), output: None, worked: 0.0 };
    let mut calls = trace.calls.iter().enumerate().peekable();
    for (decision, value) in trace.decisions.iter().zip(&analysis.decisions) {
        let before = told.messages.len();
        while let Some((index, call)) = calls.next_if(|(_, call)| call.turn <= decision.turn) {
            told.call(index, call);
        }
        if told.messages.len() == before {
            told.act(decision, value);
        }
        told.decide(decision, value);
    }
    for (index, call) in calls {
        told.call(index, call);
    }
    let Telling { messages, events, output, .. } = told;
    let output = output.unwrap_or_else(|| json!({ "model": agent, "choices": [], "completion": "" }));
    Transcript { messages, events, output, calls: trace.calls.len() }
}

/// A transcript in the making.
struct Telling<'a> {
    trace: &'a Trace,
    agent: &'a str,
    messages: Vec<Value>,
    events: Vec<Value>,
    output: Option<Value>,
    worked: f64,
}

impl Telling<'_> {
    /// A call: the questions that are new, and the answer.
    fn call(&mut self, index: usize, call: &Call) {
        for message in new_messages(call, self.messages.is_empty()) {
            self.say(json!({ "role": role(message.role), "content": &*message.content, "source": "input" }));
        }
        let input: Vec<Value> = (conversation::sent(call, &self.trace.calls[..index]).iter().enumerate())
            .map(|(place, message)| {
                let id = self.id("input", index * 1_000 + place);
                json!({ "id": id, "role": role(message.role), "content": &*message.content })
            })
            .collect();
        let answered = call.verdict != Verdict::TransportError;
        let output =
            if answered { self.answer(call) } else { json!({ "model": self.agent, "choices": [], "completion": "" }) };
        let mut event = json!({
            "event": "model",
            "model": self.agent,
            "input": input,
            "tools": [],
            "tool_choice": "none",
            "config": {},
            "output": output.clone(),
            "working_time": call.time.working_s,
            "metadata": about(call),
        });
        if !call.time.retries.is_empty() {
            event["retries"] = call.time.retries.len().into();
        }
        if call.time.from_cache {
            event["cache"] = "read".into();
        }
        if !answered {
            event["error"] = call.complaint.as_deref().unwrap_or("no answer came").into();
        }
        self.happen(event, &call.time.started);
        self.worked += call.time.working_s;
        self.output = Some(output);
    }

    /// Says an answer; returns it as a model's output.
    fn answer(&mut self, call: &Call) -> Value {
        let text = call.content.as_deref().unwrap_or_default();
        let content = match call.reasoning.as_deref() {
            Some(reasoning) => json!([
                { "type": "reasoning", "reasoning": reasoning },
                { "type": "text", "text": text },
            ]),
            None => json!(text),
        };
        let message = self.say(json!({
            "role": "assistant",
            "content": content,
            "source": "generate",
            "model": self.agent,
            "metadata": about(call),
        }));
        json!({
            "model": self.agent,
            "choices": [{ "message": message, "stop_reason": stop_reason(call) }],
            "completion": text,
            "usage": usage(&call.usage),
            "time": call.time.working_s,
        })
    }

    /// What an agent without messages was asked and did.
    fn act(&mut self, decision: &Decision, value: &DecisionValue) {
        let listed = decision.actions.iter().map(|action| {
            let damage = action.damage.map(|damage| format!(", costs {damage} HP")).unwrap_or_default();
            let lethal = if action.lethal { ", lethal" } else { "" };
            format!("\n{}. {} {}{damage}{lethal}", action.number, action.text, action.target)
        });
        let hero = &decision.hero;
        let quantities = format!("HP {}, ATK {}, DEF {}, MDEF {}", hero.hp, hero.atk, hero.def, hero.mdef);
        let asked = format!("Turn {}. {quantities}\n{}", decision.turn, listed.collect::<String>());
        self.say(json!({ "role": "user", "content": asked, "source": "input" }));
        let done = value.action().map_or(String::new(), |action| format!("{} {}", action.text, action.target));
        self.say(
            json!({ "role": "assistant", "content": done, "model": self.agent, "metadata": { "turn": decision.turn } }),
        );
    }

    /// What was executed, and what it was worth.
    fn decide(&mut self, decision: &Decision, value: &DecisionValue) {
        // What is not known is neither so nor so.
        let known = |holds: Option<bool>| holds.filter(|_| !value.before.is_lost());
        let mut data = json!({
            "turn": decision.turn,
            "executed": value.action().map(|action| format!("{} {}", action.text, action.target)),
            "value_before": value.before.hp(),
            "value_after": value.after().hp(),
            "value_lost": value.value_lost(),
            "optimal": known(value.is_optimal()),
            "losing": known(value.is_losing()),
            "critical": known(value.is_critical()),
            "forced": known(value.is_forced()),
            "hp": decision.hero.hp,
            "hp_after": decision.after.hp,
            "collected": decision.collected,
            "chosen": decision.chosen,
            "by": decision.by,
            "actions": value.actions,
        });
        for (name, worth) in [("value_before_bracket", value.before), ("value_after_bracket", value.after())] {
            if let Some(bracket) = Bracket::of(worth) {
                data[name] = json!(bracket);
            }
        }
        self.happen(json!({ "event": "info", "source": "mota", "data": data }), &decision.time.at);
    }

    /// Adds a message, and returns it with its identifier.
    fn say(&mut self, mut message: Value) -> Value {
        message["id"] = self.id("message", self.messages.len()).into();
        self.messages.push(message.clone());
        message
    }

    /// Adds an event.
    fn happen(&mut self, mut event: Value, at: &str) {
        event["uuid"] = self.id("event", self.events.len()).into();
        event["timestamp"] = time(at, &self.trace.header.time.started).into();
        event["working_start"] = self.worked.into();
        self.events.push(event);
    }

    fn id(&self, what: &str, number: usize) -> String {
        id(&[&self.trace.header.id, what, &number.to_string()])
    }
}

/// The messages of a call that none before it had: all of the first call, else the question alone, or what was said of a
/// wrong answer.
fn new_messages(call: &Call, first: bool) -> Vec<&Message> {
    match (first, call.reask) {
        (true, _) => call.messages.iter().collect(),
        (false, 0) => call.messages.iter().filter(|message| message.role != Role::System).collect(),
        (false, _) => call.messages.last().into_iter().collect(),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// What is ours of a call.
fn about(call: &Call) -> Value {
    json!({
        "turn": call.turn,
        "reask": call.reask,
        "asks": if call.asks == Asks::Route { "route" } else { "action" },
        "verdict": call.verdict,
        "number": call.number,
        "complaint": call.complaint,
    })
}

fn stop_reason(call: &Call) -> &'static str {
    match call.finish_reason.as_deref() {
        Some("stop") => "stop",
        Some("length" | "max_tokens") => "max_tokens",
        Some("tool_calls" | "function_call") => "tool_calls",
        Some("content_filter") => "content_filter",
        _ => "unknown",
    }
}
