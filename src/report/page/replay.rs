//! An episode, packed so that it can be stepped through: what stood where, what could have been chosen, what it was worth.
//! Plays the decisions of an analysis again by the rules; knows nothing of who chose, beyond what the analysis says.

use std::path::Path;

use serde::Serialize;

use super::calls::{self, Calls};
use super::value::Value;
use super::whole::Whole;
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::replay::pick;
use crate::game::{Game, GameError, Hero, Position, Purchase, State, Step};
use crate::prompt::observation::{Verb, action_views, blocked_views, collected};
use crate::prompt::{ActionView, BlockedView};
use crate::report::episodes::by;
use crate::solver::Worth;

/// An episode to be stepped through.
#[derive(Serialize)]
pub struct Replay {
    start: Option<Stop>,
    decisions: Vec<Scene>,
    /// Why the decisions after these cannot be shown, if there are any.
    failed: Option<String>,
    #[serde(flatten)]
    calls: Calls,
}

/// Where a game stands between two decisions.
#[derive(Serialize)]
struct Stop {
    hero: [Whole; 10],
    /// Floor, column, row.
    at: [u16; 3],
    /// Tiles cleared since the last stop, by their numbers.
    cleared: Vec<u32>,
}

/// A decision.
#[derive(Serialize)]
struct Scene {
    chosen: u32,
    executed: u32,
    by: &'static str,
    /// Value of the state before it, as in the analysis.
    before: Value,
    lost: Option<Whole>,
    /// Whether the value was lowered, where it is not known by how much.
    #[serde(skip_serializing_if = "Option::is_none")]
    lowered: Option<bool>,
    optimal: Option<bool>,
    losing: Option<bool>,
    forced: Option<bool>,
    critical: Option<bool>,
    actions: Vec<Deed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<Obstacle>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collected: Vec<String>,
    after: Stop,
}

/// A legal action with its effect and its value.
#[derive(Serialize)]
struct Deed {
    at: [u16; 3],
    verb: Verb,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<Whole>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lethal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<Whole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purchase: Option<Purchase>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collects: Vec<String>,
    hp_after: Whole,
    value: Value,
}

/// Something in reach that is not legal.
#[derive(Serialize)]
struct Obstacle {
    at: [u16; 3],
    what: String,
    reason: String,
}

impl Replay {
    /// Of an episode of the run in `folder`; without a game it has no decisions, but its calls.
    pub fn of(folder: &Path, game: Option<&Game>, episode: &EpisodeAnalysis) -> Self {
        let mut replay = Replay { start: None, decisions: Vec::new(), failed: None, calls: calls::of(folder, episode) };
        let played = match game {
            Some(game) => replay.play(game, episode),
            None => Err("the run does not have the floor".into()),
        };
        replay.failed = played.err();
        replay
    }

    /// Shows decision by decision; the error says why one could not be executed.
    fn play(&mut self, game: &Game, episode: &EpisodeAnalysis) -> Result<(), String> {
        let rules = |error: GameError| error.to_string();
        let mut state = game.start().map_err(rules)?;
        self.start = Some(stop(&game.untouched(), &state));
        for decision in &episode.decisions {
            let actions = game.actions(&state).map_err(rules)?;
            let number = decision.executed;
            let executed = pick(&actions, number)
                .ok_or_else(|| format!("action {number} was executed, and {} are legal", actions.len()))?;
            let step = game.apply(&state, executed).map_err(rules)?;
            let views = action_views(game, &state, &actions).map_err(rules)?;
            let blocked = blocked_views(game, &state, &game.blocked(&state).map_err(rules)?);
            self.decisions.push(scene(game, decision, &state, &step, views, blocked));
            state = step.state;
        }
        Ok(())
    }
}

fn scene(
    game: &Game,
    decision: &DecisionValue,
    before: &State,
    step: &Step,
    views: Vec<ActionView>,
    blocked: Vec<BlockedView>,
) -> Scene {
    let values = decision.actions.iter().map(|action| action.worth).chain(std::iter::repeat(Worth::UNKNOWN));
    Scene {
        chosen: decision.chosen,
        executed: decision.executed,
        by: by(decision.by),
        before: decision.before.into(),
        lost: decision.value_lost().map(Whole::from),
        lowered: decision.loses_value().filter(|_| !decision.is_known()),
        optimal: decision.is_optimal(),
        losing: decision.is_losing(),
        forced: decision.is_forced(),
        critical: decision.is_critical(),
        actions: views.into_iter().zip(values).map(|(view, worth)| deed(view, worth)).collect(),
        blocked: (blocked.into_iter())
            .map(|BlockedView { target, what, reason }| Obstacle { at: place(target), what, reason })
            .collect(),
        collected: collected(game, &step.collected),
        after: stop(before, &step.state),
    }
}

fn deed(view: ActionView, worth: Worth) -> Deed {
    Deed {
        at: place(view.target),
        verb: view.verb,
        text: view.text,
        damage: view.damage.map(Whole::from),
        lethal: view.lethal,
        price: view.price.map(Whole::from),
        purchase: view.purchase,
        collects: view.collects,
        hp_after: view.hp_after.into(),
        value: worth.into(),
    }
}

fn stop(before: &State, now: &State) -> Stop {
    Stop {
        hero: quantities(&now.hero),
        at: place(now.at),
        cleared: now.cleared.iter().filter(|cell| !before.cleared.contains(*cell)).collect(),
    }
}

fn place(at: Position) -> [u16; 3] {
    [at.floor, at.x, at.y]
}

/// In the order in which the script names them.
fn quantities(hero: &Hero) -> [Whole; 10] {
    let Hero { hp, atk, def, mdef, gold, experience, keys, marks: _ } = *hero;
    [hp, atk, def, mdef, gold, experience, keys.yellow, keys.blue, keys.red, keys.green].map(Whole::from)
}
