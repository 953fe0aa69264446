//! Servers that only greet: one that says it is of an old version, one that is no nats-server. They answer pings, so that a
//! client takes them for what they say they are.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use serde_json::json;

/// A server that greets; it ends with the test.
pub struct Greeter {
    pub url: String,
    pub port: u16,
}

impl Greeter {
    /// One that says it is a nats-server of this version, with JetStream.
    pub fn nats(version: &str) -> Greeter {
        let info = json!({
            "server_id": "NCXZ7H3KKXGMUZ2QRBT46IO3D2OX55OFJL5WWEUVYSVFOJDKMFQUDHZR", "server_name": "greeter",
            "version": version, "proto": 1, "go": "go1.19.8", "host": "127.0.0.1", "port": 4222, "headers": true,
            "max_payload": 1_048_576, "jetstream": true, "client_id": 1, "client_ip": "127.0.0.1",
        });
        Greeter::start(format!("INFO {info} \r\n"))
    }

    /// One that begins with these words.
    pub fn start(words: String) -> Greeter {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let words = words.clone();
                thread::spawn(move || greet(stream, &words));
            }
        });
        Greeter { url: format!("nats://127.0.0.1:{port}"), port }
    }
}

/// Greets, then answers each ping until the client goes.
fn greet(mut stream: TcpStream, words: &str) {
    let Ok(reader) = stream.try_clone() else { return };
    if stream.write_all(words.as_bytes()).is_err() {
        return;
    }
    for line in BufReader::new(reader).lines().map_while(Result::ok) {
        if line.starts_with("PING") && stream.write_all(b"PONG\r\n").is_err() {
            return;
        }
    }
}
