//! A conversation's messages, as chat endpoints know them. Knows nothing of how they are sent.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A chat message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: Role,
    /// Its text; long, and held by every call that sends it again.
    pub content: Arc<str>,
}

/// Who speaks a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions.
    System,
    /// The harness.
    User,
    /// The model.
    Assistant,
}

impl Message {
    /// A message of a role.
    pub fn new(role: Role, content: impl Into<Arc<str>>) -> Self {
        Message { role, content: content.into() }
    }
}
