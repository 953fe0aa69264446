//! Publishing where somebody else may publish the same at the same moment: one comes second, and tries once more.

use std::time::Duration;

use super::error::ClusterError;

/// How often it is tried again.
const TRIES: u32 = 5;
/// And after how long.
const REST: Duration = Duration::from_millis(500);

/// Publishes until nobody else is in the way. `attempt` is told how often it has been tried.
///
/// # Errors
/// As the last attempt.
pub(super) async fn publish_in_peace<T>(
    attempt: impl AsyncFn(u32) -> Result<T, ClusterError>,
) -> Result<T, ClusterError> {
    let mut tried = 0;
    loop {
        match attempt(tried).await {
            Err(error @ ClusterError::Gone { .. }) if tried < TRIES => {
                tracing::debug!("published once more: {error}");
                tried += 1;
            }
            published => return published,
        }
        tokio::time::sleep(REST).await;
    }
}
