//! The symbols of the native format, in their one place: what readers accept, writers write and people look up.
//! Knows nothing of TOML.

use crate::game::{Colour, Gem, Item, Potion, StairWay, Tile};

/// The hero's start.
pub const HERO: &str = "@";
/// The boss.
pub const BOSS: &str = "B";
/// An open tile with a scripted event.
pub const EVENT: &str = "!";
/// Somebody or something in the way, with a scripted event.
pub const FIGURE: &str = "N";
/// What the symbols of a tower's own items begin with; a number follows.
pub const THING: char = 'i';
/// What the symbols of a tower's own doors begin with; a number follows.
pub const GATE: char = 'D';

/// The symbols that stand for the same tile on every floor, with the words for it.
pub const TILES: [(&str, Tile, &str); 25] = [
    (".", Tile::Floor, "floor"),
    ("#", Tile::Wall, "wall"),
    ("Y", Tile::Door(Colour::Yellow), "yellow door"),
    ("b", Tile::Door(Colour::Blue), "blue door"),
    ("R", Tile::Door(Colour::Red), "red door"),
    ("E", Tile::Door(Colour::Green), "green door"),
    ("k", Tile::Item(Item::Key(Colour::Yellow)), "yellow key"),
    ("K", Tile::Item(Item::Key(Colour::Blue)), "blue key"),
    ("r", Tile::Item(Item::Key(Colour::Red)), "red key"),
    ("e", Tile::Item(Item::Key(Colour::Green)), "green key"),
    ("a", Tile::Item(Item::Gem(Gem::Red)), "red gem (ATK)"),
    ("d", Tile::Item(Item::Gem(Gem::Blue)), "blue gem (DEF)"),
    ("g", Tile::Item(Item::Gem(Gem::Green)), "green gem (MDEF)"),
    ("p", Tile::Item(Item::Potion(Potion::Red)), "red potion (HP)"),
    ("P", Tile::Item(Item::Potion(Potion::Blue)), "blue potion (HP)"),
    ("o", Tile::Item(Item::Potion(Potion::Yellow)), "yellow potion (HP)"),
    ("O", Tile::Item(Item::Potion(Potion::Green)), "green potion (HP)"),
    ("s", Tile::Item(Item::Sword), "sword (ATK)"),
    ("h", Tile::Item(Item::Shield), "shield (DEF)"),
    ("^", Tile::Stair(StairWay::Up), "stair up"),
    ("v", Tile::Stair(StairWay::Down), "stair down"),
    ("$", Tile::Shop, "shop"),
    (EVENT, Tile::Event, "scripted event, on an open tile"),
    (FIGURE, Tile::Figure, "somebody or something in the way, with a scripted event"),
    (HERO, Tile::Floor, "the hero's start, a floor"),
];

/// The tile that a symbol stands for on every floor; monsters are none of these.
pub fn tile(symbol: &str) -> Option<Tile> {
    TILES.iter().find(|(known, _, _)| *known == symbol).map(|(_, tile, _)| *tile)
}

/// The symbol of a tile; `None` for monsters and a tower's own items and doors, whose symbols are those of their tables.
pub fn symbol(tile: Tile) -> Option<&'static str> {
    TILES.iter().find(|(_, known, _)| *known == tile).map(|(symbol, _, _)| *symbol)
}

/// Whether a symbol stands for a monster: a number of any length, or the boss.
pub fn is_monster(symbol: &str) -> bool {
    symbol == BOSS || (!symbol.is_empty() && symbol.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a symbol stands for a tower's own item: `i` and a number.
pub fn is_thing(symbol: &str) -> bool {
    is_numbered(symbol, THING)
}

/// Whether a symbol stands for a tower's own door: `D` and a number.
pub fn is_gate(symbol: &str) -> bool {
    is_numbered(symbol, GATE)
}

fn is_numbered(symbol: &str, letter: char) -> bool {
    let number = symbol.strip_prefix(letter).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// All symbols with their meanings, a line each.
pub fn legend() -> String {
    let mut lines = vec![
        format!("{HERO}  the hero's start"),
        format!("{BOSS}  the boss"),
        "1  a monster: the number of its row in the monster table (2, 3, … 10, …)".to_owned(),
    ];
    lines.extend(TILES.iter().filter(|(symbol, _, _)| *symbol != HERO).map(|(s, _, words)| format!("{s}  {words}")));
    lines.push(format!("{THING}1 an item of the tower's own: its row under [things] (i2, i3, …)"));
    lines.push(format!("{GATE}1 a door of the tower's own: its row under [gates] (D2, D3, …)"));
    lines.join("\n") + "\n"
}

/// What people call a type of monster whose table gives no name.
pub fn monster_name(symbol: &str) -> String {
    match symbol {
        "1" => "Green Slime".to_owned(),
        "2" => "Red Slime".to_owned(),
        "3" => "Black Slime".to_owned(),
        "4" => "Slime Lord".to_owned(),
        "5" => "Bat".to_owned(),
        "6" => "Big Bat".to_owned(),
        "7" => "Red Bat".to_owned(),
        BOSS => "Boss".to_owned(),
        other => format!("Monster {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_has_one_symbol() {
        for (index, (known, stands_for, _)) in TILES.iter().enumerate() {
            assert_eq!(tile(known), Some(*stands_for));
            assert!(TILES[..index].iter().all(|(earlier, _, _)| earlier != known));
            assert!(!is_monster(known) && !is_thing(known) && !is_gate(known));
            assert!(*known == HERO || symbol(*stands_for) == Some(*known));
        }
        assert_eq!(symbol(Tile::Monster(0)), None);
        assert!(is_monster("12") && is_monster("B") && !is_monster("") && !is_monster("1a"));
        assert!(is_thing("i1") && is_gate("D20") && !is_thing("i") && !is_gate("D1a") && !is_thing("D1"));
    }

    #[test]
    fn the_legend_is_a_line_a_symbol() {
        insta::assert_snapshot!(legend(), @"
        @  the hero's start
        B  the boss
        1  a monster: the number of its row in the monster table (2, 3, … 10, …)
        .  floor
        #  wall
        Y  yellow door
        b  blue door
        R  red door
        E  green door
        k  yellow key
        K  blue key
        r  red key
        e  green key
        a  red gem (ATK)
        d  blue gem (DEF)
        g  green gem (MDEF)
        p  red potion (HP)
        P  blue potion (HP)
        o  yellow potion (HP)
        O  green potion (HP)
        s  sword (ATK)
        h  shield (DEF)
        ^  stair up
        v  stair down
        $  shop
        !  scripted event, on an open tile
        N  somebody or something in the way, with a scripted event
        i1 an item of the tower's own: its row under [things] (i2, i3, …)
        D1 a door of the tower's own: its row under [gates] (D2, D3, …)
        ");
    }
}
