//! Towers for the tests of this folder: three fixed floors of section B.5, and small ones drawn in a test.

use crate::format::{self, legend};
use crate::game::{Abilities, Ability, Floor, Hero, ItemValues, Monster, Position, Rules, Tile, Tower};

/// A fixed floor by its short name.
pub(super) fn fixed(name: &str) -> Tower {
    let text = match name {
        "simple" => include_str!("../../floors/simple.toml"),
        "complex" => include_str!("../../floors/complex.toml"),
        "hand03" => include_str!("../../floors/hand03.toml"),
        _ => panic!("no fixed floor is called {name}"),
    };
    format::parse_tower(name, text).expect("a floor")
}

/// A tower from pictures of its floors, in the symbols of the native format. A digit `n` is monster `n - 1` of the
/// table and `B` its last.
pub(super) fn draw(hero: Hero, monsters: Vec<Monster>, pictures: &[&str]) -> Tower {
    let mut start = None;
    let mut floors = Vec::new();
    for (floor, picture) in pictures.iter().enumerate() {
        let mut rows = Vec::new();
        for (y, line) in picture.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            let mut row = Vec::new();
            for (x, symbol) in line.split_whitespace().enumerate() {
                if symbol == "@" {
                    start = Some(Position::new(floor as u16, x as u16, y as u16));
                }
                row.push(tile(symbol, monsters.len()));
            }
            rows.push(row);
        }
        floors.push(Floor::from_rows(String::new(), rows).expect("a rectangle"));
    }
    Tower {
        name: "drawn".into(),
        title: "Drawn in a test".into(),
        note: None,
        mechanism: None,
        origin: None,
        rules: Rules::default(),
        hero,
        start: start.expect("a hero on the map"),
        items: ItemValues {
            red_gem: 1,
            blue_gem: 1,
            green_gem: 5,
            red_potion: 75,
            blue_potion: 200,
            yellow_potion: 500,
            green_potion: 800,
            sword: 10,
            shield: 10,
        },
        monsters,
        shop: None,
        stairs: Tower::stairs_by_rule(&floors),
        floors,
        ..Tower::default()
    }
}

/// A row of a monster table.
pub(super) fn monster(symbol: &str, hp: i64, atk: i64, def: i64, abilities: &[Ability]) -> Monster {
    Monster {
        symbol: symbol.into(),
        name: format!("monster {symbol}"),
        hp,
        atk,
        def,
        gold: 0,
        experience: 0,
        abilities: abilities.iter().copied().collect::<Abilities>(),
        boss: symbol == "B",
    }
}

fn tile(symbol: &str, monsters: usize) -> Tile {
    match symbol {
        "@" => Tile::Floor,
        "B" => Tile::Monster(monsters as u16 - 1),
        other => legend::tile(other).unwrap_or_else(|| Tile::Monster(other.parse::<u16>().expect("a number") - 1)),
    }
}
