//! The exact solver against a slow one, on thousands of random towers.

use std::collections::HashMap;

use crate::towers::{Kind, reference, tower};
use mota::game::{Floor, Game, ItemMode, State, Tile};
use mota::solver::{Values, route::best_route, values::DEFAULT_MEMORY};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Same value at the start, at every state of a random play and after every action there; the route keeps its word.
fn check(game: &Game, choices: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let values = Values::new(game, DEFAULT_MEMORY).expect("solvable");
    let mut known = HashMap::new();
    let mut state: State = game.start().expect("small numbers");
    let optimum = reference(game, &state, &mut known);
    prop_assert_eq!(values.of(&state).unwrap(), optimum, "at the start");
    let route = best_route(&values, &state).unwrap();
    prop_assert_eq!(route.last().map(|step| step.state.hero.hp), optimum.filter(|_| !route.is_empty()));
    prop_assert_eq!(route.is_empty(), optimum.is_none());
    let mut value = optimum;
    for choice in choices {
        let actions = game.actions(&state).unwrap();
        if actions.is_empty() {
            break;
        }
        for action in &actions {
            let after = values.after(&state, action).unwrap();
            let next = game.apply(&state, action).unwrap().state;
            prop_assert_eq!(after, reference(game, &next, &mut known), "after {:?}", action);
            prop_assert!(values.holds(&next).unwrap(), "not held: {:?}", next);
            prop_assert!(after <= value, "the value rises from {:?} to {:?}", value, after);
        }
        state = game.apply(&state, choice.get(&actions)).unwrap().state;
        value = values.of(&state).unwrap();
    }
    Ok(())
}

fn plays() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn single_floors(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: false }), items in crate::towers::item_mode(), plays in plays()) {
        check(&Game::new(tower, items).unwrap(), &plays)?;
    }

    #[test]
    fn two_floors(tower in tower(Kind { floors: 2, rows: 3, shop: false, abilities: false, vampire: false }), plays in plays()) {
        check(&Game::new(tower, ItemMode::Auto).unwrap(), &plays)?;
    }

    #[test]
    fn shops(tower in tower(Kind { floors: 1, rows: 3, shop: true, abilities: true, vampire: false }), plays in plays()) {
        check(&Game::new(tower, ItemMode::Auto).unwrap(), &plays)?;
    }

    #[test]
    fn vampires(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: true }), items in crate::towers::item_mode(), plays in plays()) {
        check(&Game::new(tower, items).unwrap(), &plays)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Obstacles beyond the first words of a set: a floor that nothing leads to holds monsters enough to widen it.
    #[test]
    fn wide_sets(
        tower in tower(Kind { floors: 2, rows: 3, shop: true, abilities: true, vampire: false }),
        sealed in prop::sample::select(vec![50_usize, 120, 250, 500, 900]),
        before in any::<bool>(),
        plays in plays(),
    ) {
        let full = Floor::from_rows(String::new(), vec![vec![Tile::Monster(0); sealed]]).unwrap();
        let mut tower = tower;
        let at = if before { 0 } else { tower.floors.len() };
        tower.floors.insert(at, full);
        if before {
            // Obstacles are numbered floor by floor: those in play now come last.
            tower.start.floor += 1;
            for end in tower.stairs.iter_mut().flat_map(|(from, to)| [from, to]) {
                end.floor += 1;
            }
        }
        check(&Game::new(tower, ItemMode::Auto).unwrap(), &plays)?;
    }
}

/// The random towers are worth testing on: many can be won, and in many of those a losing choice stands beside a
/// saving one.
#[test]
fn random_towers_have_something_to_decide() {
    let mut runner = TestRunner::deterministic();
    for (floors, shop) in [(1, false), (2, false), (1, true)] {
        let strategy = tower(Kind { floors, rows: 3, shop, abilities: true, vampire: false });
        let (mut won, mut critical) = (0, 0);
        for _ in 0..400 {
            let game = Game::new(strategy.new_tree(&mut runner).unwrap().current(), ItemMode::Auto).unwrap();
            let values = Values::new(&game, DEFAULT_MEMORY).unwrap();
            let start = game.start().unwrap();
            let after: Vec<Option<i64>> =
                game.actions(&start).unwrap().iter().map(|action| values.after(&start, action).unwrap()).collect();
            won += usize::from(after.iter().any(Option::is_some));
            critical += usize::from(after.iter().any(Option::is_some) && after.iter().any(Option::is_none));
        }
        assert!(won >= 100 && critical >= 20, "{floors} floors, shop {shop}: {won} won, {critical} critical of 400");
    }
}
