//! Glyphs of what a tower has of its own: gates, things, events, figures, ways that lead in one direction only. Knows nothing
//! of what happens there.

use super::glyph::{Glyph, TILE};
use super::palette::{CLAY, FLOOR, GOLD, INK, MARK, PAPER, PURPLE, SKY, STEEL, WALL, WOOD};
use crate::report::svg::{Page, Stroke};

/// A portcullis in a wall; its badge tells it from others.
pub fn gate() -> Glyph {
    Glyph::new(
        "gate",
        format!(
            r#"<path fill="{WALL}" d="M0 0h32v32H0z"/>
                <path fill="{INK}" d="M3 32V11C3 5.5 8.5 2 16 2s13 3.5 13 9v21z"/>
                <path fill="none" stroke="{STEEL}" stroke-width="2.4" d="M7.5 6.5V29M13.2 3.5V29M18.8 3.5V29M24.5 6.5V29
                    M3.5 12.5h25M3.5 19.5h25"/>
                <path fill="{STEEL}" d="M5.8 28h3.4l-1.7 4zM11.5 28h3.4l-1.7 4zM17.1 28h3.4l-1.7 4zM22.8 28h3.4l-1.7 4z"/>"#
        ),
    )
}

/// A chest; its badge tells it from others.
pub fn thing() -> Glyph {
    Glyph::new(
        "thing",
        format!(
            r#"<g stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                <path fill="{WOOD}" d="M3 12.5h26v14H3z"/>
                <path fill="{CLAY}" d="M3 12.5C3 7 6 4.5 9 4.5h14c3 0 6 2.5 6 8z"/>
                <path fill="{GOLD}" d="M13 10.5h6v7h-6z"/></g>
                <path fill="{INK}" d="M15 13h2v3h-2z"/>"#
        ),
    )
}

/// A plate in the floor with a sign on it.
pub fn event() -> Glyph {
    Glyph::new(
        "event",
        format!(
            r#"<path fill="{FLOOR}" stroke="{INK}" stroke-width="1.5" stroke-dasharray="3 2" d="M3.5 3.5h25v25h-25z"/>
                <path fill="{PURPLE}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round" d="M16 5l11 11-11 11L5 16z"/>
                <path fill="{INK}" d="M14.3 9.5h3.4l-.7 8h-2zM14.4 19.2h3.2v3.2h-3.2z"/>"#
        ),
    )
}

/// Somebody with something to say.
pub fn figure() -> Glyph {
    Glyph::new(
        "figure",
        format!(
            r#"<g stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
                <path fill="{SKY}" d="M3 30.5c0-7.5 3.2-11 8.2-11s8.2 3.5 8.2 11z"/>
                <circle cx="11.2" cy="13.2" r="5.6" fill="{CLAY}"/>
                <path fill="{PAPER}" d="M17.5 2h11c1.3 0 2 .8 2 2v6.5c0 1.2-.7 2-2 2h-6L18 16v-3.6c-1.6 0-2.5-.7-2.5-1.9V4
                    c0-1.2.7-2 2-2z"/></g>
                <path fill="{INK}" d="M18.5 6.2h2v2h-2zM22 6.2h2v2h-2zM25.5 6.2h2v2h-2z"/>"#
        ),
    )
}

/// Where a one-way passage begins, over whatever else is there: an arrow that does not come back.
pub fn passage() -> Glyph {
    Glyph::new(
        "passage",
        format!(
            r#"<circle cx="8.5" cy="23.5" r="7" fill="{PAPER}" stroke="{MARK}" stroke-width="1.8"/>
                <path fill="{MARK}" d="M7.3 18.6h2.4v4.9h2.6l-3.8 4.7-3.8-4.7h2.6z"/>"#
        ),
    )
}

/// A side that cannot be crossed from the tile whose top left is at a point: `right` and `down` say which side it is.
pub fn draw_barrier((x, y): (f64, f64), (right, down): (f64, f64), page: &mut Page) {
    let (middle, half) = (TILE / 2.0, TILE / 2.0 - 1.0);
    let side = (x + middle + right * half, y + middle + down * half);
    let (across, along) = ((down.abs() * half, right.abs() * half), 5.0);
    let from = (side.0 - across.0, side.1 - across.1);
    let to = (side.0 + across.0, side.1 + across.1);
    page.line(from, to, Stroke::solid(PAPER, 5.0));
    page.line(from, to, Stroke::solid(MARK, 3.0));
    // Teeth on the side that holds back.
    for share in [-0.5, 0.0, 0.5] {
        let root = (side.0 + 2.0 * share * across.0 * 0.9, side.1 + 2.0 * share * across.1 * 0.9);
        page.line(root, (root.0 - right * along, root.1 - down * along), Stroke::solid(MARK, 2.0));
    }
}
