//! Publishing where somebody else may publish the same at the same moment: one comes second, and tries once more.

use std::time::Duration;

use super::error::ClusterError;

/// How often it is tried again.
const TRIES: u32 = 5;
/// And after how long.
const REST: Duration = Duration::from_millis(500);

/// Which attempt to publish it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// Whether none came before it.
    pub(super) first: bool,
    /// Whether none comes after it: whoever was in the way had all the time there is.
    pub(super) last: bool,
}

/// Publishes until nobody else is in the way.
///
/// # Errors
/// As the last attempt.
pub(super) async fn publish_in_peace<T>(
    attempt: impl AsyncFn(Attempt) -> Result<T, ClusterError>,
) -> Result<T, ClusterError> {
    let mut tried = 0;
    loop {
        match attempt(Attempt { first: tried == 0, last: tried == TRIES }).await {
            Err(error @ ClusterError::Gone { .. }) if tried < TRIES => {
                tracing::debug!("published once more: {error}");
                tried += 1;
            }
            published => return published,
        }
        tokio::time::sleep(REST).await;
    }
}

/// What whoever comes second is told.
pub(super) fn at_once(what: String) -> ClusterError {
    ClusterError::Gone { what, why: "somebody else publishes it at this very moment".into() }
}
