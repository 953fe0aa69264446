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

/// HP of the start with which a tower is solved first: more than any fight of it costs.
const PLENTY: i64 = 20_000;

/// HP that the hero starts with at least.
const LEAST: i64 = 100;

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
        Wanted { optimum: wishes.optimum.clone().or(described), share, most_steps: wishes.most_steps }
    }

    /// The least and the most final HP for so much HP at the start.
    fn range(&self, hp: i64) -> RangeInclusive<i64> {
        match &self.optimum {
            Some(range) => range.clone(),
            None => (hp * self.share.start() / 100).max(1)..=(hp * self.share.end() / 100).max(1),
        }
    }

    /// HP at the start that would do if the whole way cost so much, whatever the HP.
    fn guess(&self, cost: i64) -> i64 {
        let middle = |range: &RangeInclusive<i64>| range.start() + (range.end() - range.start()) / 2;
        let hp = match &self.optimum {
            Some(range) => cost + middle(range),
            None => cost * 100 / (100 - middle(&self.share)).max(1),
        };
        hp.max(LEAST)
    }
}

/// The tower with the HP that make its optimum what is wanted, and what is proven of that; none if no HP do, or it cannot
/// be won.
///
/// # Errors
/// [`SolveError`] if the tower cannot be solved at all, or `stop` says so.
pub fn settle(
    ground: &Ground<'_>,
    rule: &Rule<'_>,
    wanted: &Wanted,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Settled>, SolveError> {
    let Some(mut tower) = furnish(ground, rule, PLENTY) else { return Ok(None) };
    let Some(most) = solve(&tower, wanted.most_steps, stop)?.0.least else { return Ok(None) };
    let (mut low, mut high) = (0, PLENTY);
    let mut hp = wanted.guess(PLENTY - most).min(PLENTY);
    for _ in 0..SOLVINGS {
        tower.hero.hp = hp;
        let (worth, route) = solve(&tower, wanted.most_steps, stop)?;
        let range = wanted.range(hp);
        match (worth.least, worth.most) {
            (Some(least), Some(most)) if range.contains(&least) && range.contains(&most) => {
                return Ok(Some(Settled { tower, worth, route }));
            }
            (least, _) if least.is_none_or(|least| least < *range.start()) => low = hp,
            (Some(least), _) if least > *range.end() => high = hp,
            // Between bounds that are too far apart: other HP will hardly help.
            _ => return Ok(None),
        }
        if high - low <= 1 || high <= LEAST {
            return Ok(None);
        }
        let short = range.start() + (range.end() - range.start()) / 2 - worth.least.unwrap_or_default();
        let next = if worth.least.is_some() && hp + short > low && hp + short < high {
            hp + short
        } else {
            middle(low, high, hp)
        };
        hp = next.max(LEAST).clamp(low + 1, high - 1);
    }
    Ok(None)
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
