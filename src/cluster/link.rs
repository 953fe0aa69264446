//! A connection to a NATS server: how it is let in, and whether the server can do what is needed. Knows nothing of what it
//! is used for.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::stream::{self, ClusterInfo};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use percent_encoding::percent_decode_str;

use super::error::{ClusterError, words};

/// How to come to a NATS server and be let in.
#[derive(Clone, Default)]
pub struct Access {
    /// Its address, or several of one cluster with commas between; may hold user and password, or a token.
    pub url: String,
    /// A credentials file (JWT and seed), as NATS makes them for the users of an account.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// The certificates of the authority that signed the server's own (PEM).
    pub authority: Option<PathBuf>,
    /// A certificate of ours and its key (PEM).
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The JetStream domain, where there are several.
    pub domain: Option<String>,
    /// On how many servers of a cluster everything is kept; unless given, what is new on one, and the rest as it is.
    pub replicas: Option<usize>,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access").field("url", &self.shown()).finish_non_exhaustive()
    }
}

/// A connection.
#[derive(Clone)]
pub struct Link {
    /// The connection itself.
    pub client: Client,
    /// JetStream over it.
    pub jetstream: Context,
    /// On how many servers of a cluster what we make or take up is kept, if that was said.
    pub replicas: Option<usize>,
    /// The address, without its password.
    pub url: String,
}

impl Link {
    /// A word that nobody has used before.
    pub fn token(&self) -> String {
        let inbox = self.client.new_inbox();
        inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()
    }

    /// On how many servers what is new is kept.
    pub(super) fn replicas_of_new(&self) -> usize {
        self.replicas.unwrap_or(1)
    }

    /// Has a stream that is there kept on another number of servers, and waits until they have it.
    ///
    /// # Errors
    /// [`ClusterError`] if there are not so many, or we may not.
    pub(super) async fn keep_on(&self, stream: &stream::Config, servers: usize) -> Result<(), ClusterError> {
        if stream.num_replicas == servers {
            return Ok(());
        }
        let config = stream::Config { num_replicas: servers, ..stream.clone() };
        let kept = self.jetstream.update_stream(config).await;
        let what = || format!("the stream {} on {servers} servers", stream.name);
        kept.map_err(|error| ClusterError::of(what(), &error))?;
        // Until then it may have no leader, and answers nobody.
        let began = Instant::now();
        while began.elapsed() < SPREADING {
            let stream = self.jetstream.get_stream(&stream.name).await;
            let cluster = stream.ok().and_then(|stream| stream.cached_info().cluster.clone());
            if cluster.is_some_and(|cluster| is_spread(&cluster, servers)) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Err(ClusterError::Failed { what: what(), why: "it is not there yet; try again".into() })
    }
}

/// The oldest server that can be used.
const OLDEST: (i64, i64, &str) = (2, 10, "2.10");
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a stream may take until as many servers have it as is wanted.
const SPREADING: Duration = Duration::from_secs(30);

/// Whether so many servers have all of a stream.
fn is_spread(cluster: &ClusterInfo, servers: usize) -> bool {
    let others = cluster.replicas.iter().filter(|other| other.current && !other.offline).count();
    cluster.leader.is_some() && others + 1 == servers && cluster.replicas.len() == others
}

impl Access {
    /// The address without what nobody should see.
    pub fn shown(&self) -> String {
        let shown = |address: &str| {
            let address = address.trim().parse::<ServerAddr>().ok()?;
            Some(format!("{}://{}:{}", address.scheme(), address.host(), address.port()))
        };
        let parsed: Option<Vec<String>> = self.url.split(',').map(shown).collect();
        // Of what is no address nobody knows where a password ends.
        parsed.map(|all| all.join(",")).unwrap_or_else(|| match self.url.rsplit_once('@') {
            Some((_, rest)) => format!("…@{rest}"),
            None => self.url.clone(),
        })
    }

    /// Connects, and looks whether the server can do what is needed. `name` is what the server's lists show of us.
    ///
    /// # Errors
    /// [`ClusterError`] that says what to mend.
    pub async fn connect(&self, name: &str) -> Result<Link, ClusterError> {
        let url = self.shown();
        let addresses = self.addresses()?;
        let said: Arc<Mutex<Option<String>>> = Arc::default();
        let options = admitted(self.options(name, said.clone()).await?, &addresses);
        let client = match options.connect(addresses).await {
            Ok(client) => client,
            Err(error) => return Err(refused(url, error.kind(), words(&error))),
        };
        let (major, minor, needed) = OLDEST;
        if !client.is_server_compatible(major, minor, 0) {
            return Err(ClusterError::TooOld { url, found: client.server_info().version, needed });
        }
        let builder = jetstream::ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE);
        let jetstream = match &self.domain {
            None => builder.build(client.clone()),
            Some(domain) => builder.domain(domain).build(client.clone()),
        };
        if let Err(error) = jetstream.query_account().await {
            // What the server had to say of our rights comes aside from the answer, if at all.
            let said = said.lock().unwrap_or_else(PoisonError::into_inner).take();
            let why = said.map_or_else(|| words(&error), |said| format!("{}; the server says: {said}", words(&error)));
            return Err(ClusterError::NoJetStream { url, why });
        }
        Ok(Link { client, jetstream, replicas: self.replicas, url })
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, ClusterError> {
        if self.url.trim().is_empty() {
            return Err(ClusterError::Address { url: String::new(), why: "nothing is named".into() });
        }
        let parse = |address: &str| {
            address
                .trim()
                .parse::<ServerAddr>()
                .map_err(|error| ClusterError::Address { url: self.shown(), why: words(&error) })
        };
        self.url.split(',').map(parse).collect()
    }

    async fn options(&self, name: &str, said: Arc<Mutex<Option<String>>>) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            // What a server is slow to take waits here and not at the sender, so that a lease is renewed all the same.
            .client_capacity(4_096)
            .event_callback(move |event| {
                note(&event, &said);
                std::future::ready(())
            });
        if let Some(path) = &self.credentials {
            let error = |error: std::io::Error| unusable(path, "a credentials file", &error);
            options = options.credentials_file(path).await.map_err(error)?;
        }
        if let Some(path) = &self.nkey {
            let error = |error: std::io::Error| unusable(path, "the seed of an nkey", &error);
            let seed = std::fs::read_to_string(path).map_err(error)?.trim().to_owned();
            if !(seed.starts_with('S') && seed.len() > 50 && seed.chars().all(|c| c.is_ascii_alphanumeric())) {
                let why = "holds no seed of an nkey: one line of capital letters and digits that begins with S".into();
                return Err(ClusterError::File { path: path.clone(), why });
            }
            options = options.nkey(seed);
        }
        // Whoever names certificates wants no connection that anybody can read.
        if self.authority.is_some() || self.certificate.is_some() {
            options = options.require_tls(true);
        }
        if let Some(path) = &self.authority {
            holds(path, "CERTIFICATE-----")?;
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            holds(certificate, "CERTIFICATE-----")?;
            holds(key, "PRIVATE KEY-----")?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }
}

/// Shows what the first address that holds any says of who we are: user and password, or a token. The client does not look
/// there by itself.
fn admitted(options: ConnectOptions, addresses: &[ServerAddr]) -> ConnectOptions {
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let found = addresses.iter().find_map(|address| address.username().map(|user| (user, address.password())));
    match found {
        None => options,
        Some((token, None)) => options.token(plain(token)),
        Some((user, Some(password))) => options.user_and_password(plain(user), plain(password)),
    }
}

/// Tells what happens to the connection: once it stands it comes back by itself, and nobody else would say so.
fn note(event: &Event, said: &Mutex<Option<String>>) {
    match event {
        Event::Connected => tracing::debug!("connected to the NATS server"),
        Event::Disconnected => tracing::warn!("the connection to the NATS server is lost; it is sought again"),
        Event::ServerError(error) => {
            let text = error.to_string();
            tracing::warn!("the NATS server says: {text}");
            *said.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
        other => tracing::debug!("NATS: {other}"),
    }
}

fn refused(url: String, kind: ConnectErrorKind, why: String) -> ClusterError {
    match kind {
        ConnectErrorKind::ServerParse => ClusterError::Address { url, why },
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            ClusterError::Credentials { url, why }
        }
        ConnectErrorKind::Tls => ClusterError::Tls { url, why },
        _ if why.to_lowercase().contains("certificate") || why.contains("tls") || why.contains("TLS") => {
            ClusterError::Tls { url, why }
        }
        _ => ClusterError::Unreachable { url, why },
    }
}

/// Whether a file holds what it should, in PEM.
fn holds(path: &Path, what: &str) -> Result<(), ClusterError> {
    let error = |error: std::io::Error| unusable(path, "a PEM file", &error);
    let text = std::fs::read(path).map_err(error)?;
    match String::from_utf8_lossy(&text).contains(what) {
        true => Ok(()),
        false => {
            Err(ClusterError::File { path: path.to_owned(), why: format!("holds no `-----BEGIN … {what}` in PEM") })
        }
    }
}

fn unusable(path: &Path, what: &str, error: &std::io::Error) -> ClusterError {
    ClusterError::File { path: path.to_owned(), why: format!("cannot be used as {what}: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let shown = |url: &str| Access { url: url.into(), ..Access::default() }.shown();
        assert_eq!(shown("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(shown("token@host:4222, tls://u:p@other"), "nats://host:4222,tls://other:4222");
        assert_eq!(shown("127.0.0.1"), "nats://127.0.0.1:4222");
        assert_eq!(shown("nats://me:se,cret@host"), "…@host");
        assert_eq!(shown("foo:bar:baz"), "foo:bar:baz");
        assert_eq!(
            format!("{:?}", Access { url: "nats://a:b@c".into(), ..Access::default() }),
            "Access { url: \"nats://c:4222\", .. }"
        );
    }
}
