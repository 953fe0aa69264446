//! A run over a server: packed, published and followed where it was asked for, played where workers are.

pub mod follower;
mod happening;
pub mod mirror;
pub mod parcel;
mod publish;
pub mod store;
pub mod venue;
