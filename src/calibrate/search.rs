//! A local search for values that meet all targets: rounds of variations of the best candidates, measured on several
//! threads. The candidates of a round depend on the seed and on the rounds before it only, so that the same number of
//! candidates gives the same outcome on any number of threads.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::candidate::{Candidate, floor};
use super::parameter::{Parameter, ParameterError};
use super::target::Target;
use crate::game::Tower;

/// Candidates of a round.
const ROUND: usize = 32;
/// The best candidates, which are varied.
const ELITE: usize = 8;
/// Rounds without a better candidate, after which the search begins anew elsewhere.
const PATIENCE: u32 = 40;

/// Limits of a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Candidates that may be measured.
    pub most_candidates: u64,
    /// Bytes that the state values of a candidate may take; beyond it, what rests on them is not known.
    pub memory: usize,
    /// Steps of the solver for a candidate that cannot be won.
    pub most_steps: u64,
    /// Threads.
    pub threads: usize,
    /// What all lots derive from.
    pub seed: u64,
    /// Whether the values that the floor has are left out of account.
    pub anew: bool,
}

/// Where a calibration stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Candidates measured.
    pub candidates: u64,
    /// Targets that the best of them meets.
    pub met: usize,
    /// How far it is from all targets.
    pub distance: f64,
}

/// What a calibration came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The floor with the best values; as it was, if nothing was measured.
    pub tower: Tower,
    /// The best candidate; none if it was stopped before one was measured.
    pub best: Option<Candidate>,
    /// Candidates measured. With as many as its limit, a search comes to the same.
    pub candidates: u64,
    /// Whether the best candidate meets all targets.
    pub complete: bool,
    /// Whether somebody asked it to stop.
    pub stopped: bool,
}

/// Looks for values until all targets are met, the limit is reached or `stop` says so.
///
/// # Errors
/// [`ParameterError`] if something cannot be varied as asked for.
pub fn search(
    tower: &Tower,
    parameters: &[Parameter],
    targets: &[Target],
    limits: &Limits,
    stop: &(dyn Fn() -> bool + Sync),
    mut tell: impl FnMut(&Standing),
) -> Result<Calibration, ParameterError> {
    Parameter::check(parameters, tower)?;
    let mut rng = ChaCha8Rng::seed_from_u64(limits.seed);
    let mut elite: Vec<Candidate> = Vec::new();
    let mut best: Option<Candidate> = None;
    let (mut candidates, mut stale, mut stopped) = (0, 0, false);
    let is_met = |best: &Option<Candidate>| best.as_ref().is_some_and(|best| best.met(targets) == targets.len());
    while candidates < limits.most_candidates.max(1) && !stopped && !is_met(&best) {
        let mut round = variations(parameters, &elite, &mut rng);
        if candidates == 0 && !limits.anew {
            round[0] = parameters.iter().map(|parameter| parameter.value_on(tower)).collect();
        }
        round.truncate((limits.most_candidates.max(1) - candidates).min(ROUND as u64) as usize);
        // What is farther than the last of the best would be dropped at once.
        let farthest = elite.get(ELITE - 1).map_or(f64::INFINITY, |last| last.distance);
        let measured = measure(tower, parameters, targets, &round, limits, farthest, stop);
        candidates += measured.len() as u64;
        stopped = measured.len() < round.len();
        let before = elite.first().map_or(f64::INFINITY, |first| first.distance);
        elite.extend(measured.into_iter().flatten());
        // Of equals the earlier one stays first: the floor's own values, if they are as good.
        elite.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        let mut known = BTreeSet::new();
        elite.retain(|candidate| known.insert(candidate.values.clone()));
        elite.truncate(ELITE);
        if let Some(first) = elite.first() {
            if best.as_ref().is_none_or(|best| first.distance < best.distance) {
                best = Some(first.clone());
            }
            stale = if first.distance < before { 0 } else { stale + 1 };
        }
        if stale >= PATIENCE {
            elite.clear();
            stale = 0;
        }
        if let Some(best) = &best {
            tell(&Standing { candidates, met: best.met(targets), distance: best.distance });
        }
    }
    let complete = is_met(&best);
    let tower = best.as_ref().map_or_else(|| tower.clone(), |best| floor(tower, parameters, &best.values));
    Ok(Calibration { tower, best, candidates, complete, stopped })
}

/// The values of a round: mostly variations of the best, some drawn anew.
fn variations(parameters: &[Parameter], elite: &[Candidate], rng: &mut ChaCha8Rng) -> Vec<Vec<i64>> {
    let mut round = Vec::new();
    for _ in 0..ROUND {
        let parent = elite.choose(rng).filter(|_| rng.random_range(0..8) > 0);
        round.push(match parent {
            Some(parent) => varied(parameters, &parent.values, rng),
            None => parameters.iter().map(|parameter| rng.random_range(parameter.range.clone())).collect(),
        });
    }
    round
}

/// Values of which one to three are changed: a little, or to anything.
fn varied(parameters: &[Parameter], values: &[i64], rng: &mut ChaCha8Rng) -> Vec<i64> {
    let mut values = values.to_vec();
    for _ in 0..rng.random_range(1..=3) {
        let index = rng.random_range(0..parameters.len());
        let (least, most) = (*parameters[index].range.start(), *parameters[index].range.end());
        let anywhere = !parameters[index].choices.is_empty() || rng.random_range(0..4) == 0;
        values[index] = match anywhere {
            true => rng.random_range(least..=most),
            false => {
                let reach = (most.saturating_sub(least) / 8).max(1);
                values[index].saturating_add(rng.random_range(-reach..=reach)).clamp(least, most)
            }
        };
    }
    values
}

/// Measures a round, in order, leaving out what is too far. If somebody asks to stop, as many from the beginning as were
/// measured by then.
fn measure(
    tower: &Tower,
    parameters: &[Parameter],
    targets: &[Target],
    round: &[Vec<i64>],
    limits: &Limits,
    farthest: f64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<Option<Candidate>> {
    let slots: Vec<OnceLock<Option<Candidate>>> = round.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..limits.threads.max(1) {
            scope.spawn(|| {
                while !stop() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(values), Some(slot)) = (round.get(index), slots.get(index)) else { return };
                    let values = values.clone();
                    let measured = Candidate::measure(tower, parameters, targets, values, limits, farthest, stop);
                    // What was measured while somebody asked to stop may have been cut short.
                    if !stop() {
                        slot.get_or_init(|| measured);
                    }
                }
            });
        }
    });
    slots.into_iter().map_while(OnceLock::into_inner).collect()
}
