//! The exact solver: the best way to play a tower from its start, with proof or with a bound. Chooses the width of the
//! sets and turns what the search finds into decisions of the game.

use crate::game::{Action, ActionKind, Game, GameError, State, Step};

use super::assumption::{Assumptions, Exception};
use super::cost::Ledger;
use super::error::{SolveError, overflow};
use super::goal::Goal;
use super::graph::{self, Graph, Obstacle};
use super::key::{Entry, Space};
use super::merged::MergedGraph;
use super::moves::Choice;
use super::search::{self, Outcome, Settings, Watch};

/// What is to be solved, and within which limits.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether to search on the published solver's merged graph, in which neighbours are cleared together.
    pub merge: bool,
    /// The search's limits and wishes.
    pub settings: Settings,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best routes, best first: one, or as many distinct sets of cleared obstacles as were asked for. Empty if
    /// none was found.
    pub routes: Vec<Route>,
    /// Whether they are proven to be the best; without one, that the boss cannot be defeated.
    pub proven: bool,
    /// Proven upper bound of the goal's value; none if nothing can be won, or no bound is known.
    pub upper_bound: Option<i64>,
    /// States expanded.
    pub states: u64,
    /// Times that the boss could be defeated from an expanded state.
    pub wins: u64,
    /// Passes of growing width.
    pub passes: u32,
    /// Obstacles that were told apart.
    pub obstacles: usize,
    /// Monsters that make the order of decisions matter, so that reductions were left out.
    pub exceptions: Vec<Exception>,
}

/// A way to win, decision by decision.
#[derive(Clone, Debug)]
pub struct Route {
    /// The goal's value at the end.
    pub value: i64,
    /// The decisions.
    pub steps: Vec<Step>,
}

/// Solves a game from its start.
///
/// # Errors
/// [`SolveError`] if the game is too large, cannot be solved exactly, or a quantity leaves its range.
pub fn solve(game: &Game, request: &Request, watch: &mut Watch<'_>) -> Result<Solution, SolveError> {
    if request.merge && !game.tower().is_plain() {
        return Err(SolveError::NotExact("events, gates and things with neighbours merged".into()));
    }
    let merged = request.merge.then(|| MergedGraph::new(game.tower(), true));
    let size = merged.as_ref().map_or_else(|| graph::size(game), |merged| merged.nodes().len());
    match size {
        0..=64 => on_sets::<1>(game, merged, request, watch),
        65..=128 => on_sets::<2>(game, merged, request, watch),
        129..=256 => on_sets::<4>(game, merged, request, watch),
        257..=512 => on_sets::<8>(game, merged, request, watch),
        _ => on_sets::<16>(game, merged, request, watch),
    }
}

fn on_sets<const W: usize>(
    game: &Game,
    merged: Option<MergedGraph>,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Solution, SolveError> {
    let graph = match &merged {
        Some(merged) => Graph::of_nodes(game, merged)?,
        None => Graph::of_tiles(game)?,
    };
    let settings = &request.settings;
    let mut space: Space<W> = Space::on(game, graph, settings.goal.counts_keys())?;
    space.merges_spent = settings.top == 1 && !settings.without.spent;
    let assumptions = Assumptions::of(game)?;
    let start = game.start()?;
    let root = space.place_of(&start)?;
    let Outcome { wins, proven, upper_bound, states, wins_seen, passes, .. } =
        search::search(&space, &root, &assumptions, settings, watch)?;
    let mut routes = Vec::new();
    for way in wins {
        let choices = match settings.top {
            1 => without_detours(&space, &root, settings.goal, way.choices, watch.stop)?,
            _ => way.choices,
        };
        let steps = play(game, &space, &start, &choices)?;
        let end = steps.last().map_or(&start, |step| &step.state);
        routes.push(Route { value: settings.goal.of(&end.hero).ok_or_else(overflow)?, steps });
    }
    Ok(Solution {
        routes,
        proven,
        upper_bound,
        states,
        wins: wins_seen,
        passes,
        obstacles: space.graph.obstacles.len(),
        exceptions: assumptions.exceptions,
    })
}

/// Choices beyond which a route is left as it was found: leaving out tries each.
const LONG: usize = 1_000;

/// Leaves out, from the last to the first, what the end does not need; as much of it as there is time for.
fn without_detours<const W: usize>(
    space: &Space<W>,
    root: &Entry<W>,
    goal: Goal,
    mut choices: Vec<Choice>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Choice>, SolveError> {
    if choices.len() > LONG {
        return Ok(choices);
    }
    let Some(best) = end_of(space, root, goal, &choices)? else { return Ok(choices) };
    for index in (0..choices.len()).rev() {
        if stop() {
            break;
        }
        let mut fewer = choices.clone();
        fewer.remove(index);
        if end_of(space, root, goal, &fewer)? >= Some(best) {
            choices = fewer;
        }
    }
    Ok(choices)
}

/// The goal's value and the HP at the end of some choices; none if they cannot be made or do not win. What gives
/// nothing any more is passed over.
fn end_of<const W: usize>(
    space: &Space<W>,
    root: &Entry<W>,
    goal: Goal,
    choices: &[Choice],
) -> Result<Option<(i64, i64)>, SolveError> {
    let mut entry = *root;
    let mut ledger = Ledger::new([].into());
    for choice in choices {
        match *choice {
            Choice::Clear(index) => {
                let index = usize::from(index);
                if entry.place.key.gone.contains(index) {
                    continue;
                }
                let costs = ledger.at(space, &entry.place)?;
                let reached = entry.place.reach.contains(index);
                let Some(cleared) = reached.then(|| space.clear_at(&entry, &costs, index)).transpose()?.flatten()
                else {
                    return Ok(None);
                };
                entry = cleared.entry;
                if space.graph.obstacles[index].boss {
                    let value = goal.of(&space.hero(&entry.place, entry.hp)?).ok_or_else(overflow)?;
                    return Ok(Some((value, entry.hp)));
                }
            }
            Choice::Buy(purchase) => {
                if !space.can_buy(&entry.place)? {
                    return Ok(None);
                }
                let bought = space.purchases(&entry.place)?.find(|(other, ..)| *other == purchase);
                let Some((_, place, gain)) = bought else { return Ok(None) };
                entry = Entry { place, hp: entry.hp.checked_add(gain).ok_or_else(overflow)? };
            }
        }
    }
    Ok(None)
}

/// Plays some choices. Tiles that are cleared together are cleared in the order in which they can be.
fn play<const W: usize>(
    game: &Game,
    space: &Space<W>,
    start: &State,
    choices: &[Choice],
) -> Result<Vec<Step>, SolveError> {
    let mut steps: Vec<Step> = Vec::new();
    for choice in choices {
        let mut left = match choice {
            Choice::Clear(index) => space.graph.obstacles[usize::from(*index)].parts.len(),
            Choice::Buy(_) => 1,
        };
        while left > 0 {
            let state = steps.last().map_or(start, |step| &step.state);
            let action = action(game, space, state, choice)?;
            steps.push(game.apply(state, &action)?);
            left -= 1;
        }
    }
    Ok(steps)
}

/// The next action of a choice.
fn action<const W: usize>(game: &Game, space: &Space<W>, state: &State, choice: &Choice) -> Result<Action, SolveError> {
    let actions = game.actions(state)?;
    let found = match *choice {
        Choice::Clear(index) => {
            let Obstacle { parts, .. } = &space.graph.obstacles[usize::from(index)];
            let part = parts.iter().find(|part| !state.cleared.contains(part.cell)).map(|part| part.at);
            let there = actions.into_iter().find(|action| parts.iter().any(|part| part.at == action.target));
            there.ok_or(part)
        }
        Choice::Buy(purchase) => {
            let sold =
                |action: &Action| matches!(action.kind, ActionKind::Buy { purchase: other, .. } if other == purchase);
            actions.into_iter().find(sold).ok_or(None)
        }
    };
    found.map_err(|part| {
        let target = part.unwrap_or(state.at);
        GameError::Illegal { target, why: "the route that was found leads where the rules do not".into() }.into()
    })
}
