//! What an episode is played in: where its events and records go, and whether the run is to stop. Knows nothing of how it is
//! played.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc::UnboundedSender, watch};

use super::board::CallBoard;
use super::event::Event;
use super::store::EpisodeStore;

/// How often a run that is to stop looks whether something is in flight.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where things go while an episode is played, and whether it should stop.
#[derive(Clone)]
pub struct Surroundings {
    /// Where events go.
    pub events: UnboundedSender<Event>,
    /// Turns true when the run is to stop after what is in flight.
    pub stop: watch::Receiver<bool>,
    /// Knows what is in flight.
    pub board: Arc<CallBoard>,
    /// Where episodes are stored.
    pub store: Arc<dyn EpisodeStore>,
}

impl Surroundings {
    /// Tells what happened.
    pub fn tell(&self, event: Event) {
        // Nobody may be listening any more; the episode goes on all the same.
        let _ = self.events.send(event);
    }

    /// Whether the run is to stop.
    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Ends when the run is to stop and no server is answering a call: what still pends then only waits.
    pub(super) async fn nothing_in_flight(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stopping| *stopping).await.is_err() {
            std::future::pending::<()>().await;
        }
        while self.board.is_busy() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
