//! The floors of a native file: maps, the hero and the boss on them, stairs and barriers. Knows the tables of monsters,
//! items and doors, not how they were read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::DeValue;

use super::blueprint::Parts;
use super::map::{self, Token};
use super::quantity::{Label, Place};
use super::symbols::{Symbols, table_of};
use super::way::Ways;
use crate::format::legend;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table, described};
use crate::game::{Floor, Position, Tile};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FloorKeys {
    name: Option<Label>,
    #[serde(rename = "map")]
    _map: IgnoredAny,
    #[serde(rename = "stairs")]
    _stairs: IgnoredAny,
    #[serde(rename = "barrier")]
    _barrier: IgnoredAny,
    #[serde(rename = "event")]
    _event: IgnoredAny,
    #[serde(rename = "room")]
    _room: IgnoredAny,
    #[serde(rename = "placed")]
    _placed: IgnoredAny,
}

/// What the floors of a file are.
pub(super) struct Floors<'s> {
    /// The floors.
    pub floors: Vec<Floor>,
    /// Where the hero starts, if that is said.
    pub start: Option<Position>,
    /// How they are joined.
    pub ways: Ways,
    /// What is said of their parts.
    pub parts: Parts,
    /// The events of each floor, which are read once all floors are.
    pub events: Vec<Vec<Table<'s>>>,
    /// Where the maps show an event.
    pub shown: Vec<(Position, Range<usize>)>,
    /// Whether each floor could be read.
    pub whole: bool,
}

/// Reads the floors in their order and keeps what concerns all of them.
pub(super) struct FloorReader<'t, 's> {
    text: &'s str,
    symbols: &'t Symbols<'t>,
    problems: &'t mut Problems,
    floors: Vec<Floor>,
    start: Option<Position>,
    stated_start: Option<(Position, Range<usize>)>,
    boss: Option<Position>,
    ways: Ways,
    parts: Parts,
    events: Vec<Vec<Table<'s>>>,
    shown: Vec<(Position, Range<usize>)>,
    told: BTreeSet<String>,
    first_map: Option<Range<usize>>,
    /// Whether each floor could be read, so that what is missing is missing.
    whole: bool,
}

impl<'t, 's> FloorReader<'t, 's> {
    /// A reader of maps with these symbols.
    pub(super) fn new(text: &'s str, symbols: &'t Symbols<'t>, problems: &'t mut Problems) -> Self {
        FloorReader {
            text,
            symbols,
            problems,
            floors: Vec::new(),
            start: None,
            stated_start: None,
            boss: None,
            ways: Ways::default(),
            parts: Parts::default(),
            events: Vec::new(),
            shown: Vec::new(),
            told: BTreeSet::new(),
            first_map: None,
            whole: true,
        }
    }

    /// Reads all floors. `stated_start` is where the file puts the hero beside the map.
    pub(super) fn read_floors(&mut self, tables: Vec<Table<'s>>, stated_start: Option<Spanned<Place<3>>>) {
        self.stated_start = stated_start.map(|start| {
            let [floor, x, y] = start.get_ref().0;
            (Position::new(floor, x, y), start.span())
        });
        self.start = self.stated_start.as_ref().map(|(start, _)| *start);
        if tables.is_empty() && !self.problems.is_damaged() {
            let help = "draw one: [[floor]], then map = \"\"\" and its rows";
            self.problems.push(Problem::of_file("there is no floor").with_help(help));
        }
        if tables.len() > usize::from(u16::MAX) {
            let message = format!("there are {} floors; at most {} can be read", tables.len(), u16::MAX);
            self.problems.push(Problem::of_file(message));
            return;
        }
        for (index, table) in (0..).zip(tables) {
            match self.read_floor(index, table) {
                Some(floor) => self.floors.push(floor),
                None => self.whole = false,
            }
        }
    }

    fn read_floor(&mut self, index: u16, mut table: Table<'s>) -> Option<Floor> {
        let place = table.place();
        self.events.push(table.take_tables("event", self.problems));
        self.ways.read(index, &mut table, self.problems);
        self.parts.read(index, &mut table, self.problems);
        let map = table.take("map");
        let keys = table.read::<FloorKeys>(self.problems);
        let Some(map) = map else {
            if !self.problems.is_damaged() {
                self.problems.push(Problem::at(place, "this floor has no map"));
            }
            return None;
        };
        let rows = self.read_map(index, map)?;
        Floor::from_rows(keys?.0.name.map(|name| name.0).unwrap_or_default(), rows)
    }

    fn read_map(&mut self, index: u16, map: Entry<'_>) -> Option<Vec<Vec<Tile>>> {
        let DeValue::String(decoded) = &map.value else {
            let message = format!("`map`: expected rows of symbols in \"\"\", found {}", described(&map.value));
            self.problems.push(Problem::at(map.place, message));
            return None;
        };
        self.first_map.get_or_insert(map.place.clone());
        let rows = map::rows(self.text, map.place.clone(), decoded);
        let Some(width) = common_width(&rows) else {
            self.problems.push(Problem::at(map.place, "this map is empty"));
            return None;
        };
        if width > usize::from(u16::MAX) || rows.len() > usize::from(u16::MAX) {
            let message = format!("this map is {width} tiles wide and {} high; at most {}", rows.len(), u16::MAX);
            self.problems.push(Problem::at(map.place, message));
            return None;
        }
        let mut tiles = Vec::with_capacity(rows.len());
        for (y, row) in (0..).zip(&rows) {
            if row.len() != width {
                self.push_ragged(row, width);
            }
            tiles.push((0..).zip(row).map(|(x, token)| self.tile(Position::new(index, x, y), token)).collect());
        }
        Some(tiles)
    }

    fn push_ragged(&mut self, row: &[Token<'_>], width: usize) {
        if let (Some(first), Some(last)) = (row.first(), row.last()) {
            let message = format!("this row has {}, the others have {width}", tiles(row.len()));
            self.problems.push(Problem::at(first.place.start..last.place.end, message));
        }
    }

    /// The tile of a symbol; one that is wrong is told once and read as floor.
    fn tile(&mut self, at: Position, token: &Token<'_>) -> Tile {
        let tile = match token.text {
            legend::HERO => {
                self.place_hero(at, token);
                Tile::Floor
            }
            symbol => match self.symbols.tile(symbol) {
                Some(tile) => {
                    self.note(at, tile, token);
                    tile
                }
                None => {
                    self.tell(token, || unknown_symbol(token));
                    Tile::Floor
                }
            },
        };
        if token.text == legend::BOSS {
            self.place_boss(at, token);
        }
        match tile {
            Tile::Shop if !self.symbols.has_shop => self.tell(token, || {
                Problem::at(token.place.clone(), "there is a shop on the map, but no table [shop] with what it sells")
            }),
            Tile::Item(item) => {
                if let Some(key) = self.symbols.unsaid(tile) {
                    self.tell(token, || {
                        let message = format!("there is a {item} on the map, but [items] does not say what it gives");
                        Problem::at(token.place.clone(), message).with_help(format!("add `{key} = …` under [items]"))
                    });
                }
            }
            _ => {}
        }
        tile
    }

    fn place_hero(&mut self, at: Position, token: &Token<'_>) {
        match self.start {
            Some(first) => {
                let message = format!("a second hero; the first stands at {first}");
                self.problems.push(Problem::at(token.place.clone(), message));
            }
            None => self.start = Some(at),
        }
    }

    fn place_boss(&mut self, at: Position, token: &Token<'_>) {
        match self.boss {
            Some(first) => {
                let message = format!("a second boss; the first stands at {first}, and a tower has one");
                self.problems.push(Problem::at(token.place.clone(), message));
            }
            None => self.boss = Some(at),
        }
    }

    fn note(&mut self, at: Position, tile: Tile, token: &Token<'_>) {
        if matches!(tile, Tile::Event | Tile::Figure) {
            self.shown.push((at, token.place.clone()));
        }
    }

    /// Adds a problem with a symbol unless it has been told at an earlier place.
    fn tell(&mut self, token: &Token<'_>, problem: impl FnOnce() -> Problem) {
        if self.told.insert(token.text.chars().take(100).collect()) {
            self.problems.push(problem());
        }
    }

    /// What can only be checked when all floors are known. A tower that is won by an event needs no boss.
    pub(super) fn finish(self, needs_boss: bool) -> Floors<'s> {
        if let Some(map) = self.first_map.filter(|_| self.whole) {
            if self.start.is_none() {
                let message = format!("there is no hero (`{}`) on the map", legend::HERO);
                self.problems.push(Problem::at(map.clone(), message));
            }
            if self.boss.is_none() && needs_boss {
                let message = format!("there is no boss (`{}`) on the map, so the game cannot be won", legend::BOSS);
                self.problems.push(Problem::at(map, message));
            }
            let tile = |at: &Position| self.floors.get(usize::from(at.floor)).and_then(|floor| floor.tile(at.x, at.y));
            let is_open = |tile: Tile| tile.is_open() || tile == Tile::Event;
            if let Some((start, place)) = &self.stated_start
                && !tile(start).is_some_and(is_open)
            {
                self.problems.push(Problem::at(
                    place.clone(),
                    format!("the hero cannot start at {start}, which is not an open tile"),
                ));
            }
            self.ways.check(&self.floors, self.problems);
            self.parts.check(&self.floors, self.problems);
        }
        let Self { floors, start, ways, parts, events, shown, whole, .. } = self;
        Floors { floors, start, ways, parts, events, shown, whole }
    }
}

/// The width that most rows have, the upper ones if in doubt; `None` without rows.
fn common_width(rows: &[Vec<Token<'_>>]) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.len()).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    rows.iter().map(Vec::len).find(|width| counts.get(width) == Some(&most))
}

fn unknown_symbol(token: &Token<'_>) -> Problem {
    match table_of(token.text) {
        Some(("monsters", _)) => {
            let message = format!("the monster {} has no row in the monster table", quoted(token.text));
            let help = format!("add [monsters.{}] with hp, atk and def", token.text);
            return Problem::at(token.place.clone(), message).with_help(help);
        }
        Some((table, kind)) => {
            let message = format!("the {kind} {} has no row", quoted(token.text));
            let help = format!("add [{table}.{}] with its name", token.text);
            return Problem::at(token.place.clone(), message).with_help(help);
        }
        None => {}
    }
    let problem = Problem::at(token.place.clone(), format!("unknown symbol {}", quoted(token.text)));
    let alone = |c: char| legend::tile(c.encode_utf8(&mut [0; 4])).is_some() || legend::is_monster(&c.to_string());
    let help = match token.text {
        "x" | "y" | "=" => "axis labels are not part of the map",
        text if text.len() > 1 && text.chars().all(alone) => "symbols are separated by blanks",
        _ => "`mota floor legend` prints the symbols",
    };
    problem.with_help(help)
}

fn tiles(count: usize) -> String {
    match count {
        1 => "1 tile".to_owned(),
        count => format!("{count} tiles"),
    }
}
