//! What the states of an episode tell of each other: a state is worth what the best of its actions leads to, and no value
//! rises along a play.

use super::decision::DecisionValue;
use super::judge::JudgeError;
use crate::solver::Worth;

/// Tightens the worths of the states of an episode and of what could have been chosen in each: from the last to the first,
/// since what was won later could be won before, then back, since what could not be won before cannot be won later.
/// `path` has a worth for each decision's state and one for the last state.
///
/// # Errors
/// [`JudgeError::Contradiction`] if bounds cross: then some bound was not proven.
pub fn tighten(path: &mut [Worth], decisions: &mut [DecisionValue]) -> Result<(), JudgeError> {
    for index in (0..decisions.len()).rev() {
        around(path, decisions, index);
    }
    for index in 0..decisions.len() {
        around(path, decisions, index);
    }
    for (index, worth) in path.iter().enumerate() {
        if worth.is_contradictory() {
            let most = worth.most.map_or_else(|| "lost".to_owned(), |most| most.to_string());
            return Err(JudgeError::Contradiction { turn: index + 1, least: worth.least.unwrap_or_default(), most });
        }
    }
    Ok(())
}

/// Tightens the state before a decision, all actions in it, and the state after it.
fn around(path: &mut [Worth], decisions: &mut [DecisionValue], index: usize) {
    let (Some(decision), [before, after]) = (decisions.get_mut(index), &mut path[index..index + 2]) else { return };
    let executed = (decision.executed as usize).checked_sub(1);
    let mut next: Vec<Worth> = decision.actions.iter().map(|action| action.worth).collect();
    if let Some(done) = executed.and_then(|executed| next.get_mut(executed)) {
        *done = done.and(*after);
    }
    before.tighten(&mut next);
    if let Some(done) = executed.and_then(|executed| next.get(executed)) {
        *after = *done;
    }
    decision.before = *before;
    for (action, worth) in decision.actions.iter_mut().zip(next) {
        action.worth = worth;
    }
}
