//! A batch on a NATS server: a work-queue stream of its items, a stream of their journals, a bucket of contents and one of
//! counts. Knows nothing of what the items are.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::kv;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, Compression, DiscardPolicy, RetentionPolicy, Stream};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream as futures};
use tokio::io::AsyncReadExt;

use super::contest::at_once;
use super::error::{ClusterError, is_missing, words};
use super::journal::Journal;
use super::lease::Lease;
use super::link::Link;
use super::names::{Names, batch_of_stream, fit, incarnation_of};

/// A batch on a server.
#[derive(Clone)]
pub struct Batch {
    link: Link,
    /// What its parts are called.
    pub names: Names,
    /// Silence after which an item goes to another worker.
    pub lease: Duration,
    /// The journals of its items.
    pub journal: Journal,
    /// What limits have counted.
    pub counts: kv::Store,
    work: Stream,
    contents: ObjectStore,
}

/// An item of work to be offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Who may do it: an agent's name, or `@floors` and the like.
    pub doer: String,
    /// Its id.
    pub item: String,
    /// What to do.
    pub payload: Vec<u8>,
}

/// How many messages may be on their way at once while much is sent.
const AT_ONCE: usize = 256;
/// How long a question for work may go without an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long contents may be silent while they are read.
const SILENCE: Duration = Duration::from_secs(30);

impl Batch {
    /// Makes what is missing of a batch.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn make(link: &Link, names: Names, lease: Duration) -> Result<Self, ClusterError> {
        let common = || stream::Config {
            num_replicas: link.replicas_of_new(),
            discard: DiscardPolicy::New,
            allow_direct: true,
            ..stream::Config::default()
        };
        let work = stream::Config {
            name: names.work_stream(),
            description: Some("items of work that mota has published".into()),
            subjects: vec![names.work("*", "*")],
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard_new_per_subject: true,
            ..common()
        };
        let journal = stream::Config {
            name: names.journal_stream(),
            description: Some("what mota has done of each item, record by record".into()),
            subjects: vec![names.journal(">")],
            compression: Some(Compression::S2),
            ..common()
        };
        let jetstream = &link.jetstream;
        // Journals first: whoever comes second finds them, and leaves alone the work that the first is offering.
        for config in [journal, work] {
            let what = format!("the stream {}", config.name);
            let there = jetstream.get_stream(&config.name).await;
            if let Ok(stream) = &there
                && stream.cached_info().config.subjects != config.subjects
            {
                if config.retention != RetentionPolicy::WorkQueue {
                    return Err(at_once(what));
                }
                // Work of another publication is nothing that anybody may do.
                jetstream.delete_stream(&config.name).await.map_err(|error| ClusterError::of(&what, &error))?;
                jetstream.create_stream(config).await.map_err(|error| taken(what, &error))?;
            } else if !is_there(&what, there)? {
                jetstream.create_stream(config).await.map_err(|error| taken(what, &error))?;
            }
        }
        let bucket = names.bucket();
        let what = format!("the bucket {bucket}");
        if !is_there(&what, jetstream.get_object_store(&bucket).await)? {
            let config = object_store::Config {
                bucket: bucket.clone(),
                num_replicas: link.replicas_of_new(),
                ..Default::default()
            };
            jetstream.create_object_store(config).await.map_err(|error| taken(what.clone(), &error))?;
        }
        if !is_there(&what, jetstream.get_key_value(&bucket).await)? {
            let config =
                kv::Config { bucket: bucket.clone(), num_replicas: link.replicas_of_new(), ..Default::default() };
            jetstream.create_key_value(config).await.map_err(|error| taken(what, &error))?;
        }
        Batch::keep_on_servers(link, &names).await?;
        Batch::open(link, names, lease).await
    }

    /// Has what is there of a batch kept on as many servers as was asked for, if that was said.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn keep_on_servers(link: &Link, names: &Names) -> Result<(), ClusterError> {
        let Some(servers) = link.replicas else { return Ok(()) };
        for name in names.streams() {
            let stream = link.jetstream.get_stream(&name).await;
            let stream = stream.map_err(|error| gone(format!("the stream {name}"), &error))?;
            link.keep_on(&stream.cached_info().config, servers).await?;
        }
        Ok(())
    }

    /// Which publication of a batch the server holds the journals of; nothing if it holds none.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn incarnation(link: &Link, batch: &str) -> Result<Option<String>, ClusterError> {
        let name = Names { batch: batch.to_owned(), incarnation: String::new() }.journal_stream();
        match link.jetstream.get_stream(&name).await {
            Ok(stream) => {
                let subjects = &stream.cached_info().config.subjects;
                Ok(subjects.first().and_then(|subject| incarnation_of(subject)))
            }
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(ClusterError::of(format!("the stream {name}"), &error)),
        }
    }

    /// The ids of all batches of which there is anything, listed or not.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn ids(link: &Link) -> Result<BTreeSet<String>, ClusterError> {
        let names = link.jetstream.stream_names().try_collect::<Vec<String>>().await;
        let names = names.map_err(|error| ClusterError::of("the list of streams", &error))?;
        Ok(names.iter().filter_map(|name| batch_of_stream(name)).collect())
    }

    /// Opens a batch that is there.
    ///
    /// # Errors
    /// [`ClusterError::Gone`] if a part of it is not.
    pub async fn open(link: &Link, names: Names, lease: Duration) -> Result<Self, ClusterError> {
        let open = async |name: String| {
            let got = link.jetstream.get_stream(&name).await;
            got.map_err(|error| gone(format!("the stream {name}"), &error))
        };
        let (work, journal) = (open(names.work_stream()).await?, open(names.journal_stream()).await?);
        for (stream, subject) in [(&work, names.work("*", "*")), (&journal, names.journal(">"))] {
            let config = &stream.cached_info().config;
            if !config.subjects.contains(&subject) {
                let why = "somebody has published it anew at the same time".into();
                return Err(ClusterError::Gone { what: format!("the batch {}", names.batch), why });
            }
        }
        let bucket = names.bucket();
        let what = || format!("the bucket {bucket}");
        let contents = link.jetstream.get_object_store(&bucket).await.map_err(|error| gone(what(), &error))?;
        let counts = link.jetstream.get_key_value(&bucket).await.map_err(|error| gone(what(), &error))?;
        let journal = Journal::new(link.clone(), names.clone(), journal);
        Ok(Batch { link: link.clone(), names, lease, journal, counts, work, contents })
    }

    /// Looks whether everything of it is there.
    ///
    /// # Errors
    /// [`ClusterError::Gone`] if it is not, others if the server cannot be asked.
    pub async fn look(&self) -> Result<(), ClusterError> {
        Batch::open(&self.link, self.names.clone(), self.lease).await.map(drop)
    }

    /// Removes what there is of a batch.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn remove(link: &Link, names: &Names) -> Result<(), ClusterError> {
        // Work first: nobody is to begin anything.
        for name in names.streams() {
            match link.jetstream.delete_stream(&name).await {
                Ok(_) => {}
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(ClusterError::of(format!("removing the stream {name}"), &error)),
            }
        }
        Ok(())
    }

    /// Takes off what is still offered: nobody wants it any more.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn clear(&self) -> Result<(), ClusterError> {
        let cleared = self.work.purge().await;
        cleared.map(drop).map_err(|error| ClusterError::of(format!("the stream {}", self.names.work_stream()), &error))
    }

    /// Items that wait or are being done.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn waiting(&self) -> Result<u64, ClusterError> {
        let info = self.work.get_info().await;
        Ok(info.map_err(|error| ClusterError::of("asking for what there is to do", &error))?.state.messages)
    }

    /// Bytes that the server keeps of it, and items that wait or are being done.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn size(&self) -> Result<(u64, u64), ClusterError> {
        let failed = |error: &(dyn std::error::Error + 'static)| ClusterError::of("asking for the size", error);
        let work = self.work.get_info().await.map_err(|error| failed(&error))?.state;
        let mut bytes = work.bytes;
        for name in &self.names.streams()[1..] {
            let stream = self.link.jetstream.get_stream(name).await.map_err(|error| failed(&error))?;
            bytes += stream.cached_info().state.bytes;
        }
        Ok((bytes, work.messages))
    }

    /// Keeps contents under a name, in place of what was there.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn put(&self, name: &str, mut contents: &[u8]) -> Result<(), ClusterError> {
        let put = self.contents.put(name, &mut contents).await;
        put.map(drop).map_err(|error| ClusterError::of(format!("storing {name}"), &error))
    }

    /// Keeps several, those that are there already left as they are: names that say what is in them.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn put_all(&self, contents: Vec<(String, Vec<u8>)>) -> Result<(), ClusterError> {
        let put = |(name, contents): (String, Vec<u8>)| async move {
            match self.contents.info(&name).await {
                Ok(info) if !info.deleted && info.size == contents.len() => Ok(()),
                _ => self.put(&name, &contents).await,
            }
        };
        futures::iter(contents).map(put).buffer_unordered(32).try_collect().await
    }

    /// What is kept under a name; nothing if there is nothing.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        let mut object = match self.contents.get(name).await {
            Ok(object) => object,
            Err(error) if error.kind() == object_store::GetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ClusterError::of(format!("reading {name}"), &error)),
        };
        let mut contents = Vec::new();
        loop {
            let read = tokio::time::timeout(SILENCE, object.read_buf(&mut contents)).await;
            let read = read.map_err(|_| silent(format!("reading {name}")))?;
            if read.map_err(|error| ClusterError::of(format!("reading {name}"), &error))? == 0 {
                return Ok(Some(contents));
            }
        }
    }

    /// Lets go of what is kept under a name: it is no longer needed, and harmless if it stays.
    pub async fn drop_contents(&self, name: &str) {
        if let Err(error) = self.contents.delete(name).await {
            tracing::debug!("{name} could not be removed: {error}");
        }
    }

    /// Offers items to whoever may do them. An item that waits or is being done already is not offered twice. Says how
    /// many were new.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn offer(
        &self,
        offers: impl IntoIterator<Item = Result<Offer, ClusterError>>,
    ) -> Result<usize, ClusterError> {
        let offer = |offer: Result<Offer, ClusterError>| async move {
            let Offer { doer, item, payload } = offer?;
            let subject = self.names.work(&doer, &item);
            let sent = match self.link.jetstream.publish(subject, Bytes::from(payload)).await {
                Ok(sent) => sent.await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(_) => Ok(1),
                Err(error) if words(&error).contains("messages per subject") => Ok(0),
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    Err(ClusterError::TooLarge { what: item, why: error.to_string() })
                }
                Err(error) => Err(ClusterError::of(format!("the stream {}", self.names.work_stream()), &error)),
            }
        };
        futures::iter(offers)
            .map(offer)
            .buffer_unordered(AT_ONCE)
            .try_fold(0, |sum, new| async move { Ok(sum + new) })
            .await
    }

    /// The queue of one who does work here, making it if there is none.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn queue(&self, doer: &str) -> Result<Queue, ClusterError> {
        let config = pull::Config {
            // Acknowledgements of an earlier publication must not reach this one, whose numbers begin anew.
            durable_name: Some(format!("{}-{}", fit(doer), self.names.incarnation)),
            filter_subject: self.names.work(doer, "*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        let made = self.work.create_consumer(config).await;
        let consumer = made.map_err(|error| gone(format!("the stream {}", self.names.work_stream()), &error))?;
        Ok(Queue { consumer, lease: self.lease, what: self.names.work_stream() })
    }
}

/// What somebody may do of a batch.
#[derive(Clone)]
pub struct Queue {
    consumer: async_nats::jetstream::consumer::PullConsumer,
    lease: Duration,
    what: String,
}

impl Queue {
    /// Takes an item that waits; nothing if there is none now.
    ///
    /// # Errors
    /// [`ClusterError`].
    pub async fn pull(&self) -> Result<Option<Lease>, ClusterError> {
        let failed =
            |error: &(dyn std::error::Error + 'static)| ClusterError::of(format!("the stream {}", self.what), error);
        let asked = async {
            let mut batch = self.consumer.fetch().max_messages(1).messages().await.map_err(|error| failed(&error))?;
            match batch.next().await {
                None => Ok(None),
                Some(Ok(message)) => Ok(Some(Lease::hold(message, self.lease))),
                Some(Err(error)) => Err(failed(&*error)),
            }
        };
        // A server that goes away in between never answers, nor do older ones where the stream was removed.
        match tokio::time::timeout(PATIENCE, asked).await {
            Ok(answer) => answer,
            Err(_) => Err(silent(format!("the stream {}", self.what))),
        }
    }
}

fn silent(what: String) -> ClusterError {
    ClusterError::Failed { what, why: "the server does not answer".into() }
}

fn gone(what: String, error: &(dyn std::error::Error + 'static)) -> ClusterError {
    match is_missing(error) {
        true => ClusterError::Gone { what, why: words(error) },
        false => ClusterError::of(what, error),
    }
}

/// What keeps a stream from being made: two who publish the same batch at once both find none, and one comes second.
fn taken(what: String, error: &(dyn std::error::Error + 'static)) -> ClusterError {
    match words(error).contains("already in use") {
        true => at_once(what),
        false => ClusterError::of(what, error),
    }
}

/// Whether what was asked for is there.
fn is_there<T, E: std::error::Error + 'static>(what: &str, got: Result<T, E>) -> Result<bool, ClusterError> {
    match got {
        Ok(_) => Ok(true),
        Err(error) if is_missing(&error) => Ok(false),
        Err(error) => Err(ClusterError::of(what, &error)),
    }
}
