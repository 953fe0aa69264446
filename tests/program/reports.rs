//! `mota report` and `mota compare`: what is written for whatever was played, and how two runs differ.

use std::fs;
use std::path::Path;

use crate::harness::{json, mota, refusal, root, run, scratch};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A run of reference agents on the simple floor, in `folder/name`.
fn played(folder: &Path, name: &str, agents: &[(&str, &str)], keys: &str) -> std::path::PathBuf {
    let (config, out) = (folder.join(format!("{name}.toml")), folder.join(name));
    let agents: String =
        agents.iter().map(|(name, kind)| format!("[[agent]]\nname = {name:?}\nkind = {kind:?}\n")).collect();
    let floor = root().join("floors/simple.toml");
    fs::write(&config, format!("floors = [{:?}]\n{keys}\n{agents}", text(&floor))).unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    out
}

fn rows(run: &Path, table: &str) -> usize {
    let csv = fs::read_to_string(run.join("report/tables").join(format!("{table}.csv"))).unwrap();
    csv.lines().count() - 1
}

#[test]
fn two_runs_are_set_side_by_side() {
    let folder = scratch();
    let one = played(folder.path(), "one", &[("a", "greedy"), ("b", "optimal")], "");
    let other = played(folder.path(), "other", &[("a", "optimal"), ("b", "optimal")], "");
    let tables = folder.path().join("tables");
    let printed = run(&["compare", text(&one), text(&other), "--out", text(&tables)], 0);
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.contains("only the other 1") && printed.contains("stuck → won at 13"), "{printed}");
    assert_eq!(fs::read_dir(&tables).unwrap().count(), 2 * 4 + 1);

    let compared = json(&["compare", text(&one), text(&other), "--json"]);
    // By hand: greedy loses the simple floor, best play ends with 13 HP.
    assert_eq!(compared[0]["hp_difference"], 13.0);
    assert_eq!(compared[0]["p_wins"], 1.0);
    let parting = &compared[0]["partings"][0];
    assert_eq!((&parting["one_hp"], &parting["other_hp"]), (&0.into(), &13.into()));
    assert_ne!(parting["one"]["target"], parting["other"]["target"]);
    assert_eq!(compared[1]["partings"].as_array().unwrap().len(), 0);

    let crossed = json(&["compare", text(&one), text(&one), "--pair", "a=b", "--json"]);
    assert_eq!(crossed[0]["partings"], compared[0]["partings"]);
}

#[test]
fn what_cannot_be_compared_is_told() {
    let folder = scratch();
    let one = played(folder.path(), "one", &[("greedy", "greedy"), ("best", "optimal")], "");
    let other = played(folder.path(), "other", &[("heuristic", "heuristic")], "");
    let told = refusal(&["compare", text(&one), text(&other)], 2);
    assert!(told.contains("--pair") && told.contains("`greedy`, `best`") && told.contains("`heuristic`"), "{told}");
    let told = refusal(&["compare", text(&one), text(&other), "--pair", "gredy=heuristic"], 2);
    assert!(told.contains("did you mean `greedy`?"), "{told}");
    let told = refusal(&["compare", text(&one), text(&other), "--pair", "greedy"], 2);
    assert!(told.contains("ONE=OTHER"), "{told}");
    let told = refusal(&["compare", text(&one), text(folder.path())], 2);
    assert!(told.contains("no manifest.json"), "{told}");
}

/// One configuration each whose names differ are compared without being named; a floor that differs is left out.
#[test]
fn single_configurations_are_compared_and_other_floors_left_out() {
    let folder = scratch();
    let one = played(folder.path(), "one", &[("x", "greedy")], "");
    let other = played(folder.path(), "other", &[("y", "heuristic")], "");
    assert_eq!(json(&["compare", text(&one), text(&other), "--json"])[0]["pairs"], 1);
    let manifest = fs::read_to_string(other.join("manifest.json")).unwrap();
    let kept = fs::read_to_string(other.join("floors/simple.toml")).unwrap();
    assert!(kept.contains("hp = 470"), "{kept}");
    // Another floor of the same name, played anew.
    let floor = folder.path().join("simple.toml");
    fs::write(&floor, kept.replace("hp = 470", "hp = 480")).unwrap();
    assert!(manifest.contains("simple"));
    let (config, third) = (folder.path().join("third.toml"), folder.path().join("third"));
    fs::write(&config, "floors = [\"simple.toml\"]\n[[agent]]\nname = \"y\"\nkind = \"heuristic\"\n").unwrap();
    run(&["run", text(&config), "--out", text(&third)], 0);
    let output = run(&["compare", text(&one), text(&third)], 0);
    let (told, printed) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    assert!(told.contains("`simple` differs"), "{told}");
    assert!(printed.contains("0 pairs") && printed.contains("no finished episodes"), "{printed}");
}

/// A trace finds its run's floor wherever the program was started, and a folder stands for its traces.
#[test]
fn traces_are_found_from_wherever() {
    let folder = scratch();
    let played = played(folder.path(), "one", &[("a", "greedy"), ("b", "heuristic")], "");
    let name = fs::read_dir(played.join("episodes")).unwrap().next().unwrap().unwrap().file_name();
    for trace in [name.to_str().unwrap().to_owned(), format!("./{}", name.display())] {
        let output = mota().args(["replay", &trace, "--verify"]).current_dir(played.join("episodes")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    }
    for of in [played.clone(), played.join("episodes")] {
        let verified = json(&["replay", text(&of), "--verify", "--json"]);
        assert_eq!(verified.as_array().unwrap().len(), 2);
    }
    assert!(refusal(&["replay", text(&played.join("floors"))], 2).contains("holds no trace"));
}

/// A report only reads its runs, and tells what they lack.
#[test]
fn a_run_is_only_read_and_what_it_lacks_is_told() {
    let folder = scratch();
    let played = played(folder.path(), "one", &[("a", "greedy"), ("b", "heuristic")], "");
    fs::remove_dir_all(played.join("analysis")).unwrap();
    let trace = fs::read_dir(played.join("episodes")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(trace).unwrap();
    let out = folder.path().join("out");
    let output = run(&["report", text(&played), "--out", text(&out)], 0);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("of 2 episodes 1 have not been begun, and 0 are not finished"), "{told}");
    run(&["compare", text(&played), text(&played)], 0);
    assert!(!played.join("analysis").exists());
    let file = folder.path().join("one.toml");
    assert!(refusal(&["report", text(&played), "--out", text(&file)], 2).contains("--out names a folder"));
    let twice = ["export", "decisions", text(&played), text(&played), "-o", text(&out)];
    assert!(refusal(&twice, 2).contains("named twice"));
}

/// Items collected by decisions of their own make another game of the same floor.
#[test]
fn other_games_of_a_floor_are_not_put_together() {
    let folder = scratch();
    let one = played(folder.path(), "one", &[("a", "greedy")], "");
    let other = played(folder.path(), "other", &[("b", "greedy")], "items = \"action\"");
    let out = folder.path().join("out");
    for told in [
        refusal(&["report", text(&one), text(&other), "--out", text(&out)], 2),
        refusal(&["compare", text(&one), text(&other)], 2),
    ] {
        assert!(told.contains("collect items differently"), "{told}");
    }
}

/// Only losses, only wins, one episode, nothing finished: each gives a report that says what there is.
#[test]
fn whatever_was_played_is_reported() {
    let folder = scratch();
    let lost = played(folder.path(), "lost", &[("greedy", "greedy"), ("heuristic", "heuristic")], "");
    assert_eq!((rows(&lost, "results"), rows(&lost, "losing-decisions"), rows(&lost, "differences")), (2, 2, 1));
    let won = played(folder.path(), "won", &[("best", "optimal")], "");
    assert_eq!((rows(&won, "results"), rows(&won, "losing-decisions"), rows(&won, "differences")), (1, 0, 0));
    assert!(!won.join("report/plots/losing-simple.svg").exists());
    assert!(lost.join("report/plots/losing-simple.svg").exists());

    // The traces gone: a run of which nothing is left.
    for entry in fs::read_dir(won.join("episodes")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let out = folder.path().join("none");
    let none = json(&["report", text(&won), "--out", text(&out), "--json"]);
    assert_eq!(none["episodes"], 0);
    let results = fs::read_to_string(out.join("tables/results.md")).unwrap();
    assert!(results.contains("No rows."), "{results}");
}
