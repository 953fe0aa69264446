//! `mota solve` beyond its answer on small floors: limits, interruption, goals, several routes, the merged graph.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json as value};

use crate::answers::keeps_to_its_schema;
use crate::harness::{json, mota, refusal, run, scratch};

/// A floor of some two hundred doors and monsters between rooms, far beyond exact reach, with the complex floor's
/// monsters. Drawn by a generator of its own.
fn large_floor(folder: &Path) -> String {
    let complex = fs::read_to_string(crate::harness::root().join("floors/complex.toml")).unwrap();
    let head = complex.split("[[floor]]").next().unwrap().replace("hp = 1000", "hp = 2500");
    let mut seed: u64 = 7;
    let mut draw = |symbols: &[&'static str]| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        symbols[(seed >> 33) as usize % symbols.len()]
    };
    let obstacles = ["1", "1", "2", "2", "3", "4", "4", "5", "5", "6", "7", "Y", "Y", "Y", "b", "#"];
    let items = ["k", "k", "K", "a", "d", "p", "p", ".", ".", ".", ".", ".", "."];
    let mut map = String::new();
    for y in 0..47 {
        for x in 0..47 {
            let (wall_x, wall_y) = (x % 4 == 3, y % 4 == 3);
            map += match (x, y) {
                (0, 0) => "@",
                (46, 46) => "B",
                _ if wall_x && wall_y => "#",
                _ if wall_x != wall_y && (x % 4 == 1 || y % 4 == 1) => draw(&obstacles),
                _ if wall_x || wall_y => "#",
                _ if (x * 7 + y * 13) % 3 > 0 => ".",
                _ => draw(&items),
            };
            map += " ";
        }
        map += "\n";
    }
    let path = folder.join("large.toml");
    fs::write(&path, format!("{head}[[floor]]\nmap = \"\"\"\n{map}\"\"\"\n")).unwrap();
    path.display().to_string()
}

/// A route, a bound above it, and memory below the limit.
fn is_a_bracket(answer: &Value, most_mb: f64) {
    keeps_to_its_schema("solve", answer);
    let (value, bound) = (answer["value"].as_i64().unwrap(), answer["upper_bound"].as_i64().unwrap());
    assert_eq!(answer["proven"], false);
    assert!(bound > value && answer["gap"] == bound - value, "{value} {bound} {}", answer["gap"]);
    let route = answer["route"].as_array().unwrap();
    assert_eq!(route.last().unwrap()["hero"]["hp"], value);
    let peak = answer["peak_mb"].as_f64().unwrap();
    assert!(peak < most_mb, "{peak} MB");
}

#[test]
fn a_floor_beyond_reach_gives_a_bracket_within_its_limits() {
    let folder = scratch();
    let floor = large_floor(folder.path());
    let limits = ["solve", &floor, "--time-limit", "2s", "--memory", "60MB"];
    let begun = Instant::now();
    let output = run(&[&limits[..], &["--json"]].concat(), 3);
    assert!(begun.elapsed() < Duration::from_secs(30));
    is_a_bracket(&serde_json::from_slice(&output.stdout).unwrap(), 120.0);
    let output = run(&[&limits[..], &["--anytime"]].concat(), 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("not proven: no play has hp above") && text.contains("a gap of"), "{text}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("at most") && told.contains("gap"), "{told}");
    // Memory alone is a limit, too.
    let output = run(&["solve", &floor, "--memory", "1MB", "--json"], 3);
    is_a_bracket(&serde_json::from_slice(&output.stdout).unwrap(), 60.0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_there_is() {
    let folder = scratch();
    let floor = large_floor(folder.path());
    let child = mota().args(["solve", &floor, "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_secs(2));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    is_a_bracket(&serde_json::from_slice(&output.stdout).unwrap(), 2_000.0);
}

#[test]
fn a_proven_answer_says_so() {
    for (floor, hp) in [("simple", 13), ("complex", 68), ("hand03", 9)] {
        let answer = json(&["solve", &format!("floors/{floor}.toml"), "--json"]);
        assert_eq!(
            (&answer["proven"], &answer["upper_bound"], &answer["gap"]),
            (&value!(true), &value!(hp), &value!(0))
        );
        assert!(answer["seconds"].as_f64().unwrap() > 0.0 && answer["peak_mb"].as_f64().unwrap() > 1.0);
    }
    let published = json(&["solve", "floors/simple.toml", "--algorithm", "published", "--json"]);
    assert_eq!((&published["proven"], &published["upper_bound"]), (&value!(false), &Value::Null));
}

#[test]
fn several_routes_are_distinct_and_fall() {
    let answer = json(&["solve", "floors/complex.toml", "--top", "4", "--json"]);
    keeps_to_its_schema("solve", &answer);
    let others = answer["others"].as_array().unwrap();
    assert_eq!((others.len(), &answer["value"]), (3, &value!(68)));
    let values: Vec<i64> = others.iter().map(|other| other["value"].as_i64().unwrap()).collect();
    assert!(values[0] <= 68 && values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let set = |route: &Value| {
        let mut tiles: Vec<String> = route.as_array().unwrap().iter().map(|step| step["target"].to_string()).collect();
        tiles.sort();
        tiles
    };
    let mut sets: Vec<Vec<String>> =
        others.iter().map(|other| set(&other["route"])).chain([set(&answer["route"])]).collect();
    sets.sort();
    sets.dedup();
    assert_eq!(sets.len(), 4);
    let text = |floor: &str| String::from_utf8(run(&["solve", floor, "--top", "3"], 0).stdout).unwrap();
    assert!(text("floors/complex.toml").contains("Number 3: hp = 57"));
    assert!(text("floors/hand03.toml").contains("there is no other winning set"));
}

#[test]
fn other_goals() {
    let answer = json(&["solve", "floors/complex.toml", "--goal", "atk+def", "--json"]);
    assert_eq!(
        (&answer["value"], &answer["final"]["hp"], &answer["proven"]),
        (&value!(36), &value!(68), &value!(true))
    );
    let keys = json(&["solve", "floors/simple.toml", "--goal", "10*keys+hp", "--json"]);
    let hero = &keys["final"];
    let held: i64 = hero["keys"].as_object().unwrap().values().map(|count| count.as_i64().unwrap()).sum();
    assert_eq!(keys["value"].as_i64().unwrap(), 10 * held + hero["hp"].as_i64().unwrap());
    assert!(refusal(&["solve", "floors/simple.toml", "--goal", "gold"], 2).contains("a goal is a sum"));
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    for (arguments, part) in [
        (&["--algorithm", "published", "--top", "2"][..], "--top goes with --algorithm exact"),
        (&["--algorithm", "corrected", "--merge"], "--merge goes with"),
        (&["--no-merge"], "--no-merge and --no-eat go with"),
        (&["--merge", "--items-by-action"], "do not go together"),
        (&["--time-limit", "soon"], "length of time"),
        (&["--memory", "10"], "1MB or more"),
        (&["--top", "0"], "0 is not in"),
    ] {
        let told = refusal(&[&["solve", "floors/simple.toml"], arguments].concat(), 2);
        assert!(told.contains(part), "{told}");
    }
}

/// A shop can make use of a fight by itself that the merged graph does only together with the next.
#[test]
fn merging_hides_a_route_where_gold_buys() {
    let folder = scratch();
    let path = folder.path().join("shop.toml");
    let monster = |symbol: &str, hp: i64, atk: i64, gold: i64| {
        format!("[monsters.{symbol}]\nname = \"Monster {symbol}\"\nhp = {hp}\natk = {atk}\ndef = 0\ngold = {gold}\n")
    };
    let text = format!(
        "name = \"shop\"\ntitle = \"A shop\"\n[hero]\nhp = 100\natk = 10\ndef = 0\n[items]\nred_potion = 5\n\
         [shop]\nfirst_price = 5\nprice_step = 5\natk = 10\n{}{}{}\
         [[floor]]\nmap = \"\"\"\n$ @ 1 2 ^\n\"\"\"\n[[floor]]\nmap = \"\"\"\nv p B\n\"\"\"\n",
        monster("1", 10, 10, 5),
        monster("2", 20, 30, 1),
        monster("B", 20, 30, 0)
    );
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let solve = |more: &[&str]| json(&[&["solve", path, "--json"], more].concat());
    let (merged, real) = (solve(&["--merge"]), solve(&[]));
    assert_eq!((&merged["value"], &merged["proven"]), (&value!(75), &value!(true)));
    assert_eq!((&real["value"], &real["proven"]), (&value!(105), &value!(true)));
    assert_eq!(json(&["value", path, "--json"])["value"], 105);
}

/// The searches side by side: the same HP, and the exact one faster and smaller than the corrected.
#[test]
fn bench_sets_the_searches_side_by_side() {
    let rows = json(&["bench", "floors/complex.toml", "floors/hand03.toml", "--repeat", "1", "--json"]);
    keeps_to_its_schema("bench", &rows);
    let found: Vec<(&str, &Value)> =
        rows.as_array().unwrap().iter().map(|row| (row["search"].as_str().unwrap(), &row["hp"])).collect();
    let (published, others) = (value!(22), value!(68));
    assert_eq!(found[..2], [("published", &published), ("corrected", &others)]);
    assert_eq!(found[2..4], [("exact", &others), ("all values", &others)]);
    let text = String::from_utf8(run(&["bench", "floors/simple.toml", "--merge", "--repeat", "1"], 0).stdout).unwrap();
    assert!(text.contains("exact, merged") && text.contains("13 proven"), "{text}");
    assert!(refusal(&["bench", "floors/none.toml"], 2).contains("none.toml"));
}

/// Values that do not fit in the memory given are searched for one by one, and are the same.
#[test]
fn values_beyond_their_memory_are_searched_for() {
    let table = json(&["value", "floors/complex.toml", "--json"]);
    let asked = json(&["value", "floors/complex.toml", "--memory", "2MB", "--json"]);
    keeps_to_its_schema("value", &asked);
    assert_eq!((&table["keys"], &asked["keys"]), (&value!(68_186), &Value::Null));
    assert_eq!((&table["value"], &table["actions"]), (&asked["value"], &asked["actions"]));
}
