//! `mota doctor`: one call to each model, against servers that are well and servers that are not.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};

use crate::answers::keeps_to_its_schema;
use crate::harness::{mota, refusal, root, scratch};

/// A server that answers every request with this status line and body. Gives its address.
fn server(status: &'static str, body: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let (mut request, mut buffer) = (Vec::new(), [0; 65_536]);
            while !request.ends_with(b"}") {
                match stream.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(count) => request.extend_from_slice(&buffer[..count]),
                }
            }
            let body = body.to_string();
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        }
    });
    format!("http://{address}/v1")
}

fn completion(message: Value, usage: Value) -> Value {
    json!({ "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage })
}

/// A configuration with a reference agent and these model agents, each with its own lines.
fn config(folder: &Path, agents: &[(&str, String, &str)]) -> String {
    let mut text = format!("floors = [{:?}]\nrepeats = 2\n[limits]\nturns = 10\n", root().join("floors/simple.toml"));
    text += "[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n";
    for (name, base_url, more) in agents {
        text += &format!(
            "[[agent]]\nname = {name:?}\nkind = \"model\"\nmodel = \"m\"\nbase_url = {base_url:?}\nretry = {{ first = 0.01 }}\n{more}\n"
        );
    }
    let path = folder.join("doctor.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn doctor(arguments: &[&str]) -> (Option<i32>, String) {
    let output = mota().arg("doctor").args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn each_model_is_called_once_and_told_of() {
    let folder = scratch();
    let usage = json!({ "prompt_tokens": 900, "completion_tokens": 100, "cost": 0.002 });
    let good = json!({ "content": "{\"reasoning\": \"x\", \"action\": 1}", "reasoning": "hm" });
    let path = config(
        folder.path(),
        &[
            ("well", server("200 OK", completion(good, usage.clone())), ""),
            ("prose", server("200 OK", completion(json!({ "content": "<think>x</think>\nAction: 2" }), json!({}))), ""),
            (
                "illegal",
                server("200 OK", completion(json!({ "content": "{\"action\": 99}" }), usage)),
                "price = { input = 1.0, output = 2.0 }",
            ),
            ("refused", server("401 Unauthorized", json!({ "error": { "message": "wrong key" } })), ""),
            ("busy", server("503 Service Unavailable", json!({ "error": { "message": "Loading model" } })), ""),
        ],
    );
    let (code, told) = doctor(&[&path, "--wait", "0.3s"]);
    assert_eq!(code, Some(1), "{told}");
    // Times differ from call to call.
    let told: String = told.lines().map(|line| line.split(", 0.").next().unwrap().to_owned() + "\n").collect();
    for part in [
        "well: well\n  answer      names a legal action (prompt `single_floor`",
        "  form        as asked for\n  reasoning   in a field of its own\n  tokens      900 sent, 100 answered\n  cost        0.002000 USD\n  batch       20 calls like this one, 20000 tokens",
        "prose: well\n",
        "  form        not the one asked for\n  reasoning   in the text, between marks such as <think> and </think>\n  tokens      not counted by the server\n  cost        not known",
        "illegal: well\n  answer      illegal: There is no action 99",
        "refused: not well\n  no answer   401 wrong key\n",
        "busy: not well\n  no answer   503 Loading model; given up after",
    ] {
        assert!(told.contains(part), "{part}\n--- in\n{told}");
    }
    let output = mota().args(["doctor", &path, "--json", "--agent", "well"]).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    keeps_to_its_schema("doctor", &answer);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((&answer[0]["batch_calls"], &answer[0]["batch_cost_usd"]), (&json!(20), &json!(0.04)));
    let told = refusal(&["doctor", &path, "--agent", "greedy"], 2);
    assert!(told.contains("no model agent named `greedy`"), "{told}");
    // Nothing was written.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
