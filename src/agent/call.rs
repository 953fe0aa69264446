//! One completed call to a model, as it stands in a trace. Knows nothing of how calls are made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AgentError;
pub use crate::model::usage::{CallTime, Usage};
pub use crate::prompt::{Message, Role, Verdict};

/// Where completed calls go: they are written and flushed before the next call is made.
pub trait CallLog: Send {
    /// Keeps a call.
    ///
    /// # Errors
    /// [`AgentError::Log`] if it cannot be written.
    fn record(&mut self, call: Call) -> Result<(), AgentError>;
}

/// A completed call: what was sent, what came back, what was made of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The decision that it was made for, from 1.
    pub turn: u32,
    /// 0 for the first answer asked of this decision, 1 for the first re-ask, and so on.
    pub reask: u32,
    /// The messages sent, whole.
    pub messages: Vec<Message>,
    /// The answer's text, as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The answer's reasoning, in whatever field it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Why the server stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// What was made of the answer.
    pub verdict: Verdict,
    /// Number of the action that was understood, from 1; only with verdict `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// What was wrong with the answer, as the model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
    /// What the call used, as the server counted it.
    pub usage: Usage,
    /// Clock readings; nothing else in a trace depends on a clock.
    pub time: CallTime,
}
