//! A best route, read off the state values.

use crate::game::{State, Step};

use super::error::SolveError;
use super::values::Values;

/// Follows the values from a state to the end, by the fewest decisions that reach the optimum; of several such actions
/// the lowest-numbered. That is the tie-break wherever several routes are optimal. (Where a fight depends on HP the
/// fewest decisions are not known; there, only actions that give nothing are left aside.) Empty if nothing can be won.
///
/// # Errors
/// [`SolveError`] as [`Values::of`].
pub fn best_route(values: &Values, from: &State) -> Result<Vec<Step>, SolveError> {
    let mut route = Vec::new();
    let mut state = from.clone();
    while let Some(step) = best_step(values, &state)? {
        state = step.state.clone();
        route.push(step);
    }
    Ok(route)
}

/// The first decision of [`best_route`]; `None` if nothing can be won, or the game has ended.
///
/// # Errors
/// [`SolveError`] as [`Values::of`].
pub fn best_step(values: &Values, state: &State) -> Result<Option<Step>, SolveError> {
    if state.end.is_some() {
        return Ok(None);
    }
    let Some((value, decisions)) = values.with_decisions(state)? else { return Ok(None) };
    let game = values.game();
    for action in game.actions(state)? {
        if action.is_lethal() || values.gives_nothing(state, &action)? {
            continue;
        }
        let step = game.apply(state, &action)?;
        if values.with_decisions(&step.state)? == Some((value, decisions.saturating_sub(1))) {
            return Ok(Some(step));
        }
    }
    Ok(None)
}
