//! The table of room kinds: what a kind of room has in it. Knows nothing of rooms.

use serde::{Deserialize, Serialize};

/// The table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kinds {
    /// The rows; of those whose words a note has, the first counts.
    #[serde(rename = "kind")]
    pub kinds: Vec<Kind>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Words, in small letters, that name it in a note, a room's name or a request.
    pub words: Vec<String>,
    /// Its share of monsters: 1 is usual.
    pub monsters: f64,
    /// The chance of a cache, from 0 to 1.
    pub cache: f64,
    /// What a cache holds: items by name, each as likely.
    pub holds: Vec<String>,
    /// The chance of a plate, from 0 to 1.
    pub plate: f64,
    /// How far one sees in it, in squares.
    pub light: u16,
    /// Its share of the floor's potions: 1 is usual.
    pub potions: f64,
}
