//! Work on several machines, against a real nats-server on loopback. Whatever needs one is ignored unless asked for:
//! `cargo test --release --test cluster -- --ignored`, with `nats-server` on the path or named by `MOTA_NATS_SERVER`.

mod certificates;
mod credentials;
mod greeting;
mod limits;
mod server;
mod servers;
