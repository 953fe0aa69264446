//! Making the agent of an episode, which may take long, and what plays in its place if it cannot be made.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::runtime::Handle;

use super::lineup::Lineup;
use super::plan::{Entry, Plan};
use crate::agent::{Agent, AgentError, CallLog, Choice, View};

/// The agent of an episode. Making it may take long (a search for its route), so it is done aside.
pub async fn seated(lineup: Arc<Lineup>, plan: Arc<Plan>, entry: Entry) -> Box<dyn Agent> {
    let made = tokio::task::spawn_blocking(move || lineup.agent(&plan, &entry)).await;
    made.unwrap_or_else(|error| Err(AgentError::Episode(format!("the agent could not be made: {error}"))))
        .unwrap_or_else(|error| Box::new(Unable(error)))
}

/// An agent that thinks for long without waiting for anything: what else goes on goes on meanwhile. On a runtime of several
/// threads only.
pub struct Aside(pub Box<dyn Agent>);

#[async_trait]
impl Agent for Aside {
    async fn choose(&mut self, view: &View<'_>, log: &mut dyn CallLog) -> Result<Choice, AgentError> {
        tokio::task::block_in_place(|| Handle::current().block_on(self.0.choose(view, log)))
    }
}

/// Stands in for an agent that could not be made: every episode of it ends by the reason.
struct Unable(AgentError);

#[async_trait]
impl Agent for Unable {
    async fn choose(&mut self, _: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        Err(self.0.clone())
    }
}
