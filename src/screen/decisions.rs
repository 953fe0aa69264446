//! The decisions of an episode, a line each, with the value of the state after each and what it was.

use ratatui::text::{Line, Span};

use super::clean;
use super::episode::Episode;
use super::palette::Palette;
use crate::agent::ChosenBy;
use crate::prompt::place::place_name;
use crate::solver::worth::brief;

/// What the marks mean, for the help.
pub const MARKS: [(&str, &str); 7] = [
    ("X", "losing: the boss could be defeated before it, not after"),
    ("c", "critical: a losing action that is not lethal stood beside a saving one"),
    ("f", "forced: one action alone keeps the boss defeatable"),
    ("o", "the mechanical override replaced the agent's choice"),
    ("i", "the stand-in chose: no answer could be used"),
    ("u", "others were made in its place and taken back"),
    ("h", "state values had been shown to the player"),
];

/// The decisions, the one at `selected` reversed, and a last line for how it stands after them.
pub fn lines(episode: &Episode, selected: usize, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = (0..episode.end()).map(|at| line(episode, at, width, palette)).collect();
    let end = if episode.trace.footer.is_some() { "end" } else { "now" };
    lines.push(Line::from(Span::styled(
        clean::cut(&clean::line(&format!("{end}  {}", episode.ending())), width.into()),
        palette.heading(),
    )));
    if let Some(line) = lines.get_mut(selected) {
        let filled = usize::from(width).saturating_sub(line.width());
        line.spans.push(Span::raw(" ".repeat(filled)));
        for span in &mut line.spans {
            span.style = palette.selected();
        }
    }
    lines
}

/// What stands above the columns.
pub fn title(episode: &Episode) -> &'static str {
    if episode.worth.known().is_some() { "decisions: value after, lost, marks" } else { "decisions" }
}

fn line(episode: &Episode, at: usize, width: u16, palette: Palette) -> Line<'static> {
    let Some(decision) = episode.decision(at) else { return Line::default() };
    let mut spans = vec![Span::styled(format!("{:>3} ", decision.turn), palette.dim())];
    if let Some(value) = episode.value(at) {
        let after = brief(value.after());
        let style = match (value.after().is_lost(), value.loses_value()) {
            (true, _) => palette.bad(),
            (_, Some(true)) => palette.worse(),
            (_, Some(false)) => palette.plain(),
            (_, None) => palette.dim(),
        };
        spans.push(Span::styled(format!("{after:>5}"), style));
        let lost = match (value.value_lost(), value.loses_value()) {
            (Some(lost), _) if lost > 0 => format!("-{lost}"),
            (None, Some(true)) => "-?".to_owned(),
            (_, None) => "?".to_owned(),
            _ => String::new(),
        };
        spans.push(Span::styled(format!("{lost:>6} "), style));
    }
    let marks = marks(episode, at);
    let style = if marks.contains('X') { palette.bad() } else { palette.mark() };
    spans.push(Span::styled(format!("{marks:<4}"), style));
    let used: usize = spans.iter().map(Span::width).sum();
    let text = (decision.actions.get((decision.executed as usize).wrapping_sub(1)))
        .map(|action| format!("{} {}", action.text, place_name(episode.game.tower(), action.target)))
        .unwrap_or_default();
    spans.push(Span::raw(clean::cut(&clean::line(&text), usize::from(width).saturating_sub(used))));
    Line::from(spans)
}

/// The marks of a decision, in the order of [`MARKS`].
fn marks(episode: &Episode, at: usize) -> String {
    let Some(decision) = episode.decision(at) else { return String::new() };
    let value = episode.value(at);
    let holds = [
        ('X', value.is_some_and(|value| value.is_losing() == Some(true))),
        ('c', value.is_some_and(|value| value.is_critical() == Some(true))),
        ('f', value.is_some_and(|value| value.is_forced() == Some(true))),
        ('o', decision.by == ChosenBy::Override),
        ('i', decision.by == ChosenBy::OnInvalid),
        ('u', !decision.taken_back.is_empty()),
        ('h', decision.hints),
    ];
    holds.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect()
}
