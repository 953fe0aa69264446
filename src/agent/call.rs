//! One completed call to a model, as it stands in a trace. Knows nothing of how calls are made.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AgentError;
use crate::game::Position;
use crate::model::Spending;
pub use crate::model::usage::{CallTime, Usage};
pub use crate::prompt::{Asks, Message, Role, Verdict};

/// Where completed calls go: they are written and flushed before the next call is made.
#[async_trait]
pub trait CallLog: Send {
    /// Keeps a call.
    ///
    /// # Errors
    /// [`AgentError::Log`] if it cannot be written.
    async fn record(&mut self, call: Call) -> Result<(), AgentError>;
}

/// A completed call: what was sent, what came back, what was made of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The decision that it was made for, from 1.
    pub turn: u32,
    /// 0 for the first answer asked of this decision, 1 for the first re-ask, and so on.
    pub reask: u32,
    /// What it asked for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub asks: Asks,
    /// Earlier turns that were sent before these messages: the question and the last answer of each of the last so many.
    #[serde(default, skip_serializing_if = "is_default")]
    pub earlier: u32,
    /// Earlier turns that were left out for the sake of `prompt_tokens`, which the model was told.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cut: u32,
    /// The messages sent, earlier turns aside.
    pub messages: Vec<Message>,
    /// Bytes of all messages sent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sent_bytes: usize,
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
    /// The route that was understood; only with verdict `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Vec<Position>>,
    /// What was wrong with the answer, as the model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
    /// What the call used, as the server counted it.
    pub usage: Usage,
    /// Clock readings; nothing else in a trace depends on a clock.
    pub time: CallTime,
}

impl Call {
    /// What it took from the batch's budget; an answer from the response cache took nothing.
    pub fn spent(&self) -> Spending {
        if self.time.from_cache { Spending::default() } else { Spending::from(&self.usage) }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
