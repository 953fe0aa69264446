//! What an agent is told and how its answer is read: observation, template, answer. Knows nothing of endpoints.

pub mod ability;
pub mod answer;
pub mod choice;
mod cut;
mod environment;
pub mod escape;
pub mod form;
pub mod grid;
mod here;
pub mod message;
pub mod observation;
pub mod outline;
pub mod place;
pub mod route;
pub mod route_answer;
mod shown;
pub mod template;
pub mod thought;
pub mod tokens;
pub mod view;
mod way;
mod worth;

pub use answer::{Answer, OnInvalid, Parsed, Verdict};
pub use form::{AnswerForm, Asks, Naming, Wanted};
pub use message::{Message, Role};
pub use observation::{ActionView, BlockedView, Observation, PastTurn};
pub use route::{Route, RouteUse, RouteView};
pub use template::{Prompt, PromptError, Scene};
pub use tokens::Room;
