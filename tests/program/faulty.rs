//! A whole batch against a server that spoils the first try of every call, each in another way: it ends, and what was
//! answered is written down once.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{mota, root, scratch};
use crate::server::{Reply, Request, Server};

/// What the server does with the first try of a call.
const FAULTS: [&str; 22] = [
    "429",
    "429 later",
    "500",
    "502",
    "503 loading",
    "529",
    "reset",
    "cut",
    "silence",
    "empty",
    "html",
    "half",
    "null",
    "thought",
    "length",
    "filter",
    "broken tool",
    "noise",
    "no usage",
    "zero",
    "two",
    "think",
];

#[derive(Default)]
struct Seen {
    /// Tries by body.
    tries: HashMap<String, usize>,
    /// Completions that were sent whole.
    completed: usize,
    /// Calls that were spoiled, by fault.
    spoiled: BTreeMap<&'static str, usize>,
    overflows: usize,
}

/// A server that spoils the first try of every call; what it has seen.
fn server() -> (Server, Arc<Mutex<Seen>>) {
    let seen: Arc<Mutex<Seen>> = Arc::default();
    let shared = seen.clone();
    (Server::start(move |request| answer(request, &shared)), seen)
}

fn answer(request: &Request, seen: &Mutex<Seen>) -> Reply {
    let does = seen.lock().unwrap().next(request);
    let completion = |message: Value, finish: &str| {
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 1 });
        json!({ "choices": [{ "message": message, "finish_reason": finish }], "usage": usage })
    };
    let says = |content: &str| completion(json!({ "content": content }), "stop");
    let well = says("{\"action\": 1}");
    let status = |status: &str, headers: &str, body: &str| Reply::new(status, headers, body);
    let completed = match does {
        "400" => return status("400 Bad Request", "", r#"{"error":{"message":"the context length is exceeded"}}"#),
        "401" => return status("401 Unauthorized", "", r#"{"error":{"message":"no such key"}}"#),
        "429" => return status("429 Too Many Requests", "", "slow down"),
        "429 later" => return status("429 Too Many Requests", "retry-after: 0.2\r\n", "slow down"),
        "500" => return status("500 Internal Server Error", "", "oops"),
        "502" => return status("502 Bad Gateway", "", "<html>"),
        "503 loading" => return status("503 Service Unavailable", "", r#"{"error":{"message":"Loading model"}}"#),
        "529" => return status("529 Overloaded", "", ""),
        "reset" => return Reply::cut(""),
        "cut" => return Reply::cut(&format!("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{well}")),
        "silence" => return Reply::cut("").after(Duration::from_secs(20)),
        "empty" => return status("200 OK", "", ""),
        "html" => return status("200 OK", "content-type: text/html\r\n", "<html>hello</html>"),
        "half" => return status("200 OK", "", &well.to_string()[..20]),
        "null" => completion(json!({ "content": null }), "stop"),
        "thought" => completion(json!({ "content": "", "reasoning_content": "hm" }), "stop"),
        "length" => completion(json!({ "content": "{\"action\": 1}" }), "length"),
        "filter" => completion(json!({ "content": "" }), "content_filter"),
        "broken tool" => {
            let call = json!({ "function": { "name": "choose_action", "arguments": "{\"action\": " } });
            completion(json!({ "tool_calls": [call] }), "tool_calls")
        }
        "noise" => says("\u{0} {\"action\": 9} {\"action\": 1}"),
        "no usage" => json!({ "choices": [{ "message": { "content": "1" } }] }),
        "zero" => says("{\"action\": 0}"),
        "two" => says("{\"action\": \"two\"}"),
        "think" => says("<think> 1"),
        _ => well,
    };
    seen.lock().unwrap().completed += 1;
    Reply::json(&completed)
}

impl Seen {
    /// What becomes of a request: a wrong key, a context that is too long, a fault at the first try, or nothing bad.
    fn next(&mut self, request: &Request) -> &'static str {
        let question: Value = serde_json::from_str(&request.body).unwrap();
        let prompt = question["messages"][1]["content"].as_str().unwrap_or_default();
        let asked_again = question["messages"].as_array().is_some_and(|messages| messages.len() > 2);
        let tries = self.tries.entry(format!("{}{}", request.head, request.body)).or_default();
        *tries += 1;
        if request.model() == "locked" {
            "401"
        } else if request.model() == "small" && prompt.contains("turn 3 of") {
            self.overflows += 1;
            "400"
        } else if *tries == 1 && !asked_again {
            let fault = FAULTS[self.spoiled.values().sum::<usize>() % FAULTS.len()];
            *self.spoiled.entry(fault).or_default() += 1;
            fault
        } else {
            "well"
        }
    }
}

/// The calls and endings in the traces of a run whose names begin so.
fn traces(out: &Path, agent: &str) -> (Vec<Value>, Vec<String>) {
    let (mut calls, mut endings) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(out.join("episodes")).unwrap().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(agent) {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        for record in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            match record["record"].as_str() {
                Some("call") => calls.push(record),
                Some("footer") => endings.push(record["ending"].as_str().unwrap().to_owned()),
                _ => {}
            }
        }
    }
    (calls, endings)
}

#[test]
fn a_batch_survives_a_server_that_spoils_every_first_try() {
    let (folder, (server, seen)) = (scratch(), server());
    let base_url = &server.base_url;
    let out = folder.path().join("run");
    // Each agent is told apart by a header: its calls are no one else's second tries.
    let agent = |model: &str, number: usize| {
        let name = format!("{model}{number}");
        format!(
            "[[agent]]\nname = {name:?}\nkind = \"model\"\nmodel = {model:?}\nbase_url = {base_url:?}\ntimeout = 5.0\n\
             retry = {{ first = 0.01, longest = 0.05 }}\nheaders = {{ x-agent = {name:?} }}\n"
        )
    };
    let config = folder.path().join("faulty.toml");
    let text = format!(
        "floors = [{:?}]\nanalysis = false\n[limits]\nturns = 5\n[concurrency]\nepisodes = 12\n{}{}{}",
        root().join("floors/complex.toml"),
        (0..12).map(|number| agent("model", number)).collect::<String>(),
        (0..12).map(|number| agent("small", number)).collect::<String>(),
        agent("locked", 0),
    );
    fs::write(&config, text).unwrap();
    let run = || mota().arg("run").arg(&config).args(["--json", "--out"]).arg(&out).output().unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    // A key that is refused leaves that agent's episodes open, and only those; a context that is too long ends its episode.
    assert_eq!(answer["open"], 1, "{answer}");
    assert!(answer["stopped_agents"]["locked0"].as_str().is_some_and(|why| why.contains("no such key")), "{answer}");
    let ((calls, endings), (small_calls, small_endings)) = (traces(&out, "model"), traces(&out, "small"));
    assert_eq!((endings.len(), endings.iter().all(|ending| ending == "turn_limit")), (12, true), "{endings:?}");
    assert_eq!((small_endings.len(), small_endings.iter().all(|ending| ending == "aborted")), (12, true));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.spoiled.len(), FAULTS.len(), "every fault came: {:?}", seen.spoiled);
    // Each completion was written down, once, and nothing else was but the calls that a context was too long for.
    let all: Vec<&Value> = calls.iter().chain(&small_calls).collect();
    let failed = all.iter().filter(|call| call["verdict"] == "transport_error").count();
    assert_eq!((failed, all.len() - failed), (seen.overflows, seen.completed));
    assert_eq!(seen.overflows, 12, "a request that is wrong is not sent again");
    let of = |verdict: &str| all.iter().filter(|call| call["verdict"] == verdict).count();
    let spoiled = |faults: &[&str]| faults.iter().map(|fault| seen.spoiled[fault]).sum::<usize>();
    assert_eq!(of("truncated"), spoiled(&["thought", "length", "think"]));
    assert_eq!(of("unparsable"), spoiled(&["broken tool", "two"]));
    assert_eq!(
        (of("refused"), of("illegal"), of("empty")),
        (spoiled(&["filter"]), spoiled(&["zero"]), spoiled(&["null"]))
    );
    let decided = 12 * 5 + 12 * 2;
    assert_eq!(of("ok"), decided);
    drop(seen);
    let told = String::from_utf8(run().stdout).unwrap();
    assert!(told.contains("\"ended_before\": 24"), "what had ended is not played again: {told}");
}
