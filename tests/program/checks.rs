//! `mota check`: what it prints, its JSON and how it ends.

use std::fs;

use insta::assert_snapshot;

use crate::answers::keeps_to_its_schema;
use crate::harness::{refusal, root, run, scratch};

const SOUND: &str = "tests/data/towers/sound.toml";
const GATEKEEPER: &str = "tests/data/towers/gatekeeper.toml";

fn told(arguments: &[&str], code: i32) -> String {
    String::from_utf8(run(arguments, code).stdout).unwrap()
}

#[test]
fn findings_are_a_line_each_and_end_with_1() {
    assert_snapshot!(told(&["check", SOUND], 0), @"tests/data/towers/sound.toml: no findings by 18 checks");
    assert_snapshot!(told(&["check", SOUND, GATEKEEPER], 1), @"
    tests/data/towers/sound.toml: no findings by 18 checks
    tests/data/towers/gatekeeper.toml: H5 (3,2): Sealed door that does not hang between two walls: it is open left, below
    tests/data/towers/gatekeeper.toml: H9 (2,1): Green Slime 2 squares from the start at (0,0); more than 3 are wanted
    tests/data/towers/gatekeeper.toml: H9 (3,3): Boss 3 squares from the start at (0,0); more than 3 are wanted
    tests/data/towers/gatekeeper.toml: 3 findings by 7 checks; not asked: H3, H4, H10, H11, H12 (no rooms are named), H7, D3 (it has no stairs), D1 (it has one floor), D4, D5 (it has no quick exit), D6 (no ladder passes a floor)
    ");
    assert_snapshot!(told(&["check", GATEKEEPER, "--only", "h5,D4"], 1), @"
    tests/data/towers/gatekeeper.toml: H5 (3,2): Sealed door that does not hang between two walls: it is open left, below
    tests/data/towers/gatekeeper.toml: 1 finding by 1 check; not asked: D4 (it has no quick exit)
    ");
    assert_snapshot!(told(&["check", GATEKEEPER, "--only", "H6"], 0), @"tests/data/towers/gatekeeper.toml: no findings by 1 check");
}

#[test]
fn the_json_keeps_to_its_schema() {
    let output = run(&["check", SOUND, GATEKEEPER, "--json"], 1).stdout;
    let answer: serde_json::Value = serde_json::from_slice(&output).unwrap();
    keeps_to_its_schema("check", &answer);
    assert_eq!(answer[0]["findings"].as_array().map(Vec::len), Some(0));
    assert_eq!(answer[0]["asked"].as_array().map(Vec::len), Some(18));
    assert_eq!(answer[1]["findings"][0]["code"], "H5");
    assert_eq!(answer[1]["findings"][0]["at"], serde_json::json!({ "x": 3, "y": 2 }));
    assert_eq!(answer[1]["unasked"][0]["why"], "no rooms are named");
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let told = refusal(&["check", SOUND, "--only", "H13"], 2);
    assert!(told.contains("there is no check `H13`"), "{told}");
    let folder = scratch();
    let (one, other) = (folder.path().join("one.toml"), folder.path().join("other.toml"));
    let text = fs::read_to_string(root().join(SOUND)).unwrap();
    fs::write(&one, text.replace("ceiling = 1", "ceiling = 9")).unwrap();
    fs::write(&other, text.replace("size = [3, 3]", "size = [3, 30]")).unwrap();
    let told = refusal(&["check", SOUND, one.to_str().unwrap(), other.to_str().unwrap()], 2);
    assert!(told.contains("from 1 to 3, found `9`") && told.contains("reaches beyond the map"), "{told}");
    refusal(&["check"], 2);
}

#[test]
fn the_list_has_every_check_with_its_rule() {
    let list = told(&["check", "--list"], 0);
    assert_eq!(list.lines().count(), 2 * mota::check::CHECKS.len());
    for check in &mota::check::CHECKS {
        assert!(list.contains(&format!("{:<4} {}\n     {}\n", check.code, check.name, check.rule)), "{list}");
    }
}
