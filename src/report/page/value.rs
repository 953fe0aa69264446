//! A state value as a page carries it: a number, null if it is lost, or the bounds that it lies between.

use serde::Serialize;

use super::whole::Whole;
use crate::solver::Worth;

/// A state value.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Value {
    /// It is known; none if the game is lost.
    Known(Option<Whole>),
    /// It is not.
    Between {
        /// What a way to win gives; none if none was found.
        least: Option<Whole>,
        /// What none exceeds; none if no bound is known.
        most: Option<Whole>,
    },
}

impl From<Worth> for Value {
    fn from(worth: Worth) -> Self {
        match worth.value() {
            Some(value) => Value::Known(value.map(Whole::from)),
            None => Value::Between { least: worth.least.map(Whole::from), most: worth.bound().map(Whole::from) },
        }
    }
}
