//! The native format: a tower as TOML with maps that people draw. `read` and `write` are each other's inverse.

mod ability;
mod blueprint;
mod event;
mod expression;
mod floors;
mod kind;
mod map;
mod monster;
mod quantity;
mod read;
mod script;
mod symbols;
#[cfg(test)]
mod tests_of_towers;
mod variables;
mod way;
mod write;

pub use quantity::{LONGEST_COMMAND, LONGEST_LABEL, LONGEST_TEXT};
pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    const TINY: &str = r##"name = "tiny"
[hero]
hp = 100
atk = 9
def = 4
[items]
red_gem = 1
[monsters.1]
hp = 50
atk = 7
def = 3
[monsters.B]
hp = 50
atk = 20
def = 12
[[floor]]
map = """
a 1 B
@ # .
"""
"##;

    /// What is said of the tiny floor with one text put in the place of another.
    fn mistakes(changes: &[(&str, &str)]) -> String {
        let mut text = TINY.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        read("tiny.toml", &text).map_or_else(|problems| problems.to_string(), |tower| format!("{tower:?}"))
    }

    #[test]
    fn names_and_titles_are_optional() {
        let tower = read("floors/some floor.toml", &TINY.replace("name = \"tiny\"\n", "")).unwrap();
        assert_eq!((tower.name.as_str(), tower.title.as_str()), ("some-floor", "some-floor"));
        let names: Vec<&str> = tower.monsters.iter().map(|monster| monster.name.as_str()).collect();
        assert_eq!(names, ["Green Slime", "Boss"]);
    }

    #[test]
    fn what_is_written_is_what_people_would_write() {
        let text = TINY
            .replace("[monsters.B]", "abilities = ['double', {name = '5-strike attack'}, {name = 'vampire', ratio = 0.25}]\n[monsters.B]")
            .replace("a 1 B", "a 1 B 10").replace("@ # .", "@ # . .")
            .replace("[[floor]]", "[monsters.10]\nname = 'Big \"Bat\"'\nhp = 1\natk = 1\ndef = 1\ngold = 5\nabilities = [{name = 'break armor', ratio = '0.29'}, 'purify']\n[[floor]]");
        assert_snapshot!(write(&read("tiny.toml", &text).unwrap()), @r#"
        name = "tiny"
        rules = "thesis"

        [hero]
        hp = 100
        atk = 9
        def = 4

        [items]
        red_gem = 1

        [monsters.1]
        name = "Green Slime"
        hp = 50
        atk = 7
        def = 3
        abilities = ["double attack", { name = "N-strike", n = 5 }, { name = "vampire", ratio = 0.25 }]

        [monsters.B]
        name = "Boss"
        hp = 50
        atk = 20
        def = 12

        [monsters.10]
        name = 'Big "Bat"'
        hp = 1
        atk = 1
        def = 1
        gold = 5
        abilities = [{ name = "break armour", ratio = 0.29 }, "purify"]

        [[floor]]
        map = """
        a 1 B 10
        @ # . .
        """
        "#);
    }

    #[test]
    fn mistakes_on_the_map_are_told_at_their_symbols() {
        assert_snapshot!(mistakes(&[("a 1 B", "a 7 B"), ("@ # .", "@ ? a1")]), @"
        tiny.toml:18:3: the monster `7` has no row in the monster table (add [monsters.7] with hp, atk and def)
        tiny.toml:19:3: unknown symbol `?` (`mota floor legend` prints the symbols)
        tiny.toml:19:5: unknown symbol `a1` (symbols are separated by blanks)
        ");
        assert_snapshot!(mistakes(&[("a 1 B", "a 1 B .\n. . .")]), @"tiny.toml:18:1: this row has 4 tiles, the others have 3");
        assert_snapshot!(mistakes(&[("a 1 B", "@ B B")]), @"
        tiny.toml:18:5: a second boss; the first stands at (1,0), and a tower has one
        tiny.toml:19:1: a second hero; the first stands at (0,0)
        ");
        assert_snapshot!(mistakes(&[("a 1 B", "a 1 1"), ("@", ".")]), @"
        tiny.toml:17:7: there is no hero (`@`) on the map
        tiny.toml:17:7: there is no boss (`B`) on the map, so the game cannot be won
        ");
        assert_snapshot!(mistakes(&[("a 1 B", "p $ B"), ("# .", "! !")]), @"
        tiny.toml:18:1: there is a red potion on the map, but [items] does not say what it gives (add `red_potion = …` under [items])
        tiny.toml:18:3: there is a shop on the map, but no table [shop] with what it sells
        tiny.toml:19:3: nothing is said of this event (add [[floor.event]] with at = [1, 1] and do = [ … ])
        tiny.toml:19:5: nothing is said of this event (add [[floor.event]] with at = [2, 1] and do = [ … ])
        ");
        assert_snapshot!(mistakes(&[("a 1 B\n@ # .\n", "\n")]), @"tiny.toml:17:7: this map is empty");
        assert_snapshot!(mistakes(&[("map = ", "mpa = ")]), @"
        tiny.toml:16:1: this floor has no map
        tiny.toml:17:1: unknown key `mpa` (did you mean `map`?)
        ");
        assert_snapshot!(mistakes(&[("a 1 B", "y = 0 a 1 B")]), @"
        tiny.toml:18:1: unknown symbol `y` (axis labels are not part of the map)
        tiny.toml:18:3: unknown symbol `=` (axis labels are not part of the map)
        tiny.toml:18:5: the monster `0` has no row in the monster table (add [monsters.0] with hp, atk and def)
        tiny.toml:19:1: this row has 3 tiles, the others have 6
        ");
    }

    #[test]
    fn mistakes_in_tables_are_told_at_their_values() {
        assert_snapshot!(mistakes(&[("hp = 100", "hp = 0"), ("atk = 9", "atk = -9"), ("def = 4", "def = 4\nkeys = { yellow = -1, blu = 1 }")]), @"
        tiny.toml:3:6: `hp`: expected a whole number of at least 1, found `0`
        tiny.toml:4:7: `atk`: expected a whole number of at least 0, found `-9`
        tiny.toml:6:19: `yellow`: expected a whole number of at least 0, found `-1`
        tiny.toml:6:23: unknown key `blu` (did you mean `blue`?)
        ");
        assert_snapshot!(mistakes(&[("hp = 100\n", ""), ("atk = 7", "atk = 9223372036854775808"), ("def = 3", "")]), @"
        tiny.toml:2:1: the key `hp` is missing
        tiny.toml:7:1: the key `def` is missing
        tiny.toml:9:7: `atk`: the number `9223372036854775808` is beyond 64 bits
        ");
        assert_snapshot!(mistakes(&[("[monsters.1]", "[monster.1]"), ("red_gem", "red_gme")]), @"
        tiny.toml:7:1: unknown key `red_gme` (did you mean `red_gem`?)
        tiny.toml:8:2: unknown key `monster` (did you mean `monsters`?)
        tiny.toml:18:3: the monster `1` has no row in the monster table (add [monsters.1] with hp, atk and def)
        ");
        assert_snapshot!(mistakes(&[("[monsters.1]", "[monsters.slime]"), ("hp = 100\natk = 9\ndef = 4", "hp = 'many'\natk = 9\ndef = 4")]), @"
        tiny.toml:3:6: `hp`: expected a whole number, found the string `many`
        tiny.toml:8:11: unknown monster `slime` (a type of monster is a number, such as [monsters.1]; the boss is [monsters.B])
        tiny.toml:18:3: the monster `1` has no row in the monster table (add [monsters.1] with hp, atk and def)
        ");
        assert_snapshot!(mistakes(&[("name = \"tiny\"", "name = \"a b\"\nrules = \"h5\"\nnegative_damage = true")]), @"
        tiny.toml:1:8: `name`: a name is 1 to 80 letters (a to z), digits, `_` and `-`; use `title` for more
        tiny.toml:2:9: `rules`: unknown value `h5` (known here: thesis, solver, h5mota)
        ");
        assert_snapshot!(mistakes(&[("[[floor]]", "[shop]\nfirst_price = 0\nhp = -1\n[[floor]]\n[[floor.event]]\nat = [1, 1]\n[[floor]]")]), @"
        tiny.toml:18:6: `hp`: expected a whole number of at least 0, found `-1`
        tiny.toml:19:1: this floor has no map
        ");
        assert_snapshot!(mistakes(&[("[hero]", "negative_damage = true\n[hero]"), ("[[floor]]\nmap = \"\"\"\na 1 B\n@ # .\n\"\"\"\n", "")]), @r#"
        tiny.toml: there is no floor (draw one: [[floor]], then map = """ and its rows)
        tiny.toml:2:19: `negative_damage` exists under `h5mota` rules only; these are `thesis`
        "#);
    }

    #[test]
    fn mistakes_in_abilities_are_told_at_their_names() {
        let with = |abilities: &str| mistakes(&[("def = 3", &format!("def = 3\nabilities = {abilities}"))]);
        assert_snapshot!(with("['magic atack', 'flying', 3, {n = 5}]"), @r#"
        tiny.toml:12:14: unknown ability `magic atack` (did you mean `magic attack`?)
        tiny.toml:12:29: unknown ability `flying` (known: first strike, magic attack, solid, double attack, triple attack, N-strike, four-strike attack, break armour, counter attack, purify, mimic, vampire, fixed damage, curse, hatred, self-destruct, invincible, drain)
        tiny.toml:12:39: expected an ability, found the number `3` (write "magic attack" or { name = "N-strike", n = 5 })
        tiny.toml:12:42: this ability has no name (write { name = "vampire", … })
        "#);
        assert_snapshot!(with("['vampire', 'fixed damage', 'solid', 'solid']"), @r#"
        tiny.toml:12:14: `vampire` needs its ratio (write { name = "vampire", ratio = 0.25 })
        tiny.toml:12:25: `fixed damage` needs its damage (write { name = "fixed damage", damage = 50 })
        tiny.toml:12:50: the ability `solid` is listed twice
        "#);
        assert_snapshot!(with("[{name = 'solid', n = 3}, {name = 'N-strike', n = 0}, {name = 'vampire', ratio = 1e-3, add = 1}]"), @"
        tiny.toml:12:31: `solid` has no parameter `n`
        tiny.toml:12:63: `n`: expected a whole number of at least 1, within 64 bits, found the number `0`
        tiny.toml:12:94: `ratio`: expected a decimal number of at least 0 with at most 15 digits, such as 0.25, found the number `1e-3`
        tiny.toml:12:106: `add`: expected true or false, found the number `1`
        ");
        assert_snapshot!(with("[{name = 'vampire', ratio = 0.5, add = true}]"), @"tiny.toml:12:13: vampire with `add` exists under h5mota rules only, and this tower's rules are `thesis`");
        assert_snapshot!(mistakes(&[("[hero]", "rules = 'solver'\n[hero]"), ("def = 3", "def = 3\nabilities = ['solid', 'mimic']")]), @"tiny.toml:13:13: the solver's rules know one ability a monster, and this tower's rules are `solver`");
    }

    #[test]
    fn mistakes_in_stairs_are_told_at_their_ends() {
        let with = |stairs: &str| mistakes(&[("a 1 B\n@ # .\n\"\"\"", &format!("^ 1 B\n@ # v\n\"\"\"\n{stairs}"))]);
        assert_snapshot!(with("[[floor.stairs]]\nat = [0, 0]\nto = [1, 0, 0]\n[[floor.stairs]]\nat = [1, 0]\nto = [0, 9, 9]"), @"
        tiny.toml:23:6: there is no floor 1; floors are counted from 0
        tiny.toml:25:6: (1,0) is not a stair
        tiny.toml:26:6: (9,9) lies outside the map
        ");
        assert_snapshot!(with("[[floor.stairs]]\nat = [0]\nto = [0, -1, 2]\n"), @"
        tiny.toml:22:6: `at`: expected column and row, found 1 of them: write [3, 4], each from 0
        tiny.toml:23:10: `to`: expected a whole number from 0 to 65535, found the number `-1`
        ");
    }

    #[test]
    fn the_hero_may_start_on_a_stair() {
        let text = TINY.replace("def = 4", "def = 4\nstart = [0, 0, 1]");
        let tower = read("tiny.toml", &text.replace('@', "^")).unwrap();
        assert_eq!(tower.start, crate::game::Position::new(0, 0, 1));
        assert!(write(&tower).contains("start = [0, 0, 1]"));
        assert_snapshot!(read("tiny.toml", &text).unwrap_err(), @"tiny.toml:20:1: a second hero; the first stands at (0,1)");
        assert_snapshot!(read("tiny.toml", &text.replace('@', "#")).unwrap_err(), @"tiny.toml:6:9: the hero cannot start at (0,1), which is not an open tile");
    }

    #[test]
    fn a_tower_with_events_is_written_as_it_was_read() {
        let text = include_str!("../../../tests/data/towers/old-man.toml");
        let tower = read("old-man.toml", text).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(write(&tower), text);
    }
}
