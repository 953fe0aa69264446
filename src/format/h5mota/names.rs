//! The engine's names of what the game has, of both generations.

use crate::game::{Attribute, Colour, Quantity};

/// A quantity of the hero: `status:money` is gold.
pub fn quantity(name: &str) -> Option<Quantity> {
    Some(match name {
        "hp" => Quantity::Hp,
        "atk" => Quantity::Atk,
        "def" => Quantity::Def,
        "mdef" => Quantity::Mdef,
        "money" | "gold" => Quantity::Gold,
        "exp" | "experience" => Quantity::Experience,
        _ => return None,
    })
}

/// A flag that the engine itself reads.
pub fn mark(flag: &str) -> Option<Quantity> {
    match flag {
        "curse" => Some(Quantity::Curse),
        "hatred" => Some(Quantity::Hatred),
        _ => None,
    }
}

/// A number of a monster.
pub fn attribute(name: &str) -> Option<Attribute> {
    Some(match name {
        "hp" => Attribute::Hp,
        "atk" => Attribute::Atk,
        "def" => Attribute::Def,
        "money" | "gold" => Attribute::Gold,
        "exp" | "experience" => Attribute::Experience,
        _ => return None,
    })
}

/// The colour of a key.
pub fn key(id: &str) -> Option<Colour> {
    Some(match id {
        "yellowKey" => Colour::Yellow,
        "blueKey" => Colour::Blue,
        "redKey" => Colour::Red,
        "greenKey" => Colour::Green,
        _ => return None,
    })
}

/// The name that an item has since 2.7: a jewel is a gem.
pub fn item(id: &str) -> String {
    match id.strip_suffix("Jewel") {
        Some(colour) => format!("{colour}Gem"),
        None => id.to_owned(),
    }
}
