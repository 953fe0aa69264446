//! One episode, from wherever its trace stands to its end: ask, override, execute, write down. Knows nothing of the
//! other episodes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc::UnboundedSender, watch};

use super::board::CallBoard;
use super::clock;
use super::config::Limits;
use super::event::Event;
use super::record::{DecisionTime, Ending, EpisodeKey, FORMAT, Footer, FooterTime, Header, HeaderTime, Record};
use super::replay::{self, Difference, Replayed};
use super::seed;
use super::trace::{Trace, TraceError, TraceWriter};
use crate::agent::{Agent, AgentError, Call, CallLog, Choice, ChosenBy, Verdict, View, score};
use crate::game::{Action, Game, GameError, ItemMode, State};
use crate::prompt::PastTurn;

/// How often a run that is to stop looks whether something is in flight.
const LOOK_EVERY: Duration = Duration::from_millis(50);

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
    /// Its trace.
    pub path: PathBuf,
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
    /// It stays open: the run is being stopped.
    Interrupted,
    /// It stays open: its agent cannot play.
    AgentStopped(String),
}

/// Why an episode could not be played or written.
#[derive(Debug, thiserror::Error)]
pub enum EpisodeError {
    /// Its trace cannot be written.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Its trace cannot be read.
    #[error("{0}")]
    Unreadable(TraceError),
    /// Its trace is that of another episode, or of another run.
    #[error("{}: this trace belongs to another episode or run: {why}", path.display())]
    Other {
        /// The trace.
        path: PathBuf,
        /// What says so.
        why: String,
    },
    /// A call could not be written into its trace.
    #[error("{0}")]
    Log(String),
    /// Its trace is not what the rules give.
    #[error("{}: {difference}; the trace was written by other rules or has been changed", path.display())]
    Difference {
        /// The trace.
        path: PathBuf,
        /// Where it differs.
        difference: Difference,
    },
    /// The rules cannot be computed.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl EpisodeError {
    /// Whether writing failed, which it will for other episodes, too.
    pub fn is_of_the_disk(&self) -> bool {
        matches!(self, EpisodeError::Trace(_) | EpisodeError::Log(_))
    }
}

/// Where things go while an episode is played, and whether it should stop.
#[derive(Clone)]
pub struct Surroundings {
    /// Where events go.
    pub events: UnboundedSender<Event>,
    /// Turns true when the run is to stop after what is in flight.
    pub stop: watch::Receiver<bool>,
    /// Knows what is in flight.
    pub board: Arc<CallBoard>,
}

impl Surroundings {
    /// Tells what happened.
    pub fn tell(&self, event: Event) {
        // Nobody may be listening any more; the episode goes on all the same.
        let _ = self.events.send(event);
    }

    /// Whether the run is to stop.
    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Ends when the run is to stop and no server is answering a call: what still pends then only waits.
    async fn nothing_in_flight(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stopping| *stopping).await.is_err() {
            std::future::pending::<()>().await;
        }
        while self.board.in_flight() > 0 {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// Plays an episode from where its trace stands.
///
/// # Errors
/// [`EpisodeError`] if the trace cannot be written, or is not what the rules give.
pub async fn play(episode: &Episode, agent: &mut dyn Agent, around: &Surroundings) -> Result<Outcome, EpisodeError> {
    let mut sitting = Sitting::open(episode, around)?;
    if let Some(ending) = sitting.ended {
        return Ok(Outcome::Finished(ending));
    }
    loop {
        if let Some((ending, reason)) = sitting.ending() {
            return sitting.finish(ending, reason);
        }
        if around.is_stopping() {
            return Ok(Outcome::Interrupted);
        }
        match sitting.decide(agent).await {
            Ok(()) => {}
            Err(Halt::Agent(AgentError::Interrupted)) => return Ok(Outcome::Interrupted),
            Err(Halt::Agent(AgentError::Agent(why))) => return Ok(Outcome::AgentStopped(why)),
            Err(Halt::Agent(AgentError::Log(why))) => return Err(EpisodeError::Log(why)),
            Err(Halt::Agent(error)) => return sitting.finish(Ending::Aborted, Some(error.to_string())),
            Err(Halt::Episode(EpisodeError::Game(error))) => {
                return sitting.finish(Ending::Aborted, Some(error.to_string()));
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
    writer: TraceWriter,
    worked: Duration,
    ended: Option<Ending>,
}

impl<'a> Sitting<'a> {
    /// Opens the trace, or begins it.
    fn open(episode: &'a Episode, around: &'a Surroundings) -> Result<Self, EpisodeError> {
        let path = &episode.path;
        let trace = match Trace::read(path) {
            Ok(trace) => trace,
            Err(TraceError::Empty { .. }) => return Self::begin(episode, around),
            Err(TraceError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                return Self::begin(episode, around);
            }
            Err(error) => return Err(EpisodeError::Unreadable(error)),
        };
        if let Some(why) = episode.difference(&trace.header) {
            return Err(EpisodeError::Other { path: path.clone(), why });
        }
        let replayed = replay::replay(&episode.game, &trace)
            .map_err(|difference| EpisodeError::Difference { path: path.clone(), difference })?;
        let Replayed { state, past, .. } = replayed;
        around.tell(Event::Started { episode: episode.index, turns: state.turn, torn: trace.torn });
        let writer = TraceWriter::resume(path, &trace)?;
        let worked = trace.decisions.iter().map(|decision| seconds(decision.time.took_s)).sum::<Duration>();
        let waited = trace.calls.iter().map(|call| seconds(call.time.waiting_s)).sum();
        let ended = trace.footer.as_ref().map(|footer| footer.ending);
        let worked = worked.saturating_sub(waited);
        Ok(Sitting { episode, around, state, past, calls: trace.calls, writer, worked, ended })
    }

    fn begin(episode: &'a Episode, around: &'a Surroundings) -> Result<Self, EpisodeError> {
        let state = episode.game.start()?;
        around.tell(Event::Started { episode: episode.index, turns: 0, torn: 0 });
        let header = Header { time: HeaderTime { started: clock::now() }, ..episode.header(&state) };
        let writer = TraceWriter::create(&episode.path, header)?;
        let (past, calls, worked) = (Vec::new(), Vec::new(), Duration::ZERO);
        Ok(Sitting { episode, around, state, past, calls, writer, worked, ended: None })
    }

    /// How the episode ends now, if it does.
    fn ending(&self) -> Option<(Ending, Option<String>)> {
        let limits = &self.episode.limits;
        // Calls of a turn that is still to be decided count once it is: an interruption must not change what ends it.
        let decided = || self.calls.iter().filter(|call| call.turn <= self.state.turn);
        let tokens: u64 = decided().map(|call| call.usage.prompt_tokens + call.usage.completion_tokens).sum();
        let cost: f64 = decided().filter_map(|call| call.usage.cost_usd).sum();
        if let Some(end) = self.state.end {
            return Some((end.into(), None));
        }
        if self.state.turn >= limits.turns {
            return Some((Ending::TurnLimit, Some(format!("the limit of {} decisions", limits.turns))));
        }
        let over = match (limits.tokens, limits.cost_usd, &limits.wall) {
            (Some(most), _, _) if tokens >= most => format!("the limit of {most} tokens: {tokens} used"),
            (_, Some(most), _) if cost >= most => format!("the limit of {most} USD: {cost:.4} spent"),
            (_, _, Some(most)) if self.worked >= most.0 => {
                format!("the limit of {} s at work", most.0.as_secs())
            }
            _ => return None,
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
            seed: seed::of_turn(self.episode.seed, &self.episode.id, self.state.turn + 1),
        };
        let mut log = Log { writer: &mut self.writer, calls: Vec::new(), episode: self.episode, around: self.around };
        let choice = match self.episode.calls_a_server {
            false => agent.choose(&view, &mut log).await,
            true => tokio::select! {
                biased;
                choice = agent.choose(&view, &mut log) => choice,
                () = self.around.nothing_in_flight() => Err(AgentError::Interrupted),
            },
        };
        let waited: Duration = log.calls.iter().map(|call| seconds(call.time.waiting_s)).sum();
        let calls = log.calls;
        self.calls.extend(calls);
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
        self.writer.write(&Record::Decision(decision))?;
        self.worked += took.saturating_sub(waited);
        self.past.push(past);
        self.state = step.state;
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

    fn finish(mut self, ending: Ending, reason: Option<String>) -> Result<Outcome, EpisodeError> {
        let waiting: f64 = self.calls.iter().map(|call| call.time.waiting_s).fold(0.0, std::ops::Add::add);
        self.writer.write(&Record::Footer(Footer {
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
        }))?;
        self.around.tell(Event::Finished { episode: self.episode.index, ending });
        Ok(Outcome::Finished(ending))
    }
}

/// Seconds from a trace, which may hold anything.
fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or_default()
}

/// Writes calls into the trace as they are completed.
struct Log<'a> {
    writer: &'a mut TraceWriter,
    calls: Vec<Call>,
    episode: &'a Episode,
    around: &'a Surroundings,
}

impl CallLog for Log<'_> {
    fn record(&mut self, call: Call) -> Result<(), AgentError> {
        self.writer.write(&Record::Call(call.clone())).map_err(|error| AgentError::Log(error.to_string()))?;
        let (verdict, usage) = (call.verdict, call.usage);
        self.calls.push(call);
        self.around.tell(Event::Called { episode: self.episode.index, verdict, usage });
        // Asking again would be a new call; the resumed turn does that.
        match verdict != Verdict::Ok && self.around.is_stopping() {
            true => Err(AgentError::Interrupted),
            false => Ok(()),
        }
    }
}

/// The trace of an episode in a run's folder.
pub fn trace_path(folder: &Path, id: &str) -> PathBuf {
    folder.join("episodes").join(format!("{id}.jsonl"))
}
