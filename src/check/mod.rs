//! Whether a tower is drawn well: eighteen checks, each a rule with what breaks it. Knows the tower alone, not who made it,
//! nor how it is played best.
//!
//! `table` has the checks, a row each; what they look at stands in a file by its noun.

pub mod code;
mod corridor;
mod door;
mod exit;
mod guard;
mod ladder;
mod nook;
mod reach;
mod room;
mod site;
mod squares;
pub mod table;
pub mod walk;
mod way_in;

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::Serialize;

pub use code::{Code, NotACode};
pub use table::{CHECKS, Check};

use crate::game::{Position, Tower};
use site::Site;

/// A place where a tower breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The check.
    pub code: Code,
    /// The tile that it is about, the first if there are several.
    pub at: Position,
    /// What is wrong there, with the place, in one line without a full stop.
    pub message: String,
}

/// A check that says nothing of a tower.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unasked {
    /// The check.
    pub code: Code,
    /// Why, in words.
    pub why: String,
}

/// Where a tower breaks which rules: in the order of the table, and of each rule floor by floor.
pub fn check(tower: &Tower) -> Vec<Finding> {
    check_only(tower, &Code::ALL)
}

/// The same of some checks, in the order of the table.
pub fn check_only(tower: &Tower, wanted: &[Code]) -> Vec<Finding> {
    let site = Site::of(tower);
    let asked = CHECKS.iter().filter(|check| wanted.contains(&check.code) && (check.unasked)(&site).is_none());
    asked.flat_map(|check| check.findings(&site)).collect()
}

/// Which checks say nothing of a tower, because it has nothing that they could look at.
pub fn unasked(tower: &Tower) -> Vec<Unasked> {
    let site = Site::of(tower);
    let of_one = |check: &Check| Some(Unasked { code: check.code, why: (check.unasked)(&site)?.to_owned() });
    CHECKS.iter().filter_map(of_one).collect()
}

/// What a check says of a tile.
struct Mark {
    at: Position,
    text: String,
}

impl Mark {
    fn new(at: Position, text: impl Into<String>) -> Self {
        Mark { at, text: text.into() }
    }
}
