//! What a tower is to be like: its floors, rooms, links and what lives there, as a file says it or as it was made from
//! words. Knows nothing of maps.

mod check;
mod error;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use check::PLATE;
pub use error::DescriptionError;

use crate::game::Colour;

/// A tower to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Short name: letters, digits, `_` and `-`.
    pub name: String,
    /// What people read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether it leads down from floor 1, and not up; then it has a quick exit behind the boss.
    #[serde(default)]
    pub descends: bool,
    /// Difficulty of floor 1, from 1 to 5. Each further floor is one step harder, up to 5.
    #[serde(default = "usual_difficulty")]
    pub difficulty: u8,
    /// The puzzle of the last floor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// Final HP under best play that is wanted, both ends counted; follows from the difficulty unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<[i64; 2]>,
    /// Who lives there, and by which rule.
    #[serde(default)]
    pub population: Population,
    /// The floors, from the first.
    #[serde(rename = "floor")]
    pub floors: Vec<FloorPlan>,
}

/// What must be found before the last floor's goal opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Cycle {
    /// A code that is written somewhere opens a gate.
    Code,
    /// A wheel somewhere lets the water out of a flooded way.
    Flood,
    /// A key of its own, which lies somewhere, opens a lock.
    Lock,
}

/// A floor to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FloorPlan {
    /// What people read; `Floor 1` and so on unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its rooms. The first is where the hero starts, or where the stairs from the floor before arrive.
    #[serde(rename = "room")]
    pub rooms: Vec<RoomPlan>,
    /// What joins them. Of links that close a loop, those that cannot be drawn are left out with a warning.
    #[serde(default, rename = "link", skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkPlan>,
    /// The room that the stairs to the next floor lead from, and on the last floor the boss's room; the last one unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// What is placed by hand. It wins over the population's rule.
    #[serde(default, rename = "place", skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<HandPlaced>,
}

/// A room to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomPlan {
    /// What people read and what links name it by; no two rooms of a tower have the same name.
    pub name: String,
    /// Columns and rows, each from 2 to 12; 4 by 3 unless given.
    #[serde(default = "usual_size")]
    pub size: [u16; 2],
    /// Its row in the table of kinds. Unless given, the first kind of which a word stands in the note or the name; else a hall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How tall a monster fits under its ceiling: 1 low, 2 usual, 3 high.
    #[serde(default = "usual_height")]
    pub height: u8,
    /// What it is like, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A link to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkPlan {
    /// One room.
    pub from: String,
    /// The other.
    pub to: String,
    /// What kind of way.
    #[serde(default)]
    pub kind: LinkKind,
    /// Of a door: the colour of its key; yellow unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
}

/// Kinds of ways between two rooms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// A short way shut by a door that takes a key.
    Door,
    /// An open way of three squares or more.
    #[default]
    Corridor,
    /// An open way of one square, which the first monster of the room behind it bars.
    Narrow,
    /// A low way: only low monsters stand in its mouth.
    Crawl,
}

/// Something placed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandPlaced {
    /// The room.
    pub room: String,
    /// What: the name of a monster of the bestiary, of an item (`yellow key`, `red gem`, `blue potion`, `sword`, …), or `plate`.
    pub what: String,
    /// Column and row within the room, from 0; where the rule would put it unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[u16; 2]>,
}

/// Who lives in a tower, and by which rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Population {
    /// Goes into the draws besides the tower's seed and the room.
    pub seed: u64,
    /// A room has one monster for so many squares, times its kind's share.
    pub squares: u16,
    /// Monsters of a room at least.
    pub least: u16,
    /// Monsters of a room at most.
    pub most: u16,
    /// Rooms that are left without monsters, caches and plates.
    pub empty: Vec<String>,
    /// The boss's type in the bestiary; the last floor's strongest unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boss: Option<String>,
    /// Weights of the types of monsters of a floor, by the floor's number from 1; those of its difficulty unless given.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub floors: BTreeMap<String, BTreeMap<String, u16>>,
}

impl Default for Population {
    fn default() -> Self {
        Population { seed: 0, squares: 8, least: 0, most: 3, empty: Vec::new(), boss: None, floors: BTreeMap::new() }
    }
}

impl Description {
    /// The difficulty of a floor, from 0: one step harder than the floor before, up to 5.
    pub fn difficulty_of(&self, floor: usize) -> u8 {
        (usize::from(self.difficulty).saturating_add(floor)).clamp(1, 5) as u8
    }
}

fn usual_difficulty() -> u8 {
    2
}

fn usual_size() -> [u16; 2] {
    [4, 3]
}

fn usual_height() -> u8 {
    2
}
