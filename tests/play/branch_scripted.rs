//! Branch and bound on random towers with events, choices, things, gates and one-way ways, against a search that tries
//! everything as far as that ends.

use std::collections::HashMap;

use crate::scripted::scripted;
use crate::towers::Kind;
use mota::game::{End, Game, ItemMode, State};
use mota::solver::branch::{self, Limits, Request, Without};
use mota::solver::search::Watch;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const KIND: Kind = Kind { floors: 2, rows: 3, shop: true, abilities: true, vampire: true };

/// States that are looked at from a start, at most. On some of these towers play never ends.
const MOST: usize = 3_000;

/// The best final HP from every state that can be reached; none if there are too many, or something cannot be computed.
/// Play may go round in circles, so values are spread from the ends backwards.
pub fn values(game: &Game, start: &State) -> Option<Vec<(State, Option<i64>)>> {
    let seen_as = |state: &State| State { turn: 0, ..state.clone() };
    let mut known: HashMap<State, usize> = HashMap::from([(seen_as(start), 0)]);
    let mut states = vec![start.clone()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        for action in game.actions(&state).ok()? {
            let after = game.apply(&state, &action).ok()?.state;
            let count = states.len();
            let at = *known.entry(seen_as(&after)).or_insert(count);
            if at == count {
                states.push(after);
                before.push(Vec::new());
            }
            before[at].push(next);
        }
        if states.len() > MOST {
            return None;
        }
        next += 1;
    }
    let mut won: Vec<(i64, usize)> = (states.iter().enumerate())
        .filter(|(_, state)| state.end == Some(End::Won))
        .map(|(index, state)| (state.hero.hp, index))
        .collect();
    won.sort_unstable();
    let mut values: Vec<Option<i64>> = vec![None; states.len()];
    for (hp, index) in won.into_iter().rev() {
        let mut front = vec![index];
        while let Some(index) = front.pop() {
            if values[index].is_none() {
                values[index] = Some(hp);
                front.extend(&before[index]);
            }
        }
    }
    Some(states.into_iter().zip(values).collect())
}

#[derive(Debug, Default)]
struct Tally {
    towers: usize,
    states: usize,
    bounded: usize,
    won: usize,
    by_hp: usize,
    too_low: usize,
}

/// Checks every state that can be reached of random towers.
fn tally(cases: usize, without: Without, less: i64) -> Tally {
    let mut runner = TestRunner::deterministic();
    let strategy = scripted(KIND);
    let mut tally = Tally::default();
    for _ in 0..cases {
        let tower = strategy.new_tree(&mut runner).unwrap().current();
        let Ok(game) = Game::new(tower, ItemMode::Auto) else { continue };
        let Some(start) = game.start().ok() else { continue };
        let Some(values) = values(&game, &start) else { continue };
        tally.towers += 1;
        tally.won += usize::from(values[0].1.is_some());
        for (state, value) in values.iter().take(60) {
            let bound = branch::upper_bound(&game, state, without).unwrap();
            tally.states += 1;
            tally.bounded += usize::from(bound != Some(i64::MAX));
            let bound = bound.map_or(i64::MIN, |bound| if bound == i64::MAX { bound } else { bound - less });
            if value.is_some_and(|value| bound < value) {
                tally.too_low += 1;
                if less == 0 {
                    panic!("{bound} for {value:?} {without:?}\n{state:#?}\n{:#?}", game.tower());
                }
            }
        }
    }
    tally
}

#[test]
fn no_bound_is_below_the_true_value() {
    let none = Without::default();
    let found = tally(3_000, none, 0);
    eprintln!("{found:?}");
    assert!(found.towers > 1_500 && found.won > 100, "{found:?}");
    assert!(found.bounded * 2 > found.states, "{found:?}");
    for without in [
        Without { combat: true, ..none },
        Without { keys: true, ..none },
        Without { items: true, ..none },
        Without { combat: true, keys: true, items: true, ..none },
    ] {
        tally(500, without, 0);
    }
}

#[test]
fn a_wrong_bound_would_be_found() {
    assert!(tally(500, Without::default(), 1).too_low > 0);
}

/// The answer at the start is the best there is, whatever is left out, and the route is played to it.
#[test]
fn the_best_is_found() {
    let mut runner = TestRunner::deterministic();
    let strategy = scripted(KIND);
    let mut found = Tally::default();
    for _ in 0..2_000 {
        let tower = strategy.new_tree(&mut runner).unwrap().current();
        let Ok(game) = Game::new(tower, ItemMode::Auto) else { continue };
        let Some(start) = game.start().ok() else { continue };
        let Some(values) = values(&game, &start) else { continue };
        let best = values[0].1;
        found.towers += 1;
        for without in
            [Without::default(), Without { combat: true, keys: true, items: true, forced: true, table: false }]
        {
            for width in [1, 16] {
                let request = Request { without, width, ..Request::default() };
                let answer = branch::solve(&game, &request, &mut Watch { stop: &|| false, tell: &mut |_| {} }).unwrap();
                let told = || format!("{without:?} {width}\n{answer:?}\n{:#?}", game.tower());
                assert!(answer.proven, "{}", told());
                assert_eq!(answer.best, best, "{}", told());
                found.by_hp += usize::from(!answer.hp_counts.is_empty());
                found.won += usize::from(best.is_some());
                if let Some(last) = answer.route.iter().flatten().last() {
                    assert_eq!((last.state.end, Some(last.state.hero.hp)), (Some(End::Won), best), "{}", told());
                }
            }
        }
        for states in [0, 3, 30] {
            let limits = Limits { states, ..Limits::default() };
            let worth = branch::bracket(&game, &start, &limits).unwrap();
            assert!(worth.least.is_none_or(|least| best.is_some_and(|best| least <= best)), "{worth:?} {best:?}");
            assert!(best.is_none_or(|best| worth.most.is_some_and(|most| most >= best)), "{worth:?} {best:?}");
        }
    }
    eprintln!("{found:?}");
    assert!(found.towers > 1_000 && found.won > 200 && found.by_hp > 100, "{found:?}");
}

/// Play that never ends is answered within limits, and nothing is proven of it that does not hold.
#[test]
fn play_that_never_ends_is_left() {
    let mut runner = TestRunner::deterministic();
    let strategy = scripted(KIND);
    let mut left = 0;
    for _ in 0..400 {
        let tower = strategy.new_tree(&mut runner).unwrap().current();
        let Ok(game) = Game::new(tower, ItemMode::Auto) else { continue };
        let Some(start) = game.start().ok() else { continue };
        if values(&game, &start).is_some() {
            continue;
        }
        let limits = Limits { states: 5_000, memory: 10_000_000 };
        if let Ok(worth) = branch::bracket(&game, &start, &limits) {
            assert!(worth.least.is_none_or(|least| worth.most.is_some_and(|most| most >= least)), "{worth:?}");
            left += 1;
        }
    }
    assert!(left > 5, "{left}");
}
