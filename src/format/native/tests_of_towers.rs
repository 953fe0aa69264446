//! What is said of mistakes in events, things, gates, ways and goals.

use insta::assert_snapshot;

use super::{read, write};

const SMALL: &str = r##"rules = "h5mota"
[hero]
hp = 100
atk = 9
def = 4
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
! 1 B
@ # .
"""
[[floor.event]]
at = [0, 0]
do = [ "stop" ]
"##;

/// What is said of the small tower with some texts put in the place of others.
fn mistakes(changes: &[(&str, &str)]) -> String {
    let mut text = SMALL.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    read("small.toml", &text).map_or_else(|problems| problems.to_string(), |tower| write(&tower))
}

/// What is said of a script.
fn script(script: &str) -> String {
    mistakes(&[("[ \"stop\" ]", &format!("[\n{script}\n]"))])
}

#[test]
fn mistakes_in_instructions_are_told_at_their_places() {
    assert_snapshot!(script("'stpo', 'set', 'jump', 3,\n{ ste = 'hp' }, { a = 1, b = 2 }, {},"), @r#"
    small.toml:22:1: unknown instruction `stpo` (did you mean `stop`?)
    small.toml:22:9: unknown instruction `set` (write { set = … })
    small.toml:22:16: unknown instruction `jump` (the words are break, continue, stop, win and lose)
    small.toml:22:24: expected an instruction, found the number `3` (write { set = "hp", to = "hp + 50" } or a word such as "stop")
    small.toml:23:3: unknown instruction `ste` (did you mean `set`?)
    small.toml:23:17: this table is no instruction: it has `a`, `b` (known: set, put, remove, open, hide, show, move, alter, fight, go, if, elif, while, choose, skip)
    small.toml:23:35: this table is no instruction: it is empty (known: set, put, remove, open, hide, show, move, alter, fight, go, if, elif, while, choose, skip)
    "#);
    assert_snapshot!(script("{ set = 'hp', go = [0, 0, 0] },\n{ set = 'hp', too = 1 },\n{ go = [0, 0, 0], at = 1 },\n{ remove = [[0, 0, 0]], x = 1 },"), @"
    small.toml:22:1: this is both `set` and `go` (write a table for each instruction)
    small.toml:23:1: the key `to` is missing
    small.toml:23:15: `set` has no `too` (did you mean `to`?)
    small.toml:24:19: `go` has no `at` (`go` stands alone)
    small.toml:25:25: `remove` has no `x` (`remove` stands alone)
    ");
    assert_snapshot!(script("{ set = 'hp' },\n{ set = 'hp + 1', to = 'hp +' },\n{ set = 3, to = [] },\n{ set = 'hq', to = \"flag:\\u0061 + hq\" },"), @r#"
    small.toml:22:1: the key `to` is missing
    small.toml:23:10: `hp + 1` is nothing that can be set (set what the hero has, such as `hp`, or a variable, such as `flag:door`)
    small.toml:23:29: expected a number, a name or `(`, found the end
    small.toml:24:9: `set`: expected a string, found the number `3`
    small.toml:24:17: `to`: expected an expression, found a list (write it in quotes, such as "hp + 50")
    small.toml:25:10: unknown name `hq` (did you mean `hp`?)
    small.toml:25:20: unknown name `hq` (did you mean `hp`?)
    "#);
    assert_snapshot!(script("{ put = 'i1', at = [[0, 0, 0]] },\n{ put = 'a' },\n{ put = '$', at = [] },\n{ put = '?', at = [0, 0] },"), @"
    small.toml:22:9: the item `i1` has no row (add [things.i1])
    small.toml:23:1: the key `at` is missing
    small.toml:23:9: `a` gives what [items] does not say (add `red_gem = …` under [items])
    small.toml:24:9: this puts a shop, but there is no table [shop] with what it sells
    small.toml:25:9: unknown symbol `?` (`mota floor legend` prints the symbols)
    small.toml:25:19: `at`: expected floor, column and row, found a list (write [0, 3, 4], each from 0)
    ");
    assert_snapshot!(script("{ remove = [[0, 3, 0], [1, 0, 0]] },\n{ move = [0, 0, -1], to = 'x' },\n{ go = [0, 0] },\n{ show = 3 },"), @"
    small.toml:22:13: (3,0) lies outside the map
    small.toml:22:24: there is no floor 1; floors are counted from 0
    small.toml:23:10: `move`: expected floor, column and row, found a list (write [0, 3, 4], each from 0)
    small.toml:23:27: `to`: expected floor, column and row, found the string `x` (write [0, 3, 4], each from 0)
    small.toml:24:8: `go`: expected floor, column and row, found a list (write [0, 3, 4], each from 0)
    small.toml:25:10: `show`: expected a list, found the number `3`
    ");
    assert_snapshot!(script("{ alter = '2', what = 'mdef' },\n{ alter = 1, what = 'attack', to = 3 },\n{ fight = 'boss' },"), @"
    small.toml:22:1: the key `to` is missing
    small.toml:22:11: the monster `2` has no row in the monster table (did you mean `1`?)
    small.toml:22:23: a monster has no number `mdef` (did you mean `def`?)
    small.toml:23:21: a monster has no number `attack` (known here: hp, atk, def, gold, experience)
    small.toml:24:11: the monster `boss` has no row in the monster table (known here: 1, B)
    ");
    assert_snapshot!(script("{ if = 'hp', else = [] },\n{ elif = 'hp', then = [] },\n{ while = 'hp', then = [] },\n{ if = 'hp', then = 'stop' },"), @"
    small.toml:22:1: the key `then` is missing
    small.toml:23:1: `elif` follows an `if` or `elif` without `else`
    small.toml:24:1: the key `do` is missing
    small.toml:24:17: `while` has no `then` (beside it: do)
    small.toml:25:21: `then`: expected a list, found the string `stop`
    ");
    assert_snapshot!(script("{ choose = 'a\\u0001b', options = [{ if = 'hp' }, { text = 3, od = [] }, 4] },\n{ choose = \"\\u0001\", options = 1 },\n{ skip = [] },"), @"
    small.toml:22:35: the key `text` is missing
    small.toml:22:59: `text`: expected a string, found the number `3`
    small.toml:22:62: an option has no `od` (did you mean `do`?)
    small.toml:22:73: `options`: expected a table, found the number `4`
    small.toml:23:12: `choose`: expected one line of at most 2000 characters without control characters
    small.toml:23:32: `options`: expected a list, found the number `1`
    small.toml:24:10: `skip`: expected a string, found a list
    ");
}

#[test]
fn mistakes_in_events_are_told_at_their_places() {
    let event = |event: &str| mistakes(&[("at = [0, 0]\n", event)]);
    assert_snapshot!(event(""), @"small.toml:19:1: the key `at` is missing: the event's column and row");
    assert_snapshot!(event("at = [0, 9]\n"), @"small.toml:20:6: (0,9) lies outside the map");
    assert_snapshot!(event("at = [0, 0]\nwhen = 'afterfight'\n"), @"small.toml:21:8: `when`: unknown value `afterfight` (did you mean `after fight`?)");
    assert_snapshot!(event("at = [0, 0]\nif = 'hp'\nonce = true\n"), @r#"
    small.toml:21:1: `if` goes with `when = "condition"`
    small.toml:22:8: `once` goes with `when = "condition"`
    "#);
    assert_snapshot!(event("at = [0, 0]\nwhen = 'arrival'\nhidden = true\n"), @"
    small.toml:20:6: this event concerns the floor and has no place on it
    small.toml:22:10: only an event on a tile is hidden, and this one concerns the floor
    ");
    assert_snapshot!(event("when = 'condition'\n"), @"small.toml:20:8: the key `if` is missing: what becomes true");
    assert_snapshot!(event("at = [0, 0]\n[[floor.event]]\nat = [0, 0]\nhiden = true\n"), @"small.toml:23:1: unknown key `hiden` (did you mean `hidden`?)");
    assert_snapshot!(event("at = [0, 0]\n[[floor.event]]\nat = [0, 0]\n"), @"small.toml:21:1: a second event at (0,0) of the same time; a tile has one of each");
}

#[test]
fn mistakes_in_tables_of_a_towers_own_are_told_at_their_places() {
    let with = |tables: &str| mistakes(&[("[monsters.1]", &format!("{tables}\n[monsters.1]"))]);
    assert_snapshot!(with("[variables]\n'flag:a' = 'x'\n'' = 1"), @"
    small.toml:7:12: expected what the variable is at the start, a whole number, found the string `x`
    small.toml:8:1: a variable's name is 1 to 200 characters without control characters
    ");
    assert_snapshot!(with("[things.x]\n[things.i1]\n[things.i2]\nname = 'Book'\ngive = { hp = 1, mpd = 2 }\ntools = { hammer = 1, 'item:a' = 'b' }\ndo = ['x']"), @"
    small.toml:6:9: unknown thing `x` (its name is a letter and a number, such as [things.i1])
    small.toml:7:1: the key `name` is missing
    small.toml:10:18: unknown key `mpd` (known here: hp, atk, def, mdef, gold, experience, keys, marks)
    small.toml:11:11: unknown variable `hammer` (list it under [variables]; only flag:NAME and item:NAME need not be)
    small.toml:11:34: `item:a`: expected a whole number, found the string `b`
    small.toml:12:7: unknown instruction `x` (the words are break, continue, stop, win and lose)
    ");
    assert_snapshot!(with("[gates.i1]\n[gates.D1]\nname = 'Door'\nkeys = { yellow = -1 }\ntools = { 'item:a' = -1 }\nbyevent = true"), @"
    small.toml:6:8: unknown gate `i1` (its name is a letter and a number, such as [gates.D1])
    small.toml:9:19: `keys`: expected a whole number of at least 0, found `-1`
    small.toml:10:22: `item:a`: expected a whole number of at least 0, found the number `-1`
    small.toml:11:1: unknown key `byevent` (did you mean `by_event`?)
    ");
    assert_snapshot!(mistakes(&[("1 B", "i1 D1"), ("@ # .", "@ # B")]), @"
    small.toml:16:3: the item `i1` has no row (add [things.i1] with its name)
    small.toml:16:6: the door `D1` has no row (add [gates.D1] with its name)
    ");
    assert_snapshot!(mistakes(&[("[hero]", "goal = 'exit'\n[hero]\nmarks = { hatred = -1, cros = true }")]), @"
    small.toml:2:8: the key `exit` is missing: which tile has to be reached (write exit = [0, 3, 4]: floor, column and row)
    small.toml:4:20: `hatred`: expected a whole number of at least 0, found `-1`
    small.toml:4:24: unknown key `cros` (did you mean `cross`?)
    ");
    assert_snapshot!(mistakes(&[("[hero]", "goal = 'exit'\nexit = [0, 0, 5]\n[hero]")]), @"small.toml:3:8: (0,5) lies outside the map");
    assert_snapshot!(mistakes(&[("[hero]", "exit = [0, 0, 0]\n[hero]")]), @r#"small.toml:2:8: `exit` goes with `goal = "exit"`"#);
    assert_snapshot!(mistakes(&[("\"h5mota\"", "\"thesis\"\nhatred = 3\ngoal = 'evnt'")]), @"
    small.toml:2:10: `hatred` exists under `h5mota` rules only; these are `thesis`
    small.toml:3:8: `goal`: unknown value `evnt` (did you mean `event`?)
    ");
    assert_snapshot!(mistakes(&[("[[floor.event]]", "[[floor.stairs]]\nat = [0, 5]\nto = [1, 0, 0]\none_way = true\n[[floor.barrier]]\nfrom = [0, 0]\nto = [1, 1]\n[[floor.event]]")]), @"
    small.toml:20:6: (0,5) lies outside the map
    small.toml:21:6: there is no floor 1; floors are counted from 0
    small.toml:25:6: (1,1) does not lie beside (0,0)
    ");
    assert_snapshot!(mistakes(&[("def = 3", "def = 3\nabilities = ['drain', 'curse', { name = 'drain', atk = -1 }]")]), @r#"
    small.toml:10:14: `drain` needs its atk and def (write { name = "drain", atk = 1, def = 1 })
    small.toml:10:56: `atk`: expected a whole number of at least 0, within 64 bits, found the number `-1`
    "#);
}

#[test]
fn places_have_as_many_numbers_as_they_need() {
    let ways = "[[floor.stairs]]\nat = [0, 0, 0]\nto = [0, 0, 0, 0]\n[[floor.barrier]]\nfrom = [0]\nto = [0, 1, 5]\n[[floor.event]]";
    assert_snapshot!(mistakes(&[("[[floor.event]]", ways)]), @"
    small.toml:20:6: `at`: expected column and row, found 3 of them: write [3, 4], each from 0
    small.toml:21:6: `to`: expected floor, column and row, found 4 of them: write [0, 3, 4], each from 0
    small.toml:23:8: `from`: expected column and row, found 1 of them: write [3, 4], each from 0
    small.toml:24:6: `to`: expected column and row, found 3 of them: write [3, 4], each from 0
    ");
    assert_snapshot!(mistakes(&[("[hero]", "goal = 'exit'\nexit = [0, 0, 0, 1]\n[hero]\nstart = [0, 1]")]), @"
    small.toml:3:8: `exit`: expected floor, column and row, found 4 of them: write [0, 3, 4], each from 0
    small.toml:5:9: `start`: expected floor, column and row, found 2 of them: write [0, 3, 4], each from 0
    ");
    assert_snapshot!(mistakes(&[("[[floor.event]]\n", "[[floor.event]]\nat = [0, 0, 0]\ndo = ['stop']\n[[floor.event]]\n")]), @"small.toml:20:6: `at`: expected column and row, found 3 of them: write [3, 4], each from 0");
}

#[test]
fn what_is_deep_is_read_or_an_error() {
    let nested =
        |count: usize, open: &str, close: &str| script(&format!("{}{}", open.repeat(count), close.repeat(count)));
    let deep = |count| nested(count, "{ if = 'hp', then = [", "\"stop\"] },");
    assert!(deep(31).contains("\"stop\""));
    assert!(deep(32).contains("this is nested too deep (at most 32 levels (a choice is two), and 200 with `elif`)"));
    let choices = |count| nested(count, "{ choose = 'a', options = [{ text = 'b', do = [", "\"stop\"] }] },");
    assert!(choices(15).contains("\"stop\"") && choices(16).contains("nested too deep"));
    for count in [100, 1 << 16] {
        assert!(deep(count).starts_with("small.toml:"));
        assert!(choices(count).starts_with("small.toml:"));
    }
    let cases = |count: usize| {
        script(&format!("{{ if = 'hp', then = [] }},\n{}", "{ elif = 'hp', then = ['stop'] },\n".repeat(count)))
    };
    assert_eq!(cases(198).matches("elif").count(), 198);
    assert!(cases(200).contains("nested too deep") && cases(1 << 16).contains("nested too deep"));
}

#[test]
fn a_tower_whose_only_stairs_are_one_way_is_read_back() {
    let second = "[[floor]]\nmap = \"\"\"\nv . .\n\"\"\"\n";
    let text = SMALL
        .replace("@ # .", "@ # ^")
        .replace("[[floor.event]]", "[[floor.stairs]]\nat = [2, 1]\nto = [1, 2, 0]\none_way = true\n[[floor.event]]");
    let tower = read("small.toml", &(text + second)).unwrap();
    assert!(tower.stairs.is_empty() && tower.passages.len() == 1);
    assert_eq!(read("small.toml", &write(&tower)).unwrap(), tower);
    let by_rule = read("small.toml", &(SMALL.replace("@ # .", "@ # ^") + second)).unwrap();
    assert_eq!(by_rule.stairs.len(), 1);
}
