//! Playing a trace again through the rules, and finding the first place where it differs from them.

use serde_json::Value;

use super::record::{Decision, DecisionTime, Ending, Header, TakenBack};
use super::trace::Trace;
use crate::agent::call::Asks;
use crate::agent::{Call, ChosenBy, Verdict, score};
use crate::game::{Action, Game, GameError, State, Step};
use crate::prompt::PastTurn;
use crate::prompt::observation::{action_views, blocked_views, collected};

/// A trace that differs from what the rules give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// In the header.
    #[error("the header: {0}")]
    Header(String),
    /// In a decision.
    #[error("decision {turn}: {what}")]
    Decision {
        /// The decision's place in the trace, from 1.
        turn: u32,
        /// What differs.
        what: String,
    },
    /// In the footer.
    #[error("the footer: {0}")]
    Footer(String),
}

/// Where a trace has come to.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The state after the last decision.
    pub state: State,
    /// The decisions in short.
    pub past: Vec<PastTurn>,
    /// The states before each decision.
    pub states: Vec<State>,
}

/// Plays a trace again and compares every field of the game.
///
/// # Errors
/// The first [`Difference`].
pub fn replay(game: &Game, trace: &Trace) -> Result<Replayed, Difference> {
    let mut state = game.start().map_err(|error| Difference::Header(error.to_string()))?;
    check_header(&trace.header, &state)?;
    check_turns_of_calls(trace)?;
    let (mut past, mut states) = (Vec::new(), Vec::new());
    for (index, recorded) in trace.decisions.iter().enumerate() {
        let turn = index as u32 + 1;
        let differs = |what: String| Difference::Decision { turn, what };
        let step = replay_decision(game, &state, recorded, trace.header.r#override).map_err(differs)?;
        check_calls(trace, recorded).map_err(differs)?;
        past.push(past_turn(game, &state, recorded.chosen, &step).map_err(|error| differs(error.to_string()))?);
        states.push(std::mem::replace(&mut state, step.state));
    }
    if let Some(pending) = &trace.pending {
        let turn = state.turn + 1;
        check_taken_back(game, &state, &pending.taken_back).map_err(|what| Difference::Decision { turn, what })?;
    }
    check_footer(trace, &state)?;
    Ok(Replayed { state, past, states })
}

/// The record of a decision: everything but who chose and the clock follows from the state and the number executed.
///
/// # Errors
/// [`GameError`] if an effect cannot be computed.
pub fn describe(
    game: &Game,
    state: &State,
    chosen: u32,
    by: ChosenBy,
    executed: u32,
    step: &Step,
) -> Result<Decision, GameError> {
    let actions = game.actions(state)?;
    Ok(Decision {
        turn: state.turn + 1,
        hero: state.hero,
        at: state.at,
        actions: action_views(game, state, &actions)?,
        blocked: blocked_views(game, state, &game.blocked(state)?),
        chosen,
        executed,
        by,
        target: step.action.target,
        collected: collected(game, &step.collected),
        after: step.state.hero,
        end: step.state.end,
        taken_back: Vec::new(),
        hints: false,
        time: DecisionTime::default(),
    })
}

/// A decision in short, as later prompts tell it.
///
/// # Errors
/// [`GameError`] if an effect cannot be computed.
pub fn past_turn(game: &Game, before: &State, chosen: u32, step: &Step) -> Result<PastTurn, GameError> {
    let actions = game.actions(before)?;
    let instead_of = pick(&actions, chosen)
        .filter(|action| **action != step.action)
        .map(|action| format!("{} at {}", game.describe_action(action), action.target));
    Ok(PastTurn {
        turn: before.turn + 1,
        target: step.action.target,
        text: game.describe_action(&step.action),
        hp_before: before.hero.hp,
        hp_after: step.state.hero.hp,
        collected: collected(game, &step.collected),
        instead_of,
    })
}

/// The action of a number.
pub fn pick(actions: &[Action], number: u32) -> Option<&Action> {
    actions.get((number as usize).checked_sub(1)?)
}

fn replay_decision(game: &Game, state: &State, recorded: &Decision, overrides: bool) -> Result<Step, String> {
    let rules = |error: GameError| error.to_string();
    if state.end.is_some() {
        return Err("the game had ended before it".into());
    }
    let actions = game.actions(state).map_err(rules)?;
    let legal = |what: &str, number: u32| {
        pick(&actions, number).ok_or_else(|| format!("{what} is {number}, and {} actions are legal", actions.len()))
    };
    let executed = *legal("executed", recorded.executed)?;
    let chosen = legal("chosen", recorded.chosen)?;
    if recorded.by == ChosenBy::Override {
        if !overrides {
            return Err("the override replaced a choice although it is off".into());
        }
        let heuristic = score::best(game, state, &actions).map_err(rules)?;
        if !chosen.is_lethal() || heuristic != Some(recorded.executed) {
            return Err(format!("the override would not replace {} by {}", recorded.chosen, recorded.executed));
        }
    } else if recorded.chosen != recorded.executed {
        return Err(format!(
            "chosen is {}, executed {}, and there was no override",
            recorded.chosen, recorded.executed
        ));
    }
    let step = game.apply(state, &executed).map_err(rules)?;
    let mut expected = describe(game, state, recorded.chosen, recorded.by, recorded.executed, &step).map_err(rules)?;
    // What a human took back is checked for itself; what he was shown no rule determines.
    check_taken_back(game, state, &recorded.taken_back)?;
    (expected.taken_back, expected.hints) = (recorded.taken_back.clone(), recorded.hints);
    expected.time = recorded.time.clone();
    match first_difference(&to_json(recorded), &to_json(&expected), "") {
        None => Ok(step),
        Some(what) => Err(what),
    }
}

/// Executes what was taken back again. Each stands after whatever had followed it, so that from the last one backwards
/// every decision stands after the one it followed.
fn check_taken_back(game: &Game, state: &State, taken_back: &[TakenBack]) -> Result<(), String> {
    let mut line = vec![state.clone()];
    for recorded in taken_back.iter().rev() {
        let wrong = |why: &str| format!("taken back: decision {}: {why}", recorded.turn);
        let depth = recorded.turn.checked_sub(state.turn + 1).map(|depth| depth as usize);
        let before = depth.and_then(|depth| line.get(depth)).ok_or_else(|| wrong("no state that it was made in"))?;
        let actions = game.actions(before).map_err(|error| error.to_string())?;
        let action = pick(&actions, recorded.executed).ok_or_else(|| wrong("its action was not legal"))?;
        let step = game.apply(before, action).map_err(|error| error.to_string())?;
        if let Some(what) = first_difference(
            &to_json(recorded),
            &to_json(&TakenBack { hints: recorded.hints, ..taken_back_of(game, &step, recorded.executed) }),
            "",
        ) {
            return Err(wrong(&what));
        }
        line.truncate(step.state.turn as usize - state.turn as usize);
        line.push(step.state);
    }
    Ok(())
}

/// A decision as it is told once it has been taken back.
pub fn taken_back_of(game: &Game, step: &Step, executed: u32) -> TakenBack {
    TakenBack {
        turn: step.state.turn,
        executed,
        target: step.action.target,
        text: game.describe_action(&step.action),
        hp_after: step.state.hero.hp,
        end: step.state.end,
        hints: false,
    }
}

/// What was chosen must be what the accepted answer names; a stand-in chooses only where no answer was accepted.
fn check_calls(trace: &Trace, recorded: &Decision) -> Result<(), String> {
    let calls: Vec<&Call> = trace.calls.iter().filter(|call| call.turn == recorded.turn).collect();
    for call in &calls {
        let named = match call.asks {
            Asks::Action => call.number.is_some(),
            Asks::Route => call.route.is_some(),
        };
        if named != (call.verdict == Verdict::Ok) {
            let (verdict, number) = (to_json(&call.verdict), call.number);
            let route = call.route.as_ref().map_or("no route", |_| "a route");
            return Err(format!("a call with verdict `{verdict}` names {number:?} and {route}"));
        }
    }
    let calls: Vec<&Call> = calls.into_iter().filter(|call| call.asks == Asks::Action).collect();
    let accepted = calls.iter().find(|call| call.verdict == Verdict::Ok);
    match accepted.and_then(|call| call.number) {
        Some(_) if recorded.by == ChosenBy::OnInvalid => Err("a stand-in chose although an answer was accepted".into()),
        Some(number) if number != recorded.chosen => {
            Err(format!("chosen is {}, and the accepted answer names {number}", recorded.chosen))
        }
        None if recorded.by == ChosenBy::OnInvalid && calls.is_empty() => {
            Err("a stand-in chose although no answer was asked for".into())
        }
        _ => Ok(()),
    }
}

/// Calls are made for decisions that were made, or for the one that would have come next, in order.
fn check_turns_of_calls(trace: &Trace) -> Result<(), Difference> {
    let next = trace.decisions.len() as u32 + 1;
    let mut last = 1;
    for call in &trace.calls {
        if call.turn < last || call.turn > next {
            let what = format!("a call was made for decision {}, which is not its turn", call.turn);
            return Err(Difference::Decision { turn: call.turn, what });
        }
        last = call.turn;
    }
    Ok(())
}

fn check_header(header: &Header, start: &State) -> Result<(), Difference> {
    if header.id != header.key.id(&header.floor_hash) {
        return Err(Difference::Header(format!("the id `{}` is not that of its key and floor", header.id)));
    }
    let recorded = to_json(&(header.hero, header.at));
    match first_difference(&recorded, &to_json(&(start.hero, start.at)), "the start") {
        None => Ok(()),
        Some(what) => Err(Difference::Header(what)),
    }
}

fn check_footer(trace: &Trace, state: &State) -> Result<(), Difference> {
    let Some(footer) = &trace.footer else { return Ok(()) };
    let differs = |what: String| Err(Difference::Footer(what));
    if footer.turns != state.turn {
        return differs(format!("turns is {}, and {} were played", footer.turns, state.turn));
    }
    if let Some(what) = first_difference(&to_json(&footer.hero), &to_json(&state.hero), "hero") {
        return differs(what);
    }
    match (state.end.map(Ending::from), footer.ending) {
        (Some(end), ending) if end != ending => differs(format!("the ending is `{ending}`, and the game was {end}")),
        (None, Ending::Won | Ending::Dead | Ending::Stuck) => {
            differs(format!("the ending is `{}`, and the game had not ended", footer.ending))
        }
        (None, Ending::TurnLimit) => {
            let limit = footer.turn_limit.unwrap_or(trace.header.turn_limit);
            match state.turn < limit {
                true => differs(format!("the turn limit of {limit} was not reached")),
                false => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// The first place, in document order, where two JSON values differ, in words.
fn first_difference(recorded: &Value, expected: &Value, path: &str) -> Option<String> {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (recorded, expected) {
        (Value::Object(left), Value::Object(right)) => {
            for (key, value) in left {
                let other = right.get(key).unwrap_or(&Value::Null);
                if let Some(found) = first_difference(value, other, &join(key)) {
                    return Some(found);
                }
            }
            let missing = right.iter().find(|(key, _)| !left.contains_key(*key));
            missing.map(|(key, value)| format!("{} is missing, the rules give {value}", join(key)))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => (left.iter().zip(right).enumerate())
            .find_map(|(index, (left, right))| first_difference(left, right, &join(&(index + 1).to_string()))),
        (left, right) if left == right => None,
        (left, right) => Some(format!("{path} is {left}, the rules give {right}")),
    }
}
