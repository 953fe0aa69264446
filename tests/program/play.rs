//! `mota play` line by line: a game won by the best route, what is taken back, values, going on, and what a run's folder is
//! then good for.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::answers::keeps_to_its_schema;
use crate::harness::{json, lines, mota, refusal, run, scratch};

/// Plays with these lines and gives what was printed.
fn play(floor: &str, out: &Path, more: &[&str], typed: &str) -> String {
    let mut child = mota()
        .args(["play", floor, "--out", out.to_str().unwrap()])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The numbers of the best route, each with its line end.
fn best_route(floor: &str, items: &str) -> String {
    let folder = scratch();
    let config = folder.path().join("best.toml");
    let floor = crate::harness::root().join(floor);
    let agent = "[[agent]]\nname = \"optimal\"\nkind = \"optimal\"\n";
    fs::write(&config, format!("floors = [{floor:?}]\nitems = {items:?}\nanalysis = false\n{agent}")).unwrap();
    let out = folder.path().join("run");
    run(&["run", config.to_str().unwrap(), "--out", out.to_str().unwrap()], 0);
    let trace = traces(&out).remove(0);
    let decisions = lines(Path::new(&trace));
    let numbers = decisions.iter().filter_map(|line| line["executed"].as_u64());
    numbers.map(|number| format!("{number}\n")).collect()
}

fn traces(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out.join("episodes")).unwrap();
    let mut paths: Vec<String> = entries.map(|entry| entry.unwrap().path().display().to_string()).collect();
    paths.sort();
    paths
}

fn verify(out: &Path) {
    let traces = traces(out);
    let mut arguments = vec!["replay", "--verify"];
    arguments.extend(traces.iter().map(String::as_str));
    run(&arguments, 0);
}

#[test]
fn the_best_route_wins_and_the_folder_is_a_run() {
    let folder = scratch();
    let out = folder.path().join("games");
    let printed = play("floors/hand01.toml", &out, &[], &best_route("floors/hand01.toml", "auto"));
    assert!(printed.contains("Won with 21 HP.\nNo play ends with more."), "{printed}");
    play("floors/simple.toml", &out, &["--player", "alice"], "1\n");
    verify(&out);
    let text = out.to_str().unwrap();
    let runs = json(&["runs", folder.path().to_str().unwrap(), "--json"]);
    let (episodes, ended, begun) = (&runs[0]["episodes"], &runs[0]["ended"], &runs[0]["begun"]);
    assert_eq!((episodes, ended, begun), (&Value::from(2), &Value::from(1), &Value::from(1)));
    let analysis = json(&["analyze", text, "--json"]);
    assert_eq!((&analysis[0]["agent"], &analysis[0]["hero"]["hp"]), (&Value::from("human"), &Value::from(21)));
    assert_eq!((&analysis[1]["agent"], &analysis[1]["ending"]), (&Value::from("alice"), &Value::Null));
    run(&["report", text], 0);
    assert!(fs::read_to_string(out.join("report/tables/results.csv")).unwrap().contains("alice"));
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    keeps_to_its_schema("manifest", &manifest);
    assert_eq!(manifest["floors"][0]["optimum"], 21);
    for trace in traces(&out) {
        for line in fs::read_to_string(&trace).unwrap().lines() {
            keeps_to_its_schema("trace", &serde_json::from_str(line).unwrap());
        }
    }
}

#[test]
fn an_unfinished_game_is_gone_on_with_and_the_next_one_has_the_next_number() {
    let folder = scratch();
    let out = folder.path().join("games");
    let floor = "floors/simple.toml";
    let route = best_route(floor, "auto");
    let (first, rest) = route.split_at(route.match_indices('\n').nth(2).unwrap().0 + 1);
    let printed = play(floor, &out, &[], first);
    assert!(printed.contains("Not finished"), "{printed}");
    let trace = &traces(&out)[0];
    assert_eq!(lines(Path::new(trace)).len(), 1 + 3);
    // As a kill in the middle of a line leaves it.
    fs::OpenOptions::new().append(true).open(trace).unwrap().write_all(b"{\"record\":\"deci").unwrap();
    let printed = play(floor, &out, &[], &format!("{rest}n\n{first}give up\n"));
    assert!(printed.contains("Won with 13 HP.") && printed.contains("game 2 of human"), "{printed}");
    verify(&out);
    let endings: Vec<Value> =
        traces(&out).iter().map(|trace| lines(Path::new(trace)).last().unwrap()["ending"].clone()).collect();
    assert_eq!(endings, ["won", "aborted"]);
    assert!(play(floor, &out, &[], "").contains("game 3 of human"));
}

#[test]
fn what_is_taken_back_is_kept_and_checked() {
    let folder = scratch();
    let out = folder.path().join("games");
    let floor = "floors/hand01.toml";
    let printed = play(floor, &out, &[], "u\n1\n1\nu\n1\nu\nu\n");
    assert!(printed.contains("there is nothing to take back"), "{printed}");
    let trace = traces(&out).remove(0);
    let written = lines(Path::new(&trace));
    assert_eq!((written.len(), &written[1]["record"]), (2, &Value::from("pending")));
    verify(&out);
    play(floor, &out, &[], "v\n2\n");
    let written = lines(Path::new(&trace));
    // The values after it were shown as well, and nothing has been decided since.
    assert_eq!((&written[1]["record"], &written[2]["record"]), (&Value::from("decision"), &Value::from("pending")));
    let turns: Vec<u64> =
        written[1]["taken_back"].as_array().unwrap().iter().map(|back| back["turn"].as_u64().unwrap()).collect();
    assert_eq!((turns, &written[1]["hints"]), (vec![2, 2, 1], &Value::from(true)));
    verify(&out);
    let text = String::from_utf8(run(&["replay", "--text", &trace], 0).stdout).unwrap();
    assert!(text.contains("taken back: 3 decisions; state values shown before 2"), "{text}");
    let analysis = json(&["analyze", out.to_str().unwrap(), "--json"]);
    // Before the decision that was made, and before the one that was still to be made.
    assert_eq!((&analysis[0]["taken_back"], &analysis[0]["hinted"]), (&Value::from(3), &Value::from(2)));
    let table = fs::read_to_string(&trace).unwrap();
    for (number, part) in ["\"turn\":2,\"executed\":1,", "\"turn\":1,\"executed\":1,"].iter().enumerate() {
        let other = part.replace("\"executed\":1", "\"executed\":2");
        fs::write(&trace, table.replacen(part, &other, 1)).unwrap();
        let told = String::from_utf8(run(&["replay", "--verify", &trace], 1).stdout).unwrap();
        assert!(told.contains("decision 1: taken back: decision"), "{number}: {told}");
    }
}

#[test]
fn values_are_shown_when_asked_for_and_a_lost_game_names_its_decision() {
    let folder = scratch();
    let out = folder.path().join("games");
    let printed = play("floors/complex.toml", &out, &[], "v\nv\nq\n");
    let shown: Vec<&str> = printed.lines().filter(|line| line.contains("[value 68]")).collect();
    assert!(!shown.is_empty(), "{printed}");
    let first = printed.split_once("> ").unwrap().0;
    assert!(!first.contains("[value") && first.contains("HP") && first.contains("after"), "{first}");
    let printed = play("floors/simple.toml", &out, &[], &"1\n".repeat(40));
    assert!(
        printed.contains("The losing decision was") && printed.contains("The best play ends with 13 HP."),
        "{printed}"
    );
    let printed = play("floors/simple.toml", &out, &[], &format!("{}b\nq\n", "1\n".repeat(40)));
    assert!(printed.contains("is taken back") && printed.contains("Not finished"), "{printed}");
    verify(&out);
}

/// What was shown is not forgotten by going back and coming again with the values hidden.
#[test]
fn values_that_were_shown_count_where_they_were_shown() {
    let folder = scratch();
    let out = folder.path().join("games");
    play("floors/hand01.toml", &out, &[], "1\nv\nu\nv\n1\n1\n1\n");
    let trace = traces(&out).remove(0);
    let hints: Vec<bool> = lines(Path::new(&trace))[1..].iter().map(|line| line["hints"] == true).collect();
    assert_eq!(hints, [true, true, false]);
    verify(&out);
}

#[test]
fn anything_may_be_typed() {
    let folder = scratch();
    let out = folder.path().join("games");
    let typed = format!(
        "\n0\n99\n-1\n184467440737095516160\nhello \u{1b}[2J\n?\nm\nb\nn\n{}\n{}1\n1\n",
        "x".repeat(100_000),
        "x".repeat(4_096)
    );
    let printed = play("floors/hand01.toml", &out, &["--text"], &typed);
    assert!(printed.contains("There is no action 99; they have numbers 1 to 3."), "{printed}");
    assert!(printed.contains("A number, or one of") && !printed.contains('\u{1b}'), "{printed}");
    assert_eq!(lines(Path::new(&traces(&out)[0])).len(), 2);
}

#[test]
fn items_may_be_decisions() {
    let folder = scratch();
    let out = folder.path().join("games");
    let route = best_route("floors/simple.toml", "action");
    let printed = play("floors/simple.toml", &out, &["--items-by-action"], &route);
    assert!(printed.contains("Won with 13 HP."), "{printed}");
    verify(&out);
    let told = refusal(&["play", "floors/simple.toml", "--out", out.to_str().unwrap()], 2);
    assert!(told.contains("items: action before, auto now"), "{told}");
}

#[test]
fn folders_that_hold_something_else_are_refused() {
    let folder = scratch();
    let batch = folder.path().join("batch");
    let (config, text) = ("configs/quickstart.toml", batch.to_str().unwrap());
    run(&["run", config, "--out", text, "--set", "analysis=false"], 0);
    let told = refusal(&["play", "floors/simple.toml", "--out", text], 2);
    assert!(told.contains("a batch's"), "{told}");
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("novel.txt"), "once upon a time").unwrap();
    let told = refusal(&["play", "floors/simple.toml", "--out", foreign.to_str().unwrap()], 2);
    assert!(told.contains("holds no run"), "{told}");
    let told = refusal(&["play", "floors/simple.toml", "--out", text, "--player", "../me"], 2);
    assert!(told.contains("the name `../me`"), "{told}");
    let games = folder.path().join("games");
    play("floors/simple.toml", &games, &[], "");
    let other = folder.path().join("simple.toml");
    let floor = fs::read_to_string(crate::harness::root().join("floors/simple.toml")).unwrap();
    fs::write(&other, floor.replace("hp = 470", "hp = 471")).unwrap();
    let told = refusal(&["play", other.to_str().unwrap(), "--out", games.to_str().unwrap()], 2);
    assert!(told.contains("floor `simple`"), "{told}");
}

#[test]
fn a_batch_has_no_humans() {
    let folder = scratch();
    let config = folder.path().join("human.toml");
    let floor = crate::harness::root().join("floors/simple.toml");
    fs::write(&config, format!("floors = [{floor:?}]\n[[agent]]\nname = \"me\"\nkind = \"human\"\n")).unwrap();
    let told = refusal(&["run", config.to_str().unwrap()], 2);
    assert!(told.contains("humans play with `mota play FLOOR`"), "{told}");
}
