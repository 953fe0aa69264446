//! The `random` agent: any legal action, each as likely, lethal ones included.

use async_trait::async_trait;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Agent, AgentError, CallLog, Choice, View};

/// Chooses by lot. The lot depends on the run's seed, the episode and the turn only.
pub struct Random;

/// A legal action drawn by the view's seed, as a number from 1.
pub fn draw(view: &View<'_>) -> u32 {
    let count = view.actions.len().max(1) as u32;
    ChaCha8Rng::seed_from_u64(view.seed).random_range(1..=count)
}

#[async_trait]
impl Agent for Random {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        Ok(Choice::own(draw(view)))
    }
}
