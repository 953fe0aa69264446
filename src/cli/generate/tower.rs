//! `mota generate tower`: a tower of several floors from plain words, or from a description.

use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::answer::TowerOutput;
use crate::cli::command_line::CommandLine;
use crate::cli::interrupt::Interrupt;
use crate::cli::output;
use crate::cli::range::range;
use crate::cli::{Exit, Failure};
use crate::format;
use crate::game::{Origin, Tower};
use crate::generate::tower::bestiary::Bestiary;
use crate::generate::tower::build::{self, BuildError, Made, Wishes};
use crate::generate::tower::{Description, Kinds, Request, describe, understand};
use crate::screen::clean;
use crate::solver::SolveError;

/// Arguments of `mota generate tower`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota generate tower --ask \"three floors\" --seed 7 -o tower.toml
  mota generate tower --ask \"goes down into the flooded vaults, hard, with a forge\"
  mota generate tower --ask \"two levels, easy\" --description mine.toml -o tower.toml
  mota generate tower --describe mine.toml --seed 3 -o tower.toml

What can be asked for: a number of floors, a size or a number of rooms, rooms of a kind, a code, a flood or a lock, \
a difficulty (docs/generator.md lists all words). What was understood, and what is done instead of what cannot be, is \
told on standard error.

The same words, or the same description, and the same seed give the same tower. Its file states the command that makes \
it again, and its optimum if it is proven.")]
pub struct TowerArgs {
    /// The tower in plain words
    #[arg(
        long,
        value_name = "WORDS",
        required_unless_present = "describe",
        conflicts_with = "describe",
        allow_hyphen_values = true
    )]
    ask: Option<String>,
    /// A file that describes the tower
    #[arg(long, value_name = "FILE")]
    describe: Option<PathBuf>,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write the tower to; standard output unless given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the description that was made of the words to this file, to change it and to draw from it
    #[arg(long, value_name = "FILE", requires = "ask")]
    description: Option<PathBuf>,
    /// A table of room kinds [default: the one that comes with the program, floors/kinds.toml]
    #[arg(long, value_name = "FILE")]
    kinds: Option<PathBuf>,
    /// Final HP under best play that is wanted, both ends counted [default: by the difficulty]
    #[arg(long, value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    optimum: Option<RangeInclusive<i64>>,
    /// Drawings that are tried
    #[arg(long, value_name = "N", default_value_t = Wishes::default().attempts, value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Steps of the solver after which bounds of the optimum must do
    #[arg(long, value_name = "N", default_value_t = Wishes::default().most_steps)]
    steps: u64,
    /// Replace files that are there and differ
    #[arg(long)]
    force: bool,
    /// Print JSON (its schema: mota schema generate-tower); needs -o
    #[arg(long, requires = "output")]
    json: bool,
}

impl TowerArgs {
    /// Makes the tower and prints what it is.
    pub fn run(self) -> Result<Exit, Failure> {
        let kinds = self.table()?;
        let request = self.ask.as_deref().map(|ask| understand(ask, &kinds)).transpose().map_err(Failure::bad_input)?;
        let description = self.described(request.as_ref(), &kinds)?;
        let command = self.command(request.as_ref())?;
        if self.output.is_some() && self.output == self.description {
            return Err(Failure::bad_input(
                "the tower and its description go to one file; name another with --description",
            ));
        }
        for path in [&self.output, &self.description].into_iter().flatten() {
            output::check(path)?;
        }
        let mut told = request.map(|request| request.told).unwrap_or_default();
        told.iter().for_each(|line| tell(line));
        if let Some(path) = &self.description {
            self.write(path, &description.to_toml().map_err(Failure::failed)?, "description")?;
        }
        let interrupt = Interrupt::listen(None);
        let begun = Instant::now();
        let made = match build::tower(&description, &kinds, self.seed, &self.wishes(), &|| interrupt.stops()) {
            Ok(made) => made,
            Err(BuildError::Solve(SolveError::Stopped)) => {
                tell("interrupted");
                return Ok(Exit::Interrupted);
            }
            Err(error @ BuildError::Kind(_)) => return Err(Failure::bad_input(error)),
            Err(error) => return Err(Failure::failed(error)),
        };
        let seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        made.told.iter().for_each(|line| tell(line));
        told.extend(made.told.iter().cloned());
        let Made { tower, worth, attempts, .. } = made;
        let tower = with_command(tower, command);
        let text = format::write_native(&tower);
        match &self.output {
            Some(path) => self.write(path, &text, "tower")?,
            None => output::text(&text)?,
        }
        let rooms = description.floors.iter().map(|floor| floor.rooms.len()).collect();
        let file = self.output.as_ref().map(|path| path.display().to_string());
        let answer = TowerOutput { name: tower.name, seed: self.seed, file, rooms, told, worth, attempts, seconds };
        tell(&answer.line());
        if self.json {
            output::json(&answer.answer())?;
        }
        Ok(Exit::Done)
    }

    fn table(&self) -> Result<Kinds, Failure> {
        let Some(path) = &self.kinds else { return Ok(Kinds::standard()) };
        let text = format::read_text(path, format::SIZE_LIMIT)?;
        let named = |error: &dyn std::fmt::Display| in_file(path, error);
        Kinds::read(&text, &path.display().to_string()).map_err(|error| named(&error))
    }

    /// The description that is drawn from: of the file, or of the words.
    fn described(&self, request: Option<&Request>, kinds: &Kinds) -> Result<Description, Failure> {
        let description = match (&self.describe, request) {
            (Some(path), _) => {
                let text = format::read_text(path, format::SIZE_LIMIT)?;
                let description = Description::read(&text, &path.display().to_string()).map_err(Failure::bad_input)?;
                let bestiary = Bestiary::standard();
                let monsters: Vec<&str> =
                    bestiary.types.iter().flat_map(|row| row.names.iter().map(String::as_str)).collect();
                description.check_names(kinds, &monsters).map_err(|error| in_file(path, &error))?;
                description
            }
            (None, Some(request)) => describe(request, kinds, self.seed),
            (None, None) => return Err(Failure::bad_input("say what is wanted, with --ask or --describe")),
        };
        Ok(description)
    }

    fn wishes(&self) -> Wishes {
        Wishes { optimum: self.optimum.clone(), most_steps: self.steps, attempts: self.attempts }
    }

    fn write(&self, path: &Path, text: &str, what: &str) -> Result<(), Failure> {
        write(path, text, what, self.force)
    }

    /// The command that makes the tower again.
    fn command(&self, request: Option<&Request>) -> Result<String, Failure> {
        let mut line = CommandLine::new("mota generate tower");
        line = line.option_if("--ask", request.map(|request| request.ask.as_str()));
        for (option, path) in [("--describe", &self.describe), ("--kinds", &self.kinds)] {
            line = match path {
                Some(path) => line.word(option).path(path),
                None => line,
            };
        }
        let default = Wishes::default();
        let typed = |range: &RangeInclusive<i64>| super::floors::typed(range);
        line.option("--seed", self.seed)
            .option_if("--optimum", self.optimum.as_ref().map(typed))
            .option_if("--attempts", (self.attempts != default.attempts).then_some(self.attempts))
            .option_if("--steps", (self.steps != default.most_steps).then_some(self.steps))
            .finish()
    }
}

/// Writes a file, unless there is another one.
pub(super) fn write(path: &Path, text: &str, what: &str, force: bool) -> Result<(), Failure> {
    match fs::read(path) {
        Ok(there) if there == text.as_bytes() => Ok(()),
        Ok(there) if !force && !text.as_bytes().starts_with(&there) => {
            let why =
                format!("{}: there is another file, and the {what} goes here; --force replaces it", path.display());
            Err(Failure::bad_input(why))
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::failed(format!("{}: {error}", path.display())))
        }
        _ => output::file(path, text.as_bytes()),
    }
}

/// The tower with the command that makes it again.
pub(super) fn with_command(mut tower: Tower, command: String) -> Tower {
    let (random, optimum) = tower.origin.map_or((None, None), |origin| (origin.random, origin.optimum));
    tower.origin = Some(Origin { command, random, optimum });
    tower
}

/// Tells a line on standard error, whoever's words are in it.
pub(super) fn tell(line: &str) {
    eprintln!("{}", clean::line(line));
}

fn in_file(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    let (path, error) = (path.display().to_string(), error.to_string());
    // Some errors name the file themselves.
    Failure::bad_input(if error.starts_with(&path) { error } else { format!("{path}: {error}") })
}
