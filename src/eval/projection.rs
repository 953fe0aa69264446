//! What a batch will be and may use, before anything is sent.

use schemars::JsonSchema;
use serde::Serialize;

use super::config::{AgentKind, RunLimits};
use super::plan::{Entry, Plan};
use crate::model::{Endpoint, Estimate, Spending, Usage};
use crate::prompt::{Asks, RouteUse, tokens};

/// What a batch will be and may use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Projection {
    /// Episodes planned.
    pub episodes: usize,
    /// Rows of the matrix.
    pub matrix: Vec<MatrixRow>,
    /// Most calls to models, if every episode runs to its turn limit and every answer is asked for again as often as
    /// allowed; calls tried again after a failure are not counted.
    pub most_calls: u64,
    /// Most tokens sent, estimated from the first prompt of each floor, within the limits of episode and batch.
    pub most_prompt_tokens: u64,
    /// Most tokens answered.
    pub most_completion_tokens: u64,
    /// Most US dollars, where prices are configured.
    pub most_cost_usd: Option<f64>,
    /// What should be known.
    pub warnings: Vec<String>,
}

/// A row of the matrix of episodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatrixRow {
    /// The floor.
    pub floor: String,
    /// The configuration.
    pub configuration: String,
    /// Episodes.
    pub episodes: usize,
    /// The floor's optimum, if known.
    pub optimum: Option<i64>,
}

/// What a plan will be, before anything is sent.
///
/// # Errors
/// Why a prompt cannot be rendered, in words.
pub fn project(plan: &Plan) -> Result<Projection, String> {
    let mut projection = Projection {
        episodes: plan.episodes.len(),
        matrix: Vec::new(),
        most_calls: 0,
        most_prompt_tokens: 0,
        most_completion_tokens: 0,
        most_cost_usd: None,
        warnings: plan.warnings.clone(),
    };
    let mut each = None;
    for entry in &plan.episodes {
        let configuration = entry.key.configuration();
        match projection.matrix.last_mut() {
            Some(row) if row.floor == entry.key.floor && row.configuration == configuration => row.episodes += 1,
            _ => {
                let floor = entry.key.floor.clone();
                let optimum = plan.floors[entry.floor].optimum().ok().flatten();
                projection.matrix.push(MatrixRow { floor, configuration, episodes: 1, optimum });
                each = project_episode(plan, entry)?;
            }
        }
        if let Some((calls, usage)) = &each {
            projection.most_calls = projection.most_calls.saturating_add(*calls);
            projection.most_prompt_tokens = projection.most_prompt_tokens.saturating_add(usage.prompt_tokens);
            projection.most_completion_tokens =
                projection.most_completion_tokens.saturating_add(usage.completion_tokens);
            if let Some(cost) = usage.cost_usd {
                *projection.most_cost_usd.get_or_insert(0.0) += cost;
            }
        }
    }
    // So does the batch.
    let RunLimits { tokens, cost_usd } = plan.config.limits.run;
    let (prompt_tokens, completion_tokens) = (projection.most_prompt_tokens, projection.most_completion_tokens);
    let usage = within(Usage { prompt_tokens, completion_tokens, ..Usage::default() }, tokens);
    (projection.most_prompt_tokens, projection.most_completion_tokens) = (usage.prompt_tokens, usage.completion_tokens);
    if let (Some(cost), Some(most)) = (&mut projection.most_cost_usd, cost_usd) {
        *cost = cost.min(most);
    }
    Ok(projection)
}

/// The most calls of an episode and what they may use; nothing for agents that call no model.
fn project_episode(plan: &Plan, entry: &Entry) -> Result<Option<(u64, Usage)>, String> {
    let (AgentKind::Model(model), Some(prompt)) = (&plan.config.agents[entry.agent].kind, entry.prompt) else {
        return Ok(None);
    };
    let (floor, prompt) = (&plan.floors[entry.floor], &plan.prompts[prompt]);
    let tries = u64::from(model.reasks) + 1;
    let size = |asks| {
        let messages = floor.prompt_at_start(prompt, model, asks, &plan.config)?;
        Ok::<usize, String>(tokens::bytes(&messages))
    };
    let (action, turns) = (size(Asks::Action)?, u64::from(plan.config.limits.turns));
    let estimate = Estimate::new(model);
    let mut usage = decisions(&estimate, model, action, turns, tries);
    let mut calls = turns.saturating_mul(tries);
    if prompt.route == RouteUse::Own {
        calls = calls.saturating_add(tries);
        let planning = estimate.of(size(Asks::Route)?);
        usage.prompt_tokens = usage.prompt_tokens.saturating_add(planning.prompt_tokens.saturating_mul(tries));
        usage.completion_tokens =
            usage.completion_tokens.saturating_add(planning.completion_tokens.saturating_mul(tries));
    }
    // An episode ends before it passes its own limit.
    let limits = &plan.config.limits;
    usage = within(usage, limits.tokens);
    usage.cost_usd = model.price.as_ref().map(|price| price.of(&usage));
    if let (Some(cost), Some(most)) = (&mut usage.cost_usd, limits.cost_usd) {
        *cost = cost.min(most);
    }
    Ok(Some((calls, usage)))
}

/// As much of it as a limit of tokens allows.
fn within(usage: Usage, most: Option<u64>) -> Usage {
    let tokens = Spending::from(&usage).tokens.max(1);
    let Some(most) = most.filter(|most| *most < tokens) else { return usage };
    let share = |part: u64| (part as f64 * most as f64 / tokens as f64) as u64;
    let (prompt_tokens, completion_tokens) = (share(usage.prompt_tokens), share(usage.completion_tokens));
    Usage { prompt_tokens, completion_tokens, ..usage }
}

/// What so many decisions may use, each asked for so many times, with as many earlier turns as are sent along.
fn decisions(estimate: &Estimate, model: &Endpoint, bytes: usize, turns: u64, tries: u64) -> Usage {
    let one = estimate.of(bytes);
    let carried = model.history.map_or(0, |history| u64::from(history.turns())).min(turns);
    // The first turns have fewer turns before them: 0 + 1 + … + (carried - 1), then `carried` each.
    let before =
        (carried.saturating_mul(carried.saturating_sub(1)) / 2).saturating_add(carried.saturating_mul(turns - carried));
    let each = one.prompt_tokens.saturating_add(one.completion_tokens);
    let mut sent = turns.saturating_mul(one.prompt_tokens).saturating_add(before.saturating_mul(each));
    if let Some(most) = model.prompt_tokens {
        sent = sent.min(turns.saturating_mul(most));
    }
    let answered = turns.saturating_mul(one.completion_tokens);
    let (prompt_tokens, completion_tokens) = (sent.saturating_mul(tries), answered.saturating_mul(tries));
    Usage { prompt_tokens, completion_tokens, ..Usage::default() }
}
