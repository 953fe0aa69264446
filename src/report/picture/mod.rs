//! Pictures of floors: the map of a state in tiles of our own drawing, with marks, captions and a legend. Reads games
//! and states; knows nothing of agents, episodes and values, nor of what a mark means.
//!
//! The same game, state and marks give the same bytes.

mod badge;
mod below;
mod census;
mod glyph;
mod heat;
mod hero;
mod item;
mod key;
mod legend;
mod mark;
mod monster;
mod own;
mod palette;
mod panel;
mod room;
mod sheet;
pub mod stage;
mod terrain;
#[cfg(test)]
mod tests;
mod way;

use std::ops::Range;

use super::style::TITLE;
use super::svg::{Anchor, Page};
use super::text;
use crate::game::{CellIndex, Game, Position, State};
use below::Below;
use glyph::Glyphs;
use panel::Panel;
use sheet::Sheet;
use way::Ways;

pub use heat::HeatMap;
pub use mark::{Mark, what_stands};
pub use panel::heading;

/// Around everything.
const MARGIN: f64 = 14.0;
/// Narrowest page: a map may be narrower than what is written of it.
const NARROWEST: f64 = 340.0;
/// Height of a line of the heading.
const HEADING: f64 = 24.0;
/// Most tiles that a picture shows.
const MOST_TILES: usize = 250_000;

/// A picture of a state of a game: all floors or one, with marks.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The game.
    pub game: &'a Game,
    /// What has been cleared and where the hero stands.
    pub state: &'a State,
    /// What is marked; the first is number 1.
    pub marks: &'a [Mark],
    /// Whether every kind of thing on the map is explained.
    pub legend: bool,
    /// Index of the one floor that is shown; all of them without it.
    pub floor: Option<u16>,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// A mark lies on a floor, but beyond its tiles.
    #[error("{at} cannot be marked: it lies outside the map, which is {width} × {height} tiles, counted from 0")]
    OutsideMap {
        /// Where.
        at: Position,
        /// Tiles in a row of that floor.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A mark lies on a floor that is not shown.
    #[error("{at} cannot be marked: floor {shown} alone is shown")]
    NotShown {
        /// Where.
        at: Position,
        /// Index of the floor that is.
        shown: u16,
    },
    /// The floor that is to be shown does not exist.
    #[error("there is no floor {floor}: the last floor of the tower is floor {last}")]
    Unknown {
        /// Its index.
        floor: u16,
        /// Index of the last floor.
        last: usize,
    },
    /// A mark lies on no floor.
    #[error("{at} cannot be marked: the last floor of the tower is floor {last}")]
    NoFloor {
        /// Where.
        at: Position,
        /// Index of the last floor.
        last: usize,
    },
    /// Nobody could look at it.
    #[error("a tower of {tiles} tiles is too large for a picture, which shows at most {most}")]
    TooLarge {
        /// How many it has.
        tiles: usize,
        /// How many can be shown.
        most: usize,
    },
}

impl Picture<'_> {
    /// The picture as SVG.
    ///
    /// # Errors
    /// [`DrawError`] if a mark lies outside the tower, or the tower is too large.
    pub fn svg(&self) -> Result<String, DrawError> {
        self.check()?;
        let (game, state) = (self.game, self.state);
        let tower = game.tower();
        let ways = Ways::of(game, self.floor);
        let panel = |index| Panel::of(game, state, index).among(self.floors().len()).with_ways(&ways);
        let panels: Vec<Panel<'_>> = self.floors().map(panel).collect();
        let sheet = Sheet::of(&panels.iter().map(Panel::size).collect::<Vec<_>>());
        let room = sheet.size.0.max(NARROWEST - 2.0 * MARGIN);
        let title = text::wrap(&tower.title, TITLE, room);
        let below = Below::of(self, &ways, room);
        let top = MARGIN + HEADING * title.len() as f64;
        let bottom = top + sheet.size.1;

        let mut page = Page::new(room + 2.0 * MARGIN, bottom + below.height() + MARGIN, &tower.title);
        page.describe(&self.description());
        for (line, number) in title.iter().zip(0..) {
            page.text((MARGIN, MARGIN + 14.0 + f64::from(number) * HEADING), Anchor::Start, TITLE, line);
        }
        let mut glyphs = Glyphs::of(game);
        let marks = mark::numbers(self.marks);
        let corners: Vec<(f64, f64)> = sheet.corners.iter().map(|(x, y)| (MARGIN + x, top + y)).collect();
        let places = || panels.iter().zip(&corners);
        let is_joined = ways.are_joined(self.floor);
        for (panel, at) in places() {
            if !is_joined {
                panel.draw_margin(*at, &mut page);
            }
            panel.draw_ground(*at, &mut glyphs, &mut page);
        }
        if is_joined {
            let place = |at: Position| {
                let floor = usize::from(at.floor);
                Some(panels.get(floor)?.tile_at(*corners.get(floor)?, at))
            };
            ways.join(place, &mut page);
            places().for_each(|(panel, at)| panel.draw_margin(*at, &mut page));
        }
        for (panel, at) in places() {
            panel.draw_things(*at, &marks, &mut glyphs, &mut page);
        }
        below.draw((MARGIN, bottom), &mut glyphs, &mut page);
        Ok(page.finish())
    }

    fn check(&self) -> Result<(), DrawError> {
        let tower = self.game.tower();
        let last = tower.floors.len() - 1;
        if let Some(floor) = self.floor.filter(|floor| usize::from(*floor) > last) {
            return Err(DrawError::Unknown { floor, last });
        }
        let tiles = self.cells().len();
        if tiles > MOST_TILES {
            return Err(DrawError::TooLarge { tiles, most: MOST_TILES });
        }
        for Mark { at, .. } in self.marks {
            let Some(floor) = tower.floors.get(usize::from(at.floor)) else {
                return Err(DrawError::NoFloor { at: *at, last: tower.floors.len() - 1 });
            };
            if floor.tile(at.x, at.y).is_none() {
                return Err(DrawError::OutsideMap { at: *at, width: floor.width(), height: floor.height() });
            }
            if let Some(shown) = self.floor.filter(|shown| *shown != at.floor) {
                return Err(DrawError::NotShown { at: *at, shown });
            }
        }
        Ok(())
    }

    /// The floors that are shown, by their index.
    fn floors(&self) -> Range<u16> {
        match self.floor {
            Some(floor) => floor..floor + 1,
            None => 0..self.game.tower().floors.len() as u16,
        }
    }

    /// Their tiles.
    fn cells(&self) -> Range<CellIndex> {
        match self.floor {
            Some(floor) => self.game.graph().floor_cells(floor),
            None => 0..self.game.graph().len() as CellIndex,
        }
    }

    /// The picture in words, for readers who do not see it.
    fn description(&self) -> String {
        let (game, state) = (self.game, self.state);
        let floors = &game.tower().floors;
        let shown = self.floor.and_then(|floor| floors.get(usize::from(floor))).map(std::slice::from_ref);
        let size = match shown.unwrap_or(floors) {
            [floor] => format!("A floor of {} × {} tiles", floor.width(), floor.height()),
            floors => format!("{} floors", floors.len()),
        };
        let kinds = census::kinds(game, state, self.cells());
        let kinds: Vec<String> =
            kinds.iter().map(|(tile, count)| format!("{} ×{count}", census::name(game, *tile))).collect();
        let kinds = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
        let mut text = format!("{size}; the hero stands at {}. On the map: {kinds}.", state.at);
        for way in &Ways::of(game, self.floor).all {
            text += &format!(" {}: {}.", way.label, key::words(game, way));
        }
        for (mark, number) in self.marks.iter().zip(1..) {
            text += &format!(" ({number}) {}.", mark::words(game, state, mark).trim_end_matches('.'));
        }
        text
    }
}
