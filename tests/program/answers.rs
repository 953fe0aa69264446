//! The commands that answer a question: their numbers, their JSON and its schema, and what they refuse.

use std::fs;

use crate::harness::{json, refusal, run, scratch};
use serde_json::{Value, json as value};

pub fn keeps_to_its_schema(name: &str, document: &Value) {
    let schema = json(&["schema", name]);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

#[test]
fn solve_gives_the_known_numbers() {
    for (floor, algorithm, hp, states) in [
        ("complex", "corrected", 68, Some(709_821)),
        ("complex", "published", 22, Some(703_456)),
        ("complex", "exact", 68, None),
        ("hand03", "corrected", 9, Some(118_351)),
        ("hand03", "published", 9, Some(118_351)),
        ("simple", "corrected", 13, Some(412)),
        ("simple", "published", 13, Some(412)),
        ("simple", "exact", 13, None),
    ] {
        let answer = json(&["solve", &format!("floors/{floor}.toml"), "--algorithm", algorithm, "--json"]);
        keeps_to_its_schema("solve", &answer);
        assert_eq!(answer["final"]["hp"], hp, "{floor} {algorithm}");
        assert_eq!(answer["route"].as_array().unwrap().last().unwrap()["hero"], answer["final"]);
        if let Some(states) = states {
            assert_eq!(answer["states"], states, "{floor} {algorithm}");
        }
        if (floor, algorithm) == ("complex", "corrected") {
            let hero = &answer["final"];
            assert_eq!((&hero["atk"], &hero["def"], &hero["mdef"]), (&value!(16), &value!(20), &value!(20)));
            assert_eq!(answer["wins"], 32);
        }
        if (floor, algorithm) == ("complex", "published") {
            assert_eq!(answer["wins"], 13);
        }
    }
}

#[test]
fn an_unwinnable_floor_is_an_answer() {
    let folder = scratch();
    let path = folder.path().join("lost.toml");
    let floor =
        fs::read_to_string(crate::harness::root().join("floors/simple.toml")).unwrap().replace("hp = 470", "hp = 47");
    fs::write(&path, floor).unwrap();
    for algorithm in ["exact", "corrected", "published"] {
        let answer = json(&["solve", path.to_str().unwrap(), "--algorithm", algorithm, "--json"]);
        assert_eq!((&answer["final"], &answer["route"]), (&Value::Null, &value!([])), "{algorithm}");
    }
    assert_eq!(json(&["value", path.to_str().unwrap(), "--json"])["value"], Value::Null);
}

#[test]
fn value_gives_the_known_numbers() {
    let floor = "floors/complex.toml";
    let answer = json(&["value", floor, "--after", "8,7", "--json"]);
    keeps_to_its_schema("value", &answer);
    assert_eq!((&answer["value"], &answer["optimum"]), (&value!(42), &value!(68)));
    assert_eq!(json(&["value", floor, "--json"])["value"], 68);
    let doors = json(&["value", floor, "--doors-first", "8,7", "--doors-first", "8,4", "--json"]);
    assert_eq!(doors["value"], 22);
    let told = refusal(&["value", floor, "--after", "6,2"], 2);
    assert!(told.contains("(6,2)") && told.contains("not in reach"), "{told}");
    let told = refusal(&["value", floor, "--after", "0,0,0"], 2);
    assert!(told.contains("is not a position"), "{told}");
}

#[test]
fn every_json_keeps_to_its_schema() {
    keeps_to_its_schema("import", &json(&["import", "h5mota", "tests/data/h5mota-new", "--json"]));
    keeps_to_its_schema("observation", &json(&["show", "floors/hand03.toml", "--json"]));
    keeps_to_its_schema("dry-run", &json(&["run", "configs/local-model.toml", "--dry-run", "--json"]));
    keeps_to_its_schema("prompt", &json(&["prompt", "configs/local-model.toml", "--json"]));
    let folder = scratch();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    let set = ["--set", "repeats=1"];
    keeps_to_its_schema("run", &json(&["run", "configs/quickstart.toml", "--out", out, "--json", set[0], set[1]]));
    for episode in json(&["analyze", out, "--json"]).as_array().unwrap() {
        keeps_to_its_schema("analysis", episode);
    }
    keeps_to_its_schema("report", &json(&["report", out, "--json"]));
    keeps_to_its_schema("runs", &json(&["runs", folder.path().to_str().unwrap(), "--json"]));
    let manifest: Value = serde_json::from_slice(&fs::read(format!("{out}/manifest.json")).unwrap()).unwrap();
    keeps_to_its_schema("manifest", &manifest);
    let trace = fs::read_dir(format!("{out}/episodes")).unwrap().next().unwrap().unwrap().path();
    for line in fs::read_to_string(&trace).unwrap().lines() {
        keeps_to_its_schema("trace", &serde_json::from_str(line).unwrap());
    }
    keeps_to_its_schema("verify", &json(&["replay", "--verify", "--json", trace.to_str().unwrap()]));
}

#[test]
fn example_configurations_keep_to_the_schema() {
    for path in fs::read_dir(crate::harness::root().join("configs")).unwrap().map(|entry| entry.unwrap().path()) {
        let table: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        keeps_to_its_schema("config", &serde_json::to_value(table).unwrap());
    }
}

#[test]
fn bad_floors_are_refused_with_a_clear_message() {
    let folder = scratch();
    let good = fs::read_to_string(crate::harness::root().join("floors/simple.toml")).unwrap();
    let cases: [(&str, String, &[&str]); 9] = [
        ("empty", String::new(), &["empty"]),
        ("ragged", good.replacen("# ", "", 1), &["ragged.toml:"]),
        ("symbol", good.replacen(" k ", " ? ", 1), &["symbol.toml:", "?"]),
        ("row", good.replacen("[monsters.2]", "[monsters.9]", 1), &["row.toml:", "2"]),
        ("heroes", good.replacen(" k ", " @ ", 1), &["heroes.toml:", "hero"]),
        ("boss", good.replacen(" B ", " . ", 1), &["boss"]),
        ("negative", good.replacen("hp = 470", "hp = -470", 1), &["negative.toml:", "-470"]),
        ("huge", good.replacen("hp = 470", "hp = 99999999999999999999", 1), &["huge.toml:", "64 bits"]),
        ("nothing", "hello".into(), &["nothing.toml:1:1"]),
    ];
    for (name, text, expected) in cases {
        let path = folder.path().join(format!("{name}.toml"));
        fs::write(&path, &text).unwrap();
        assert!(text != good, "{name} is not broken");
        for command in ["solve", "show", "value"] {
            let told = refusal(&[command, path.to_str().unwrap()], 2);
            for part in expected {
                assert!(told.contains(part), "{name}: {part} in {told}");
            }
        }
    }
    let told = refusal(&["solve", folder.path().join("missing.toml").to_str().unwrap()], 2);
    assert!(told.contains("missing.toml"), "{told}");
    let large = folder.path().join("large.toml");
    fs::File::create(&large).unwrap().set_len(300 << 20).unwrap();
    let told = refusal(&["solve", large.to_str().unwrap()], 2);
    assert!(told.contains("16 MiB"), "{told}");
}

#[test]
fn floors_convert_both_ways() {
    let folder = scratch();
    for name in ["simple", "complex", "hand03"] {
        let published = folder.path().join("p.txt");
        let native = folder.path().join(format!("{name}.toml"));
        run(&["convert", &format!("floors/{name}.toml"), "--to", "published", "-o", published.to_str().unwrap()], 0);
        run(&["convert", published.to_str().unwrap(), "--to", "native", "-o", native.to_str().unwrap()], 0);
        let hp = |path: &str| json(&["solve", path, "--json"])["final"].clone();
        let original = hp(&format!("floors/{name}.toml"));
        assert_eq!(hp(published.to_str().unwrap()), original);
        assert_eq!(hp(native.to_str().unwrap()), original);
    }
}

#[test]
fn help_shows_an_example_for_every_command() {
    for command in [
        "floor",
        "run",
        "doctor",
        "analyze",
        "report",
        "compare",
        "export",
        "runs",
        "replay",
        "step",
        "play",
        "solve",
        "value",
        "bench",
        "inspect",
        "calibrate",
        "generate",
        "generate tower",
        "import",
        "show",
        "prompt",
        "convert",
        "schema",
        "completions",
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = String::from_utf8(run(&words, 0).stdout).unwrap();
        assert!(help.contains("Example") && help.contains(&format!("mota {command}")), "{help}");
    }
    assert!(run(&["completions", "bash"], 0).stdout.len() > 1_000);
    assert!(String::from_utf8(run(&["floor", "legend"], 0).stdout).unwrap().contains("yellow door"));
}

#[test]
fn a_project_is_imported_and_what_is_not_modelled_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keep.toml");
    let (file, tables) = (file.to_str().unwrap(), folder.path().join("tables"));
    let project = "tests/data/h5mota-old";
    let done = run(&["import", "h5mota", project, "-o", file, "--tables", tables.to_str().unwrap(), "--strict"], 0);
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(told.contains("scripted events") && told.contains("18 (repulse)"), "{told}");
    assert!(fs::read_to_string(tables.join("events.csv")).unwrap().starts_with("floor,x,y,trigger,what,"));
    assert!(tables.join("not_modelled.md").exists());
    assert!(String::from_utf8(run(&["show", file], 0).stdout).unwrap().contains("The old keep"));
    let refused = run(&["import", "h5mota", "tests/data/h5mota-new", "--strict"], 2);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("is not modelled in full"), "{told}");
    let none = String::from_utf8(run(&["import", "h5mota", "floors"], 2).stderr).unwrap();
    assert!(none.contains("no project of the HTML5 engine"), "{none}");
}
