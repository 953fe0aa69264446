//! The program: what was typed, turned into a command and its exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use mota::cli::{Cli, log};

fn main() -> ExitCode {
    let cli = Cli::parse();
    log::errors_unbroken();
    log::to_terminal(cli.verbose);
    match cli.command.run() {
        Ok(exit) => exit.into(),
        Err(failure) => {
            for report in &failure.reports {
                // Who has closed standard error does not want to know.
                let _ = writeln!(std::io::stderr(), "{report:?}");
            }
            failure.exit.into()
        }
    }
}
