//! A wire between client and server that can be cut after the server has stored something and before it has said so. Knows
//! of the protocol only how it acknowledges.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Passes on connections to a server.
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    armed: AtomicBool,
    cuts: AtomicUsize,
}

impl Proxy {
    /// A wire to the server at an address of the form `nats://host:port`.
    pub fn to(url: &str) -> Proxy {
        let server = url.trim_start_matches("nats://").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State::default());
        let shared = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&server) else { continue };
                let (from, to) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
                thread::spawn(move || pass(from, to, &State::default()));
                let state = shared.clone();
                thread::spawn(move || pass(server, client, &state));
            }
        });
        Proxy { port, state }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Cuts the connection over which the next acknowledgement comes, which is lost.
    pub fn cut_at_next_acknowledgement(&self) {
        self.state.armed.store(true, Ordering::SeqCst);
    }

    /// How often it has been cut.
    pub fn cuts(&self) -> usize {
        self.state.cuts.load(Ordering::SeqCst)
    }
}

/// Passes on what is said one way, until either side ends.
fn pass(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut bytes = [0; 65_536];
    while let Ok(1..) = from.read(&mut bytes).map(|read| {
        let said = &bytes[..read];
        // What JetStream says of a message that it has stored: {"stream":…,"seq":…}.
        let acknowledges = said.windows(6).any(|part| part == b"\"seq\":");
        match acknowledges && state.armed.swap(false, Ordering::SeqCst) {
            true => {
                state.cuts.fetch_add(1, Ordering::SeqCst);
                0
            }
            false => to.write_all(said).map_or(0, |()| read),
        }
    }) {}
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
