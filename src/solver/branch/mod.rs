//! Branch and bound on any tower: the best way to play from a state, with a proven upper bound at any time. It plays
//! through `Game` alone; what it knows of a tower besides is in its bounds, and is never below what play can reach.
//!
//! A state's key is everything but HP (`key`); of two states with one key the one with more HP is kept, unless HP
//! belongs to the key (`ground`). The upper bound (`bound`) is HP now, and what can still be had, less what must still be paid.

mod bound;
mod children;
mod condition;
mod depth;
mod ground;
mod history;
mod key;
mod least;
mod outlook;
mod pass;
mod range;
mod reach;
mod script;
mod setting;
mod survey;
mod tree;

use crate::game::{End, Game, State, Step};

use super::error::SolveError;
use super::search::Watch;
use super::worth::Worth;
use bound::Bounds;
use children::Children;
use ground::Ground;

pub use ground::Reading;

/// Where a search ends, whatever the clock says: its answer depends on these only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States that it may make.
    pub states: u64,
    /// Bytes that it may take, roughly.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: u64::MAX, memory: 2_000_000_000 }
    }
}

/// Parts that are left out, for measurement. The best answer does not depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// The cost of fights in the bound.
    pub combat: bool,
    /// Keys in the bound: every door counts as free.
    pub keys: bool,
    /// What lies where: everything that is left counts, wherever it lies and whatever guards it.
    pub items: bool,
    /// The table of states: each is searched as often as it is met.
    pub table: bool,
    /// Doing at once what costs nothing, and leaving aside what gives nothing.
    pub forced: bool,
}

/// In which order states are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In passes of growing width, layer by layer, the best by bound first.
    #[default]
    Passes,
    /// Depth first, the best by bound first.
    Depth,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Where it ends.
    pub limits: Limits,
    /// What is left out.
    pub without: Without,
    /// The order of the search.
    pub order: Order,
    /// Width of the first pass.
    pub width: usize,
}

impl Default for Request {
    fn default() -> Self {
        Request { limits: Limits::default(), without: Without::default(), order: Order::default(), width: 16 }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best route that was found, decision by decision; none if none was.
    pub route: Option<Vec<Step>>,
    /// Its final HP.
    pub best: Option<i64>,
    /// Whether it is proven to be the best; without one, that the game cannot be won.
    pub proven: bool,
    /// Proven upper bound of the final HP; none if nothing can be won, or no bound is known.
    pub upper_bound: Option<i64>,
    /// States made: each is one decision executed.
    pub states: u64,
    /// Times that the game was won.
    pub wins: u64,
    /// Passes begun.
    pub passes: u32,
    /// What makes more HP possibly worse, so that HP belong to a state's key.
    pub hp_counts: Vec<Reading>,
    /// Why no bound is known, if none is.
    pub unbounded: Option<String>,
    /// Decisions that could not be carried out, because a quantity leaves its range or an event does not end: they count
    /// as none, and nothing is claimed of what they would lead to.
    pub failed: u64,
}

impl Answer {
    /// Of a game that has ended: there is nothing to search.
    fn ended(end: End, hp: i64) -> Self {
        let best = (end == End::Won).then_some(hp);
        Answer {
            route: best.map(|_| Vec::new()),
            best,
            proven: true,
            upper_bound: best,
            states: 0,
            wins: best.is_some().into(),
            passes: 0,
            hp_counts: Vec::new(),
            unbounded: None,
            failed: 0,
        }
    }
}

/// Searches for the best way to play from a state.
///
/// # Errors
/// [`SolveError`] if a quantity leaves its range or the rules cannot be computed.
pub fn solve_from(game: &Game, state: &State, request: &Request, watch: &mut Watch<'_>) -> Result<Answer, SolveError> {
    let ground = Ground::new(game, request.without)?;
    if let Some(end) = state.end {
        return Ok(Answer::ended(end, state.hero.hp));
    }
    let mut bounds = Bounds::new(&ground, state);
    let mut children = Children::new(&ground);
    let depth_first = request.without.table || request.order == Order::Depth;
    match depth_first {
        true => depth::search(&ground, &mut bounds, &mut children, state, request, watch),
        false => pass::search(&ground, &mut bounds, &mut children, state, request, watch),
    }
}

/// The same from the game's start.
///
/// # Errors
/// [`SolveError`] as [`solve_from`].
pub fn solve(game: &Game, request: &Request, watch: &mut Watch<'_>) -> Result<Answer, SolveError> {
    solve_from(game, &game.start()?, request, watch)
}

/// What a state is worth, as far as a search within limits finds out; the same limits give the same bracket.
///
/// # Errors
/// [`SolveError`] as [`solve_from`].
pub fn bracket(game: &Game, state: &State, limits: &Limits) -> Result<Worth, SolveError> {
    let answer = within(game, state, limits)?;
    let most = if answer.proven { answer.best } else { Some(answer.upper_bound.unwrap_or(i64::MAX)) };
    Ok(Worth { least: answer.best, most })
}

/// The best route from a state that a search within limits finds.
///
/// # Errors
/// [`SolveError`] as [`solve_from`].
pub fn route(game: &Game, state: &State, limits: &Limits) -> Result<Option<Vec<Step>>, SolveError> {
    Ok(within(game, state, limits)?.route)
}

/// A proven upper bound of the final HP from a state, without any search: none if the game can no longer be won from
/// there, `i64::MAX` if no bound is known.
///
/// # Errors
/// [`SolveError`] if the tower's quantities leave their range.
pub fn upper_bound(game: &Game, state: &State, without: Without) -> Result<Option<i64>, SolveError> {
    let ground = Ground::new(game, without)?;
    let bound = Bounds::new(&ground, state).at(state);
    Ok((bound > i64::MIN).then_some(bound))
}

fn within(game: &Game, state: &State, limits: &Limits) -> Result<Answer, SolveError> {
    let request = Request { limits: *limits, width: 1, ..Request::default() };
    solve_from(game, state, &request, &mut Watch { stop: &|| false, tell: &mut |_| {} })
}
