//! Seeds tried upwards until enough floors are kept, on several threads, with the same outcome on any number of them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::acceptance::{Acceptance, Verdict};
use super::draft::Draft;
use super::recipe::{Recipe, RecipeError};
use super::sieve::{Sieve, Tally, Untried};
use crate::game::{Hero, Tower};

/// What floors are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// How they are made.
    pub recipe: Recipe,
    /// Which are kept.
    pub acceptance: Acceptance,
    /// The first seed that is tried.
    pub first_seed: u64,
    /// Seeds that are passed over.
    pub except: BTreeSet<u64>,
    /// How many are wanted.
    pub count: usize,
    /// Seeds that may be tried, those that are passed over among them.
    pub most_tries: u64,
}

/// A floor that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The floor as it was drawn.
    pub draft: Draft,
    /// Final HP under best play.
    pub optimum: i64,
    /// The hero after defeating the boss.
    pub hero: Hero,
}

impl Finding {
    /// The floor with the command that makes it again.
    pub fn tower(&self, command: String) -> Tower {
        self.draft.clone().finished(command, self.optimum)
    }
}

/// What the search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All floors that were wanted.
    Complete,
    /// Fewer: as many seeds as allowed were tried.
    TriesUsedUp,
    /// Fewer: there is no seed above the last one tried.
    LastSeed,
    /// Fewer: somebody asked it to stop.
    Stopped,
}

/// A search that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The recipe cannot be followed.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A floor cannot be solved.
    #[error("the floor of seed {seed}: {why}")]
    Solve {
        /// The seed.
        seed: u64,
        /// Why, in the solver's words, which may have come from another machine.
        why: String,
    },
}

/// How far whoever tries seeds may run ahead of the first one that is not settled yet.
pub const WINDOW: u64 = 4_096;
/// How long a thread waits before it looks again whether it may run on.
const PAUSE: Duration = Duration::from_millis(1);

/// Tries seeds upwards on `jobs` threads. `found` is told of every floor that is kept, and may end the search; `tried`
/// is told of every seed; both in the order of seeds.
///
/// # Errors
/// [`GenerateError`], after the floors before it have been told.
pub fn search(
    order: &Order,
    jobs: usize,
    stop: &(dyn Fn() -> bool + Sync),
    mut found: impl FnMut(Finding) -> ControlFlow<()>,
    mut tried: impl FnMut(&Tally),
) -> Result<(Tally, Outcome), GenerateError> {
    let mut sieve = match Sieve::new(order)? {
        ControlFlow::Continue(sieve) => sieve,
        ControlFlow::Break(end) => return Ok(end),
    };
    let (next, settled, over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let stops = || over.load(Ordering::Relaxed) || stop();
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs.max(1) {
            let (sender, next, settled, stops) =
                (sender.clone(), &next, &settled, &stops as &(dyn Fn() -> bool + Sync));
            scope.spawn(move || {
                while let Some((tries, seed)) = next_seed(order, next).filter(|_| !stops()) {
                    while tries >= settled.load(Ordering::Relaxed) + WINDOW && !stops() {
                        thread::sleep(PAUSE);
                    }
                    let result = match order.except.contains(&seed) {
                        true => Ok(None),
                        false => try_seed(&order.recipe, &order.acceptance, seed, stops).map(Some),
                    };
                    // Nobody listens any more once enough are found.
                    if sender.send((seed, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (seed, result) in results {
            let flow = sieve.add(seed, result, &mut found, &mut tried);
            settled.store(sieve.settled(), Ordering::Relaxed);
            if let ControlFlow::Break(end) = flow {
                over.store(true, Ordering::Relaxed);
                return end;
            }
        }
        Ok(sieve.end(stop()))
    })
}

/// How many seeds were taken before, and the next one, if there is one.
fn next_seed(order: &Order, next: &AtomicU64) -> Option<(u64, u64)> {
    let tries = next.fetch_add(1, Ordering::Relaxed);
    let seed = order.first_seed.checked_add(tries).filter(|_| tries < order.most_tries)?;
    Some((tries, seed))
}

/// Draws the floor of a seed and judges it.
///
/// # Errors
/// [`Untried`] if it cannot be judged, or `stop` says so.
pub fn try_seed(
    recipe: &Recipe,
    acceptance: &Acceptance,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Verdict, Untried> {
    Ok(acceptance.judge(&Draft::draw(recipe, seed).tower, stop)?)
}
