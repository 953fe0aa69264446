//! A frame with lines in it, of which a part is seen; what is not seen is counted in the frame. Knows nothing of what the
//! lines say.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::clean;
use super::palette::Palette;

/// Lines in a frame.
pub struct Pane<'a> {
    /// Its heading.
    pub title: String,
    /// What stands in it, each line no wider than [`inner`] allows.
    pub lines: &'a [Line<'static>],
    /// The first line to be seen; as far down as there are lines at most.
    pub from: usize,
    /// Whether the keys go to it.
    pub focused: bool,
}

/// What a pane's frame leaves of an area.
pub fn inner(area: Rect) -> Rect {
    let (width, height) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
    Rect { x: area.x + area.width.min(1), y: area.y + area.height.min(1), width, height }
}

impl Pane<'_> {
    /// The first line to be seen so that no more is left empty than must be.
    pub fn first(&self, area: Rect) -> usize {
        self.from.min(self.lines.len().saturating_sub(usize::from(inner(area).height)))
    }

    /// Draws it over whatever stands there.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, palette: Palette) {
        Clear.render(area, buffer);
        let within = inner(area);
        let (first, shown) = (self.first(area), usize::from(within.height));
        let below = self.lines.len().saturating_sub(first + shown);
        let style = if self.focused { palette.focus() } else { palette.dim() };
        let room = usize::from(area.width).saturating_sub(4);
        let place = place(first, below);
        let title = clean::cut(&self.title, room.saturating_sub(clean::width(&place)));
        let mut block = Block::bordered()
            .border_type(if self.focused { BorderType::Thick } else { BorderType::Plain })
            .border_style(style)
            .title(Line::from(Span::styled(
                format!(" {title} "),
                if self.focused { style } else { palette.heading() },
            )));
        if !place.is_empty() {
            block = block.title(Line::from(Span::styled(place, palette.plain())).right_aligned());
        }
        block.render(area, buffer);
        for (line, y) in self.lines.iter().skip(first).zip(within.y..within.bottom()) {
            buffer.set_line(within.x, y, line, within.width);
        }
    }
}

/// How many lines are not seen above and below; nothing if all are.
fn place(above: usize, below: usize) -> String {
    match (above, below) {
        (0, 0) => String::new(),
        (above, 0) => format!(" ↑{above} "),
        (0, below) => format!(" ↓{below} "),
        (above, below) => format!(" ↑{above} ↓{below} "),
    }
}

/// Text in one style, made fit for the terminal.
pub fn span(text: impl AsRef<str>, style: Style) -> Span<'static> {
    Span::styled(clean::line(text.as_ref()), style)
}

/// A text in lines of at most `width` columns, behind a head that stands before the first one only.
pub fn hanging(head: Vec<Span<'static>>, text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    let indent: usize = head.iter().map(|span| clean::width(&span.content)).sum();
    let parts = clean::wrap(&clean::line(text), usize::from(width).saturating_sub(indent));
    let mut head = Some(head);
    (parts.into_iter())
        .map(|part| {
            let mut spans = head.take().unwrap_or_else(|| vec![Span::raw(" ".repeat(indent))]);
            spans.push(Span::styled(part, style));
            Line::from(spans)
        })
        .collect()
}
