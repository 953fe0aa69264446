//! The program: what was typed, turned into a command and its exit code.

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
                eprintln!("{report:?}");
            }
            failure.exit.into()
        }
    }
}
