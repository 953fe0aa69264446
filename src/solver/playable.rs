//! Turns a route through the merged graph into moves that the game accepts. Knows the engine; knows nothing of search.
//!
//! A merged node is several tiles, and which of them comes first depends on where the hero stands: at each moment the
//! first of its tiles (floor, x, y) that is in reach is cleared. The search itself takes them in the order in which
//! they were merged. The two agree in HP wherever a fight's cost does not depend on HP and nothing is collected
//! between two tiles of one node; where they do not, [`Played::end`] tells what the route is really worth.

use super::published::RouteStep;
use crate::game::{Action, ActionKind, Game, GameError, ItemMode, Position, Purchase, State, Tower, TowerError};

/// A route as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// What was done, in order; each was legal in its turn. Items were collected as they came into reach.
    pub actions: Vec<Action>,
    /// The last state.
    pub end: State,
}

/// Why a route cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The tower cannot be played at all.
    #[error(transparent)]
    Tower(#[from] TowerError),
    /// A step is not legal in its turn.
    #[error("step {step} of the route: {error}")]
    Step {
        /// The step, counted from 1.
        step: usize,
        /// Why it is not legal.
        error: GameError,
    },
}

/// Plays a route from the tower's start, with items collected when they come into reach.
///
/// # Errors
/// [`PlayError`] if the tower is not valid or the route leads where the rules do not.
pub fn play(tower: &Tower, route: &[RouteStep]) -> Result<Played, PlayError> {
    let game = Game::new(tower.clone(), ItemMode::Auto)?;
    let end = game.start().map_err(|error| PlayError::Step { step: 0, error })?;
    let mut played = Played { actions: Vec::new(), end };
    for (index, step) in route.iter().enumerate() {
        let done = match step {
            RouteStep::Clear { tiles, .. } => clear(&game, &mut played, tiles),
            RouteStep::Buy { shop } => buy(&game, &mut played, *shop),
        };
        done.map_err(|error| PlayError::Step { step: index + 1, error })?;
    }
    Ok(played)
}

/// Clears all of a node's tiles, whichever is in reach first.
fn clear(game: &Game, played: &mut Played, tiles: &[Position]) -> Result<(), GameError> {
    let mut rest = tiles.to_vec();
    while let Some(&any) = rest.first() {
        let legal = game.actions(&played.end)?.into_iter().find(|action| rest.contains(&action.target));
        let action = legal.map_or_else(|| game.action_at(&played.end, any), Ok)?;
        rest.retain(|tile| *tile != action.target);
        advance(game, played, action)?;
    }
    Ok(())
}

fn buy(game: &Game, played: &mut Played, shop: Position) -> Result<(), GameError> {
    let offer = game
        .actions(&played.end)?
        .into_iter()
        .find(|action| action.target == shop && matches!(action.kind, ActionKind::Buy { purchase: Purchase::Atk, .. }));
    // Without an offer there, the game says why.
    let action = offer.map_or_else(|| game.action_at(&played.end, shop), Ok)?;
    advance(game, played, action)
}

fn advance(game: &Game, played: &mut Played, action: Action) -> Result<(), GameError> {
    played.end = game.apply(&played.end, &action)?.state;
    played.actions.push(action);
    Ok(())
}
