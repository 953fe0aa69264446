//! A file that appears whole or not at all. Knows nothing of what is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::ExportError;

/// A file being written, beside the one that it will be. What is no regular file, such as a pipe, is written to at once.
#[derive(Debug)]
pub struct Sink {
    path: PathBuf,
    draft: Option<PathBuf>,
    out: Option<BufWriter<File>>,
}

impl Sink {
    /// Begins a file.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        let written_at_once = fs::metadata(path).is_ok_and(|known| !known.is_file());
        let draft = (!written_at_once).then(|| {
            let mut beside = path.to_owned().into_os_string();
            beside.push(format!(".{}.tmp", std::process::id()));
            PathBuf::from(beside)
        });
        let file = match &draft {
            Some(draft) => File::create(draft),
            None => File::options().write(true).open(path),
        };
        let file = file.map_err(|source| ExportError::Write { path: path.to_owned(), source })?;
        Ok(Sink { path: path.to_owned(), draft, out: Some(BufWriter::new(file)) })
    }

    /// Ends it: from now on the file is there, in place of what bore its name before.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn finish(mut self) -> Result<(), ExportError> {
        let mut end = || -> io::Result<()> {
            if let Some(mut out) = self.out.take() {
                out.flush()?;
            }
            match &self.draft {
                Some(draft) => fs::rename(draft, &self.path),
                None => Ok(()),
            }
        };
        let ended = end();
        if ended.is_ok() {
            self.draft = None;
        }
        ended.map_err(|source| ExportError::Write { path: self.path.clone(), source })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |out| out.seek(to))
    }
}

/// What was not ended is of no use.
impl Drop for Sink {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            let _ = fs::remove_file(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let begin = || {
            let mut sink = Sink::create(&path).unwrap();
            sink.write_all(b"new").unwrap();
            sink
        };
        drop(begin());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&path, "old").unwrap();
        let sink = begin();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        sink.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("missing/a"), folder.path().to_owned()] {
            let error = Sink::create(&path).unwrap_err().to_string();
            assert!(error.contains("cannot be written") && error.contains(path.to_str().unwrap()), "{error}");
        }
        let mut pipe = Sink::create(Path::new("/dev/null")).unwrap();
        pipe.write_all(b"x").unwrap();
        pipe.finish().unwrap();
        assert!(Path::new("/dev/null").exists());
    }
}
