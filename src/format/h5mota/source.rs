//! A file of a project as text: packed by gzip or not, with a byte order mark or not, and within limits. Knows nothing of
//! what is in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::literal::{self, Mistake};
use crate::format::problem::{Problem, Problems};
use crate::format::{ReadError, SIZE_LIMIT};

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, as messages show it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it assigns.
    pub read: literal::Read,
}

impl Source {
    /// A mistake in this file, at a line.
    pub fn problem(&self, line: u32, message: impl Into<String>) -> ReadError {
        let mut problems = Problems::new(self.name.as_str(), self.text.as_str());
        problems.push(Problem::at(line_span(&self.text, line), message));
        wrong(problems)
    }
}

/// Reads a file and the value that it assigns.
///
/// # Errors
/// That it cannot be read, or the first mistake in it.
pub fn source(path: &Path) -> Result<Source, ReadError> {
    let text = text(path)?;
    let name = path.display().to_string();
    match literal::read(&text) {
        Ok(read) => Ok(Source { name, text, read }),
        Err(Mistake { span, message }) => {
            let mut problems = Problems::new(name, text);
            problems.push(Problem::at(span, message));
            Err(wrong(problems))
        }
    }
}

fn wrong(problems: Problems) -> ReadError {
    match problems.into_result::<()>(None) {
        Err(problems) => ReadError::Content(problems),
        Ok(()) => ReadError::Content(Problems::new("", "")),
    }
}

/// The bytes of a line, from 1, without blanks at its ends.
fn line_span(text: &str, line: u32) -> std::ops::Range<usize> {
    let Some(found) = usize::try_from(line).ok().and_then(|line| text.lines().nth(line.saturating_sub(1))) else {
        return 0..0;
    };
    let inner = found.trim();
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    start..start + inner.len()
}

/// The text of a file.
fn text(path: &Path) -> Result<String, ReadError> {
    let system = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ReadError::Missing(path.to_owned()),
        _ => ReadError::System { path: path.to_owned(), source },
    };
    let file = File::open(path).map_err(system)?;
    if file.metadata().map_err(system)?.is_dir() {
        return Err(ReadError::Folder(path.to_owned()));
    }
    let mut bytes = limited(file, path)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bytes = limited(MultiGzDecoder::new(bytes.as_slice()), path)?;
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count();
        ReadError::NotText { path: path.to_owned(), line, offset }
    })?;
    Ok(text)
}

fn limited(from: impl Read, path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let system = |source: io::Error| ReadError::System { path: path.to_owned(), source };
    from.take(SIZE_LIMIT + 1).read_to_end(&mut bytes).map_err(system)?;
    match bytes.len() as u64 > SIZE_LIMIT {
        true => Err(ReadError::TooLarge { path: path.to_owned(), limit: SIZE_LIMIT }),
        false => Ok(bytes),
    }
}
