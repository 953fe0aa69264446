//! One ledger in the bucket, as one worker reads and writes it: by compare-and-set, so that of two who write at once one
//! has to look again. Knows what this worker has away, and which of its entries it cannot be sure of.

use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::kv::{self, Operation, Store, UpdateErrorKind};
use async_nats::jetstream::{self, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, watch};

use super::clock::Clock;
use super::ledger::{Entry, Given, Ledger, Returned, Want};
use super::question::some_of;
use super::{LimitsError, Waits};
use crate::cluster::error::is_contested;
use crate::model::Spending;

/// How long one request may take. What is lost when a server ends is never answered.
const ANSWER: Duration = Duration::from_secs(4);

/// Where a worker counts: the bucket, as whom, by which clock, and how long it waits.
pub(super) struct Desk {
    pub(super) store: Store,
    pub(super) holder: String,
    pub(super) clock: Clock,
    pub(super) waits: Waits,
}

/// One ledger and what this worker has in it.
pub(super) struct Page {
    desk: Arc<Desk>,
    key: String,
    returned: Mutex<Vec<Returned>>,
    /// Returns that are not known to be in the ledger yet.
    unsettled: AtomicUsize,
    shared: AtomicBool,
    /// There is no ledger to write to.
    gone: AtomicBool,
    books: tokio::sync::Mutex<Books>,
    /// Something has come back.
    pub(super) came_back: Notify,
    wake: Notify,
}

/// What this worker has away, without what has come back and stands in no entry yet.
#[derive(Default)]
struct Books {
    calls: u32,
    reserved: Spending,
    /// The number of the last entry.
    number: u64,
    /// When it was made, by the server's time.
    heard: f64,
    /// What the last entry says has come back, as long as it is not known to be in the ledger.
    open: Option<Open>,
}

struct Open {
    returned: Vec<Returned>,
    /// Whether it may be in the ledger all the same.
    doubtful: bool,
}

impl Page {
    pub(super) fn new(desk: &Arc<Desk>, key: String) -> Arc<Self> {
        Arc::new(Page {
            desk: desk.clone(),
            key,
            returned: Mutex::default(),
            unsettled: AtomicUsize::new(0),
            shared: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            books: tokio::sync::Mutex::default(),
            came_back: Notify::new(),
            wake: Notify::new(),
        })
    }

    /// Something has come back, which [`Page::keep`] will write down.
    pub(super) fn come_back(&self, returned: Returned) {
        self.unsettled.fetch_add(1, Ordering::Relaxed);
        self.returned.lock().unwrap_or_else(PoisonError::into_inner).push(returned);
        self.wake.notify_one();
    }

    /// How long a server that does not answer is waited for.
    pub(super) fn patience(&self) -> Duration {
        self.desk.waits.patience
    }

    /// Whether other workers have been heard of.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Relaxed)
    }

    /// The server's time.
    pub(super) fn now(&self) -> f64 {
        self.desk.clock.now()
    }

    /// Whether all that has come back is known to be in the ledger, or there is none.
    pub(super) fn is_settled(&self) -> bool {
        self.unsettled.load(Ordering::Relaxed) == 0 || self.gone.load(Ordering::Relaxed)
    }

    /// Makes an entry, and asks for something with it. Writes nothing if there is nothing to say. Must be polled to its end:
    /// what it was given is in the ledger then.
    ///
    /// # Errors
    /// [`LimitsError`] if the ledger cannot be read or written.
    pub(super) async fn write(&self, want: &Want) -> Result<Given, LimitsError> {
        let mut books = self.books.lock().await;
        let written = self.write_with(&mut books, want).await;
        if let Err(LimitsError::NoAnswer(_)) = written {
            self.desk.clock.missed();
        } else {
            self.gone.store(written.is_err(), Ordering::Relaxed);
        }
        written
    }

    async fn write_with(&self, books: &mut Books, want: &Want) -> Result<Given, LimitsError> {
        let Desk { store, holder, clock, waits } = &*self.desk;
        let lease = waits.lease.as_secs_f64();
        let mut attempt = 0;
        loop {
            let (mut ledger, revision, written_at) = read::<Ledger>(store, &self.key).await?;
            clock.at_least(written_at);
            if books.open.as_ref().is_some_and(|open| open.doubtful) && ledger.has(holder, books.number) {
                self.settle(books);
            }
            let number = self.open(books);
            let returned = books.open.as_ref().map_or(&[][..], |open| &open.returned);
            let now = clock.now();
            // Whoever was out of reach for long finds all leases run out, those of the living, too.
            let dead = if clock.steady_for() >= lease / 2.0 { now } else { f64::NEG_INFINITY };
            ledger.tidy(now, dead);
            self.shared.store(ledger.has_others(holder, now), Ordering::Relaxed);
            let (calls, reserved) = (books.calls, books.reserved);
            ledger.enter(&Entry { holder, number, returned, calls, reserved, until: now + lease });
            let given = ledger.give(now, holder, want);
            let idle = returned.is_empty() && books.open.as_ref().is_none_or(|open| !open.doubtful);
            // Whoever waits is heard of, too.
            let known = books.heard + lease / 2.0 > now;
            if idle && known && !given.is_something() && *want != Want::Nothing {
                return Ok(given);
            }
            match write(store, &self.key, &ledger, revision).await {
                Ok(true) => {
                    self.settle(books);
                    books.heard = now;
                    if let Given::Reservation(most) = given {
                        books.reserved += most;
                    }
                    if given.is_something() {
                        books.calls = books.calls.saturating_add(1);
                    }
                    return Ok(given);
                }
                Ok(false) => pause(&mut attempt).await,
                Err(error) => {
                    if let Some(open) = &mut books.open {
                        open.doubtful = true;
                    }
                    return Err(error);
                }
            }
        }
    }

    /// Begins an entry with what has come back, unless one is open; gives its number.
    fn open(&self, books: &mut Books) -> u64 {
        if books.open.as_ref().is_none_or(|open| open.returned.is_empty() && !open.doubtful) {
            let returned = std::mem::take(&mut *self.returned.lock().unwrap_or_else(PoisonError::into_inner));
            for returned in &returned {
                books.calls = books.calls.saturating_sub(1);
                if let Returned::Reservation { most, .. } = returned {
                    books.reserved = books.reserved - *most;
                }
            }
            // Sums are not quite exact.
            if books.calls == 0 {
                books.reserved = Spending::default();
            }
            if books.open.is_none() {
                books.number += 1;
            }
            books.open = Some(Open { returned, doubtful: false });
        }
        books.number
    }

    /// The open entry is in the ledger.
    fn settle(&self, books: &mut Books) {
        if let Some(open) = books.open.take() {
            self.unsettled.fetch_sub(open.returned.len(), Ordering::Relaxed);
            if !open.returned.is_empty() {
                self.came_back.notify_waiters();
            }
        }
    }

    /// Writes down what comes back, and is heard of while something is away, until `closing` turns true.
    pub(super) async fn keep(self: Arc<Self>, mut closing: watch::Receiver<bool>) {
        let rest = self.desk.waits.lease / 4;
        loop {
            let closed = *closing.borrow();
            if self.is_settled() {
                if closed {
                    return;
                }
                tokio::select! {
                    () = self.wake.notified() => {}
                    () = tokio::time::sleep(rest) => {}
                    _ = closing.changed() => continue,
                }
            }
            let is_away = self.books.lock().await.is_away();
            if self.is_settled() && !is_away {
                continue;
            }
            match self.write(&Want::Nothing).await {
                Ok(_) => {}
                Err(_) if closed => return,
                Err(error) => {
                    tracing::debug!(key = self.key, %error, "the limits cannot be counted");
                    tokio::time::sleep(rest.min(Duration::from_secs(1))).await;
                }
            }
        }
    }
}

impl Books {
    /// Whether the ledger may say of this worker that it has something away.
    fn is_away(&self) -> bool {
        self.calls > 0 || self.open.as_ref().is_some_and(|open| open.doubtful)
    }
}

/// Reads a key: its value, its revision and when it was written, in seconds since 1970; the default, 0 and 0 if there is none.
///
/// # Errors
/// [`LimitsError`] if it cannot be read.
pub(super) async fn read<T: Default + DeserializeOwned>(
    store: &Store,
    key: &str,
) -> Result<(T, u64, f64), LimitsError> {
    let entry = match in_time(store.entry(key)).await? {
        Ok(entry) => entry,
        Err(error) => return Err(why(store, error).await),
    };
    let Some(entry) = entry else { return Ok((T::default(), 0, 0.0)) };
    let value = match entry.operation {
        Operation::Put => serde_json::from_slice(&entry.value)
            .map_err(|error| LimitsError::Garbled { key: key.to_owned(), why: error.to_string() })?,
        Operation::Delete | Operation::Purge => T::default(),
    };
    Ok((value, entry.revision, seconds(&entry)))
}

/// Writes a key if its revision is still that; false if it is not.
///
/// # Errors
/// [`LimitsError`] if it cannot be told whether it was written.
pub(super) async fn write<T: Serialize>(
    store: &Store,
    key: &str,
    value: &T,
    revision: u64,
) -> Result<bool, LimitsError> {
    let text = serde_json::to_vec(value)
        .map_err(|error| LimitsError::Garbled { key: key.to_owned(), why: error.to_string() })?;
    match in_time(store.update(key, text.into(), revision)).await? {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision || is_contested(&error) => Ok(false),
        Err(error) => Err(why(store, error).await),
    }
}

/// Changes a key until nobody else has in the meantime; leaves it if `change` says that there is nothing to change.
///
/// # Errors
/// [`LimitsError`] if it cannot be read or written.
pub(super) async fn change<T: Default + DeserializeOwned + Serialize>(
    store: &Store,
    key: &str,
    mut change: impl FnMut(&mut T) -> bool,
) -> Result<(), LimitsError> {
    let mut attempt = 0;
    loop {
        let (mut value, revision, _) = read::<T>(store, key).await?;
        if !change(&mut value) || write(store, key, &value, revision).await? {
            return Ok(());
        }
        pause(&mut attempt).await;
    }
}

/// When an entry was written, in seconds since 1970.
pub(super) fn seconds(entry: &kv::Entry) -> f64 {
    entry.created.unix_timestamp_nanos() as f64 / 1e9
}

/// What comes of a request, if that is known in time.
///
/// # Errors
/// [`LimitsError`] if it is not.
async fn in_time<T>(request: impl Future<Output = T>) -> Result<T, LimitsError> {
    let late = |_| LimitsError::NoAnswer(format!("nothing within {} s", ANSWER.as_secs()));
    tokio::time::timeout(ANSWER, request).await.map_err(late)
}

/// What an error means: the bucket may be gone.
pub(super) async fn why(store: &Store, error: impl Error + Send) -> LimitsError {
    let words = in_words(&error);
    let Ok(Err(info)) = in_time(store.stream.get_info()).await else { return LimitsError::NoAnswer(words) };
    match info.source().and_then(|source| source.downcast_ref::<jetstream::Error>()) {
        Some(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND => LimitsError::Gone,
        _ => LimitsError::NoAnswer(words),
    }
}

/// An error with its causes.
fn in_words(error: &dyn Error) -> String {
    let (mut words, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        let more = error.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        cause = error.source();
    }
    words
}

/// Lets the others go first for some milliseconds, more after each attempt.
async fn pause(attempt: &mut u32) {
    let most = Duration::from_millis(2 << (*attempt).min(5));
    *attempt = attempt.saturating_add(1);
    tokio::time::sleep(some_of(most)).await;
}
