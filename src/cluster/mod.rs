//! Work spread over many machines by a NATS server with JetStream: published, done by whoever is there, followed. Nothing of
//! a queue is made here: work-queue streams, key-value and object stores are the server's. Without it nothing here runs.

pub mod batch;
pub mod bench;
mod clock;
pub mod error;
pub mod follower;
pub mod harvest;
pub mod job;
pub mod journal;
pub mod lease;
pub mod ledger;
pub mod limits;
pub mod link;
pub mod mirror;
pub mod names;
pub mod packet;
mod page;
pub mod parcel;
pub mod piecework;
pub mod registry;
pub mod shop;
pub mod spread;
pub mod status;
pub mod store;
pub mod task;
pub mod venue;
pub mod worker;

pub use batch::{Batch, Offer, Queue};
pub use error::ClusterError;
pub use lease::Lease;
pub use link::{Access, Link};
pub use names::{Kind, Names};
pub use registry::{Listed, Registry};
