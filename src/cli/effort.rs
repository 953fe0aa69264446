//! How much is done for state values that cannot all be held: arguments that several commands share.

use clap::Args;

use crate::solver::Effort;
use crate::solver::worths::DEFAULT_STEPS;

/// The arguments.
#[derive(Clone, Copy, Debug, Args)]
pub struct EffortArgs {
    /// Steps of the search for the value of a state, where there are too many states to hold all values: what is not proven
    /// by then is told by bounds
    #[arg(long, value_name = "STEPS", default_value_t = DEFAULT_STEPS)]
    effort: u64,
    /// Seek no state values: nothing is said of what decisions were worth
    #[arg(long, conflicts_with = "effort")]
    no_values: bool,
}

impl EffortArgs {
    /// The effort that was asked for.
    pub fn effort(self) -> Effort {
        if self.no_values { Effort::NoValues } else { Effort::Steps(self.effort) }
    }
}
