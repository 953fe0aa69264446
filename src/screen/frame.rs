//! What stands around the panes: what is shown above them, the keys below. Knows nothing of what the keys do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::clean;
use super::episode::Episode;
use super::palette::Palette;
use super::worth::Worth;
use crate::solver;

/// Rows above the panes.
pub const HEAD: u16 = 2;

/// The area between head and foot.
pub fn body(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD + 1), ..area }
}

/// Draws what is shown, in two lines.
pub fn head(area: Rect, what: &str, status: &str, buffer: &mut Buffer, palette: Palette) {
    let width = usize::from(area.width);
    for (y, (text, style)) in (area.y..area.bottom()).zip([(what, palette.heading()), (status, palette.plain())]) {
        buffer.set_string(area.x, y, clean::cut(&clean::line(text), width), style);
    }
}

/// Draws the keys in the last line, the first ones first, as many as fit; the last two always.
pub fn foot(area: Rect, keys: &[(&str, &str)], buffer: &mut Buffer, palette: Palette) {
    if area.height == 0 {
        return;
    }
    let columns = |(key, does): &(&str, &str)| clean::width(key) + 1 + clean::width(does) + 2;
    let (others, always) = keys.split_at(keys.len().saturating_sub(2));
    let mut room = usize::from(area.width).saturating_sub(always.iter().map(columns).sum());
    let mut fits = |key: &&(&str, &str)| {
        let fits = columns(key) <= room;
        room = room.saturating_sub(columns(key));
        fits
    };
    let shown = others.iter().take_while(|key| fits(key)).chain(always);
    let spans =
        shown.flat_map(|(key, does)| [Span::styled((*key).to_owned(), palette.key()), Span::raw(format!(" {does}  "))]);
    buffer.set_line(area.x, area.bottom() - 1, &Line::from(spans.collect::<Vec<_>>()), area.width);
}

/// `68 HP`, `lost`, `between 12 and 340 HP`, `not known`.
pub fn in_hp(worth: solver::Worth) -> String {
    if worth.is_lost() || worth.is_unknown() { worth.to_string() } else { format!("{worth} HP") }
}

/// What is known of the values, in a line.
pub fn status(episode: &Episode, at: usize) -> String {
    match &episode.worth {
        Worth::Hidden => "v shows the state values".into(),
        Worth::Solving => "solving: the state values are shown as soon as they are known".into(),
        Worth::Unknown(why) => format!("the state values are not known: {why}"),
        Worth::Known(judged) => {
            let value = in_hp;
            let now = episode.value_before(at).map(|now| format!("value here {}", value(now))).unwrap_or_default();
            let which = episode.losing().map(|at| format!(", losing decision {}", at + 1));
            let between = || Some(format!(", losing decision not known: {}", episode.losing_between()?.in_words()));
            let losing = which.or_else(between).unwrap_or_default();
            format!("{now}, optimum {}{losing}", value(judged.analysis.optimum))
        }
    }
}
