//! What goes out to other programs: play as an environment over lines, decisions as Parquet, logs of inspect_ai. What those
//! programs make of it is checked by `tests/outside`, in their own language.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use polars_core::frame::DataFrame;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use serde_json::{Value, json as value};

use crate::answers::keeps_to_its_schema;
use crate::harness::{json, mota, refusal, root, run, scratch};
use crate::server::{Reply, Server, plays, says};

/// A tower of two floors with a shop, stairs and a pit of gold before the boss.
const TOWER: &str = "\
title = \"Two floors\"
hero = { hp = 100, atk = 9, def = 4, gold = 12 }
monsters.1 = { hp = 20, atk = 10, def = 2, gold = 5 }
monsters.B = { hp = 50, atk = 5, def = 10 }
shop = { first_price = 10, price_step = 2, atk = 2, def = 2 }
[[floor]]
name = \"below\"
map = \"@ $ 1 ^\"
[[floor]]
name = \"above\"
map = \"v k Y B\"
";

/// A floor whose values do not fit in the memory that they are given.
fn many() -> String {
    let row = "1 ".repeat(30);
    let map = format!("@ {}\n{}B 1\n", "1 ".repeat(29), format!("{row}\n").repeat(12) + &"1 ".repeat(28));
    let hero = "[hero]\nhp = 100000\natk = 9\ndef = 4\n";
    let monsters = "[monsters.1]\nhp = 20\natk = 5\ndef = 1\n[monsters.B]\nhp = 50\natk = 20\ndef = 1\n";
    format!("{hero}{monsters}[[floor]]\nmap = \"\"\"\n{map}\"\"\"\n")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// What `mota step` answers to these requests; it must end by itself, and well.
fn answers(arguments: &[&str], requests: &[Value]) -> Vec<Value> {
    let mut command = mota();
    command.arg("step").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let asked: String = requests.iter().map(|request| format!("{request}\n")).collect();
    child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (request, answer) in requests.iter().zip(&answers) {
        let request = if answer["error"].is_string() { &value!({ "observe": {} }) } else { request };
        keeps_to_its_schema("step-request", request);
        keeps_to_its_schema("step", answer);
        if answer["observation"].is_object() {
            keeps_to_its_schema("observation", &answer["observation"]);
        }
    }
    answers
}

#[test]
fn play_as_an_environment() {
    let requests = [
        value!({ "reset": { "floor": "hand03" } }),
        value!({ "step": { "action": 1 } }),
        value!({ "step": { "action": 99 } }),
        value!({ "nothing": 1 }),
        value!({ "observe": {} }),
        value!({ "close": {} }),
        value!({ "observe": {} }),
    ];
    let floors = ["floors/complex.toml", "floors/hand03.toml"];
    let told = answers(&floors, &requests);
    assert_eq!(told.len(), 6, "nothing is answered after the end");
    let values = json(&["value", "floors/hand03.toml", "--json"]);
    assert_eq!((&told[0]["value"], &told[0]["optimum"]), (&values["value"], &values["optimum"]));
    for (worth, action) in told[0]["actions"].as_array().unwrap().iter().zip(values["actions"].as_array().unwrap()) {
        assert_eq!((&worth["number"], &worth["value"]), (&action["number"], &action["value"]));
    }
    assert_eq!(told[4]["observation"], told[1]["observation"]);
    assert_eq!((&told[4]["reward"], &told[5]), (&Value::Null, &value!({ "closed": true })));
    assert_eq!(told, answers(&floors, &requests), "the same requests are answered alike");
}

#[test]
fn an_environment_of_several_floors_a_shop_and_no_way_to_win() {
    let folder = scratch();
    let [tower, lost, many_path] = ["tower.toml", "lost.toml", "many.toml"].map(|name| folder.path().join(name));
    fs::write(&tower, TOWER).unwrap();
    let simple = fs::read_to_string(root().join("floors/simple.toml")).unwrap();
    fs::write(&lost, simple.replace("hp = 470", "hp = 47")).unwrap();
    fs::write(&many_path, many()).unwrap();

    let buy =
        answers(&[text(&tower)], &[value!({ "reset": {} }), value!({ "step": { "target": { "x": 1, "y": 0 } } })]);
    assert!(buy[1]["error"].as_str().unwrap().contains("several actions"), "{}", buy[1]);
    let win = [
        value!({ "reset": {} }),
        value!({ "step": { "action": 1 } }),
        value!({ "step": { "target": { "x": 2, "y": 0 } } }),
        value!({ "step": { "target": { "floor": 1, "x": 2, "y": 0 } } }),
        value!({ "step": { "target": { "floor": 1, "x": 3, "y": 0 } } }),
    ];
    let won = answers(&[text(&tower)], &win);
    assert_eq!(won[2]["reward"]["damage"], 12);
    assert_eq!((&won[4]["end"], &won[4]["final_hp"]), (&value!("won"), &won[4]["observation"]["hero"]["hp"]));
    assert_eq!(won[4]["final_hp"], won[3]["value"]);

    let hopeless = &answers(&[text(&lost)], &[value!({ "reset": {} })])[0];
    assert_eq!((&hopeless["value"], hopeless.get("values_unknown")), (&Value::Null, None));
    assert!(hopeless["actions"].as_array().unwrap().iter().all(|action| action["regret"].is_null()));
    let unknown = answers(&[text(&many_path)], &[value!({ "reset": {} }), value!({ "step": { "action": 1 } })]);
    for answer in &unknown {
        assert!(answer["values_unknown"].is_string() && answer["value"].is_null(), "{}", answer["values_unknown"]);
    }
    let told = refusal(&["step", "floors/simple.toml", text(&lost)], 2);
    assert!(told.contains("another floor named"), "{told}");
}

/// A run of a model and of reference agents on a floor and a tower, with answers that cannot be used.
fn played(folder: &Path) -> String {
    let server = Server::start(|request| Reply::json(&says(&format!("{} \u{1} \\ud800 \u{1b}[31m", plays(request)))));
    let [tower, config, out] = ["tower.toml", "c.toml", "run"].map(|name| folder.join(name));
    fs::write(&tower, TOWER).unwrap();
    let written = format!(
        "seed = 7\nrepeats = 2\nfloors = [{:?}, \"tower.toml\"]\n[limits]\nturns = 6\n\
         [[agent]]\nname = \"model\"\nkind = \"model\"\nbase_url = {:?}\nmodel = \"m\"\nanswer = \"text\"\n\
         [[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n[[agent]]\nname = \"optimal\"\nkind = \"optimal\"\n",
        text(&root().join("floors/simple.toml")),
        server.base_url,
    );
    fs::write(&config, written).unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    out.display().to_string()
}

fn read(path: &Path) -> DataFrame {
    ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
}

#[test]
fn decisions_are_exported() {
    let folder = scratch();
    let out = played(folder.path());
    let [one, two] = ["one.parquet", "two.parquet"].map(|name| folder.path().join(name));
    let answer = json(&["export", "decisions", &out, "-o", text(&one), "--json"]);
    keeps_to_its_schema("export-decisions", &answer);
    run(&["export", "decisions", &out, "-o", text(&two)], 0);
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap(), "the same traces give the same bytes");
    let frame = read(&one);
    let episodes = json(&["analyze", &out, "--json"]);
    let decisions: Vec<(&Value, &Value)> = (episodes.as_array().unwrap().iter())
        .flat_map(|episode| episode["decisions"].as_array().unwrap().iter().map(move |decision| (episode, decision)))
        .collect();
    assert_eq!((frame.height(), &answer["decisions"]), (decisions.len(), &value!(decisions.len())));
    let text_of = |name: &str, row: usize| frame.column(name).unwrap().str().unwrap().get(row).map(str::to_owned);
    let number_of = |name: &str, row: usize| frame.column(name).unwrap().i64().unwrap().get(row);
    for (row, (episode, decision)) in decisions.iter().enumerate() {
        assert_eq!(text_of("episode", row).as_deref(), episode["id"].as_str());
        assert_eq!(number_of("value_before", row), decision["before"].as_i64());
        let seen: Value = serde_json::from_str(&text_of("observation", row).unwrap()).unwrap();
        keeps_to_its_schema("observation", &seen);
        assert_eq!(seen["hero"]["hp"].as_i64(), number_of("hp", row));
        assert_eq!(number_of("prompt_tokens", row).is_some(), episode["agent"] == "model");
        let answered = text_of("answer", row);
        assert_eq!(answered.is_some_and(|answer| answer.contains('\u{1b}')), episode["agent"] == "model");
    }
    // Two runs, one after the other.
    let kept = text(&root().join("tests/data/format-1")).to_owned();
    let both = json(&["export", "decisions", &out, &kept, "-o", text(&two), "--json"]);
    assert_eq!(both["decisions"], decisions.len() + 6);
    assert_eq!(read(&two).head(Some(decisions.len())).column("turn").unwrap(), frame.column("turn").unwrap());
}

#[test]
fn what_is_missing_in_an_export_is_told() {
    let folder = scratch();
    let [config, out, file] = ["c.toml", "run", "d.parquet"].map(|name| folder.path().join(name));
    fs::write(folder.path().join("many.toml"), many()).unwrap();
    let agents =
        "[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n[[agent]]\nname = \"heuristic\"\nkind = \"heuristic\"\n";
    let simple = root().join("floors/simple.toml");
    fs::write(
        &config,
        format!("floors = [\"many.toml\", {:?}]\nanalysis = false\n[limits]\nturns = 2\n{agents}", text(&simple)),
    )
    .unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    // One trace is missing, one torn and unfinished, one changed.
    let trace = |agent: &str, floor: &str| {
        let begins = format!("{agent}.{floor}.");
        let files = fs::read_dir(out.join("episodes")).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(&begins)).unwrap()
    };
    fs::remove_file(trace("greedy", "many")).unwrap();
    let torn = fs::read_to_string(trace("greedy", "simple")).unwrap();
    fs::write(trace("greedy", "simple"), &torn[..torn.len() - 40]).unwrap();
    let changed = fs::read_to_string(trace("heuristic", "simple")).unwrap().replacen("\"hp\":470", "\"hp\":471", 1);
    fs::write(trace("heuristic", "simple"), changed).unwrap();

    let output = run(&["export", "decisions", text(&out), "-o", text(&file), "--json"], 1);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("left out") && told.contains("values are not known"), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["episodes"], answer["left_out"].as_array().unwrap().len()), (&value!(2), 1));
    let frame = read(&file);
    assert_eq!(frame.height(), 4);
    // On the one floor two values are not known, but bounds that prove that neither decision lost; on the other, the first
    // of two has lost the game.
    let nulls = |name: &str| frame.column(name).unwrap().null_count();
    let expected =
        [("values_unknown", 2), ("value_before", 3), ("losing", 0), ("ending", 2), ("final_hp", 2), ("observation", 0)];
    for (name, count) in expected {
        assert_eq!(nulls(name), count, "{name}");
    }

    let logs = folder.path().join("logs");
    let answer: Value =
        serde_json::from_slice(&run(&["export", "inspect", text(&out), "-o", text(&logs), "--json"], 1).stdout)
            .unwrap();
    keeps_to_its_schema("export-inspect", &answer);
    let status =
        |index: usize| document(Path::new(answer["files"][index].as_str().unwrap()), "header.json")["status"].clone();
    assert_eq!([status(0), status(1)], [value!("cancelled"), value!("cancelled")]);
    let open = document(Path::new(answer["files"][0].as_str().unwrap()), "samples/simple_epoch_1.json");
    assert_eq!((&open["error"]["message"], &open["scores"]), (&value!("the episode is not finished"), &value!({})));
    let limited = document(Path::new(answer["files"][1].as_str().unwrap()), "samples/many_epoch_1.json");
    assert_eq!((&limited["limit"]["type"], &limited["limit"]["limit"]), (&value!("turn"), &value!(2.0)));
    assert!(limited["scores"].get("gap").is_none() && limited["metadata"]["values_unknown"].is_string());
}

#[test]
fn where_nothing_can_be_written_nothing_is_left() {
    let folder = scratch();
    let kept = text(&root().join("tests/data/format-1")).to_owned();
    let nowhere = folder.path().join("missing/d.parquet");
    let told = refusal(&["export", "decisions", &kept, "-o", text(&nowhere)], 3);
    assert!(told.contains("d.parquet cannot be written"), "{told}");
    let told = refusal(&["export", "decisions", &kept, "-o", text(folder.path())], 3);
    assert!(told.contains("cannot be written"), "{told}");
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let told = refusal(&["export", "inspect", &kept, "-o", text(&file)], 3);
    assert!(told.contains("file cannot be written"), "{told}");
    let told = refusal(&["export", "inspect", "floors", "-o", text(&folder.path().join("logs"))], 2);
    assert!(told.contains("not the folder of a run"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A document of a log.
fn document(log: &Path, name: &str) -> Value {
    let mut archive = zip::ZipArchive::new(File::open(log).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn logs_of_inspect_are_exported() {
    let folder = scratch();
    let out = played(folder.path());
    let [one, two] = ["one", "deep/two"].map(|name| folder.path().join(name));
    let answer = json(&["export", "inspect", &out, "-o", text(&one), "--json"]);
    run(&["export", "inspect", &out, "-o", text(&two)], 0);
    let files: Vec<&Path> =
        answer["files"].as_array().unwrap().iter().map(|file| Path::new(file.as_str().unwrap())).collect();
    assert_eq!((files.len(), &answer["episodes"]), (3, &value!(8)));
    for file in &files {
        let again = two.join(file.file_name().unwrap());
        assert!(fs::read(file).unwrap() == fs::read(again).unwrap(), "the same traces give the same bytes");
        let head = document(file, "header.json");
        assert_eq!((&head["status"], &head["version"]), (&value!("success"), &value!(2)));
        assert_eq!(head["eval"]["dataset"]["sample_ids"], value!(["simple", "tower"]));
    }
    let model = files.iter().find(|file| text(file).contains("-model-")).unwrap();
    let sample = document(model, "samples/tower_epoch_2.json");
    let roles: Vec<&str> = sample["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles[..4], ["system", "user", "assistant", "user"]);
    assert_eq!(roles.iter().filter(|role| **role == "system").count(), 1);
    let calls = sample["events"].as_array().unwrap().iter().filter(|event| event["event"] == "model").count();
    assert_eq!(roles.iter().filter(|role| **role == "assistant").count(), calls);
    assert_eq!(sample["model_usage"]["model"]["total_tokens"], 1_100 * calls);
    let optimal = files.iter().find(|file| text(file).contains("-optimal-")).unwrap();
    let scores = document(optimal, "samples/tower_epoch_1.json")["scores"].clone();
    assert_eq!((&scores["won"]["value"], &scores["gap"]["value"]), (&value!(1), &value!(0)));
}

#[test]
fn every_form_shows_an_example() {
    for form in ["decisions", "inspect"] {
        let help = String::from_utf8(run(&["export", form, "--help"], 0).stdout).unwrap();
        assert!(help.contains("Examples:") && help.contains(&format!("mota export {form}")), "{help}");
    }
}
