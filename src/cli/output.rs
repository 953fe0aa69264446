//! Printing: JSON for scripts, text for people. A reader that has gone away is no error.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::Failure;
use crate::game::{Game, Hero, Position, Step};
use crate::prompt::observation::collected;
use crate::screen::clean;

/// Whether somebody sits before a terminal: what is typed comes from it, and what is printed goes to it.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Whether colours are wanted: NO_COLOR says that they are not.
pub fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Columns that a table may take: those of the terminal, within reason; 100 where there is none, so that files are alike.
pub fn width() -> u16 {
    match io::stdout().is_terminal() {
        true => ratatui::crossterm::terminal::size().map_or(100, |(columns, _)| columns.clamp(80, 250)),
        false => 100,
    }
}

/// Prints a text: as it is to a file or a program, and to a terminal so that nothing in it is obeyed, whoever wrote it.
pub fn text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if !out.is_terminal() {
        return quietly(out.write_all(text.as_bytes()));
    }
    let clean: Vec<String> = text.split('\n').map(clean::line).collect();
    quietly(out.write_all(clean.join("\n").as_bytes()))
}

/// Prints a value as one JSON document.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = serde_json::to_vec_pretty(value).map_err(Failure::failed)?;
    out.push(b'\n');
    quietly(io::stdout().lock().write_all(&out))
}

/// Writes a file, in place if there is one. A new one of which only a part could be written is removed.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new(STDOUT) {
        return quietly(io::stdout().lock().write_all(bytes));
    }
    let is_new = fs::symlink_metadata(path).is_err();
    fs::write(path, bytes).map_err(|error| {
        if is_new {
            // What is left of the attempt is of no use; the first error is the one to tell.
            let _ = fs::remove_file(path);
        }
        failure(path, &error)
    })
}

/// Whether a file can be written, before it is worked for.
pub fn check(path: &Path) -> Result<(), Failure> {
    if path == Path::new(STDOUT) {
        return Ok(());
    }
    let is_new = fs::symlink_metadata(path).is_err();
    fs::OpenOptions::new().append(true).create(true).open(path).map_err(|error| failure(path, &error))?;
    if is_new {
        fs::remove_file(path).map_err(|error| failure(path, &error))?;
    }
    Ok(())
}

/// The name by which standard output is a file. Opened as one, it would be written over from its beginning.
const STDOUT: &str = "/dev/stdout";

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("{}: {error}", path.display()))
}

fn quietly(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::failed),
    }
}

/// One decision of a route.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RouteStep {
    /// Its number, from 1.
    pub turn: u32,
    /// The tile that it clears or uses.
    pub target: Position,
    /// What it does.
    pub text: String,
    /// HP that it costs.
    pub damage: i64,
    /// What is collected after it.
    pub collects: Vec<String>,
    /// The hero after it.
    pub hero: Hero,
}

impl RouteStep {
    /// A step of a route, from the hero's HP before it.
    pub fn new(game: &Game, step: &Step) -> Self {
        let damage = match step.action.kind {
            crate::game::ActionKind::Fight { fight, .. } => fight.damage().unwrap_or(0),
            _ => 0,
        };
        RouteStep {
            turn: step.state.turn,
            target: step.action.target,
            text: game.describe_action(&step.action),
            damage,
            collects: collected(game, &step.collected),
            hero: step.state.hero,
        }
    }
}

/// The hero in one line: `HP 68  ATK 16  DEF 20  MDEF 20  keys 1 yellow`.
pub fn hero_line(hero: &Hero) -> String {
    let mut line = format!("HP {}  ATK {}  DEF {}  MDEF {}", hero.hp, hero.atk, hero.def, hero.mdef);
    if hero.gold != 0 {
        line += &format!("  gold {}", hero.gold);
    }
    if hero.experience != 0 {
        line += &format!("  experience {}", hero.experience);
    }
    let keys: Vec<String> = (crate::game::Colour::ALL.into_iter())
        .filter(|colour| hero.keys[*colour] != 0)
        .map(|colour| format!("{} {colour}", hero.keys[colour]))
        .collect();
    match keys.is_empty() {
        true => line + "  no keys",
        false => line + "  keys " + &keys.join(", "),
    }
}
