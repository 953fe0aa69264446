//! How the program's own messages look and where they go: standard error as asked for by `-v`, and a run's `log.jsonl`.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The run's log, once there is one.
static RUN_LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// Prints errors without breaking their lines: a terminal does that itself, and a script wants to find a path whole.
pub fn errors_unbroken() {
    // The hook can be set once; a second call leaves the first.
    let _ = miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())));
}

/// Sends messages to standard error: warnings, then with each `-v` information, details, everything.
pub fn to_terminal(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // What the client of NATS has to say comes back as an error or an event, too, and is told from there.
    let theirs = if verbose < 2 { LevelFilter::OFF } else { level };
    let shown = Targets::new().with_default(level).with_target("async_nats", theirs);
    let terminal = fmt::layer().without_time().with_writer(std::io::stderr).with_target(false).with_filter(shown);
    let file =
        fmt::layer().json().with_writer(|| RunLog).with_filter(Targets::new().with_target("mota", LevelFilter::DEBUG));
    tracing_subscriber::registry().with(terminal).with(file).init();
}

/// Sends messages to `log.jsonl` of a run's folder as well. A log that cannot be written does not fail the run.
pub fn to_run(folder: &Path) {
    match File::options().create(true).append(true).open(folder.join("log.jsonl")) {
        Ok(file) => {
            let _ = RUN_LOG.set(Mutex::new(file));
        }
        Err(error) => tracing::warn!("{}: no log is written: {error}", folder.display()),
    }
}

/// Writes to the run's log if there is one.
struct RunLog;

impl std::io::Write for RunLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match RUN_LOG.get().and_then(|file| file.lock().ok()) {
            Some(mut file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
