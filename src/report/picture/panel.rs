//! One floor as it is now, with the numbers of its columns and rows, and the marks on it. Knows where it lies on the
//! page; the picture decides that.

use std::collections::BTreeMap;

use super::badge;
use super::glyph::{Glyphs, TILE, symbol};
use super::hero;
use super::mark::{draw_numbers, draw_ring};
use super::own::{draw_barrier, passage};
use super::palette::{FLOOR, GRID, INK};
use super::room::draw_names;
use super::terrain::ladder;
use super::way::{Ways, draw_label};
use crate::game::{Floor, Game, Position, State, Tile, Tower};
use crate::report::style::PANEL;
use crate::report::svg::{Anchor, Font, Page, Stroke};
use crate::report::text;

/// Height of a heading.
const HEADING: f64 = 20.0;
/// With more floors on a page than this their headings are larger: the whole is looked at from farther away.
const MANY: usize = 12;
/// How much larger.
const LARGER: f64 = 2.0;
/// Height of the numbers of columns.
const ABOVE: f64 = 16.0;
/// Sides longer than this have every fifth tile numbered.
const MOST_NUMBERED: u16 = 40;

const COORDINATE: Font = Font { size: 11.0, bold: false, fill: "#555", halo: false };
/// On the ground of somebody else's page, in the colour of its text.
const INLAID_COORDINATE: Font = Font { fill: "currentColor", ..COORDINATE };

/// A floor to be drawn.
pub struct Panel<'a> {
    game: &'a Game,
    state: &'a State,
    index: u16,
    floor: &'a Floor,
    heading: Option<String>,
    font: Font,
    ways: Option<&'a Ways>,
}

impl<'a> Panel<'a> {
    /// The floor of an index, which the game has; with a heading if the tower has others.
    pub fn of(game: &'a Game, state: &'a State, index: u16) -> Self {
        let floors = &game.tower().floors;
        let floor = &floors[usize::from(index)];
        let heading = (floors.len() > 1).then(|| heading(game.tower(), index));
        Panel { game, state, index, floor, heading, font: PANEL, ways: None }
    }

    /// The same with the letters of stairs and ladders.
    pub fn with_ways(self, ways: &'a Ways) -> Self {
        Panel { ways: Some(ways), ..self }
    }

    /// The same as one of so many on a page.
    pub fn among(self, panels: usize) -> Self {
        let scale = if panels > MANY { LARGER } else { 1.0 };
        Panel { font: Font { size: PANEL.size * scale, ..PANEL }, ..self }
    }

    /// The same without a heading.
    pub fn without_heading(game: &'a Game, state: &'a State, index: u16) -> Self {
        Panel { heading: None, ..Panel::of(game, state, index) }
    }

    /// Pixels across and down.
    pub fn size(&self) -> (f64, f64) {
        let (left, top) = self.gutters();
        let (width, height) = self.map_size();
        (left + width, top + height)
    }

    /// Draws it with its top left at a point, with marks of these numbers.
    pub fn draw(
        &self,
        at: (f64, f64),
        marks: &BTreeMap<Position, Vec<usize>>,
        glyphs: &mut Glyphs<'_>,
        page: &mut Page,
    ) {
        self.draw_margin(at, page);
        self.draw_ground(at, glyphs, page);
        self.draw_things(at, marks, glyphs, page);
    }

    /// Its heading and the numbers of its columns and rows.
    pub fn draw_margin(&self, (x, y): (f64, f64), page: &mut Page) {
        let map = self.map((x, y));
        if let Some(heading) = &self.heading {
            let (left, _) = self.gutters();
            let baseline = y + 13.0 * self.font.size / PANEL.size;
            let heading = text::cut(heading, self.font, self.map_size().0);
            page.text((x + left, baseline), Anchor::Start, self.font, &heading);
        }
        self.coordinates(map, COORDINATE, page);
    }

    /// Open floor and walls: what lies below everything that joins floors.
    pub fn draw_ground(&self, at: (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        let map = self.map(at);
        self.ground(map, page);
        self.tiles(true, map, glyphs, page);
    }

    /// The rest.
    pub fn draw_things(
        &self,
        at: (f64, f64),
        marks: &BTreeMap<Position, Vec<usize>>,
        glyphs: &mut Glyphs<'_>,
        page: &mut Page,
    ) {
        let map = self.map(at);
        self.tiles(false, map, glyphs, page);
        self.names(map, page);
        let at = self.state.at;
        if at.floor == self.index {
            draw_hero(self.tile_now(at), corner(map, at.x, at.y), page);
        }
        self.one_way(map, page);
        page.frame(map, self.map_size(), 0.0, Stroke::solid(INK, 1.5));
        let here = Position::new(self.index, 0, 0)..=Position::new(self.index, u16::MAX, u16::MAX);
        for (at, _) in marks.range(here.clone()) {
            draw_ring(corner(map, at.x, at.y), page);
        }
        self.badges(map, glyphs, page);
        for (at, numbers) in marks.range(here) {
            let symbol_width = match self.letter(*at) {
                Some(letter) => badge::letter_width(letter),
                None => symbol(self.game, self.tile_now(*at)).map_or(0.0, badge::symbol_width),
            };
            draw_numbers(numbers, symbol_width, corner(map, at.x, at.y), page);
        }
    }

    /// The top left of a tile, if the panel's top left is at a point.
    pub fn tile_at(&self, panel: (f64, f64), at: Position) -> (f64, f64) {
        corner(self.map(panel), at.x, at.y)
    }

    /// Draws it as [`super::stage`] promises, on a page of its own.
    pub fn draw_stage(&self, glyphs: &mut Glyphs<'_>, page: &mut Page) {
        let map = self.gutters();
        self.coordinates(map, INLAID_COORDINATE, page);
        self.ground(map, page);
        for walls in [true, false] {
            for (x, y, tile) in self.floor.tiles().filter(|(_, _, tile)| *tile != Tile::Floor) {
                match (tile, walls) {
                    (Tile::Wall, true) => glyphs.draw(tile, corner(map, x, y), 1.0, page),
                    (Tile::Wall, false) | (_, true) => {}
                    (_, false) => {
                        page.begin(format_args!(r#"data-x="{x}" data-y="{y}""#));
                        self.tile(tile, Position::new(self.index, x, y), corner(map, x, y), glyphs, page);
                        glyphs.draw_badge(tile, corner(map, x, y), 1.0, page);
                        page.end();
                    }
                }
            }
        }
        self.one_way(map, page);
        let glyph = hero::glyph();
        page.define(&glyph.name, &glyph.shape);
        page.begin(format_args!(r#"data-hero="""#));
        page.place(&glyph.name, (0.0, 0.0), 1.0);
        page.end();
        page.frame(map, self.map_size(), 0.0, Stroke::solid(INK, 1.5));
    }

    /// Where the map begins.
    pub fn gutters(&self) -> (f64, f64) {
        let widest = text::width(&(self.floor.height() - 1).to_string(), COORDINATE);
        let heading = if self.heading.is_some() { HEADING * self.font.size / PANEL.size } else { 0.0 };
        // Whole pixels, so that lines are crisp.
        ((widest.max(8.0) + 6.0).ceil(), heading + ABOVE)
    }

    /// Where the map begins, if the panel's top left is at a point.
    fn map(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, top) = self.gutters();
        (x + left, y + top)
    }

    fn map_size(&self) -> (f64, f64) {
        (f64::from(self.floor.width()) * TILE, f64::from(self.floor.height()) * TILE)
    }

    fn coordinates(&self, (left, top): (f64, f64), font: Font, page: &mut Page) {
        let numbered = |side: u16| (0..side).step_by(if side > MOST_NUMBERED { 5 } else { 1 });
        let middle = |index: u16| (f64::from(index) + 0.5) * TILE;
        for x in numbered(self.floor.width()) {
            page.text((left + middle(x), top - 5.0), Anchor::Middle, font, &x.to_string());
        }
        for y in numbered(self.floor.height()) {
            page.text((left - 5.0, top + middle(y) + 4.0), Anchor::End, font, &y.to_string());
        }
    }

    fn ground(&self, (left, top): (f64, f64), page: &mut Page) {
        let (width, height) = self.map_size();
        page.rect(left, top, width, height, FLOOR);
        // Half a pixel on, so that a line fills one row of pixels, as the bricks' do.
        let between = |index: u16| f64::from(index) * TILE + 0.5;
        let down = (1..self.floor.width()).map(|x| left + between(x)).map(|x| [(x, top), (x, top + height)]);
        let across = (1..self.floor.height()).map(|y| top + between(y)).map(|y| [(left, y), (left + width, y)]);
        let lines: Vec<_> = down.chain(across).collect();
        if !lines.is_empty() {
            page.lines(&lines, Stroke::solid(GRID, 1.0));
        }
    }

    /// Walls, or everything else; walls come first, for they reach a little beyond their tiles.
    fn tiles(&self, walls: bool, map: (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        for (x, y, _) in self.floor.tiles() {
            let at = Position::new(self.index, x, y);
            let tile = self.tile_now(at);
            if (tile == Tile::Wall) == walls {
                self.tile(tile, at, corner(map, x, y), glyphs, page);
            }
        }
    }

    /// One tile; a ladder is a pair of stairs that looks otherwise.
    fn tile(&self, tile: Tile, at: Position, corner: (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        match tile {
            Tile::Stair(way) if self.game.tower().blueprint.is_ladder(at) => {
                let glyph = ladder(way);
                page.define(&glyph.name, &glyph.shape);
                page.place(&glyph.name, corner, 1.0);
            }
            _ => glyphs.draw(tile, corner, 1.0, page),
        }
    }

    /// The names of its rooms.
    fn names(&self, map: (f64, f64), page: &mut Page) {
        let rooms = self.game.tower().blueprint.rooms.iter().filter(|room| room.at.floor == self.index);
        draw_names(rooms, self.floor, map, page);
    }

    /// The letter of the stairs at a tile, if letters are shown.
    fn letter(&self, at: Position) -> Option<&'a str> {
        let label = self.ways?.label(at)?;
        matches!(self.tile_now(at), Tile::Stair(_)).then_some(label)
    }

    /// Ways that lead in one direction only.
    fn one_way(&self, map: (f64, f64), page: &mut Page) {
        let tower = self.game.tower();
        for barrier in tower.barriers.iter().filter(|barrier| barrier.from.floor == self.index) {
            let away = |to: u16, from: u16| f64::from(i32::from(to) - i32::from(from)).clamp(-1.0, 1.0);
            let side = (away(barrier.to.x, barrier.from.x), away(barrier.to.y, barrier.from.y));
            draw_barrier(corner(map, barrier.from.x, barrier.from.y), side, page);
        }
        let glyph = passage();
        for passage in tower.passages.iter().filter(|passage| passage.from.floor == self.index) {
            page.define(&glyph.name, &glyph.shape);
            page.place(&glyph.name, corner(map, passage.from.x, passage.from.y), 1.0);
        }
    }

    /// Over the rings of marks, which would hide them.
    fn badges(&self, map: (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        for (x, y, _) in self.floor.tiles() {
            let at = Position::new(self.index, x, y);
            glyphs.draw_badge(self.tile_now(at), corner(map, x, y), 1.0, page);
            if let Some(letter) = self.letter(at) {
                draw_label(letter, corner(map, x, y), page);
            }
        }
    }

    fn tile_now(&self, at: Position) -> Tile {
        self.game.graph().cell(at).map_or(Tile::Floor, |cell| self.game.tile_now(self.state, cell))
    }
}

/// What stands above a floor of a tower, and what `--floor` takes: its number and its name. Where a name counts floors of its
/// own (`Floor 1`), the number stands behind.
pub fn heading(tower: &Tower, index: u16) -> String {
    let counts = |name: &str| name.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("floor "));
    let name = tower.floors.get(usize::from(index)).map_or("", |floor| floor.name.as_str());
    match tower.floors.iter().any(|floor| counts(&floor.name)) && !name.is_empty() {
        true => format!("{name} (number {index})"),
        false => format!("Floor {index} {name}").trim_end().to_owned(),
    }
}

/// The top left of a tile.
fn corner((left, top): (f64, f64), x: u16, y: u16) -> (f64, f64) {
    (left + f64::from(x) * TILE, top + f64::from(y) * TILE)
}

/// The hero; smaller, in a corner, where something else stands on his tile.
fn draw_hero(on: Tile, (x, y): (f64, f64), page: &mut Page) {
    let glyph = hero::glyph();
    page.define(&glyph.name, &glyph.shape);
    match on {
        Tile::Floor => page.place(&glyph.name, (x, y), 1.0),
        _ => page.place(&glyph.name, (x, y + 0.4 * TILE), 0.6),
    }
}
