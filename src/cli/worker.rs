//! `mota worker`: does work that others have published on a NATS server.

use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::nats::AccessArgs;
use super::progress::threads;
use super::runtime::{Interrupts, Words};
use super::{Exit, Failure, interrupt, output};
use crate::cluster::Kind;
use crate::cluster::bench::Myself;
use crate::cluster::worker::{WorkerOptions, work};
use crate::eval::config::is_name;

/// Arguments of `mota worker`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota worker --nats nats://queue:4222
  mota worker --nats nats://queue:4222 --agents 'llama-*' --jobs 8
  mota worker --nats nats://queue:4222 --agents '@*' --idle 10m

A worker plays the episodes of `mota run --nats`, and does pieces of `mota generate --nats` (@floors, @towers) and of \
`mota analyze --nats` (@analysis). The keys of models are read from its own environment; an agent whose key is missing \
or refused here is left to other workers. What it works on goes to another worker when it ends, on Ctrl-C at once, after a \
kill when the lease is over; every decision that was made is kept.

Whoever can publish on the server has workers call any address with any key that the worker's environment holds: let only \
those in whom you trust.")]
pub struct WorkerArgs {
    /// The NATS server
    #[arg(long, value_name = "URL", env = "NATS_URL", hide_env_values = true, help_heading = "NATS")]
    nats: String,
    #[command(flatten)]
    access: AccessArgs,
    /// Agents whose episodes it takes, as a pattern; repeat for several [default: all, and all other work]
    #[arg(long, value_name = "GLOB", value_parser = doers)]
    agents: Vec<glob::Pattern>,
    /// Episodes or pieces of work at once; of pieces no more than there are cores
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// End after so long without work, such as 10m [default: never]
    #[arg(long, value_name = "TIME", value_parser = interrupt::duration)]
    idle: Option<Duration>,
    /// Its name in progress and logs: letters, digits, `_`, `-` and `.` [default: host and process]
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// Start the programs of `command` agents, which whoever publishes a run names
    #[arg(long)]
    commands: bool,
    /// Print what was done as JSON (its schema: mota schema worker)
    #[arg(long)]
    json: bool,
}

/// What `mota worker --json` prints when it ends.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WorkerOutput {
    /// Its name.
    name: String,
    /// Items that it made whole.
    whole: u64,
    /// Items that went back to other workers.
    back: u64,
    /// Whether it was asked to end.
    interrupted: bool,
}

/// Whose work to take: a pattern of agents' names, or of the other kinds of work, which begin with `@`.
fn doers(text: &str) -> Result<glob::Pattern, String> {
    let pattern = glob::Pattern::new(text).map_err(|error| error.to_string())?;
    let kinds = [Kind::Floors, Kind::Towers, Kind::Analysis].map(Kind::doer);
    match text.starts_with('@') && !kinds.iter().any(|kind| pattern.matches(kind)) {
        true => Err(format!("of work that no agent does there is {}", kinds.join(", "))),
        false => Ok(pattern),
    }
}

impl WorkerArgs {
    /// Works until it is asked to end, or has nothing to do.
    pub fn run(self) -> Result<Exit, Failure> {
        let access = self.access.to(&self.nats)?;
        let name = self.name.clone().unwrap_or_else(own_name);
        let doers = match self.agents.is_empty() {
            true => vec![glob::Pattern::new("*").map_err(Failure::bad_input)?],
            false => self.agents.clone(),
        };
        let options = WorkerOptions {
            myself: Myself { name: name.clone(), runs_commands: self.commands },
            doers,
            jobs: self.jobs.into(),
            pieces: threads(None).min(self.jobs.into()),
            idle: self.idle,
        };
        let interrupts = Interrupts::new(Words::PLAYING)?;
        let worked = interrupts.runtime.block_on(async {
            let link = access.connect(&format!("mota worker {name}")).await?;
            work(&link, &options, interrupts.stop.clone(), &|line| eprintln!("{line}")).await
        })?;
        interrupts.nothing_left();
        let output = WorkerOutput { name, whole: worked.whole, back: worked.back, interrupted: worked.interrupted };
        match self.json {
            true => output::json(&output)?,
            false => output::text(&format!("{} done, {} given back\n", output.whole, output.back))?,
        }
        Ok(if worked.interrupted { Exit::Interrupted } else { Exit::Done })
    }
}

/// A name that may stand in a subject.
fn name(text: &str) -> Result<String, String> {
    match is_name(text) {
        true => Ok(text.to_owned()),
        false => Err("a name has 1 to 80 letters, digits, `_`, `-` and `.`, not `.` first".into()),
    }
}

/// Host and process: no two workers of a lab have both.
fn own_name() -> String {
    let host = std::env::var("HOSTNAME").ok().or_else(|| std::fs::read_to_string("/etc/hostname").ok());
    let host = host.map(|host| host.trim().to_owned()).filter(|host| is_name(host));
    format!("{}-{}", host.unwrap_or_else(|| "worker".into()), std::process::id())
}
