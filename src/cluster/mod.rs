//! Work spread over many machines by a NATS server with JetStream: published, done by whoever is there, followed. Nothing of
//! a queue is made here: work-queue streams, key-value and object stores are the server's. Without it nothing here runs.

pub mod batch;
pub mod bench;
mod contest;
pub mod error;
pub mod following;
pub mod journal;
pub mod lease;
pub mod limits;
pub mod lines;
pub mod link;
pub mod names;
mod open;
pub mod pieces;
pub mod registry;
pub mod run;
pub mod shop;
pub mod status;
mod watch;
pub mod worker;

pub use batch::{Batch, Offer, Queue};
pub use error::ClusterError;
pub use lease::Lease;
pub use link::{Access, Link};
pub use names::{Kind, Names};
pub use registry::{Listed, Registry};
