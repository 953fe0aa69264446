//! How hard each floor of a tower is, measured along best play. Asks what states are worth; knows nothing of how the tower was
//! made.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::game::{Game, State, Step};
use crate::solver::SolveError;
use crate::solver::worths::{Effort, Worths};

/// What best play meets on one floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hardness {
    /// Decisions of best play whose tile lies there.
    pub decisions: u32,
    /// Actions beside them that are not lethal.
    pub others: u32,
    /// Those of them after which the game can no longer be won, as far as that is known.
    pub losing: u32,
    /// HP that best play pays there.
    pub paid: i64,
    /// States that random play visits there, from where best play first acts on the floor.
    pub visited: u32,
    /// Those of them from which the game can no longer be won, as far as that is known.
    pub lost: u32,
}

impl Hardness {
    /// The share of losing ones among the actions beside best play; none if there are none.
    pub fn losing_share(&self) -> Option<f64> {
        (self.others > 0).then(|| f64::from(self.losing) / f64::from(self.others))
    }

    /// The share of lost ones among the states that random play visits; none if it visits none.
    pub fn lost_share(&self) -> Option<f64> {
        (self.visited > 0).then(|| f64::from(self.lost) / f64::from(self.visited))
    }
}

/// Bytes that all values may take, so that each is a look-up; beyond them each is searched for.
const MEMORY: usize = 64 << 20;

/// Measures each floor of a tower along a route that wins.
///
/// # Errors
/// [`SolveError`] if a quantity leaves its range.
pub fn of(game: &Game, route: &[Step]) -> Result<Vec<Hardness>, SolveError> {
    let worths = Worths::new(game, MEMORY, Effort::default())?;
    let mut floors = vec![Hardness::default(); game.tower().floors.len()];
    let mut state: State = game.start()?;
    for step in route {
        let Some(floor) = floors.get_mut(usize::from(step.action.target.floor)) else { continue };
        if floor.decisions == 0 {
            stray(game, &worths, &state, floor, step.action.target.floor)?;
        }
        floor.decisions += 1;
        for other in game.actions(&state)?.iter().filter(|other| **other != step.action && !other.is_lethal()) {
            floor.others += 1;
            floor.losing += u32::from(worths.after(&state, other)?.is_lost());
        }
        floor.paid += paid(game, &state, step);
        state = step.state.clone();
    }
    Ok(floors)
}

/// Random plays of a floor.
const PLAYS: u64 = 8;

/// Decisions of one.
const LONG: usize = 10;

/// Plays on one floor at random, without lethal actions, and counts the states that are lost.
fn stray(game: &Game, worths: &Worths, from: &State, hardness: &mut Hardness, floor: u16) -> Result<(), SolveError> {
    for play in 0..PLAYS {
        let mut rng = ChaCha8Rng::seed_from_u64(play);
        let mut state = from.clone();
        for _ in 0..LONG {
            let mut actions = game.actions(&state)?;
            actions.retain(|action| action.target.floor == floor && !action.is_lethal());
            let Some(action) = actions.choose(&mut rng) else { break };
            state = game.apply(&state, action)?.state;
            if state.end.is_some() {
                break;
            }
            hardness.visited += 1;
            hardness.lost += u32::from(worths.of_state(&state)?.is_lost());
        }
    }
    Ok(())
}

/// HP that a decision takes; what it gives is not set off against it.
fn paid(game: &Game, state: &State, step: &Step) -> i64 {
    let gained: i64 = step
        .collected
        .iter()
        .map(|(_, item)| game.tower().items.give(&Default::default(), *item).map_or(0, |hero| hero.hp))
        .sum();
    (state.hero.hp + gained - step.state.hero.hp).max(0)
}
