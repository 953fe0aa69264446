//! Step 6 of section B.3: whether a floor is kept. Asks the exact solver; knows nothing of how the floor was made.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Hero, ItemMode, Tower};
use crate::solver::SolveError;
use crate::solver::exact::{self, Request};
use crate::solver::settings::{Settings, Watch};

/// What a floor must be like to be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Final HP under best play.
    pub optimum: RangeInclusive<i64>,
    /// Steps of the search after which a floor is given up. Not a time, so that the same floors are kept everywhere.
    pub most_steps: u64,
}

impl Default for Acceptance {
    fn default() -> Self {
        Acceptance { optimum: 1..=250, most_steps: 20_000_000 }
    }
}

/// What became of a floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is kept.
    Accepted {
        /// Final HP under best play.
        optimum: i64,
        /// The hero after defeating the boss.
        hero: Hero,
    },
    /// The boss cannot be defeated.
    Unwinnable,
    /// Best play ends with less HP than wanted.
    TooHard,
    /// Best play ends with more HP than wanted.
    TooEasy,
    /// It was not solved within the limit of steps.
    Unsolved,
}

impl Acceptance {
    /// Judges a floor.
    ///
    /// # Errors
    /// [`SolveError`] if the floor cannot be solved at all, or `stop` says so.
    pub fn judge(&self, tower: &Tower, stop: &(dyn Fn() -> bool + Sync)) -> Result<Verdict, SolveError> {
        let game = Game::new(tower.clone(), ItemMode::Auto).map_err(SolveError::Tower)?;
        let settings = Settings { threads: 1, most_steps: self.most_steps, ..Settings::default() };
        let mut watch = Watch { stop, tell: &mut |_| {} };
        let solution = exact::solve(&game, &Request { merge: false, settings }, &mut watch)?;
        if !solution.proven {
            return if stop() { Err(SolveError::Stopped) } else { Ok(Verdict::Unsolved) };
        }
        let Some(route) = solution.routes.first() else { return Ok(Verdict::Unwinnable) };
        Ok(match route.value {
            optimum if optimum < *self.optimum.start() => Verdict::TooHard,
            optimum if optimum > *self.optimum.end() => Verdict::TooEasy,
            optimum => match route.steps.last() {
                Some(step) => Verdict::Accepted { optimum, hero: step.state.hero },
                None => Verdict::Unwinnable,
            },
        })
    }
}
