//! Tokens and money: what calls have used, may use, and what of a limit is left. Knows nothing of where it is counted.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

use super::usage::Usage;

/// What calls have used, or may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Tokens sent and answered.
    pub tokens: u64,
    /// US dollars, as far as they are known.
    pub cost_usd: f64,
}

impl From<&Usage> for Spending {
    fn from(usage: &Usage) -> Self {
        let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        Spending { tokens, cost_usd: usage.cost_usd.unwrap_or(0.0) }
    }
}

impl Add for Spending {
    type Output = Spending;

    fn add(self, other: Spending) -> Spending {
        Spending { tokens: self.tokens.saturating_add(other.tokens), cost_usd: self.cost_usd + other.cost_usd }
    }
}

impl AddAssign for Spending {
    fn add_assign(&mut self, other: Spending) {
        *self = *self + other;
    }
}

impl Sub for Spending {
    type Output = Spending;

    fn sub(self, other: Spending) -> Spending {
        let cost_usd = (self.cost_usd - other.cost_usd).max(0.0);
        Spending { tokens: self.tokens.saturating_sub(other.tokens), cost_usd }
    }
}

impl Sum for Spending {
    fn sum<I: Iterator<Item = Spending>>(all: I) -> Spending {
        all.fold(Spending::default(), Add::add)
    }
}

/// The most that may be used; without a number there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Tokens sent and answered.
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
}

impl Budget {
    /// Why a call must not be made, in words: after `spent`, one that may use up to `next` would pass the limit. Nothing
    /// if it may be made.
    pub fn forbids(&self, spent: Spending, next: Spending) -> Option<String> {
        let sum = spent + next;
        if let Some(most) = self.tokens.filter(|most| sum.tokens > *most) {
            let Spending { tokens, .. } = spent;
            return Some(format!("the limit of {most} tokens: {tokens} used, the next call may use {}", next.tokens));
        }
        let most = self.cost_usd.filter(|most| sum.cost_usd > *most)?;
        let Spending { cost_usd, .. } = spent;
        Some(format!("the limit of {most} USD: {cost_usd:.4} spent, the next call may cost {:.4}", next.cost_usd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_forbidden_when_it_may_pass_a_limit() {
        let spent = Spending { tokens: 900, cost_usd: 0.5 };
        let next = |tokens, cost_usd| Spending { tokens, cost_usd };
        let budget = Budget { tokens: Some(1_000), cost_usd: Some(1.0) };
        assert_eq!(budget.forbids(spent, next(100, 0.5)), None);
        assert_eq!(Budget::default().forbids(spent, next(u64::MAX, 1e9)), None);
        insta::assert_snapshot!(budget.forbids(spent, next(101, 0.0)).unwrap_or_default(), @"the limit of 1000 tokens: 900 used, the next call may use 101");
        insta::assert_snapshot!(budget.forbids(spent, next(0, 0.51)).unwrap_or_default(), @"the limit of 1 USD: 0.5000 spent, the next call may cost 0.5100");
    }
}
