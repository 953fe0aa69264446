//! Play as an environment for those who train agents: a request in, an observation, values and rewards out. Knows the
//! rules, what is observed and exact values; knows nothing of files, streams, agents or episodes of a batch.

pub mod answer;
pub mod request;
pub mod session;

pub use answer::Answer;
pub use request::Request;
pub use session::{Session, Settings};
