//! Glyphs of what a floor is built of: walls, doors, stairs, shops. Knows nothing of where they stand.

use super::glyph::Glyph;
use super::palette::{self, GOLD, INK, MORTAR, PAPER, RED, STEEL, STONE, WALL, WOOD};
use crate::game::{Colour, StairWay};

/// Brick. It reaches a little beyond its tile, so that no floor shines through between two walls.
pub fn wall() -> Glyph {
    Glyph::new(
        "wall",
        format!(
            r#"<path fill="{WALL}" d="M-.4-.4h32.8v32.8H-.4z"/>
                <path fill="none" stroke="{MORTAR}" d="M0 .5h32M0 8.5h32M0 16.5h32M0 24.5h32M.5 .5v8M16.5 .5v8
                    M8.5 8.5v8M24.5 8.5v8M.5 16.5v8M16.5 16.5v8M8.5 24.5v8M24.5 24.5v8"/>"#
        ),
    )
}

/// A door in a wall. Its plate has the shape of its key's bow, so that it is known without colour.
pub fn door(colour: Colour) -> Glyph {
    let leaf = palette::colour(colour);
    let plate = match colour {
        Colour::Yellow => r#"<circle cx="16" cy="17.5" r="6"/>"#,
        Colour::Blue => r#"<path d="M10.5 12h11v11h-11z"/>"#,
        Colour::Red => r#"<path d="M16 9.5l7.6 13.1H8.4z"/>"#,
        Colour::Green => r#"<path d="M13.8 10.5h4.4v4.8H23v4.4h-4.8v4.8h-4.4v-4.8H9v-4.4h4.8z"/>"#,
    };
    Glyph::new(
        format!("door-{colour}"),
        format!(
            r#"<path fill="{WALL}" d="M0 0h32v32H0z"/>
                <path fill="{leaf}" stroke="{INK}" stroke-width="1.5" d="M4.25 31.25V13
                    C4.25 6.5 9.5 2.25 16 2.25S27.75 6.5 27.75 13v18.25z"/>
                <path fill="none" stroke="{INK}" stroke-opacity=".35" d="M10.5 5v25.5M21.5 5v25.5"/>
                <g fill="{PAPER}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                {plate}</g>"#
        ),
    )
}

/// Stairs, with an arrow: up they rise on the floor, down they sink into a dark shaft.
pub fn stairs(way: StairWay) -> Glyph {
    match way {
        StairWay::Up => Glyph::new(
            "stairs-up",
            format!(
                r#"<path fill="{STONE}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="M2.5 29.5
                    v-5h7v-6h7v-6h7v-6h6v23z"/>
                    <path fill="none" stroke="{INK}" stroke-opacity=".4" d="M9.5 24.5v5M16.5 18.5v11M23.5 12.5v17"/>
                    <path fill="{INK}" d="M9 2l6 7h-3.8v6H6.8V9H3z"/>"#
            ),
        ),
        StairWay::Down => Glyph::new(
            "stairs-down",
            format!(
                r#"<path fill="{INK}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="M2.5 2.5h27
                    v27h-27z"/>
                    <path fill="{STONE}" d="M3 7h6.5v6h6.5v6h6.5v6H29v4.5H3z"/>
                    <path fill="none" stroke="{INK}" stroke-opacity=".4" d="M9.5 13v16.5M16 19v10.5M22.5 25v4.5"/>
                    <path fill="{PAPER}" d="M22.5 17l-6-7h3.8V4h4.4v6h3.8z"/>"#
            ),
        ),
    }
}

/// A ladder, with an arrow: up it leans on the floor, down it stands in a dark shaft.
pub fn ladder(way: StairWay) -> Glyph {
    let rungs = "M5 7.5h12M5 13.5h12M5 19.5h12M5 25.5h12";
    let (name, ground, wood, arrow, shape) = match way {
        StairWay::Up => ("ladder-up", "", WOOD, INK, "M25 2.5l6 7h-3.8v6h-4.4v-6H19z"),
        StairWay::Down => ("ladder-down", "M1.5 1.5h29v29h-29z", STONE, PAPER, "M25 16l-6-7h3.8V3h4.4v6H31z"),
    };
    Glyph::new(
        name,
        format!(
            r#"<path fill="{INK}" d="{ground}"/>
                <path fill="none" stroke="{INK}" stroke-width="5" d="M5 1.5v29M17 1.5v29{rungs}"/>
                <path fill="none" stroke="{wood}" stroke-width="2.6" d="M5 2v28M17 2v28{rungs}"/>
                <path fill="{arrow}" d="{shape}"/>"#
        ),
    )
}

/// A stall with an awning and a coin.
pub fn shop() -> Glyph {
    Glyph::new(
        "shop",
        format!(
            r#"<path fill="{STEEL}" stroke="{INK}" stroke-width="1.5" d="M4.5 13h23v16.5h-23z"/>
                <path fill="{WOOD}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="M2.5 23.5h27v6h-27z"/>
                <path fill="{PAPER}" d="M5 2.5h22l3 8.5v1.5H2V11z"/>
                <path fill="{RED}" d="M5 2.5h4.4L7.6 12.5H2V11zM13.8 2.5h4.4l1 10h-6.4zM22.6 2.5H27l3 8.5v1.5h-5.6z"/>
                <path fill="none" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="M5 2.5h22l3 8.5
                    c0 4-5.6 4-5.6 0 0 4-5.6 4-5.6 0 0 4-5.6 4-5.6 0 0 4-5.6 4-5.6 0 0 4-5.6 4-5.6 0z"/>
                <circle cx="16" cy="21" r="6" fill="{GOLD}" stroke="{INK}" stroke-width="1.5"/>
                <path fill="none" stroke="{INK}" stroke-width="1.5" d="M18.3 19
                    c-1-1.6-4.6-1.4-4.6.4 0 2 4.7 1.2 4.7 3.2 0 1.8-3.8 2-4.8.3M16 16.8v8.4"/>"#
        ),
    )
}
