//! What items give, as the search sums it. Knows nothing of where they lie.

use crate::game::{Colour, Hero, Item, Tower};

use super::error::{SolveError, overflow};

/// What items give, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// HP.
    pub hp: i64,
    /// ATK, DEF, MDEF.
    pub attributes: [i64; 3],
    /// Keys, in the order of `Colour::ALL`.
    pub keys: [u16; 4],
}

impl Gain {
    /// What one item gives.
    pub(super) fn of(tower: &Tower, item: Item) -> Result<Self, SolveError> {
        let hero = tower.give(&Hero::default(), item).ok_or_else(overflow)?;
        let mut keys = [0; 4];
        for (count, colour) in keys.iter_mut().zip(Colour::ALL) {
            *count = u16::try_from(hero.keys[colour]).map_err(|_| overflow())?;
        }
        Ok(Gain { hp: hero.hp, attributes: [hero.atk, hero.def, hero.mdef], keys })
    }

    /// Both together.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a sum leaves its range.
    pub fn plus(&self, other: &Gain) -> Result<Gain, SolveError> {
        let mut sum = Gain { hp: self.hp.checked_add(other.hp).ok_or_else(overflow)?, ..*self };
        for (mine, theirs) in sum.attributes.iter_mut().zip(other.attributes) {
            *mine = mine.checked_add(theirs).ok_or_else(overflow)?;
        }
        for (mine, theirs) in sum.keys.iter_mut().zip(other.keys) {
            *mine = mine
                .checked_add(theirs)
                .ok_or_else(|| SolveError::Overflow("more than 65,535 keys of one colour".into()))?;
        }
        Ok(sum)
    }
}
