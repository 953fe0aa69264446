//! Many towers of one request, from seeds in a row, on several threads. The towers do not depend on how many.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::build::{self, BuildError, Made, Refused, Wishes};
use super::description::Description;
use super::hardness::{self, Hardness};
use super::kind::Kinds;
use crate::game::{Game, ItemMode, Tower};
use crate::solver::{SolveError, Worth};

/// Which towers are wanted.
pub struct Order<'o> {
    /// What a tower of a seed is to be like.
    pub describe: &'o (dyn Fn(u64) -> Description + Sync),
    /// Kinds of rooms.
    pub kinds: &'o Kinds,
    /// What is wanted of each.
    pub wishes: Wishes,
    /// The first seed.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Whether the floors are measured.
    pub measure: bool,
    /// Threads, at least 1.
    pub threads: usize,
}

/// A tower of a seed, or why there is none, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The seed.
    pub seed: u64,
    /// The tower.
    pub made: Result<Kept, String>,
    /// What making it took, without measuring.
    pub took: Duration,
}

/// A tower that was kept, with what is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The tower.
    pub tower: Tower,
    /// Final HP under best play, as far as it is known.
    pub worth: Worth,
    /// Decisions of the route that gives the least of it.
    pub decisions: u32,
    /// Drawings that were not kept.
    pub refused: Refused,
    /// How hard each floor is; none unless measured.
    pub hardness: Option<Vec<Hardness>>,
}

/// Makes them, in the order of their seeds; each is told as soon as it is there. After `stop` those that were made are given.
pub fn make(order: &Order<'_>, stop: &(dyn Fn() -> bool + Sync), tell: &(dyn Fn(&Tried) + Sync)) -> Vec<Tried> {
    let next = AtomicU64::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..order.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= order.count || stop() {
                        return;
                    }
                    let Some(tried) = one(order, order.first.saturating_add(index), stop) else { return };
                    tell(&tried);
                    all.lock().unwrap_or_else(PoisonError::into_inner).push(tried);
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|tried: &Tried| tried.seed);
    all
}

/// Makes one; nothing if it was stopped.
fn one(order: &Order<'_>, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Tried> {
    let begun = Instant::now();
    let made = build::tower(&(order.describe)(seed), order.kinds, seed, &order.wishes, stop);
    let took = begun.elapsed();
    let kept = made.and_then(|made| {
        let hardness = order.measure.then(|| measure(&made)).transpose()?;
        let Made { tower, worth, route, refused, .. } = made;
        Ok(Kept { tower, worth, decisions: u32::try_from(route.len()).unwrap_or(u32::MAX), refused, hardness })
    });
    match kept {
        Err(BuildError::Solve(SolveError::Stopped)) => None,
        kept => Some(Tried { seed, made: kept.map_err(|error| error.to_string()), took }),
    }
}

fn measure(made: &Made) -> Result<Vec<Hardness>, SolveError> {
    let game = Game::new(made.tower.clone(), ItemMode::Auto).map_err(SolveError::Tower)?;
    hardness::of(&game, &made.route)
}
