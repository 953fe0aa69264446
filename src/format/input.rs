//! Reading the text of a file that somebody names, with a limit on its size. Knows nothing of what is in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::problem::Problems;

/// Bytes that a floor or a configuration may have.
pub const SIZE_LIMIT: u64 = 16 << 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReadError {
    /// Nothing has this name.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// A folder has this name.
    #[error("{} is a folder; a file is needed", .0.display())]
    Folder(PathBuf),
    /// It is too large to be what it should be.
    #[error("{} has more than {} MiB; a file of this kind is never so large", path.display(), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Bytes that it may have.
        limit: u64,
    },
    /// It is not text.
    #[error("{}:{line}: byte {offset} is not UTF-8; a text file in UTF-8 is needed", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line of the first byte that is wrong, from 1.
        line: usize,
        /// How many bytes stand before it.
        offset: usize,
    },
    /// The system refuses.
    #[error("{} cannot be read", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It was read, and its content is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Content(#[from] Problems),
}

/// The text of a file of at most `limit` bytes. A file that is larger is refused before its content is read.
///
/// # Errors
/// `Missing`, `Folder`, `TooLarge`, `NotText` or `System`.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let system = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ReadError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => ReadError::Folder(path.to_owned()),
        _ => ReadError::System { path: path.to_owned(), source },
    };
    let too_large = || ReadError::TooLarge { path: path.to_owned(), limit };
    let file = File::open(path).map_err(system)?;
    let metadata = file.metadata().map_err(system)?;
    if metadata.is_dir() {
        return Err(ReadError::Folder(path.to_owned()));
    }
    if metadata.len() > limit {
        return Err(too_large());
    }
    // A pipe or a device has no length of its own: the limit holds while reading, too.
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(system)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
        ReadError::NotText { path: path.to_owned(), line, offset }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn refusal(path: &Path, limit: u64) -> String {
        let folder = path.parent().unwrap().display().to_string();
        read_text(path, limit).unwrap_err().to_string().replace(&folder, "DIR")
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("floor.toml");
        insta::assert_snapshot!(refusal(&file, SIZE_LIMIT), @"there is no file DIR/floor.toml");
        fs::write(&file, b"name = \"a\"\r\ntitle = \"\xe5\xa1\xff\"").unwrap();
        insta::assert_snapshot!(refusal(&file, SIZE_LIMIT), @"DIR/floor.toml:2: byte 21 is not UTF-8; a text file in UTF-8 is needed");
        File::options().write(true).open(&file).unwrap().set_len(300 << 20).unwrap();
        insta::assert_snapshot!(refusal(&file, SIZE_LIMIT), @"DIR/floor.toml has more than 16 MiB; a file of this kind is never so large");
        let inner = folder.path().join("floors");
        fs::create_dir(&inner).unwrap();
        insta::assert_snapshot!(refusal(&inner, SIZE_LIMIT), @"DIR/floors is a folder; a file is needed");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_a_length_is_limited_too() {
        let endless = Path::new("/dev/zero");
        assert!(matches!(read_text(endless, 1 << 20), Err(ReadError::TooLarge { .. })));
        assert_eq!(read_text(Path::new("/dev/null"), 0).unwrap(), "");
    }
}
