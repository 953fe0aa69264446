//! Glyphs of what is collected: keys, gems, potions, sword and shield. No two have the same outline. Knows nothing of
//! what they give.

use super::glyph::Glyph;
use super::palette::{self, BLUE, GOLD, GREEN, INK, PAPER, RED, SKY, STEEL, WOOD, YELLOW};
use crate::game::{Colour, Gem, Potion};

/// A key. Its bow has the shape of the plate of its door.
pub fn key(colour: Colour) -> Glyph {
    let fill = palette::colour(colour);
    let bow = match colour {
        Colour::Yellow => r#"<circle cx="10.5" cy="10.5" r="7.3"/>"#,
        Colour::Blue => r#"<path d="M3.8 3.8h13.4v13.4H3.8z"/>"#,
        Colour::Red => r#"<path d="M11 2.3l8.6 15H2.4z"/>"#,
        Colour::Green => r#"<path d="M7.5 2.5h6v5h5v6h-5v5h-6v-5h-5v-6h5z"/>"#,
    };
    let hole = match colour {
        Colour::Red => r#"<circle cx="11" cy="12.5" r="2.4"/>"#,
        _ => r#"<circle cx="10.5" cy="10.5" r="2.6"/>"#,
    };
    Glyph::new(
        format!("key-{colour}"),
        format!(
            r#"<g fill="{fill}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                <path d="M14.5 11.5L30 27l-3 3-2-2-2.5 2.5-3.2-3.2 2.5-2.5-1.3-1.3-2.5 2.5-3-3 2.5-2.5-6-6z"/>
                {bow}</g>
                <g fill="{PAPER}" stroke="{INK}" stroke-width="1.5">
                {hole}</g>"#
        ),
    )
}

/// A gem: red like a blade, blue like a shield, green a hexagon.
pub fn gem(gem: Gem) -> Glyph {
    let (name, fill, outline, light, edges) = match gem {
        Gem::Red => ("red", RED, "M16 1.8L25 18.5 16 30.2 7 18.5z", "M16 1.8v16.7H7z", "M16 2v28M7 18.5h18"),
        Gem::Blue => (
            "blue",
            BLUE,
            "M4.5 4.5L16 7.5l11.5-3V15c0 7-5.5 11.5-11.5 14.5C10 26.5 4.5 22 4.5 15z",
            "M4.5 4.5L16 7.5V16L4.7 16z",
            "M16 7.5v22M4.6 16h22.8",
        ),
        Gem::Green => (
            "green",
            GREEN,
            "M16 2.5l11.7 6.7v13.6L16 29.5 4.3 22.8V9.2z",
            "M16 2.5v6.3l-6.2 3.6-5.5-3.2z",
            "M16 8.8l6.2 3.6v7.2L16 23.2l-6.2-3.6v-7.2zM16 2.5v6.3M27.7 9.2l-5.5 3.2M27.7 22.8l-5.5-3.2M16 29.5
                v-6.3M4.3 22.8l5.5-3.2M4.3 9.2l5.5 3.2",
        ),
    };
    Glyph::new(
        format!("gem-{name}"),
        format!(
            r#"<path fill="{fill}" d="{outline}"/>
                <path fill="{PAPER}" fill-opacity=".55" d="{light}"/>
                <path fill="none" stroke="{PAPER}" stroke-opacity=".7" stroke-width="1.2" d="{edges}"/>
                <path fill="none" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="{outline}"/>"#
        ),
    )
}

/// A potion: red a small flask, blue a cone, yellow a square bottle, green a gourd.
pub fn potion(potion: Potion) -> Glyph {
    let (name, fill, glass, liquid, cork) = match potion {
        Potion::Red => {
            ("red", RED, "M13 10.5h6v3.6a8.3 8.3 0 1 1-6 0z", "M8 20h16a8.3 8.3 0 1 1-16 0z", "M13.3 6.5h5.4v4h-5.4z")
        }
        Potion::Blue => (
            "blue",
            BLUE,
            "M12.5 6.5h7V13l9 14c.9 1.5 0 3-1.7 3H5.2c-1.7 0-2.6-1.5-1.7-3l9-14z",
            "M9.6 17.5h12.8L28.5 27c.9 1.5 0 3-1.7 3H5.2c-1.7 0-2.6-1.5-1.7-3z",
            "M12.8 2h6.4v4.5h-6.4z",
        ),
        Potion::Yellow => {
            ("yellow", YELLOW, "M13 7.5h6V11h6.5v19h-19V11H13z", "M6.5 16h19v14h-19z", "M13.3 3h5.4v4.5h-5.4z")
        }
        Potion::Green => (
            "green",
            GREEN,
            "M13.5 5.5h5v1.8a5.6 5.6 0 0 1 1.8 8.5 8.3 8.3 0 1 1-8.6 0 5.6 5.6 0 0 1 1.8-8.5z",
            "M10.8 12.5h10.4a5.6 5.6 0 0 1-.9 3.3 8.3 8.3 0 1 1-8.6 0 5.6 5.6 0 0 1-.9-3.3z",
            "M13.8 1.8h4.4v3.7h-4.4z",
        ),
    };
    Glyph::new(
        format!("potion-{name}"),
        format!(
            r#"<path fill="{STEEL}" d="{glass}"/>
                <path fill="{fill}" d="{liquid}"/>
                <g stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                <path fill="none" d="{glass}"/>
                <path fill="{WOOD}" d="{cork}"/>
                </g>"#
        ),
    )
}

/// A sword.
pub fn sword() -> Glyph {
    Glyph::new(
        "sword",
        format!(
            r#"<g stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                <path fill="{STEEL}" d="M29.5 2.5l-1 6L14 23l-5-5L23.5 3.5z"/>
                <path fill="none" stroke-width="1" d="M11.5 20.5L26 6"/>
                <path fill="{WOOD}" d="M8.8 19.8l3.4 3.4-6 6-3.4-3.4z"/>
                <path fill="{GOLD}" d="M6.5 14.5l11 11-2.3 2.3-11-11z"/>
                </g>"#
        ),
    )
}

/// A round shield, unlike the gem.
pub fn shield() -> Glyph {
    Glyph::new(
        "shield",
        format!(
            r#"<g stroke="{INK}" stroke-width="1.5">
                <circle cx="16" cy="16" r="13.5" fill="{STEEL}"/>
                <circle cx="16" cy="16" r="10" fill="{SKY}"/>
                <path fill="{STEEL}" stroke="none" d="M14 7.2h4v17.6h-4zM7.2 14h17.6v4H7.2z"/>
                <circle cx="16" cy="16" r="4" fill="{GOLD}"/>
                </g>"#
        ),
    )
}
