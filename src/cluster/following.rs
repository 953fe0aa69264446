//! All journals of a batch as they are written, line by line, whatever becomes of the server in between. Knows nothing of
//! what lines say.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use async_nats::jetstream::stream::Info;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::error::{ClusterError, is_no_message};
use super::journal::{GONE_AFTER, Journal, Line, WAITS, mark, writer};
use super::names::of_token;

/// Lines that are read ahead.
const AHEAD: usize = 1_024;

/// Silence after which it is looked whether the connection was lost meanwhile.
const SILENCE: Duration = Duration::from_millis(500);
/// How long a server may lag behind what it holds.
const LAGGING: Duration = Duration::from_secs(2);
/// Silences after which the server is asked whether it still has what was read, and nothing more than that.
const QUIET: u32 = 10;

/// All lines as they come.
pub struct Following {
    lines: mpsc::Receiver<Result<Line, ClusterError>>,
    task: JoinHandle<()>,
}

impl Following {
    /// Reads the journals from their first line on.
    pub fn new(journal: &Journal) -> Self {
        let (sender, lines) = mpsc::channel(AHEAD);
        let all = journal.names.journal("");
        let stem = all.strip_suffix('.').unwrap_or(&all).to_owned();
        let journal = journal.clone();
        let reading =
            Reading { journal, stem, last: None, messages: None, opened_by: 0, silences: 0, missing_since: None };
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
    /// The line that was read last: its number, and what tells it from any other.
    last: Option<(u64, Option<String>)>,
    messages: Option<Ordered>,
    /// By which connection they come.
    opened_by: u64,
    /// Silences since the last of them.
    silences: u32,
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
                            self.rest().await;
                            continue;
                        }
                    }
                }
            };
            match timeout(SILENCE, messages.next()).await {
                Ok(Some(Ok(message))) => {
                    self.silences = 0;
                    let Ok(info) = message.info() else { continue };
                    let (sequence, begins) = (info.stream_sequence, info.consumer_sequence == 1);
                    // The client may have begun anew by itself.
                    if begins && !self.stands().await? {
                        self.rest().await;
                        continue;
                    }
                    if sequence < self.next_sequence() {
                        continue;
                    }
                    let headers = message.headers.as_ref();
                    self.last = Some((sequence, headers.and_then(writer)));
                    // A stream that was made anew holds what is none of ours.
                    let subject = message.subject.rsplit_once('.');
                    let Some((_, item)) = subject.filter(|(stem, _)| *stem == self.stem) else { continue };
                    let item = of_token(item);
                    let mark = headers.and_then(mark);
                    return Ok(Line { sequence, item, mark, payload: message.message.payload });
                }
                Ok(Some(Err(error))) => {
                    tracing::debug!("following is taken up again: {error}");
                    self.messages = None;
                }
                Ok(None) => self.messages = None,
                Err(_) => self.look_around().await?,
            }
        }
    }

    /// Looks, after a silence, whether there is more than silence: the client finds out late that nobody sends any more.
    async fn look_around(&mut self) -> Result<(), ClusterError> {
        self.silences += 1;
        if self.connects() != self.opened_by {
            self.messages = None;
        } else if self.silences.is_multiple_of(QUIET)
            && self.stands().await?
            && self.journal.last().await.is_ok_and(|last| last >= self.next_sequence())
        {
            tracing::debug!("there are lines that were not sent; following is taken up again");
            self.messages = None;
        }
        Ok(())
    }

    /// How often there has been a connection.
    fn connects(&self) -> u64 {
        self.journal.link.client.statistics().connects.load(Ordering::Relaxed)
    }

    fn next_sequence(&self) -> u64 {
        self.last.as_ref().map_or(1, |(sequence, _)| sequence + 1)
    }

    /// Reads anew after a while.
    async fn rest(&mut self) {
        self.messages = None;
        tokio::time::sleep(WAITS.0 * 5).await;
    }

    /// Whether the line that was read last is known to stand there still. A server that lost its power may have lost its
    /// last lines, and gives their numbers to others.
    ///
    /// # Errors
    /// [`ClusterError::Gone`] if it does not.
    async fn stands(&mut self) -> Result<bool, ClusterError> {
        let Some((sequence, written_by)) = &self.last else { return Ok(true) };
        // A server that has just been made the leader of a cluster's may not have all that it holds at hand yet.
        for pause in [LAGGING, Duration::ZERO] {
            match self.journal.stream.get_raw_message(*sequence).await {
                Ok(message) if writer(&message.headers) == *written_by => return Ok(true),
                Ok(_) => break,
                Err(error) if is_no_message(&error) => tokio::time::sleep(pause).await,
                Err(error) => {
                    tracing::debug!("the last line cannot be looked at now: {error}");
                    return Ok(false);
                }
            }
        }
        let stream = self.journal.names.journal_stream();
        let is_ours = |info: Info| info.config.subjects.contains(&self.journal.names.journal(">"));
        Err(match self.journal.stream.get_info().await.map(is_ours) {
            Ok(true) => ClusterError::Gone {
                what: format!("the line that was read last of the stream {stream}"),
                why: "it may have lost its power; the same command goes on with what there is".into(),
            },
            Ok(false) => ClusterError::Gone {
                what: format!("what was followed in the stream {stream}"),
                why: "somebody has published the batch anew".into(),
            },
            // Nobody can say now.
            Err(_) => return Ok(false),
        })
    }

    /// Begins to read; nothing if the server cannot be asked now.
    async fn open(&mut self) -> Result<Option<Ordered>, ClusterError> {
        self.opened_by = self.connects();
        let config = OrderedConfig {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next_sequence() },
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
