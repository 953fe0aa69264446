//! The floors of a game as stages: drawings in which a script shows what has been cleared and where the hero stands. Knows
//! nothing of scripts but what it promises them.
//!
//! Whatever is no wall and no open floor is a group with the attributes `data-x` and `data-y`; the hero is a group with
//! `data-hero`, drawn at the origin. The map begins at `corner`, and a tile has a side of `tile` units.

use serde::Serialize;

use super::glyph::{Glyphs, TILE};
use super::panel::{Panel, heading};
use crate::game::{Game, Tile};
use crate::report::svg::Page;

/// Most tiles of a tower of stages: a browser keeps an element for every one.
const MOST_TILES: usize = 40_000;

/// How kinds of things look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Looks {
    /// A drawing that shows nothing and defines the glyphs.
    pub svg: String,
    /// The glyphs of each kind, by their names.
    pub kinds: Vec<Vec<String>>,
}

impl Looks {
    /// Of these tiles.
    pub fn of(tiles: Vec<Tile>, game: &Game) -> Self {
        let mut page = Page::new(1.0, 1.0, "");
        let mut glyphs = Glyphs::of(game);
        let kinds = tiles.iter().map(|tile| glyphs.defined(*tile, &mut page)).collect();
        Looks { svg: page.inlay(), kinds }
    }
}

/// One floor of a tower, with everything that stands on it before the first move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// Its name; empty on a single floor.
    pub name: String,
    /// Its number and its name.
    pub heading: String,
    /// Tiles in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Where the map begins, in units of the drawing.
    pub corner: (f64, f64),
    /// Side of a tile, likewise.
    pub tile: f64,
    /// The drawing.
    pub svg: String,
}

/// The floors of a game, the lowest first; none if they are too large to be shown.
pub fn stages(game: &Game) -> Option<Vec<Stage>> {
    let floors = 0..game.tower().floors.len() as u16;
    (game.graph().len() <= MOST_TILES).then(|| floors.map(|index| stage(game, index)).collect())
}

fn stage(game: &Game, index: u16) -> Stage {
    let untouched = game.untouched();
    let panel = Panel::without_heading(game, &untouched, index);
    let (width, height) = panel.size();
    // A pixel more, for the half of the frame that lies outside the map.
    let mut page = Page::new(width + 1.0, height + 1.0, "");
    panel.draw_stage(&mut Glyphs::of(game), &mut page);
    let floor = &game.tower().floors[usize::from(index)];
    Stage {
        name: floor.name.clone(),
        heading: heading(game.tower(), index),
        width: floor.width(),
        height: floor.height(),
        corner: panel.gutters(),
        tile: TILE,
        svg: page.inlay(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_tower;
    use crate::game::ItemMode;

    #[test]
    fn whatever_is_no_wall_and_no_open_floor_is_a_group_with_its_place() {
        let tower = parse_tower("keep.toml", include_str!("tests/keep.toml")).unwrap();
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let stages = stages(&game).unwrap();
        assert_eq!(stages.len(), 3);
        for (stage, floor) in stages.iter().zip(&game.tower().floors) {
            let groups: Vec<String> =
                stage.svg.lines().filter(|line| line.starts_with("<g data-x")).map(String::from).collect();
            let things = floor.tiles().filter(|(_, _, tile)| !matches!(tile, Tile::Floor | Tile::Wall));
            let expected: Vec<String> = things.map(|(x, y, _)| format!(r#"<g data-x="{x}" data-y="{y}">"#)).collect();
            assert_eq!(groups, expected);
            assert_eq!(stage.svg.matches("data-hero").count(), 1);
            assert!(!stage.svg.contains("<title>") && !stage.svg.contains("100%"));
            resvg::usvg::Tree::from_str(&stage.svg, &resvg::usvg::Options::default()).expect("XML that can be drawn");
        }
    }
}
