//! The monsters of generated towers: rows relative to what a hero is expected to have on a floor, and the monster tables
//! made of them. Knows nothing of where they stand.

use serde::Deserialize;

use crate::game::{Abilities, Ability, Monster};

/// The table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bestiary {
    /// Its rows.
    #[serde(rename = "type")]
    pub types: Vec<Type>,
}

/// A type of monster, on whatever floor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// Its name on each floor, from the first.
    pub names: [String; 4],
    /// How tall it is, from 1 to 3.
    pub height: u8,
    /// Strikes that the expected hero needs, at least 1.
    pub strikes: i64,
    /// HP that a strike of the expected hero takes, at least 1.
    pub hit: i64,
    /// HP that one of its strikes costs the expected hero at difficulty 3.
    pub bite: i64,
    /// How often it is drawn among those that fit.
    pub weight: u16,
    /// The least difficulty of the floors that it lives on.
    pub from: u8,
    /// The greatest.
    pub to: u8,
    /// Its abilities.
    #[serde(default)]
    pub abilities: Vec<TypeAbility>,
    /// Whether it guards the boss.
    #[serde(default)]
    pub guard: bool,
    /// Whether it is the boss.
    #[serde(default)]
    pub boss: bool,
}

/// Abilities that a row may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TypeAbility {
    /// It strikes once before the fight.
    #[serde(rename = "first strike")]
    FirstStrike,
    /// It strikes twice each time.
    #[serde(rename = "double")]
    Double,
}

/// The hero that monsters of a floor are measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// ATK.
    pub atk: i64,
    /// DEF.
    pub def: i64,
    /// The floor's difficulty, from 1 to 5.
    pub difficulty: u8,
}

impl Bestiary {
    /// The table that comes with the program.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn standard() -> Self {
        toml::from_str(include_str!("../../../floors/bestiary.toml")).expect("the table that comes with the program")
    }

    /// The row of a name, whatever its floor and case.
    pub fn named(&self, name: &str) -> Option<usize> {
        let same = |other: &String| other.eq_ignore_ascii_case(name);
        self.types.iter().position(|row| row.names.iter().any(same))
    }
}

impl Type {
    /// Its row in the monster table of a tower: on a floor, from 0, for a hero like this, as the boss or not.
    pub fn monster(&self, symbol: String, floor: usize, expected: Expected, boss: bool) -> Monster {
        Monster {
            symbol,
            name: self.names[floor.min(3)].clone(),
            hp: self.strikes * self.hit,
            atk: expected.def + self.bite_at(expected.difficulty),
            def: (expected.atk - self.hit).max(0),
            gold: 0,
            experience: 0,
            abilities: self.abilities(),
            boss,
        }
    }

    fn abilities(&self) -> Abilities {
        let mut abilities = Abilities::none();
        for name in &self.abilities {
            match name {
                TypeAbility::FirstStrike => abilities.insert(Ability::FirstStrike),
                TypeAbility::Double => abilities.insert(Ability::Double),
            }
        }
        abilities
    }

    /// HP that one of its strikes costs at a difficulty: half the usual at 1, a quarter more for each further one.
    fn bite_at(&self, difficulty: u8) -> i64 {
        (self.bite * (25 + 25 * i64::from(difficulty)) + 50) / 100
    }

    /// Whether it lives on floors of a difficulty.
    pub fn lives_at(&self, difficulty: u8) -> bool {
        (self.from..=self.to).contains(&difficulty)
    }
}
