//! An episode, packed so that it can be stepped through: what stood where, what could have been chosen, what it was worth.
//! Plays the decisions of an analysis again by the rules; knows nothing of who chose, beyond what the analysis says.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::calls::{self, Calls};
use super::value::Value;
use super::whole::Whole;
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::record::Decision;
use crate::eval::replay::pick;
use crate::eval::store::trace_path;
use crate::eval::trace::Trace;
use crate::game::{Action, CellIndex, Game, GameError, Hero, Position, Purchase, State, Step, Tile};
use crate::prompt::observation::{Verb, action_views, blocked_views, collected, marks, question, tools};
use crate::prompt::{ActionView, BlockedView};
use crate::report::episodes::by;
use crate::report::picture::stage::Looks;
use crate::solver::Worth;

/// An episode to be stepped through.
#[derive(Serialize)]
pub struct Replay {
    start: Option<Stop>,
    /// Every action that was legal before some decision, once: most are so before many.
    deeds: Once<Deed>,
    /// Everything that was in reach before some decision but not legal, once.
    obstacles: Once<Obstacle>,
    decisions: Vec<Scene>,
    /// How the tiles look that events have changed; nothing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    looks: Option<Looks>,
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
    /// Tiles cleared since the last stop, by their numbers; where events change tiles, all is told by `changed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cleared: Vec<u32>,
    /// Tiles that look otherwise than at the last stop, each with its look by number; none where it is open floor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<(u32, Option<usize>)>,
    /// What else the hero has, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    holds: Vec<String>,
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
    /// What an event asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    /// The legal actions, in the order of their numbers, by their places in [`Replay::deeds`].
    deeds: Vec<usize>,
    /// Value after each; nothing where none is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Value>,
    /// What was in reach but not legal, by its places in [`Replay::obstacles`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collected: Vec<String>,
    after: Stop,
}

/// A legal action with its effect.
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
    /// By how much it changes the hero's HP, items included; 0 if it kills him.
    change: Whole,
}

/// Something in reach that is not legal.
#[derive(Serialize)]
struct Obstacle {
    at: [u16; 3],
    what: String,
    reason: String,
}

/// Values that occur often, each kept once.
#[derive(Serialize)]
#[serde(transparent)]
struct Once<T> {
    all: Vec<T>,
    /// Where each stands, by its JSON.
    #[serde(skip)]
    places: HashMap<String, usize>,
}

impl<T: Serialize> Once<T> {
    fn new() -> Self {
        Once { all: Vec::new(), places: HashMap::new() }
    }

    /// The place of a value, which is added if it is not there.
    fn place(&mut self, value: T) -> Result<usize, String> {
        let text = serde_json::to_string(&value).map_err(|error| error.to_string())?;
        Ok(*self.places.entry(text).or_insert_with(|| {
            self.all.push(value);
            self.all.len() - 1
        }))
    }
}

impl Replay {
    /// Of an episode of the run in `folder`; without a game it has no decisions, but its calls.
    pub fn of(folder: &Path, game: Option<&Game>, episode: &EpisodeAnalysis) -> Self {
        let trace = Trace::read(&trace_path(folder, &episode.id)).ok().filter(|trace| trace.header.id == episode.id);
        let mut replay = Replay {
            start: None,
            deeds: Once::new(),
            obstacles: Once::new(),
            decisions: Vec::new(),
            looks: None,
            failed: None,
            calls: calls::of(trace.as_ref(), episode),
        };
        let played = match game {
            Some(game) => replay.play(game, episode, trace.as_ref()),
            None => Err("the run does not have the floor".into()),
        };
        replay.failed = played.err();
        replay
    }

    /// Shows decision by decision; the error says why one could not be executed.
    fn play(&mut self, game: &Game, episode: &EpisodeAnalysis, trace: Option<&Trace>) -> Result<(), String> {
        let rules = |error: GameError| error.to_string();
        let mut looks = Vec::new();
        let mut state = game.start().map_err(rules)?;
        self.start = Some(stop(game, &game.untouched(), &state, &mut looks));
        let played = self.play_on(game, episode, trace, &mut state, &mut looks);
        self.looks = (!looks.is_empty()).then(|| Looks::of(looks, game));
        played
    }

    fn play_on(
        &mut self,
        game: &Game,
        episode: &EpisodeAnalysis,
        trace: Option<&Trace>,
        state: &mut State,
        looks: &mut Vec<Tile>,
    ) -> Result<(), String> {
        let rules = |error: GameError| error.to_string();
        let mut recorded = trace.iter().flat_map(|trace| &trace.decisions);
        for decision in &episode.decisions {
            let recorded = recorded.next();
            let actions = game.actions(state).map_err(rules)?;
            let number = decision.executed;
            let executed = pick(&actions, number)
                .ok_or_else(|| format!("action {number} was executed, and {} are legal", actions.len()))?;
            let step = game.apply(state, executed).map_err(rules)?;
            // What each action does takes as long to find as the whole game: the trace is asked first.
            let (views, blocked) = match recorded.filter(|recorded| is_of(recorded, state, &actions)) {
                Some(recorded) => (recorded.actions.clone(), recorded.blocked.clone()),
                None => {
                    let blocked = game.blocked(state).map_err(rules)?;
                    (action_views(game, state, &actions).map_err(rules)?, blocked_views(game, state, &blocked))
                }
            };
            let deeds = views.into_iter().map(|view| self.deeds.place(deed(view, state.hero.hp)));
            let obstacles = blocked.into_iter().map(|blocked| self.obstacles.place(obstacle(blocked)));
            let (deeds, obstacles) = (deeds.collect::<Result<_, _>>()?, obstacles.collect::<Result<_, _>>()?);
            self.decisions.push(Scene { deeds, obstacles, ..scene(game, decision, state, &step, looks) });
            *state = step.state;
        }
        Ok(())
    }
}

/// Whether a recorded decision is one of a state with these actions.
fn is_of(recorded: &Decision, state: &State, actions: &[Action]) -> bool {
    let targets = recorded.actions.iter().map(|action| action.target);
    recorded.hero == state.hero && recorded.at == state.at && targets.eq(actions.iter().map(|action| action.target))
}

/// A decision without what could have been chosen.
fn scene(game: &Game, decision: &DecisionValue, before: &State, step: &Step, looks: &mut Vec<Tile>) -> Scene {
    let values = decision.actions.iter().map(|action| action.worth);
    let known = values.clone().any(|worth| worth != Worth::UNKNOWN);
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
        deeds: Vec::new(),
        values: if known { values.map(Value::from).collect() } else { Vec::new() },
        obstacles: Vec::new(),
        collected: collected(game, &step.collected),
        question: question(game, before).map(|question| question.text),
        after: stop(game, before, &step.state, looks),
    }
}

fn obstacle(BlockedView { target, what, reason }: BlockedView) -> Obstacle {
    Obstacle { at: place(target), what, reason }
}

fn deed(view: ActionView, hp: i64) -> Deed {
    Deed {
        at: place(view.target),
        verb: view.verb,
        text: view.text,
        damage: view.damage.map(Whole::from),
        lethal: view.lethal,
        price: view.price.map(Whole::from),
        purchase: view.purchase,
        collects: view.collects,
        change: if view.lethal { 0 } else { i128::from(view.hp_after) - i128::from(hp) }.into(),
    }
}

fn stop(game: &Game, before: &State, now: &State, looks: &mut Vec<Tile>) -> Stop {
    let mut stop = Stop {
        hero: quantities(&now.hero),
        at: place(now.at),
        cleared: now.cleared.iter().filter(|cell| !before.cleared.contains(*cell)).collect(),
        changed: Vec::new(),
        holds: holds(game, now),
    };
    if !game.tower().is_plain() {
        stop.cleared.clear();
        for cell in 0..game.graph().len() as CellIndex {
            let tile = game.tile_now(now, cell);
            if tile != game.tile_now(before, cell) {
                stop.changed.push((cell, look(tile, looks)));
            }
        }
    }
    stop
}

/// The number of a tile's look, which is added if it is not there; none for open floor.
fn look(tile: Tile, looks: &mut Vec<Tile>) -> Option<usize> {
    if tile == Tile::Floor {
        return None;
    }
    let known = looks.iter().position(|known| *known == tile);
    Some(known.unwrap_or_else(|| {
        looks.push(tile);
        looks.len() - 1
    }))
}

/// What the hero has beside his quantities, in words.
fn holds(game: &Game, state: &State) -> Vec<String> {
    let tools = tools(game, state).into_iter().map(|tool| format!("{} {}", tool.count, tool.name));
    tools.chain(marks(&state.hero)).collect()
}

fn place(at: Position) -> [u16; 3] {
    [at.floor, at.x, at.y]
}

/// In the order in which the script names them.
fn quantities(hero: &Hero) -> [Whole; 10] {
    let Hero { hp, atk, def, mdef, gold, experience, keys, marks: _ } = *hero;
    [hp, atk, def, mdef, gold, experience, keys.yellow, keys.blue, keys.red, keys.green].map(Whole::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Choice, Colour, Event, Floor, Instruction, ItemMode, Monster, Tower, Trigger, Variable};
    use crate::report::sample;

    /// A row: the hero, an event that asks, a wall, the boss. The answer puts a door in place of the wall and takes the
    /// event away.
    fn game() -> Game {
        let at = |x| Position::new(0, x, 0);
        let script = vec![
            Instruction::Put { tile: Tile::Door(Colour::Red), at: vec![at(2)] },
            Instruction::Remove { at: vec![at(1)] },
        ];
        let options = vec![Choice { text: "Yes".into(), condition: None, script }];
        let event = Event {
            at: at(1),
            trigger: Trigger::Step,
            title: "A riddle".into(),
            hidden: false,
            script: vec![Instruction::Choose { text: "Shall it open?".into(), options }],
        };
        let boss = Monster {
            symbol: "B".into(),
            name: "Boss".into(),
            hp: 1,
            atk: 0,
            def: 0,
            gold: 0,
            experience: 0,
            abilities: Default::default(),
            boss: true,
        };
        let rows = vec![vec![Tile::Floor, Tile::Event, Tile::Wall, Tile::Monster(0)]];
        let tower = Tower {
            name: "row".into(),
            hero: Hero { hp: 9, atk: 9, ..Hero::default() },
            monsters: vec![boss],
            floors: vec![Floor::from_rows(String::new(), rows).unwrap()],
            variables: vec![Variable { name: "item:pickaxe".into(), start: 1 }],
            events: vec![event],
            ..Tower::default()
        };
        Game::new(tower, ItemMode::Auto).unwrap()
    }

    #[test]
    fn what_events_change_is_carried_as_it_looks_then() {
        let episode = sample::episode("greedy", "none", "row").values(&[1, 1]).done();
        let replay = Replay::of(Path::new("no such folder"), Some(&game()), &episode);
        assert_eq!(replay.failed, None);
        let shown = serde_json::to_value(&replay).unwrap();
        let looks = shown["looks"]["kinds"].as_array().unwrap();
        assert_eq!(looks, &[serde_json::json!(["door-red"])]);
        assert!(shown["looks"]["svg"].as_str().unwrap().contains("id=\"door-red\""));
        // The question stands before its answer; nothing has changed until then.
        assert_eq!(shown["decisions"][0]["question"], serde_json::Value::Null);
        assert_eq!(shown["decisions"][0]["after"]["changed"], serde_json::Value::Null);
        assert_eq!(shown["decisions"][1]["question"], "Shall it open?");
        assert_eq!(shown["decisions"][1]["after"]["changed"], serde_json::json!([[1, null], [2, 0]]));
        assert_eq!(shown["decisions"][1]["after"]["holds"], serde_json::json!(["1 pickaxe"]));
    }
}
