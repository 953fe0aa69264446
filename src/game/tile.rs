//! What can stand on one square of a floor. Knows nothing of its neighbours.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tower::{GateId, MonsterId, ThingId};

/// One square of a floor, as it is before anything has been cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Free to walk over.
    Floor,
    /// Never passable.
    Wall,
    /// Opened by one key of its colour.
    Door(Colour),
    /// Lies there until it is collected.
    Item(Item),
    /// Stands there until it is defeated; an index into the tower's monster table.
    Monster(MonsterId),
    /// Walked over freely; joins two floors.
    Stair(StairWay),
    /// Walked over freely; sells while in reach.
    Shop,
    /// A door of the tower's own; an index into its gates.
    Gate(GateId),
    /// Open, but whoever steps there starts its event.
    Event,
    /// Somebody or something in the way; whoever touches it starts its event.
    Figure,
}

impl Tile {
    /// Whether the hero walks over it from the start, without clearing anything.
    pub fn is_open(self) -> bool {
        matches!(self, Tile::Floor | Tile::Stair(_) | Tile::Shop)
    }
}

/// The four colours of doors and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The common colour.
    Yellow,
    /// The rarer colour.
    Blue,
    /// Used on towers.
    Red,
    /// Used on towers.
    Green,
}

impl Colour {
    /// All colours, in the order in which tables list them.
    pub const ALL: [Colour; 4] = [Colour::Yellow, Colour::Blue, Colour::Red, Colour::Green];
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Yellow => "yellow",
            Colour::Blue => "blue",
            Colour::Red => "red",
            Colour::Green => "green",
        })
    }
}

/// The attribute that a gem raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Gem {
    /// ATK.
    Red,
    /// DEF.
    Blue,
    /// MDEF.
    Green,
}

/// The four potions; each restores a number of HP that the tower states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Potion {
    /// The smallest.
    Red,
    /// The second.
    Blue,
    /// The third.
    Yellow,
    /// The fourth.
    Green,
}

/// Something that is collected from the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// A key of a colour.
    Key(Colour),
    /// A gem.
    Gem(Gem),
    /// A potion.
    Potion(Potion),
    /// A sword: ATK.
    Sword,
    /// A shield: DEF.
    Shield,
    /// An item of the tower's own; an index into its things.
    Thing(ThingId),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Key(colour) => write!(f, "{colour} key"),
            Item::Gem(Gem::Red) => f.write_str("red gem"),
            Item::Gem(Gem::Blue) => f.write_str("blue gem"),
            Item::Gem(Gem::Green) => f.write_str("green gem"),
            Item::Potion(Potion::Red) => f.write_str("red potion"),
            Item::Potion(Potion::Blue) => f.write_str("blue potion"),
            Item::Potion(Potion::Yellow) => f.write_str("yellow potion"),
            Item::Potion(Potion::Green) => f.write_str("green potion"),
            Item::Sword => f.write_str("sword"),
            Item::Shield => f.write_str("shield"),
            Item::Thing(_) => f.write_str("thing"),
        }
    }
}

/// Which way a stair is drawn. In pairs that are joined by rule it says where the stair leads; in pairs that are listed, the
/// pair says that, and a tower that descends has stairs down on its first floor that lead to its second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StairWay {
    /// Upwards: by rule, to a floor of a higher index.
    Up,
    /// Downwards: by rule, to a floor of a lower index.
    Down,
}
