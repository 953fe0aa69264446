//! Many towers of one request, from seeds in a row, on several threads. The towers do not depend on how many.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::build::{self, BuildError, Made, Wishes};
use super::description::Description;
use super::hardness::{self, Hardness};
use super::kind::Kinds;
use crate::game::{Game, ItemMode};
use crate::solver::SolveError;

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

/// A tower of a seed, or why there is none.
#[derive(Debug)]
pub struct Tried {
    /// The seed.
    pub seed: u64,
    /// The tower.
    pub made: Result<Made, BuildError>,
    /// How hard each floor is; none unless measured.
    pub hardness: Option<Vec<Hardness>>,
    /// What making it took, without measuring.
    pub took: Duration,
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
                    let tried = one(order, order.first.saturating_add(index), stop);
                    if matches!(tried.made, Err(BuildError::Solve(SolveError::Stopped))) {
                        return;
                    }
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

fn one(order: &Order<'_>, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Tried {
    let begun = Instant::now();
    let mut made = build::tower(&(order.describe)(seed), order.kinds, seed, &order.wishes, stop);
    let took = begun.elapsed();
    let measured = made.as_ref().ok().filter(|_| order.measure).map(measure);
    let hardness = match measured.transpose() {
        Ok(hardness) => hardness,
        Err(error) => {
            made = Err(error.into());
            None
        }
    };
    Tried { seed, made, hardness, took }
}

fn measure(made: &Made) -> Result<Vec<Hardness>, SolveError> {
    let game = Game::new(made.tower.clone(), ItemMode::Auto).map_err(SolveError::Tower)?;
    hardness::of(&game, &made.route)
}
