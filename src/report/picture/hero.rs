//! The hero's glyph. Knows nothing of what he has.

use super::glyph::Glyph;
use super::palette::{BLUE, GOLD, INK, RED, STEEL, WOOD};

/// A knight with plume and sword, on ground of his own, so that the eye finds him first.
pub fn glyph() -> Glyph {
    Glyph::new(
        "hero",
        format!(
            r##"<path fill="#ffe9a8" d="M.5 .5h31v31H.5z"/>
            <g stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">
            <path fill="{STEEL}" d="M27.2 3l2.2 3.5V20H25V6.5z"/>
            <path fill="{GOLD}" d="M23 20h8.4v3H23z"/>
            <path fill="{WOOD}" d="M25.7 23h3v5.5h-3z"/>
            <path fill="{BLUE}" d="M2.5 31C2.5 23 6 19 12.5 19s10 4 10 12z"/>
            <path fill="{STEEL}" d="M4.5 20.5V13C4.5 7.5 8 4.7 12.5 4.7s8 2.8 8 8.3v7.5c-4.5 1.7-11.5 1.7-16 0z"/>
            <path fill="{RED}" d="M4.5 10C3.5 3.5 9 .8 13.5.8
                c4 0 6.5 1.7 7.8 4.4-3.3-.6-4.8.5-5.5 1.8-3.6-1.5-8-.5-11.3 3z"/>
            <path fill="{INK}" stroke="none" d="M8 11.5h12.5v3.7H8z"/>
            <path fill="none" stroke-width="1.2" d="M14.5 15.2v6.2"/>
            </g>"##
        ),
    )
}
