//! Each check, on a sound tower and on one broken for it.

use insta::assert_snapshot;

use super::*;
use crate::format::{parse_tower, write_native};

/// Three floors that lead down, with rooms, a second way, a quick exit and a gate with a code.
const SOUND: &str = include_str!("../../tests/data/towers/sound.toml");

fn tower(text: &str) -> Tower {
    parse_tower("tower.toml", text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn told(tower: &Tower) -> String {
    let lines: Vec<String> =
        check(tower).iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect();
    lines.join("\n")
}

/// The sound tower with another symbol on one square.
fn with(floor: usize, x: usize, y: usize, symbol: &str) -> String {
    let mut lines: Vec<String> = SOUND.lines().map(str::to_owned).collect();
    let maps = lines.iter().enumerate().filter(|(_, line)| *line == "map = \"\"\"").map(|(index, _)| index);
    let row = maps.clone().nth(floor).unwrap() + 1 + y;
    let mut symbols: Vec<&str> = lines[row].split_whitespace().collect();
    symbols[x] = symbol;
    lines[row] = symbols.join(" ");
    lines.join("\n")
}

/// What is found on the sound tower with another symbol on one square.
fn found(floor: usize, x: usize, y: usize, symbol: &str) -> String {
    told(&tower(&with(floor, x, y, symbol)))
}

/// What is found on the sound tower with one text in the place of another.
fn edited(from: &str, to: &str) -> String {
    assert_eq!(SOUND.matches(from).count(), 1, "{from}");
    told(&tower(&SOUND.replace(from, to)))
}

#[test]
fn a_sound_tower_breaks_no_rule_and_is_asked_all() {
    let sound = tower(SOUND);
    assert_eq!(told(&sound), "");
    assert_eq!(unasked(&sound), []);
    assert_eq!(write_native(&sound), SOUND);
}

#[test]
fn each_check_finds_what_breaks_its_rule_and_names_the_tile() {
    let lost = format!("{SOUND}\n[[floor]]\nname = \"Lost\"\nmap = \"\"\"\n# . .\n\"\"\"\n");
    assert_snapshot!(told(&tower(&lost)), @"
    H1 (3:1,0) Lost: nothing leads to Lost, neither the start nor stairs nor a ladder
    H11 (3:1,0) Lost: a way that ends here with nothing in it
    H11 (3:2,0) Lost: a way that ends here with nothing in it
    D1 (3:1,0) Lost: Lost is not reached from the start
    ");
    assert_snapshot!(found(1, 14, 2, "p"), @"H2 (1:14,2) Stores: red potion that no way in of its floor leads to");
    assert_snapshot!(found(0, 13, 1, "#"), @"H3 (13,1) Gatehouse: wall inside of the room `Hall`");
    assert_snapshot!(edited("[[floor.placed]]", "[[floor.room]]\nname = \"Closet\"\nkind = \"store\"\nat = [11, 4]\nsize = [1, 1]\n[[floor.placed]]"), @"H4 (12,4) Gatehouse: a square of the room `Hall` directly beside the room `Closet`");
    assert_snapshot!(found(0, 12, 3, "Y"), @"H5 (12,3) Gatehouse: yellow door that does not hang between two walls: it is open above, right, below");
    assert_snapshot!(found(0, 8, 5, "b"), @"H6 (8,5) Gatehouse: blue door that cannot be opened: there is no blue key");
    assert_snapshot!(found(0, 13, 5, "."), @"H7 (14,5) Gatehouse: stairs with 2 open sides; a nook has one");
    assert_snapshot!(found(0, 6, 2, "1"), @"H8 (6,2) Gatehouse: Green Slime in sight of the start's room `Landing`: it is seen from (3,2)");
    assert_snapshot!(found(0, 8, 6, "1"), @"H9 (8,6) Gatehouse: Green Slime one square from the ladder at (8,7); more than 3 are wanted");
    assert_snapshot!(found(1, 8, 1, "2"), @"H10 (1:8,1) Stores: Bat of height 3 under the ceiling 1 of the room `Store`");
    assert_snapshot!(found(0, 10, 5, "."), @"H11 (10,5) Gatehouse: a way that ends here with nothing in it");
    assert_snapshot!(found(0, 7, 3, "."), @"H12 (6,3) Gatehouse: two by two open squares that are no room, from here to the right and down");
    assert_snapshot!(found(1, 12, 5, "D2"), @"
    D1 (2:4,3) Deep: Deep is not reached from the start (Gate with a code at (1:12,5) stays shut)
    D2 (2:10,9) Deep: Boss in the room `Throne` is not reached from the start (Gate with a code at (1:12,5) stays shut)
    D2 (2:2,7) Deep: the foot of the quick exit is not reached from the start (Gate with a code at (1:12,5) stays shut)
    ");
    assert_snapshot!(edited("name = \"Gate with a code\"\ntools = { \"item:code\" = 1 }", "name = \"Gate with a code\"\ntools = { \"item:code\" = 2 }"), @"
    D2 (2:10,9) Deep: Boss in the room `Throne` is not reached from the start (Gate with a code at (2:6,4) stays shut)
    D2 (2:2,7) Deep: the foot of the quick exit is not reached from the start (Gate with a code at (2:6,4) stays shut)
    ");
    assert_snapshot!(found(0, 10, 5, "v"), @"D3 (10,5) Gatehouse: stairs that lead nowhere");
    assert_snapshot!(edited("[[floor.placed]]", "[[floor.barrier]]\nfrom = [2, 6]\nto = [2, 5]\n[[floor.placed]]"), @"D4 (2,7) Gatehouse: the quick exit does not lead to the start at (2,2)");
    assert_snapshot!(found(0, 2, 4, "Y"), @"D5 (2,7) Gatehouse: the quick exit is open from outside: the start leads to its upper end without the ladder");
    assert_snapshot!(found(1, 3, 6, "."), @"
    H2 (1:3,6) Stores: open floor that no way in of its floor leads to
    D6 (1:3,6) Stores: no rock around the ladder from (2,7) to (2:2,7), which passes here
    ");
}

#[test]
fn rules_that_are_broken_in_another_way_are_told_in_other_words() {
    let mut beyond = tower(SOUND);
    beyond.blueprint.rooms[1].width = 6;
    assert_snapshot!(told(&beyond), @"H3 (12,1) Gatehouse: the room `Hall` reaches beyond the map, which is 17 tiles wide and 11 high");
    let mut overlapping = tower(SOUND);
    overlapping.blueprint.rooms[1].at.x = 2;
    overlapping.blueprint.rooms[1].width = 1;
    assert_snapshot!(told(&overlapping), @"
    H4 (1,1) Gatehouse: a square of the room `Landing` directly beside the room `Hall`
    H12 (12,1) Gatehouse: two by two open squares that are no room, from here to the right and down
    ");
    assert_snapshot!(found(0, 2, 1, "1"), @"
    H8 (2,1) Gatehouse: Green Slime in the start's room `Landing`
    H9 (2,1) Gatehouse: Green Slime one square from the start at (2,2); more than 3 are wanted
    ");
    assert_snapshot!(edited("  { open = [[0, 2, 4]] },\n", ""), @"
    H6 (2,4) Gatehouse: Door without a handle that cannot be opened: no event opens it
    D4 (2,7) Gatehouse: the quick exit does not lead to the start at (2,2) (Door without a handle at (2,4) stays shut)
    ");
    assert_snapshot!(edited("name = \"Tablet with the code\"\ntools = { \"item:code\" = 1 }", "name = \"Tablet\""), @"
    H6 (2:6,4) Deep: Gate with a code that cannot be opened: nothing gives `item:code`
    D2 (2:10,9) Deep: Boss in the room `Throne` is not reached from the start (Gate with a code at (2:6,4) stays shut)
    D2 (2:2,7) Deep: the foot of the quick exit is not reached from the start (Gate with a code at (2:6,4) stays shut)
    ");
    assert_snapshot!(edited("to = [1, 8, 7]\nladder", "to = [1, 14, 5]\nladder"), @"
    D3 (1:8,7) Stores: stairs that lead nowhere
    D3 (8,7) Gatehouse: a ladder to (1:14,5), which does not lie straight above or below it
    ");
    assert_snapshot!(edited("at = [2, 5]\ntitle = \"Lever\"\ndo = [", "at = [2, 5]\nhidden = true\ndo = ["), @"D4 (2,7) Gatehouse: the quick exit does not lead to the start at (2,2) (Door without a handle at (2,4) stays shut)");
}

#[test]
fn what_cannot_be_asked_is_said() {
    let plain = tower(
        "[hero]\nhp = 9\natk = 9\ndef = 9\n[monsters.B]\nhp = 1\natk = 1\ndef = 1\n[[floor]]\nmap = '''\n@ . . . B\n'''\n",
    );
    let lines: Vec<String> = unasked(&plain).iter().map(|each| format!("{} {}", each.code, each.why)).collect();
    assert_snapshot!(lines.join("\n"), @"
    H3 no rooms are named
    H4 no rooms are named
    H5 it has no doors
    H6 it has no doors
    H7 it has no stairs
    H10 no rooms are named
    H11 no rooms are named
    H12 no rooms are named
    D1 it has one floor
    D3 it has no stairs
    D4 it has no quick exit
    D5 it has no quick exit
    D6 no ladder passes a floor
    ");
    assert_snapshot!(told(&plain), @"H8 (4,0): Boss in sight of the start: it is seen from (0,0)");
}

#[test]
fn some_checks_alone_find_what_all_find_of_them() {
    let broken = tower(&with(1, 3, 6, "."));
    let all = check(&broken);
    let some = check_only(&broken, &[Code::D6]);
    assert_eq!(some, all.iter().filter(|finding| finding.code == Code::D6).cloned().collect::<Vec<_>>());
    assert_eq!(some.len(), 1);
}

#[test]
fn the_table_has_each_code_once_in_order() {
    assert_eq!(CHECKS.map(|check| check.code), Code::ALL);
    for code in Code::ALL {
        assert_eq!(code.to_string().to_lowercase().parse(), Ok(code));
    }
    assert!("H13".parse::<Code>().is_err());
}

#[test]
fn the_table_of_the_documentation_is_this_one() {
    let rows: Vec<String> =
        CHECKS.iter().map(|check| format!("| {} | {} | {} |\n", check.code, check.name, check.rule)).collect();
    let table = format!("| code | name | rule |\n|---|---|---|\n{}", rows.concat());
    assert!(include_str!("../../docs/generator.md").contains(&table), "the table is:\n{table}");
}
