//! A whole batch against a server that spoils the first try of every call, each in another way: it ends, and what was
//! answered is written down once.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{mota, root, scratch};

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

fn serve() -> (String, Arc<Mutex<Seen>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Seen>> = Arc::default();
    let shared = seen.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let shared = shared.clone();
            std::thread::spawn(move || answer(stream, &shared));
        }
    });
    (base_url, seen)
}

fn answer(mut stream: TcpStream, seen: &Mutex<Seen>) {
    let Some(request) = read(&mut stream) else { return };
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let question: Value = serde_json::from_str(body).unwrap();
    let first_words = question["messages"][1]["content"].as_str().unwrap_or_default();
    let asked_again = question["messages"].as_array().is_some_and(|messages| messages.len() > 2);
    let does = {
        let mut seen = seen.lock().unwrap();
        let tries = seen.tries.entry(format!("{head}{body}")).or_default();
        *tries += 1;
        let first = *tries == 1;
        if question["model"] == "locked" {
            "401"
        } else if question["model"] == "small" && first_words.contains("turn 3 of") {
            seen.overflows += 1;
            "400"
        } else if first && !asked_again {
            let fault = FAULTS[seen.spoiled.values().sum::<usize>() % FAULTS.len()];
            *seen.spoiled.entry(fault).or_default() += 1;
            fault
        } else {
            "well"
        }
    };
    let completion = |message: Value, finish: &str| {
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 1 });
        json!({ "choices": [{ "message": message, "finish_reason": finish }], "usage": usage }).to_string()
    };
    let says = |content: &str| completion(json!({ "content": content }), "stop");
    let well = says("{\"action\": 1}");
    let (status, body) = match does {
        "400" => ("400 Bad Request", r#"{"error":{"message":"the context length is exceeded"}}"#.to_owned()),
        "401" => ("401 Unauthorized", r#"{"error":{"message":"no such key"}}"#.to_owned()),
        "429" => ("429 Too Many Requests", "slow down".to_owned()),
        "429 later" => ("429 Too Many Requests\r\nretry-after: 0.2", "slow down".to_owned()),
        "500" => ("500 Internal Server Error", "oops".to_owned()),
        "502" => ("502 Bad Gateway", "<html>".to_owned()),
        "503 loading" => ("503 Service Unavailable", r#"{"error":{"message":"Loading model"}}"#.to_owned()),
        "529" => ("529 Overloaded", String::new()),
        "reset" => return,
        "silence" => return std::thread::sleep(Duration::from_secs(20)),
        "cut" => {
            let _ = stream.write_all(format!("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{well}").as_bytes());
            return;
        }
        "empty" => ("200 OK", String::new()),
        "html" => ("200 OK", "<html>hello</html>".to_owned()),
        "half" => ("200 OK", well[..20].to_owned()),
        "null" => ("200 OK", completion(json!({ "content": null }), "stop")),
        "thought" => ("200 OK", completion(json!({ "content": "", "reasoning_content": "hm" }), "stop")),
        "length" => ("200 OK", completion(json!({ "content": "{\"action\": 1}" }), "length")),
        "filter" => ("200 OK", completion(json!({ "content": "" }), "content_filter")),
        "broken tool" => {
            let call = json!({ "function": { "name": "choose_action", "arguments": "{\"action\": " } });
            ("200 OK", completion(json!({ "tool_calls": [call] }), "tool_calls"))
        }
        "noise" => ("200 OK", says("\u{0} {\"action\": 9} {\"action\": 1}")),
        "no usage" => ("200 OK", json!({ "choices": [{ "message": { "content": "1" } }] }).to_string()),
        "zero" => ("200 OK", says("{\"action\": 0}")),
        "two" => ("200 OK", says("{\"action\": \"two\"}")),
        "think" => ("200 OK", says("<think> 1")),
        _ => ("200 OK", well),
    };
    let complete = status.starts_with("200") && serde_json::from_str::<Value>(&body).is_ok();
    seen.lock().unwrap().completed += usize::from(complete);
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

fn read(stream: &mut TcpStream) -> Option<String> {
    let (mut request, mut buffer) = (Vec::new(), [0; 65_536]);
    loop {
        let text = String::from_utf8_lossy(&request);
        if text.split_once("\r\n\r\n").is_some_and(|(_, body)| serde_json::from_str::<Value>(body).is_ok()) {
            return Some(text.into_owned());
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => request.extend_from_slice(&buffer[..count]),
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
    let (folder, (base_url, seen)) = (scratch(), serve());
    let out = folder.path().join("run");
    // Each agent is told apart by a header: its calls are no one else's second tries.
    let agent = |model: &str, number: usize| {
        let name = format!("{model}{number}");
        format!(
            "[[agent]]\nname = {name:?}\nkind = \"model\"\nmodel = {model:?}\nbase_url = {base_url:?}\ntimeout = 1.0\n\
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
