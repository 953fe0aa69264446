//! Colours of floor pictures. Doors, items and monsters have Okabe and Ito's colours, which colour-blind readers can
//! tell apart; yet no meaning hangs on colour alone.

use crate::game::Colour;

/// Outlines, and the dark parts of things.
pub const INK: &str = "#20242d";
/// The light parts of things.
pub const PAPER: &str = "#fff";
/// Open floor.
pub const FLOOR: &str = "#f7f4ed";
/// Lines between tiles of open floor.
pub const GRID: &str = "#e6e1d6";
/// Bricks.
pub const WALL: &str = "#5d6573";
/// Between bricks.
pub const MORTAR: &str = "#757d8b";
/// Stone of stairs.
pub const STONE: &str = "#c3c0b8";
/// Iron, steel, glass.
pub const STEEL: &str = "#dfe5ec";
/// Wood and corks.
pub const WOOD: &str = "#9a6a3a";
/// Gold: crowns, coins, hilts.
pub const GOLD: &str = "#e69f00";
/// Marks that people set.
pub const MARK: &str = "#a3005c";

/// Yellow things.
pub const YELLOW: &str = "#f0d63a";
/// Blue things.
pub const BLUE: &str = "#0072b2";
/// Red things.
pub const RED: &str = "#d55e00";
/// Green things.
pub const GREEN: &str = "#009e73";
/// Black things, light enough to show their outline.
pub const BLACK: &str = "#454b57";
/// Slimes of no colour.
pub const SKY: &str = "#56b4e9";
/// Slime lords of no colour.
pub const PURPLE: &str = "#cc79a7";
/// Bats of no colour.
pub const DUSK: &str = "#7d6796";
/// Other monsters of no colour.
pub const CLAY: &str = "#b39b7d";

/// The colour of a door or a key.
pub fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Yellow => YELLOW,
        Colour::Blue => BLUE,
        Colour::Red => RED,
        Colour::Green => GREEN,
    }
}
