//! The states that play can reach, taken together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::State;
use crate::solver::{SolveError, Values};

/// All states that any legal play can reach, each taken with the most HP that it can be reached with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Survey {
    /// States told apart by their cleared doors and monsters (and, with a shop, by what was bought); null if there are
    /// more than were to be counted.
    pub sets: Option<States>,
    /// The same, if states that differ only in doors and monsters that lead to nothing any more are not told apart.
    pub keys: States,
    /// The least start HP with which the boss could be defeated, all else being as it is; null if the HP that the
    /// start has are not enough.
    pub least_start_hp: Option<i64>,
}

/// States, counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct States {
    /// How many play can reach.
    pub reached: usize,
    /// From how many of them the boss cannot be defeated any more.
    pub lost: usize,
    /// The same as a share, from 0 to 1.
    pub lost_share: f64,
    /// From how many of them the boss can be defeated at once: the winning sets.
    pub winning: u64,
}

impl Survey {
    /// Surveys a game whose states are all known, telling at most `most_sets` sets apart.
    ///
    /// # Errors
    /// [`SolveError`] if the first state cannot be looked up.
    pub fn of(values: &Values, start: &State, most_sets: usize) -> Result<Self, SolveError> {
        // What is collected before the first decision may hold potions: it is the start that is asked for.
        let collected = start.hero.hp - values.game().tower().hero.hp;
        let least = values.least_hp(start)?.map(|hp| (hp - collected).max(1));
        let keys = States::of(values.keys().unwrap_or_default(), values.lost().unwrap_or_default(), values.wins());
        let sets = values.sets(most_sets)?.map(|sets| States::of(sets.reached, sets.lost, sets.winning));
        Ok(Survey { sets, keys, least_start_hp: least })
    }
}

impl States {
    /// The share of lost states in percent, which is 0 or 100 for none and all of them only.
    pub fn lost_percent(&self) -> f64 {
        match (self.lost, self.reached - self.lost) {
            (0, _) => 0.0,
            (_, 0) => 100.0,
            _ => (100.0 * self.lost_share).clamp(0.1, 99.9),
        }
    }

    fn of(reached: usize, lost: usize, winning: u64) -> Self {
        let share = lost as f64 / reached.max(1) as f64;
        States { reached, lost, lost_share: (share * 1e6).round() / 1e6, winning }
    }
}
