//! Who chooses: one file an agent, and the one method that all of them have.
//!
//! An agent sees a [`View`] and returns a [`Choice`]. It keeps no memory that matters: everything it needs to go on
//! after an interruption stands in the view, which is replayed from the trace.

pub mod call;
pub mod command;
pub mod conversation;
pub mod follow;
pub mod greedy;
pub mod heuristic;
pub mod lookahead;
pub mod model;
pub mod optimal;
pub mod random;
pub mod repeat;
pub mod score;
pub mod stand_in;

use async_trait::async_trait;

use crate::game::{Action, Blocked, Game, State};
use crate::model::Budget;
use crate::prompt::{Observation, PastTurn};

pub use call::{Call, CallLog, Usage, Verdict};
pub use command::{CommandAgent, CommandConfig};
pub use model::ModelAgent;
pub use stand_in::StandIn;

/// A player of the game.
#[async_trait]
pub trait Agent: Send {
    /// Chooses one of `view.actions`, of which there is at least one that is not lethal.
    ///
    /// Every completed call to a model is handed to `calls` before the next one is made.
    ///
    /// # Errors
    /// [`AgentError`] if no action can be had; the episode then ends or waits, as the error says.
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError>;
}

/// What an agent may know before a decision.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The game being played.
    pub game: &'a Game,
    /// The state before the decision.
    pub state: &'a State,
    /// The legal actions; action `number` is `actions[number - 1]`.
    pub actions: &'a [Action],
    /// What is in reach but not legal.
    pub blocked: &'a [Blocked],
    /// The decisions made so far.
    pub past: &'a [PastTurn],
    /// All calls of the episode so far, those of this turn included when an interrupted turn is taken up again.
    pub calls: &'a [Call],
    /// Decisions after which the episode ends.
    pub turn_limit: Option<u32>,
    /// What its calls may come to, over the whole episode.
    pub limits: CallLimits,
    /// Seed of this decision's randomness, derived from the run's seed, the episode and the turn.
    pub seed: u64,
}

/// What the calls of an episode may come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallLimits {
    /// Tokens and money.
    pub budget: Budget,
    /// Seconds of waiting for a server that gives no answer; no limit without a number.
    pub wait: Option<f64>,
}

impl View<'_> {
    /// The view in a form that serialises.
    ///
    /// # Errors
    /// [`AgentError::Game`] if an effect cannot be computed.
    pub fn observation(&self) -> Result<Observation, AgentError> {
        Ok(Observation::of(self.game, self.state, self.turn_limit, self.past)?)
    }

    /// Number of the decision to be made, from 1.
    pub fn turn(&self) -> u32 {
        self.state.turn + 1
    }
}

/// What an agent chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Number of the action, from 1.
    pub number: u32,
    /// Who chose it.
    pub by: ChosenBy,
}

impl Choice {
    /// A choice of the agent's own.
    pub fn own(number: u32) -> Self {
        Choice { number, by: ChosenBy::Agent }
    }
}

/// Whose choice an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// The agent's own.
    Agent,
    /// The stand-in's, after the agent's answers could not be used.
    OnInvalid,
    /// The mechanical override's, in place of a lethal fight.
    Override,
}

/// Why an agent gives no action.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AgentError {
    /// This episode ends as aborted.
    #[error("{0}")]
    Episode(String),
    /// The agent cannot play at all for now (a wrong key, say): its episodes stay open for a later resume.
    #[error("{0}")]
    Agent(String),
    /// The batch's budget is spent, for whoever plays: the episode stays open.
    #[error("{0}")]
    Budget(String),
    /// The run is being stopped, or its limits cannot be counted now; the episode stays open.
    #[error("interrupted")]
    Interrupted,
    /// The call could not be written down, so it must not be followed by another.
    #[error("the trace cannot be written: {0}")]
    Log(String),
    /// The rules cannot be computed.
    #[error(transparent)]
    Game(#[from] crate::game::GameError),
}
