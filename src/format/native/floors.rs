//! The floors of a native file: maps, the hero and the boss on them, stairs. Knows the monster table, not how it was
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::DeValue;

use super::map::{self, Token};
use super::quantity::Label;
use super::read::{StatedItems, value_key};
use crate::format::legend;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table, described};
use crate::game::{Floor, Monster, MonsterId, Position, Tile, Tower};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FloorKeys {
    name: Option<Label>,
    #[serde(rename = "map")]
    _map: IgnoredAny,
    #[serde(rename = "stairs")]
    _stairs: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StairKeys {
    at: [u16; 2],
    to: [u16; 3],
}

/// A pair of stairs with the places of its two ends in the file.
type PlacedPair = [(Position, Range<usize>); 2];

/// Reads the floors in their order and keeps what concerns all of them.
pub(super) struct FloorReader<'t> {
    text: &'t str,
    monsters: BTreeMap<&'t str, MonsterId>,
    items: &'t StatedItems,
    has_shop: bool,
    problems: &'t mut Problems,
    floors: Vec<Floor>,
    start: Option<Position>,
    stated_start: Option<(Position, Range<usize>)>,
    boss: Option<Position>,
    pairs: Vec<PlacedPair>,
    explicit: bool,
    told: BTreeSet<String>,
    first_map: Option<Range<usize>>,
    /// Whether each floor could be read, so that what is missing is missing.
    whole: bool,
}

impl<'t> FloorReader<'t> {
    /// A reader of maps of this table of monsters.
    pub(super) fn new(
        text: &'t str,
        monsters: &'t [Monster],
        items: &'t StatedItems,
        has_shop: bool,
        problems: &'t mut Problems,
    ) -> Self {
        let ids = monsters.iter().zip(0..).map(|(monster, id)| (monster.symbol.as_str(), id)).collect();
        FloorReader {
            text,
            monsters: ids,
            items,
            has_shop,
            problems,
            floors: Vec::new(),
            start: None,
            stated_start: None,
            boss: None,
            pairs: Vec::new(),
            explicit: false,
            told: BTreeSet::new(),
            first_map: None,
            whole: true,
        }
    }

    /// Reads all floors. `stated_start` is where the file puts the hero beside the map.
    pub(super) fn read_floors(&mut self, tables: Vec<Table<'_>>, stated_start: Option<Spanned<[u16; 3]>>) {
        self.stated_start = stated_start.map(|start| {
            let [floor, x, y] = *start.get_ref();
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

    fn read_floor(&mut self, index: u16, mut table: Table<'_>) -> Option<Floor> {
        let place = table.place();
        if let Some(event) = table.take("event") {
            self.problems.push(Problem::at(event.key_place, "scripted events are not supported yet"));
        }
        self.explicit |= table.has("stairs");
        for stairs in table.take_tables("stairs", self.problems) {
            self.read_pair(index, stairs);
        }
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

    fn read_pair(&mut self, floor: u16, table: Table<'_>) {
        let Some((keys, places)) = table.read::<StairKeys>(self.problems) else { return };
        let ([x, y], [to_floor, to_x, to_y]) = (keys.at, keys.to);
        let (at, to) = (Position::new(floor, x, y), Position::new(to_floor, to_x, to_y));
        self.pairs.push([(at, places.of("at")), (to, places.of("to"))]);
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
            legend::EVENT => {
                self.tell(token, || Problem::at(token.place.clone(), "scripted events are not supported yet"));
                Tile::Floor
            }
            symbol if legend::is_monster(symbol) => self.monster(at, token),
            symbol => match legend::tile(symbol) {
                Some(tile) => tile,
                None => {
                    self.tell(token, || unknown_symbol(token));
                    Tile::Floor
                }
            },
        };
        match tile {
            Tile::Shop if !self.has_shop => self.tell(token, || {
                Problem::at(token.place.clone(), "there is a shop on the map, but no table [shop] with what it sells")
            }),
            Tile::Item(item) => {
                if let Some(key) = value_key(item).filter(|key| !self.items.keys.contains(key)) {
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

    fn monster(&mut self, at: Position, token: &Token<'_>) -> Tile {
        if token.text == legend::BOSS {
            match self.boss {
                Some(first) => {
                    let message = format!("a second boss; the first stands at {first}, and a tower has one");
                    self.problems.push(Problem::at(token.place.clone(), message));
                }
                None => self.boss = Some(at),
            }
        }
        match self.monsters.get(token.text) {
            Some(id) => Tile::Monster(*id),
            None => {
                self.tell(token, || {
                    let message = format!("the monster {} has no row in the monster table", quoted(token.text));
                    let help = format!("add [monsters.{}] with hp, atk and def", token.text);
                    Problem::at(token.place.clone(), message).with_help(help)
                });
                Tile::Floor
            }
        }
    }

    /// Adds a problem with a symbol unless it has been told at an earlier place.
    fn tell(&mut self, token: &Token<'_>, problem: impl FnOnce() -> Problem) {
        if self.told.insert(token.text.chars().take(100).collect()) {
            self.problems.push(problem());
        }
    }

    /// What can only be checked when all floors are known.
    pub(super) fn finish(self) -> (Vec<Floor>, Option<Position>, Vec<(Position, Position)>) {
        if let Some(map) = self.first_map.filter(|_| self.whole) {
            if self.start.is_none() {
                let message = format!("there is no hero (`{}`) on the map", legend::HERO);
                self.problems.push(Problem::at(map.clone(), message));
            }
            if self.boss.is_none() {
                let message = format!("there is no boss (`{}`) on the map, so the game cannot be won", legend::BOSS);
                self.problems.push(Problem::at(map, message));
            }
            let tile = |at: &Position| self.floors.get(usize::from(at.floor)).map(|floor| floor.tile(at.x, at.y));
            if let Some((start, place)) = &self.stated_start
                && !tile(start).flatten().is_some_and(Tile::is_open)
            {
                self.problems.push(Problem::at(
                    place.clone(),
                    format!("the hero cannot start at {start}, which is not an open tile"),
                ));
            }
            for (end, place) in self.pairs.iter().flatten() {
                let message = match tile(end) {
                    Some(Some(Tile::Stair(_))) => continue,
                    Some(Some(_)) => format!("{end} is not a stair"),
                    Some(None) => format!("{end} lies outside the map"),
                    None => format!("there is no floor {}; floors are counted from 0", end.floor),
                };
                self.problems.push(Problem::at(place.clone(), message));
            }
        }
        let stairs = match self.explicit {
            true => self.pairs.into_iter().map(|[(at, _), (to, _)]| (at, to)).collect(),
            false => Tower::stairs_by_rule(&self.floors),
        };
        (self.floors, self.start, stairs)
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
