//! What can go wrong with a call, and what is to be done about it. Knows nothing of how long to wait.

use std::time::Duration;

use super::gate::Refusal;
use super::usage::CallTime;

/// Why one attempt gave nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The server answered with a status other than success.
    #[error("{status} {words}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// The server's own words, shortened, without the key.
        words: String,
        /// How long the server asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// The server answered with success and something that is no chat completion.
    #[error("the answer is no chat completion: {0}")]
    Unreadable(String),
    /// No connection could be made, or it was lost.
    #[error("{0}")]
    Connection(String),
    /// Nothing came in time.
    #[error("no answer within {0} s")]
    Stalled(f64),
    /// The request could not be built; no attempt will do better.
    #[error("the request cannot be sent: {0}")]
    Request(String),
}

/// What is to be done about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Try again after a while.
    Retry,
    /// The server is loading its model: wait for it.
    Await,
    /// The server answers, but not as a chat endpoint: try again a few times.
    RetryBriefly,
    /// This request is wrong; the episode ends.
    EndEpisode,
    /// Every request would fail the same way; the agent stops.
    StopAgent,
}

impl Fault {
    /// What is to be done.
    pub fn remedy(&self) -> Remedy {
        match self {
            // OpenAI says 429 also when the account is out of money; waiting does not help there.
            Fault::Status { status: 429, words, .. } if words.contains("insufficient_quota") => Remedy::StopAgent,
            Fault::Status { status: 401..=404, .. } => Remedy::StopAgent,
            Fault::Status { status: 408 | 409 | 425 | 429, .. } => Remedy::Retry,
            Fault::Status { status: 503, words, .. } if words.to_ascii_lowercase().contains("loading") => Remedy::Await,
            Fault::Status { status: 500..=599, .. } => Remedy::Retry,
            Fault::Status { .. } | Fault::Request(_) => Remedy::EndEpisode,
            Fault::Unreadable(_) => Remedy::RetryBriefly,
            Fault::Connection(_) | Fault::Stalled(_) => Remedy::Retry,
        }
    }

    /// Whether the server says that it has too much to do.
    pub fn is_busy(&self) -> bool {
        let busy = matches!(self, Fault::Status { status: 429 | 503 | 529, .. });
        busy && self.remedy() == Remedy::Retry
    }

    /// How long the server asks to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Fault::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Why a call has no answer, after whatever retries there were.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// This episode cannot go on: the request was refused as wrong, or waiting has reached its limit.
    #[error("{why}")]
    Episode {
        /// Why, with the server's own words.
        why: String,
        /// How long was waited.
        time: CallTime,
    },
    /// No call of this agent can succeed for now: a wrong key, an unknown model, no money.
    #[error("{why}")]
    Agent {
        /// Why, with the server's own words.
        why: String,
    },
    /// The batch's budget allows no such call, whoever makes it.
    #[error("{why}")]
    Budget {
        /// Which limit, and what has been used of it.
        why: String,
    },
    /// Whether a call may be made cannot be told now; nothing is wrong with the agent.
    #[error("{why}")]
    Unreachable {
        /// What does not answer.
        why: String,
    },
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        let why = refusal.to_string();
        match refusal {
            Refusal::Spent(_) => CallError::Budget { why },
            Refusal::Unreachable(_) => CallError::Unreachable { why },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_remedy() {
        let remedy = |status, words: &str| Fault::Status { status, words: words.into(), retry_after: None }.remedy();
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            assert_eq!(remedy(status, "busy"), Remedy::Retry, "{status}");
        }
        for status in [400, 405, 413, 422, 301] {
            assert_eq!(remedy(status, "no"), Remedy::EndEpisode, "{status}");
        }
        for status in [401, 402, 403, 404] {
            assert_eq!(remedy(status, "no"), Remedy::StopAgent, "{status}");
        }
        assert_eq!(remedy(503, "Loading model"), Remedy::Await);
        assert_eq!(remedy(429, "insufficient_quota: buy more"), Remedy::StopAgent);
    }
}
