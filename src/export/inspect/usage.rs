//! Tokens and money as a log counts them.

use serde_json::{Value, json};

use crate::agent::Usage;

/// Tokens as the package counts them: those sent without those that the server had cached.
pub fn usage(usage: &Usage) -> Value {
    let mut counted = json!({
        "input_tokens": usage.prompt_tokens.saturating_sub(usage.cached_tokens),
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens.saturating_add(usage.completion_tokens),
        "input_tokens_cache_read": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
    });
    if let Some(cost) = usage.cost_usd {
        counted["total_cost"] = cost.into();
    }
    counted
}

/// Two usages together.
pub fn plus(one: &Usage, other: &Usage) -> Usage {
    Usage {
        prompt_tokens: one.prompt_tokens.saturating_add(other.prompt_tokens),
        completion_tokens: one.completion_tokens.saturating_add(other.completion_tokens),
        reasoning_tokens: one.reasoning_tokens.saturating_add(other.reasoning_tokens),
        cached_tokens: one.cached_tokens.saturating_add(other.cached_tokens),
        cost_usd: one.cost_usd.map(|cost| cost + other.cost_usd.unwrap_or(0.0)).or(other.cost_usd),
        guessed: one.guessed || other.guessed,
    }
}
