//! A batch looked after while it is followed: told once it is no longer there. Knows nothing of what is in it.

use std::time::Duration;

use tokio::sync::mpsc;

use super::error::ClusterError;

/// How often it is looked.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Looks from time to time, and tells once what was looked for is gone.
pub(super) fn watch_over<L, F>(look: L) -> mpsc::Receiver<ClusterError>
where
    L: Fn() -> F + Send + 'static,
    F: Future<Output = Result<(), ClusterError>> + Send,
{
    let (sender, gone) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut missing = 0;
        while !sender.is_closed() {
            tokio::time::sleep(LOOK_EVERY).await;
            match look().await {
                // A server that starts may not have found it yet.
                Err(error @ ClusterError::Gone { .. }) => {
                    missing += 1;
                    if missing > 1 {
                        let _ = sender.send(error).await;
                        return;
                    }
                }
                Ok(()) => missing = 0,
                Err(error) => tracing::debug!("the batch cannot be looked at now: {error}"),
            }
        }
    });
    gone
}
