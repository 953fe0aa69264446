//! Floors as pictures: what `mota show` draws, what it refuses, and the figures that are kept.

use std::fs;
use std::path::Path;

use crate::harness::{json, refusal, root, run, scratch};

const SIMPLE: &str = "floors/simple.toml";

fn text(arguments: &[&str]) -> String {
    String::from_utf8(run(arguments, 0).stdout).unwrap()
}

/// Pixels across and down.
fn size(png: &Path) -> (u32, u32) {
    let bytes = fs::read(png).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (side(16), side(20))
}

#[test]
fn a_floor_is_drawn_in_the_form_that_the_file_is_named_for() {
    let folder = scratch();
    let [svg, png, narrow] = ["floor.svg", "FLOOR.PNG", "narrow.png"].map(|name| folder.path().join(name));
    assert_eq!(text(&["show", SIMPLE, "-o", svg.to_str().unwrap(), "--mark", "7,0=a waste"]), "");
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.contains(">yellow door (7,0): a waste<"), "{drawn}");
    let natural: f64 = drawn.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();

    run(&["show", SIMPLE, "-o", png.to_str().unwrap()], 0);
    assert_eq!(size(&png).0, (2.0 * natural).ceil() as u32);
    run(&["show", SIMPLE, "-o", narrow.to_str().unwrap(), "--width", "400", "--legend"], 0);
    assert_eq!(size(&narrow).0, 400);
}

#[test]
fn a_picture_and_json_can_be_had_at_once() {
    let folder = scratch();
    let svg = folder.path().join("floor.svg");
    let observation = json(&["show", SIMPLE, "-o", svg.to_str().unwrap(), "--json"]);
    assert_eq!(observation["tower"], "simple");
    assert!(svg.exists());
}

#[test]
fn a_later_state_is_shown_in_every_form() {
    let folder = scratch();
    let svg = folder.path().join("floor.svg");
    let after = ["--after", "5,3", "--after", "5,6"];
    let shown = text(&[&["show", SIMPLE], after.as_slice()].concat());
    assert!(shown.contains("HP 390 ") && shown.contains("y =  6   # # # # # @ # . # . p"), "{shown}");
    let observation = json(&[&["show", SIMPLE, "--json"], after.as_slice()].concat());
    assert_eq!((&observation["turn"], &observation["hero"]["hp"]), (&3.into(), &390.into()));
    run(&[&["show", SIMPLE, "-o", svg.to_str().unwrap(), "--mark", "5,3"], after.as_slice()].concat(), 0);
    assert!(fs::read_to_string(svg).unwrap().contains(">open floor (5,3)<"));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let folder = scratch();
    let (svg, png) = (folder.path().join("floor.svg"), folder.path().join("floor.png"));
    let (svg, png) = (svg.to_str().unwrap(), png.to_str().unwrap());
    let told = |more: &[&str]| refusal(&[&["show", SIMPLE], more].concat(), 2);
    for (more, expected) in [
        (&["-o", "floor.jpg"] as &[&str], "floor.jpg: a picture is written as SVG or PNG"),
        (&["-o", "floor"], "name the file FILE.svg or FILE.png"),
        (&["-o", svg, "--mark", "11,0"], "(11,0) cannot be marked: it lies outside the map, which is 11 × 11 tiles"),
        (&["-o", svg, "--mark", "2:1,1"], "(2:1,1) cannot be marked: the last floor of the tower is floor 0"),
        (&["-o", svg, "--mark", "there"], "`there` is not a position"),
        (&["--mark", "1,1"], "--output <FILE>"),
        (&["--legend"], "--output <FILE>"),
        (&["--width", "400"], "--output <FILE>"),
        (&["-o", svg, "--width", "400"], "--width is the width of a PNG"),
        (&["-o", png, "--width", "0"], "0 is not in 1..=16000"),
        (&["-o", png, "--width", "16000"], "a picture of 16000 × "),
        (&["-o", svg, "--after", "9,9"], "(9,9) cannot be chosen here"),
    ] {
        let told = told(more).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(expected), "{more:?}: {told}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
    let nowhere = folder.path().join("missing/floor.svg");
    let told = refusal(&["show", SIMPLE, "-o", nowhere.to_str().unwrap()], 3);
    assert!(told.contains("floor.svg"), "{told}");
}

/// The commands of `docs/figures/README.md`, in words: those that make a tower, and those that draw.
fn commands() -> Vec<Vec<String>> {
    let readme = fs::read_to_string(root().join("docs/figures/README.md")).unwrap();
    let lines = readme.lines().filter(|line| line.starts_with("mota "));
    // A word ends at a blank outside of quotes.
    let words = |line: &str| -> Vec<String> {
        let mut quoted = false;
        let word = |c: char| {
            quoted ^= c == '"';
            c == ' ' && !quoted
        };
        line.split(word).map(|word| word.replace('"', "")).collect()
    };
    lines.map(words).collect()
}

#[test]
fn the_kept_figures_are_what_their_commands_give() {
    let folder = scratch();
    let scratched = |name: &str| folder.path().join(Path::new(name).file_name().unwrap()).to_str().unwrap().to_owned();
    let mut made = Vec::new();
    let mut kept = Vec::new();
    for command in commands() {
        let mut arguments: Vec<String> = command[1..].to_vec();
        let file = arguments.iter().position(|argument| argument == "-o").unwrap() + 1;
        let written = std::mem::replace(&mut arguments[file], scratched(&command[file + 1]));
        // A tower made before is drawn from where it was made.
        if made.contains(&arguments[1]) {
            arguments[1] = scratched(&arguments[1]);
        }
        run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        if command[1] != "show" {
            made.push(written);
            continue;
        }
        kept.push(root().join(&written));
        let same = fs::read(&arguments[file]).unwrap() == fs::read(root().join(&written)).unwrap();
        assert!(same, "{written} is not what its command gives: run it again");
    }
    let figures = fs::read_dir(root().join("docs/figures")).unwrap().map(|entry| entry.unwrap().path());
    let mut figures: Vec<_> =
        figures.filter(|path| path.extension().is_some_and(|extension| extension == "svg")).collect();
    figures.sort();
    kept.sort();
    assert_eq!(kept, figures);
    assert_eq!(kept.len(), 5);
}
