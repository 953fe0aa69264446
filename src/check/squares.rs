//! A set of a tower's squares. Knows only how large its floors are.

use crate::game::{Floor, Position};

/// A set of squares.
#[derive(Clone, Debug)]
pub struct Squares {
    floors: Vec<(u16, Vec<bool>)>,
}

impl Squares {
    /// None of the squares of these floors.
    pub fn none(floors: &[Floor]) -> Self {
        let none =
            |floor: &Floor| (floor.width(), vec![false; usize::from(floor.width()) * usize::from(floor.height())]);
        Squares { floors: floors.iter().map(none).collect() }
    }

    /// Adds a square; whether it was not in it. One outside of the tower never is.
    pub fn insert(&mut self, at: Position) -> bool {
        let Some((width, squares)) = self.floors.get_mut(usize::from(at.floor)) else { return false };
        let index = usize::from(at.y) * usize::from(*width) + usize::from(at.x);
        match squares.get_mut(index) {
            Some(square) if at.x < *width => !std::mem::replace(square, true),
            _ => false,
        }
    }

    /// Whether a square is in it.
    pub fn contains(&self, at: Position) -> bool {
        let Some((width, squares)) = self.floors.get(usize::from(at.floor)) else { return false };
        let index = usize::from(at.y) * usize::from(*width) + usize::from(at.x);
        at.x < *width && squares.get(index).copied().unwrap_or(false)
    }
}
