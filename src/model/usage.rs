//! What a call used and how long it took. Knows nothing of budgets or tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Usage {
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens answered, reasoning included.
    pub completion_tokens: u64,
    /// Of these, reasoning.
    pub reasoning_tokens: u64,
    /// Of the tokens sent, those that the server had cached.
    pub cached_tokens: u64,
    /// US dollars, if the provider states them or prices are configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Whether the server counted nothing, so that tokens are guessed from lengths.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// Bytes that a guessed token has.
const BYTES_PER_TOKEN: u64 = 3;

impl Usage {
    /// The same, or what so many bytes sent and answered come to if the server counted nothing: a budget must not be
    /// without end because a server does not count.
    pub fn or_guessed(self, sent: usize, answered: usize) -> Self {
        if self.prompt_tokens > 0 || self.completion_tokens > 0 {
            return self;
        }
        let tokens = |bytes: usize| (bytes as u64).div_ceil(BYTES_PER_TOKEN);
        Usage { prompt_tokens: tokens(sent), completion_tokens: tokens(answered), guessed: true, ..self }
    }
}

/// Clock readings of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CallTime {
    /// When the first attempt was sent: RFC 3339, UTC.
    pub started: String,
    /// Seconds that the answered attempt took.
    pub working_s: f64,
    /// Seconds spent waiting between attempts and on attempts that gave nothing.
    pub waiting_s: f64,
    /// Of these, seconds spent waiting for limits of our own.
    #[serde(skip_serializing_if = "is_zero")]
    pub held_s: f64,
    /// Whether the answer came from the response cache, for nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_cache: bool,
    /// Attempts that gave nothing, each in words: a retry depends on the network, not on the seed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<String>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

impl CallTime {
    /// Seconds of waiting for the server, without those for limits of our own.
    pub fn waited(&self) -> f64 {
        (self.waiting_s - self.held_s).max(0.0)
    }
}

/// Prices of a model in US dollars per million tokens, each at least 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Price {
    /// Tokens sent.
    pub input: f64,
    /// Tokens answered.
    pub output: f64,
    /// Tokens sent that the server had cached; as `input` unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// Tokens of reasoning; as `output` unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<f64>,
}

impl Price {
    /// US dollars for what a call used.
    pub fn of(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        let reasoning = usage.reasoning_tokens.min(usage.completion_tokens);
        let sum = (usage.prompt_tokens - cached) as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + (usage.completion_tokens - reasoning) as f64 * self.output
            + reasoning as f64 * self.reasoning.unwrap_or(self.output);
        sum / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_and_reasoning_tokens_have_prices_of_their_own() {
        let usage = Usage {
            prompt_tokens: 1_000_000,
            completion_tokens: 500_000,
            reasoning_tokens: 400_000,
            cached_tokens: 250_000,
            ..Usage::default()
        };
        let plain = Price { input: 2.0, output: 10.0, ..Price::default() };
        assert_eq!(plain.of(&usage), 7.0);
        let full = Price { cached: Some(1.0), reasoning: Some(5.0), ..plain };
        assert_eq!(full.of(&usage), 1.5 + 0.25 + 1.0 + 2.0);
        assert_eq!(full.of(&Usage { cached_tokens: 9, reasoning_tokens: 9, ..Usage::default() }), 0.0);
    }
}
