//! Traces as files: one JSON line a record, written and flushed at once. Knows nothing of what the records mean.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::record::{Decision, FORMAT, Footer, Header, Pending, Record};
use crate::agent::Call;
use crate::model::Spending;

/// A trace that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file system's word.
    #[error("{}: {source}", path.display())]
    Io {
        /// The trace.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line that is not a record.
    #[error("{}:{line}: this line is not a record of a trace: {why}", path.display())]
    Line {
        /// The trace.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Records in an order that no episode writes.
    #[error("{}:{line}: {why}", path.display())]
    Order {
        /// The trace.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is out of order.
        why: &'static str,
    },
    /// A format newer than this program.
    #[error("{}: trace format {found} is newer than this program, which reads up to {FORMAT}", path.display())]
    Newer {
        /// The trace.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Not even a header.
    #[error("{}: the trace holds no header", path.display())]
    Empty {
        /// The trace.
        path: PathBuf,
    },
}

/// A trace in memory.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The first line.
    pub header: Header,
    /// Completed calls, in order.
    pub calls: Vec<Call>,
    /// Decisions, in order.
    pub decisions: Vec<Decision>,
    /// What a human did since the last decision.
    pub pending: Option<Pending>,
    /// The last line, if the episode is finished.
    pub footer: Option<Footer>,
    /// Bytes of a torn last line that were left out.
    pub torn: usize,
    whole: u64,
}

impl Trace {
    /// Reads a trace. A torn last line, as an interruption leaves it, is left out and counted in `torn`.
    ///
    /// # Errors
    /// [`TraceError`] with the line that cannot be read.
    pub fn read(path: &Path) -> Result<Self, TraceError> {
        let file = File::open(path).map_err(|source| TraceError::Io { path: path.to_owned(), source })?;
        Trace::parse(path, BufReader::new(file))
    }

    /// Reads a trace from wherever it is kept; `path` is what errors call it.
    ///
    /// # Errors
    /// As [`Trace::read`].
    pub fn parse(path: &Path, mut reader: impl BufRead) -> Result<Self, TraceError> {
        let io = |source| TraceError::Io { path: path.to_owned(), source };
        let mut draft = Draft::default();
        let (mut line, mut bytes) = (0, Vec::new());
        loop {
            bytes.clear();
            if reader.read_until(b'\n', &mut bytes).map_err(io)? == 0 {
                break;
            }
            line += 1;
            if !bytes.ends_with(b"\n") {
                draft.torn = bytes.len();
                break;
            }
            let record = parse(&bytes).map_err(|why| TraceError::Line { path: path.to_owned(), line, why })?;
            draft.whole += bytes.len() as u64;
            if let Record::Header(Header { format: found, .. }) = record
                && found > FORMAT
            {
                return Err(TraceError::Newer { path: path.to_owned(), found });
            }
            draft.push(record).map_err(|why| TraceError::Order { path: path.to_owned(), line, why })?;
        }
        let Draft { header, calls, decisions, pending, footer, torn, whole } = draft;
        let header = header.ok_or_else(|| TraceError::Empty { path: path.to_owned() })?;
        Ok(Trace { header, calls, decisions, pending, footer, torn, whole })
    }

    /// A trace of which nothing but the header is written.
    pub fn begun(header: Header) -> Self {
        let (calls, decisions) = (Vec::new(), Vec::new());
        Trace { header, calls, decisions, pending: None, footer: None, torn: 0, whole: 0 }
    }

    /// Decisions that a human took back, whether another has been made in their place or not.
    pub fn taken_back(&self) -> u32 {
        let pending = self.pending.iter().map(|pending| pending.taken_back.len());
        self.decisions.iter().map(|decision| decision.taken_back.len()).chain(pending).sum::<usize>() as u32
    }

    /// Decisions before which a human was shown state values, the one that was still to be made included.
    pub fn hinted(&self) -> u32 {
        let pending = self.pending.iter().filter(|pending| pending.hints).count();
        (self.decisions.iter().filter(|decision| decision.hints).count() + pending) as u32
    }

    /// What its calls used; an answer from the response cache was paid for once, elsewhere.
    pub fn spent(&self) -> Spending {
        self.calls.iter().map(Call::spent).sum()
    }
}

fn parse(bytes: &[u8]) -> Result<Record, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

#[derive(Default)]
struct Draft {
    header: Option<Header>,
    calls: Vec<Call>,
    decisions: Vec<Decision>,
    pending: Option<Pending>,
    footer: Option<Footer>,
    torn: usize,
    whole: u64,
}

impl Draft {
    fn push(&mut self, record: Record) -> Result<(), &'static str> {
        match record {
            _ if self.footer.is_some() => return Err("a record follows the footer"),
            Record::Header(_) if self.header.is_some() => return Err("there is a second header"),
            Record::Header(header) => self.header = Some(header),
            _ if self.header.is_none() => return Err("a record comes before the header"),
            Record::Footer(footer) => self.footer = Some(footer),
            _ if self.pending.is_some() => return Err("a record that only a footer may follow is followed by another"),
            Record::Call(call) => self.calls.push(call),
            Record::Pending(pending) => self.pending = Some(pending),
            Record::Decision(decision) => self.decisions.push(decision),
        }
        Ok(())
    }
}

/// A trace open for writing.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: File,
}

impl TraceWriter {
    /// Begins a new trace, replacing one without a header.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn create(path: &Path) -> Result<Self, TraceError> {
        let file = File::create(path).map_err(|source| TraceError::Io { path: path.to_owned(), source })?;
        Ok(TraceWriter { path: path.to_owned(), file })
    }

    /// Goes on with a trace that has been read, cutting off a torn last line.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn resume(path: &Path, trace: &Trace) -> Result<Self, TraceError> {
        let io = |source| TraceError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().append(true).open(path).map_err(io)?;
        file.set_len(trace.whole).map_err(io)?;
        Ok(TraceWriter { path: path.to_owned(), file })
    }

    /// Writes a record as one line, in one write.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn write(&mut self, record: &Record) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: self.path.clone(), source };
        let line = line(record).map_err(io)?;
        self.file.write_all(&line).and_then(|()| self.file.flush()).map_err(io)
    }

    /// Writes a record in place of the last so many lines. Whoever reads the trace finds either those or this.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn replace(&mut self, lines: usize, record: &Record) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: self.path.clone(), source };
        let mut bytes = std::fs::read(&self.path).map_err(io)?;
        for _ in 0..lines {
            let ends = bytes.iter().rev().skip(1).position(|byte| *byte == b'\n');
            bytes.truncate(ends.map_or(0, |back| bytes.len() - 1 - back));
        }
        bytes.extend(line(record).map_err(io)?);
        let draft = self.path.with_extension("tmp");
        // The draft is on the disk before it has the trace's name, and goes on to be written to under it.
        let mut file = File::create(&draft).map_err(io)?;
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        written.and_then(|()| std::fs::rename(&draft, &self.path)).map_err(io)?;
        self.file = file;
        Ok(())
    }
}

/// A record as it is written.
fn line(record: &Record) -> Result<Vec<u8>, std::io::Error> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}
