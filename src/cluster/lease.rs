//! An item of work that has been taken: kept while it is being done, given back or ticked off. Knows nothing of what it is.

use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::{Acker, Message};
use bytes::Bytes;
use tokio::task::JoinHandle;

/// An item that is ours for as long as this is held.
pub struct Lease {
    /// What to do.
    pub payload: Bytes,
    /// How often it has been given to somebody, this time included.
    pub deliveries: i64,
    acker: std::sync::Arc<Acker>,
    beat: JoinHandle<()>,
}

/// How often an acknowledgement is tried again.
const TRIES: u32 = 5;

impl Lease {
    /// Keeps an item: the server is told several times within the length of the lease that it is being worked on.
    pub(super) fn hold(message: Message, lease: Duration) -> Self {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let acker = std::sync::Arc::new(acker);
        let beating = acker.clone();
        let beat = tokio::spawn(async move {
            loop {
                tokio::time::sleep(lease / 4).await;
                if let Err(error) = beating.ack_with(AckKind::Progress).await {
                    tracing::debug!("a lease could not be renewed: {error}");
                }
            }
        });
        Lease { payload: message.payload, deliveries, acker, beat }
    }

    /// The item is whole. Should the server not hear of it, the next one to get it finds it whole.
    pub async fn done(self) {
        for attempt in 1..=TRIES {
            match self.acker.double_ack().await {
                Ok(()) => return,
                Err(error) => tracing::debug!(attempt, "an item could not be ticked off: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(200) * attempt).await;
        }
    }

    /// The item goes back to the others, at once or after a while.
    pub async fn back(self, after: Option<Duration>) {
        if let Err(error) = self.acker.ack_with(AckKind::Nak(after)).await {
            tracing::debug!("an item could not be given back: {error}");
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.beat.abort();
    }
}
