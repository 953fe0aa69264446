//! `mota generate tower`: what is asked for, told, written and refused.

use std::fs;
use std::process::Command;

use crate::answers::keeps_to_its_schema;
use crate::harness::{json, refusal, root, run, scratch};

/// Any optimum will do.
const ANY: [&str; 2] = ["--optimum", "1..20000"];

fn told(arguments: &[&str]) -> String {
    String::from_utf8(run(&[&["generate", "tower"], arguments, &ANY].concat(), 0).stderr).unwrap()
}

#[test]
fn a_tower_states_the_command_that_makes_it_again() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tower, description, kinds) = (path("tower.toml"), path("mine.toml"), path("kinds.toml"));
    fs::copy(root().join("floors/kinds.toml"), &kinds).unwrap();
    let words = ["--ask", "two floors, it's easy;  with a forge", "--seed", "3", "--kinds", &kinds];
    let line = told(&[&words[..], &["-o", &tower, "--description", &description]].concat());
    assert!(line.contains("understood as: two floors, each above the one before; 12 to 14 rooms"), "{line}");
    assert!(line.contains("two-floors-its-easy-with-a-forge-3: 2 floors, 1") && line.contains("optimum "), "{line}");
    let from_file = path("again.toml");
    told(&["--describe", &description, "--seed", "3", "-o", &from_file]);
    let mut maps = Vec::new();
    for file in [&tower, &from_file] {
        let text = fs::read_to_string(file).unwrap();
        let document: toml::Table = text.parse().unwrap();
        maps.push(document["floor"].clone());
        let command = document["origin"]["command"].as_str().unwrap();
        let command = command.replacen("mota", env!("CARGO_BIN_EXE_mota"), 1);
        let again = Command::new("sh").args(["-c", &command]).current_dir(root()).output().unwrap();
        assert_eq!(String::from_utf8(again.stdout).unwrap(), text, "{command}");
    }
    assert_eq!(maps[0], maps[1], "words and their description give the same tower");
    // What is there already is left alone, and is no obstacle if it is the same.
    told(&[&words[..], &["-o", &tower]].concat());
    let other = [&["generate", "tower", "--ask", "one floor", "-o", &tower], &ANY[..]].concat();
    assert!(refusal(&other, 2).contains("--force replaces it"));
    run(&[&other[..], &["--force"]].concat(), 0);
}

#[test]
fn a_tower_as_json_keeps_to_its_schema() {
    let folder = scratch();
    let path = folder.path().join("tower.toml");
    let make = ["generate", "tower", "--ask", "five floors, purple", "-o", path.to_str().unwrap(), "--json"];
    let answer = json(&[&make[..], &ANY].concat());
    keeps_to_its_schema("generate-tower", &answer);
    let told: Vec<&str> = answer["told"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(told[1..3], ["`five floors`: at most four floors are made: four are made", "not understood: `purple`"]);
    assert_eq!(answer["rooms"].as_array().unwrap().len(), 4);
}

#[test]
fn a_description_keeps_to_its_schema() {
    let folder = scratch();
    let path = folder.path().join("mine.toml");
    told(&["--ask", "one floor with a lock", "--description", path.to_str().unwrap()]);
    let table: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
    keeps_to_its_schema("description", &serde_json::to_value(table).unwrap());
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let folder = scratch();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let kinds = file("k.toml", "[[kind]]\nname = \"hall\"\n");
    let rows = file("r.toml", "kind = []");
    let floors = file("f.toml", "name = \"a\"\nfloor = []");
    let unknown = "name = \"a\"\n[[floor]]\n[[floor.room]]\nname = \"A\"\n[[floor.room]]\nname = \"B\"\n[[floor.link]]\nfrom = \"A\"\nto = \"B\"\n\
         [[floor.place]]\nroom = \"A\"\nwhat = \"red gems\"\n";
    let unknown = file("u.toml", unknown);
    for (arguments, expected) in [
        (&["--ask", "nine floors"][..], "`nine floors` asks for too many floors"),
        (&["--ask", "zero rooms"], "`zero rooms` asks for no room"),
        (&["--ask", "-3 floors"], "asks for no floor"),
        (&["--ask", ""], "nothing is asked for"),
        (&["--ask", "surprise me"], "nothing was understood of `surprise me`"),
        (&[], "--ask"),
        (&["--ask", "one floor", "--describe", &floors], "cannot be used with"),
        (&["--ask", "one floor", "--kinds", &kinds], "missing field `words`"),
        (&["--ask", "one floor", "--kinds", &rows], "r.toml: the table of kinds has 0 rows"),
        (&["--ask", "one floor", "--kinds", "floors/none.toml"], "floors/none.toml"),
        (&["--describe", &floors], "f.toml: the number of floors must be from 1 to 4, not 0"),
        (&["--describe", &unknown], "u.toml: what is placed by hand, `red gems` is not known; is `red gem` meant?"),
        (&["--describe", "floors/none.toml"], "floors/none.toml"),
        (&["--ask", "one floor", "-o", "a.toml", "--description", "a.toml"], "go to one file"),
        (&["--ask", "one floor", "--json"], "--output"),
    ] {
        let told = refusal(&[&["generate", "tower"], arguments].concat(), 2);
        // The message may be broken where a line ends.
        let told = told.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}
