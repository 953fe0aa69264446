//! A rectangular grid of tiles. Knows nothing of the other floors of its tower.

use super::tile::Tile;

/// One floor: a rectangle of at least one tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// What people read; empty on a single floor.
    pub name: String,
    width: u16,
    tiles: Vec<Tile>,
}

impl Floor {
    /// A floor of rows of equal length; `None` if there is no tile, a row is shorter or longer than the first,
    /// or a side is longer than 65,535.
    pub fn from_rows(name: String, rows: Vec<Vec<Tile>>) -> Option<Self> {
        let width = rows.first()?.len();
        let rectangular = rows.iter().all(|row| row.len() == width);
        if width == 0 || !rectangular || rows.len() > usize::from(u16::MAX) {
            return None;
        }
        Some(Floor { name, width: u16::try_from(width).ok()?, tiles: rows.concat() })
    }

    /// Tiles in a row.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        (self.tiles.len() / usize::from(self.width)) as u16
    }

    /// The tile at column `x`, row `y`; `None` outside the grid.
    pub fn tile(&self, x: u16, y: u16) -> Option<Tile> {
        (x < self.width).then(|| self.tiles.get(usize::from(y) * usize::from(self.width) + usize::from(x)).copied())?
    }

    /// All tiles with their column and row, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = (u16, u16, Tile)> + '_ {
        self.tiles.iter().enumerate().map(|(index, tile)| {
            let (x, y) = (index % usize::from(self.width), index / usize::from(self.width));
            (x as u16, y as u16, *tile)
        })
    }

    /// The rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles.chunks(usize::from(self.width))
    }
}
