//! `mota completions`: a completion script for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::output;
use super::{Cli, Exit, Failure};

/// Arguments of `mota completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota completions bash > ~/.local/share/bash-completion/completions/mota")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    pub fn run(self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "mota", &mut script);
        output::text(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
