//! Verdicts on seeds, taken in whatever order they come and told in the order of seeds: so a search has one outcome,
//! whoever judges. Knows nothing of who does, threads or other machines.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::acceptance::Verdict;
use super::draft::Draft;
use super::recipe::RecipeError;
use super::search::{Finding, GenerateError, Order, Outcome};
use crate::solver::SolveError;

/// What became of the seeds that were tried, from the first one up to where the search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Seeds tried.
    pub tried: u64,
    /// Floors kept.
    pub accepted: u64,
    /// Floors that cannot be won.
    pub unwinnable: u64,
    /// Floors whose optimum is below the range.
    pub too_hard: u64,
    /// Floors whose optimum is above the range.
    pub too_easy: u64,
    /// Floors not solved within the limit of steps.
    pub unsolved: u64,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        self.tried += 1;
        *match verdict {
            Verdict::Accepted { .. } => &mut self.accepted,
            Verdict::Unwinnable => &mut self.unwinnable,
            Verdict::TooHard => &mut self.too_hard,
            Verdict::TooEasy => &mut self.too_easy,
            Verdict::Unsolved => &mut self.unsolved,
        } += 1;
    }
}

/// Why there is no verdict on a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untried {
    /// Somebody asked to stop.
    Stopped,
    /// The floor cannot be solved at all, in words.
    Unsolvable(String),
}

impl From<SolveError> for Untried {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped => Untried::Stopped,
            error => Untried::Unsolvable(error.to_string()),
        }
    }
}

/// The verdict on a seed; nothing if the seed is to be passed over.
pub type Tried = Result<Option<Verdict>, Untried>;

/// How a search ended.
pub type End = Result<(Tally, Outcome), GenerateError>;

/// Takes verdicts on the seeds of an order.
#[derive(Debug)]
pub struct Sieve<'o> {
    order: &'o Order,
    tally: Tally,
    early: BTreeMap<u64, Tried>,
    due: u64,
    settled: u64,
}

impl<'o> Sieve<'o> {
    /// For an order of which no seed has been tried. There may be nothing to try.
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe cannot be followed.
    pub fn new(order: &'o Order) -> Result<ControlFlow<(Tally, Outcome), Self>, RecipeError> {
        order.recipe.check()?;
        let tally = Tally::default();
        Ok(match order.count {
            0 => ControlFlow::Break((tally, Outcome::Complete)),
            _ => {
                ControlFlow::Continue(Sieve { order, tally, early: BTreeMap::new(), due: order.first_seed, settled: 0 })
            }
        })
    }

    /// Seeds in a row, from the first one, whose verdicts have been told.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Takes the verdict on one seed, each seed once, and tells what is due: `found` every floor that is kept, and it may
    /// end the search; `tried` every seed. The search ends by breaking.
    pub fn add(
        &mut self,
        seed: u64,
        result: Tried,
        found: &mut impl FnMut(Finding) -> ControlFlow<()>,
        tried: &mut impl FnMut(&Tally),
    ) -> ControlFlow<End> {
        self.early.insert(seed, result);
        while let Some(result) = self.early.remove(&self.due) {
            let seed = self.due;
            self.due = seed.wrapping_add(1);
            self.settled += 1;
            let verdict = match result {
                Ok(Some(verdict)) => verdict,
                Ok(None) => continue,
                Err(Untried::Stopped) => return ControlFlow::Break(Ok((self.tally, Outcome::Stopped))),
                Err(Untried::Unsolvable(why)) => return ControlFlow::Break(Err(GenerateError::Solve { seed, why })),
            };
            self.tally.count(&verdict);
            tried(&self.tally);
            let Verdict::Accepted { optimum, hero } = verdict else { continue };
            // Drawn again: drawing is cheap, and a floor need not travel with its verdict.
            let draft = Draft::draw(&self.order.recipe, seed);
            if found(Finding { draft, optimum, hero }).is_break() {
                return ControlFlow::Break(Ok((self.tally, Outcome::Stopped)));
            }
            if self.tally.accepted == self.order.count as u64 {
                return ControlFlow::Break(Ok((self.tally, Outcome::Complete)));
            }
        }
        ControlFlow::Continue(())
    }

    /// What the search came to if it ended neither by enough floors nor by an error: there are no more seeds, or it was
    /// `stopped`.
    pub fn end(&self, stopped: bool) -> (Tally, Outcome) {
        let outcome = match (stopped, self.order.first_seed.checked_add(self.order.most_tries)) {
            (true, _) => Outcome::Stopped,
            (false, Some(_)) => Outcome::TriesUsedUp,
            (false, None) => Outcome::LastSeed,
        };
        (self.tally, outcome)
    }
}
