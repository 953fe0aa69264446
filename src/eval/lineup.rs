//! Who sits down to an episode: agents made from their configuration, with what the episodes of one agent share.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::board::CallBoard;
use super::config::{AgentKind, ReplayConfig, RunLimits};
use super::floor::BatchFloor;
use super::plan::{Entry, Plan};
use super::trace::{Trace, TraceError};
use crate::agent::command::CommandAgent;
use crate::agent::follow::{FollowRoute, FollowTrace};
use crate::agent::greedy::Greedy;
use crate::agent::heuristic::{self, Heuristic};
use crate::agent::lookahead::Lookahead;
use crate::agent::model::ModelAgent;
use crate::agent::optimal::Optimal;
use crate::agent::random::Random;
use crate::agent::{Agent, AgentError};
use crate::model::{Budget, Cache, Client, EndpointError, Limits, LocalLimits, Spending};
use crate::solver::SolveError;

/// What the episodes of each agent share.
pub struct Lineup {
    clients: BTreeMap<String, Arc<Client>>,
    traces: BTreeMap<String, Arc<BTreeMap<u32, u32>>>,
}

/// Why an agent cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LineupError {
    /// Its endpoint cannot be used.
    #[error("agent `{agent}`: {source}")]
    Endpoint {
        /// The agent.
        agent: String,
        /// What is wrong.
        source: EndpointError,
    },
    /// Its trace cannot be read.
    #[error("agent `{agent}`: {source}")]
    Trace {
        /// The agent.
        agent: String,
        /// What is wrong.
        source: TraceError,
    },
}

impl Lineup {
    /// Makes what agents share: a client for each model, whose limits are counted together and which reckons with the most
    /// that a token has cost its agent so far, and the decisions of each stored trace.
    ///
    /// # Errors
    /// [`LineupError`].
    pub fn new(
        plan: &Plan,
        board: &Arc<CallBoard>,
        limits: &Arc<dyn Limits>,
        dearest: &BTreeMap<String, f64>,
    ) -> Result<Self, LineupError> {
        let cache = plan.config.cache.as_ref().map(|folder| Arc::new(Cache::new(&plan.base.join(folder))));
        let mut lineup = Lineup { clients: BTreeMap::new(), traces: BTreeMap::new() };
        for agent in &plan.config.agents {
            let name = || agent.name.clone();
            match &agent.kind {
                AgentKind::Model(endpoint) => {
                    let client = Client::new(&agent.name, (**endpoint).clone(), board.clone())
                        .map_err(|source| LineupError::Endpoint { agent: name(), source })?
                        .with_limits(limits.clone())
                        .with_dearest(dearest.get(&agent.name).copied())
                        .with_cache(cache.clone());
                    lineup.clients.insert(name(), Arc::new(client));
                }
                AgentKind::Replay(config) => {
                    let decisions =
                        executed(&plan.base, config).map_err(|source| LineupError::Trace { agent: name(), source })?;
                    lineup.traces.insert(name(), Arc::new(decisions));
                }
                _ => {}
            }
        }
        Ok(lineup)
    }

    /// The agent of an episode.
    ///
    /// # Errors
    /// [`AgentError::Episode`] if it cannot play this floor.
    pub fn agent(&self, plan: &Plan, entry: &Entry) -> Result<Box<dyn Agent>, AgentError> {
        let config = &plan.config.agents[entry.agent];
        let floor = &plan.floors[entry.floor];
        Ok(match &config.kind {
            AgentKind::Random => Box::new(Random),
            AgentKind::Greedy => Box::new(Greedy),
            AgentKind::Heuristic => Box::new(Heuristic),
            AgentKind::Lookahead(lookahead) => Box::new(Lookahead { depth: lookahead.depth }),
            AgentKind::Optimal => optimal(floor)?,
            AgentKind::PublishedRoute => {
                let route = floor.published_route().map_err(AgentError::Episode)?;
                Box::new(FollowRoute { route })
            }
            AgentKind::Replay(_) => {
                let executed = self.traces.get(&config.name).cloned().unwrap_or_default();
                Box::new(FollowTrace { executed })
            }
            AgentKind::Human => return Err(AgentError::Agent("humans play with `mota play FLOOR`".into())),
            AgentKind::Command(command) => {
                Box::new(CommandAgent::new(&config.name, command.clone(), heuristic::choose))
            }
            AgentKind::Model(_) => {
                let missing = || AgentError::Episode("this agent has no client or prompt".into());
                let client = self.clients.get(&config.name).cloned().ok_or_else(missing)?;
                let prompt = entry.prompt.and_then(|prompt| plan.prompts.get(prompt)).cloned().ok_or_else(missing)?;
                let solved = floor.carried_route(&prompt, plan.config.route_source).map_err(AgentError::Episode)?;
                Box::new(ModelAgent::new(client, prompt, heuristic::choose).at(entry.key.repeat, solved))
            }
        })
    }
}

/// The limits of all model agents and of the batch, of which so much has been spent, counted in this process.
pub fn local_limits(plan: &Plan, spent: Spending) -> Arc<dyn Limits> {
    let rates = plan.config.agents.iter().filter_map(|agent| match &agent.kind {
        AgentKind::Model(endpoint) => Some((agent.name.clone(), endpoint.rates())),
        _ => None,
    });
    let RunLimits { tokens, cost_usd } = plan.config.limits.run;
    LocalLimits::new(rates, Budget { tokens, cost_usd }, spent)
}

/// By the state values; where there are none, by a route that is proven to be the best.
fn optimal(floor: &BatchFloor) -> Result<Box<dyn Agent>, AgentError> {
    match floor.values() {
        Ok(values) => Ok(Box::new(Optimal { values })),
        Err(SolveError::NotExact(_)) => {
            let route = floor.exact_route().map_err(|why| AgentError::Episode(format!("no best route: {why}")))?;
            Ok(Box::new(FollowRoute { route }))
        }
        Err(error) => Err(AgentError::Episode(format!("no state values: {error}"))),
    }
}

/// The number of the action executed at each turn of a stored trace.
fn executed(base: &Path, config: &ReplayConfig) -> Result<BTreeMap<u32, u32>, TraceError> {
    let trace = Trace::read(&base.join(&config.trace))?;
    Ok(trace.decisions.iter().map(|decision| (decision.turn, decision.executed)).collect())
}
