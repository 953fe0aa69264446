//! The hero's quantities. Knows nothing of where the hero stands.

use std::ops::{Index, IndexMut};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tile::Colour;

/// What the hero has. Every quantity is a whole number of points or pieces, at least 0 while he lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hero {
    /// Health. There is no upper limit; at 0 or below the hero is dead.
    pub hp: i64,
    /// Attack: what a strike takes from a monster, less its DEF.
    pub atk: i64,
    /// Defence: taken off every strike of a monster.
    pub def: i64,
    /// Magic defence: taken once off the damage of a whole fight.
    pub mdef: i64,
    /// Gold, earned by fights and spent in shops.
    pub gold: i64,
    /// Experience, earned by fights.
    pub experience: i64,
    /// Keys held, by colour.
    pub keys: Keys,
}

/// Keys held, by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Keys {
    /// Keys for yellow doors.
    pub yellow: i64,
    /// Keys for blue doors.
    pub blue: i64,
    /// Keys for red doors.
    pub red: i64,
    /// Keys for green doors.
    pub green: i64,
}

impl Index<Colour> for Keys {
    type Output = i64;

    fn index(&self, colour: Colour) -> &i64 {
        match colour {
            Colour::Yellow => &self.yellow,
            Colour::Blue => &self.blue,
            Colour::Red => &self.red,
            Colour::Green => &self.green,
        }
    }
}

impl IndexMut<Colour> for Keys {
    fn index_mut(&mut self, colour: Colour) -> &mut i64 {
        match colour {
            Colour::Yellow => &mut self.yellow,
            Colour::Blue => &mut self.blue,
            Colour::Red => &mut self.red,
            Colour::Green => &mut self.green,
        }
    }
}
