//! A chat server on a loopback socket for the program to play against. What it answers is a function of the request; it
//! remembers what was asked, and knows at each moment how many requests it has not answered yet.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A request as it came.
pub struct Request {
    pub head: String,
    pub body: String,
}

/// What goes back: so long after the request, these bytes, each part on its own.
pub struct Reply {
    pub latency: Duration,
    pub parts: Vec<Vec<u8>>,
    /// Whether the connection is closed after that.
    pub closes: bool,
}

/// A running server; it ends with the test.
pub struct Server {
    pub base_url: String,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    bodies: Mutex<Vec<Value>>,
    in_flight: AtomicUsize,
}

impl Server {
    /// Starts one. `answer` is called on many threads at once.
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let (log, answer) = (Arc::new(Log::default()), Arc::new(answer));
        let shared = log.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, answer) = (shared.clone(), answer.clone());
                thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Server { base_url, log }
    }

    /// The bodies of the requests so far, in the order in which they came.
    pub fn bodies(&self) -> Vec<Value> {
        self.log.bodies.lock().expect("no thread panics while it holds this").clone()
    }

    /// How many there are.
    pub fn asked(&self) -> usize {
        self.log.bodies.lock().expect("no thread panics while it holds this").len()
    }

    /// Requests that came whole and are not answered yet.
    pub fn in_flight(&self) -> usize {
        self.log.in_flight.load(Ordering::SeqCst)
    }

    /// Waits until something holds, which it must within a minute.
    pub fn wait_until(&self, holds: impl Fn(&Server) -> bool) {
        let began = Instant::now();
        while !holds(self) {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "asked {}, in flight {}",
                self.asked(),
                self.in_flight()
            );
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Request {
    /// The model that is asked; nothing if the request has no such body.
    pub fn model(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["model"].as_str().unwrap_or_default().to_owned()
    }

    /// The API key that was sent.
    pub fn key(&self) -> &str {
        header(&self.head, "authorization").and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default()
    }

    /// The path that was asked for.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }
}

/// Answers the requests of a connection until it is closed.
fn serve(mut stream: TcpStream, log: &Log, answer: &dyn Fn(&Request) -> Reply) {
    let _ = stream.set_nodelay(true);
    while let Some(request) = read(&mut stream) {
        let body = serde_json::from_str(&request.body).unwrap_or_default();
        log.in_flight.fetch_add(1, Ordering::SeqCst);
        log.bodies.lock().expect("no thread panics while it holds this").push(body);
        let Reply { latency, parts, closes } = answer(&request);
        thread::sleep(latency);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                thread::sleep(Duration::from_millis(20));
            }
            // The program may have been killed; then nobody reads.
            let _ = stream.write_all(part);
        }
        log.in_flight.fetch_sub(1, Ordering::SeqCst);
        if closes {
            return;
        }
    }
}

/// The next request of a connection; none if it is closed before the request is whole.
fn read(stream: &mut TcpStream) -> Option<Request> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16_384]);
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = header(&head, "content-length").map_or(0, |length| length.parse().expect("a length"));
            if bytes.len() >= end + 4 + length {
                let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
                return Some(Request { head, body });
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

fn header<'a>(head: &'a str, wanted: &str) -> Option<&'a str> {
    let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    fields.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
}

impl Reply {
    /// A status line and headers of one's own, and a body.
    pub fn new(status: &str, headers: &str, body: &str) -> Reply {
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
        Reply { latency: Duration::ZERO, parts: vec![[head.as_bytes(), body.as_bytes()].concat()], closes: false }
    }

    /// Status 200 and JSON.
    pub fn json(body: &Value) -> Reply {
        Reply::new("200 OK", "content-type: application/json\r\n", &body.to_string())
    }

    /// These bytes, then the end of the connection.
    pub fn cut(bytes: &str) -> Reply {
        Reply { latency: Duration::ZERO, parts: vec![bytes.as_bytes().to_vec()], closes: true }
    }

    /// The same, so long after the request.
    pub fn after(self, latency: Duration) -> Reply {
        Reply { latency, ..self }
    }
}

/// A completion that says this.
pub fn says(content: &str) -> Value {
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 100 });
    json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }], "usage": usage })
}

/// An answer that follows from the request alone: one of the listed actions that are not lethal, and in one of nine cases
/// nothing that could be used.
pub fn plays(request: &Request) -> String {
    let body: Value = serde_json::from_str(&request.body).expect("a request is JSON");
    let told = body["messages"].to_string();
    let listed = told.rsplit("Legal actions").next().unwrap_or_default();
    let harmless: Vec<&str> = listed.split("\\n").filter(|line| line.contains("HP after it")).collect();
    let chance = hash(&request.body);
    if chance.is_multiple_of(9) {
        return "Let me think about that.".to_owned();
    }
    let line = harmless.get(chance as usize % harmless.len().max(1)).unwrap_or(&"1.");
    let number: u32 = line.split('.').next().and_then(|digits| digits.parse().ok()).unwrap_or(1);
    json!({ "reasoning": "x", "action": number }).to_string()
}

/// A number that follows from a text.
pub fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
