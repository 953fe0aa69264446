//! Followers and workers as processes of the program, in a folder of a test's own, and what their runs have to be: the same
//! as one that was played without a server.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{json, mota, run, traces};

/// How long a batch of these tests may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A folder in which runs are written, and the address of the server they go over.
pub struct Lab {
    folder: TempDir,
    pub url: String,
}

impl Lab {
    pub fn new(url: String) -> Lab {
        Lab { folder: tempfile::tempdir().expect("a scratch folder"), url }
    }

    /// The place of a file or folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a configuration.
    pub fn config(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the configuration");
        path
    }

    /// Plays a configuration without a server; the run's folder.
    pub fn local(&self, config: &Path) -> PathBuf {
        let out = self.path("local");
        run(&["run", text(config), "--out", text(&out)], 0);
        out
    }

    /// Publishes a configuration and follows it.
    pub fn follower(&self, config: &Path, out: &Path, more: &[&str]) -> Process {
        let mut arguments = vec!["run", text(config), "--out", text(out), "--nats", &self.url];
        arguments.extend(more);
        self.start(&arguments, &[])
    }

    /// The headers of a run's traces, which tell when each episode began: of the same episode they are the same.
    pub fn headers(run: &Path) -> Vec<String> {
        let entries = fs::read_dir(run.join("episodes")).expect("a folder");
        let texts = entries.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a trace"));
        let mut headers: Vec<String> = texts.map(|text| text.lines().next().unwrap_or_default().to_owned()).collect();
        headers.sort_unstable();
        headers
    }

    /// A worker.
    pub fn worker(&self, more: &[&str]) -> Process {
        self.worker_with(more, &[])
    }

    /// A worker that has these variables in its environment.
    pub fn worker_with(&self, more: &[&str], environment: &[(&str, &str)]) -> Process {
        let mut arguments = vec!["worker", "--nats", &self.url];
        arguments.extend(more);
        self.start(&arguments, environment)
    }

    /// Starts the program.
    pub fn start(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Process {
        let mut command = mota();
        command.args(arguments).envs(environment.iter().copied());
        Process::start(command)
    }
}

/// The program while it runs; killed when dropped.
pub struct Process {
    child: Child,
    what: String,
    output: TempDir,
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub error: String,
}

impl Process {
    fn start(mut command: Command) -> Process {
        let output = tempfile::tempdir().expect("a scratch folder");
        let file = |name: &str| File::create(output.path().join(name)).expect("a file for the output");
        command.stdin(Stdio::null()).stdout(file("out")).stderr(file("error"));
        let what: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        let what = what.join(" ");
        Process { child: command.spawn().expect("the program starts"), what, output }
    }

    /// Kills it without warning, as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().expect("a process that can be killed");
        let _ = self.child.wait();
    }

    /// Asks it to end, as batch systems do before they kill.
    pub fn ask_to_end(&self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(sent.expect("kill is on the path").success());
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    /// What it has said on standard error so far.
    pub fn says(&self) -> String {
        fs::read_to_string(self.output.path().join("error")).unwrap_or_default()
    }

    /// Waits until it has said something on standard error.
    pub fn says_soon(&mut self, words: &str) {
        let began = Instant::now();
        while !self.says().contains(words) {
            let runs = self.runs();
            assert!(runs && began.elapsed() < PATIENCE, "mota {} does not say {words:?}:\n{}", self.what, self.says());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for its end.
    pub fn ends(mut self) -> Ended {
        let began = Instant::now();
        while self.runs() {
            assert!(began.elapsed() < PATIENCE, "mota {} does not end:\n{}", self.what, self.says());
            thread::sleep(Duration::from_millis(5));
        }
        let code = self.child.wait().expect("a child").code();
        let read = |name: &str| fs::read_to_string(self.output.path().join(name)).expect("UTF-8");
        let ended = Ended { code, out: read("out"), error: read("error") };
        assert!(!ended.error.contains("panicked"), "mota {}\n{}", self.what, ended.error);
        ended
    }

    /// Waits for its end, which must be a good one.
    pub fn ends_well(self) -> Ended {
        let what = self.what.clone();
        let ended = self.ends();
        assert_eq!(ended.code, Some(0), "mota {what}\n{}{}", ended.out, ended.error);
        ended
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Both runs hold the same: traces apart from their clocks, everything else to the byte. Where models were asked, whatever
/// tells how long they took is left aside, too.
pub fn assert_same_run(one: &Path, other: &Path) {
    let (left, right) = (traces(one), traces(other));
    assert_eq!(left.len(), right.len(), "episodes in {} and {}", one.display(), other.display());
    for (left, right) in left.iter().zip(&right) {
        assert_eq!(left, right);
    }
    let timed = left.iter().any(|(_, lines)| lines.iter().any(|line| line["record"] == "call"));
    let [left, right] = [one, other].map(|run| files(run, timed));
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    for (name, contents) in &left {
        assert!(contents == &right[name], "{name} differs in {} and {}", one.display(), other.display());
    }
}

/// Every trace of a run has one header, decisions 1 to n and one footer, and is what the rules give.
pub fn assert_whole(run: &Path, episodes: usize) {
    let traces = traces(run);
    assert_eq!(traces.len(), episodes);
    for (name, lines) in &traces {
        let records: Vec<&str> = lines.iter().filter_map(|line| line["record"].as_str()).collect();
        let of = |kind: &str| records.iter().filter(|record| **record == kind).count();
        assert_eq!((of("header"), of("footer")), (1, 1), "{name}");
        assert_eq!((records.first(), records.last()), (Some(&"header"), Some(&"footer")), "{name}");
        let turns: Vec<u64> = lines.iter().filter(|line| line["record"] == "decision").map(turn).collect();
        assert!(turns.iter().copied().eq(1..=turns.len() as u64), "{name}: decisions {turns:?}");
    }
    let mut arguments = vec!["replay".to_owned(), "--verify".into(), "--json".into()];
    arguments.extend(traces.iter().map(|(name, _)| run.join("episodes").join(name).display().to_string()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let verified = json(&arguments);
    assert!(verified.as_array().expect("a list").iter().all(|result| result["ok"] == true), "{verified}");
}

fn turn(decision: &Value) -> u64 {
    decision["turn"].as_u64().expect("a number")
}

/// All files of a run by name, but its traces, its log, its lock and the number of its publication; `timed` leaves aside what tells how long calls took.
pub fn files(run: &Path, timed: bool) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![run.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(run).expect("a part of the run").display().to_string();
            if path.is_dir() {
                if name != "episodes" {
                    folders.push(path);
                }
                continue;
            }
            let contents = fs::read(&path).expect("a file");
            let tells_times = TIMED.iter().any(|start| name.starts_with(start));
            match name.as_str() {
                "log.jsonl" | ".lock" | ".publication" => {}
                _ if timed && tells_times => {}
                "analysis/episodes.jsonl" if timed => drop(files.insert(name, untimed(&contents))),
                _ => drop(files.insert(name, contents)),
            }
        }
    }
    files
}

/// How the names of those files of a report begin that tell how long calls took.
const TIMED: [&str; 5] = [
    "report/index.html",
    "report/tables/all",
    "report/tables/answers",
    "report/tables/episodes",
    "report/tables/results",
];

/// Lines of JSON, none with an object `time`.
fn untimed(lines: &[u8]) -> Vec<u8> {
    let mut without = Vec::new();
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut value: Value = serde_json::from_slice(line).expect("a line of JSON");
        value.as_object_mut().expect("an object").remove("time");
        without.extend_from_slice(value.to_string().as_bytes());
        without.push(b'\n');
    }
    without
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
