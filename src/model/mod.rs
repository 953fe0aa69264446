//! Chat endpoints: how a model is called and what its server sends back. Knows nothing of games or episodes.

pub mod client;
pub mod endpoint;
pub mod error;
pub mod exchange;
pub mod gate;
pub mod key;
pub mod rate;
pub mod request;
pub mod response;
pub mod retry;
pub mod usage;
pub mod watch;

pub use client::{Client, Reply};
pub use endpoint::{Endpoint, EndpointError};
pub use error::{CallError, Fault, Remedy};
pub use gate::{Gate, Limits};
pub use rate::Rates;
pub use retry::Patience;
pub use usage::{CallTime, Price, Usage};
pub use watch::{CallEvent, CallWatch, Unwatched};
