//! A chat server on a loopback socket that plays a script, one line a request; the last line is repeated.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use mota::model::{CallEvent, CallWatch};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A line of the script.
#[derive(Clone)]
pub enum Line {
    /// Status 200 and a body as it is.
    Body(String),
    /// A status, a `Retry-After` header, a body. `{key}` in the body is what the request's `Authorization` held.
    Status(u16, Option<&'static str>, &'static str),
    /// No answer, ever.
    Silence,
}

/// A completion with this message and reason to stop.
pub fn completion(message: Value, finish_reason: &str) -> Line {
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 100 });
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason });
    Line::Body(json!({ "choices": [choice], "usage": usage }).to_string())
}

/// A completion that says this.
pub fn says(content: &str) -> Line {
    completion(json!({ "role": "assistant", "content": content }), "stop")
}

/// A running server.
pub struct Server {
    pub base_url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

#[derive(Clone)]
struct Script {
    lines: Arc<Vec<Line>>,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    pub async fn start(lines: Vec<Line>) -> Server {
        Server::start_on(TcpListener::bind("127.0.0.1:0").await.expect("a free port"), lines)
    }

    pub fn start_on(listener: TcpListener, lines: Vec<Line>) -> Server {
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script = Script { lines: Arc::new(lines), requests: requests.clone() };
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(script);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Server { base_url, requests }
    }

    /// The bodies of the requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().expect("no test panics while it holds this").clone()
    }
}

async fn answer(State(script): State<Script>, headers: HeaderMap, body: String) -> Response {
    let number = {
        let mut requests = script.requests.lock().expect("no handler panics while it holds this");
        requests.push(serde_json::from_str(&body).expect("a request is JSON"));
        requests.len() - 1
    };
    let key = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match script.lines[number.min(script.lines.len() - 1)].clone() {
        Line::Body(body) => body.replace("{key}", key).into_response(),
        Line::Status(status, retry_after, body) => {
            let status = StatusCode::from_u16(status).expect("a status");
            let headers: Vec<_> = retry_after.map(|value| ("retry-after", value)).into_iter().collect();
            let mut response = (status, body.replace("{key}", key)).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().expect("a header"));
            }
            response
        }
        Line::Silence => std::future::pending().await,
    }
}

/// What a watch was told, in words.
#[derive(Default)]
pub struct Witness(pub Mutex<Vec<String>>);

impl Witness {
    pub fn events(&self) -> Vec<String> {
        self.0.lock().expect("no watch panics while it holds this").clone()
    }
}

impl CallWatch for Witness {
    fn note(&self, agent: &str, call: u64, event: CallEvent<'_>) {
        let what = match event {
            CallEvent::Sent => "sent".to_owned(),
            // A wait below a tenth of a second is a back-off of random length.
            CallEvent::Waiting { why, seconds } if seconds < 0.1 => format!("waiting: {why}"),
            CallEvent::Waiting { why, seconds } => format!("waiting {seconds} s: {why}"),
            CallEvent::Answered { usage } => format!("answered: {} tokens", usage.completion_tokens),
            CallEvent::Failed { why } => format!("failed: {why}"),
            CallEvent::Dropped => "dropped".to_owned(),
        };
        self.0.lock().expect("no watch panics while it holds this").push(format!("{agent}/{call} {what}"));
    }
}
