//! How much HP the hero of a drawn tower starts with, and whether the tower is kept. Asks the exact solver; knows nothing of
//! how the tower was drawn.
//!
//! With more HP at the start the optimum rises by at least as much, for whatever was played still can be. So the least HP
//! with which the optimum reaches a number is found by halving.

use std::ops::RangeInclusive;

use super::build::Wishes;
use super::description::Description;
use super::furnish::furnish;
use super::ground::Ground;
use super::population::Rule;
use crate::game::{Game, ItemMode, Step, Tower};
use crate::solver::SolveError;
use crate::solver::exact::{self, Request};
use crate::solver::settings::{Settings, Watch};
use crate::solver::worth::Worth;

/// What the optimum of a tower must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// In HP, if that was asked for.
    optimum: Option<RangeInclusive<i64>>,
    /// Else in percent of the HP at the start.
    share: RangeInclusive<i64>,
    most_steps: u64,
    /// Decisions of best play: one for every four rooms.
    least_decisions: usize,
}

/// A tower that is kept.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The tower.
    pub tower: Tower,
    /// Final HP under best play.
    pub worth: Worth,
    /// A route to the end that gives the least of it.
    pub route: Vec<Step>,
}

/// What becomes of a drawing.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is kept.
    Kept(Box<Settled>),
    /// It cannot be won, no HP at the start give the optimum that is wanted, or best play hardly takes a decision.
    OutOfRange,
    /// What is proven within the steps is too little.
    Unproven,
}

/// HP of the start with which a tower is solved first: more than any fight of it costs.
const PLENTY: i64 = 20_000;

/// HP that the hero starts with at least.
const LEAST: i64 = 100;

/// Rooms of a tower from which on more its optimum is hardly ever proven.
const MANY_ROOMS: usize = 50;

/// Solvings of one drawing.
const SOLVINGS: usize = 12;

impl Wanted {
    /// What is wanted of a tower: what was asked for, or what its last floor's difficulty stands for.
    pub fn of(description: &Description, wishes: &Wishes) -> Self {
        let last = description.floors.len().saturating_sub(1);
        let share = match description.difficulty_of(last) {
            0 | 1 => 30..=50,
            2 => 18..=32,
            3 => 10..=20,
            4 => 4..=12,
            _ => 1..=6,
        };
        let described = description.optimum.map(|[least, most]| least..=most);
        let rooms: usize = description.floors.iter().map(|floor| floor.rooms.len()).sum();
        Wanted {
            optimum: wishes.optimum.clone().or(described),
            // Of many rooms only bounds are known in the end, and they lie far apart.
            share: *share.start()..=if rooms > MANY_ROOMS { 60 } else { *share.end() },
            most_steps: wishes.most_steps,
            least_decisions: rooms / 4,
        }
    }

    /// The least and the most final HP for so much HP at the start.
    fn range(&self, hp: i64) -> RangeInclusive<i64> {
        match &self.optimum {
            Some(range) => range.clone(),
            None => (hp * self.share.start() / 100).max(1)..=(hp * self.share.end() / 100).max(1),
        }
    }

    /// Whether bounds of the optimum with plenty of HP lie farther apart than the range is wide.
    fn is_too_wide(&self, least: i64, most: i64) -> bool {
        let range = self.range(self.guess(PLENTY - least));
        most.saturating_sub(least) > range.end().saturating_sub(*range.start())
    }

    /// HP at the start that would do if the whole way cost so much, whatever the HP.
    fn guess(&self, cost: i64) -> i64 {
        let middle = |range: &RangeInclusive<i64>| range.start() + range.end().saturating_sub(*range.start()) / 2;
        let hp = match &self.optimum {
            Some(range) => cost.saturating_add(middle(range)),
            None => cost * 100 / (100 - middle(&self.share)).max(1),
        };
        hp.max(LEAST)
    }
}

/// The tower with the HP that make its optimum what is wanted, and what is proven of that, or why it is not kept.
///
/// # Errors
/// [`SolveError`] if the tower cannot be solved at all, or `stop` says so.
pub fn settle(
    ground: &Ground<'_>,
    rule: &Rule<'_>,
    wanted: &Wanted,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Verdict, SolveError> {
    let Some(mut tower) = furnish(ground, rule, PLENTY) else { return Ok(Verdict::OutOfRange) };
    let most = match solve(&tower, wanted.most_steps, stop)?.0 {
        // As far apart as the bounds are now, they will be with other HP.
        Worth { least: Some(least), most: Some(most) } if wanted.is_too_wide(least, most) => {
            return Ok(Verdict::Unproven);
        }
        Worth { least: Some(most), .. } => most,
        Worth::LOST => return Ok(Verdict::OutOfRange),
        _ => return Ok(Verdict::Unproven),
    };
    let (mut low, mut high) = (0, PLENTY);
    let mut hp = wanted.guess(PLENTY - most).min(PLENTY);
    for _ in 0..SOLVINGS {
        tower.hero.hp = hp;
        let (worth, route) = solve(&tower, wanted.most_steps, stop)?;
        let range = wanted.range(hp);
        match (worth.least, worth.most) {
            (Some(least), Some(most)) if range.contains(&least) && range.contains(&most) => {
                if route.len() < wanted.least_decisions {
                    return Ok(Verdict::OutOfRange);
                }
                return Ok(Verdict::Kept(Box::new(Settled { tower, worth, route })));
            }
            (least, _) if least.is_none_or(|least| least < *range.start()) => low = hp,
            (Some(least), _) if least > *range.end() => high = hp,
            // Between bounds that are too far apart: other HP will hardly help.
            _ => return Ok(Verdict::Unproven),
        }
        if high - low <= 1 || high <= LEAST {
            return Ok(Verdict::OutOfRange);
        }
        let middle_of_range = range.start() + range.end().saturating_sub(*range.start()) / 2;
        let short = middle_of_range.clamp(-PLENTY, PLENTY) - worth.least.unwrap_or_default();
        let next = if worth.least.is_some() && hp + short > low && hp + short < high {
            hp + short
        } else {
            middle(low, high, hp)
        };
        hp = next.max(LEAST).clamp(low + 1, high - 1);
    }
    Ok(Verdict::OutOfRange)
}

/// Where to go on halving: not far beyond the HP that did not do, as long as nothing above is known to be too much.
fn middle(low: i64, high: i64, hp: i64) -> i64 {
    if high == PLENTY { (hp + hp / 8 + 10).min(high - 1) } else { low + (high - low) / 2 }
}

fn solve(tower: &Tower, most_steps: u64, stop: &(dyn Fn() -> bool + Sync)) -> Result<(Worth, Vec<Step>), SolveError> {
    let game = Game::new(tower.clone(), ItemMode::Auto).map_err(SolveError::Tower)?;
    let settings = Settings { threads: 1, most_steps, ..Settings::default() };
    let solution = exact::solve(&game, &Request { merge: false, settings }, &mut Watch { stop, tell: &mut |_| {} })?;
    if !solution.proven && stop() {
        return Err(SolveError::Stopped);
    }
    let best = solution.routes.first().map(|route| route.value);
    let worth = if solution.proven { Worth::exactly(best) } else { Worth::between(best, solution.upper_bound) };
    Ok((worth, solution.routes.into_iter().next().map(|route| route.steps).unwrap_or_default()))
}
