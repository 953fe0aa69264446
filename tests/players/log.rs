//! A log of calls in memory.

use async_trait::async_trait;
use mota::agent::{AgentError, Call, CallLog, Verdict};

#[derive(Default)]
pub struct Calls(pub Vec<Call>);

#[async_trait]
impl CallLog for Calls {
    async fn record(&mut self, call: Call) -> Result<(), AgentError> {
        self.0.push(call);
        Ok(())
    }
}

impl Calls {
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.0.iter().map(|call| call.verdict).collect()
    }
}
