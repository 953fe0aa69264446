//! Everything that real servers do to a call, over real sockets, and what becomes of it. The table in
//! `docs/endpoints.md` says the same, row by row.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mota::agent::{Agent, AgentError, ChosenBy, ModelAgent, Verdict};
use mota::model::key::Key;
use mota::model::{Client, Endpoint, Patience};
use mota::prompt::{AnswerForm, Prompt};
use serde_json::json;

use crate::game::{last_action, start};
use crate::log::Calls;
use crate::server::Witness;

/// What a server does with one request.
enum Does {
    /// Sends these bytes and closes.
    Sends(Vec<u8>),
    /// Sends these bytes, a few at a time for ever longer than anybody waits.
    Trickles(Vec<u8>),
    /// Keeps the connection and says nothing.
    Nothing,
    /// Closes at once.
    Closes,
    /// Is not there yet.
    Refuses,
}

fn response(status: &str, headers: &str, body: &[u8]) -> Does {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    Does::Sends([head.as_bytes(), body].concat())
}

fn ok(body: &[u8]) -> Does {
    response("200 OK", "content-type: application/json\r\n", body)
}

fn choice(message: serde_json::Value, finish_reason: &str) -> Does {
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason });
    ok(json!({ "choices": [choice] }).to_string().as_bytes())
}

fn says(content: &str) -> Does {
    choice(json!({ "role": "assistant", "content": content }), "stop")
}

const ANSWER: &str = r#"{"reasoning": "it is weak", "action": 1}"#;

/// Serves one request a line of the script, each on a connection of its own, then no more.
fn serve(listener: TcpListener, script: Vec<Does>) {
    thread::spawn(move || {
        let mut kept = Vec::new();
        for does in script {
            let Ok((mut stream, _)) = listener.accept() else { return };
            if matches!(does, Does::Closes) {
                continue;
            }
            read_request(&mut stream);
            match does {
                Does::Sends(bytes) => {
                    // The client may have had enough before the end.
                    let _ = stream.write_all(&bytes);
                }
                Does::Trickles(bytes) => {
                    thread::spawn(move || {
                        for byte in bytes {
                            if stream.write_all(&[byte]).is_err() {
                                return;
                            }
                            thread::sleep(Duration::from_millis(20));
                        }
                    });
                }
                Does::Nothing | Does::Closes | Does::Refuses => kept.push(stream),
            }
        }
    });
}

fn read_request(stream: &mut TcpStream) {
    let (mut request, mut buffer) = (Vec::new(), [0; 8192]);
    // The body is one JSON object, and the client waits for the answer after it.
    while !(request.ends_with(b"}") && serde_json::from_slice::<serde_json::Value>(body_of(&request)).is_ok()) {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => request.extend_from_slice(&buffer[..count]),
        }
    }
}

fn body_of(request: &[u8]) -> &[u8] {
    let end = request.windows(4).position(|window| window == b"\r\n\r\n").map_or(request.len(), |at| at + 4);
    &request[end..]
}

/// What becomes of one decision, in words.
async fn becomes(name: &str, script: Vec<Does>, form: AnswerForm) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let base_url = format!("http://{address}/v1");
    match script.first() {
        Some(Does::Refuses) => {
            drop(listener);
            let rest = script.into_iter().skip(1).collect();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(60));
                serve(TcpListener::bind(address).expect("the port is still free"), rest);
            });
        }
        _ => serve(listener, script),
    }
    let endpoint = Endpoint {
        base_url,
        model: "m".into(),
        answer: form,
        timeout: 0.4,
        retry: Patience { first: 0.001, longest: 0.002, total: 20.0, loading: 20.0 },
        ..Endpoint::default()
    };
    let witness = Arc::new(Witness::default());
    let client = Client::with_key("m", endpoint, Key::new("sk-0123456789"), witness.clone()).expect("an endpoint");
    let prompt = Arc::new(Prompt::builtin("single_floor").expect("it is built in"));
    let mut agent = ModelAgent::new(Arc::new(client), prompt, last_action);
    let (start, mut calls) = (start(), Calls::default());
    let chosen = agent.choose(&start.view(&[]), &mut calls).await;

    let mut steps: Vec<String> = Vec::new();
    let waits = witness.events().iter().filter(|event| event.contains(" waiting")).count();
    let asked = witness
        .events()
        .iter()
        .find_map(|event| Some(event.split_once(" waiting ")?.1.split_once(" s:")?.0.to_owned()));
    match (waits, asked) {
        (0, _) => {}
        (1, None) => steps.push("asked again after a wait".into()),
        (times, _) if name == "connection refused" => {
            steps.push(format!("asked again {}", if times > 0 { "until it is there" } else { "" }))
        }
        (1, Some(seconds)) => steps.push(format!("asked again after {seconds} s")),
        (times, _) => steps.push(format!("asked again after {times} waits")),
    }
    steps.extend(calls.verdicts().iter().map(Verdict::to_string));
    steps.push(match chosen {
        Ok(choice) if choice.by == ChosenBy::Agent => format!("action {}", choice.number),
        Ok(_) => "the stand-in chooses".into(),
        Err(AgentError::Episode(_)) => "the episode ends".into(),
        Err(AgentError::Agent(_)) => "the agent stops, its episodes stay open".into(),
        Err(error) => format!("{error}"),
    });
    steps.join(", ")
}

/// A case: what it is called, and what the server does before it answers well.
type Case = (&'static str, AnswerForm, Vec<Does>);

fn cases() -> Vec<Case> {
    let json_form = AnswerForm::JsonSchema;
    let status = |status: &str, headers: &str, body: &str| vec![response(status, headers, body.as_bytes())];
    let good = json!({ "choices": [{ "message": { "content": ANSWER }, "finish_reason": "stop" }] }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", good.len());
    let cut = [head.as_bytes(), &good.as_bytes()[..20]].concat();
    let slow = [head.as_bytes(), good.as_bytes()].concat();
    let usage = |usage: serde_json::Value| {
        ok(json!({ "choices": [{ "message": { "content": ANSWER } }], "usage": usage }).to_string().as_bytes())
    };
    let tool = |arguments: &str| {
        choice(
            json!({ "tool_calls": [{ "function": { "name": "choose_action", "arguments": arguments } }] }),
            "tool_calls",
        )
    };
    let long = format!("{}\n{ANSWER}", "x".repeat(10 << 20));
    vec![
        ("429", json_form, status("429 Too Many Requests", "", "slow down")),
        ("429 with Retry-After in seconds", json_form, status("429 Too Many Requests", "retry-after: 1\r\n", "")),
        (
            "429 with Retry-After as a date",
            json_form,
            status("429 Too Many Requests", "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", ""),
        ),
        (
            "429 that says insufficient_quota",
            json_form,
            status("429 Too Many Requests", "", r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#),
        ),
        ("500", json_form, status("500 Internal Server Error", "", "oops")),
        ("502", json_form, status("502 Bad Gateway", "", "<html>")),
        (
            "503, loading its model",
            json_form,
            status("503 Service Unavailable", "", r#"{"error":{"message":"Loading model"}}"#),
        ),
        ("529", json_form, status("529 Overloaded", "", "")),
        ("400", json_form, status("400 Bad Request", "", "no")),
        (
            "400, the context is too long",
            json_form,
            status("400 Bad Request", "", r#"{"error":{"message":"context length exceeded"}}"#),
        ),
        ("401", json_form, status("401 Unauthorized", "", "no")),
        ("403", json_form, status("403 Forbidden", "", "no")),
        ("404", json_form, status("404 Not Found", "", "no such model")),
        ("connection refused", json_form, vec![Does::Refuses]),
        ("connection closed at once", json_form, vec![Does::Closes]),
        ("connection closed in the middle of the body", json_form, vec![Does::Sends(cut)]),
        ("no answer at all", json_form, vec![Does::Nothing]),
        ("a body that trickles beyond the timeout", json_form, vec![Does::Trickles(slow)]),
        ("empty body", json_form, vec![ok(b"")]),
        (
            "HTML instead of JSON",
            json_form,
            vec![response("200 OK", "content-type: text/html\r\n", b"<html>hello</html>")],
        ),
        ("JSON cut in half", json_form, vec![ok(&good.as_bytes()[..30])]),
        ("another content type", json_form, vec![response("200 OK", "content-type: text/plain\r\n", good.as_bytes())]),
        ("an error in a body of status 200", json_form, vec![ok(br#"{"error":{"code":429,"message":"slow down"}}"#)]),
        ("content is null", json_form, vec![choice(json!({ "content": null }), "stop")]),
        (
            "empty content, with reasoning",
            json_form,
            vec![choice(json!({ "content": "", "reasoning_content": "hm" }), "stop")],
        ),
        ("finish_reason is length", json_form, vec![choice(json!({ "content": ANSWER }), "length")]),
        ("finish_reason is content_filter", json_form, vec![choice(json!({ "content": "" }), "content_filter")]),
        (
            "two choices",
            json_form,
            vec![ok(json!({ "choices": [{ "message": { "content": ANSWER } }, { "message": { "content": "2" } }] })
                .to_string()
                .as_bytes())],
        ),
        ("a tool call", AnswerForm::Tool, vec![tool(r#"{"action": 2}"#)]),
        ("a tool call with broken arguments", AnswerForm::Tool, vec![tool(r#"{"action": "#)]),
        (
            "lone surrogates and NUL in the content",
            json_form,
            vec![ok(br#"{"choices":[{"message":{"content":"\ud800 \u0000 {\"action\": 2}"}}]}"#)],
        ),
        ("10 MB of content", json_form, vec![says(&long)]),
        ("no usage", json_form, vec![says(ANSWER)]),
        ("negative usage", json_form, vec![usage(json!({ "prompt_tokens": -5, "completion_tokens": -1 }))]),
        ("action 0", json_form, vec![says(r#"{"action": 0}"#)]),
        ("action 99", json_form, vec![says(r#"{"action": 99}"#)]),
        ("action \"two\"", json_form, vec![says(r#"{"action": "two"}"#)]),
        ("an action by its coordinates", json_form, vec![says(r#"{"target": {"x": 1, "y": 0}}"#)]),
        ("JSON inside prose", json_form, vec![says("I think {\"action\": 2} is best.")]),
        (
            "three JSON objects, the last counts",
            json_form,
            vec![says("{\"action\": 1} {\"action\": 9} {\"action\": 2}")],
        ),
        ("<think> that never closes", AnswerForm::Text, vec![says("<think> Action: 2")]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_has_its_verdict_and_its_wait() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/endpoints.md");
    let documented = std::fs::read_to_string(path).expect("docs/endpoints.md");
    let mut rows = String::new();
    for (name, form, mut script) in cases() {
        // A server that says what it should, if it is asked again.
        script.extend((0..3).map(|_| says(ANSWER)));
        rows += &format!("| {name} | {} |\n", becomes(name, script, form).await);
    }
    assert!(documented.contains(&rows), "docs/endpoints.md should hold the rows\n{rows}");
}
