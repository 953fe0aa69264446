//! Work on several machines, against a real nats-server on loopback. Whatever needs one is ignored unless asked for:
//! `cargo test --release --test cluster -- --ignored`, with `nats-server` on the path or named by `MOTA_NATS_SERVER`.

mod apart;
mod certificates;
mod chaos;
// What the tests of the program on one machine have; not all of it is needed here.
#[allow(dead_code)]
#[path = "../program/server.rs"]
mod chat;
mod credentials;
mod deadly;
mod fair;
mod faults;
mod fenced;
mod greeting;
#[allow(dead_code)]
#[path = "../program/harness.rs"]
mod harness;
mod keys;
mod lab;
mod limits;
mod parting;
mod pieces;
mod proxy;
mod same;
mod server;
mod servers;
mod three;
mod together;
