//! From the published solver's text to a tower. A row of a map stands on a line of its own; all other numbers may be
//! broken into lines freely.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::ops::Range;

use super::{BOSS, MONSTERS_FROM, NO_SHOP, TILES};
use crate::format::legend;
use crate::format::name::name_of_file;
use crate::format::problem::{Problem, Problems, quoted};
use crate::game::{
    Abilities, Ability, Floor, Hero, ItemValues, Keys, Monster, MonsterId, Position, Rules, Shop, Tile, Tower,
};

/// Reads a tower. `file` is the file's name, for messages and as the tower's name.
///
/// # Errors
/// All mistakes of the maps, and the first one of what cannot be read on after.
pub fn read(file: &str, text: &str) -> Result<Tower, Problems> {
    let mut reader = Reader { numbers: Numbers::new(text), problems: Problems::new(file, text) };
    let tower = reader.tower(name_of_file(file));
    let mut problems = reader.problems;
    let tower = tower.filter(|_| problems.is_empty());
    if let Some(error) = tower.as_ref().and_then(|tower| tower.validate().err()) {
        problems.push(Problem::of_file(error.to_string()));
    }
    problems.into_result(tower)
}

/// A word of the file.
#[derive(Clone, Debug)]
struct Word<'s> {
    text: &'s str,
    place: Range<usize>,
    line: usize,
}

type Words<'s> = Box<dyn Iterator<Item = Word<'s>> + 's>;

struct Numbers<'s> {
    words: Peekable<Words<'s>>,
    end: usize,
}

impl<'s> Numbers<'s> {
    fn new(text: &'s str) -> Self {
        let bare = text.trim_start_matches('\u{feff}');
        let offset = move |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let word = move |(line, text): (usize, &'s str)| {
            let start = offset(text);
            Word { text, place: start..start + text.len(), line }
        };
        let lines = bare.lines().enumerate();
        let words: Words<'s> =
            Box::new(lines.flat_map(|(line, row)| row.split_whitespace().map(move |text| (line, text))).map(word));
        Numbers { words: words.peekable(), end: text.trim_end().len() }
    }
}

struct Reader<'s> {
    numbers: Numbers<'s>,
    problems: Problems,
}

/// A tile id with its place.
type Id = (i64, Range<usize>);

impl Reader<'_> {
    fn tower(&mut self, name: String) -> Option<Tower> {
        let count = self.number_within("the number of floors", 1, i64::from(u16::MAX))?.0;
        let height = self.number_within("the number of rows", 1, i64::from(u16::MAX))?.0;
        let width = self.number_within("the number of columns", 1, i64::from(u16::MAX))?.0;
        let mut maps: Vec<Vec<Vec<Id>>> = Vec::new();
        for floor in 1..=count {
            let rows = (1..=height).map(|row| self.row(floor, row, width)).collect::<Option<Vec<_>>>()?;
            maps.push(rows);
        }
        let items = self.items()?;
        let monsters = self.monsters()?;
        let shop = self.shop()?;
        let (hero, start, start_place) = self.hero()?;
        if let Some(word) = self.numbers.words.next() {
            let message =
                format!("expected the end of the file after the hero's eleven numbers, found {}", quoted(word.text));
            self.problems.push(Problem::at(word.place, message));
        }
        let floors = self.floors(&maps, &monsters, shop.is_some())?;
        let open = floors.get(usize::from(start.floor)).and_then(|floor| floor.tile(start.x, start.y));
        if !open.is_some_and(Tile::is_open) {
            let message = format!("the hero starts at {start}, which is not an open tile");
            self.problems.push(
                Problem::at(start_place, message)
                    .with_help("the last three numbers are floor, row and column, each from 0"),
            );
        }
        let stairs = Tower::stairs_by_rule(&floors);
        let (title, rules) = (name.clone(), Rules::default());
        let (note, mechanism, origin) = (None, None, None);
        Some(Tower {
            name,
            title,
            note,
            mechanism,
            origin,
            rules,
            hero,
            start,
            items,
            monsters,
            shop,
            floors,
            stairs,
            ..Tower::default()
        })
    }

    /// A row of a map: the words of one line.
    fn row(&mut self, floor: i64, row: i64, width: i64) -> Option<Vec<Id>> {
        let what = || format!("row {row} of floor {floor}");
        let Some(first) = self.numbers.words.peek().cloned() else {
            self.push_end(&what());
            return None;
        };
        let mut ids = Vec::new();
        let mut place = first.place;
        while let Some(word) = self.numbers.words.next_if(|word| word.line == first.line) {
            place.end = word.place.end;
            ids.push(self.parse(&format!("a tile of {}", what()), word)?);
        }
        if ids.len() as i64 != width {
            let message = format!("{} has {} numbers; the file says that rows have {width}", what(), ids.len());
            self.problems.push(Problem::at(place, message));
        }
        Some(ids)
    }

    fn items(&mut self) -> Option<ItemValues> {
        let mut value = |what: &str| Some(self.number_within(&format!("the value of the {what}"), 0, i64::MAX)?.0);
        Some(ItemValues {
            red_gem: value("red gem")?,
            blue_gem: value("blue gem")?,
            green_gem: value("green gem")?,
            red_potion: value("red potion")?,
            blue_potion: value("blue potion")?,
            yellow_potion: value("yellow potion")?,
            green_potion: value("green potion")?,
            sword: value("sword")?,
            shield: value("shield")?,
        })
    }

    fn monsters(&mut self) -> Option<Vec<Monster>> {
        let types = BOSS - MONSTERS_FROM;
        let count = self.number_within("the number of monster types", 0, types)?.0;
        let mut monsters: Vec<Monster> = Vec::new();
        for _ in 0..count {
            let (id, place) = self.number_within("the id of a monster", MONSTERS_FROM + 1, BOSS)?;
            let monster = self.monster(id)?;
            if monsters.iter().any(|earlier| earlier.symbol == monster.symbol) {
                self.problems.push(Problem::at(place, format!("the monster {id} has a row already")));
            }
            monsters.push(monster);
        }
        Some(monsters)
    }

    fn monster(&mut self, id: i64) -> Option<Monster> {
        let mut value = |what: &str, least: i64| {
            Some(self.number_within(&format!("{what} of the monster {id}"), least, i64::MAX)?.0)
        };
        let (hp, atk, def, gold) = (value("HP", 1)?, value("ATK", 0)?, value("DEF", 0)?, value("gold", 0)?);
        let (code, place) = self.number(&format!("the ability of the monster {id}"))?;
        let ability = Ability::PLAIN.into_iter().find(|ability| i64::from(ability.code()) == code);
        if ability.is_none() && code != 0 {
            let known: Vec<String> = Ability::PLAIN.iter().map(|a| format!("{} {}", a.code(), a.name())).collect();
            let problem = Problem::at(place, format!("unknown ability code {code} of the monster {id}"));
            self.problems.push(problem.with_help(format!("0 none, {}", known.join(", "))));
        }
        let symbol = symbol(id);
        Some(Monster {
            name: legend::monster_name(&symbol),
            symbol,
            hp,
            atk,
            def,
            gold,
            experience: 0,
            abilities: ability.into_iter().collect::<Abilities>(),
            boss: id == BOSS,
        })
    }

    /// The shop, if there is one.
    fn shop(&mut self) -> Option<Option<Shop>> {
        let (first_price, place) = self.number_within("the shop's first price", 0, i64::MAX)?;
        let mut value = |what: &str| Some(self.number_within(&format!("the shop's {what}"), 0, i64::MAX)?.0);
        let shop = Shop {
            first_price,
            price_step: value("price step")?,
            hp: value("HP")?,
            atk: value("ATK")?,
            def: value("DEF")?,
            mdef: value("MDEF")?,
        };
        let sells = [shop.hp, shop.atk, shop.def, shop.mdef].iter().any(|amount| *amount > 0);
        if first_price == NO_SHOP || (first_price == 0 && shop.price_step == 0 && !sells) {
            return Some(None);
        }
        if first_price == 0 && shop.price_step == 0 {
            let message = "the shop asks for no gold, neither at first nor later, and would sell for ever";
            self.problems.push(Problem::at(place, message).with_help("six zeros mean that there is no shop"));
        }
        Some(Some(shop))
    }

    /// The hero, his start and where in the file it stands.
    fn hero(&mut self) -> Option<(Hero, Position, Range<usize>)> {
        let mut value =
            |what: &str, least: i64| Some(self.number_within(&format!("the hero's {what}"), least, i64::MAX)?.0);
        let hero = Hero {
            hp: value("HP", 1)?,
            atk: value("ATK", 0)?,
            def: value("DEF", 0)?,
            mdef: value("MDEF", 0)?,
            gold: value("gold", 0)?,
            experience: 0,
            keys: Keys {
                yellow: value("yellow keys", 0)?,
                blue: value("blue keys", 0)?,
                red: value("red keys", 0)?,
                green: 0,
            },
            ..Hero::default()
        };
        let (floor, place) = self.coordinate("floor")?;
        let (row, _) = self.coordinate("row")?;
        let (column, last) = self.coordinate("column")?;
        Some((hero, Position::new(floor, column, row), place.start..last.end))
    }

    fn coordinate(&mut self, what: &str) -> Option<(u16, Range<usize>)> {
        let (number, place) = self.number_within(&format!("the hero's {what}"), 0, i64::from(u16::MAX))?;
        Some((u16::try_from(number).ok()?, place))
    }

    /// The maps with their ids looked up; an id that is wrong is told once.
    fn floors(&mut self, maps: &[Vec<Vec<Id>>], monsters: &[Monster], has_shop: bool) -> Option<Vec<Floor>> {
        let mut known: BTreeMap<i64, Tile> = TILES.into_iter().collect();
        let ids = monsters.iter().zip(0..).map(|(monster, id): (&Monster, MonsterId)| (monster_id(monster), id));
        known.extend(ids.filter_map(|(id, row)| Some((id?, Tile::Monster(row)))));
        let mut told = BTreeSet::new();
        let mut boss: Option<Range<usize>> = None;
        let mut tile = |(id, place): &Id| {
            let message = match known.get(id) {
                Some(Tile::Shop) if !has_shop => {
                    "there is a shop on the map, but the shop's six numbers say that there is none".to_owned()
                }
                Some(_) => {
                    if *id == BOSS && boss.replace(place.clone()).is_some() {
                        self.problems.push(Problem::at(place.clone(), "a second boss; a tower has one"));
                    }
                    String::new()
                }
                None if (MONSTERS_FROM + 1..=BOSS).contains(id) => {
                    format!("the monster {id} has no row in the monster table")
                }
                None => format!("unknown tile {id}"),
            };
            if !message.is_empty() && told.insert(*id) {
                self.problems.push(Problem::at(place.clone(), message));
            }
            known.get(id).copied().unwrap_or(Tile::Floor)
        };
        let maps: Vec<Vec<Vec<Tile>>> =
            maps.iter().map(|rows| rows.iter().map(|row| row.iter().map(&mut tile).collect()).collect()).collect();
        if boss.is_none() && !told.contains(&BOSS) {
            let message = format!("there is no boss ({BOSS}) on the map, so the game cannot be won");
            self.problems.push(Problem::of_file(message));
        }
        maps.into_iter().map(|rows| Floor::from_rows(String::new(), rows)).collect()
    }

    fn number_within(&mut self, what: &str, least: i64, most: i64) -> Option<Id> {
        let (number, place) = self.number(what)?;
        if number < least || number > most {
            let range = if most == i64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
            self.problems.push(Problem::at(place.clone(), format!("{what} is {number}; it must be {range}")));
            // A number of things that is wrong leaves open what follows; a quantity does not.
            return (most == i64::MAX).then_some((least, place));
        }
        Some((number, place))
    }

    fn number(&mut self, what: &str) -> Option<Id> {
        match self.numbers.words.next() {
            Some(word) => self.parse(what, word),
            None => {
                self.push_end(what);
                None
            }
        }
    }

    fn parse(&mut self, what: &str, word: Word<'_>) -> Option<Id> {
        let digits = word.text.strip_prefix(['-', '+']).unwrap_or(word.text);
        let number = word.text.parse().ok();
        if number.is_none() {
            let message = match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                true => format!("the number {} is beyond 64 bits ({what})", quoted(word.text)),
                false => format!("expected {what}, a whole number, found {}", quoted(word.text)),
            };
            self.problems.push(Problem::at(word.place.clone(), message));
        }
        number.map(|number| (number, word.place))
    }

    fn push_end(&mut self, what: &str) {
        let end = self.numbers.end;
        self.problems.push(Problem::at(end..end, format!("the file ends here; expected {what}")));
    }
}

fn symbol(id: i64) -> String {
    match id {
        BOSS => legend::BOSS.to_owned(),
        id => (id - MONSTERS_FROM).to_string(),
    }
}

/// The id of a type of monster; `None` if its symbol has none.
pub(super) fn monster_id(monster: &Monster) -> Option<i64> {
    if monster.boss {
        return Some(BOSS);
    }
    monster
        .symbol
        .parse()
        .ok()
        .map(|number: i64| number.saturating_add(MONSTERS_FROM))
        .filter(|id| (MONSTERS_FROM + 1..BOSS).contains(id))
}
