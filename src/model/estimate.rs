//! What a call may use, before anybody has counted. Knows only what earlier calls showed, so that the same calls give the
//! same estimate.

use crate::prompt::tokens::TokenRate;

use super::endpoint::Endpoint;
use super::spending::Spending;
use super::usage::{Price, Usage};

/// Estimates calls of one model, better with each that was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    rate: TokenRate,
    /// The most tokens of an answer: as the server is told, or the longest one so far.
    answer: u64,
    capped: bool,
    price: Option<Price>,
    /// The most US dollars that a token has cost; nothing before a call was counted.
    usd_per_token: Option<f64>,
}

/// Tokens of an answer whose length the server is not told, before there was one.
const ANSWER: u64 = 1_000;

impl Estimate {
    /// Before any call.
    pub fn new(endpoint: &Endpoint) -> Self {
        let most = endpoint.max_tokens.or(endpoint.max_completion_tokens);
        Estimate {
            rate: TokenRate::default(),
            answer: most.map_or(ANSWER, u64::from),
            capped: most.is_some(),
            price: endpoint.price,
            usd_per_token: None,
        }
    }

    /// Takes into account what a token has cost at the most in earlier sittings.
    pub fn with_dearest(self, usd_per_token: Option<f64>) -> Self {
        Estimate { usd_per_token, ..self }
    }

    /// Takes into account what a call with so many bytes of messages used, if it was counted.
    pub fn learn(&mut self, bytes: usize, usage: &Usage) {
        if !usage.guessed {
            self.rate = TokenRate::counted(bytes, usage.prompt_tokens).unwrap_or(self.rate);
        }
        if !self.capped {
            self.answer = self.answer.max(usage.completion_tokens);
        }
        let used = Spending::from(usage);
        if usage.cost_usd.is_some() || used.tokens > 0 {
            let each = used.cost_usd / used.tokens.max(1) as f64;
            self.usd_per_token = Some(self.usd_per_token.unwrap_or(0.0).max(each));
        }
    }

    /// Tokens that so many bytes of messages come to.
    pub fn tokens(&self, bytes: usize) -> u64 {
        self.rate.tokens(bytes)
    }

    /// How it counts tokens.
    pub fn rate(&self) -> TokenRate {
        self.rate
    }

    /// The same in sum: an infinite cost where nobody knows it yet. A provider that states none is taken to cost nothing.
    pub fn spending(&self, bytes: usize) -> Spending {
        let usage = self.of(bytes);
        Spending { cost_usd: usage.cost_usd.unwrap_or(f64::INFINITY), ..Spending::from(&usage) }
    }

    /// What a call with so many bytes of messages may use at most.
    pub fn of(&self, bytes: usize) -> Usage {
        let mut usage = Usage { prompt_tokens: self.tokens(bytes), completion_tokens: self.answer, ..Usage::default() };
        let tokens = Spending::from(&usage).tokens as f64;
        // A provider may ask for more than the price that the configuration states.
        let by_price = self.price.as_ref().map(|price| price.of(&usage));
        let by_calls = self.usd_per_token.map(|each| tokens * each);
        usage.cost_usd = by_price.into_iter().chain(by_calls).reduce(f64::max);
        usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_corrects_the_guess() {
        let endpoint = Endpoint { max_tokens: Some(50), ..Endpoint::default() };
        let mut estimate = Estimate::new(&endpoint);
        assert_eq!((estimate.of(300).prompt_tokens, estimate.of(300).completion_tokens), (100, 50));
        assert_eq!((estimate.of(300).cost_usd, estimate.spending(300).cost_usd), (None, f64::INFINITY));
        let used = Usage { prompt_tokens: 200, completion_tokens: 70, cost_usd: Some(0.27), ..Usage::default() };
        estimate.learn(300, &used);
        assert_eq!((estimate.of(600).prompt_tokens, estimate.of(600).completion_tokens), (400, 50));
        assert!((estimate.of(600).cost_usd.unwrap_or_default() - 0.45).abs() < 1e-9);
        // A server that does not count teaches nothing.
        estimate.learn(300, &Usage::default());
        assert_eq!(estimate.tokens(600), 400);
    }

    #[test]
    fn the_longest_answer_so_far_stands_for_one_that_is_not_limited() {
        let mut estimate =
            Estimate::new(&Endpoint { price: Some(Price { output: 2.0, ..Price::default() }), ..Endpoint::default() });
        assert_eq!(estimate.of(0).completion_tokens, ANSWER);
        estimate.learn(0, &Usage { completion_tokens: 4_000, ..Usage::default() });
        estimate.learn(0, &Usage { completion_tokens: 10, ..Usage::default() });
        assert_eq!((estimate.of(0).completion_tokens, estimate.of(0).cost_usd), (4_000, Some(0.008)));
    }
}
