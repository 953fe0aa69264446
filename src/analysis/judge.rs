//! From a trace and what the states of its floor are worth to what each decision was worth.

use std::collections::BTreeMap;

use super::decision::{ActionValue, DecisionValue, EpisodeAnalysis, EpisodeTime};
pub use super::losing::{losing, losing_between};
use super::tighten::tighten;
use crate::agent::ChosenBy;
use crate::eval::record::Decision;
use crate::eval::replay::{Difference, replay};
use crate::eval::trace::Trace;
use crate::game::State;
use crate::solver::{SolveError, Values, Worth, Worths};

/// A trace that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// It is not what the rules give.
    #[error(transparent)]
    Difference(#[from] Difference),
    /// A worth cannot be had.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Bounds that cannot both hold.
    #[error(
        "the state before decision {turn} is worth at least {least} and at most {most}: this is a mistake in the solver"
    )]
    Contradiction {
        /// Number of the decision, one more than there are for the last state.
        turn: usize,
        /// The lower bound.
        least: i64,
        /// The upper bound, `lost` for none.
        most: String,
    },
}

/// Judges every decision of a trace of the game that these worths are of.
///
/// Where the worths are exact, every legal action is judged. Where each takes a search that proves little, only the states
/// that the episode went through are: what was not done is not known then, unless it follows from what is.
///
/// # Errors
/// [`JudgeError`].
pub fn judge(trace: &Trace, worths: &Worths) -> Result<EpisodeAnalysis, JudgeError> {
    let game = worths.game();
    let replayed = replay(game, trace)?;
    let states: Vec<&State> = replayed.states.iter().chain([&replayed.state]).take(trace.decisions.len() + 1).collect();
    let mut path = states.iter().map(|state| worths.of_state(state)).collect::<Result<Vec<_>, _>>()?;
    let mut decisions = Vec::with_capacity(trace.decisions.len());
    for (index, (recorded, state)) in trace.decisions.iter().zip(&states).enumerate() {
        let next = path.get(index + 1).copied().unwrap_or(Worth::UNKNOWN);
        decisions.push(value_decision(recorded, state, worths, [path[index], next])?);
    }
    tighten(&mut path, &mut decisions)?;
    let tower = game.tower();
    let mut verdicts = BTreeMap::new();
    for call in &trace.calls {
        *verdicts.entry(call.verdict).or_default() += 1;
    }
    let costs: Vec<f64> = trace.calls.iter().filter_map(|call| call.usage.cost_usd).collect();
    let optimum = path.first().copied().unwrap_or(Worth::UNKNOWN);
    let all_known = path.iter().all(Worth::is_known)
        && decisions.iter().all(|decision| decision.actions.iter().all(|action| action.worth.is_known()));
    Ok(EpisodeAnalysis {
        id: trace.header.id.clone(),
        key: trace.header.key.clone(),
        floor_title: tower.title.clone(),
        floor_note: tower.note.clone(),
        optimum,
        values_unknown: worths.why_unknown().filter(|_| !all_known).map(str::to_owned),
        ending: trace.footer.as_ref().map(|footer| footer.ending),
        reason: trace.footer.as_ref().and_then(|footer| footer.reason.clone()),
        hero: replayed.state.hero,
        losing: losing(&decisions),
        losing_between: losing_between(&decisions, optimum),
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
            worth: Worth::exactly(values.after(state, &action)?),
        });
    }
    let (turn, hero, before) = (state.turn + 1, state.hero, Worth::exactly(values.of(state)?));
    Ok(DecisionValue { turn, hero, before, actions, chosen: executed, executed, by })
}

/// What is known around one recorded decision, of which the states before and after are worth this.
fn value_decision(
    recorded: &Decision,
    state: &State,
    worths: &Worths,
    [before, after]: [Worth; 2],
) -> Result<DecisionValue, JudgeError> {
    let legal = worths.game().actions(state).map_err(SolveError::from)?;
    let mut actions = Vec::with_capacity(legal.len());
    for (view, action) in recorded.actions.iter().zip(&legal) {
        let worth = match view.number == recorded.executed {
            true => after,
            false if worths.judge_alternatives() || view.lethal => worths.after(state, action)?,
            false => Worth::UNKNOWN,
        };
        actions.push(ActionValue {
            number: view.number,
            target: view.target,
            text: view.text.clone(),
            lethal: view.lethal,
            worth,
        });
    }
    Ok(DecisionValue {
        turn: recorded.turn,
        hero: state.hero,
        before,
        actions,
        chosen: recorded.chosen,
        executed: recorded.executed,
        by: recorded.by,
    })
}
