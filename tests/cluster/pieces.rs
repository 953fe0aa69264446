//! Generating and analysing by workers: the files are to the byte those that one process writes, whoever is killed, and
//! nothing stays on the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{json, root, run};
use crate::lab::{Lab, Process, files, text};
use crate::server::{Options, Server};

/// What is printed, apart from clocks and places.
fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(keys) => {
            for key in ["seconds", "file"] {
                keys.remove(key);
            }
            keys.iter_mut().for_each(|(_, value)| *value = without_times(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = without_times(value.take())),
        _ => {}
    }
    value
}

/// What is printed by a command that goes well here, and by one whose work is spread; the files of both are the same.
fn both(lab: &Lab, arguments: &[&str]) -> Value {
    let (here, there) = (lab.path("here"), lab.path("there"));
    let with = |folder: &Path, more: &[&str]| -> Vec<String> {
        let all = [arguments, &["--json", "-o", text(folder)], more].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let strings = |arguments: &[String]| -> Value {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        without_times(json(&arguments))
    };
    let told = strings(&with(&here, &[]));
    assert_eq!(strings(&with(&there, &["--nats", &lab.url])), told);
    assert_same_files(&here, &there);
    told
}

fn assert_same_files(one: &Path, other: &Path) {
    let (left, right) = (files(one, false), files(other, false));
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    for (name, contents) in &left {
        assert!(contents == &right[name], "{name} differs in {} and {}", one.display(), other.display());
    }
}

fn assert_nothing_is_published(lab: &Lab) {
    assert_eq!(json(&["batches", "--nats", &lab.url, "--json"]), json!([]));
}

#[test]
#[ignore = "needs nats-server"]
fn floors_are_those_that_one_process_finds() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let _workers = [lab.worker(&["--agents", "@floors"]), lab.worker(&[])];
    let told = both(&lab, &["generate", "floors", "--seed", "100", "--count", "12"]);
    assert_eq!(told["floors"].as_array().map(Vec::len), Some(12));
    assert_nothing_is_published(&lab);
    // Those that are there are passed over, here and there.
    let told = both(&lab, &["generate", "floors", "--seed", "100", "--count", "5", "--more"]);
    assert_eq!(told["complete"], true);
    // A search that ends without enough floors says so in the same words.
    let arguments = ["generate", "floors", "--count", "9", "--tries", "150", "-o"];
    let (few, too) = (lab.path("few"), lab.path("too"));
    let here = run(&[&arguments[..], &[text(&few)]].concat(), 1);
    let there = run(&[&arguments[..], &[text(&too), "--nats", &lab.url]].concat(), 1);
    let lines = |out: &[u8]| -> Vec<String> {
        let told = String::from_utf8_lossy(out).replace(text(&few), "").replace(text(&too), "");
        told.lines().filter(|line| !line.contains("seeds a second")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&here.stdout), lines(&there.stdout));
    assert_same_files(&few, &too);
    assert_nothing_is_published(&lab);
}

#[test]
#[ignore = "needs nats-server"]
fn towers_are_those_that_one_process_makes() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let _workers = [lab.worker(&["--agents", "@towers"]), lab.worker(&[])];
    let asks = ["--ask", "one floor", "--ask", "two levels, easy"];
    let told = both(&lab, &[&["generate", "towers", "--count", "6", "--seed", "3", "--measure"], &asks[..]].concat());
    assert_eq!(told["requests"][1]["made"], 6);
    assert_nothing_is_published(&lab);
}

/// A run of reference agents, played but not analysed.
fn played(lab: &Lab) -> PathBuf {
    let floors = root().join("floors");
    let config = lab.config(
        "judged.toml",
        &format!(
            "name = \"judged\"\nseed = 5\nrepeats = 90\nanalysis = false\nfloors = [{:?}, {:?}]\n[limits]\nturns = 60\n\
             [[agent]]\nname = \"random\"\nkind = \"random\"\n[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n",
            floors.join("hand0*.toml"),
            floors.join("towers/04-two-floors.toml"),
        ),
    );
    lab.local(&config)
}

#[test]
#[ignore = "needs nats-server"]
fn decisions_are_worth_what_one_process_says() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let folder = played(&lab);
    // One trace is nothing that can be judged.
    let traces = fs::read_dir(folder.join("episodes")).unwrap().map(|entry| entry.unwrap().path());
    let spoilt = traces.min().unwrap();
    fs::write(&spoilt, "{}\n").unwrap();
    let arguments = ["analyze", text(&folder), "--effort", "300"];
    let here = run(&arguments, 1);
    let kept = |of: &Path| fs::read(of.join("analysis/episodes.jsonl")).unwrap();
    let before = kept(&folder);
    fs::remove_dir_all(folder.join("analysis")).unwrap();
    let _workers = [lab.worker(&["--agents", "@analysis"]), lab.worker(&["--agents", "@*"])];
    let there = run(&[&arguments[..], &["--nats", &lab.url]].concat(), 1);
    assert!(kept(&folder) == before);
    assert_eq!(String::from_utf8_lossy(&here.stdout), String::from_utf8_lossy(&there.stdout));
    let warnings = |error: &[u8]| -> Vec<String> {
        let lines = String::from_utf8_lossy(error).lines().map(str::to_owned).collect::<Vec<_>>();
        lines.into_iter().filter_map(|line| Some(line.split_once(" WARN ")?.1.to_owned())).collect()
    };
    assert_eq!(warnings(&here.stderr), warnings(&there.stderr));
    assert_nothing_is_published(&lab);
}

#[test]
#[ignore = "needs nats-server"]
fn a_run_is_analysed_here_if_no_worker_does_so() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let floor = root().join("floors/simple.toml");
    let config = lab.config(
        "own.toml",
        &format!("floors = [{floor:?}]\nrepeats = 3\n[[agent]]\nname = \"random\"\nkind = \"random\"\n"),
    );
    let _worker = lab.worker(&["--agents", "random"]);
    let out = lab.path("out");
    let ended = lab.follower(&config, &out, &[]).ends_well();
    assert!(ended.error.contains("the analysis is made here"), "{}", ended.error);
    assert_same_files(&lab.local(&config).join("analysis"), &out.join("analysis"));
    let left = json(&["batches", "--nats", &lab.url, "--json"]);
    assert_eq!(left.as_array().map(Vec::len), Some(1), "{left}");
}

/// Floors that keep two workers busy for some seconds.
const MANY: [&str; 6] = ["generate", "floors", "--seed", "7000", "--count", "150"];

#[test]
#[ignore = "needs nats-server"]
fn whoever_is_killed_the_floors_are_the_same() {
    let mut server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (here, there) = (lab.path("here"), lab.path("there"));
    // Enough for several deaths, however fast the program is.
    let more = ["generate", "floors", "--seed", "7000", "--count", "900"];
    run(&[&more[..], &["-o", text(&here)]].concat(), 0);
    let arguments = [&more[..], &["-o", text(&there), "--nats", &lab.url, "--lease", "2s"]].concat();
    let begin = || lab.start(&arguments, &[]);
    let mut follower = begin();
    let mut workers: Vec<Process> = (0..2).map(|_| lab.worker(&[])).collect();
    let mut killed = 0;
    while follower.runs() {
        thread::sleep(Duration::from_millis(700));
        killed += 1;
        match killed {
            2 => {
                follower.kill();
                follower = begin();
            }
            4 => server.restart(),
            _ => {
                workers.remove(0).kill();
                workers.push(lab.worker(&[]));
            }
        }
        assert!(killed < 300, "{}", follower.says());
    }
    follower.ends_well();
    assert!(killed >= 4, "it was over after {killed} kills");
    assert_same_files(&here, &there);
    assert_nothing_is_published(&lab);
}

#[test]
#[ignore = "needs nats-server"]
fn work_that_is_lost_is_published_anew_and_stopped_work_is_found_again() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (here, there) = (lab.path("here"), lab.path("there"));
    run(&[&MANY[..], &["-o", text(&here)]].concat(), 0);
    let arguments = [&MANY[..], &["-o", text(&there), "--nats", &lab.url]].concat();
    // Stopped, it leaves what it has published where it is.
    let mut follower = lab.start(&arguments, &[]);
    let worker = lab.worker(&[]);
    while !there.is_dir() || files(&there, false).len() < 3 {
        assert!(follower.runs(), "{}", follower.says());
        thread::sleep(Duration::from_millis(20));
    }
    follower.ask_to_end();
    let ended = follower.ends();
    assert_eq!(ended.code, Some(130), "{}", ended.error);
    assert!(ended.error.contains("the workers go on"), "{}", ended.error);
    worker.ask_to_end();
    assert_eq!(worker.ends().code, Some(130));
    let id = json(&["batches", "--nats", &lab.url, "--json"])[0]["batch"].as_str().unwrap().to_owned();
    assert!(id.starts_with("floors-"), "{id}");
    // Somebody removes it under the eyes of who follows it.
    let mut follower = lab.start(&arguments, &[]);
    thread::sleep(Duration::from_millis(500));
    run(&["batches", "--nats", &lab.url, "--remove", &id], 0);
    follower.says_soon("is published anew");
    let _worker = lab.worker(&[]);
    follower.ends_well();
    assert_same_files(&here, &there);
    assert_nothing_is_published(&lab);
}

#[test]
#[ignore = "needs nats-server"]
fn a_full_server_is_waited_for() {
    let mut server = Server::start(Options { storage: Some(12_000), ..Options::default() });
    let lab = Lab::new(server.url());
    let (here, there) = (lab.path("here"), lab.path("there"));
    run(&[&MANY[..], &["-o", text(&here)]].concat(), 0);
    let mut follower = lab.start(&[&MANY[..], &["-o", text(&there), "--nats", &lab.url]].concat(), &[]);
    follower.says_soon("takes nothing more");
    assert!(follower.runs());
    server.options.storage = None;
    server.restart();
    let _worker = lab.worker(&["--agents", "@*"]);
    follower.ends_well();
    assert_same_files(&here, &there);
    assert_nothing_is_published(&lab);
}
