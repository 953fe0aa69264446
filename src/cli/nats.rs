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
    #[arg(long, value_name = "FILE", env = "NATS_CERT", hide_env_values = true, requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// The key of that certificate (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_KEY", hide_env_values = true)]
    nats_key: Option<PathBuf>,
    /// JetStream domain, where a server has several
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    nats_domain: Option<String>,
    /// On how many servers of a cluster everything is kept, 1 to 5
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true, value_parser = clap::value_parser!(u8).range(1..=5))]
    nats_replicas: u8,
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
    pub fn access(&self) -> Option<Access> {
        self.nats.as_ref().map(|url| self.access.to(url))
    }

    /// Silence after which work goes to another worker.
    pub fn lease(&self) -> Duration {
        self.lease
    }
}

impl AccessArgs {
    /// The way to a server.
    pub fn to(&self, url: &str) -> Access {
        Access {
            url: url.to_owned(),
            credentials: self.nats_creds.clone(),
            nkey: self.nats_nkey.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
            domain: self.nats_domain.clone(),
            replicas: self.nats_replicas.into(),
        }
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
