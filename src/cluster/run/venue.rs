//! Where a worker plays the episodes of one run: floors, prompts and agents unpacked from its parcel as they are needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};

use super::parcel::{Item, PARCEL, Parcel, floor_name, replay_path};
use super::store::JournalStore;
use crate::cluster::batch::Batch;
use crate::cluster::bench::{Bench, Done, MOST_LOSSES, Myself, PATIENCE, fault};
use crate::cluster::error::ClusterError;
use crate::cluster::journal::Mark;
use crate::cluster::lease::Lease;
use crate::cluster::limits::{self, SharedLimits};
use crate::cluster::lines::losses;
use crate::cluster::registry::Listed;
use crate::cluster::status::Status;
use crate::eval::board::CallBoard;
use crate::eval::config::{AgentKind, RunLimits};
use crate::eval::episode::{self, EpisodeError, Outcome};
use crate::eval::event::Event;
use crate::eval::floor::BatchFloor;
use crate::eval::lineup::{Lineup, LineupError};
use crate::eval::plan::{Entry, Plan};
use crate::eval::seat::{Aside, seated};
use crate::eval::store::{EpisodeStore, StoreError};
use crate::eval::surroundings::Surroundings;
use crate::eval::waits::Waits;
use crate::format;
use crate::model::{Budget, Limits};
use crate::prompt::Prompt;

/// Where the episodes of one run are played.
pub struct Venue {
    batch: Batch,
    parcel: Parcel,
    prompts: BTreeMap<String, Arc<Prompt>>,
    floors: tokio::sync::Mutex<Floors>,
    seats: tokio::sync::Mutex<BTreeMap<String, Result<Arc<Seat>, String>>>,
    limits: Arc<SharedLimits>,
    dearest: BTreeMap<String, f64>,
    around: Surroundings,
    store: Arc<JournalStore>,
    publication: u64,
    waits: Arc<Mutex<Waits>>,
    /// Episodes that are being played here.
    playing: Mutex<BTreeSet<String>>,
    myself: Myself,
    /// Holds what agents read from files; goes away with the venue.
    folder: TempDir,
}

/// An agent and what its episodes share.
struct Seat {
    plan: Plan,
    lineup: Arc<Lineup>,
}

/// Floors that have been unpacked, by hash, the one used last at the end.
#[derive(Default)]
struct Floors {
    held: Vec<BatchFloor>,
}

/// How long a worker tries to say that it has given an episode back.
const PARTING: Duration = Duration::from_secs(3);
/// Floors that are held at once: episodes of one floor mostly come one after the other.
const FLOORS_HELD: usize = 64;

impl Venue {
    /// Unpacks a run. `stop` turns true when the worker is to stop.
    ///
    /// # Errors
    /// [`ClusterError`] if it is not there or cannot be read.
    pub async fn open(
        listed: &Listed,
        batch: Batch,
        myself: &Myself,
        stop: watch::Receiver<bool>,
    ) -> Result<Self, ClusterError> {
        let gone =
            || ClusterError::Gone { what: format!("the run {}", batch.names.batch), why: "it is not packed".into() };
        let parcel = Parcel::read(&batch.get(PARCEL).await?.ok_or_else(gone)?)?;
        let unreadable = |what: String, why: String| ClusterError::Unreadable { what, why };
        let mut prompts = BTreeMap::new();
        for (name, text) in &parcel.prompts {
            let prompt = Prompt::parse(&format!("{name}.md"), text)
                .map_err(|error| unreadable(format!("the prompt {name}"), error.to_string()))?;
            prompts.insert(name.clone(), Arc::new(prompt));
        }
        let folder = tempfile::tempdir().map_err(|source| ClusterError::Io { path: std::env::temp_dir(), source })?;
        for (agent, name) in &parcel.replays {
            let text = batch.get(name).await?.ok_or_else(gone)?;
            let path = replay_path(folder.path(), agent);
            std::fs::write(&path, text).map_err(|source| ClusterError::Io { path, source })?;
        }
        let limits = shared_limits(&batch, &parcel, myself).await?;
        let dearest = limits::dearest(&batch.counts).await?;
        let (events, heard) = mpsc::unbounded_channel();
        let board = Arc::new(CallBoard::new(events.clone()));
        let store = Arc::new(JournalStore::new(batch.journal.clone(), &myself.name, PATIENCE));
        let stored: Arc<dyn EpisodeStore> = store.clone();
        let waits = Arc::new(Mutex::default());
        tokio::spawn(listen(heard, waits.clone()));
        Ok(Venue {
            parcel,
            prompts,
            floors: tokio::sync::Mutex::default(),
            seats: tokio::sync::Mutex::default(),
            limits,
            dearest,
            around: Surroundings { events, stop, board, store: stored },
            store,
            publication: listed.publication,
            waits,
            playing: Mutex::default(),
            myself: myself.clone(),
            folder,
            batch,
        })
    }

    /// Plays an episode from where its journal stands.
    async fn play(&self, item: &Item) -> Result<Outcome, Done> {
        let seat = self.seat(&item.key.agent).await?;
        let floor = self.floor(&item.floor_hash).await?;
        let plan = self.plan(&seat, item, floor)?;
        let episode = plan.episode(0);
        let plan = Arc::new(plan);
        let entry = plan.episodes[0].clone();
        let mut agent = seated(seat.lineup.clone(), plan, entry).await;
        if let AgentKind::Lookahead(_) = &seat.plan.config.agents[0].kind {
            agent = Box::new(Aside(agent));
        }
        episode::play(&episode, agent.as_mut(), &self.around).await.map_err(failed)
    }

    /// The plan of a single episode.
    fn plan(&self, seat: &Seat, item: &Item, floor: BatchFloor) -> Result<Plan, Done> {
        let mut plan = seat.plan.clone();
        if item.key.prompt != "none" {
            let prompt = self.prompts.get(&item.key.prompt);
            plan.prompts
                .push(prompt.cloned().ok_or_else(|| Done::Later(format!("there is no prompt {}", item.key.prompt)))?);
        }
        plan.floors.push(floor);
        let id = item.key.id(&item.floor_hash);
        let prompt = (item.key.prompt != "none").then_some(0);
        plan.episodes.push(Entry { id, key: item.key.clone(), floor: 0, prompt, agent: 0 });
        Ok(plan)
    }

    /// An agent, made the first time that it is asked for. One that cannot be made here may be elsewhere.
    async fn seat(&self, agent: &str) -> Result<Arc<Seat>, Done> {
        let mut seats = self.seats.lock().await;
        let seat = seats.entry(agent.to_owned()).or_insert_with(|| self.make_seat(agent).map(Arc::new));
        seat.clone().map_err(Done::CannotHere)
    }

    fn make_seat(&self, agent: &str) -> Result<Seat, String> {
        let mut config = self.parcel.manifest.config.clone();
        config.agents.retain(|known| known.name == agent);
        match config.agents.first_mut().map(|agent| &mut agent.kind) {
            None => return Err("the run has no such agent".into()),
            Some(AgentKind::Command(_)) if !self.myself.runs_commands => {
                return Err(
                    "it is a program, and this worker starts none that others name (mota worker --commands)".into()
                );
            }
            Some(AgentKind::Replay(replay)) => replay.trace = replay_path(self.folder.path(), agent),
            Some(_) => {}
        }
        // What is relative to the configuration file is relative to where the worker was started. Whoever published the run
        // may be anybody, and is not to name other folders.
        let inside = |folder: &PathBuf| folder.components().all(|part| matches!(part, Component::Normal(_)));
        if config.cache.as_ref().is_some_and(|folder| !inside(folder)) {
            tracing::warn!("answers are not kept: the folder that the run names for them is not inside this one");
            config.cache = None;
        }
        let (floors, prompts, episodes, warnings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let plan = Plan { config, base: ".".into(), floors, prompts, episodes, warnings };
        let limits: Arc<dyn Limits> = self.limits.clone();
        let lineup = Lineup::new(&plan, &self.around.board, &limits, &self.dearest);
        let lineup = lineup.map_err(|error| match error {
            // Whose it is stands beside it.
            LineupError::Endpoint { source, .. } => source.to_string(),
            LineupError::Trace { source, .. } => source.to_string(),
        })?;
        Ok(Seat { plan, lineup: Arc::new(lineup) })
    }

    /// A floor, unpacked the first time that it is asked for.
    async fn floor(&self, hash: &str) -> Result<BatchFloor, Done> {
        let mut floors = self.floors.lock().await;
        if let Some(place) = floors.held.iter().position(|floor| floor.hash == hash) {
            let floor = floors.held.remove(place);
            floors.held.push(floor.clone());
            return Ok(floor);
        }
        let name = floor_name(hash);
        let text = match self.batch.get(&name).await {
            Ok(Some(text)) => text,
            Ok(None) => return Err(Done::Gone(format!("{name} is no longer there"))),
            Err(error) => return Err(fault(error)),
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let tower =
            format::parse_tower(&format!("{name}.toml"), &text).map_err(|error| Done::Later(error.to_string()))?;
        let floor = BatchFloor::new(tower, name.into(), self.parcel.manifest.config.items).map_err(Done::Later)?;
        if floor.hash != hash {
            return Err(Done::Later(format!("the floor {hash} is another one here, {}: versions differ", floor.hash)));
        }
        if floors.held.len() >= FLOORS_HELD {
            floors.held.remove(0);
        }
        floors.held.push(floor.clone());
        Ok(floor)
    }

    /// Leaves an episode that was taken here open for a later publication, and says why.
    async fn leave(&self, id: &str, left: &Left) -> Done {
        let text = serde_json::to_string(left).unwrap_or_default();
        self.store.part(id, Some((Mark::Left, &text))).await.map_or_else(fault, |()| Done::Whole)
    }

    /// Says that an episode is given back in good order, so that it does not seem to have cost a worker. Gives `done`, unless
    /// somebody else has it: what is theirs is not given back.
    async fn give_back(&self, id: &str, done: Done) -> Done {
        let said = self.store.part(id, Some((Mark::Back, &self.myself.name)));
        match tokio::time::timeout(PARTING, said).await {
            Ok(Ok(())) => done,
            Ok(Err(ClusterError::Moved { .. })) => Done::Lost,
            _ => {
                tracing::debug!("{id}: it could not be said that it was given back");
                done
            }
        }
    }

    /// Plays an item, or says what becomes of it otherwise.
    async fn do_item(&self, item: &Item, id: &str, lease: &Lease) -> Done {
        match self.hopeless(id, lease).await {
            Ok(None) => {}
            Ok(Some(done)) => return done,
            Err(error) => return fault(error),
        }
        match self.play(item).await {
            Ok(Outcome::Finished(_)) => {
                let _ = self.store.part(id, None).await;
                Done::Whole
            }
            Ok(Outcome::Interrupted) => {
                let limits = || Done::Later("the limits of this run cannot be counted now".into());
                self.give_back(id, if self.around.is_stopping() { Done::Back } else { limits() }).await
            }
            Ok(Outcome::AgentStopped(why)) => self.give_back(id, Done::CannotHere(why)).await,
            // So it is for every worker.
            Ok(Outcome::BudgetSpent(why)) => self.leave(id, &self.left(why).stopping_agent()).await,
            Err(Done::Broken(why)) => self.leave(id, &self.left(why).broken()).await,
            Err(done) => {
                let _ = self.store.part(id, None).await;
                done
            }
        }
    }

    /// An episode is not played once more if those who had it were lost again and again: it is left open.
    async fn hopeless(&self, id: &str, lease: &Lease) -> Result<Option<Done>, ClusterError> {
        if usize::try_from(lease.deliveries).unwrap_or_default() <= MOST_LOSSES {
            return Ok(None);
        }
        let lines = self.batch.journal.read(id).await?;
        let losses = losses(&lines);
        if losses < MOST_LOSSES {
            return Ok(None);
        }
        let why = format!("{losses} workers had this episode and were lost at the same decision");
        let text = serde_json::to_string(&self.left(why).broken()).unwrap_or_default();
        let last = lines.last().map_or(0, |line| line.sequence);
        self.batch.journal.writer(id, last, PATIENCE).mark(Mark::Left, &text).await?;
        Ok(Some(Done::Whole))
    }

    fn left(&self, why: String) -> Left {
        Left { publication: self.publication, why, stops_agent: false, broken: false }
    }
}

/// The limits of a run, counted together with all its other workers.
async fn shared_limits(batch: &Batch, parcel: &Parcel, myself: &Myself) -> Result<Arc<SharedLimits>, ClusterError> {
    let config = &parcel.manifest.config;
    let rates = config.agents.iter().filter_map(|agent| match &agent.kind {
        AgentKind::Model(endpoint) => Some((agent.name.clone(), endpoint.rates())),
        _ => None,
    });
    let RunLimits { tokens, cost_usd } = config.limits.run;
    let (store, holder) = (batch.counts.clone(), myself.name.clone());
    Ok(SharedLimits::new(store, holder, rates.collect(), Budget { tokens, cost_usd }).await?)
}

/// Why an episode stays open, as its journal says.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Left {
    /// Which publication of the run it was left in.
    #[serde(default)]
    pub publication: u64,
    /// In words.
    pub why: String,
    /// Whether its agent cannot play on at all: the batch's budget is spent.
    pub stops_agent: bool,
    /// Whether what is stored of it cannot be gone on with.
    pub broken: bool,
}

impl Left {
    fn broken(self) -> Self {
        Left { broken: true, ..self }
    }

    fn stopping_agent(self) -> Self {
        Left { stops_agent: true, ..self }
    }
}

#[async_trait]
impl Bench for Venue {
    async fn work(&self, _: &str, lease: &Lease) -> Done {
        let item: Item = match serde_json::from_slice(&lease.payload) {
            Ok(item) => item,
            Err(error) => return Done::Later(format!("an item that cannot be read: {error}")),
        };
        if item.publication > self.publication {
            return Done::Stale;
        }
        let id = item.key.id(&item.floor_hash);
        let playing = || self.playing.lock().unwrap_or_else(PoisonError::into_inner);
        // A machine that slept may be given once more what it still plays.
        if !playing().insert(id.clone()) {
            return Done::Stale;
        }
        let done = self.do_item(&item, &id, lease).await;
        playing().remove(&id);
        done
    }

    fn room(&self, doer: &str) -> usize {
        let agent = self.parcel.manifest.config.agents.iter().find(|agent| agent.name == doer);
        match agent.map(|agent| &agent.kind) {
            // One to spare: the next call is ready when one comes back.
            Some(AgentKind::Model(endpoint)) => {
                endpoint.rates().concurrent_calls.map_or(usize::MAX, |calls| (calls as usize).saturating_add(1))
            }
            _ => usize::MAX,
        }
    }

    async fn close(&self) {
        self.limits.settled().await;
    }

    fn status(&self) -> Status {
        let waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        Status {
            in_flight: self.around.board.in_flight(),
            waiting: waits.by_agent(Instant::now()),
            trouble: self.batch.journal.trouble(),
            ..Status::default()
        }
    }
}

/// Keeps count of the calls that wait.
async fn listen(mut events: mpsc::UnboundedReceiver<Event>, waits: Arc<Mutex<Waits>>) {
    while let Some(event) = events.recv().await {
        let mut waits = waits.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Waiting { agent, why, seconds } => waits.begin(&agent, &why, seconds, Instant::now()),
            Event::Resumed { agent } => waits.end(&agent),
            _ => {}
        }
    }
}

/// What an episode that could not be played means for its item.
fn failed(error: EpisodeError) -> Done {
    match error {
        EpisodeError::Store(StoreError::Moved(_)) => Done::Lost,
        EpisodeError::Store(StoreError::Failed(why)) => Done::Later(why),
        EpisodeError::Store(StoreError::Gone(why)) => Done::Gone(why),
        // What its journal holds no other worker can go on with either.
        error => Done::Broken(error.to_string()),
    }
}
