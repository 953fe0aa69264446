//! What is wrong with a project: each mistake with its file and line, and no input that makes the importer panic.

use std::fs;
use std::path::Path;

use mota::format::h5mota::{ImportError, Options, import};
use proptest::prelude::*;

use super::project::{changed, files, replaced};
use super::told;

/// An error without the folder that it happened in.
fn refusal(done: Result<mota::format::h5mota::Import, ImportError>) -> String {
    let text = done.expect_err("it is refused").to_string();
    let folder = regex::Regex::new(r"\S*/(project/|\S*/floors/)").unwrap();
    folder.replace_all(&text, "DIR/$1").into_owned()
}

fn refused(file: &str, from: &str, to: &str) -> String {
    refusal(replaced("h5mota-new", file, from, to))
}

#[test]
fn mistakes_are_named_with_file_and_line() {
    insta::assert_snapshot!(refused("data.js", r#""F1", "F2", "F3""#, r#""F1", "F2", "F1""#));
    insta::assert_snapshot!(refused("data.js", r#""F1", "F2", "F3""#, r#""F1", "F4""#));
    insta::assert_snapshot!(refused("data.js", r#""F1", "F2", "F3""#, r#""../F1""#));
    insta::assert_snapshot!(refused("data.js", r#""floorIds""#, r#""floors""#));
    insta::assert_snapshot!(refused("data.js", r#""floorId": "F1""#, r#""floorId": "F8""#));
    insta::assert_snapshot!(refused("F2.js", r#""width": 7"#, r#""width": 2000"#));
    insta::assert_snapshot!(refused("F2.js", "[  1,203,  0,", "[  1,203,  0.5x,"));
    insta::assert_snapshot!(refused("F2.js", "[  1,203,  0,", "[  1,203,  \"a\","));
    insta::assert_snapshot!(refused("maps.js", "\"10001\": {", "\"10001\": "));
}

#[test]
fn what_is_no_project_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let told = import(folder.path(), &Options::default()).unwrap_err();
    assert!(matches!(told, ImportError::NotAProject(_)) && told.to_string().contains("project/data.js"));
    fs::create_dir(folder.path().join("project")).unwrap();
    fs::write(folder.path().join("project/data.js"), "function () { return 1; }").unwrap();
    assert!(matches!(import(folder.path(), &Options::default()), Err(ImportError::File(_))));
    let missing = changed("h5mota-new", |path, bytes| if path.ends_with("items.js") { Vec::new() } else { bytes });
    assert!(matches!(missing, Err(ImportError::File(_))));
}

#[test]
fn a_map_of_four_million_tiles_is_refused() {
    let row = format!("[{}],", "0,".repeat(2_000));
    let map = format!("main.floors.F3 = {{ map: [{}] }}", row.repeat(2_000));
    let done =
        changed("h5mota-new", |path, bytes| if path.ends_with("F3.js") { map.clone().into_bytes() } else { bytes });
    insta::assert_snapshot!(refusal(done));
}

#[test]
fn torn_files_are_refused_and_never_panic() {
    for (name, path) in [("h5mota-new", "project/floors/F1.js"), ("h5mota-old", "project/data.js")] {
        let whole = files(name).into_iter().find(|(known, _)| known == Path::new(path)).unwrap().1;
        for length in (0..whole.len().saturating_sub(3)).step_by(37) {
            let torn = whole[..length].to_vec();
            let done = changed(name, |known, bytes| if known == Path::new(path) { torn.clone() } else { bytes });
            assert!(done.is_err(), "{path} was read though it ends after {length} bytes");
        }
    }
}

#[test]
fn what_loops_for_ever_and_leads_nowhere_is_told() {
    let import = super::project::imported("h5mota-new", &Options::default());
    let text = told(&import.report);
    for expected in
        ["it loops for ever", "without end", "its code is not run", "leads nowhere: there is no floor \"F9\""]
    {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn wishes_that_do_not_fit_are_refused() {
    let told = |options: Options| import(&super::project::fixture("h5mota-new"), &options).unwrap_err().to_string();
    insta::assert_snapshot!(told(Options { difficulty: Some("mad".into()), ..Options::default() }), @r#"there is no difficulty "mad"; there are easy, hard"#);
    insta::assert_snapshot!(told(Options { boss: Some("dragon".into()), ..Options::default() }), @r#"--goal boss=dragon: there is no monster "dragon""#);
    let exit = Some(("F1".to_owned(), 70, 4));
    insta::assert_snapshot!(told(Options { boss: Some("king".into()), exit, ..Options::default() }), @"--exit: (70,4) lies outside the floor");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// A few pieces of a fixture's files replaced by others: an error or a tower, never a panic.
    #[test]
    fn no_change_of_a_file_makes_it_panic(
        old in any::<bool>(),
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, piece()), 1..4),
    ) {
        let name = if old { "h5mota-old" } else { "h5mota-new" };
        let all = files(name);
        let (path, mut bytes) = which.get(&all).clone();
        for (at, removed, piece) in changes {
            let start = at.index(bytes.len());
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, piece.into_bytes());
        }
        let _ = changed(name, |known, original| if known == path { bytes.clone() } else { original });
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), which in any::<prop::sample::Index>()) {
        let all = files("h5mota-new");
        let path = which.get(&all).0.clone();
        let _ = changed("h5mota-new", |known, original| if *known == path { bytes.clone() } else { original });
    }
}

/// Text that may well be read: numbers of all sizes, names, signs.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9eE.+-]{1,22}",
        "[\\[\\]{}:,\"' ]{1,4}",
        "\\PC{0,6}",
        Just("99999999999999999999".to_owned()),
        Just("null".to_owned()),
        Just("-1".to_owned()),
        Just("{\"type\": \"insert\", \"name\": \"again\"},".to_owned()),
        Just("flag:x/0".to_owned()),
        Just("function(){ core.setBlock(1, 2, 3) }".to_owned()),
    ]
}
