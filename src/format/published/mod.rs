//! The published solver's text format: numbers in a fixed order, without names. Knows nothing of TOML.
//!
//! A tower read from it follows the default rules, `thesis`: for every ability that the format can express they and
//! the published solver's agree but for mimic together with solid, which one ability a monster rules out.

mod read;
mod write;

pub use read::read;
pub use write::{CannotHold, write};

use crate::game::{Colour, Gem, Item, Potion, StairWay, Tile};

/// Tile ids other than those of monsters, which are 201 to 298, and of the boss.
const TILES: [(i64, Tile); 22] = [
    (0, Tile::Floor),
    (1, Tile::Wall),
    (21, Tile::Item(Item::Key(Colour::Yellow))),
    (22, Tile::Item(Item::Key(Colour::Blue))),
    (23, Tile::Item(Item::Key(Colour::Red))),
    (24, Tile::Item(Item::Key(Colour::Green))),
    (27, Tile::Item(Item::Gem(Gem::Red))),
    (28, Tile::Item(Item::Gem(Gem::Blue))),
    (29, Tile::Item(Item::Gem(Gem::Green))),
    (31, Tile::Item(Item::Potion(Potion::Red))),
    (32, Tile::Item(Item::Potion(Potion::Blue))),
    (33, Tile::Item(Item::Potion(Potion::Green))),
    (34, Tile::Item(Item::Potion(Potion::Yellow))),
    (35, Tile::Item(Item::Sword)),
    (36, Tile::Item(Item::Shield)),
    (40, Tile::Shop),
    (81, Tile::Door(Colour::Yellow)),
    (82, Tile::Door(Colour::Blue)),
    (83, Tile::Door(Colour::Red)),
    (84, Tile::Door(Colour::Green)),
    (87, Tile::Stair(StairWay::Up)),
    (88, Tile::Stair(StairWay::Down)),
];

/// Id of the boss.
const BOSS: i64 = 299;
/// A type of monster has this id more than the number of its symbol.
const MONSTERS_FROM: i64 = 200;
/// A first price that says that there is no shop.
const NO_SHOP: i64 = 999_999;

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::game::{Ability, Position, Rules};

    const TINY: &str = "2\n2 3\n\n87 201 0\n0\t1 31\n\n88 299 0\n1 0 0\n\n1 1 5 75 200 0 0 0 0\n\n2\n201 50 7 3 1 2\n\
                        299 50 20 12 0 6\n\n0 0 0 0 0 0\n\n100 9 4 0 0 1 0 0 0 1 0\n";

    fn mistakes(changes: &[(&str, &str)]) -> String {
        let mut text = TINY.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        read("tiny.txt", &text).map_or_else(|problems| problems.to_string(), |tower| format!("{tower:?}"))
    }

    #[test]
    fn a_tower_is_read_and_written() {
        let tower = read("tiny.txt", TINY).unwrap();
        assert_eq!((tower.name.as_str(), tower.title.as_str(), tower.rules), ("tiny", "tiny", Rules::default()));
        assert_eq!((tower.hero.keys.yellow, tower.start, tower.shop), (1, Position::new(0, 0, 1), None));
        assert_eq!(tower.stairs, [(Position::new(0, 0, 0), Position::new(1, 0, 0))]);
        assert_eq!(tower.monsters[1].symbol, "B");
        assert_snapshot!(write(&tower).unwrap(), @"
        2
        2 3

        87	201	0
        0	1	31

        88	299	0
        1	0	0

        1 1 5 75 200 0 0 0 0

        2
        201 50 7 3 1 2
        299 50 20 12 0 6

        0 0 0 0 0 0

        100 9 4 0 0 1 0 0 0 1 0
        ");
        assert_eq!(read("tiny.txt", &write(&tower).unwrap()).unwrap(), tower);
    }

    #[test]
    fn mistakes_are_told_at_their_numbers() {
        assert_snapshot!(mistakes(&[("87 201 0", "87 202 0 5"), ("88 299", "88 377")]), @"
        tiny.txt: there is no boss (299) on the map, so the game cannot be won
        tiny.txt:4:1: row 1 of floor 1 has 4 numbers; the file says that rows have 3
        tiny.txt:4:4: the monster 202 has no row in the monster table
        tiny.txt:4:10: unknown tile 5
        tiny.txt:7:4: unknown tile 377
        ");
        assert_snapshot!(mistakes(&[("0\t1 31", "0\tx 31")]), @"tiny.txt:5:3: expected a tile of row 2 of floor 1, a whole number, found `x`");
        assert_snapshot!(mistakes(&[("1 0 0\n\n", "1 299 40\n\n")]), @"
        tiny.txt:8:3: a second boss; a tower has one
        tiny.txt:8:7: there is a shop on the map, but the shop's six numbers say that there is none
        ");
        assert_snapshot!(mistakes(&[("201 50", "201 -50"), ("1 2\n", "1 12\n"), ("0 1 0\n", "0 1 0 7\n")]), @"
        tiny.txt:13:5: HP of the monster 201 is -50; it must be at least 1
        tiny.txt:13:15: unknown ability code 12 of the monster 201 (0 none, 1 first strike, 2 magic attack, 3 solid, 4 double attack, 5 triple attack, 6 N-strike, 7 break armour, 8 counter attack, 9 purify, 10 mimic)
        tiny.txt:18:25: expected the end of the file after the hero's eleven numbers, found `7`
        ");
        assert_snapshot!(mistakes(&[("100 9", "99999999999999999999 9")]), @"tiny.txt:18:1: the number `99999999999999999999` is beyond 64 bits (the hero's HP)");
        assert_snapshot!(mistakes(&[("0 0 0 1 0\n", "0 0")]), @"tiny.txt:18:18: the file ends here; expected the hero's floor");
        assert_snapshot!(mistakes(&[("0 0 0 0 0 0\n", "0 0 0 5 0 0\n"), ("0 1 0\n", "0 1 1\n")]), @"
        tiny.txt:16:1: the shop asks for no gold, neither at first nor later, and would sell for ever (six zeros mean that there is no shop)
        tiny.txt:18:19: the hero starts at (1,1), which is not an open tile (the last three numbers are floor, row and column, each from 0)
        ");
        assert_snapshot!(mistakes(&[("2\n2 3", "0\n2 3")]), @"tiny.txt:1:1: the number of floors is 0; it must be 1 to 65535");
        assert_snapshot!(mistakes(&[("201 50 7 3 1 2\n", "299 50 7 3 1 2\n")]), @"
        tiny.txt:4:4: the monster 201 has no row in the monster table
        tiny.txt:14:1: the monster 299 has a row already
        ");
    }

    #[test]
    fn what_it_cannot_hold_is_refused_with_all_reasons() {
        let mut tower = read("tiny.txt", TINY).unwrap();
        tower.hero.experience = 3;
        tower.hero.keys.green = 1;
        tower.stairs.clear();
        tower.monsters[0].symbol = "99".to_owned();
        tower.monsters[1].abilities.insert(Ability::Vampire { ratio: "0.5".parse().unwrap(), add: false });
        assert_snapshot!(write(&tower).unwrap_err().reasons.join("\n"), @"
        its stairs are joined otherwise than each way up with the way down of the floor above
        the hero starts with experience
        the hero starts with green keys
        no id of its own, 201 to 299, for the monster `99`
        Boss has 2 abilities, and the format holds one
        ");
    }
}
