//! A floor made ready for a batch: the game, its identity, its optimum, and what agents share on it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use sha2::{Digest, Sha256};

use super::config::{Config, RouteSource};
use crate::format;
use crate::game::{Action, Game, ItemMode, State, Tower};
use crate::model::Endpoint;
use crate::prompt::tokens::TokenRate;
use crate::prompt::{Asks, Message, Observation, Prompt, Route, RouteUse, Scene, Wanted};
use crate::solver::branch::{self, Limits};
use crate::solver::published::{self, Options, Version};
use crate::solver::settings::Watch;
use crate::solver::values::DEFAULT_MEMORY;
use crate::solver::{Effort, SolveError, Values, Worths, playable, route};

/// A floor of a batch. Cheap to clone; what is computed of it is shared by the clones.
#[derive(Clone)]
pub struct BatchFloor {
    /// The game on it.
    pub game: Game,
    /// Its first state.
    pub start: State,
    /// SHA-256 of the floor in native form, in hexadecimal.
    pub hash: String,
    /// The floor in native form: what the run folder keeps.
    pub text: Arc<str>,
    /// The file that it came from.
    pub path: PathBuf,
    values: Arc<Mutex<Held>>,
    optimum: Arc<OnceLock<Result<Option<i64>, SolveError>>>,
    published_route: Arc<OnceLock<Result<Arc<[Action]>, String>>>,
    exact_route: Arc<OnceLock<Result<Arc<[Action]>, String>>>,
}

impl BatchFloor {
    /// Makes a tower ready.
    ///
    /// # Errors
    /// Why it cannot be played, in words.
    pub fn new(tower: Tower, path: PathBuf, items: ItemMode) -> Result<Self, String> {
        let text: Arc<str> = format::write_native(&tower).into();
        let hash = hash(&text);
        let game = Game::new(tower, items).map_err(|error| error.to_string())?;
        let start = game.start().map_err(|error| error.to_string())?;
        Ok(BatchFloor {
            game,
            start,
            hash,
            text,
            path,
            values: Arc::default(),
            optimum: Arc::default(),
            published_route: Arc::default(),
            exact_route: Arc::default(),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.game.tower().name
    }

    /// The exact state values. They may be large and take long: they are kept as long as somebody holds them, and
    /// computed again when asked for after that; what cannot be had is not sought again.
    ///
    /// # Errors
    /// [`SolveError`] if they cannot be had.
    pub fn values(&self) -> Result<Arc<Values>, SolveError> {
        // Whoever comes second waits for the first to compute them. A panic there leaves nothing half done here.
        let mut held = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let computed = match &*held {
            Held::Had(values) => {
                values.upgrade().map_or_else(|| Values::new(&self.game, DEFAULT_MEMORY).map(Arc::new), Ok)
            }
            Held::NotToBeHad(error) => Err(error.clone()),
        };
        *held = match &computed {
            Ok(values) => Held::Had(Arc::downgrade(values)),
            Err(error) => Held::NotToBeHad(error.clone()),
        };
        computed
    }

    /// What its states are worth: by the values if they can be had, else as far as the effort goes.
    ///
    /// # Errors
    /// [`SolveError`] if its first state cannot be computed.
    pub fn worths(&self, effort: Effort) -> Result<Worths, SolveError> {
        match effort {
            Effort::NoValues => Worths::of(&self.game, Err(SolveError::Stopped), effort),
            Effort::Steps(_) => Worths::of(&self.game, self.values(), effort),
        }
    }

    /// Final HP under best play from the start; `None` if it cannot be won. Computed once.
    ///
    /// # Errors
    /// [`SolveError`] if the value is not known.
    pub fn optimum(&self) -> Result<Option<i64>, SolveError> {
        self.optimum.get_or_init(|| self.values()?.of(&self.start)).clone()
    }

    /// The messages that a model is sent first here: before its first decision, or for its route.
    ///
    /// # Errors
    /// Why the prompt cannot be rendered, in words.
    pub fn first_prompt(&self, prompt: &Prompt, endpoint: &Endpoint, config: &Config) -> Result<FirstPrompt, String> {
        let asks = prompt.asks_first();
        let messages = self.prompt_at_start(prompt, endpoint, asks, config)?;
        Ok(FirstPrompt { messages, wanted: prompt.wanted(asks, self.game.tower().floors.len() > 1) })
    }

    /// The messages that ask for an action, or a route, at the start.
    ///
    /// # Errors
    /// Why the prompt cannot be rendered, in words.
    pub fn prompt_at_start(
        &self,
        prompt: &Prompt,
        endpoint: &Endpoint,
        asks: Asks,
        config: &Config,
    ) -> Result<Vec<Message>, String> {
        let observation = Observation::of(&self.game, &self.start, Some(config.limits.turns), &[]);
        let observation = observation.map_err(|error| error.to_string())?;
        let carried = self.carried_route(prompt, config.route_source)?;
        let route = carried.map(|actions| Route::of_actions(&self.game, &actions).view(&self.game, &self.start, &[]));
        let room = endpoint.room(TokenRate::default());
        let scene = Scene { observation: &observation, route: route.as_ref(), asks, room };
        prompt.render(scene, endpoint.answer).map_err(|error| error.to_string())
    }

    /// The solver's route that a prompt carries here, one action a turn; none if it carries none of a solver's.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn carried_route(&self, prompt: &Prompt, source: RouteSource) -> Result<Option<Arc<[Action]>>, String> {
        match route_source(prompt, source) {
            None => Ok(None),
            Some(RouteSource::Published) if self.game.items() == ItemMode::Action => {
                let what = "the published solver collects items at once, and its route cannot be played by decisions";
                Err(format!("{what} of their own; route_source = \"exact\" names one that can"))
            }
            Some(RouteSource::Published) => self.published_route().map(Some),
            Some(RouteSource::Exact) => self.exact_route().map(Some),
        }
    }

    /// The route of the optimum, one action a turn: the lowest-numbered of the best actions each time. Computed once.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn exact_route(&self) -> Result<Arc<[Action]>, String> {
        self.exact_route.get_or_init(|| self.find_exact_route()).clone()
    }

    fn find_exact_route(&self) -> Result<Arc<[Action]>, String> {
        let values = match self.values() {
            Ok(values) => values,
            Err(SolveError::NotExact(_)) => return self.find_proven_route(),
            Err(error) => return Err(format!("its optimum is not known: {error}")),
        };
        let (mut state, mut actions) = (self.start.clone(), Vec::new());
        while state.end.is_none() {
            let step = route::best_step(&values, &state).map_err(|error| error.to_string())?;
            let step = step.ok_or("the boss cannot be defeated here")?;
            actions.push(step.action);
            state = step.state;
        }
        Ok(actions.into())
    }

    /// The same by branch and bound, if that proves it the best within a fixed number of states.
    fn find_proven_route(&self) -> Result<Arc<[Action]>, String> {
        let limits = Limits { states: MOST_STATES, ..Limits::default() };
        let request = branch::Request { limits, ..branch::Request::default() };
        let mut watch = Watch { stop: &|| false, tell: &mut |_| {} };
        let answer = branch::solve(&self.game, &request, &mut watch).map_err(|error| error.to_string())?;
        match (answer.route, answer.proven) {
            (Some(steps), true) => Ok(steps.into_iter().map(|step| step.action).collect()),
            (None, true) => Err("the game cannot be won here".into()),
            (_, false) => {
                Err(format!("its optimum is not known: branch and bound proves none within {MOST_STATES} states"))
            }
        }
    }

    /// The route of the published solver, one action a turn. The first call may take long.
    ///
    /// # Errors
    /// The solver's word, if it does not take the floor or finds no route.
    pub fn published_route(&self) -> Result<Arc<[Action]>, String> {
        let options = Options::new(Version::Published);
        self.published_route.get_or_init(|| published_route(self.game.tower(), &options)).clone()
    }
}

/// States that branch and bound may make for a route.
const MOST_STATES: u64 = 300_000;

/// The values of a floor, as long as somebody holds them, or why they cannot be had.
enum Held {
    Had(Weak<Values>),
    NotToBeHad(SolveError),
}

impl Default for Held {
    fn default() -> Self {
        Held::Had(Weak::new())
    }
}

/// Whose route a prompt carries, of the solvers; `source` is the configuration's.
pub fn route_source(prompt: &Prompt, source: RouteSource) -> Option<RouteSource> {
    match prompt.route {
        RouteUse::None | RouteUse::Own => None,
        RouteUse::Solver => Some(source),
        RouteUse::Published => Some(RouteSource::Published),
        RouteUse::Exact => Some(RouteSource::Exact),
    }
}

/// What a model is sent first on a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPrompt {
    /// The messages.
    pub messages: Vec<Message>,
    /// What its answer must hold.
    pub wanted: Wanted,
}

/// The route that the published solver finds on a tower, one action a turn.
///
/// # Errors
/// The solver's word, if it does not take the tower, finds no route or gives up.
pub fn published_route(tower: &Tower, options: &Options) -> Result<Arc<[Action]>, String> {
    let outcome = published::search(tower, options).map_err(|error| error.to_string())?;
    let win = outcome.best.ok_or("the published solver finds no route here")?;
    let played = playable::play(tower, &win.route).map_err(|error| error.to_string())?;
    Ok(played.actions.into())
}

/// SHA-256 of a text, in hexadecimal.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
