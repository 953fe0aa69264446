//! The exact search against a slow one, on thousands of random towers: same optimum whatever is switched off, routes
//! that keep their word, bounds that are never too low.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::towers::{Kind, item_mode, reference, tower};
use mota::format::write_native;
use mota::game::{End, Game, Hero, ItemMode, Position, State, Tile};
use mota::solver::assumption::Assumptions;
use mota::solver::bound::Bound;
use mota::solver::exact::{Request, Solution, solve};
use mota::solver::goal::Goal;
use mota::solver::key::Space;
use mota::solver::search::{Settings, Watch, Without};
use mota::solver::{SolveError, Values};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn solved(game: &Game, settings: Settings) -> Solution {
    let mut watch = Watch { stop: &|| false, tell: &mut |_| {} };
    solve(game, &Request { merge: false, settings }, &mut watch).expect("small numbers")
}

/// The search as it is, with narrow first passes, and with each of its parts left out.
fn ways_to_search() -> Vec<Settings> {
    let plain = Settings { threads: 1, ..Settings::default() };
    let without = |without: Without| Settings { without, ..plain.clone() };
    let none = Without::default();
    vec![
        plain.clone(),
        Settings { width: 1, ..plain.clone() },
        Settings { width: 3, ..plain.clone() },
        without(Without { bound: true, ..none }),
        without(Without { forced: true, ..none }),
        without(Without { order: true, ..none }),
        without(Without { gifts: true, ..none }),
        without(Without { spent: true, ..none }),
        without(Without { bound: true, forced: true, order: true, gifts: true, spent: true }),
    ]
}

fn check(game: &Game) -> Result<(), TestCaseError> {
    let start = game.start().unwrap();
    let optimum = reference(game, &start, &mut HashMap::new());
    for settings in ways_to_search() {
        let found = solved(game, settings.clone());
        prop_assert!(found.proven, "{settings:?}");
        let value = found.routes.first().map(|route| route.value);
        prop_assert_eq!(value, optimum, "{:?} {:?}\n{}", settings, game.items(), write_native(game.tower()));
        prop_assert_eq!(found.upper_bound, optimum, "{:?}", settings);
        for route in &found.routes {
            let end = &route.steps.last().unwrap().state;
            prop_assert_eq!((end.end, Some(end.hero.hp)), (Some(End::Won), optimum));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn single_floors(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: false }), items in item_mode()) {
        check(&Game::new(tower, items).unwrap())?;
    }

    #[test]
    fn steady_floors(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: false, vampire: false }), items in item_mode()) {
        check(&Game::new(tower, items).unwrap())?;
    }

    #[test]
    fn two_floors(tower in tower(Kind { floors: 2, rows: 3, shop: false, abilities: false, vampire: false })) {
        check(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }

    #[test]
    fn shops(tower in tower(Kind { floors: 1, rows: 3, shop: true, abilities: true, vampire: false })) {
        check(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }

    #[test]
    fn steady_shops(tower in tower(Kind { floors: 1, rows: 3, shop: true, abilities: false, vampire: false })) {
        check(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }

    #[test]
    fn vampires(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: true }), items in item_mode()) {
        check(&Game::new(tower, items).unwrap())?;
    }
}

/// Floors too large for the slow reference, against the state values, which go decision by decision.
fn check_against_values(game: &Game) -> Result<(), TestCaseError> {
    let Ok(values) = Values::new(game, 200_000_000) else { return Ok(()) };
    let start = game.start().unwrap();
    if !values.holds(&start).unwrap() {
        return Ok(());
    }
    let optimum = values.of(&start).unwrap();
    for width in [2, 64] {
        let found = solved(game, Settings { width, threads: 1, ..Settings::default() });
        let value = found.routes.first().map(|route| route.value);
        prop_assert_eq!((value, found.proven), (optimum, true), "width {}\n{}", width, write_native(game.tower()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn larger_floors(tower in tower(Kind { floors: 1, rows: 7, shop: false, abilities: false, vampire: false })) {
        check_against_values(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }

    #[test]
    fn larger_floors_with_abilities(tower in tower(Kind { floors: 1, rows: 7, shop: false, abilities: true, vampire: false })) {
        check_against_values(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }

    #[test]
    fn larger_shops(tower in tower(Kind { floors: 1, rows: 5, shop: true, abilities: false, vampire: false })) {
        check_against_values(&Game::new(tower, ItemMode::Auto).unwrap())?;
    }
}

/// A floor from its map, in the native format, with a shop of such a first price, price step and ATK.
fn shop_floor(shop: (i64, i64, i64), monsters: [(i64, i64, i64); 3], map: &str) -> Game {
    let (price, step, atk) = shop;
    let mut text = format!(
        "name = \"shop\"\ntitle = \"shop\"\n[hero]\nhp = 500\natk = 10\ndef = 5\n[items]\nred_gem = 2\n\
         [shop]\nfirst_price = {price}\nprice_step = {step}\natk = {atk}\n\
         [monsters.B]\nname = \"B\"\nhp = 100\natk = 55\ndef = 0\n"
    );
    for (index, (hp, atk, gold)) in monsters.into_iter().enumerate() {
        let number = index + 1;
        text += &format!("[monsters.{number}]\nname = \"{number}\"\nhp = {hp}\natk = {atk}\ndef = 0\ngold = {gold}\n");
    }
    text += &format!("[[floor]]\nmap = \"\"\"\n{map}\n\"\"\"\n");
    Game::new(mota::format::parse_tower("shop.toml", &text).unwrap(), ItemMode::Auto).unwrap()
}

/// Gold that is taken for nothing behind a fight counts with that fight, whatever its own: both floors were solved
/// wrongly once, at 50.
#[test]
fn gold_behind_a_fight_pays_for_a_purchase() {
    let without_gold = shop_floor((3, 100, 90), [(20, 10, 0), (5, 1, 2), (20, 6, 1)], "$ @ B\n3 . 1\n# # 2");
    let with_gold =
        shop_floor((5, 100, 90), [(20, 10, 1), (5, 1, 3), (20, 6, 2)], "2 # # # #\n1 . @ $ #\n# . . 3 #\n# # . . B");
    for game in [without_gold, with_gold] {
        check(&game).unwrap();
        assert_eq!(solved(&game, Settings::default()).routes[0].value, 494);
    }
}

/// Rooms and corridors of monsters with gold, some of them harmless, around a shop.
fn corridors() -> impl Strategy<Value = Game> {
    let tile = prop_oneof![
        6 => Just("."), 5 => Just("#"), 4 => Just("1"), 5 => Just("2"), 4 => Just("3"), 1 => Just("Y"), 1 => Just("k"),
        1 => Just("a"),
    ];
    let monster = (1_i64..30, 0_i64..14, 0_i64..4);
    let shop = (1_i64..9, prop::sample::select(vec![1_i64, 2, 100]), prop::sample::select(vec![2_i64, 5, 90]));
    (prop::collection::vec(tile, 20), [monster.clone(), monster.clone(), monster], shop).prop_map(
        |(mut tiles, monsters, shop)| {
            (tiles[0], tiles[1], tiles[19]) = ("$", "@", "B");
            let rows: Vec<String> = tiles.chunks(5).map(|row| row.join(" ")).collect();
            shop_floor(shop, monsters, &rows.join("\n"))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn corridors_around_a_shop(game in corridors()) {
        check_against_values(&game)?;
    }
}

/// The best (goal, HP) over all ways to win, by trying everything.
fn best_by_goal(game: &Game, goal: Goal) -> Option<(i64, i64)> {
    ends(game).into_iter().map(|(_, hero)| (goal.of(&hero).unwrap(), hero.hp)).max()
}

/// Every set of cleared doors and monsters with which the boss can fall, with every hero that it can leave.
fn ends(game: &Game) -> HashSet<(BTreeSet<Position>, Hero)> {
    let mut seen = HashSet::new();
    let mut ends = HashSet::new();
    let mut front = vec![game.start().unwrap()];
    while let Some(state) = front.pop() {
        for action in game.actions(&state).unwrap() {
            let next = game.apply(&state, &action).unwrap().state;
            match next.end {
                Some(End::Won) => {
                    ends.insert((cleared(game, &next), next.hero));
                }
                Some(_) => {}
                None => {
                    let seen_as = State { turn: 0, at: Position::default(), ..next.clone() };
                    if seen.insert(seen_as) {
                        front.push(next);
                    }
                }
            }
        }
    }
    ends
}

fn cleared(game: &Game, state: &State) -> BTreeSet<Position> {
    let obstacle = |cell: &u32| matches!(game.graph().tile(*cell), Tile::Door(_) | Tile::Monster(_));
    state.cleared.iter().filter(obstacle).map(|cell| game.graph().position(cell)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn goals(
        tower in tower(Kind { floors: 1, rows: 3, shop: true, abilities: true, vampire: false }),
        goal in prop::sample::select(vec!["atk+def", "keys", "hp + 30*yellow", "2*mdef + hp", "blue+red", "0*hp"]),
    ) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let goal: Goal = goal.parse().unwrap();
        let best = best_by_goal(&game, goal);
        for width in [1, 64] {
            let found = solved(&game, Settings { goal, threads: 1, width, ..Settings::default() });
            prop_assert!(found.proven);
            let end = found.routes.first().map(|route| (route.value, route.steps.last().unwrap().state.hero.hp));
            let told = format!("{goal}, width {width}\n{}", write_native(game.tower()));
            prop_assert_eq!(end.map(|end| end.0), best.map(|best| best.0), "{}", told);
            if goal.hp == 0 {
                prop_assert_eq!(end, best, "of equals the one with most HP");
            }
        }
    }

    /// The best distinct sets: each at its own best, and none missing but those of which a part does as well.
    #[test]
    fn top(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: false }), top in 2_usize..6) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let mut best: BTreeMap<BTreeSet<Position>, i64> = BTreeMap::new();
        for (set, hero) in ends(&game) {
            let known = best.entry(set).or_insert(hero.hp);
            *known = hero.hp.max(*known);
        }
        let found = solved(&game, Settings { top, threads: 1, width: 4, ..Settings::default() });
        prop_assert!(found.proven);
        let part_does_as_well = |set: &BTreeSet<Position>, hp: &i64| {
            best.iter().any(|(other, as_well)| other.len() < set.len() && other.is_subset(set) && as_well >= hp)
        };
        let mut listed = BTreeSet::new();
        for route in &found.routes {
            let end = &route.steps.last().unwrap().state;
            let set = cleared(&game, end);
            let told = format!("{set:?}\n{}", write_native(game.tower()));
            prop_assert_eq!(end.hero.hp, route.value);
            // Plays that clear what gives nothing at that time are not looked for.
            prop_assert!(best[&set] == route.value || part_does_as_well(&set, &best[&set]), "{}", told);
            prop_assert!(listed.insert(set), "a set twice: {}", told);
        }
        prop_assert!(found.routes.is_sorted_by(|a, b| a.value >= b.value));
        prop_assert_eq!(found.routes.first().map(|route| route.value), best.values().copied().max());
        let least = if found.routes.len() < top { i64::MIN } else { found.routes.last().unwrap().value };
        for (set, hp) in best.iter().filter(|(set, hp)| **hp > least && !listed.contains(*set)) {
            prop_assert!(part_does_as_well(set, hp), "{:?} with {} is missing\n{}", set, hp, write_native(game.tower()));
        }
    }
}

/// States of random plays at which a bound is below the true value, by `bound_at` of the bound of the play's start.
fn bounds_too_low(cases: usize, kind: Kind, bound_at: impl Fn(&Bound<1>, &Space<1>, &State) -> i64) -> usize {
    let mut runner = TestRunner::deterministic();
    let strategy = (tower(kind), prop::collection::vec(any::<prop::sample::Index>(), 8));
    let mut too_low = 0;
    for _ in 0..cases {
        let (tower, choices) = strategy.new_tree(&mut runner).unwrap().current();
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let space: Space<1> = Space::new(&game).unwrap();
        let assumptions = match Assumptions::of(&game) {
            Err(SolveError::NotExact(_)) => continue,
            other => other.unwrap(),
        };
        let mut state = game.start().unwrap();
        let root = space.place_of(&state).unwrap();
        let bound = Bound::new(&space, &root, Goal::default(), &assumptions).unwrap();
        let mut known = HashMap::new();
        for choice in choices {
            if let Some(value) = reference(&game, &state, &mut known).filter(|_| state.end.is_none()) {
                too_low += usize::from(bound_at(&bound, &space, &state) < value);
            }
            let actions = game.actions(&state).unwrap();
            if actions.is_empty() {
                break;
            }
            state = game.apply(&state, choice.get(&actions)).unwrap().state;
        }
    }
    too_low
}

fn kinds() -> [Kind; 4] {
    [
        Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: false },
        Kind { floors: 2, rows: 3, shop: false, abilities: false, vampire: false },
        Kind { floors: 1, rows: 3, shop: true, abilities: true, vampire: false },
        Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: true },
    ]
}

#[test]
fn no_bound_is_below_the_true_value() {
    for kind in kinds() {
        let too_low = bounds_too_low(1_500, kind, |bound, space, state| bound.at(&space.place_of(state).unwrap()));
        assert_eq!(too_low, 0);
    }
}

/// The test above can fail: bounds that are wrong by little, or in one part only, are found.
#[test]
fn a_wrong_bound_would_be_found() {
    for kind in kinds() {
        let by_one = bounds_too_low(400, kind, |bound, space, state| bound.at(&space.place_of(state).unwrap()) - 1);
        assert!(by_one > 0);
    }
    // A bound that forgets a little of the HP in hand.
    let forgetful = bounds_too_low(400, kinds()[0], |bound, space, state| {
        let mut entry = space.place_of(state).unwrap();
        entry.hp -= entry.hp / 10;
        bound.at(&entry)
    });
    assert!(forgetful > 0);
}

/// The answer, its route and its count do not depend on threads.
#[test]
fn threads_change_nothing() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/complex.toml");
    let game = Game::new(mota::format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap();
    let solve = |threads| {
        let found = solved(&game, Settings { threads, ..Settings::default() });
        (found.states, found.wins, found.routes[0].steps.iter().map(|step| step.action).collect::<Vec<_>>())
    };
    let one = solve(1);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(5));
}

/// Without the memory for it, the search still has a route and a bound, and they are right.
#[test]
fn little_memory_gives_a_bracket() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/complex.toml");
    let game = Game::new(mota::format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap();
    let found = solved(&game, Settings { memory: 100_000, ..Settings::default() });
    assert!(!found.proven);
    assert!(found.upper_bound > Some(68), "{:?}", found.upper_bound);
    assert!(found.routes.first().is_none_or(|route| route.value <= 68));
}
