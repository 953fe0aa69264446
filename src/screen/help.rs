//! The keys and the marks, over everything else.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::decisions::MARKS;
use super::palette::Palette;
use super::pane::{Pane, hanging, inner};

/// Draws the help, from line `from` on.
pub fn draw(area: Rect, keys: &[(&str, &str)], from: usize, buffer: &mut Buffer, palette: Palette) {
    let width = area.width.min(86);
    let within = inner(Rect { width, ..area });
    let lines = lines(keys, within.width, palette);
    let height = area.height.min(lines.len() as u16 + 2);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let title = "help: ? closes it, ↑ ↓ scroll".to_owned();
    Pane { title, lines: &lines, from, focused: true }.draw(Rect { x, y, width, height }, buffer, palette);
}

/// Where the help stands after a key, if it stood at line `from`; none once the key has closed it.
pub fn scrolled(from: usize, key: KeyEvent) -> Option<usize> {
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => Some(from + 1),
        KeyCode::Up | KeyCode::Char('k') => Some(from.saturating_sub(1)),
        KeyCode::PageDown | KeyCode::Char(' ') => Some(from + 10),
        KeyCode::PageUp => Some(from.saturating_sub(10)),
        _ => None,
    }
}

fn lines(keys: &[(&str, &str)], width: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from(Span::styled("Keys", palette.heading()))];
    for (key, does) in keys {
        lines.extend(hanging(vec![Span::styled(format!("  {key:<18}"), palette.key())], does, palette.plain(), width));
    }
    lines.push(Line::default());
    lines.push(Line::from(Span::styled("Marks of decisions", palette.heading())));
    for (mark, means) in MARKS {
        lines.extend(hanging(
            vec![Span::styled(format!("  {mark:<18}"), palette.mark())],
            means,
            palette.plain(),
            width,
        ));
    }
    lines.push(Line::default());
    lines.push(Line::from(Span::styled("Actions and the map", palette.heading())));
    for (mark, means) in [
        (">  [x]", "the executed action, or the one that the cursor is on"),
        ("*  (x)", "what was chosen, where something else was executed"),
        ("=68", "the best value: final HP under best play after it"),
        ("lost", "the boss can no longer be defeated after it"),
        ("…  ↑3 ↓12", "something is cut; so many lines stand above and below"),
    ] {
        lines.extend(hanging(
            vec![Span::styled(format!("  {mark:<18}"), palette.mark())],
            means,
            palette.plain(),
            width,
        ));
    }
    lines
}
