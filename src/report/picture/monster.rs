//! Glyphs of monsters: families by the words of their names, and the boss. Knows nothing of what they can do.

use super::glyph::Glyph;
use super::palette::{BLACK, BLUE, CLAY, DUSK, GOLD, GREEN, INK, PAPER, PURPLE, RED, SKY, YELLOW};
use crate::game::Monster;
use crate::report::svg::number;

/// The glyph of a monster, without the badge that tells it from others of its family.
pub fn glyph(monster: &Monster) -> Glyph {
    if monster.boss {
        return boss();
    }
    let words: Vec<String> = monster.name.split_whitespace().map(str::to_lowercase).collect();
    let has = |word: &str| words.iter().any(|known| known == word);
    let family = match () {
        () if has("slime") && (has("lord") || has("king")) => Family::SlimeLord,
        () if has("slime") => Family::Slime,
        () if has("bat") => Family::Bat,
        () => Family::Other,
    };
    let tint = TINTS.iter().find(|(word, _)| has(word));
    let (tint_name, fill) = tint.map_or(("plain", family.fill()), |(word, fill)| (word, fill));
    let (size_name, size) = if has("big") { ("-big", 1.0) } else { ("", 0.88) };
    Glyph::new(
        format!("{}{size_name}-{tint_name}", family.name()),
        // Smaller ones stand on the same ground, out of the badge's way.
        format!(
            r#"<g transform="translate(.5 {}) scale({size})">{}</g>"#,
            number(28.0 * (1.0 - size)),
            family.shape(fill)
        ),
    )
}

/// Words for colours in names.
const TINTS: [(&str, &str); 7] = [
    ("green", GREEN),
    ("red", RED),
    ("black", BLACK),
    ("blue", BLUE),
    ("yellow", YELLOW),
    ("purple", PURPLE),
    ("white", "#f2f2f2"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Slime,
    SlimeLord,
    Bat,
    Other,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Slime => "slime",
            Family::SlimeLord => "slime-lord",
            Family::Bat => "bat",
            Family::Other => "monster",
        }
    }

    /// Its colour if its name has none.
    fn fill(self) -> &'static str {
        match self {
            Family::Slime => SKY,
            Family::SlimeLord => PURPLE,
            Family::Bat => DUSK,
            Family::Other => CLAY,
        }
    }

    fn shape(self, fill: &str) -> String {
        match self {
            Family::Slime => slime(fill),
            Family::SlimeLord => slime(fill) + &crown(),
            Family::Bat => bat(fill),
            Family::Other => cyclops(fill),
        }
    }
}

/// A drop with eyes.
fn slime(fill: &str) -> String {
    format!(
        r#"<path fill="{fill}" stroke="{INK}" stroke-width="1.6"
            d="M14.5 5C22 5 28 13.5 28 22C28 27 25 28.5 21 28.5H8C4 28.5 1 27 1 22C1 13.5 7 5 14.5 5z"/>
        <path fill="none" stroke="{PAPER}" stroke-opacity=".75" stroke-width="2" stroke-linecap="round"
            d="M4.6 17.5C5.6 13.5 7.6 10.7 10.4 9.2"/>
        <g fill="{PAPER}" stroke="{INK}" stroke-width="1.2">
        <ellipse cx="9.8" cy="16.8" rx="3.3" ry="4.1"/>
        <ellipse cx="18.2" cy="16.8" rx="3.3" ry="4.1"/>
        </g>
        <circle cx="10.5" cy="17.6" r="1.8" fill="{INK}"/>
        <circle cx="17.5" cy="17.6" r="1.8" fill="{INK}"/>
        <path fill="none" stroke="{INK}" stroke-width="1.6" stroke-linecap="round" d="M10.3 23.8c2 1.5 5 1.5 7 0"/>"#
    )
}

fn crown() -> String {
    format!(
        r#"<path fill="{GOLD}" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"
            d="M7 10L5.3 1.8l4.7 3.4L14.5.6l4.5 4.6 4.7-3.4L22 10c-4 1.5-11 1.5-15 0z"/>"#
    )
}

/// Spread wings, ears, fangs.
fn bat(fill: &str) -> String {
    format!(
        r#"<path fill="{fill}" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"
                d="M11.5 11.5L10 4.5l4.5 4h3l4.5-4-1.5 7C24 6.5 28.5 6 31.2 9c-.7 4-.9 9.5-2.2 14
                c-1.5-2-3-2.8-4.8-2.3-.7 2-1.7 3.2-3.2 4.3-1-.7-1.6-1.2-2-1.8L16 29
                l-3-5.8c-.4.6-1 1.1-2 1.8-1.5-1.1-2.5-2.3-3.2-4.3
                C6 20.2 4.5 21 3 23 1.7 18.5 1.5 13 .8 9 3.5 6 8 6.5 11.5 11.5z"/>
            <path fill="none" stroke="{INK}" stroke-opacity=".5" stroke-width="1.2" d="M10.8 14
                C8.8 15.5 8 18 7.8 20.7M21.2 14c2 1.5 2.8 4 3 6.7"/>
            <g fill="{PAPER}" stroke="{INK}">
            <circle cx="13.3" cy="13.5" r="2.4"/>
            <circle cx="18.7" cy="13.5" r="2.4"/>
            </g>
            <circle cx="13.8" cy="13.8" r="1.2" fill="{INK}"/>
            <circle cx="18.2" cy="13.8" r="1.2" fill="{INK}"/>
            <path fill="{PAPER}" stroke="{INK}" stroke-width=".8" stroke-linejoin="round" d="M13 18h6l-1 3.2
                L17 18.2h-2L14 21.2z"/>"#
    )
}

/// Any other: one eye, and a ragged hem.
fn cyclops(fill: &str) -> String {
    format!(
        r#"<path fill="{fill}" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round" d="M4 29.5V14
                C4 7 9 2.5 16 2.5S28 7 28 14v15.5l-4-4-4 4-4-4-4 4-4-4z"/>
            <ellipse cx="16" cy="13.5" rx="7.5" ry="6" fill="{PAPER}" stroke="{INK}" stroke-width="1.4"/>
            <circle cx="16" cy="14" r="3" fill="{INK}"/>
            <path fill="none" stroke="{INK}" stroke-width="1.6" stroke-linecap="round" d="M11.5 22.5h9"/>"#
    )
}

/// Horned, light on a dark ground: the only tile of its kind.
fn boss() -> Glyph {
    Glyph::new(
        "boss",
        format!(
            r#"<path fill="{INK}" stroke="{RED}" stroke-width="2" stroke-linejoin="round" d="M1.5 1.5h29v29h-29z"/>
                <g fill="{PAPER}" stroke="{INK}" stroke-linejoin="round">
                <path d="M10 13C5.5 12 3.2 8.5 4 3.5c2.5 3 5.5 4.3 9.5 4.8zM22 13
                    c4.5-1 6.8-4.5 6-9.5-2.5 3-5.5 4.3-9.5 4.8z"/>
                </g>
                <path fill="{RED}" d="M16 7.5c5.5 0 9 3.5 9 9 0 4-1.5 6-3 8.5-1.2 2-3 3.5-6 3.5s-4.8-1.5-6-3.5
                    c-1.5-2.5-3-4.5-3-8.5 0-5.5 3.5-9 9-9z"/>
                <path fill="{YELLOW}" d="M8.8 14l6 3.2c-1 2.3-4.8 2-6-3.2zM23.2 14l-6 3.2c1 2.3 4.8 2 6-3.2z"/>
                <path fill="{INK}" d="M10.5 22.5h11c-1 3-3 4-5.5 4s-4.5-1-5.5-4z"/>
                <path fill="{PAPER}" d="M11.8 22.5h2.4L13 25zM17.8 22.5h2.4L19 25z"/>"#
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Abilities;

    fn name(of: &str, boss: bool) -> String {
        let (symbol, name) = ("1".to_owned(), of.to_owned());
        let abilities = Abilities::none();
        glyph(&Monster { symbol, name, hp: 1, atk: 1, def: 1, gold: 0, experience: 0, abilities, boss }).name
    }

    #[test]
    fn whole_words_of_a_name_choose_the_glyph() {
        let names =
            ["Green Slime", "Slime Lord", "BIG red slime king", "Bat", "Big Bat", "Battle Mage", "Slimebat", "蝙蝠"];
        insta::assert_snapshot!(names.map(|of| name(of, false)).join(" "), @"slime-green slime-lord-plain slime-lord-big-red bat-plain bat-big-plain monster-plain monster-plain monster-plain");
        assert_eq!(name("Slime Lord", true), "boss");
    }
}
