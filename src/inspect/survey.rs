//! The states that play can reach, taken together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::State;
use crate::solver::{SolveError, Values};

/// All states that any legal play can reach. States that differ in nothing but HP count as one, which is taken with
/// the most HP that it can be reached with; so do states that differ only in obstacles that lead to nothing any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Survey {
    /// How many there are.
    pub states: usize,
    /// From how many the boss cannot be defeated any more.
    pub lost: usize,
    /// The same as a share, from 0 to 1.
    pub lost_share: f64,
    /// Winning sets: from how many the boss can be defeated at once.
    pub winning_sets: u64,
    /// The least start HP with which the boss could be defeated, all else being as it is; null if it cannot.
    pub least_start_hp: Option<i64>,
}

impl Survey {
    /// Surveys a game whose states are all known.
    ///
    /// # Errors
    /// [`SolveError`] if the first state cannot be looked up.
    pub fn of(values: &Values, start: &State) -> Result<Self, SolveError> {
        let states = values.keys().unwrap_or_default();
        let lost = values.lost().unwrap_or_default();
        // What is collected before the first decision may hold potions: it is the start that is asked for.
        let collected = start.hero.hp - values.game().tower().hero.hp;
        let least = values.least_hp(start)?.map(|hp| (hp - collected).max(1));
        Ok(Survey {
            states,
            lost,
            lost_share: (lost as f64 / states.max(1) as f64 * 1e4).round() / 1e4,
            winning_sets: values.wins(),
            least_start_hp: least,
        })
    }
}
