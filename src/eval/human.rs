//! Games that humans play: in the folder of a run like any other, a trace a game, with what was taken back and whether
//! state values were shown. Knows nothing of how a human is asked.

mod game;

use std::path::{Path, PathBuf};

pub use game::HumanGame;

use super::config::{AgentConfig, AgentKind, Config, Limits, is_name};
use super::floor::BatchFloor;
use super::folder::{FolderError, RunFolder, read_manifest};
use super::manifest::{FORMAT, FloorEntry, Manifest};
use super::record::EpisodeKey;
use super::replay::Difference;
use super::store::trace_path;
use super::trace::{Trace, TraceError};
use crate::game::{GameError, ItemMode};

/// Decisions after which a game would end; no floor has as many.
const TURN_LIMIT: u32 = 1_000_000;

/// Why a game cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum HumanError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The folder is that of a batch.
    #[error("{}: this run is a batch's; games of humans go into a folder of their own, name one with --out", path.display())]
    Batch {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds games of other rules or on another floor of this name.
    #[error("{}: the games in this folder are others, name another with --out:\n{}", path.display(), differences.join("\n"))]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs, a line each.
        differences: Vec<String>,
    },
    /// The player's name cannot stand in file names.
    #[error("the name `{0}` must be 1 to 80 of a to z, A to Z, 0 to 9, `_`, `-` and `.`, and not begin with `.`")]
    Name(String),
    /// A trace cannot be read or written.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// An unfinished game is not what the rules give.
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

/// The games of one human on one floor, in a run's folder that may hold others, locked for this process.
pub struct HumanGames {
    folder: RunFolder,
    manifest: Manifest,
    floor: BatchFloor,
    player: String,
}

impl HumanGames {
    /// Opens or makes the folder, and adds the floor and the player to its run.
    ///
    /// # Errors
    /// [`HumanError`] if the folder is in use, cannot be written, or holds something else.
    pub fn open(path: &Path, player: &str, floor: BatchFloor, items: ItemMode) -> Result<Self, HumanError> {
        if !is_name(player) {
            return Err(HumanError::Name(player.to_owned()));
        }
        let mut manifest = match read_manifest(path) {
            Ok(known) if known.config.agents.iter().all(|agent| agent.kind == AgentKind::Human) => known,
            Ok(_) => return Err(HumanError::Batch { path: path.to_owned() }),
            Err(FolderError::NoRun { .. }) => empty(path, items),
            Err(error) => return Err(error.into()),
        };
        manifest.mota = env!("CARGO_PKG_VERSION").into();
        manifest.config.items = items;
        add(&mut manifest, player, &floor);
        manifest.episodes = begun(path, &manifest);
        let folder =
            RunFolder::of(path, &manifest, std::slice::from_ref(&floor), false).map_err(|error| match error {
                FolderError::Different { path, differences } => HumanError::Different { path, differences },
                other => other.into(),
            })?;
        Ok(HumanGames { folder, manifest, floor, player: player.to_owned() })
    }

    /// The floor that is played.
    pub fn floor(&self) -> &BatchFloor {
        &self.floor
    }

    /// The unfinished game, or else a new one.
    ///
    /// # Errors
    /// [`HumanError`] if its trace cannot be read or written.
    pub fn game(&mut self) -> Result<HumanGame, HumanError> {
        let mut repeat = 0;
        loop {
            let id = self.key(repeat).id(&self.floor.hash);
            let path = trace_path(&self.folder.path, &id);
            match path.exists().then(|| Trace::read(&path)) {
                None | Some(Err(TraceError::Empty { .. })) => return self.begin(repeat, &path),
                Some(Ok(trace)) if trace.footer.is_some() => repeat += 1,
                Some(Ok(trace)) => return HumanGame::go_on(self.floor.game.clone(), trace, &path),
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    /// Keeps the floor's optimum, once it is known, for whoever reads the manifest.
    ///
    /// # Errors
    /// [`HumanError`] if the manifest cannot be written.
    pub fn keep_optimum(&mut self, optimum: Option<i64>) -> Result<(), HumanError> {
        let entry = self.manifest.floors.iter_mut().find(|entry| entry.hash == self.floor.hash);
        if let Some(entry) = entry.filter(|entry| entry.optimum != optimum) {
            entry.optimum = optimum;
            self.folder.keep(&self.manifest)?;
        }
        Ok(())
    }

    /// A new game; the manifest knows of it before its trace exists.
    fn begin(&mut self, repeat: u32, path: &Path) -> Result<HumanGame, HumanError> {
        self.manifest.config.repeats = self.manifest.config.repeats.max(repeat + 1);
        self.manifest.episodes = begun(&self.folder.path, &self.manifest) + usize::from(!path.exists());
        self.folder.keep(&self.manifest)?;
        HumanGame::begin(&self.floor, self.key(repeat), self.manifest.config.seed, path)
    }

    fn key(&self, repeat: u32) -> EpisodeKey {
        let (agent, floor) = (self.player.clone(), self.floor.name().to_owned());
        EpisodeKey { agent, floor, prompt: "none".into(), repeat }
    }
}

/// The run of a folder in which nobody has played yet.
fn empty(path: &Path, items: ItemMode) -> Manifest {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).filter(|name| is_name(name));
    let limits = Limits { turns: TURN_LIMIT, ..Limits::default() };
    let (name, prompts) = (name.unwrap_or_else(|| "play".into()), Vec::new());
    Manifest {
        format: FORMAT,
        mota: String::new(),
        config: Config { name, prompts, items, limits, ..Config::default() },
        floors: Vec::new(),
        prompts: Vec::new(),
        episodes: 0,
    }
}

/// Adds a player and a floor to a run, unless it has them. A floor of that name and other contents stays, and is told as
/// a difference when the folder is opened.
fn add(manifest: &mut Manifest, player: &str, floor: &BatchFloor) {
    let Manifest { config, floors, .. } = manifest;
    if !config.agents.iter().any(|agent| agent.name == player) {
        let (name, kind) = (player.to_owned(), AgentKind::Human);
        config.agents.push(AgentConfig { name, r#override: None, delay_ms: 0, kind });
    }
    let (name, hash) = (floor.name().to_owned(), floor.hash.clone());
    match floors.iter_mut().find(|entry| entry.name == name) {
        Some(entry) if entry.hash == hash => {}
        Some(entry) => *entry = FloorEntry { name, hash, optimum: None },
        None => {
            config.floors.push(format!("floors/{name}.toml"));
            floors.push(FloorEntry { name, hash, optimum: None });
        }
    }
}

/// How many games of a run have a trace.
fn begun(folder: &Path, manifest: &Manifest) -> usize {
    manifest.episodes().iter().filter(|entry| trace_path(folder, &entry.id).exists()).count()
}
