//! Seeds tried upwards until enough floors are kept, on several threads, with the same outcome on any number of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::acceptance::{Acceptance, Verdict};
use super::draft::Draft;
use super::recipe::{Recipe, RecipeError};
use crate::game::{Hero, Tower};
use crate::solver::SolveError;

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
    #[error("the floor of seed {seed}: {source}")]
    Solve {
        /// The seed.
        seed: u64,
        /// Why.
        source: SolveError,
    },
}

/// How far threads may run ahead of the first seed that is not judged yet.
const WINDOW: u64 = 4_096;
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
    order.recipe.check()?;
    let mut tally = Tally::default();
    if order.count == 0 {
        return Ok((tally, Outcome::Complete));
    }
    let (next, judged, over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let stops = || over.load(Ordering::Relaxed) || stop();
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs.max(1) {
            let (sender, next, judged, stops) = (sender.clone(), &next, &judged, &stops as &(dyn Fn() -> bool + Sync));
            scope.spawn(move || {
                while let Some((tries, seed)) = next_seed(order, next).filter(|_| !stops()) {
                    while tries >= judged.load(Ordering::Relaxed) + WINDOW && !stops() {
                        thread::sleep(PAUSE);
                    }
                    // Nobody listens any more once enough are found.
                    if sender.send((seed, try_seed(order, seed, stops))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut seed = order.first_seed;
        for (other, result) in results {
            waiting.insert(other, result);
            while let Some(result) = waiting.remove(&seed) {
                seed = seed.wrapping_add(1);
                judged.fetch_add(1, Ordering::Relaxed);
                let (verdict, draft) = match result {
                    Ok(Some(tried)) => tried,
                    Ok(None) => continue,
                    Err(SolveError::Stopped) => return Ok((tally, Outcome::Stopped)),
                    Err(source) => {
                        over.store(true, Ordering::Relaxed);
                        return Err(GenerateError::Solve { seed: seed.wrapping_sub(1), source });
                    }
                };
                tally.count(&verdict);
                tried(&tally);
                let Verdict::Accepted { optimum, hero } = verdict else { continue };
                let refused = draft.is_some_and(|draft| found(Finding { draft, optimum, hero }).is_break());
                if refused || tally.accepted == order.count as u64 {
                    over.store(true, Ordering::Relaxed);
                    return Ok((tally, if refused { Outcome::Stopped } else { Outcome::Complete }));
                }
            }
        }
        let outcome = match (stop(), order.first_seed.checked_add(order.most_tries)) {
            (true, _) => Outcome::Stopped,
            (false, Some(_)) => Outcome::TriesUsedUp,
            (false, None) => Outcome::LastSeed,
        };
        Ok((tally, outcome))
    })
}

/// How many seeds were taken before, and the next one, if there is one.
fn next_seed(order: &Order, next: &AtomicU64) -> Option<(u64, u64)> {
    let tries = next.fetch_add(1, Ordering::Relaxed);
    let seed = order.first_seed.checked_add(tries).filter(|_| tries < order.most_tries)?;
    Some((tries, seed))
}

/// What became of a seed, with the floor if it is kept; nothing if the seed is to be passed over.
type Tried = Result<Option<(Verdict, Option<Draft>)>, SolveError>;

fn try_seed(order: &Order, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Tried {
    if order.except.contains(&seed) {
        return Ok(None);
    }
    let draft = Draft::draw(&order.recipe, seed);
    let verdict = order.acceptance.judge(&draft.tower, stop)?;
    let kept = matches!(verdict, Verdict::Accepted { .. });
    Ok(Some((verdict, kept.then_some(draft))))
}
