//! All journals of a batch as they are written, line by line, whatever becomes of the server in between. Knows nothing of
//! what lines say.

use std::time::Instant;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::ClusterError;
use super::journal::{GONE_AFTER, Journal, Line, WAITS, mark};
use super::names::of_token;

/// Lines that are read ahead.
const AHEAD: usize = 1_024;

/// All lines as they come.
pub struct Following {
    lines: mpsc::Receiver<Result<Line, ClusterError>>,
    task: JoinHandle<()>,
}

impl Following {
    /// Reads the journals from the line with this number on.
    pub fn new(journal: &Journal, next: u64) -> Self {
        let (sender, lines) = mpsc::channel(AHEAD);
        let all = journal.names.journal("");
        let stem = all.strip_suffix('.').unwrap_or(&all).to_owned();
        let reading = Reading { journal: journal.clone(), stem, next, messages: None, missing_since: None };
        let task = tokio::spawn(reading.on(sender));
        Following { lines, task }
    }

    /// The next line, whenever it comes. May be dropped and called again. A server that is away is waited for.
    ///
    /// # Errors
    /// [`ClusterError::Gone`] if the stream was removed, or has lost what it had.
    pub async fn next(&mut self) -> Result<Line, ClusterError> {
        let ended = || ClusterError::Failed { what: "reading the journals".into(), why: "it has ended".into() };
        self.lines.recv().await.unwrap_or_else(|| Err(ended()))
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads lines ahead of whoever follows: opening takes time, and must not be broken off by what else happens.
struct Reading {
    journal: Journal,
    /// What the subjects of all our lines begin with.
    stem: String,
    next: u64,
    messages: Option<Ordered>,
    missing_since: Option<Instant>,
}

impl Reading {
    async fn on(mut self, sender: mpsc::Sender<Result<Line, ClusterError>>) {
        loop {
            let line = self.next().await;
            let over = line.is_err();
            if sender.send(line).await.is_err() || over {
                return;
            }
        }
    }

    /// The next line, whenever it comes.
    async fn next(&mut self) -> Result<Line, ClusterError> {
        loop {
            let messages = match &mut self.messages {
                Some(messages) => messages,
                None => {
                    let opened = self.open().await?;
                    match opened {
                        Some(messages) => self.messages.insert(messages),
                        None => {
                            tokio::time::sleep(WAITS.0 * 5).await;
                            continue;
                        }
                    }
                }
            };
            match messages.next().await {
                Some(Ok(message)) => {
                    let Ok(info) = message.info() else { continue };
                    let sequence = info.stream_sequence;
                    if sequence < self.next {
                        continue;
                    }
                    self.next = sequence + 1;
                    // A stream that was made anew holds what is none of ours.
                    let subject = message.subject.rsplit_once('.');
                    let Some((_, item)) = subject.filter(|(stem, _)| *stem == self.stem) else { continue };
                    let item = of_token(item);
                    let mark = message.headers.as_ref().and_then(mark);
                    return Ok(Line { sequence, item, mark, payload: message.message.payload });
                }
                Some(Err(error)) => {
                    tracing::debug!("following is taken up again: {error}");
                    self.messages = None;
                }
                None => self.messages = None,
            }
        }
    }

    /// Begins to read; nothing if the server cannot be asked now.
    async fn open(&mut self) -> Result<Option<Ordered>, ClusterError> {
        // A server that lost its power may have lost its last lines, and gives their numbers again.
        if let Ok(last) = self.journal.last().await
            && last + 1 < self.next
        {
            let what = format!("the stream {}", self.journal.names.journal_stream());
            let why = "the server has lost its last lines; the same command goes on with what there is".into();
            return Err(ClusterError::Gone { what, why });
        }
        let config = OrderedConfig {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next.max(1) },
            // Without a filter: for one, servers go through all subjects, a million of which take them seconds.
            ..OrderedConfig::default()
        };
        let error: Box<dyn std::error::Error> = match self.journal.stream.create_consumer(config).await {
            Ok(consumer) => match consumer.messages().await {
                Ok(messages) => {
                    self.missing_since = None;
                    return Ok(Some(messages));
                }
                Err(error) => error.into(),
            },
            Err(error) => error.into(),
        };
        let error = self.journal.failed(&*error);
        if !matches!(error, ClusterError::Gone { .. }) {
            self.missing_since = None;
            tracing::debug!("following waits for the server: {error}");
            return Ok(None);
        }
        match self.missing_since.get_or_insert_with(Instant::now).elapsed() < GONE_AFTER {
            true => Ok(None),
            false => Err(error),
        }
    }
}
