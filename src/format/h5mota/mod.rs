//! Projects of the HTML5 engine, read as towers: floors, monsters, items, doors, shops and scripted events, with names of
//! both generations. What the game has no counterpart of is told, and left out; code is parsed as far as it is plain, and
//! never run.

mod ahead;
mod block;
mod build;
mod calc;
mod cell;
mod code;
mod error;
mod events;
mod fold;
mod gain;
mod instruct;
mod kinds;
mod levels;
mod literal;
mod names;
mod options;
mod placed;
mod project;
mod report;
mod source;
mod start;
mod starts;
mod ways;

use std::path::Path;

pub use error::ImportError;
pub use options::Options;
pub use project::LARGEST_SIDE;
pub use report::{EventNote, Modelled, OtherNote, Report};

use crate::game::{Ability, Floor, Goal, Instruction, Position, Tile, Tower, script};
use build::Builder;
use events::Events;
use project::Project;

/// A tower and what is said of how it was made.
#[derive(Clone, Debug)]
pub struct Import {
    /// The tower.
    pub tower: Tower,
    /// What became of the project's events, and what is not modelled.
    pub report: Report,
}

/// Imports the project in a folder: that of the engine, or the folder `project` within it.
///
/// # Errors
/// [`ImportError`]: that a file is missing or wrong, with its place; that what was asked for is not there; that what came
/// out cannot be played.
pub fn import(folder: &Path, options: &Options) -> Result<Import, ImportError> {
    let project = Project::read(folder)?;
    let mut build = Builder::new(&project, options);
    let difficulty = build.played()?.map(|(name, _)| name.to_owned());
    let start = build.start()?;
    build.carry().map_err(ImportError::Wish)?;
    let mut events = build.events();
    // What happens at the start was read first, whatever its floor.
    events.events.sort_by_key(|event| event.at.floor);
    let floors = build.map(&mut events)?;
    let ways = build.ways();
    for (at, why) in &ways.lost {
        let place = build.place_name(*at);
        build.note("way", &place, &format!("it leads nowhere: {why}"), || place.clone());
    }
    for file in &project.unread {
        build.note(
            "file",
            file,
            "it is code, and not read: what it changes of the rules is not in the tower",
            String::new,
        );
    }
    let goal = build.goal(&events, &floors)?;
    let mut tower = Tower {
        name: name(&project),
        title: build.title(),
        note: None,
        rules: build.rules(),
        hero: build.hero(),
        start,
        items: build.values,
        floors,
        stairs: ways.stairs,
        passages: ways.passages,
        barriers: ways.barriers,
        goal: goal.0,
        events: events.events,
        things: build.things,
        gates: build.gates,
        variables: build.variables,
        monsters: build.monsters,
        ..Tower::default()
    };
    if !tower.monsters.iter().any(|monster| monster.abilities.iter().any(|ability| ability == Ability::Hatred)) {
        tower.rules.hatred = 0;
    }
    events.notes.append(&mut build.item_notes);
    let report = Report {
        title: tower.title.clone(),
        floors: tower.floors.len(),
        difficulty,
        goal: goal.1,
        has_goal: goal.2,
        events: events.notes,
        others: build.others.into_values().collect(),
        oddities: project.oddities.clone(),
    };
    tower.validate()?;
    Ok(Import { tower, report })
}

/// Blocks that cost the hero something when he steps onto them, by the engine's own code.
const NETS: [&str; 4] = ["lavaNet", "poisonNet", "weakNet", "curseNet"];
/// Places that a message names.
const MOST_NAMED: usize = 5;

/// A short name made of the project's.
fn name(project: &Project) -> String {
    let named = project.data.get("firstData").and_then(|first| first.text_of("name")).unwrap_or("");
    let plain: String =
        named.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).take(40).collect();
    if plain.is_empty() { "tower".into() } else { plain }
}

impl Builder<'_> {
    /// The floors as the game has them.
    fn map(&mut self, events: &mut Events) -> Result<Vec<Floor>, ImportError> {
        let mut floors = Vec::new();
        for index in 0..self.floors.len() {
            let (floor, plan) = (u16::try_from(index).unwrap_or(u16::MAX), &self.floors[index]);
            let (value, numbers) = (plan.value, plan.rows);
            let mut rows = Vec::new();
            for (y, row) in (0_u16..).zip(numbers) {
                let mut tiles = Vec::new();
                for (x, number) in (0_u16..).zip(row) {
                    let at = Position::new(floor, x, y);
                    let tile = self.tile(at, *number).unwrap_or_else(|why| {
                        let (id, place) = (self.blocks.get(*number).id, self.place_name(at));
                        self.note("block", &id, &format!("it is taken to be a wall: {why}"), || place);
                        Tile::Wall
                    });
                    self.note_block(at, *number);
                    let is_start = self.start().is_ok_and(|start| start == at);
                    tiles.push(match is_start && !tile.is_open() && tile != Tile::Event {
                        true => self.cleared(at, *number),
                        false => tile,
                    });
                }
                rows.push(tiles);
            }
            for (at, tile) in events.idle.iter().filter(|(at, _)| at.floor == floor) {
                if let Some(place) = rows.get_mut(usize::from(at.y)).and_then(|row| row.get_mut(usize::from(at.x))) {
                    *place = *tile;
                }
            }
            let title = kinds::clean(value.text_of("title").unwrap_or(self.floors[index].id));
            match Floor::from_rows(title, rows) {
                Some(floor) => floors.push(floor),
                None => {
                    return Err(ImportError::Wish(format!("the floor {:?} is no rectangle", self.floors[index].id)));
                }
            }
        }
        Ok(floors)
    }

    /// The hero's start, where something is in the way.
    fn cleared(&mut self, at: Position, number: u32) -> Tile {
        let (id, place) = (self.blocks.get(number).id, self.place_name(at));
        self.note("start", &place, &format!("the hero starts there, in place of `{id}`"), || place.clone());
        Tile::Floor
    }

    /// Notes what a block does that is not modelled.
    fn note_block(&mut self, at: Position, number: u32) {
        let block = self.blocks.get(number);
        let place = self.place_name(at);
        if block.script {
            self.note("block", &block.id, "its code is not run", || place.clone());
        }
        match block.trigger.as_deref() {
            None | Some("openDoor" | "null" | "action" | "battle" | "getItem" | "changeFloor") => {
                if NETS.contains(&block.id.as_str()) && !block.script {
                    self.note("block", &block.id, "what stepping onto it costs is not modelled", || place);
                }
            }
            Some(other) => {
                let why = format!("what it sets off (`{other}`) is not modelled");
                self.note("block", &block.id, &why, || place);
            }
        }
    }

    /// Checks that a boss stands on the maps, and once.
    fn only_one(&mut self, id: &str, floors: &[Floor]) -> Result<(), String> {
        let boss = Tile::Monster(self.monster(id)?);
        let mut places = Vec::new();
        for (index, floor) in (0_u16..).zip(floors) {
            places.extend(floor.tiles().filter(|(.., tile)| *tile == boss).map(|(x, y, _)| Position::new(index, x, y)));
        }
        let named: Vec<String> = places.iter().take(MOST_NAMED).map(|at| self.place_name(*at)).collect();
        match places.len() {
            1 => Ok(()),
            0 => {
                Err("it stands on no map as a monster that is simply fought; an event puts it there, or comes first"
                    .into())
            }
            count => {
                let more = if count > MOST_NAMED { ", …" } else { "" };
                Err(format!("it stands in {count} places, and a tower has one boss: {}{more}", named.join(", ")))
            }
        }
    }

    /// What wins the game, in words, and whether anything does.
    fn goal(&mut self, events: &Events, floors: &[Floor]) -> Result<(Goal, String, bool), ImportError> {
        let exit = match &self.options.exit {
            None => None,
            Some((id, x, y)) => {
                let floor = self.floor_named(id, None).map_err(|why| ImportError::Wish(format!("--exit: {why}")))?;
                let at = self.tile_at(floor, (*x).into(), (*y).into());
                Some(at.map_err(|why| ImportError::Wish(format!("--exit: {why}")))?)
            }
        };
        if let Some(id) = self.options.boss.clone() {
            self.only_one(&id, floors).map_err(|why| ImportError::Wish(format!("--goal boss={id}: {why}")))?;
            return Ok(match exit {
                Some(exit) => {
                    (Goal::Exit(exit), format!("{id} is defeated and {} reached", self.place_name(exit)), true)
                }
                None => (Goal::Boss, format!("{id} is defeated"), true),
            });
        }
        if exit.is_some() {
            return Err(ImportError::Wish(
                "--exit needs --goal boss=ID: the exit counts once the boss is defeated".into(),
            ));
        }
        let of_things = self.things.iter().map(|thing| &thing.script);
        let scripts = events.events.iter().map(|event| &event.script).chain(of_things);
        let wins =
            scripts.filter(|script| script::all(script).iter().any(|one| matches!(one, Instruction::Win))).count();
        Ok(match wins {
            0 => (Goal::Event, "no event wins the game; say what does: --goal boss=ID".into(), false),
            wins => (Goal::Event, format!("an event ({wins} of them win)"), true),
        })
    }
}
