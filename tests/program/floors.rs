//! Making floors, telling what they are like, calibrating them: `mota generate`, `inspect` and `calibrate`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::answers::keeps_to_its_schema;
use crate::harness::{json, mota, refusal, root, run, scratch};

fn text(arguments: &[&str]) -> String {
    String::from_utf8(run(arguments, 0).stdout).unwrap()
}

/// Names and contents of a folder's files.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn the_committed_set_is_made_again_by_two_commands() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    let told = text(&["generate", "floors", "--seed", "100", "--count", "5", "-o", out]);
    assert!(
        told.contains("seed 114: optimum 29 (ATK 14, DEF 7)") && told.contains("244 seeds tried, 5 kept"),
        "{told}"
    );
    run(&["generate", "floors", "--seed", "300", "--count", "10", "-o", out, "--more", "--jobs", "1"], 0);
    let kept = files(&root().join("floors/generated"));
    assert_eq!(files(folder.path()), kept);
    assert_eq!(kept.len(), 15 + 2);
    // Once more changes nothing, and the same floor is no conflict.
    run(&["generate", "floors", "--seed", "100", "--count", "5", "-o", out], 0);
    assert_eq!(files(folder.path()), kept);
}

/// Every file that a command of ours made states that command; it must make the same bytes.
#[test]
fn files_state_the_command_that_makes_them_again() {
    let mut made = 0;
    for folder in ["floors", "floors/generated"] {
        for (name, text) in files_of_floors(&root().join(folder)) {
            let document: toml::Table = text.parse().unwrap();
            let Some(origin) = document.get("origin") else { continue };
            let command = origin["command"].as_str().unwrap().replacen("mota", env!("CARGO_BIN_EXE_mota"), 1);
            let output = Command::new("sh").args(["-c", &command]).current_dir(root()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text, "{name}");
            made += 1;
        }
    }
    assert_eq!(made, 3 + 15);
}

fn files_of_floors(folder: &Path) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let floors = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    floors.map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn another_floor_of_the_same_name_is_not_lost() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    let make = ["generate", "floors", "--seed", "114", "--count", "1", "-o", out];
    run(&make, 0);
    let path = folder.path().join("generated-114.toml");
    fs::write(&path, "# mine\n").unwrap();
    let told = refusal(&make, 2);
    assert!(told.contains("generated-114.toml") && told.contains("--force"), "{told}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# mine\n");
    run(&[make.as_slice(), &["--force"]].concat(), 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with("name = "));
}

/// The first file that cannot be kept ends the search; what was kept before is listed.
/// A command that is killed may leave the beginning of a file; the same command finishes it.
#[test]
fn what_was_begun_to_be_written_is_finished() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    let make = ["generate", "floors", "--seed", "114", "--count", "1", "-o", out];
    run(&make, 0);
    let (path, whole) = (folder.path().join("generated-114.toml"), files(folder.path()));
    let text = fs::read_to_string(&path).unwrap();
    for bytes in [0, 10, text.len() - 1] {
        fs::write(&path, &text[..bytes]).unwrap();
        run(&make, 0);
        assert_eq!(files(folder.path()), whole);
    }
}

#[test]
fn a_conflict_is_told_at_once() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("generated-234.toml"), [0xff, 0xfe]).unwrap();
    let make = ["generate", "floors", "--seed", "100", "--count", "100000", "-o", out];
    let told = refusal(&make, 2);
    assert!(told.contains("generated-234.toml"), "{told}");
    assert_eq!(fs::read(folder.path().join("generated-234.toml")).unwrap(), [0xff, 0xfe]);
    assert!(fs::read_to_string(folder.path().join("floors.md")).unwrap().contains("generated-114"));
}

/// Paths and ranges as people have them: the command in the file is one that a shell reads.
#[test]
fn stated_commands_are_those_of_a_shell() {
    let folder = scratch();
    let like = folder.path().join("my floor's.toml");
    fs::copy(root().join("floors/simple.toml"), &like).unwrap();
    let out = folder.path().join("out");
    let (like, out_path) = (like.to_str().unwrap(), out.to_str().unwrap());
    run(&["generate", "floors", "--count", "1", "--optimum", "-5..90", "--like", like, "-o", out_path], 0);
    run(
        &[
            "calibrate",
            like,
            "--target",
            "optimum=1..",
            "--memory",
            "50MB",
            "--vary",
            "B.hp=20..60",
            "--anew",
            "-o",
            out.join("mine.toml").to_str().unwrap(),
        ],
        0,
    );
    let mut made = 0;
    for (name, text) in files_of_floors(&out) {
        let document: toml::Table = text.parse().unwrap();
        let command = document["origin"]["command"].as_str().unwrap().replacen("mota", env!("CARGO_BIN_EXE_mota"), 1);
        let again = Command::new("sh").args(["-c", &command]).current_dir(root()).output().unwrap();
        assert_eq!(String::from_utf8(again.stdout).unwrap(), text, "{name}: {command}");
        made += 1;
    }
    assert_eq!(made, 2);
}

#[test]
fn generated_floors_of_other_sizes_say_so() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    let options = ["--rooms", "4x2", "--room-side", "2", "--optimum", "1..2000", "--monsters", "3..3"];
    let made = ["generate", "floors", "--seed", "7", "--count", "2", "-o", out, "--json"];
    let answer = json(&[made.as_slice(), &options].concat());
    keeps_to_its_schema("generate", &answer);
    assert_eq!((&answer["complete"], answer["floors"].as_array().unwrap().len()), (&Value::Bool(true), 2));
    let path = answer["floors"][0]["file"].as_str().unwrap();
    let document: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let command = document["origin"]["command"].as_str().unwrap();
    assert!(command.ends_with("--count 1 --rooms 4x2 --room-side 2 --optimum 1..2000 --monsters 3..3"), "{command}");
    assert_eq!(document["origin"]["optimum"].as_integer(), answer["floors"][0]["optimum"].as_i64());
    assert_eq!(document["floor"][0]["map"].as_str().unwrap().lines().count(), 2 * 3 - 1);
}

#[test]
fn orders_that_cannot_be_met_are_told() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    fn make<'a>(out: &'a str, options: &[&'a str]) -> Vec<&'a str> {
        [&["generate", "floors", "-o", out], options].concat()
    }
    for (options, expected) in [
        (&["--rooms", "3"][..], "not a size such as 4x4"),
        (&["--rooms", "3x1"], "the number of rooms in a column must be from 2 to 16, not 1"),
        (&["--rooms", "5000x3"], "the number of rooms in a row must be from 1 to 16, not 5000"),
        (&["--rooms", "65535x65535"], "the number of rooms in a row must be from 1 to 16, not 65535"),
        (&["--room-side", "0"], "the side of a room must be from 1 to 15, not 0"),
        (&["--optimum", "9..1"], "its first number is above its last"),
        (&["--monsters", "90"], "must find a place"),
        (&["--count", "0"], "invalid value '0'"),
        (&["--like", "floors/none.toml"], "floors/none.toml"),
    ] {
        let told = refusal(&make(out, options), 2);
        assert!(told.contains(expected), "{options:?}: {told}");
    }
    let told = refusal(&["generate", "floors"], 2);
    assert!(told.contains("name it with -o"), "{told}");
    let told = String::from_utf8(run(&make(out, &["--optimum", "9000..", "--tries", "20"]), 1).stdout).unwrap();
    assert!(told.contains("20 seeds tried, 0 kept") && told.contains("below 9000"), "{told}");
    assert!(told.contains("used up"), "{told}");
    let last = ["--seed", "18446744073709551610", "--optimum", "9000.."];
    let told = String::from_utf8(run(&make(out, &last), 1).stdout).unwrap();
    assert!(told.contains("6 seeds tried") && told.contains("there is no higher seed"), "{told}");
}

#[test]
fn floors_take_their_tables_from_a_floor_of_ones_own() {
    let folder = scratch();
    let out = folder.path().to_str().unwrap();
    let like = ["--like", "floors/hand01.toml", "--blue-potions", "0", "--optimum", "1.."];
    run(&[&["generate", "floors", "--count", "3", "-o", out], like.as_slice()].concat(), 0);
    let (_, floor) = files_of_floors(folder.path()).into_iter().next().unwrap();
    assert!(floor.contains("\"Big Bat\"") && floor.contains("hp = 400"), "{floor}");
    // Whose monsters it has, their remark it bears, too.
    assert!(floor.contains("note = \"monster table reconstructed\""), "{floor}");
    let listed = fs::read_to_string(folder.path().join("floors.md")).unwrap();
    assert_eq!(listed.matches(": monster table reconstructed.").count(), 3, "{listed}");
}

#[test]
fn inspection_in_words_numbers_and_a_picture() {
    let folder = scratch();
    let svg = folder.path().join("hand03.svg");
    let told = text(&["inspect", "floors/hand03.toml", "-o", svg.to_str().unwrap(), "--no-published"]);
    insta::assert_snapshot!(told);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("greedy loses here on turn 1"), "{drawn}");

    let answer = json(&["inspect", "floors/simple.toml", "floors/hand03.toml", "--json", "--random", "5"]);
    keeps_to_its_schema("inspect", &answer);
    assert_eq!((&answer[0]["optimum"], &answer[1]["optimum"]), (&13.into(), &9.into()));
    assert_eq!(answer[1]["best_play"]["forced"], answer[1]["best_play"]["decisions"]);
}

#[test]
fn several_floors_are_a_table() {
    let floors = ["simple", "hand01", "hand02", "hand03", "hand04"].map(|name| format!("floors/{name}.toml"));
    let mut arguments = vec!["inspect"];
    arguments.extend(floors.iter().map(String::as_str));
    insta::assert_snapshot!(text(&arguments));
}

#[test]
fn a_floor_that_was_changed_since_it_was_made_is_told() {
    let folder = scratch();
    let path = folder.path().join("changed.toml");
    let made = fs::read_to_string(root().join("floors/generated/generated-114.toml")).unwrap();
    let inspect = |text: &str| {
        fs::write(&path, text).unwrap();
        self::text(&["inspect", path.to_str().unwrap(), "--random", "0", "--no-published"])
    };
    assert!(!inspect(&made).contains("stated"));
    let told = inspect(&made.replacen("hp = 470", "hp = 471", 1));
    assert!(told.contains("optimum    HP 30 ") && told.contains("the file states 29"), "{told}");
}

/// Purchases at one shop are told apart, and one floor that cannot be inspected does not take the others with it.
#[test]
fn shops_and_failures_in_an_inspection() {
    let folder = scratch();
    let [shop, huge] = ["shop.toml", "huge.toml"].map(|name| folder.path().join(name));
    let floor = "title = \"A shop\"\nhero = { hp = 100, atk = 9, def = 4, gold = 12 }\nmonsters.B = { hp = 50, atk = 5, def = 8 }\n\
                 shop = { first_price = 10, atk = 2, def = 2 }\n[[floor]]\nmap = \"@ $ B\"\n";
    fs::write(&shop, floor).unwrap();
    let shop = shop.to_str().unwrap();
    let told = text(&["inspect", shop]);
    assert!(told.contains("shops      1\n") && told.contains("buy 2 DEF (1,0)"), "{told}");
    assert!(told.contains("of cleared doors, monsters and purchases can be reached"), "{told}");

    let simple = fs::read_to_string(root().join("floors/simple.toml")).unwrap();
    fs::write(&huge, simple.replace("red_potion = 75", "red_potion = 9223372036854775807")).unwrap();
    let output = mota().args(["inspect", huge.to_str().unwrap(), shop]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("huge.toml"));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("A shop\n"));
}

#[test]
fn what_cannot_be_inspected_is_told() {
    let told = refusal(&["inspect", "floors/simple.toml", "floors/hand03.toml", "-o", "two.svg"], 2);
    assert!(told.contains("name one only"), "{told}");
    let told = refusal(&["inspect", "floors/none.toml", "floors/simple.toml", "floors/nothing.toml"], 2);
    assert!(told.contains("none.toml") && told.contains("nothing.toml"), "{told}");
    let told = refusal(&["inspect", "floors/simple.toml", "-o", "one.pdf"], 2);
    assert!(told.contains("SVG or PNG"), "{told}");
    refusal(&["inspect"], 2);
    let told = text(&["inspect", "floors/complex.toml", "--memory", "1MB", "--no-published", "--random", "0"]);
    assert!(told.contains("optimum    HP 68\n") && told.contains("values     not known: more states than"), "{told}");
    assert!(told.contains("  greedy           loses\n"), "{told}");
}

#[test]
fn calibration_writes_a_floor_and_reports_its_targets() {
    let folder = scratch();
    let out = folder.path().join("mine.toml");
    let arguments = [
        "calibrate",
        "floors/simple.toml",
        "--vary",
        "B.hp=20..90",
        "--vary",
        "hero.hp=300..600",
        "--target",
        "optimum=50..60",
        "--target",
        "greedy=lost",
        "-o",
        out.to_str().unwrap(),
        "--json",
    ];
    let answer = json(&arguments);
    keeps_to_its_schema("calibrate", &answer);
    assert_eq!(answer["complete"], true);
    let solved = json(&["solve", out.to_str().unwrap(), "--json"]);
    assert_eq!(solved["final"]["hp"], answer["optimum"]);
    assert!((50..=60).contains(&answer["optimum"].as_i64().unwrap()));
    // The command in the file leads there again.
    let written = fs::read_to_string(&out).unwrap();
    let document: toml::Table = written.parse().unwrap();
    let command = document["origin"]["command"].as_str().unwrap().replacen("mota", env!("CARGO_BIN_EXE_mota"), 1);
    let again = Command::new("sh").args(["-c", &command]).current_dir(root()).output().unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), written);
}

/// A floor that was changed after it was made, and meets the targets as it is, no longer states what made it before.
#[test]
fn calibration_keeps_no_origin_that_is_not_true_any_more() {
    let folder = scratch();
    let [changed, out] = ["changed.toml", "out.toml"].map(|name| folder.path().join(name));
    let made = fs::read_to_string(root().join("floors/generated/generated-114.toml")).unwrap();
    let calibrate = |text: &str| {
        fs::write(&changed, text).unwrap();
        let paths = [changed.to_str().unwrap(), "-o", out.to_str().unwrap()];
        run(&[&["calibrate", "--target", "optimum=1.."], paths.as_slice()].concat(), 0);
        fs::read_to_string(&out).unwrap()
    };
    assert_eq!(calibrate(&made), made);
    // That an optimum is not known makes none untrue.
    let complex = fs::read_to_string(root().join("floors/complex.toml")).unwrap();
    let stated = "rules = \"thesis\"\n\n[origin]\ncommand = \"by hand\"\noptimum = 68\n";
    let stated = complex.replacen("rules = \"thesis\"\n", stated, 1);
    fs::write(&changed, &stated).unwrap();
    let paths = [changed.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let unknown = ["calibrate", "--target", "critical=1..", "--memory", "1MB", "--candidates", "1"];
    run(&[unknown.as_slice(), &paths].concat(), 1);
    assert_eq!(fs::read_to_string(&out).unwrap(), stated);
    let kept = calibrate(&made.replacen("hp = 470", "hp = 480", 1));
    assert!(kept.contains("optimum = 39") && kept.contains("command = \"mota calibrate "), "{kept}");
}

/// What a search cannot be made again from, or cannot write in the end, is told before it begins.
#[test]
fn places_that_calibration_cannot_write_to_are_told_first() {
    let folder = scratch();
    let floor = folder.path().join("-mine.toml");
    fs::copy(root().join("floors/simple.toml"), &floor).unwrap();
    let calibrate = |options: &[&str]| {
        let mut command = mota();
        command.current_dir(folder.path()).args(["calibrate", "--target", "optimum=1..", "--candidates", "4"]);
        let output = command.args(options).args(["--", "-mine.toml"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _, told) = calibrate(&["-o", "./-mine.toml"]);
    assert!(code == Some(2) && told.contains("--anew"), "{told}");
    for place in [".", "none/x.toml", &"x".repeat(300)] {
        assert_eq!(calibrate(&["-o", place]).0, Some(3), "{place}");
    }
    // A path that looks like an option is none in the command, either.
    let (code, floor, _) = calibrate(&["--anew"]);
    assert!(code == Some(0) && floor.contains("mota calibrate ./-mine.toml "), "{floor}");
    // Standard output by its name as a file: the floor, then the report.
    let (_, shown, _) = calibrate(&["-o", "/dev/stdout"]);
    assert!(shown.starts_with("name = ") && shown.ends_with("(wanted: 1..)\n"), "{shown}");
    // Without a candidate there are no values to tell.
    let vary = ["--vary", "B.hp=500..600", "--time-limit", "0", "--json", "-o", "out.toml"];
    let answer: Value = serde_json::from_str(&calibrate(&vary).1).unwrap();
    assert_eq!((&answer["values"], &answer["candidates"]), (&serde_json::json!([]), &0.into()));
}

#[test]
fn lists_of_ones_own_are_not_lost() {
    let folder = scratch();
    let notes = folder.path().join("floors.md");
    fs::write(&notes, "my own notes\n").unwrap();
    let make = ["generate", "floors", "--count", "1", "-o", folder.path().to_str().unwrap()];
    let told = refusal(&make, 2);
    assert!(told.contains("floors.md") && told.contains("--force"), "{told}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my own notes\n");
    run(&[make.as_slice(), &["--force"]].concat(), 0);
    assert!(fs::read_to_string(&notes).unwrap().starts_with("# Floors"));
}

#[test]
fn a_calibration_that_misses_gives_the_best_that_it_found() {
    let output = mota()
        .args([
            "calibrate",
            "floors/simple.toml",
            "--candidates",
            "64",
            "--target",
            "decisions=90..",
            "--target",
            "optimum=1..",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(
        report.contains("1 of 2 targets met after 64 candidates") && report.contains("missed  decisions"),
        "{report}"
    );
    let floor = String::from_utf8(output.stdout).unwrap();
    assert!(floor.contains("[origin]") && floor.contains("--candidates 64"), "{floor}");
}

#[test]
fn targets_and_variations_that_are_none_are_told() {
    let calibrate = |options: &[&str]| {
        refusal(&[&["calibrate", "floors/simple.toml", "--target", "optimum=1..60"], options].concat(), 2)
    };
    for (options, expected) in [
        (&["--target", "fun=3"][..], "nothing called `fun` is measured"),
        (&["--target", "optimum"], "not NAME=RANGE"),
        (&["--target", "forced=lost"], "not a range"),
        (&["--target", "random=lost"], "plays otherwise each time"),
        (&["--target", "after 1=lost"], "`1`"),
        (&["--vary", "9.hp=1..2"], "no monster `9`; it has 1, 2, 3, 4, 5, B"),
        (&["--vary", "1.hp=0..2"], "1.hp: the least that it can be is 1, not 0"),
        (&["--vary", "1.mdef=0..2"], "`mdef` cannot be varied"),
        (&["--vary", "1.ability=vampire"], "no ability `vampire`"),
        (&["--json"], "--output"),
        (&["--target", "after 99,99=lost"], "there is nothing to do at (99,99)"),
        (&["--target", "after 0,0=lost"], "there is nothing to do at (0,0)"),
        (&["--target", "lost-states=200.."], "a share is from 0 to 100 percent"),
        (&["--vary", "1.hp=1..2", "--vary", "1.hp=1..3"], "1.hp is varied twice"),
    ] {
        let told = calibrate(options);
        assert!(told.contains(expected), "{options:?}: {told}");
    }
    let told = refusal(&["calibrate", "floors/simple.toml"], 2);
    assert!(told.contains("--target"), "{told}");
}
