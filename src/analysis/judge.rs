//! From a trace and the state values of its floor to what each decision was worth.

use std::collections::BTreeMap;

use super::decision::{ActionValue, DecisionValue, EpisodeAnalysis, EpisodeTime, LosingDecision};
use crate::agent::ChosenBy;
use crate::eval::record::Decision;
use crate::eval::replay::{Difference, replay};
use crate::eval::trace::Trace;
use crate::game::{Game, State};
use crate::solver::{SolveError, Values};

/// A trace that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// It is not what the rules give.
    #[error(transparent)]
    Difference(#[from] Difference),
    /// The values are not known.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Judges every decision of a trace of a game. If the values are not known, the error says why, and what does not need
/// them is told all the same.
///
/// # Errors
/// [`JudgeError`].
pub fn judge(trace: &Trace, game: &Game, values: Result<&Values, &SolveError>) -> Result<EpisodeAnalysis, JudgeError> {
    let replayed = replay(game, trace)?;
    let mut decisions = Vec::with_capacity(trace.decisions.len());
    for (recorded, state) in trace.decisions.iter().zip(&replayed.states) {
        decisions.push(value_decision(recorded, state, game, values.ok())?);
    }
    let start = replayed.states.first().unwrap_or(&replayed.state);
    let tower = game.tower();
    let mut verdicts = BTreeMap::new();
    for call in &trace.calls {
        *verdicts.entry(call.verdict).or_default() += 1;
    }
    let costs: Vec<f64> = trace.calls.iter().filter_map(|call| call.usage.cost_usd).collect();
    Ok(EpisodeAnalysis {
        id: trace.header.id.clone(),
        key: trace.header.key.clone(),
        floor_title: tower.title.clone(),
        floor_note: tower.note.clone(),
        optimum: values.ok().map_or(Ok(None), |values| values.of(start))?,
        values_unknown: values.err().map(ToString::to_string),
        ending: trace.footer.as_ref().map(|footer| footer.ending),
        reason: trace.footer.as_ref().and_then(|footer| footer.reason.clone()),
        hero: replayed.state.hero,
        losing: losing(&decisions),
        decisions,
        verdicts,
        prompt_tokens: trace.calls.iter().map(|call| call.usage.prompt_tokens).sum(),
        completion_tokens: trace.calls.iter().map(|call| call.usage.completion_tokens).sum(),
        reasoning_tokens: trace.calls.iter().map(|call| call.usage.reasoning_tokens).sum(),
        cost_usd: (!costs.is_empty()).then(|| costs.iter().sum()),
        time: (!trace.calls.is_empty()).then(|| EpisodeTime {
            working_s: trace.calls.iter().map(|call| call.time.working_s).sum(),
            waiting_s: trace.calls.iter().map(|call| call.time.waiting_s).sum(),
        }),
        taken_back: trace.taken_back(),
        hinted: trace.hinted(),
    })
}

/// A decision in a state, with the values of everything that could have been chosen.
///
/// # Errors
/// [`SolveError`] if a value is not known.
pub fn decision(values: &Values, state: &State, executed: u32, by: ChosenBy) -> Result<DecisionValue, SolveError> {
    let game = values.game();
    let mut actions = Vec::new();
    for (number, action) in (1..).zip(game.actions(state)?) {
        actions.push(ActionValue {
            number,
            target: action.target,
            text: game.describe_action(&action),
            lethal: action.is_lethal(),
            value: values.after(state, &action)?,
        });
    }
    let (turn, hero, before) = (state.turn + 1, state.hero, values.of(state)?);
    Ok(DecisionValue { turn, hero, before, actions, chosen: executed, executed, by })
}

/// The values around one recorded decision.
fn value_decision(
    recorded: &Decision,
    state: &State,
    game: &Game,
    values: Option<&Values>,
) -> Result<DecisionValue, JudgeError> {
    let legal = game.actions(state).map_err(SolveError::from)?;
    let mut actions = Vec::with_capacity(legal.len());
    for (view, action) in recorded.actions.iter().zip(&legal) {
        actions.push(ActionValue {
            number: view.number,
            target: view.target,
            text: view.text.clone(),
            lethal: view.lethal,
            value: values.map_or(Ok(None), |values| values.after(state, action))?,
        });
    }
    Ok(DecisionValue {
        turn: recorded.turn,
        hero: state.hero,
        before: values.map_or(Ok(None), |values| values.of(state))?,
        actions,
        chosen: recorded.chosen,
        executed: recorded.executed,
        by: recorded.by,
    })
}

/// The decision after which the boss could no longer be defeated.
pub fn losing(decisions: &[DecisionValue]) -> Option<LosingDecision> {
    let index = decisions.iter().position(DecisionValue::is_losing)?;
    let decision = &decisions[index];
    let action = decision.action()?;
    let earlier_losses = decisions[..index].iter().filter(|earlier| earlier.loses_value());
    Some(LosingDecision {
        turn: decision.turn,
        target: action.target,
        text: action.text.clone(),
        by: decision.by,
        value_before: decision.before?,
        earlier_losses: earlier_losses.count() as u32,
    })
}
