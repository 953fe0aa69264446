//! Cuts out of a source what a message shows of it: a mistake's line with its neighbours, never more than a
//! terminal can bear. Knows nothing of what is wrong there.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Characters shown of a line on either side of the mistake.
const REACH: usize = 70;

/// A place of a source, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Line, from 0.
    pub line: usize,
    /// Characters before it on its line.
    pub column: usize,
    /// Bytes before it.
    pub offset: usize,
    line_start: usize,
}

impl Place {
    /// The place of a byte; one inside a character or beyond the end is moved back to where a character begins.
    pub fn of(source: &str, offset: usize) -> Self {
        let offset = character_start(source, offset);
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: before.bytes().filter(|byte| *byte == b'\n').count(),
            column: before[line_start..].chars().filter(|c| *c != '\u{feff}').count(),
            offset,
            line_start,
        }
    }

    /// The bytes of its line, the line end included.
    pub fn line_span(&self, source: &str) -> Range<usize> {
        let end = source[self.offset..].find('\n').map_or(source.len(), |length| self.offset + length + 1);
        self.line_start..end
    }
}

/// Where the character begins that holds the byte, or the end of the source if it has no such byte.
fn character_start(source: &str, offset: usize) -> usize {
    let offset = offset.min(source.len());
    (0..=offset).rev().find(|start| source.is_char_boundary(*start)).unwrap_or(0)
}

/// Pieces of one source, one a mistake, laid end to end so that each has its own range of offsets.
#[derive(Clone, Debug)]
pub(super) struct Excerpts {
    file: String,
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    /// Where its text lies in `Excerpts::text`.
    range: Range<usize>,
    /// The marked part, in the same offsets.
    mark: Range<usize>,
    /// Where the mark begins in the source.
    place: Place,
    /// Whether the line before is shown, too.
    with_line_before: bool,
}

impl Excerpts {
    /// Cuts out the surroundings of each span.
    pub fn cut(file: &str, source: &str, spans: impl Iterator<Item = Range<usize>>) -> Self {
        let mut excerpts = Excerpts { file: file.to_owned(), text: String::new(), pieces: Vec::new() };
        for span in spans {
            let piece = excerpts.append(source, span);
            excerpts.pieces.push(piece);
        }
        excerpts
    }

    /// The marked part of each piece, in order.
    pub fn marks(&self) -> impl Iterator<Item = SourceSpan> + '_ {
        self.pieces.iter().map(|piece| SourceSpan::from(piece.mark.clone()))
    }

    fn append(&mut self, source: &str, span: Range<usize>) -> Piece {
        let place = Place::of(source, span.start);
        let line = place.line_span(source);
        let before = source[..line.start].strip_suffix('\n').map(|rest| &rest[rest.rfind('\n').map_or(0, |n| n + 1)..]);
        let after = source[line.end..].split('\n').next().filter(|_| line.end < source.len());
        let marked_end = character_start(source, span.end).clamp(place.offset, line.end);

        let start = self.text.len();
        if let Some(before) = before {
            self.push_head(before);
        }
        self.push_tail(&source[line.start..place.offset]);
        let mark_start = self.text.len();
        self.push_shown(source[place.offset..marked_end].chars().take(REACH));
        let mark = mark_start..self.text.len();
        self.push_head(&source[marked_end..line.end]);
        if let Some(after) = after {
            self.push_head(after);
        }
        let range = start..self.text.len();
        self.text.push('\n');
        Piece { range, mark, place, with_line_before: before.is_some() }
    }

    /// Appends the beginning of a line and a line end.
    fn push_head(&mut self, line: &str) {
        let line = line.trim_end_matches(['\r', '\n']);
        self.push_shown(line.chars().take(REACH));
        if line.chars().nth(REACH).is_some() {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// Appends the end of the part of a line before the mark.
    fn push_tail(&mut self, line: &str) {
        let kept = line.char_indices().rev().take(REACH).last().map_or(0, |(index, _)| index);
        if kept > 0 {
            self.text.push('…');
        }
        self.push_shown(line[kept..].chars());
    }

    /// Appends characters, those left out that would steer the terminal.
    fn push_shown(&mut self, characters: impl Iterator<Item = char>) {
        self.text.extend(characters.filter_map(|c| match c {
            '\n' | '\r' | '\u{feff}' => None,
            '\t' => Some(c),
            _ if c.is_control() => Some('\u{fffd}'),
            _ => Some(c),
        }));
    }
}

impl SourceCode for Excerpts {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let wanted = span.offset()..span.offset() + span.len();
        let piece = self
            .pieces
            .iter()
            .find(|piece| piece.range.start <= wanted.start && wanted.end <= piece.range.end)
            .ok_or(MietteError::OutOfBounds)?;
        // Without neighbours, miette asks for the place of the mark, to print it above the excerpt.
        let (range, line, column) = match lines_before {
            0 => (piece.mark.clone(), piece.place.line, piece.place.column),
            _ => (piece.range.clone(), piece.place.line - usize::from(piece.with_line_before), 0),
        };
        let data = &self.text.as_bytes()[range.clone()];
        let span = SourceSpan::from(range);
        let lines = data.iter().filter(|byte| **byte == b'\n').count();
        Ok(Box::new(MietteSpanContents::new_named(self.file.clone(), data, span, line, column, lines)))
    }
}
