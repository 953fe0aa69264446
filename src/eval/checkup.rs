//! One call to a model before a batch: whether its endpoint answers, in the form asked for, and what a batch of such calls
//! comes to. Writes nothing down.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::config::AgentKind;
use super::plan::{Entry, Plan};
use crate::model::{Ask, Client, Endpoint, EndpointError, Patience, Unwatched};
use crate::prompt::answer::{self, Answer, Verdict};
use crate::prompt::route_answer::parse_route;
use crate::prompt::{AnswerForm, Asks, thought};

/// What one call to an agent's model showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checkup {
    /// The agent.
    pub agent: String,
    /// The prompt that was sent, on the first floor of the batch.
    pub prompt: String,
    /// What it asked for.
    pub asks: Asks,
    /// Why there is no answer, in the server's words; null if there is one.
    pub error: Option<String>,
    /// What was made of the answer; null without one.
    pub verdict: Option<Verdict>,
    /// What was wrong with it, as a model would be told.
    pub complaint: Option<String>,
    /// Whether it came in the form that was asked for; null without an answer.
    pub form_kept: Option<bool>,
    /// Where its reasoning stands; null without an answer.
    pub reasoning: Option<Reasoning>,
    /// Tokens sent, as the server counted them; null if it did not.
    pub prompt_tokens: Option<u64>,
    /// Tokens answered.
    pub completion_tokens: Option<u64>,
    /// US dollars, as the provider states them or by the configured prices.
    pub cost_usd: Option<f64>,
    /// Seconds that the call took.
    pub seconds: f64,
    /// Calls of this agent in the batch, if every episode runs to its turn limit and nothing is asked again.
    pub batch_calls: u64,
    /// Tokens of so many calls like this one.
    pub batch_tokens: Option<u64>,
    /// US dollars of so many calls like this one.
    pub batch_cost_usd: Option<f64>,
}

/// Where an answer's reasoning stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reasoning {
    /// In a field of its own.
    Field,
    /// In the text, between marks such as `<think>` and `</think>`.
    Text,
    /// It is counted, but not shown.
    Counted,
    /// There is none.
    None,
}

impl Checkup {
    /// Whether the endpoint works: its answer names an action. That a model names an illegal one is its own affair.
    pub fn is_well(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Ok | Verdict::Illegal))
    }
}

/// Calls the model of an agent of the plan once, waiting for it at most so many seconds; nothing for an agent that is no
/// model.
///
/// # Errors
/// [`EndpointError`] if no client can be made of its options.
pub async fn check(plan: &Plan, agent: usize, wait: f64) -> Result<Option<Checkup>, EndpointError> {
    let config = &plan.config.agents[agent];
    let (AgentKind::Model(endpoint), Some(prompt), Some(floor)) =
        (&config.kind, plan.prompts.first(), plan.floors.first())
    else {
        return Ok(None);
    };
    let patience = Patience { total: wait, loading: wait, ..endpoint.retry };
    let endpoint = Endpoint { retry: patience, timeout: endpoint.timeout.min(wait.max(1.0)), ..(**endpoint).clone() };
    let form = endpoint.answer;
    let turns = u64::from(plan.config.limits.turns);
    let calls = |entry: &Entry| {
        let plans = entry.prompt.is_some_and(|prompt| plan.prompts[prompt].asks_first() == Asks::Route);
        turns + u64::from(plans)
    };
    let mut checkup = Checkup {
        agent: config.name.clone(),
        prompt: prompt.name.clone(),
        asks: prompt.asks_first(),
        error: None,
        verdict: None,
        complaint: None,
        form_kept: None,
        reasoning: None,
        prompt_tokens: None,
        completion_tokens: None,
        cost_usd: None,
        seconds: 0.0,
        batch_calls: plan.episodes.iter().filter(|entry| entry.agent == agent).map(calls).sum(),
        batch_tokens: None,
        batch_cost_usd: None,
    };
    let first = match floor.first_prompt(prompt, &endpoint, &plan.config) {
        Ok(first) => first,
        Err(error) => return Ok(Some(Checkup { error: Some(error), ..checkup })),
    };
    let client = Client::new(&config.name, endpoint, Arc::new(Unwatched))?;
    let ask =
        Ask { messages: &first.messages, wanted: first.wanted, seed: plan.config.seed, repeat: 0, patience: None };
    match client.call(ask).await {
        Err(error) => checkup.error = Some(error.to_string()),
        Ok(reply) => {
            let actions = floor.game.actions(&floor.start).unwrap_or_default();
            let parsed = match first.wanted.asks {
                Asks::Action => answer::parse(&reply.answer, &actions, first.wanted),
                Asks::Route => parse_route(&reply.answer),
            };
            checkup.form_kept = Some(keeps(&reply.answer, form));
            checkup.reasoning = Some(reasoning(&reply.answer, reply.usage.reasoning_tokens));
            (checkup.verdict, checkup.complaint) = (Some(parsed.verdict), parsed.complaint);
            checkup.seconds = reply.time.working_s;
            let usage = reply.usage;
            let counted = usage.prompt_tokens.saturating_add(usage.completion_tokens);
            if !usage.guessed {
                checkup.prompt_tokens = Some(usage.prompt_tokens);
                checkup.completion_tokens = Some(usage.completion_tokens);
                checkup.batch_tokens = Some(counted.saturating_mul(checkup.batch_calls));
            }
            checkup.cost_usd = usage.cost_usd;
            checkup.batch_cost_usd = usage.cost_usd.map(|cost| cost * checkup.batch_calls as f64);
        }
    }
    Ok(Some(checkup))
}

/// Whether an answer came in a form.
fn keeps(answer: &Answer, form: AnswerForm) -> bool {
    let text = answer.content.as_deref().and_then(thought::visible).unwrap_or_default();
    match form {
        AnswerForm::Tool => answer.arguments.is_some(),
        AnswerForm::JsonSchema => serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(text).is_ok(),
        AnswerForm::Text => !text.trim().is_empty(),
    }
}

fn reasoning(answer: &Answer, counted: u64) -> Reasoning {
    let thinks = answer.content.as_deref().is_some_and(thought::is_in);
    match (&answer.reasoning, thinks, counted) {
        (Some(text), ..) if !text.trim().is_empty() => Reasoning::Field,
        (_, true, _) => Reasoning::Text,
        (_, _, 1..) => Reasoning::Counted,
        _ => Reasoning::None,
    }
}
