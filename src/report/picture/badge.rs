//! Small labels on tiles: a monster's symbol, the number of a mark, the letter of a way between
//! floors. Knows nothing of monsters, marks and ways.

use super::glyph::{Glyph, TILE};
use super::palette::{INK, MARK, PAPER};
use crate::report::svg::{Anchor, Font, Page, escape, number};
use crate::report::text;

/// Height of a badge.
pub const HEIGHT: f64 = 13.0;

const SYMBOL: Font = Font { size: 11.0, bold: true, fill: INK, halo: false };
const NUMBER: Font = Font { size: 10.5, bold: true, fill: PAPER, halo: false };

/// Width of the badge of a symbol.
pub fn symbol_width(symbol: &str) -> f64 {
    (text::width(symbol, SYMBOL) + 4.0).clamp(HEIGHT, TILE)
}

/// A monster's symbol at the bottom right of its tile.
pub fn symbol(symbol: &str) -> Glyph {
    let shown = text::cut(symbol, SYMBOL, TILE - 4.0);
    let (wide, right) = (symbol_width(&shown), TILE - 0.5);
    let [x, y, middle, baseline] =
        [right - wide + 0.5, right - HEIGHT + 0.5, right - wide / 2.0, right - 2.5].map(number);
    let [wide, high, size] = [wide - 1.0, HEIGHT - 1.0, SYMBOL.size].map(number);
    let shape = format!(
        r#"<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="3" fill="{PAPER}" stroke="{INK}"/>
                <text x="{middle}" y="{baseline}" font-size="{size}"
                    font-weight="700" fill="{INK}" text-anchor="middle">{}</text>"#,
        escape(&shown)
    );
    Glyph::new(format!("badge-{}", name(symbol)), shape)
}

/// Width of the badge of a way's letter.
pub fn letter_width(label: &str) -> f64 {
    (text::width(label, NUMBER) + 5.0).clamp(HEIGHT + 1.0, TILE)
}

/// The letter of a way between floors at the bottom right of its tile: light on dark, with round ends.
pub fn letter(label: &str) -> Glyph {
    let shown = text::cut(label, NUMBER, TILE - 5.0);
    let (wide, right) = (letter_width(&shown), TILE - 0.5);
    let [x, y, middle, baseline] = [right - wide, right - HEIGHT, right - wide / 2.0, right - 2.7].map(number);
    let [wide, high, size, radius] = [wide, HEIGHT, NUMBER.size, HEIGHT / 2.0].map(number);
    let shape = format!(
        r#"<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="{radius}" fill="{INK}" stroke="{PAPER}"/>
                <text x="{middle}" y="{baseline}" font-size="{size}"
                    font-weight="700" fill="{PAPER}" text-anchor="middle">{}</text>"#,
        escape(&shown)
    );
    Glyph::new(format!("badge-way-{}", name(label)), shape)
}

/// A mark's number, dark, with its left, right or middle and its top at a point.
pub fn draw_number(text: &str, (x, y): (f64, f64), anchor: Anchor, page: &mut Page) {
    let wide = (text::width(text, NUMBER) + 3.0).max(HEIGHT);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - wide / 2.0,
        Anchor::End => x - wide,
    };
    page.pill((left - 1.0, y - 1.0), (wide + 2.0, HEIGHT + 2.0), PAPER);
    page.pill((left, y), (wide, HEIGHT), MARK);
    page.text((left + wide / 2.0, y + HEIGHT - 2.7), Anchor::Middle, NUMBER, text);
}

/// Letters and digits of a symbol, everything else by its number, so that no two symbols give one name.
fn name(symbol: &str) -> String {
    symbol
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("_{:x}_", u32::from(c)) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_symbols_share_a_name() {
        let names = ["1", "11", "B", "b", "_31_", "魔", "<", "&"].map(|text| symbol(text).name);
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')), "{name}");
        }
    }
}
