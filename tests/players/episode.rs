//! An episode that is interrupted between a call and its decision goes on as if it had not been.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mota::agent::{Agent, AgentError, Call, CallLog, Choice, Usage, Verdict, View};
use mota::eval::EpisodeKey;
use mota::eval::board::CallBoard;
use mota::eval::config::Limits;
use mota::eval::episode::{Episode, Outcome, Surroundings, play};
use mota::eval::floor::BatchFloor;
use mota::game::ItemMode;
use tokio::sync::{mpsc, watch};

/// Makes one call of 1,000 tokens a decision and takes the first action.
struct Costly;

#[async_trait]
impl Agent for Costly {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        if !view.calls.iter().any(|call| call.turn == view.turn()) {
            calls.record(Call {
                turn: view.turn(),
                reask: 0,
                messages: Vec::new(),
                content: Some("1".into()),
                reasoning: None,
                finish_reason: None,
                verdict: Verdict::Ok,
                number: Some(1),
                complaint: None,
                usage: Usage { prompt_tokens: 1_000, ..Usage::default() },
                time: Default::default(),
            })?;
        }
        Ok(Choice::own(1))
    }
}

fn episode(path: &Path) -> Episode {
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
        path: path.to_owned(),
    }
}

async fn sit_down(path: &Path) -> Outcome {
    let (events, _listener) = mpsc::unbounded_channel();
    let (_stop, stop) = watch::channel(false);
    let around = Surroundings { board: Arc::new(CallBoard::new(events.clone())), events, stop };
    play(&episode(path), &mut Costly, &around).await.unwrap()
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.jsonl");
    sit_down(&path).await;
    let whole = fs::read_to_string(&path).unwrap();
    let expected = timeless(&path);
    assert_eq!(expected.last().unwrap()["turns"], 3, "the limit of 3,000 tokens is three decisions");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for keep in 0..lines.len() {
        fs::write(&path, lines[..keep].concat()).unwrap();
        sit_down(&path).await;
        assert_eq!(timeless(&path), expected, "cut after line {keep}");
    }
}
