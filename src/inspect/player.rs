//! The reference agents at play on one floor, without a batch: a whole episode in memory, and how it came out.

use std::collections::BTreeMap;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Wishes;
use crate::agent::follow::FollowRoute;
use crate::agent::greedy::Greedy;
use crate::agent::heuristic::Heuristic;
use crate::agent::lookahead::Lookahead;
use crate::agent::random::Random;
use crate::agent::{Agent, AgentError, Call, CallLimits, CallLog, ChosenBy, View};
use crate::analysis::decision::{DecisionValue, LosingDecision};
use crate::analysis::judge;
use crate::eval::floor::published_route;
use crate::eval::seed;
use crate::game::{Action, End, Game, GameError, State};
use crate::solver::published::{Options, Version};
use crate::solver::{SolveError, Values};

/// A reference agent. `optimal` is left out: its play is best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Any legal action, each as likely.
    Random,
    /// The least damage now.
    Greedy,
    /// The rule of the mechanical override.
    Heuristic,
    /// The heuristic's score over the best line of three decisions.
    Lookahead,
    /// The route of the published solver.
    PublishedRoute,
}

/// Decisions that `lookahead` looks ahead, as in a configuration that does not say.
const DEPTH: u32 = 3;
/// States after which the published search is given up.
const MOST_STATES: u32 = 1_000_000;

impl Player {
    /// All of them, in the order in which they are told.
    pub const REFERENCE: [Player; 5] =
        [Player::Random, Player::Greedy, Player::Heuristic, Player::Lookahead, Player::PublishedRoute];

    /// The name that configurations use.
    pub fn name(self) -> &'static str {
        match self {
            Player::Random => "random",
            Player::Greedy => "greedy",
            Player::Heuristic => "heuristic",
            Player::Lookahead => "lookahead",
            Player::PublishedRoute => "published_route",
        }
    }

    /// The number of the action that a rule chooses in a state. The published route is no rule: as its agent does
    /// where the route ends, it chooses as the heuristic.
    ///
    /// # Errors
    /// [`GameError`] if an effect cannot be computed.
    pub fn choose(self, game: &Game, state: &State, actions: &[Action], seed: u64) -> Result<u32, GameError> {
        ask(self.agent(Arc::default()).as_mut(), game, state, actions, seed)
    }

    /// How it fares on a floor.
    ///
    /// # Errors
    /// [`SolveError`] if an effect cannot be computed or a value is not known.
    pub fn fate(self, game: &Game, values: Option<&Values>, wishes: &Wishes) -> Result<Fate, SolveError> {
        let route = match self {
            Player::PublishedRoute => match published_route(game.tower(), &options()) {
                Ok(route) => route,
                Err(why) => return Ok(Fate::none(self, why)),
            },
            _ => Arc::default(),
        };
        let episodes = if self == Player::Random { wishes.random_episodes } else { 1 };
        let mut played = Vec::new();
        for episode in 0..episodes {
            let name = format!("inspect-{}-{episode}", self.name());
            let lots = |turn| seed::of_turn(wishes.seed, &name, turn);
            played.push(play(self.agent(route.clone()).as_mut(), game, values, lots)?);
        }
        Ok(Fate::of(self, &played))
    }

    fn agent(self, route: Arc<[Action]>) -> Box<dyn Agent> {
        match self {
            Player::Random => Box::new(Random),
            Player::Greedy => Box::new(Greedy),
            Player::Heuristic => Box::new(Heuristic),
            Player::Lookahead => Box::new(Lookahead { depth: DEPTH }),
            Player::PublishedRoute => Box::new(FollowRoute { route }),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an agent fares on a floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fate {
    /// Who.
    pub agent: Player,
    /// Episodes played: several of the random agent only.
    pub episodes: u32,
    /// How many of them it won.
    pub won: u32,
    /// Its best final HP; null if it won none.
    pub best_hp: Option<i64>,
    /// Mean final HP, an episode that was not won counting as 0.
    pub mean_final_hp: f64,
    /// The decision that lost most episodes, the earliest of several; null if there is none, or values are not known.
    pub losing: Option<LosingDecision>,
    /// How many episodes that decision lost.
    pub lost_by_it: u32,
    /// Why it did not play, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_not_play: Option<String>,
}

impl Fate {
    fn none(agent: Player, why: String) -> Self {
        let (losing, did_not_play) = (None, Some(why));
        Fate { agent, episodes: 0, won: 0, best_hp: None, mean_final_hp: 0.0, losing, lost_by_it: 0, did_not_play }
    }

    fn of(agent: Player, played: &[Played]) -> Self {
        let wins: Vec<i64> = played.iter().filter_map(|played| played.won).collect();
        let mut losses: BTreeMap<_, (u32, &LosingDecision)> = BTreeMap::new();
        for losing in played.iter().filter_map(|played| played.losing.as_ref()) {
            let (count, earliest) = losses.entry((losing.target, &losing.text)).or_insert((0, losing));
            *count += 1;
            if losing.turn < earliest.turn {
                *earliest = losing;
            }
        }
        let most = losses.values().max_by_key(|(count, losing)| (*count, std::cmp::Reverse(losing.turn)));
        let total: i64 = wins.iter().fold(0, |total: i64, hp| total.saturating_add(*hp));
        let mean = total as f64 / played.len().max(1) as f64;
        Fate {
            agent,
            episodes: played.len() as u32,
            won: wins.len() as u32,
            best_hp: wins.iter().copied().max(),
            mean_final_hp: (mean * 100.0).round() / 100.0,
            losing: most.map(|(_, losing)| (*losing).clone()),
            lost_by_it: most.map_or(0, |(count, _)| *count),
            did_not_play: None,
        }
    }
}

/// An episode that was played.
struct Played {
    /// Final HP, if it was won.
    won: Option<i64>,
    losing: Option<LosingDecision>,
}

/// Plays to the end, with the reference agents' own rules: no override, no limit of turns.
fn play(
    agent: &mut dyn Agent,
    game: &Game,
    values: Option<&Values>,
    lots: impl Fn(u32) -> u64,
) -> Result<Played, SolveError> {
    let mut state = game.start()?;
    let mut decisions: Vec<DecisionValue> = Vec::new();
    while state.end.is_none() {
        let actions = game.actions(&state)?;
        let number = ask(agent, game, &state, &actions, lots(state.turn + 1))?;
        let Some(action) = actions.get((number as usize).saturating_sub(1)) else { break };
        // Once nothing can be won any more, no value tells anything.
        let lost = decisions.last().is_some_and(|decision| decision.after().is_lost());
        if let Some(values) = values.filter(|_| !lost) {
            decisions.push(judge::decision(values, &state, number, ChosenBy::Agent)?);
        }
        state = game.apply(&state, action)?.state;
    }
    let won = (state.end == Some(End::Won)).then_some(state.hero.hp);
    Ok(Played { won, losing: judge::losing(&decisions) })
}

/// The number of the action that an agent chooses. Reference agents answer at once: they wait for nobody.
fn ask(agent: &mut dyn Agent, game: &Game, state: &State, actions: &[Action], seed: u64) -> Result<u32, GameError> {
    let limits = CallLimits::default();
    let view = View { game, state, actions, blocked: &[], past: &[], calls: &[], turn_limit: None, limits, seed };
    let mut log = NoCalls;
    let choice = pin!(agent.choose(&view, &mut log));
    match choice.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(choice)) => Ok(choice.number),
        Poll::Ready(Err(AgentError::Game(error))) => Err(error),
        Poll::Ready(Err(_)) | Poll::Pending => Ok(1),
    }
}

struct NoCalls;

#[async_trait]
impl CallLog for NoCalls {
    async fn record(&mut self, _: Call) -> Result<(), AgentError> {
        Ok(())
    }
}

/// The published search, given up earlier than in a batch: it is one of several agents here.
fn options() -> Options {
    Options { most_states: MOST_STATES, ..Options::new(Version::Published) }
}
