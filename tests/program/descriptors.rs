//! A machine that allows few file descriptors: fewer episodes are played at once, and all of them end well.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{root, scratch};
use crate::server::{Reply, Server, plays, says};

/// Episodes of the batch, all of which are to be played at once.
const EPISODES: usize = 120;

/// Plays them under a hard limit of descriptors; gives exit code, summary, and what was said.
fn under(limit: u32, server: &Server) -> (Option<i32>, Value, String) {
    let folder = scratch();
    let config = folder.path().join("c.toml");
    let text = format!(
        "floors = [{:?}]\nrepeats = {EPISODES}\nanalysis = false\n[limits]\nturns = 3\n[concurrency]\n\
         episodes = {EPISODES}\n[[agent]]\nname = \"m\"\nkind = \"model\"\nmodel = \"m\"\nbase_url = {:?}\n\
         retry = {{ first = 0.05, total = 2.0 }}\n",
        root().join("floors/simple.toml"),
        server.base_url
    );
    fs::write(&config, text).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -Sn 40 && ulimit -Hn \"$0\" && exec \"$@\"", &limit.to_string()])
        .args([env!("CARGO_BIN_EXE_mota"), "run", "--json", "--out"])
        .args([&folder.path().join("run"), &config])
        .output()
        .unwrap();
    let summary = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code(), summary, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn few_descriptors_mean_fewer_episodes_at_once() {
    let server = Server::start(|request| Reply::json(&says(&plays(request))).after(Duration::from_millis(20)));
    let (code, summary, told) = under(60, &server);
    assert!(told.contains("12 episodes are played at once instead of 120"), "{told}");
    assert!(!told.contains("Too many open files"), "{told}");
    assert_eq!((code, &summary["planned"], &summary["open"]), (Some(0), &EPISODES.into(), &0.into()), "{told}");
    assert_eq!(summary["endings"].get("aborted"), None, "{summary}");
}

/// The limit that a shell sets is the soft one; it is raised without a word.
#[test]
fn the_soft_limit_is_raised() {
    let server = Server::start(|request| Reply::json(&says(&plays(request))).after(Duration::from_millis(20)));
    let (code, summary, told) = under(1000, &server);
    assert!(!told.contains("descriptors") && !told.contains("open files"), "{told}");
    assert_eq!((code, &summary["planned"], &summary["open"]), (Some(0), &EPISODES.into(), &0.into()));
    assert_eq!(summary["endings"].get("aborted"), None, "{summary}");
}
