//! Generating and analysing over a server, in pieces that any machine can do.

pub mod harvest;
pub mod job;
mod offered;
mod packet;
pub mod piecework;
pub mod spread;
pub mod task;
