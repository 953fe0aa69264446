//! Formats of kept files: a run of the first format is read by every later program, and one of a later format refused.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{json, refusal, root, run, scratch};

/// A copy of the kept run.
fn kept(folder: &Path) -> String {
    let run = folder.join("format-1");
    for part in ["episodes", "floors", "analysis"] {
        fs::create_dir_all(run.join(part)).unwrap();
        for file in fs::read_dir(root().join("tests/data/format-1").join(part)).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), run.join(part).join(file.file_name())).unwrap();
        }
    }
    fs::copy(root().join("tests/data/format-1/manifest.json"), run.join("manifest.json")).unwrap();
    run.display().to_string()
}

fn traces(run: &str) -> Vec<String> {
    fs::read_dir(format!("{run}/episodes")).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect()
}

#[test]
fn a_run_of_the_first_format_is_read_and_analysed() {
    let folder = scratch();
    let run_folder = kept(folder.path());
    let kept_lines = fs::read_to_string(format!("{run_folder}/analysis/episodes.jsonl")).unwrap();
    let before: Vec<Value> = kept_lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    run(&["report", &run_folder], 0);
    let mut after = json(&["analyze", &run_folder, "--json"]);
    // What the analysis of that time did not tell is told as well.
    for (after, before) in after.as_array_mut().unwrap().iter_mut().zip(&before) {
        after.as_object_mut().unwrap().retain(|key, _| before.get(key).is_some());
    }
    assert_eq!(after, Value::Array(before));
    let traces = traces(&run_folder);
    let mut verify = vec!["replay", "--verify"];
    verify.extend(traces.iter().map(String::as_str));
    run(&verify, 0);
    for trace in &traces {
        run(&["replay", "--text", trace], 0);
    }
}

#[test]
fn a_later_format_is_refused_by_name() {
    let folder = scratch();
    let run_folder = kept(folder.path());
    for trace in traces(&run_folder) {
        let text = fs::read_to_string(&trace).unwrap().replacen("\"format\":1", "\"format\":9", 1);
        fs::write(&trace, text).unwrap();
        let told = refusal(&["replay", "--text", &trace], 2);
        assert!(told.contains("newer than this program"), "{told}");
    }
    let manifest = format!("{run_folder}/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap().replacen("\"format\": 1", "\"format\": 9", 1);
    fs::write(&manifest, text).unwrap();
    let told = refusal(&["analyze", &run_folder], 2);
    assert!(told.contains("newer than this program"), "{told}");
}
