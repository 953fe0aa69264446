//! An episode that is interrupted between a call and its decision goes on as if it had not been, wherever it goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mota::agent::{Agent, AgentError, Call, CallLog, Choice, Usage, Verdict, View};
use mota::eval::EpisodeKey;
use mota::eval::board::CallBoard;
use mota::eval::config::Limits;
use mota::eval::episode::{Episode, EpisodeError, Outcome, play};
use mota::eval::floor::BatchFloor;
use mota::eval::store::{EpisodeStore, FolderStore, StoreError, trace_path};
use mota::eval::surroundings::Surroundings;
use mota::game::ItemMode;
use tokio::sync::{mpsc, watch};

/// Makes one call of 1,000 tokens a decision and takes the first action.
struct Costly;

#[async_trait]
impl Agent for Costly {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        if !view.calls.iter().any(|call| call.turn == view.turn()) {
            let call = Call {
                turn: view.turn(),
                content: Some("1".into()),
                verdict: Verdict::Ok,
                number: Some(1),
                usage: Usage { prompt_tokens: 1_000, ..Usage::default() },
                ..Call::default()
            };
            calls.record(call).await?;
        }
        Ok(Choice::own(1))
    }
}

fn episode() -> Episode {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/simple.toml");
    let tower = mota::format::read_tower(&file).unwrap();
    let floor = BatchFloor::new(tower, file, ItemMode::Auto).unwrap();
    let key = EpisodeKey { agent: "a".into(), floor: "simple".into(), prompt: "none".into(), repeat: 0 };
    Episode {
        index: 0,
        id: key.id(&floor.hash),
        key,
        game: floor.game.clone(),
        floor_hash: floor.hash.clone(),
        prompt_hash: None,
        seed: 1,
        items: ItemMode::Auto,
        r#override: false,
        calls_a_server: true,
        limits: Limits { tokens: Some(3_000), ..Limits::default() },
        delay: Duration::ZERO,
        sends_earlier_turns: false,
    }
}

/// A folder of episodes, and the path of the one that is played here.
fn folder() -> (tempfile::TempDir, Arc<dyn EpisodeStore>, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = trace_path(folder.path(), &episode().id);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let store = Arc::new(FolderStore::new(folder.path()));
    (folder, store, path)
}

async fn sit_down(store: &Arc<dyn EpisodeStore>, agent: &mut dyn Agent) -> Result<Outcome, EpisodeError> {
    let (events, _listener) = mpsc::unbounded_channel();
    let (_stop, stop) = watch::channel(false);
    let board = Arc::new(CallBoard::new(events.clone()));
    let around = Surroundings { board, events, stop, store: store.clone() };
    play(&episode(), agent, &around).await
}

/// The lines of a trace without their clock readings.
fn timeless(path: &Path) -> Vec<serde_json::Value> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| {
            let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().remove("time");
            value
        })
        .collect()
}

#[tokio::test]
async fn cut_after_any_line_it_ends_the_same() {
    let (_folder, store, path) = folder();
    sit_down(&store, &mut Costly).await.unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let expected = timeless(&path);
    assert_eq!(expected.last().unwrap()["turns"], 3, "the limit of 3,000 tokens is three decisions");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for keep in 0..lines.len() {
        fs::write(&path, lines[..keep].concat()).unwrap();
        sit_down(&store, &mut Costly).await.unwrap();
        assert_eq!(timeless(&path), expected, "cut after line {keep}");
    }
}

/// Plays as [`Costly`] until the decision at which the episode is played to its end by somebody else.
struct Overtaken {
    store: Arc<dyn EpisodeStore>,
    at: u32,
}

#[async_trait]
impl Agent for Overtaken {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        if view.turn() == self.at {
            sit_down(&self.store, &mut Costly).await.map_err(|error| AgentError::Episode(error.to_string()))?;
        }
        Costly.choose(view, calls).await
    }
}

/// An episode in progress moves to whoever takes it: nothing is stored twice, and who had it before stores nothing more.
#[tokio::test]
async fn an_episode_moves_to_whoever_takes_it() {
    let (_expected_folder, store, path) = folder();
    sit_down(&store, &mut Costly).await.unwrap();
    let expected = timeless(&path);
    for at in 1..=3 {
        let (_folder, store, path) = folder();
        let outcome = sit_down(&store, &mut Overtaken { store: store.clone(), at }).await;
        assert!(matches!(outcome, Err(EpisodeError::Store(StoreError::Moved(_)))), "overtaken at {at}: {outcome:?}");
        assert_eq!(timeless(&path), expected, "overtaken at {at}");
    }
}

#[tokio::test]
async fn what_is_set_aside_is_kept_and_counted() {
    let (folder, store, path) = folder();
    let id = &episode().id;
    for round in 1..=2 {
        sit_down(&store, &mut Costly).await.unwrap();
        assert_eq!(store.look(id).await.unwrap().unwrap().spent().tokens, 3_000);
        store.set_aside(id).await.unwrap();
        assert!(store.look(id).await.unwrap().is_none() && !path.exists());
        assert_eq!(store.spent_aside().await.unwrap().tokens, 3_000 * round);
    }
    assert!(folder.path().join(format!("retried/{id}.2.jsonl")).is_file());
}
