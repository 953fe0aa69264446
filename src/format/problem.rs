//! What is wrong with a file that somebody wrote: every mistake with its place, told all at once. Knows nothing of
//! what the file describes.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use miette::{Diagnostic, LabeledSpan, SourceCode};

use super::excerpt::{Excerpts, Place};

/// Mistakes beyond this number are counted, not kept: a file that is wrong throughout needs no longer list.
const KEPT: usize = 100;
/// Mistakes beyond this number are counted, not printed.
const PRINTED: usize = 40;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was found and what was expected, in one line without a full stop.
    pub message: String,
    /// The bytes of the source that it is about; `None` if it is about the file as a whole.
    pub span: Option<Range<usize>>,
    /// What to do about it, in one line without a full stop.
    pub help: Option<String>,
}

impl Problem {
    /// A mistake at a place of the source, in bytes.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Problem { message: message.into(), span: Some(span), help: None }
    }

    /// A mistake of the file as a whole.
    pub fn of_file(message: impl Into<String>) -> Self {
        Problem { message: message.into(), span: None, help: None }
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with the nearest of the valid names as advice, if one is near enough to be meant.
    pub fn with_nearest<'n>(self, found: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        match nearest(found, names) {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// The mistakes of one file.
///
/// Printed plainly it is one line a mistake, `file:line:column: message`; printed by `miette`, those lines and
/// below them the places in the source.
#[derive(Clone, Debug)]
pub struct Problems {
    /// The file's name as people typed it.
    pub file: String,
    /// The text of the file.
    pub source: Arc<str>,
    /// The mistakes; in order of their places once the reading is over. At most 100 are kept.
    pub problems: Vec<Problem>,
    unlisted: usize,
    damaged: Vec<Range<usize>>,
    excerpts: OnceLock<Box<Excerpts>>,
}

impl Problems {
    /// No mistakes yet, in a file of this name and text.
    pub fn new(file: impl Into<String>, source: impl Into<Arc<str>>) -> Self {
        Problems {
            file: file.into(),
            source: source.into(),
            problems: Vec::new(),
            unlisted: 0,
            damaged: Vec::new(),
            excerpts: OnceLock::new(),
        }
    }

    /// Adds a mistake. One on a line whose syntax is broken is left out: it only says what follows from that.
    pub fn push(&mut self, problem: Problem) {
        let consequence =
            |span: &Range<usize>| self.damaged.iter().any(|line| line.start <= span.start && span.start < line.end);
        if problem.span.as_ref().is_some_and(consequence) {
            return;
        }
        self.excerpts = OnceLock::new();
        if self.problems.len() < KEPT {
            self.problems.push(problem);
        } else {
            self.unlisted += 1;
        }
    }

    /// Adds a mistake in the syntax and marks its line as damaged.
    pub(super) fn push_syntax(&mut self, problem: Problem) {
        if self.damaged.len() == KEPT {
            self.push_unlisted();
            return;
        }
        let line = problem.span.as_ref().map(|span| Place::of(&self.source, span.start).line_span(&self.source));
        self.push(problem);
        self.damaged.push(line.unwrap_or(0..0));
    }

    /// Whether further mistakes are only counted, so that nothing need be said of them.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= KEPT
    }

    /// Counts a mistake beyond those that are kept.
    pub(super) fn push_unlisted(&mut self) {
        self.unlisted += 1;
    }

    /// Whether the syntax is broken somewhere, so that what seems missing may only have been lost.
    pub(super) fn is_damaged(&self) -> bool {
        !self.damaged.is_empty()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// How many there are, kept or not.
    pub fn len(&self) -> usize {
        self.problems.len() + self.unlisted
    }

    /// What was read, if nothing was wrong with it.
    ///
    /// # Errors
    /// The mistakes, in order of their places; also if there is no value, which then is one more.
    pub fn into_result<T>(mut self, value: Option<T>) -> Result<T, Problems> {
        if let (Some(value), true) = (value, self.is_empty()) {
            return Ok(value);
        }
        if self.is_empty() {
            self.push(Problem::of_file("this file cannot be read"));
        }
        self.problems.sort_by_key(|problem| problem.span.as_ref().map_or(0, |span| span.start));
        self.excerpts = OnceLock::new();
        Err(self)
    }

    /// Line and column of a mistake, each from 1, the column in characters; `None` if it is about the whole file.
    pub fn line_column(&self, problem: &Problem) -> Option<(usize, usize)> {
        let place = Place::of(&self.source, problem.span.as_ref()?.start);
        Some((place.line + 1, place.column + 1))
    }

    fn printed(&self) -> &[Problem] {
        &self.problems[..self.problems.len().min(PRINTED)]
    }

    fn excerpts(&self) -> &Excerpts {
        self.excerpts.get_or_init(|| {
            let spans = self.printed().iter().filter_map(|problem| problem.span.clone());
            Box::new(Excerpts::cut(&self.file, &self.source, spans))
        })
    }
}

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.printed().iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            match self.line_column(problem) {
                Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, problem.message)?,
                None => write!(f, "{}: {}", self.file, problem.message)?,
            }
            if let Some(help) = &problem.help {
                write!(f, " ({help})")?;
            }
        }
        match self.len() - self.printed().len() {
            0 => Ok(()),
            more => write!(f, "\n{}: and {more} more", self.file),
        }
    }
}

impl Diagnostic for Problems {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.excerpts())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let placed = self.printed().iter().filter(|problem| problem.span.is_some());
        let labels = self.excerpts().marks().zip(placed);
        Some(Box::new(labels.map(|(mark, problem)| LabeledSpan::new_with_span(problem.help.clone(), mark))))
    }
}

/// The valid name that is likely meant by `found`, if any is near.
pub fn nearest<'n>(found: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = found.chars().count();
    if length > 60 {
        return None;
    }
    let found = found.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&found, &name.to_lowercase());
    names
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(distance, name)| *distance <= (length.max(name.chars().count()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A piece of someone's text as a message shows it: in back quotes, without control characters, not too long.
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use miette::{GraphicalReportHandler, GraphicalTheme};

    use super::*;

    fn rendered(problems: &Problems) -> String {
        let mut text = String::new();
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
            .with_width(100)
            .render_report(&mut text, problems)
            .unwrap();
        text
    }

    #[test]
    fn all_mistakes_are_printed_with_their_places() {
        let source = "seed = 7\nflors = [\"塔.toml\"]\n[limits]\n  turns = \"many\"\n";
        let mut problems = Problems::new("run.toml", source);
        let many = source.find("\"many\"").unwrap();
        problems.push(Problem::at(many..many + 6, "expected a whole number, found the string \"many\""));
        problems.push(Problem::at(9..14, "unknown key `flors`").with_nearest("flors", ["floors", "seed"]));
        problems.push(Problem::of_file("there is no agent"));
        let problems = problems.into_result(Some(())).unwrap_err();
        assert_snapshot!(problems, @r#"
        run.toml: there is no agent
        run.toml:2:1: unknown key `flors` (did you mean `floors`?)
        run.toml:4:11: expected a whole number, found the string "many"
        "#);
        assert_snapshot!(rendered(&problems), @r#"
         × run.toml: there is no agent
         │ run.toml:2:1: unknown key `flors` (did you mean `floors`?)
         │ run.toml:4:11: expected a whole number, found the string "many"
          ╭─[run.toml:2:1]
        1 │ seed = 7
        2 │ flors = ["塔.toml"]
          · ──┬──
          ·   ╰── did you mean `floors`?
        3 │ [limits]
          ╰────
          ╭─[run.toml:4:11]
        3 │ [limits]
        4 │   turns = "many"
          ·           ──────
          ╰────
        "#);
    }

    #[test]
    fn a_line_of_ten_megabytes_is_not_printed_whole() {
        let source = format!("key = \"{}\u{1b}[31m塔塔\" wrong {}", "x".repeat(5 << 20), "y".repeat(5 << 20));
        let at = source.find("wrong").unwrap();
        let mut problems = Problems::new("long.toml", source);
        problems.push(Problem::at(at..at + 5, "expected a new line"));
        let text = rendered(&problems);
        assert!(text.contains("long.toml:1:5242897") && text.contains("塔塔\" wrong yyy"), "{text}");
        assert!(text.len() < 2000 && !text.contains('\u{1b}'));
    }

    #[test]
    fn only_the_first_of_many_mistakes_are_printed() {
        let mut problems = Problems::new("f", "x".repeat(500));
        for at in 0..500 {
            problems.push(Problem::at(at..at + 1, "unknown symbol"));
        }
        assert_eq!(problems.len(), 500);
        let text = problems.to_string();
        assert_eq!(text.lines().count(), PRINTED + 1);
        assert!(text.ends_with("f: and 460 more"));
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("flors", ["floor", "floors", "seed"]), Some("floors"));
        assert_eq!(nearest("magic atack", ["magic attack", "mimic"]), Some("magic attack"));
        assert_eq!(nearest("HP", ["hp", "atk"]), Some("hp"));
        assert_eq!(nearest("colour", ["seed", "floors"]), None);
        assert_eq!(nearest("x", ["hp", "atk"]), None);
    }
}
