//! `mota import`: towers of other games as floor files.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;

use super::output;
use super::written;
use super::{Exit, Failure};
use crate::format;
use crate::format::h5mota::{self, ImportError, Modelled, Options, Report};
use crate::report::{ReportError, imported, write_tables};

/// The games.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// A project of the HTML5 engine: its floors, monsters, items, shops and scripted events
    H5mota(H5motaArgs),
}

impl ImportCommand {
    /// Imports it.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            ImportCommand::H5mota(args) => args.run(),
        }
    }
}

/// Arguments of `mota import h5mota`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota import h5mota my-tower -o my-tower.toml
  mota import h5mota my-tower -o my-tower.toml --tables tables
  mota import h5mota my-tower -o my-tower.toml --goal boss=redKing --exit MT10:6,1

What of the project's scripted events is modelled, and what not and why, is in Table B.4 (--tables). Code is parsed as far \
as it is plain and never run. What is written is a floor file like any other.")]
pub struct H5motaArgs {
    /// The folder of the project: the one with index.html, or the folder `project` within it
    folder: PathBuf,
    /// The file to write; nothing is written unless given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Whose defeat wins the game, by the monster's id; unless given, events do
    #[arg(long, value_name = "boss=ID", value_parser = boss)]
    goal: Option<String>,
    /// Where the game is won once the boss is defeated
    #[arg(long, value_name = "FLOOR:X,Y", requires = "goal", value_parser = exit)]
    exit: Option<(String, u16, u16)>,
    /// The difficulty to play, by its name; the first unless given
    #[arg(long, value_name = "NAME")]
    difficulty: Option<String>,
    /// Take a call or a name of the project's own code to be a number; may be repeated
    #[arg(long, value_name = "PATH=NUMBER", value_parser = assumption)]
    assume: Vec<(String, crate::game::Number)>,
    /// Fail on the first scripted event that is not modelled in full
    #[arg(long)]
    strict: bool,
    /// Write the tables of events and of what else is not modelled to this folder, as CSV, Markdown, LaTeX and Parquet
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Print JSON (its schema: mota schema import)
    #[arg(long)]
    json: bool,
}

/// What `mota import h5mota --json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImportOutput {
    /// Instructions that change the game's state, in all events.
    pub changes: usize,
    /// Those that are modelled.
    pub changes_modelled: usize,
    /// Calls of the project's own code of which no file that is read says what they do; not among the changes.
    pub unknown: usize,
    /// The files written.
    pub written: Vec<PathBuf>,
    /// What became of the project, event by event.
    #[serde(flatten)]
    pub report: Report,
}

impl H5motaArgs {
    /// Imports the project, writes it and says what became of it.
    pub fn run(self) -> Result<Exit, Failure> {
        let options = Options { boss: self.goal, exit: self.exit, difficulty: self.difficulty, assume: self.assume };
        let import = h5mota::import(&self.folder, &options)?;
        let report = &import.report;
        let mut files = Vec::new();
        if let Some(folder) = &self.tables {
            let tables = [
                imported::events(report).map_err(ReportError::from)?,
                imported::others(report).map_err(ReportError::from)?,
            ];
            files.extend(write_tables(&tables, folder)?);
        }
        if self.strict
            && let Some(first) =
                report.events.iter().find(|event| event.modelled != Modelled::Yes && event.modelled != Modelled::Show)
        {
            let place = match (first.x, first.y) {
                (Some(x), Some(y)) => format!("{} ({x},{y})", first.floor),
                _ => first.floor.clone(),
            };
            return Err(Failure::bad_input(format!(
                "{place}: {} is not modelled in full: {} ({} of {} changes)",
                first.trigger, first.why, first.changes_modelled, first.changes
            )));
        }
        if let Some(path) = &self.output {
            output::file(path, format::write_native(&import.tower).as_bytes())?;
            files.push(path.clone());
        }
        let (changes, changes_modelled) = report.changes();
        match self.json {
            true => output::json(&ImportOutput {
                changes,
                changes_modelled,
                unknown: report.unknown(),
                written: files,
                report: report.clone(),
            })?,
            false => {
                let root = self.tables.as_deref().unwrap_or(std::path::Path::new(""));
                let wrote = if files.is_empty() {
                    String::new()
                } else {
                    format!("\nwritten\n{}", written::lines(&files, root))
                };
                output::text(&(text(report, &import.tower) + &wrote))?;
            }
        }
        Ok(Exit::Done)
    }
}

/// What became of a project, for people.
fn text(report: &Report, tower: &crate::game::Tower) -> String {
    let (all, modelled) = report.changes();
    let share = report.share().map_or(String::new(), |share| format!(" ({share:.1} %)"));
    let mut text = format!("{}: {} floors, hero at {}\n", report.title, report.floors, tower.start);
    if let Some(difficulty) = &report.difficulty {
        text += &format!("difficulty        {difficulty}\n");
    }
    text += &format!("goal              {}\n", report.goal);
    text += &format!(
        "kinds             {} monsters, {} items and {} doors of its own, {} variables\n",
        tower.monsters.len(),
        tower.things.len(),
        tower.gates.len(),
        tower.variables.len()
    );
    text += &format!(
        "ways              {} pairs of stairs, {} one-way passages, {} sides that cannot be crossed\n",
        tower.stairs.len(),
        tower.passages.len(),
        tower.barriers.len()
    );
    text += &format!(
        "scripted events   {}: {} modelled, {} partly, {} not, {} only show something\n",
        report.events.len(),
        report.count(Modelled::Yes),
        report.count(Modelled::Partly),
        report.count(Modelled::No),
        report.count(Modelled::Show)
    );
    text += &format!("changes of state  {modelled} of {all} modelled{share}\n");
    match report.unknown() {
        0 => {}
        unknown => {
            text += &format!(
                "unknown           {unknown} calls of the project's own code, of which no file says what they do\n"
            )
        }
    }
    let wanting = report.events.iter().filter(|event| matches!(event.modelled, Modelled::No | Modelled::Partly));
    text += &section(
        "\nnot modelled in full\n",
        wanting.map(|event| {
            let place = match (event.x, event.y) {
                (Some(x), Some(y)) => format!("{} ({x},{y})", event.floor),
                _ => event.floor.clone(),
            };
            format!("  {place}  {}: {}\n", event.trigger, event.why)
        }),
    );
    text += &section(
        "\nother things not modelled\n",
        report
            .others
            .iter()
            .map(|other| format!("  {} {}, {} times: {}\n", other.what, other.name, other.count, other.why)),
    );
    text += &section("\nodd\n", report.oddities.iter().map(|odd| format!("  {odd}\n")));
    text
}

/// Lines that a section of the summary has at most; the tables have them all.
const MOST_LINES: usize = 15;

fn section(head: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let more = match lines.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!("  and {more} more: see --tables\n"),
    };
    head.to_owned() + &lines.into_iter().take(MOST_LINES).collect::<String>() + &more
}

fn boss(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some(("boss", id)) if !id.is_empty() => Ok(id.to_owned()),
        _ => Err("write boss=ID, with the id of a monster of the project".into()),
    }
}

fn exit(text: &str) -> Result<(String, u16, u16), String> {
    let wrong = || "write FLOOR:X,Y, such as MT10:6,1, each counted from 0".to_owned();
    let (floor, place) = text.rsplit_once(':').ok_or_else(wrong)?;
    let (x, y) = place.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong());
    Ok((floor.to_owned(), number(x)?, number(y)?))
}

fn assumption(text: &str) -> Result<(String, crate::game::Number), String> {
    let wrong = || "write PATH=NUMBER, such as core.plugin.level=0".to_owned();
    let (path, number) = text.rsplit_once('=').ok_or_else(wrong)?;
    let _: crate::game::Ratio = number.trim().parse().map_err(|_| wrong())?;
    let (whole, decimals) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
    let numerator: i128 = format!("{whole}{decimals}").parse().map_err(|_| wrong())?;
    let number = crate::game::Number::new(numerator, 10_i128.pow(decimals.len() as u32)).ok_or_else(wrong)?;
    Ok((path.trim().to_owned(), number))
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::File(error) => error.into(),
            other => Failure { reports: vec![miette::Report::new(other)], exit: Exit::BadInput },
        }
    }
}
