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
    /// What else marks him.
    #[serde(skip_serializing_if = "Marks::is_none")]
    pub marks: Marks,
}

/// What marks a hero beside his quantities: what he carries that changes fights, and what fights left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Marks {
    /// He has the cross, without which some monsters cannot be hurt.
    pub cross: bool,
    /// He has the coin, which doubles the gold of a fight.
    pub coin: bool,
    /// He is cursed: fights give neither gold nor experience.
    pub curse: bool,
    /// Hatred stored up: HP that a hateful monster takes more.
    pub hatred: i64,
}

impl Marks {
    /// Whether nothing marks him.
    pub fn is_none(&self) -> bool {
        *self == Marks::default()
    }
}

impl Hero {
    /// With what another has added to it, marks included; `None` if a quantity leaves `i64`.
    pub fn plus(&self, gain: &Hero) -> Option<Hero> {
        let mut keys = self.keys;
        for colour in Colour::ALL {
            keys[colour] = keys[colour].checked_add(gain.keys[colour])?;
        }
        Some(Hero {
            hp: self.hp.checked_add(gain.hp)?,
            atk: self.atk.checked_add(gain.atk)?,
            def: self.def.checked_add(gain.def)?,
            mdef: self.mdef.checked_add(gain.mdef)?,
            gold: self.gold.checked_add(gain.gold)?,
            experience: self.experience.checked_add(gain.experience)?,
            keys,
            marks: Marks {
                cross: self.marks.cross || gain.marks.cross,
                coin: self.marks.coin || gain.marks.coin,
                curse: self.marks.curse || gain.marks.curse,
                hatred: self.marks.hatred.checked_add(gain.marks.hatred)?,
            },
        })
    }
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
