//! Chat endpoints: how a model is called and what its server sends back. Knows nothing of games or episodes.

pub mod cache;
pub mod client;
pub mod departures;
mod echo;
pub mod endpoint;
pub mod error;
pub mod estimate;
pub mod exchange;
pub mod gate;
pub mod key;
pub mod purse;
pub mod rate;
pub mod request;
pub mod response;
pub mod retry;
pub mod spending;
pub mod usage;
pub mod watch;

pub use cache::Cache;
pub use client::{Ask, Client, Reply};
pub use endpoint::{Endpoint, EndpointError};
pub use error::{CallError, Fault, Remedy};
pub use estimate::Estimate;
pub use gate::{Limits, LocalLimits, Refusal};
pub use rate::Rates;
pub use retry::Patience;
pub use spending::{Budget, Spending};
pub use usage::{CallTime, Price, Usage};
pub use watch::{CallEvent, CallWatch, Unwatched};
