//! From a trace and what the states of its floor are worth to what each decision was worth.

use std::collections::BTreeMap;

use super::decision::{ActionValue, DecisionValue, EpisodeAnalysis, EpisodeTime};
pub use super::losing::{losing, losing_between};
use super::tighten::tighten;
use crate::agent::ChosenBy;
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
    let executed: Vec<u32> = trace.decisions.iter().map(|recorded| recorded.executed).collect();
    let (optimum, mut decisions) = play(worths, &states, &executed)?;
    for (decision, recorded) in decisions.iter_mut().zip(&trace.decisions) {
        (decision.turn, decision.chosen, decision.by) = (recorded.turn, recorded.chosen, recorded.by);
        for (action, view) in decision.actions.iter_mut().zip(&recorded.actions) {
            action.text.clone_from(&view.text);
        }
    }
    let tower = game.tower();
    let mut verdicts = BTreeMap::new();
    for call in &trace.calls {
        *verdicts.entry(call.verdict).or_default() += 1;
    }
    let costs: Vec<f64> = trace.calls.iter().filter_map(|call| call.usage.cost_usd).collect();
    let all_known = optimum.is_known()
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

/// What the first state of a play is worth, and each of its decisions: `states` are those before each and the last one,
/// `executed` the numbers of the actions. Whose choices they were is not asked: they are taken for the agent's.
///
/// # Errors
/// [`JudgeError`].
pub fn play(worths: &Worths, states: &[&State], executed: &[u32]) -> Result<(Worth, Vec<DecisionValue>), JudgeError> {
    let mut path = states.iter().map(|state| worths.of_state(state)).collect::<Result<Vec<_>, _>>()?;
    let mut decisions = Vec::with_capacity(executed.len());
    for ((state, around), number) in states.iter().zip(path.windows(2)).zip(executed) {
        decisions.push(value_decision(worths, state, around[1], *number)?);
    }
    tighten(&mut path, &mut decisions)?;
    Ok((path.first().copied().unwrap_or(Worth::UNKNOWN), decisions))
}

/// What is known around one decision, after which the state is worth this.
fn value_decision(worths: &Worths, state: &State, after: Worth, executed: u32) -> Result<DecisionValue, SolveError> {
    let game = worths.game();
    let mut actions = Vec::new();
    for (number, action) in (1..).zip(game.actions(state)?) {
        let lethal = action.is_lethal();
        let worth = match number == executed {
            true => after,
            false if worths.judge_alternatives() || lethal => worths.after(state, &action)?,
            false => Worth::UNKNOWN,
        };
        actions.push(ActionValue { number, target: action.target, text: game.describe_action(&action), lethal, worth });
    }
    let (turn, hero) = (state.turn + 1, state.hero);
    let by = ChosenBy::Agent;
    Ok(DecisionValue { turn, hero, before: Worth::UNKNOWN, actions, chosen: executed, executed, by })
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
