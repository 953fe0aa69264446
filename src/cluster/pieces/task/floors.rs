//! Verdicts on the floors of seeds in a row.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ResultError, TaskError, line, read};
use crate::format;
use crate::generate::recipe::Count;
use crate::generate::search::try_seed;
use crate::generate::{Acceptance, Order, Recipe, Tried, Untried, Verdict};

/// What all seeds share: the recipe and what is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedFloors {
    across: u16,
    down: u16,
    side: u16,
    extra_links: Count,
    red_gems: Count,
    blue_gems: Count,
    red_potions: Count,
    blue_potions: Count,
    monsters: Count,
    missing_keys: Count,
    /// The tower that lends its tables, in native form.
    table: String,
    acceptance: Acceptance,
}

/// Seeds in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// The first one.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Those of them that are passed over.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub except: BTreeSet<u64>,
}

/// What became of a seed, on its way.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    PassedOver,
    Unsolvable(String),
    #[serde(untagged)]
    Verdict(Verdict),
}

/// The result of a piece: what became of its seeds, in their order.
#[derive(Serialize, Deserialize)]
struct Verdicts {
    first: u64,
    verdicts: Vec<Told>,
}

/// Rooms up to which floors are judged in milliseconds.
const SMALL: usize = 9;
/// Rooms up to which they are judged in some tens of milliseconds.
const MIDDLING: usize = 16;
/// Pieces of each size but the last: few seeds at first, for those who want few floors.
const OF_A_SIZE: u64 = 64;

impl SharedFloors {
    /// Of an order.
    pub fn of(order: &Order) -> Self {
        let Recipe {
            across,
            down,
            side,
            extra_links,
            red_gems,
            blue_gems,
            red_potions,
            blue_potions,
            monsters,
            missing_keys,
            table,
        } = order.recipe.clone();
        SharedFloors {
            across,
            down,
            side,
            extra_links,
            red_gems,
            blue_gems,
            red_potions,
            blue_potions,
            monsters,
            missing_keys,
            table: format::write_native(&table),
            acceptance: order.acceptance.clone(),
        }
    }

    pub(super) fn recipe(&self) -> Result<Recipe, TaskError> {
        let broken = |error: &dyn std::fmt::Display| TaskError::Broken(error.to_string());
        let table = format::parse_tower("the recipe's table", &self.table).map_err(|error| broken(&error))?;
        let recipe = Recipe {
            across: self.across,
            down: self.down,
            side: self.side,
            extra_links: self.extra_links.clone(),
            red_gems: self.red_gems.clone(),
            blue_gems: self.blue_gems.clone(),
            red_potions: self.red_potions.clone(),
            blue_potions: self.blue_potions.clone(),
            monsters: self.monsters.clone(),
            missing_keys: self.missing_keys.clone(),
            table: Arc::new(table),
        };
        recipe.check().map_err(|error| broken(&error))?;
        Ok(recipe)
    }
}

/// The pieces of an order, in the order of seeds: always the same, so that whoever asks again finds what is done.
pub fn pieces(order: &Order) -> impl Iterator<Item = Seeds> + '_ {
    let sizes = match order.recipe.rooms() {
        rooms if rooms <= SMALL => [64, 512, 2_048],
        rooms if rooms <= MIDDLING => [16, 64, 256],
        _ => [1, 1, 1],
    };
    pieces_by(order, move |number| sizes[(number / OF_A_SIZE).min(2) as usize])
}

/// The same, with so many seeds in each, at least 1, by its number.
pub(super) fn pieces_by(order: &Order, size: impl Fn(u64) -> u64) -> impl Iterator<Item = Seeds> {
    // Seeds there are, the highest one included.
    let there = (u64::MAX - order.first_seed).saturating_add(1).min(order.most_tries);
    let (mut before, mut number) = (0, 0);
    std::iter::from_fn(move || {
        let count = size(number).clamp(1, (there - before).max(1));
        if before >= there {
            return None;
        }
        let first = order.first_seed + before;
        let except = order.except.range(first..=first + (count - 1)).copied().collect();
        (before, number) = (before + count, number + 1);
        Some(Seeds { first, count, except })
    })
}

/// Tries seeds.
pub struct Trier {
    recipe: Recipe,
    acceptance: Acceptance,
}

impl Trier {
    /// Makes the recipe ready.
    ///
    /// # Errors
    /// [`TaskError::Broken`] if it is none.
    pub fn new(shared: &SharedFloors) -> Result<Self, TaskError> {
        Ok(Trier { recipe: shared.recipe()?, acceptance: shared.acceptance.clone() })
    }

    /// Tries seeds.
    ///
    /// # Errors
    /// [`TaskError`].
    pub fn run(&self, seeds: &Seeds, stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<String>, TaskError> {
        let mut verdicts = Vec::new();
        for seed in seeds.all() {
            if stop() {
                return Err(TaskError::Stopped);
            }
            verdicts.push(match seeds.except.contains(&seed) {
                true => Told::PassedOver,
                false => match try_seed(&self.recipe, &self.acceptance, seed, stop) {
                    Ok(verdict) => Told::Verdict(verdict),
                    Err(Untried::Unsolvable(why)) => Told::Unsolvable(why),
                    Err(Untried::Stopped) => return Err(TaskError::Stopped),
                },
            });
        }
        Ok(vec![line(&Verdicts { first: seeds.first, verdicts })?])
    }
}

impl Seeds {
    /// All of them, in their order.
    pub fn all(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.first;
        (0..self.count).map_while(move |index| first.checked_add(index))
    }

    /// What became of each, from the lines of the result.
    ///
    /// # Errors
    /// [`ResultError`] if they are not the result of this piece.
    pub fn results(&self, lines: &[String]) -> Result<Vec<(u64, Tried)>, ResultError> {
        let [line] = lines else { return Err(ResultError::new(format!("{} lines instead of 1", lines.len()))) };
        let Verdicts { first, verdicts } = read(line)?;
        if first != self.first || verdicts.len() as u64 != self.count {
            return Err(ResultError::new("it is of other seeds"));
        }
        let tried = |told| match told {
            Told::PassedOver => Ok(None),
            Told::Unsolvable(why) => Err(Untried::Unsolvable(why)),
            Told::Verdict(verdict) => Ok(Some(verdict)),
        };
        Ok(self.all().zip(verdicts.into_iter().map(tried)).collect())
    }
}
