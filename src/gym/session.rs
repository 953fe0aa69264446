//! A session: floors, the episode being played, and what each request makes of it. Values of a floor are computed when it
//! is first played and kept. Knows nothing of lines or streams.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::answer::{Answer, Reward, Standing, Worth};
use super::request::{Move, Request, Reset};
use crate::analysis::change::Change;
use crate::eval::replay::{past_turn, pick};
use crate::format::problem::quoted;
use crate::game::{Action, ActionKind, End, Game, State};
use crate::prompt::observation::collected;
use crate::prompt::{Observation, PastTurn};
use crate::solver::{self, Effort, SolveError, Worths};

/// What holds for all episodes of a session.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Decisions after which an episode is truncated, at least 1; no limit unless given.
    pub turns: Option<u32>,
    /// Bytes that the values of one floor may take; none if no values are wanted.
    pub memory: Option<usize>,
    /// What may be done for a value that is not held.
    pub effort: Effort,
}

/// Floors that are played, one episode at a time.
pub struct Session {
    floors: Vec<Floor>,
    settings: Settings,
    episode: Option<Episode>,
}

/// A floor with its values, once it has been played.
struct Floor {
    game: Game,
    values: Option<Result<Solved, String>>,
}

/// What states are worth, and the first one.
struct Solved {
    worths: Worths,
    optimum: solver::Worth,
}

/// An episode in progress, or just ended.
struct Episode {
    floor: usize,
    state: State,
    past: Vec<PastTurn>,
    judgement: Judgement,
}

/// What a state and the actions in it are worth, or why that is not known.
struct Judgement {
    value: solver::Worth,
    actions: Vec<Worth>,
    unknown: Option<String>,
}

impl Session {
    /// A session on these games, which have names of their own. It answers nothing but a reset at first.
    pub fn new(games: Vec<Game>, settings: Settings) -> Self {
        let floors = games.into_iter().map(|game| Floor { game, values: None }).collect();
        Session { floors, settings, episode: None }
    }

    /// Answers a line.
    pub fn answer(&mut self, line: &[u8]) -> Answer {
        match Request::read(line).and_then(|request| self.meet(request)) {
            Ok(answer) => answer,
            Err(error) => Answer::Error { error },
        }
    }

    /// Meets a request; if it cannot be met, says why, and nothing has changed.
    fn meet(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Reset(reset) => self.reset(&reset),
            Request::Step(chosen) => self.step(chosen),
            Request::Observe {} => {
                let episode = self.episode.as_ref().ok_or(NOT_BEGUN)?;
                self.standing(episode, None)
            }
            Request::Close {} => Ok(Answer::Closed { closed: true }),
        }
    }

    fn reset(&mut self, reset: &Reset) -> Result<Answer, String> {
        let index = self.chosen(reset)?;
        let floor = &mut self.floors[index];
        let state = floor.game.start().map_err(in_words)?;
        floor.solve(&state, &self.settings);
        let judgement = floor.judge(&state)?;
        self.go_on(Episode { floor: index, state, past: Vec::new(), judgement }, None)
    }

    /// Which floor a reset means.
    fn chosen(&self, reset: &Reset) -> Result<usize, String> {
        let count = self.floors.len();
        match reset {
            Reset { floor: None, index: None, seed: None } => Ok(0),
            Reset { floor: Some(name), index: None, seed: None } => {
                let found = self.floors.iter().position(|floor| floor.game.tower().name == *name);
                let names = || self.floors.iter().take(10).map(|floor| floor.game.tower().name.as_str());
                let listed = || names().collect::<Vec<_>>().join(", ") + if count > 10 { ", …" } else { "" };
                found.ok_or_else(|| format!("there is no floor named {}; there are {}", quoted(name), listed()))
            }
            Reset { floor: None, index: Some(index), seed: None } if *index < count => Ok(*index),
            Reset { floor: None, index: Some(index), seed: None } => {
                Err(format!("there is no floor {index}; they count from 0 to {}", count - 1))
            }
            Reset { floor: None, index: None, seed: Some(seed) } => {
                Ok(ChaCha8Rng::seed_from_u64(*seed).random_range(0..count))
            }
            _ => Err("say which floor by `floor`, `index` or `seed`, by one of them only".into()),
        }
    }

    fn step(&mut self, chosen: Move) -> Result<Answer, String> {
        let before = self.episode.as_ref().ok_or(NOT_BEGUN)?;
        if let Some(end) = before.state.end {
            return Err(format!("the game has ended, it is {end}; reset begins another episode"));
        }
        if self.is_truncated(&before.state) {
            return Err("the limit of decisions has ended the episode; reset begins another".into());
        }
        let floor = &self.floors[before.floor];
        let number = before.number(&floor.game, chosen)?;
        let actions = floor.game.actions(&before.state).map_err(in_words)?;
        let action = pick(&actions, number).ok_or("this action is not legal")?;
        let step = floor.game.apply(&before.state, action).map_err(in_words)?;
        let judgement = floor.judge(&step.state)?;
        let regret = before.judgement.actions.get(number as usize - 1).and_then(|worth| worth.regret);
        let change = Change { before: before.judgement.value, after: judgement.value };
        let reward = Reward {
            damage: damage(action),
            hp_change: step.state.hero.hp - before.state.hero.hp,
            collected: collected(&floor.game, &step.collected),
            value_lost: regret.or_else(|| change.value_lost()),
        };
        let mut past = before.past.clone();
        past.push(past_turn(&floor.game, &before.state, number, &step).map_err(in_words)?);
        self.go_on(Episode { floor: before.floor, state: step.state, past, judgement }, Some(reward))
    }

    /// Answers for an episode, and only then takes it for the one being played.
    fn go_on(&mut self, episode: Episode, reward: Option<Reward>) -> Result<Answer, String> {
        let answer = self.standing(&episode, reward)?;
        self.episode = Some(episode);
        Ok(answer)
    }

    fn is_truncated(&self, state: &State) -> bool {
        state.end.is_none() && self.settings.turns.is_some_and(|turns| state.turn >= turns)
    }

    /// Where an episode stands.
    fn standing(&self, episode: &Episode, reward: Option<Reward>) -> Result<Answer, String> {
        let (floor, state) = (&self.floors[episode.floor], &episode.state);
        let truncated = self.is_truncated(state);
        let observation = Observation::of(&floor.game, state, self.settings.turns, &episode.past).map_err(in_words)?;
        let Judgement { value, actions, unknown } = &episode.judgement;
        let ended_hp = if state.end == Some(End::Won) { state.hero.hp } else { 0 };
        Ok(Answer::Standing(Box::new(Standing {
            observation,
            value: *value,
            optimum: floor.solved().map_or(solver::Worth::UNKNOWN, |solved| solved.optimum),
            values_unknown: unknown.clone(),
            actions: actions.clone(),
            reward,
            terminated: state.end.is_some(),
            truncated,
            end: state.end,
            final_hp: (state.end.is_some() || truncated).then_some(ended_hp),
        })))
    }
}

impl Floor {
    fn solved(&self) -> Option<&Solved> {
        self.values.as_ref()?.as_ref().ok()
    }

    /// Computes the values, unless that was done before.
    fn solve(&mut self, start: &State, Settings { memory, effort, .. }: &Settings) {
        let game = &self.game;
        self.values.get_or_insert_with(|| {
            let memory = (*memory).ok_or("no values were asked for")?;
            let worths = Worths::new(game, memory, *effort).map_err(in_words)?;
            let optimum = worths.of_state(start).map_err(in_words)?;
            Ok(Solved { worths, optimum })
        });
    }

    /// What a state and the actions in it are worth.
    fn judge(&self, state: &State) -> Result<Judgement, String> {
        let actions = self.game.actions(state).map_err(in_words)?;
        let judged = match &self.values {
            Some(Ok(solved)) => judge(&solved.worths, state, &actions).map_err(in_words),
            Some(Err(why)) => Err(why.clone()),
            None => Err("they have not been computed".into()),
        };
        Ok(judged.unwrap_or_else(|why| Judgement {
            value: solver::Worth::UNKNOWN,
            actions: (1..).zip(&actions).map(|(number, action)| Worth::unknown(number, action)).collect(),
            unknown: Some(why),
        }))
    }
}

/// Where each worth takes a search that proves little, actions are not judged: only the state is.
fn judge(worths: &Worths, state: &State, actions: &[Action]) -> Result<Judgement, SolveError> {
    let mut before = worths.of_state(state)?;
    let after = |action: &Action| match worths.judge_alternatives() || action.is_lethal() {
        true => worths.after(state, action),
        false => Ok(solver::Worth::UNKNOWN),
    };
    let mut next = actions.iter().map(after).collect::<Result<Vec<_>, _>>()?;
    before.tighten(&mut next);
    let judged = (1..).zip(actions).zip(&next).map(|((number, action), after)| {
        let change = Change { before, after: *after };
        let (regret, losing) = (change.value_lost(), change.is_losing());
        Worth { value: *after, regret, losing, ..Worth::unknown(number, action) }
    });
    let actions = judged.collect();
    let known = before.is_known() && next.iter().all(solver::Worth::is_known);
    let unknown = worths.why_unknown().filter(|_| !known).map(str::to_owned);
    Ok(Judgement { value: before, actions, unknown })
}

impl Worth {
    /// An action of which nothing is known but what it does at once.
    fn unknown(number: u32, action: &Action) -> Self {
        Worth { number, value: solver::Worth::UNKNOWN, regret: None, losing: None, lethal: action.is_lethal() }
    }
}

impl Episode {
    /// The number of the action that is named, or what is wrong with it.
    fn number(&self, game: &Game, named: Move) -> Result<u32, String> {
        let count = self.judgement.actions.len();
        match named {
            Move::Action(number) if (1..=count).contains(&(number as usize)) => Ok(number),
            Move::Action(number) => Err(match count {
                1 => format!("there is no action {number}; the one legal action has number 1"),
                _ => format!("there is no action {number}; the legal actions have numbers 1 to {count}"),
            }),
            Move::Target(target) => {
                let wanted = game.action_at(&self.state, target).map_err(in_words)?;
                let actions = game.actions(&self.state).map_err(in_words)?;
                let found = (1..).zip(actions).find(|(_, action)| *action == wanted);
                found.map(|(number, _)| number).ok_or_else(|| "this action is not legal".into())
            }
        }
    }
}

/// HP that an action's fight costs; 0 if it is none.
fn damage(action: &Action) -> i64 {
    match action.kind {
        ActionKind::Fight { fight, .. } => fight.damage().unwrap_or(0),
        _ => 0,
    }
}

const NOT_BEGUN: &str = "no episode has begun; reset begins one";

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests;
