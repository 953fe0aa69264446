//! Where something stands: floor, column and row. Knows nothing of what stands there.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in a tower: floor, x to the right, y downwards, each counted from 0 at the top left.
///
/// The derived order (floor, then x, then y) is the order in which actions are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Index of the floor within its tower, from 0; left out of JSON on the first floor.
    #[serde(default, skip_serializing_if = "is_ground")]
    pub floor: u16,
    /// Column, from 0 at the left.
    pub x: u16,
    /// Row, from 0 at the top.
    pub y: u16,
}

fn is_ground(floor: &u16) -> bool {
    *floor == 0
}

impl Position {
    /// The place at column `x` and row `y` of floor `floor`.
    pub fn new(floor: u16, x: u16, y: u16) -> Self {
        Position { floor, x, y }
    }
}

/// Prints `(x,y)` on the first floor and `(floor:x,y)` above it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.floor {
            0 => write!(f, "({},{})", self.x, self.y),
            floor => write!(f, "({floor}:{},{})", self.x, self.y),
        }
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a position: write x,y (such as 8,7) or floor:x,y (such as 1:8,7), each counted from 0")]
pub struct NotAPosition(pub String);

/// Reads `x,y`, `(x,y)`, `floor:x,y` and `(floor:x,y)`.
impl FromStr for Position {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Self, NotAPosition> {
        let bare = text.trim();
        let bare = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(bare);
        let (floor, place) = bare.split_once(':').unwrap_or(("0", bare));
        let parse = |number: &str| number.trim().parse::<u16>().ok();
        place
            .split_once(',')
            .and_then(|(x, y)| Some(Position::new(parse(floor)?, parse(x)?, parse(y)?)))
            .ok_or_else(|| NotAPosition(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for position in [Position::new(0, 8, 7), Position::new(3, 0, 12)] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        assert_eq!(" 8, 7 ".parse(), Ok(Position::new(0, 8, 7)));
        for wrong in ["", "8", "8,7,6", "a,b", "-1,2", "(8,7", "70000,1"] {
            assert!(wrong.parse::<Position>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn order_is_floor_then_column_then_row() {
        let mut places =
            [Position::new(0, 6, 8), Position::new(0, 5, 4), Position::new(1, 0, 0), Position::new(0, 4, 8)];
        places.sort();
        assert_eq!(places.map(|p| (p.floor, p.x, p.y)), [(0, 4, 8), (0, 5, 4), (0, 6, 8), (1, 0, 0)]);
    }
}
