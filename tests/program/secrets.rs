//! The API key stands nowhere in what the program writes or says, however a server echoes it.

use std::fs;
use std::path::Path;

use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::harness::{mota, root, scratch};
use crate::server::{Reply, Request, Server, plays, says};

/// The variable that holds the key.
const VARIABLE: &str = "MOTA_TEST_SECRET";

/// A key like those of most providers, and one with everything in it that anybody escapes.
const KEYS: [&str; 2] = ["sk-Zq81vXw07LpRtY55mN", "zq/8+\"vX&w<0>L=pR%tY~5^m"];

/// How a key may be written.
type Written = fn(&str) -> String;

fn raw(key: &str) -> String {
    key.to_owned()
}

fn every(key: &str, byte: impl Fn(u8) -> String) -> String {
    key.bytes().map(byte).collect()
}

/// The unit tests of the program know more ways, and mixtures.
const WRITTEN: [(&str, Written); 6] = [
    ("raw", raw),
    ("json", |key| every(key, |byte| format!("\\u{byte:04x}"))),
    ("json-slashes", |key| key.replace('/', "\\/")),
    ("percent", |key| every(key, |byte| format!("%{byte:02X}"))),
    ("html", |key| every(key, |byte| format!("&#{byte};"))),
    ("html-named", |key| key.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")),
];

/// Where a server echoes what is written so.
type Echoes = fn(&str) -> Reply;

fn error(status: &str, headers: &str, message: &str) -> Reply {
    let body = json!({ "error": { "message": message, "type": message } });
    Reply::new(status, headers, &body.to_string())
}

fn message(message: Value, finish_reason: &str) -> Reply {
    Reply::json(&json!({ "choices": [{ "message": message, "finish_reason": finish_reason }] }))
}

/// A body of JSON into which the key is put as it is written, so that the server's JSON is what unescapes it.
fn unescaped(status: &str, body: &str, key: &str) -> Reply {
    // A quote that is not escaped would end the string.
    let key = if key.starts_with("\\u") { key.to_owned() } else { json!(key).to_string().trim_matches('"').to_owned() };
    Reply::new(status, "content-type: application/json\r\n", &body.replace("KEY", &key))
}

const ECHOES: &[(&str, Echoes)] = &[
    ("401", |key| error("401 Unauthorized", "", &format!("no such key: {key}"))),
    ("400", |key| error("400 Bad Request", "", key)),
    ("500", |key| error("500 Internal Server Error", "", key)),
    ("429", |key| error("429 Too Many Requests", "retry-after: 0.05\r\n", key)),
    ("401-unescaped", |key| unescaped("401 Unauthorized", r#"{"error":{"message":"is KEY"}}"#, key)),
    ("401-cut", |key| error("401 Unauthorized", "", &format!("{}{key}", "x".repeat(288)))),
    ("401-cut-unescaped", |key| {
        unescaped("401 Unauthorized", &format!(r#"{{"error":{{"message":"{}KEY"}}}}"#, "x".repeat(288)), key)
    }),
    ("200-error", |key| unescaped("200 OK", r#"{"error":{"message":"KEY","code":"KEY"}}"#, key)),
    ("200-cut-error", |key| {
        unescaped("200 OK", &format!(r#"{{"error":{{"message":"{}KEY"}}}}"#, "x".repeat(288)), key)
    }),
    ("200-nothing", |key| unescaped("200 OK", r#"{"KEY":"KEY"}"#, key)),
    ("page", |key| Reply::new("502 Bad Gateway", "content-type: text/html\r\n", &format!("<html><p>{key}</p>"))),
    ("200-page", |key| Reply::new("200 OK", "content-type: text/html\r\n", &format!("<html><p>{key}</p>"))),
    ("content", |key| message(json!({ "content": format!("{key} {{\"action\": 1}}") }), "stop")),
    ("content-unescaped", |key| unescaped("200 OK", r#"{"choices":[{"message":{"content":"KEY"}}]}"#, key)),
    ("content-parts", |key| message(json!({ "content": [{ "type": "text", "text": key }] }), "stop")),
    ("action", |key| message(json!({ "content": json!({ "action": key }).to_string() }), "stop")),
    ("action-unescaped", |key| {
        let escaped =
            if key.starts_with('\\') { key.to_owned() } else { json!(key).to_string().trim_matches('"').to_owned() };
        message(json!({ "content": format!("{{\"action\": \"{escaped}\"}}") }), "stop")
    }),
    ("action-key", |key| message(json!({ "content": json!({ key: 1, "action": 1 }).to_string() }), "stop")),
    ("reasoning", |key| message(json!({ "content": "{\"action\": 1}", "reasoning": key }), "stop")),
    ("reasoning-content", |key| message(json!({ "content": "{\"action\": 1}", "reasoning_content": key }), "stop")),
    ("reasoning-in-json", |key| {
        message(json!({ "content": json!({ "reasoning": key, "action": 1 }).to_string() }), "stop")
    }),
    ("refusal", |key| message(json!({ "content": null, "refusal": key }), "stop")),
    ("finish-reason", |key| message(json!({ "content": "{\"action\": 1}" }), key)),
    ("tool", |key| {
        let arguments = json!({ "reasoning": key, "action": key }).to_string();
        let call = json!({ "function": { "name": key, "arguments": arguments } });
        message(json!({ "tool_calls": [call] }), "tool_calls")
    }),
    ("tool-object", |key| {
        let call = json!({ "function": { "name": key, "arguments": { key: key, "action": 1 } } });
        message(json!({ "tool_calls": [call] }), "tool_calls")
    }),
    ("usage", |key| {
        let usage = json!({ "prompt_tokens": key, "cost": key, key: 3 });
        let choice = json!({ "message": { "content": "{\"action\": 1}" } });
        Reply::json(&json!({ "choices": [choice], "usage": usage, "id": key, "model": key }))
    }),
    ("headers", |key| {
        let headers = format!("x-key: {key}\r\nset-cookie: key={key}\r\nwww-authenticate: Bearer {key}\r\n");
        error("401 Unauthorized", &headers, key)
    }),
    ("retry-after", |key| error("429 Too Many Requests", &format!("retry-after: {key}\r\n"), key)),
    ("reason-phrase", |key| error(&format!("500 {key}"), "", key)),
    ("redirect", |key| Reply::new("302 Found", &format!("location: /v1/{key}\r\n"), key)),
    ("redirect-again", |key| Reply::new("307 Temporary Redirect", &format!("location: ?key={key}\r\n"), key)),
    ("redirect-scheme", |key| Reply::new("302 Found", &format!("location: key:{key}\r\n"), key)),
    ("redirect-host", |key| Reply::new("302 Found", &format!("location: http://{key}.invalid/{key}\r\n"), key)),
    ("redirect-port", |key| Reply::new("302 Found", &format!("location: http://127.0.0.1:1/{key}\r\n"), key)),
    ("no-http", |key| Reply { parts: vec![format!("{key}\r\n\r\n").into_bytes()], ..Reply::new("", "", "") }),
    ("chunks", |key| {
        let whole = json!({ "choices": [{ "message": { "content": format!("{key}{{\"action\": 1}}") } }] }).to_string();
        let middle = whole.find(&key[key.len() / 2..]).unwrap_or(whole.len() / 2);
        let (left, right) = whole.split_at(middle);
        let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len()).into_bytes();
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
        Reply { parts: vec![head, chunk(left), chunk(right), chunk("")], ..Reply::new("", "", "") }
    }),
];

/// A server that echoes the key it was sent in the way that the model is named after.
fn echo() -> Server {
    Server::start(|request: &Request| {
        if request.path() != "/v1/chat/completions" && !request.path().starts_with("/v1/chat/completions?") {
            return error("404 Not Found", "", request.path());
        }
        let model = request.model();
        let (place, form) = model.split_once('.').unwrap_or_default();
        let echoes = ECHOES.iter().find(|(name, _)| *name == place);
        let written = WRITTEN.iter().find(|(name, _)| *name == form);
        match (echoes, written) {
            (Some((_, echoes)), Some((_, written))) => echoes(&written(request.key())),
            _ => Reply::json(&says(&plays(request))),
        }
    })
}

/// A configuration with an agent for each place and each of these ways.
fn config(folder: &Path, server: &Server, written: &[(&str, Written)]) -> String {
    let mut text = format!(
        "name = \"echo\"\nfloors = [{:?}]\ncache = \"cache\"\n[limits]\nturns = 2\n[concurrency]\nepisodes = 64\n",
        root().join("floors/simple.toml")
    );
    for (place, _) in ECHOES {
        let form = if place.starts_with("tool") { "tool" } else { "json_schema" };
        // In an address, escapes of other kinds mean nothing, and it is cut and changed before it comes back.
        let is_address = place.starts_with("redirect");
        let fits = |written: &str| !is_address || ["raw", "percent"].contains(&written);
        for (written, _) in written.iter().filter(|(written, _)| fits(written)) {
            text += &format!(
                "[[agent]]\nname = \"{place}.{written}\"\nkind = \"model\"\nmodel = \"{place}.{written}\"\n\
                 base_url = {:?}\napi_key_env = \"{VARIABLE}\"\nanswer = \"{form}\"\nreasks = 1\n\
                 retry = {{ first = 0.01, longest = 0.02, total = 0.1, loading = 0.1 }}\n",
                server.base_url
            );
        }
    }
    let path = folder.join(format!("echo-{}.toml", written.len()));
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A text with everything undone that anybody does to a character in order to write it.
fn undone(text: &str) -> String {
    let code = r"(?i)\\*u00([0-7][0-9a-f])|\\+x([0-7][0-9a-f])|%(?:25)*([0-7][0-9a-f])|&(?:amp;)*#x([0-7][0-9a-f]);";
    let code = Regex::new(code).unwrap();
    let text = code.replace_all(text, |found: &Captures<'_>| {
        let digits = found.iter().skip(1).flatten().next().unwrap().as_str();
        char::from(u8::from_str_radix(digits, 16).unwrap()).to_string()
    });
    let number = Regex::new("&(?:amp;)*#([0-9]+);").unwrap();
    let text =
        number.replace_all(&text, |found: &Captures<'_>| char::from(found[1].parse::<u8>().unwrap()).to_string());
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"), ("\\", "")];
    names.iter().fold(text.into_owned(), |text, (name, character)| text.replace(name, character))
}

/// What of the key is found in a text: any eight characters of it in a row.
fn found(text: &str, key: &str) -> Option<String> {
    let (text, key) = (undone(text), key.replace('\\', ""));
    let part = (0..=key.len() - 8).map(|start| &key[start..start + 8]).find(|part| text.contains(part))?;
    let around: String = text.split(part).next()?.chars().rev().take(100).collect();
    Some(format!("`{part}` after {}", around.chars().rev().collect::<String>()))
}

/// All that is written or said: files by their paths, and what each command printed.
fn everything(folder: &Path, key: &str) -> Vec<(String, String)> {
    let server = echo();
    let (all, some) = (config(folder, &server, &WRITTEN), config(folder, &server, &WRITTEN[..2]));
    let out = folder.join("run");
    let out = out.to_str().unwrap();
    let mut texts = Vec::new();
    for arguments in [
        vec!["-vvv", "run", &all, "--out", out],
        vec!["-vvv", "run", &all, "--out", out, "--json"],
        // It calls one model after the other, which takes time.
        vec!["-vvv", "doctor", &some, "--wait", "0.02s"],
        vec!["-vvv", "doctor", &some, "--wait", "0.02s", "--json"],
    ] {
        let output = mota().args(&arguments).env(VARIABLE, key).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        texts.push((format!("stdout of {arguments:?}"), String::from_utf8_lossy(&output.stdout).into_owned()));
        texts.push((format!("stderr of {arguments:?}"), stderr));
    }
    assert!(server.asked() > 2 * ECHOES.len() * WRITTEN.len());
    files(folder, &mut texts);
    texts
}

fn files(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, texts),
            false => {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                texts.push((path.display().to_string(), text));
            }
        }
    }
}

#[test]
fn the_key_is_found_nowhere() {
    for key in KEYS {
        let folder = scratch();
        let texts = everything(folder.path(), key);
        let leaks: Vec<String> =
            texts.iter().filter_map(|(name, text)| Some(format!("{name}: {}", found(text, key)?))).collect();
        assert!(leaks.is_empty(), "{} leaks of {key}:\n{}", leaks.len(), leaks[..leaks.len().min(20)].join("\n"));
        // The echoes did arrive, and are kept without the key.
        let struck = texts.iter().filter(|(_, text)| text.contains("[API key]")).count();
        assert!(struck > ECHOES.len() * WRITTEN.len() / 2, "only {struck} texts say that a key was struck out");
    }
}

/// What looks for the key finds it in all the ways in which it is echoed.
#[test]
fn a_key_would_be_found() {
    for key in KEYS {
        for (name, written) in WRITTEN {
            let text = json!({ "words": format!("so: {}", written(key)) }).to_string();
            assert!(found(&text, key).is_some(), "{name}: {text}");
        }
        assert!(found(&format!("so: {}…", &key[..10]), key).is_some());
    }
}
