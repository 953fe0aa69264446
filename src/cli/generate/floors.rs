//! `mota generate floors`: single floors from seeds tried upwards, each kept with its optimum.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::answer::{FloorOutput, GenerateOutput};
use crate::cli::command_line::CommandLine;
use crate::cli::crew::Crew;
use crate::cli::interrupt::Interrupt;
use crate::cli::nats::NatsArgs;
use crate::cli::output;
use crate::cli::progress::{bar, threads};
use crate::cli::range::{count, range, size};
use crate::cli::{Exit, Failure};
use crate::format;
use crate::game::Tower;
use crate::generate::draft::stem;
use crate::generate::recipe::Count;
use crate::generate::{Acceptance, Finding, Order, Outcome, Recipe, Tally, search};
use crate::report;

/// Arguments of `mota generate floors`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota generate floors --seed 100 --count 5 -o floors/generated
  mota generate floors --seed 300 --count 10 -o floors/generated --more
  mota generate floors --count 1000 -o many
  mota generate floors --rooms 6x6 --room-side 5 -o harder
  mota generate floors --count 100000 -o many --nats nats://queue:4222    (made by mota worker)

Seeds are tried upwards; a floor is kept if its boss can be defeated and its optimum lies in the range. \
The same seed and options give the same floor. With more rooms there are more links and monsters, but \
not more gems and potions: larger floors are harder (--help lists an option for each count).

Each file states the command that makes it again, and its optimum; floors.csv and floors.md list all \
floors of the folder.")]
pub struct FloorsArgs {
    /// The first seed that is tried
    #[arg(long, value_name = "N", default_value_t = 100)]
    seed: u64,
    /// How many floors are wanted
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The folder to write them to; a single floor goes to standard output unless given
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Rooms in a row and in a column
    #[arg(long, value_name = "AxB", default_value = "3x3", value_parser = size)]
    rooms: (u16, u16),
    /// Tiles on a side of a room
    #[arg(long, value_name = "N", default_value_t = 3)]
    room_side: u16,
    /// Keep floors whose final HP under best play lies in this range, both ends counted
    #[arg(long, value_name = "A..B", default_value = "1..250", value_parser = range, allow_hyphen_values = true)]
    optimum: RangeInclusive<i64>,
    /// A floor whose monsters, item values and hero are used [default: those of the simple floor]
    #[arg(long, value_name = "FLOOR")]
    like: Option<PathBuf>,
    #[command(flatten)]
    counts: Counts,
    /// Threads [default: all cores; the floors do not depend on it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Seeds that may be tried [default: 100000 for each floor wanted]
    #[arg(long, value_name = "N")]
    tries: Option<u64>,
    /// Steps of the solver after which a floor is given up
    #[arg(long, value_name = "N", default_value_t = Acceptance::default().most_steps)]
    steps: u64,
    /// Pass over the seeds of floors of this size that the folder already holds
    #[arg(long, requires = "output", conflicts_with = "force")]
    more: bool,
    /// Replace files that are there and differ
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON (its schema: mota schema generate); needs -o
    #[arg(long, requires = "output")]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

/// How many of everything there are; unless given, as many as section B.3 has, monsters and links scaled by the number
/// of rooms.
#[derive(Debug, Args)]
struct Counts {
    /// Links beyond a spanning tree of the rooms
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    extra_links: Option<Count>,
    /// Red gems, outside the start room
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    red_gems: Option<Count>,
    /// Blue gems
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    blue_gems: Option<Count>,
    /// Red potions
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    red_potions: Option<Count>,
    /// Blue potions, outside the start room
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    blue_potions: Option<Count>,
    /// Monsters besides those in links, outside the start room
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    monsters: Option<Count>,
    /// Yellow keys fewer than yellow doors
    #[arg(long, value_name = "A..B", value_parser = count, hide_short_help = true)]
    missing_keys: Option<Count>,
}

/// The floor that lends its tables unless another is named.
const SIMPLE: &str = include_str!("../../../floors/simple.toml");

impl FloorsArgs {
    /// Makes the floors and prints what they are.
    pub fn run(self) -> Result<Exit, Failure> {
        let order = self.order()?;
        order.recipe.check().map_err(Failure::bad_input)?;
        self.command(u64::MAX)?;
        match &self.output {
            Some(folder) => {
                fs::create_dir_all(folder).map_err(|error| io_failure(folder, &error))?;
                self.check_lists(folder)?;
            }
            None if self.count > 1 => {
                return Err(Failure::bad_input("several floors need a folder to go to; name it with -o"));
            }
            None => {}
        }
        let crew = Crew::of(&self.nats, "mota generate floors")?;
        let begun = Instant::now();
        let bar = bar(u64::from(self.count), "floors", self.json);
        let (mut floors, mut kept) = (Vec::new(), Ok(()));
        let mut found = |finding: Finding| {
            bar.inc(1);
            match self.keep(&finding) {
                Ok(output) => {
                    floors.push(output);
                    ControlFlow::Continue(())
                }
                Err(failure) => {
                    kept = Err(failure);
                    ControlFlow::Break(())
                }
            }
        };
        let searched = match &crew {
            Some(crew) => crew.search(&order, &bar, &mut found),
            None => {
                let interrupt = Interrupt::listen(None);
                let tried = |tally: &Tally| bar.set_message(format!("{} seeds tried", tally.tried));
                search(&order, threads(self.jobs), &|| interrupt.stops(), found, tried).map_err(Failure::failed)
            }
        };
        bar.finish_and_clear();
        if let Some(folder) = self.output.as_ref().filter(|_| !floors.is_empty()) {
            list(folder)?;
        }
        kept?;
        let (tally, outcome) = searched?;
        let seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let answer = GenerateOutput::new(floors, &tally, outcome, seconds);
        match (self.json, &self.output) {
            (true, _) => output::json(&answer)?,
            (false, Some(_)) => output::text(&answer.text(outcome, &self.optimum))?,
            // Where the floor goes to standard output, the report must not.
            (false, None) => eprint!("{}", answer.text(outcome, &self.optimum)),
        }
        Ok(match outcome {
            Outcome::Complete => Exit::Done,
            Outcome::TriesUsedUp | Outcome::LastSeed => Exit::NotWell,
            Outcome::Stopped => Exit::Interrupted,
        })
    }

    /// Whether what stands where the lists go is of ours.
    fn check_lists(&self, folder: &Path) -> Result<(), Failure> {
        for (name, beginning) in [("floors.md", "# Floors and their optima"), ("floors.csv", "floor,size,")] {
            let path = folder.join(name);
            let ours = match fs::read(&path) {
                Ok(there) => there.is_empty() || there.starts_with(beginning.as_bytes()),
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            };
            if !ours && !self.force {
                let why = "the list of the floors goes here, and there is another file; --force replaces it";
                return Err(Failure::bad_input(format!("{}: {why}", path.display())));
            }
        }
        Ok(())
    }

    fn order(&self) -> Result<Order, Failure> {
        let table = match &self.like {
            Some(path) => format::read_tower(path)?,
            None => format::parse_tower("simple.toml", SIMPLE)?,
        };
        let (across, down) = self.rooms;
        let recipe = Recipe::sized(across, down, self.room_side, Arc::new(table));
        let held = self.output.as_ref().filter(|_| self.more).map(|folder| seeds_in(folder, &stem(&recipe)));
        Ok(Order {
            except: held.unwrap_or_default(),
            recipe: self.counts.put_into(recipe),
            acceptance: Acceptance { optimum: self.optimum.clone(), most_steps: self.steps },
            first_seed: self.seed,
            count: self.count as usize,
            most_tries: self.tries.unwrap_or(u64::from(self.count) * 100_000),
        })
    }

    /// Writes a floor, unless a file of its name holds another one.
    fn keep(&self, finding: &Finding) -> Result<FloorOutput, Failure> {
        let tower = finding.tower(self.command(finding.draft.seed)?);
        let text = format::write_native(&tower);
        let kept = |file: String| FloorOutput {
            seed: finding.draft.seed,
            file,
            optimum: finding.optimum,
            atk: finding.hero.atk,
            def: finding.hero.def,
        };
        let Some(folder) = &self.output else {
            output::text(&text)?;
            return Ok(kept("standard output".into()));
        };
        let path = folder.join(format!("{}.toml", tower.name));
        match fs::read(&path) {
            Ok(there) if there == text.as_bytes() => {}
            // What a command that was killed had begun to write is finished.
            Ok(there) if !self.force && !text.as_bytes().starts_with(&there) => {
                let why = format!("{}: there is another floor of this name; --force replaces it", path.display());
                return Err(Failure::bad_input(why));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_failure(&path, &error)),
            _ => output::file(&path, text.as_bytes())?,
        }
        Ok(kept(path.display().to_string()))
    }

    /// The command that makes one floor again.
    fn command(&self, seed: u64) -> Result<String, Failure> {
        let default = Acceptance::default();
        let (across, down) = self.rooms;
        let mut line = CommandLine::new("mota generate floors").option("--seed", seed).option("--count", 1);
        line = line.option_if("--rooms", (self.rooms != (3, 3)).then(|| format!("{across}x{down}")));
        line = line.option_if("--room-side", (self.room_side != 3).then_some(self.room_side));
        line = line.option_if("--optimum", (self.optimum != default.optimum).then(|| typed(&self.optimum)));
        line = match &self.like {
            Some(path) => line.word("--like").path(path),
            None => line,
        };
        for (option, given) in self.counts.named() {
            line = line.option_if(option, given.as_ref().map(|range| format!("{}..{}", range.start(), range.end())));
        }
        line.option_if("--steps", (self.steps != default.most_steps).then_some(self.steps)).finish()
    }
}

impl Counts {
    fn named(&self) -> [(&'static str, &Option<Count>); 7] {
        [
            ("--extra-links", &self.extra_links),
            ("--red-gems", &self.red_gems),
            ("--blue-gems", &self.blue_gems),
            ("--red-potions", &self.red_potions),
            ("--blue-potions", &self.blue_potions),
            ("--monsters", &self.monsters),
            ("--missing-keys", &self.missing_keys),
        ]
    }

    fn put_into(&self, mut recipe: Recipe) -> Recipe {
        let put = |into: &mut Count, given: &Option<Count>| {
            if let Some(given) = given {
                *into = given.clone();
            }
        };
        put(&mut recipe.extra_links, &self.extra_links);
        put(&mut recipe.red_gems, &self.red_gems);
        put(&mut recipe.blue_gems, &self.blue_gems);
        put(&mut recipe.red_potions, &self.red_potions);
        put(&mut recipe.blue_potions, &self.blue_potions);
        put(&mut recipe.monsters, &self.monsters);
        put(&mut recipe.missing_keys, &self.missing_keys);
        recipe
    }
}

/// Lists all floors of the folder in `floors.csv` and `floors.md`.
fn list(folder: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| io_failure(folder, &error))?;
    let mut towers: Vec<Tower> = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            // A file that is no floor is none of ours.
            towers.extend(format::read_tower(&path).ok());
        }
    }
    // `generated-99` before `generated-103`.
    towers.sort_by(|one, other| (one.name.len(), &one.name).cmp(&(other.name.len(), &other.name)));
    report::write_floors(&towers, folder)?;
    Ok(())
}

/// The seeds of the floors in a folder whose names begin so.
fn seeds_in(folder: &Path, stem: &str) -> BTreeSet<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| name.strip_prefix(stem)?.strip_suffix(".toml")?.parse().ok()).collect()
}

/// A range as it is typed.
pub(super) fn typed(range: &RangeInclusive<i64>) -> String {
    let end = |end: i64, open: i64| if end == open { String::new() } else { end.to_string() };
    format!("{}..{}", end(*range.start(), i64::MIN), end(*range.end(), i64::MAX))
}

fn io_failure(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("{}: {error}", path.display()))
}
