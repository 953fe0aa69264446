//! From what stands on a tile to the glyph that shows it. Knows nothing of where the tile lies.

use std::collections::HashMap;

use super::badge;
use super::{item, monster, own, terrain};
use crate::game::{Game, Item, Tile};
use crate::report::svg::Page;

/// Pixels of a tile's side, for which all glyphs are drawn.
pub const TILE: f64 = 32.0;

/// A shape with its name; the name says all that the shape depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// Letters, digits and `-`.
    pub name: String,
    /// SVG within a square of [`TILE`] pixels.
    pub shape: String,
}

impl Glyph {
    /// A glyph; the breaks and indents of lines of its shape are for those who read the source.
    pub fn new(name: impl Into<String>, shape: impl AsRef<str>) -> Self {
        let mut joined = String::new();
        for line in shape.as_ref().lines() {
            if !joined.is_empty() && !joined.ends_with('>') {
                joined.push(' ');
            }
            joined += line.trim();
        }
        Glyph { name: name.into(), shape: joined }
    }
}

/// What is drawn for a tile: on floor nothing.
pub fn of_tile(game: &Game, tile: Tile) -> Option<Glyph> {
    Some(match tile {
        Tile::Floor => return None,
        Tile::Wall => terrain::wall(),
        Tile::Door(colour) => terrain::door(colour),
        Tile::Stair(way) => terrain::stairs(way),
        Tile::Shop => terrain::shop(),
        Tile::Item(Item::Key(colour)) => item::key(colour),
        Tile::Item(Item::Gem(gem)) => item::gem(gem),
        Tile::Item(Item::Potion(potion)) => item::potion(potion),
        Tile::Item(Item::Sword) => item::sword(),
        Tile::Item(Item::Shield) => item::shield(),
        Tile::Item(Item::Thing(_)) => own::thing(),
        Tile::Gate(_) => own::gate(),
        Tile::Event => own::event(),
        Tile::Figure => own::figure(),
        Tile::Monster(id) => monster::glyph(game.monster(id)),
    })
}

/// The symbol that tells a tile's kind from others of the same glyph.
pub fn symbol(game: &Game, tile: Tile) -> Option<&str> {
    match tile {
        Tile::Monster(id) => Some(&game.monster(id).symbol),
        Tile::Gate(id) => game.tower().gates.get(usize::from(id)).map(|gate| gate.symbol.as_str()),
        Tile::Item(Item::Thing(id)) => game.tower().things.get(usize::from(id)).map(|thing| thing.symbol.as_str()),
        _ => None,
    }
}

/// The glyphs of a game on a page: each is made and defined when it is first wanted.
pub struct Glyphs<'a> {
    game: &'a Game,
    /// Names of a tile's glyph and of its badge.
    names: HashMap<Tile, (Option<String>, Option<String>)>,
}

impl<'a> Glyphs<'a> {
    /// None yet.
    pub fn of(game: &'a Game) -> Self {
        Glyphs { game, names: HashMap::new() }
    }

    /// Draws a tile, without its badge, with its top left at a point.
    pub fn draw(&mut self, tile: Tile, at: (f64, f64), scale: f64, page: &mut Page) {
        if let (Some(name), _) = self.names(tile, page) {
            page.place(name, at, scale);
        }
    }

    /// Draws the symbol of a monster, a gate or a thing in the corner of its tile; nothing on other tiles.
    pub fn draw_badge(&mut self, tile: Tile, at: (f64, f64), scale: f64, page: &mut Page) {
        if let (_, Some(name)) = self.names(tile, page) {
            page.place(name, at, scale);
        }
    }

    /// Defines what a tile is drawn of, and says by which names.
    pub fn defined(&mut self, tile: Tile, page: &mut Page) -> Vec<String> {
        let (glyph, badge) = self.names(tile, page);
        glyph.iter().chain(badge).cloned().collect()
    }

    fn names(&mut self, tile: Tile, page: &mut Page) -> &(Option<String>, Option<String>) {
        self.names.entry(tile).or_insert_with(|| {
            let mut define = |glyph: Glyph| {
                page.define(&glyph.name, &glyph.shape);
                glyph.name
            };
            let glyph = of_tile(self.game, tile).map(&mut define);
            let badge = symbol(self.game, tile).map(|symbol| define(badge::symbol(symbol)));
            (glyph, badge)
        })
    }
}
