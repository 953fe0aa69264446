//! Whole episodes of a model on the simple floor, against a scripted server and a store in a scratch folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mota::agent::ModelAgent;
use mota::eval::EpisodeKey;
use mota::eval::board::CallBoard;
use mota::eval::config::{Limits, RouteSource};
use mota::eval::episode::{Episode, Outcome, play};
use mota::eval::floor::BatchFloor;
use mota::eval::replay;
use mota::eval::store::{FolderStore, trace_path};
use mota::eval::surroundings::Surroundings;
use mota::eval::trace::Trace;
use mota::game::{ItemMode, Position};
use mota::model::key::Key;
use mota::model::{Cache, Client, Endpoint, Patience, Unwatched};
use mota::prompt::Prompt;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};

use crate::game::last_action;
use crate::server::{Line, Server, says};

/// What an episode is played with, and where it is kept.
pub struct Sitting {
    pub prompt: Prompt,
    pub endpoint: Endpoint,
    pub limits: Limits,
    pub repeat: u32,
    pub cache: Option<Arc<Cache>>,
    pub floor: BatchFloor,
    pub folder: TempDir,
}

impl Sitting {
    /// An episode under a prompt, without override, that ends after so many decisions.
    pub fn of(prompt: &str, turns: u32) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/simple.toml");
        let tower = mota::format::read_tower(&file).expect("a floor");
        let retry = Patience { first: 0.001, longest: 0.002, ..Patience::default() };
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::create_dir_all(folder.path().join("episodes")).expect("a folder");
        Sitting {
            prompt: Prompt::builtin(prompt).expect("it is built in"),
            endpoint: Endpoint { model: "m".into(), timeout: 20.0, retry, ..Endpoint::default() },
            limits: Limits { turns, ..Limits::default() },
            repeat: 0,
            cache: None,
            floor: BatchFloor::new(tower, file, ItemMode::Auto).expect("it can be played"),
            folder,
        }
    }

    fn episode(&self) -> Episode {
        let (agent, floor, prompt) = ("m".into(), "simple".into(), self.prompt.name.clone());
        let key = EpisodeKey { agent, floor, prompt, repeat: self.repeat };
        Episode {
            index: 0,
            id: key.id(&self.floor.hash),
            key,
            game: self.floor.game.clone(),
            floor_hash: self.floor.hash.clone(),
            prompt_hash: Some(self.prompt.hash().to_owned()),
            seed: 1,
            items: ItemMode::Auto,
            r#override: false,
            calls_a_server: true,
            limits: self.limits.clone(),
            delay: Duration::ZERO,
            sends_earlier_turns: self.endpoint.history.is_some(),
        }
    }

    pub fn path(&self) -> PathBuf {
        trace_path(self.folder.path(), &self.episode().id)
    }

    /// Plays from where the trace stands, against a server that says these lines; its requests.
    pub async fn play(&self, script: Vec<Line>) -> (Outcome, Vec<Value>) {
        let server = Server::start(script).await;
        (self.play_at(&server.base_url).await, server.requests())
    }

    /// Plays from where the trace stands, against a server that runs already.
    pub async fn play_at(&self, base_url: &str) -> Outcome {
        let endpoint = Endpoint { base_url: base_url.to_owned(), ..self.endpoint.clone() };
        let client = Client::with_key("m", endpoint, Key::none(), Arc::new(Unwatched)).expect("the endpoint is right");
        let client = Arc::new(client.with_cache(self.cache.clone()));
        let solved = self.floor.carried_route(&self.prompt, RouteSource::Published).expect("there is a route");
        let mut agent = ModelAgent::new(client, Arc::new(self.prompt.clone()), last_action).at(self.repeat, solved);
        let (events, _listener) = mpsc::unbounded_channel();
        let (_stop, stop) = watch::channel(false);
        let board = Arc::new(CallBoard::new(events.clone()));
        let store = Arc::new(FolderStore::new(self.folder.path()));
        let around = Surroundings { board, events, stop, store };
        play(&self.episode(), &mut agent, &around).await.expect("it can be played")
    }

    /// The trace, which must be what the rules give.
    pub fn trace(&self) -> Trace {
        let trace = Trace::read(&self.path()).expect("a trace");
        replay::replay(&self.floor.game, &trace).expect("the trace verifies");
        trace
    }

    /// The lines of the trace without their clock readings.
    pub fn timeless(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path()).expect("a trace");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
        lines
            .map(|mut line: Value| {
                line.as_object_mut().expect("a record").remove("time");
                line
            })
            .collect()
    }
}

/// The tiles of the optimum's decisions on the simple floor.
pub const OPTIMUM: [(u16, u16); 17] = [
    (6, 4),
    (5, 6),
    (4, 7),
    (3, 7),
    (7, 0),
    (8, 0),
    (9, 0),
    (3, 5),
    (7, 5),
    (9, 5),
    (1, 9),
    (10, 7),
    (9, 9),
    (4, 2),
    (2, 1),
    (5, 9),
    (5, 10),
];

/// The answers of a model that plays so well.
pub fn optimal_answers() -> Vec<Line> {
    OPTIMUM.iter().map(|(x, y)| says(&format!("Target: ({x},{y})"))).collect()
}

/// An answer that names a tile and holds a route.
pub fn acts(route: &[(u16, u16)], target: (u16, u16)) -> Line {
    says(
        &json!({ "reasoning": "x", "route": words(route), "action": Position::new(0, target.0, target.1).to_string() })
            .to_string(),
    )
}

/// Tiles as a route is written.
pub fn words(tiles: &[(u16, u16)]) -> Vec<String> {
    tiles.iter().map(|(x, y)| Position::new(0, *x, *y).to_string()).collect()
}

/// The text of a request's last message.
pub fn question(request: &Value) -> &str {
    request["messages"].as_array().and_then(|messages| messages.last()?["content"].as_str()).expect("a message")
}
