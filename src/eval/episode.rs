//! One episode, from wherever its trace stands to its end: ask, override, execute, write down. Knows nothing of the
//! other episodes.

use std::time::{Duration, Instant};

use async_trait::async_trait;

use super::clock::{self, seconds};
use super::config::Limits;
use super::event::Event;
use super::record::{DecisionTime, Ending, EpisodeKey, FORMAT, Footer, FooterTime, Header, HeaderTime, Record};
use super::replay::{self, Difference, Replayed};
use super::seed;
use super::store::{EpisodeWriter, StoreError, Taken};
use super::surroundings::Surroundings;
use super::trace::Trace;
use crate::agent::call::Asks;
use crate::agent::{Agent, AgentError, Call, CallLog, Choice, ChosenBy, Verdict, View, score};
use crate::game::{Action, Game, GameError, ItemMode, State};
use crate::model::Spending;
use crate::prompt::PastTurn;

/// Everything that an episode is, before it is played.
#[derive(Clone)]
pub struct Episode {
    /// Its place in the plan.
    pub index: usize,
    /// Its id, and the name of its file.
    pub id: String,
    /// Which of the batch.
    pub key: EpisodeKey,
    /// The game.
    pub game: Game,
    /// SHA-256 of the floor in native form.
    pub floor_hash: String,
    /// First 12 digits of the SHA-256 of the prompt.
    pub prompt_hash: Option<String>,
    /// The run's seed.
    pub seed: u64,
    /// When items are collected.
    pub items: ItemMode,
    /// Whether the mechanical override is on.
    pub r#override: bool,
    /// Whether its agent calls a server, and so may wait long for nothing when the run is to stop.
    pub calls_a_server: bool,
    /// Its limits.
    pub limits: Limits,
    /// Time to wait before each decision.
    pub delay: Duration,
    /// Whether its agent sends earlier turns again, so that their messages must be at hand.
    pub sends_earlier_turns: bool,
}

impl Episode {
    /// The header of its trace, without the clock.
    fn header(&self, start: &State) -> Header {
        Header {
            format: FORMAT,
            mota: env!("CARGO_PKG_VERSION").into(),
            id: self.id.clone(),
            key: self.key.clone(),
            floor_hash: self.floor_hash.clone(),
            prompt_hash: self.prompt_hash.clone(),
            seed: self.seed,
            items: self.items,
            r#override: self.r#override,
            turn_limit: self.limits.turns,
            hero: start.hero,
            at: start.at,
            time: HeaderTime::default(),
        }
    }

    /// What says that a trace is not this episode's, in words; the limit of decisions may be another.
    pub fn difference(&self, header: &Header) -> Option<String> {
        let differs = |what: &str, found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
            let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
            (found != expected).then(|| format!("its {what} is {found}, and not {expected}"))
        };
        differs("id", &header.id, &self.id)
            .or_else(|| differs("floor_hash", &header.floor_hash, &self.floor_hash))
            .or_else(|| differs("prompt_hash", &header.prompt_hash, &self.prompt_hash))
            .or_else(|| differs("seed", &header.seed, &self.seed))
            .or_else(|| differs("items", &header.items, &self.items))
            .or_else(|| differs("override", &header.r#override, &self.r#override))
    }
}

/// How playing an episode came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is over.
    Finished(Ending),
    /// It stays open: the run is being stopped, or its limits cannot be counted now.
    Interrupted,
    /// It stays open: its agent cannot play here.
    AgentStopped(String),
    /// It stays open: the batch's budget is spent, wherever it is played.
    BudgetSpent(String),
}

/// Why an episode could not be played or stored.
#[derive(Debug, thiserror::Error)]
pub enum EpisodeError {
    /// What is stored of it cannot be read, or nothing can be added.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored is another episode's, or another run's.
    #[error("{place}: this trace belongs to another episode or run: {why}")]
    Other {
        /// Where it is stored.
        place: String,
        /// What says so.
        why: String,
    },
    /// What is stored is not what the rules give.
    #[error("{place}: {difference}; the trace was written by other rules or has been changed")]
    Difference {
        /// Where it is stored.
        place: String,
        /// Where it differs.
        difference: Difference,
    },
    /// The rules cannot be computed.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl EpisodeError {
    /// Whether storing failed, which it will for other episodes, too.
    pub fn is_of_the_store(&self) -> bool {
        matches!(self, EpisodeError::Store(StoreError::Failed(_) | StoreError::Gone(_)))
    }
}

/// Plays an episode from where its trace stands.
///
/// # Errors
/// [`EpisodeError`] if the trace cannot be stored, or is not what the rules give.
pub async fn play(episode: &Episode, agent: &mut dyn Agent, around: &Surroundings) -> Result<Outcome, EpisodeError> {
    let mut sitting = Sitting::open(episode, around).await?;
    if let Some(ending) = sitting.ended {
        return Ok(Outcome::Finished(ending));
    }
    loop {
        if let Some((ending, reason)) = sitting.ending() {
            return sitting.finish(ending, reason).await;
        }
        if around.is_stopping() {
            return Ok(Outcome::Interrupted);
        }
        match sitting.decide(agent).await {
            Ok(()) => {}
            Err(Halt::Agent(AgentError::Interrupted)) => return Ok(Outcome::Interrupted),
            Err(Halt::Agent(AgentError::Agent(why))) => return Ok(Outcome::AgentStopped(why)),
            Err(Halt::Agent(AgentError::Budget(why))) => return Ok(Outcome::BudgetSpent(why)),
            Err(Halt::Agent(error)) => return sitting.finish(Ending::Aborted, Some(error.to_string())).await,
            Err(Halt::Episode(EpisodeError::Game(error))) => {
                return sitting.finish(Ending::Aborted, Some(error.to_string())).await;
            }
            Err(Halt::Episode(error)) => return Err(error),
        }
    }
}

/// Why a decision was not made.
enum Halt {
    Agent(AgentError),
    Episode(EpisodeError),
}

impl<E: Into<EpisodeError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Halt::Episode(error.into())
    }
}

/// An episode being played, with its trace open.
struct Sitting<'a> {
    episode: &'a Episode,
    around: &'a Surroundings,
    state: State,
    past: Vec<PastTurn>,
    calls: Vec<Call>,
    writer: Box<dyn EpisodeWriter>,
    worked: Duration,
    ended: Option<Ending>,
}

impl<'a> Sitting<'a> {
    /// Takes the episode and opens its trace, or begins it.
    async fn open(episode: &'a Episode, around: &'a Surroundings) -> Result<Self, EpisodeError> {
        let Taken { trace, writer } = around.store.take(&episode.id).await?;
        match trace {
            Some(trace) => Self::go_on(episode, around, trace, writer),
            None => Self::begin(episode, around, writer).await,
        }
    }

    fn go_on(
        episode: &'a Episode,
        around: &'a Surroundings,
        trace: Trace,
        writer: Box<dyn EpisodeWriter>,
    ) -> Result<Self, EpisodeError> {
        let place = || around.store.place(&episode.id);
        if let Some(why) = episode.difference(&trace.header) {
            return Err(EpisodeError::Other { place: place(), why });
        }
        let replayed = replay::replay(&episode.game, &trace)
            .map_err(|difference| EpisodeError::Difference { place: place(), difference })?;
        let Replayed { state, past, .. } = replayed;
        around.tell(Event::Started { episode: episode.index, turns: state.turn, torn: trace.torn });
        let worked = trace.decisions.iter().map(|decision| seconds(decision.time.took_s)).sum::<Duration>();
        let waited = trace.calls.iter().map(|call| seconds(call.time.waiting_s)).sum();
        let ended = trace.footer.as_ref().map(|footer| footer.ending);
        let worked = worked.saturating_sub(waited);
        let mut sitting = Sitting { episode, around, state, past, calls: trace.calls, writer, worked, ended };
        sitting.forget();
        Ok(sitting)
    }

    async fn begin(
        episode: &'a Episode,
        around: &'a Surroundings,
        mut writer: Box<dyn EpisodeWriter>,
    ) -> Result<Self, EpisodeError> {
        let state = episode.game.start()?;
        around.tell(Event::Started { episode: episode.index, turns: 0, torn: 0 });
        let header = Header { time: HeaderTime { started: clock::now() }, ..episode.header(&state) };
        writer.write(&Record::Header(header)).await?;
        let (past, calls, worked) = (Vec::new(), Vec::new(), Duration::ZERO);
        Ok(Sitting { episode, around, state, past, calls, writer, worked, ended: None })
    }

    /// Lets go of the texts of decided turns that nobody will read again: a thousand episodes at once would not fit.
    fn forget(&mut self) {
        let decided = self.state.turn;
        for call in self.calls.iter_mut().filter(|call| call.turn <= decided) {
            call.reasoning = None;
            if !self.episode.sends_earlier_turns {
                (call.messages, call.content) = (Vec::new(), None);
            }
        }
    }

    /// How the episode ends now, if it does.
    fn ending(&self) -> Option<(Ending, Option<String>)> {
        let limits = &self.episode.limits;
        // Calls of a turn that is still to be decided count once it is: an interruption must not change what ends it.
        let decided = || self.calls.iter().filter(|call| call.turn <= self.state.turn);
        let Spending { tokens, cost_usd: cost } = decided().map(|call| Spending::from(&call.usage)).sum();
        let waited: Duration = decided().map(|call| seconds(call.time.waited())).sum();
        if let Some(end) = self.state.end {
            return Some((end.into(), None));
        }
        if self.state.turn >= limits.turns {
            return Some((Ending::TurnLimit, Some(format!("the limit of {} decisions", limits.turns))));
        }
        let over = if let Some(most) = limits.tokens.filter(|most| tokens >= *most) {
            format!("the limit of {most} tokens: {tokens} used")
        } else if let Some(most) = limits.cost_usd.filter(|most| cost >= *most) {
            format!("the limit of {most} USD: {cost:.4} spent")
        } else if let Some(most) = limits.wall.filter(|most| self.worked >= most.0) {
            format!("the limit of {} s at work", most.0.as_secs())
        } else {
            let most = limits.wait.filter(|most| waited >= most.0)?;
            format!("the limit of {} s of waiting", most.0.as_secs())
        };
        Some((Ending::Aborted, Some(over)))
    }

    /// Makes one decision and writes it down.
    async fn decide(&mut self, agent: &mut dyn Agent) -> Result<(), Halt> {
        let game = &self.episode.game;
        let actions = game.actions(&self.state)?;
        let blocked = game.blocked(&self.state)?;
        let began = Instant::now();
        self.delay().await?;
        let view = View {
            game,
            state: &self.state,
            actions: &actions,
            blocked: &blocked,
            past: &self.past,
            calls: &self.calls,
            turn_limit: Some(self.episode.limits.turns),
            limits: self.episode.limits.of_calls(),
            seed: seed::of_turn(self.episode.seed, &self.episode.id, self.state.turn + 1),
        };
        let (episode, around, writer) = (self.episode, self.around, self.writer.as_mut());
        let mut log = Log { writer, calls: Vec::new(), failed: None, episode, around };
        let choice = match self.episode.calls_a_server {
            false => agent.choose(&view, &mut log).await,
            true => tokio::select! {
                biased;
                choice = agent.choose(&view, &mut log) => choice,
                () = self.around.nothing_in_flight() => Err(AgentError::Interrupted),
            },
        };
        let waited: Duration = log.calls.iter().map(|call| seconds(call.time.waiting_s)).sum();
        let (calls, failed) = (log.calls, log.failed);
        self.calls.extend(calls);
        if let Some(error) = failed {
            return Err(error.into());
        }
        let choice = choice.map_err(Halt::Agent)?;
        let executed = self.overridden(&actions, choice)?;
        let Some(action) = replay::pick(&actions, executed.number) else {
            let why = format!("the agent chose action {}, and {} are legal", choice.number, actions.len());
            return Err(Halt::Agent(AgentError::Episode(why)));
        };
        let took = began.elapsed();
        let step = game.apply(&self.state, action)?;
        let mut decision = replay::describe(game, &self.state, choice.number, executed.by, executed.number, &step)?;
        decision.time = DecisionTime { at: clock::now(), took_s: clock::round(took.as_secs_f64()) };
        let past = replay::past_turn(game, &self.state, choice.number, &step)?;
        self.writer.write(&Record::Decision(decision)).await?;
        self.worked += took.saturating_sub(waited);
        self.past.push(past);
        self.state = step.state;
        self.forget();
        self.around.tell(Event::Decided { episode: self.episode.index });
        Ok(())
    }

    /// Waits as long as the agent is configured to, unless the run is being stopped.
    async fn delay(&self) -> Result<(), Halt> {
        if self.episode.delay.is_zero() {
            return Ok(());
        }
        let mut stop = self.around.stop.clone();
        tokio::select! {
            () = tokio::time::sleep(self.episode.delay) => Ok(()),
            _ = stop.wait_for(|stopping| *stopping) => Err(Halt::Agent(AgentError::Interrupted)),
        }
    }

    /// The mechanical override: a lethal choice gives way to the heuristic's while another action exists.
    fn overridden(&self, actions: &[Action], choice: Choice) -> Result<Choice, GameError> {
        let lethal = replay::pick(actions, choice.number).is_some_and(Action::is_lethal);
        if !self.episode.r#override || !lethal || actions.iter().all(Action::is_lethal) {
            return Ok(choice);
        }
        let heuristic = score::best(&self.episode.game, &self.state, actions)?;
        Ok(heuristic.map_or(choice, |number| Choice { number, by: ChosenBy::Override }))
    }

    async fn finish(mut self, ending: Ending, reason: Option<String>) -> Result<Outcome, EpisodeError> {
        let waiting: f64 = self.calls.iter().map(|call| call.time.waiting_s).fold(0.0, std::ops::Add::add);
        let footer = Footer {
            ending,
            reason,
            turn_limit: (ending == Ending::TurnLimit).then_some(self.episode.limits.turns),
            turns: self.state.turn,
            hero: self.state.hero,
            time: FooterTime {
                ended: clock::now(),
                working_s: clock::round(self.worked.as_secs_f64()),
                waiting_s: clock::round(waiting),
            },
        };
        self.writer.write(&Record::Footer(footer)).await?;
        self.around.tell(Event::Finished { episode: self.episode.index, ending });
        Ok(Outcome::Finished(ending))
    }
}

/// Writes calls into the trace as they are completed.
struct Log<'a> {
    writer: &'a mut dyn EpisodeWriter,
    calls: Vec<Call>,
    failed: Option<StoreError>,
    episode: &'a Episode,
    around: &'a Surroundings,
}

#[async_trait]
impl CallLog for Log<'_> {
    async fn record(&mut self, call: Call) -> Result<(), AgentError> {
        let _storing = self.around.board.storing();
        let record = Record::Call(call);
        if let Err(error) = self.writer.write(&record).await {
            let why = error.to_string();
            self.failed = Some(error);
            return Err(AgentError::Log(why));
        }
        let Record::Call(call) = record else { return Ok(()) };
        let (verdict, usage, from_cache) = (call.verdict, call.usage, call.time.from_cache);
        let decides = verdict == Verdict::Ok && call.asks == Asks::Action;
        self.calls.push(call);
        self.around.tell(Event::Called { episode: self.episode.index, verdict, usage, from_cache });
        // Asking again, or for an action after a route, would be a new call; the resumed turn does that.
        match !decides && self.around.is_stopping() {
            true => Err(AgentError::Interrupted),
            false => Ok(()),
        }
    }
}
