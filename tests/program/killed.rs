//! `kill -9` while a hundred calls are on their way: what was answered and written down is never asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{json, mota, root, scratch, traces};
use crate::server::{Reply, Request, Server, hash, plays, says};

/// Episodes at once.
const AT_ONCE: usize = 100;

/// Requests after which the run is killed, counted from when it was started or gone on with: during the first calls, at
/// several moments of the middle, and at once after it went on.
const KILLED_AFTER: [usize; 7] = [30, 170, 120, 60, 1, 250, 140];

/// A call that can be told from all others of the batch: the agent, which is named as its model, and what was sent.
type Asked = (String, String);

/// Takes 5 to 30 ms, which differs from request to request, so that kills hit episodes in all their stages.
fn server() -> Server {
    let answer = |request: &Request| {
        let latency = Duration::from_millis(5 + hash(&request.body) / 9 % 25);
        Reply::json(&says(&plays(request))).after(latency)
    };
    Server::start(answer)
}

/// Six models on all floors once: 126 episodes, no two of whose calls are alike.
fn config(folder: &Path, server: &Server) -> String {
    let floors = root().join("floors");
    let mut text = format!(
        "seed = 5\nanalysis = false\nfloors = [{:?}, {:?}]\n[limits]\nturns = 10\n[concurrency]\nepisodes = {AT_ONCE}\n",
        floors.join("*.toml"),
        floors.join("generated/*.toml"),
    );
    for model in ["m1", "m2", "m3", "m4", "m5", "m6"] {
        text += &format!(
            "[[agent]]\nname = {model:?}\nkind = \"model\"\nmodel = {model:?}\nbase_url = {:?}\n",
            server.base_url
        );
    }
    let path = folder.join("c.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The calls that the server was asked for, each with how often.
fn asked(server: &Server) -> BTreeMap<Asked, usize> {
    let mut asked = BTreeMap::new();
    for body in server.bodies() {
        let call = (body["model"].as_str().unwrap().to_owned(), body["messages"].to_string());
        *asked.entry(call).or_default() += 1;
    }
    asked
}

/// The calls that the traces of a run hold, each with its episode. A torn last line holds none.
fn written(run: &Path) -> BTreeSet<Asked> {
    let mut written = BTreeSet::new();
    for entry in fs::read_dir(run.join("episodes")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut records = text.split_inclusive('\n').filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let Some(header) = records.next() else { continue };
        for call in records.filter(|record| record["record"] == "call") {
            written.insert((header["agent"].as_str().unwrap().to_owned(), call["messages"].to_string()));
        }
    }
    written
}

/// An episode by the model and the floor's title, with which every question begins.
fn episode(call: &Asked) -> (String, String) {
    let messages: Value = serde_json::from_str(&call.1).unwrap();
    let question = messages[1]["content"].as_str().unwrap();
    (call.0.clone(), question.split(", turn ").next().unwrap().to_owned())
}

#[test]
fn nothing_is_lost_but_the_calls_on_their_way() {
    let folder = scratch();
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));

    let undisturbed = server();
    let path = config(folder.path(), &undisturbed);
    let summary = json(&["run", &path, "--out", calm.to_str().unwrap(), "--json"]);
    assert_eq!((&summary["planned"], &summary["open"]), (&Value::from(126), &Value::from(0)));
    let once = asked(&undisturbed);
    assert!(once.len() > 1_000 && once.values().all(|times| *times == 1), "{} calls", once.len());
    assert_eq!(written(&calm), once.keys().cloned().collect());

    let server = server();
    let path = config(folder.path(), &server);
    let out = killed.to_str().unwrap();
    let mut lost: Vec<Asked> = Vec::new();
    for requests in KILLED_AFTER {
        let before = server.asked();
        let mut command = mota();
        command.args(["run", &path, "--out", out]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        server.wait_until(|server| server.asked() >= before + requests && server.in_flight() > 0);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        server.wait_until(|server| server.in_flight() == 0);
        // On their way, as the program sees it, until they are written down.
        let written = written(&killed);
        let on_their_way: Vec<Asked> = asked(&server).into_keys().filter(|call| !written.contains(call)).collect();
        let episodes: BTreeSet<_> = on_their_way.iter().map(episode).collect();
        assert_eq!(episodes.len(), on_their_way.len(), "an episode has lost more than its last call");
        assert!(on_their_way.len() <= AT_ONCE, "{} calls lost at once", on_their_way.len());
        lost.extend(on_their_way);
    }
    let summary = json(&["run", &path, "--out", out, "--json"]);
    assert_eq!((&summary["planned"], &summary["open"]), (&Value::from(126), &Value::from(0)));

    let times = asked(&server);
    assert!(times.keys().eq(once.keys()), "other calls were made than without the kills");
    for (call, times) in &times {
        let allowed = 1 + lost.iter().filter(|lost| *lost == call).count();
        assert!(*times <= allowed, "asked {times} times, was on its way at {} kills: {call:?}", allowed - 1);
    }
    let repeated: usize = times.values().map(|times| times - 1).sum();
    assert!(repeated > 0, "the kills have hit nothing");
    assert_eq!(traces(&killed), traces(&calm));

    let mut verify = vec!["replay".to_owned(), "--verify".into(), "--json".into()];
    let episodes = fs::read_dir(killed.join("episodes")).unwrap();
    verify.extend(episodes.map(|entry| entry.unwrap().path().display().to_string()));
    let verify: Vec<&str> = verify.iter().map(String::as_str).collect();
    let verified = json(&verify);
    assert!(verified.as_array().unwrap().iter().all(|result| result["ok"] == true));
}
