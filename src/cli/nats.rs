//! Where a NATS server is and how it is come to, as typed or as the environment has it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Failure, interrupt};
use crate::cluster::{Access, ClusterError};

/// How a NATS server lets us in. Only with --nats.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "NATS")]
pub struct AccessArgs {
    /// Credentials file of a user (JWT and seed)
    #[arg(long, value_name = "FILE", env = "NATS_CREDS", hide_env_values = true)]
    nats_creds: Option<PathBuf>,
    /// File with the seed of an nkey
    #[arg(long, value_name = "FILE", env = "NATS_NKEY", hide_env_values = true, hide_short_help = true)]
    nats_nkey: Option<PathBuf>,
    /// Certificates of the authority that signed the server's own (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_CA", hide_env_values = true)]
    nats_ca: Option<PathBuf>,
    /// A certificate of our own (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_CERT", hide_env_values = true)]
    nats_cert: Option<PathBuf>,
    /// The key of that certificate (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_KEY", hide_env_values = true)]
    nats_key: Option<PathBuf>,
    /// JetStream domain, where a server has several
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    nats_domain: Option<String>,
    /// On how many servers of a cluster everything is kept, 1 to 5 [default: as it is, and what is new on 1]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u8).range(1..=5))]
    nats_replicas: Option<u8>,
}

/// Work that may be spread over the workers of a NATS server.
#[derive(Clone, Debug, Default, Args)]
pub struct NatsArgs {
    /// Have the work done by the workers of this NATS server (mota worker), such as nats://HOST:4222
    #[arg(long, value_name = "URL", help_heading = "NATS")]
    nats: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
    /// Silence after which the work of a worker goes to another one, such as 30s
    #[arg(
        long, value_name = "TIME", default_value = "30s", requires = "nats", hide_short_help = true,
        value_parser = lease, help_heading = "NATS"
    )]
    lease: Duration,
}

impl NatsArgs {
    /// The server, if the work is to be spread.
    ///
    /// # Errors
    /// [`Failure`] if what was typed does not go together.
    pub fn access(&self) -> Result<Option<Access>, Failure> {
        match &self.nats {
            Some(url) => Ok(Some(self.access.to(url)?)),
            // What the environment says holds for whoever needs it; what is typed is meant.
            None => match self.access.typed() {
                Some(option) => Err(Failure::bad_input(format!("{option} says nothing without --nats URL"))),
                None => Ok(None),
            },
        }
    }

    /// Silence after which work goes to another worker.
    pub fn lease(&self) -> Duration {
        self.lease
    }
}

impl AccessArgs {
    /// The way to a server.
    ///
    /// # Errors
    /// [`Failure`] if of a certificate and its key there is only one.
    pub fn to(&self, url: &str) -> Result<Access, Failure> {
        let certificate = match (&self.nats_cert, &self.nats_key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (None, None) => None,
            _ => return Err(Failure::bad_input("--nats-cert and --nats-key (NATS_CERT, NATS_KEY) go together")),
        };
        Ok(Access {
            url: url.to_owned(),
            credentials: self.nats_creds.clone(),
            nkey: self.nats_nkey.clone(),
            authority: self.nats_ca.clone(),
            certificate,
            domain: self.nats_domain.clone(),
            replicas: self.nats_replicas.map(usize::from),
        })
    }

    /// An option that was typed, and did not come from the environment.
    fn typed(&self) -> Option<&'static str> {
        let options = [
            ("--nats-creds", "NATS_CREDS", &self.nats_creds),
            ("--nats-nkey", "NATS_NKEY", &self.nats_nkey),
            ("--nats-ca", "NATS_CA", &self.nats_ca),
            ("--nats-cert", "NATS_CERT", &self.nats_cert),
            ("--nats-key", "NATS_KEY", &self.nats_key),
        ];
        let is_typed = |variable: &str, value: &Option<PathBuf>| {
            value.as_ref().is_some_and(|path| std::env::var_os(variable).is_none_or(|kept| kept != path.as_os_str()))
        };
        options.into_iter().find(|(_, variable, value)| is_typed(variable, value)).map(|(option, ..)| option)
    }
}

/// A length of time that a lease may have.
fn lease(text: &str) -> Result<Duration, String> {
    let lease = interrupt::duration(text)?;
    match (2.0..=3_600.0).contains(&lease.as_secs_f64()) {
        true => Ok(lease),
        false => Err("a lease lasts from 2s to 1h".into()),
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Address { .. }
            | ClusterError::Credentials { .. }
            | ClusterError::File { .. }
            | ClusterError::Different { .. }
            | ClusterError::Republished { .. }
            | ClusterError::Unreadable { .. } => Failure::bad_input(error),
            error => Failure::failed(error),
        }
    }
}
