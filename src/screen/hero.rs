//! What the hero has, before and after a decision.

use ratatui::text::{Line, Span};

use super::clean;
use super::palette::Palette;
use crate::game::{Colour, Hero};

/// The quantities, those that change with both numbers, in lines of at most `width` columns.
pub fn lines(before: &Hero, after: &Hero, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut spans, mut used) = (Vec::new(), 0);
    for (name, was, is) in quantities(before, after) {
        let change = if was == is { is.to_string() } else { format!("{was}→{is}") };
        let columns = clean::width(&name) + 1 + clean::width(&change);
        if used > 0 && used + 2 + columns > usize::from(width) {
            lines.push(Line::from(std::mem::take(&mut spans)));
            used = 0;
        }
        if used > 0 {
            spans.push(Span::raw("  "));
            used += 2;
        }
        let style = match is.cmp(&was) {
            std::cmp::Ordering::Equal => palette.plain(),
            std::cmp::Ordering::Less => palette.worse().patch(palette.heading()),
            std::cmp::Ordering::Greater => palette.good().patch(palette.heading()),
        };
        spans.extend([Span::styled(format!("{name} "), palette.dim()), Span::styled(change, style)]);
        used += columns;
    }
    lines.push(Line::from(spans));
    lines
}

/// Names, and numbers before and after, of what there is to tell.
fn quantities(before: &Hero, after: &Hero) -> Vec<(String, i64, i64)> {
    let mut all: Vec<(String, i64, i64)> = vec![
        ("HP".into(), before.hp, after.hp),
        ("ATK".into(), before.atk, after.atk),
        ("DEF".into(), before.def, after.def),
        ("MDEF".into(), before.mdef, after.mdef),
    ];
    let keys = |colour: Colour| (format!("{colour} keys"), before.keys[colour], after.keys[colour]);
    let more = [("gold".into(), before.gold, after.gold), ("exp.".into(), before.experience, after.experience)];
    let more = Colour::ALL.into_iter().map(keys).chain(more);
    all.extend(more.filter(|(name, was, is)| *was != 0 || *is != 0 || name == "yellow keys"));
    all
}
