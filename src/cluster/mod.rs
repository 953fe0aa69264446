//! Work on several machines over NATS JetStream. Nothing outside knows of NATS.

mod clock;
pub mod ledger;
pub mod limits;
mod page;
