//! The journals of a batch's items in one stream: what is done of an item is written down record by record, and goes on
//! wherever the item is taken up. Whoever has lost an item can add nothing to it. Knows nothing of what records say.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use bytes::Bytes;
use tokio::sync::watch;

use super::error::{ClusterError, is_missing, is_wrong_sequence};
use super::link::Link;
use super::names::Names;

/// What a line of a journal is, if it is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Somebody has taken the item: whoever had it before can add nothing to it any more. Holds who.
    Taken,
    /// Whoever had it gave it back in good order.
    Back,
    /// Whoever had it left it open for a later publication. Holds why.
    Left,
    /// What stands before is put aside; the item begins anew.
    Aside,
    /// The beginning of a record that goes on in the next line: it is larger than a message may be.
    Part,
}

impl Mark {
    const ALL: [Mark; 5] = [Mark::Taken, Mark::Back, Mark::Left, Mark::Aside, Mark::Part];

    fn name(self) -> &'static str {
        match self {
            Mark::Taken => "taken",
            Mark::Back => "back",
            Mark::Left => "left",
            Mark::Aside => "aside",
            Mark::Part => "part",
        }
    }
}

/// A line of a journal.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number in the stream.
    pub sequence: u64,
    /// The item whose journal it is.
    pub item: String,
    /// What it is, if it is no record.
    pub mark: Option<Mark>,
    /// What it says.
    pub payload: Bytes,
}

/// The journals of a batch.
#[derive(Clone)]
pub struct Journal {
    pub(super) link: Link,
    pub(super) names: Names,
    pub(super) stream: Stream,
    /// Why lines wait to be written, while they do.
    trouble: Arc<Mutex<Trouble>>,
    /// Turns true when whoever writes is to end: lines then wait for a short while only.
    stop: Option<watch::Receiver<bool>>,
}

/// Lines that wait to be written.
#[derive(Default)]
struct Trouble {
    waiting: usize,
    why: Option<String>,
}

/// The header that says what a line is.
const MARK: &str = "Mota-Mark";
/// The header that says who wrote a line, and which of theirs it is.
const WRITER: &str = "Mota-Writer";
/// Bytes of a message that are kept free for its headers.
const ROOM_FOR_HEADERS: usize = 4_096;
/// How long a stream may seem to be gone before it is: a server that starts may not have found it yet.
pub(super) const GONE_AFTER: Duration = Duration::from_secs(5);
/// The first and the longest wait before something is tried again.
pub(super) const WAITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));
/// How long a line still waits once whoever writes it is asked to end.
const PARTING: Duration = Duration::from_secs(5);
/// How often it is told that a line still cannot be written.
const TELL_EVERY: Duration = Duration::from_secs(30);

impl Journal {
    /// The journals in a stream.
    pub(super) fn new(link: Link, names: Names, stream: Stream) -> Self {
        Journal { link, names, stream, trouble: Arc::default(), stop: None }
    }

    /// The same for somebody who may be asked to end: when `stop` turns true.
    pub fn until(self, stop: watch::Receiver<bool>) -> Self {
        Journal { stop: Some(stop), ..self }
    }

    fn is_stopping(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| *stop.borrow())
    }

    /// Waits, but not beyond the moment in which whoever writes is asked to end.
    async fn pause(&self, wait: Duration) {
        let pause = tokio::time::sleep(wait);
        match self.stop.clone().filter(|stop| !*stop.borrow()) {
            None => pause.await,
            Some(mut stop) => {
                let asked = async {
                    if stop.wait_for(|stop| *stop).await.is_err() {
                        std::future::pending::<()>().await;
                    }
                };
                tokio::select! {
                    () = pause => {}
                    () = asked => {}
                }
            }
        }
    }

    /// The lines of an item so far, and nothing of a record that was not finished.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn read(&self, item: &str) -> Result<Vec<Line>, ClusterError> {
        let subject = self.names.journal(item);
        let (mut lines, mut next) = (Vec::new(), 1);
        loop {
            match self.stream.direct_get_next_for_subject(subject.clone(), Some(next)).await {
                Ok(message) => {
                    next = message.sequence + 1;
                    let mark = mark(&message.headers);
                    let item = item.to_owned();
                    lines.push(Line { sequence: message.sequence, item, mark, payload: message.payload });
                }
                Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(lines),
                Err(error) => return Err(self.failed(&error)),
            }
        }
    }

    /// What adds to an item of which the last line has this number; 0 if there is none.
    pub fn writer(&self, item: &str, last: u64, patience: Duration) -> JournalWriter {
        let (item, token) = (item.to_owned(), self.link.token());
        JournalWriter { journal: self.clone(), item, token, written: 0, last, patience }
    }

    /// The number of the last line of all.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn last(&self) -> Result<u64, ClusterError> {
        let info = self.stream.get_info().await;
        Ok(info.map_err(|error| self.failed(&error))?.state.last_sequence)
    }

    /// Why lines wait to be written, if they do: the server is away, or full.
    pub fn trouble(&self) -> Option<String> {
        self.troubles().why.clone()
    }

    fn troubles(&self) -> MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn failed(&self, error: &(dyn std::error::Error + 'static)) -> ClusterError {
        ClusterError::of(format!("the stream {}", self.names.journal_stream()), error)
    }

    /// The last line of an item, straight from whoever leads the stream.
    async fn last_of(&self, item: &str) -> Result<Option<(u64, HeaderMap)>, ClusterError> {
        match self.stream.get_last_raw_message_by_subject(&self.names.journal(item)).await {
            Ok(message) => Ok(Some((message.sequence, message.headers))),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }
}

pub(super) fn mark(headers: &HeaderMap) -> Option<Mark> {
    let name = headers.get(MARK)?;
    Mark::ALL.into_iter().find(|mark| mark.name() == name.as_str())
}

/// Who wrote a line, and which of theirs it is: no two are the same.
pub(super) fn writer(headers: &HeaderMap) -> Option<String> {
    headers.get(WRITER).map(|writer| writer.as_str().to_owned())
}

/// A line that waits to be written, for as long as this is held.
struct Waiting(Journal);

impl Waiting {
    fn new(journal: &Journal) -> Self {
        journal.troubles().waiting += 1;
        Waiting(journal.clone())
    }

    fn tell(&self, why: String) {
        self.0.troubles().why = Some(why);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut troubles = self.0.troubles();
        troubles.waiting = troubles.waiting.saturating_sub(1);
        if troubles.waiting == 0 {
            troubles.why = None;
        }
    }
}

/// Adds to the journal of one item, as long as nobody else does.
pub struct JournalWriter {
    journal: Journal,
    item: String,
    token: String,
    written: u64,
    last: u64,
    patience: Duration,
}

impl JournalWriter {
    /// Writes a record, in several lines if it is larger than a message may be. When this returns, others can read it. A
    /// server that is away or full is waited for as long as the writer has patience.
    ///
    /// # Errors
    /// [`ClusterError::Moved`] if somebody else has written to this item; others if it cannot be written.
    pub async fn record(&mut self, record: &[u8]) -> Result<(), ClusterError> {
        let most = self.journal.link.client.server_info().max_payload.saturating_sub(ROOM_FOR_HEADERS).max(1_024);
        let mut parts = record.chunks(most).peekable();
        while let Some(part) = parts.next() {
            self.line(parts.peek().is_some().then_some(Mark::Part), part).await?;
        }
        Ok(())
    }

    /// Writes a mark.
    ///
    /// # Errors
    /// As [`JournalWriter::record`].
    pub async fn mark(&mut self, mark: Mark, text: &str) -> Result<(), ClusterError> {
        self.line(Some(mark), text.as_bytes()).await
    }

    async fn line(&mut self, mark: Option<Mark>, payload: &[u8]) -> Result<(), ClusterError> {
        let payload = Bytes::copy_from_slice(payload);
        let (began, mut told, mut wait) = (Instant::now(), None, WAITS.0);
        let (mut missing_since, mut waiting, mut asked) = (None, None, None);
        loop {
            let error = match self.attempt(mark, payload.clone()).await {
                Ok(()) => {
                    if told.is_some() {
                        tracing::info!("{}: it is written down now", self.item);
                    }
                    return Ok(());
                }
                Err(error) => error,
            };
            // A stream that a starting server has not found yet comes back; one that was removed does not.
            let gone = matches!(error, ClusterError::Gone { .. });
            let since = *missing_since.get_or_insert_with(Instant::now);
            if !gone {
                missing_since = None;
            }
            let waits = error.may_pass() || (gone && since.elapsed() < GONE_AFTER);
            if self.journal.is_stopping() {
                asked.get_or_insert_with(Instant::now);
            }
            let leaves = asked.is_some_and(|asked: Instant| asked.elapsed() >= PARTING);
            if !waits || leaves || began.elapsed() >= self.patience {
                return Err(error);
            }
            // Of what is gone nobody needs to be told yet: it may be no longer wanted.
            if !gone && told.is_none_or(|told: Instant| told.elapsed() >= TELL_EVERY) && wait > WAITS.0 {
                let first = self.journal.troubles().waiting == 0 || waiting.is_some();
                match first {
                    true => tracing::warn!("{}: waiting to write it down: {error}", self.item),
                    // One line a server's trouble is enough.
                    false => tracing::debug!("{}: waiting to write it down: {error}", self.item),
                }
                waiting.get_or_insert_with(|| Waiting::new(&self.journal)).tell(error.to_string());
                told = Some(Instant::now());
            }
            self.journal.pause(wait).await;
            wait = (wait * 2).min(WAITS.1);
        }
    }

    async fn attempt(&mut self, mark: Option<Mark>, payload: Bytes) -> Result<(), ClusterError> {
        let id = format!("{}/{}", self.token, self.written);
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, self.last.to_string().as_str());
        headers.insert(WRITER, id.as_str());
        if let Some(mark) = mark {
            headers.insert(MARK, mark.name());
        }
        let subject = self.journal.names.journal(&self.item);
        let sent = self.journal.link.jetstream.publish_with_headers(subject, headers, payload).await;
        let acknowledged = match sent {
            Ok(sent) => sent.await,
            Err(error) => Err(error),
        };
        let sequence = match acknowledged {
            Ok(acknowledged) => acknowledged.sequence,
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence || is_wrong_sequence(&error) => {
                // An earlier attempt may have come through whose acknowledgement did not.
                match self.journal.last_of(&self.item).await? {
                    Some((sequence, headers)) if headers.get(WRITER).is_some_and(|writer| writer.as_str() == id) => {
                        sequence
                    }
                    _ => return Err(ClusterError::Moved { what: self.item.clone() }),
                }
            }
            Err(error) if error.kind() == PublishErrorKind::StreamNotFound => {
                let what = format!("the stream {}", self.journal.names.journal_stream());
                return Err(match self.journal.stream.get_info().await {
                    Err(error) if is_missing(&error) => ClusterError::of(what, &error),
                    // It is there: whoever published the batch did so anew, or the server was not ready.
                    Ok(info) if !info.config.subjects.contains(&self.journal.names.journal(">")) => {
                        ClusterError::Gone { what, why: "the batch has been published anew".into() }
                    }
                    _ => ClusterError::of(what, &error),
                });
            }
            Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                return Err(ClusterError::TooLarge { what: self.item.clone(), why: error.to_string() });
            }
            Err(error) => return Err(self.journal.failed(&error)),
        };
        (self.last, self.written) = (sequence, self.written + 1);
        Ok(())
    }
}
