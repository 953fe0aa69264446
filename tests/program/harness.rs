//! Running the program as a user would, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Where the repository is.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A scratch folder.
pub fn scratch() -> TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

/// The program, in the repository's folder.
pub fn mota() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mota"));
    command.current_dir(root()).env("NO_COLOR", "1");
    command
}

/// Runs the program; panics with its output unless the exit code is the expected one.
pub fn run(arguments: &[&str], code: i32) -> Output {
    let output = mota().args(arguments).output().expect("the program starts");
    assert_eq!(
        output.status.code(),
        Some(code),
        "mota {}\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// What the program prints as JSON.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&run(arguments, 0).stdout).expect("JSON")
}

/// What the program prints on standard error when it refuses with this exit code.
pub fn refusal(arguments: &[&str], code: i32) -> String {
    let error = String::from_utf8(run(arguments, code).stderr).expect("UTF-8");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// The traces of a run by file name, each line without its `time` object.
pub fn traces(folder: &Path) -> Vec<(String, Vec<Value>)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder.join("episodes")).expect("episodes").map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), lines(path))).collect()
}

/// The lines of a trace, each without its `time` object.
pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a trace");
    text.lines()
        .map(|line| {
            let mut value: Value = serde_json::from_str(line).expect("a line of JSON");
            value.as_object_mut().expect("an object").remove("time").expect("a time");
            value
        })
        .collect()
}
