//! The published counts, the facts of section B.5.2, and properties on random small towers.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::game::{Ability, ActionKind, Game, ItemMode, Monster, Ratio, Shop, State as GameState};
use crate::solver::fixed::{draw, fixed, monster};
use crate::solver::playable::play;

fn options(version: Version, merge: bool, eat: bool) -> Options {
    Options { merge, eat, ..Options::new(version) }
}

fn solve(name: &str, options: &Options) -> Outcome {
    search(&fixed(name), options).unwrap()
}

/// States, wins and final HP.
fn figures(outcome: &Outcome) -> (u64, u64, Option<i64>) {
    (outcome.states, outcome.wins, outcome.best.as_ref().map(|win| win.hero.hp))
}

/// Plays the best route in the game and checks that it wins with the hero that was promised.
fn replay(tower: &Tower, outcome: &Outcome) -> Vec<crate::game::Action> {
    let win = outcome.best.as_ref().unwrap();
    let played = play(tower, &win.route).unwrap();
    assert_eq!(played.end.end, Some(crate::game::End::Won));
    assert_eq!(played.end.hero, win.hero);
    played.actions
}

fn doors(actions: &[crate::game::Action]) -> Vec<(u16, u16)> {
    let opened = actions.iter().filter(|action| matches!(action.kind, ActionKind::Open(_)));
    opened.map(|action| (action.target.x, action.target.y)).collect()
}

#[test]
fn simple_gives_the_published_counts_in_both_versions() {
    for version in [Version::Published, Version::Corrected] {
        let outcome = solve("simple", &Options::new(version));
        assert_eq!(outcome.nodes, NodeCount { with_obstacle: 13, all: 23 });
        assert_eq!(figures(&outcome), (412, 1, Some(13)));
        let hero = outcome.best.as_ref().unwrap().hero;
        assert_eq!((hero.atk, hero.def), (13, 8));
        replay(&fixed("simple"), &outcome);
    }
}

#[test]
fn simple_unmerged_costs_the_published_version_three_hp() {
    for (version, hp) in [(Version::Published, 10), (Version::Corrected, 13)] {
        let outcome = solve("simple", &options(version, false, true));
        assert_eq!(figures(&outcome).2, Some(hp));
        replay(&fixed("simple"), &outcome);
    }
}

#[test]
fn hand03_gives_the_published_counts_in_both_versions() {
    for version in [Version::Published, Version::Corrected] {
        let outcome = solve("hand03", &Options::new(version));
        assert_eq!(outcome.nodes, NodeCount { with_obstacle: 24, all: 34 });
        assert_eq!(figures(&outcome), (118_351, 1, Some(9)));
        let hero = outcome.best.as_ref().unwrap().hero;
        assert_eq!((hero.atk, hero.def, hero.mdef), (14, 14, 10));
        replay(&fixed("hand03"), &outcome);
    }
}

#[test]
fn complex_published_ends_at_22_and_opens_the_doors_of_section_b_5_2() {
    let outcome = solve("complex", &Options::new(Version::Published));
    assert_eq!(outcome.nodes, NodeCount { with_obstacle: 32, all: 55 });
    assert_eq!(figures(&outcome), (703_456, 13, Some(22)));
    assert_eq!(outcome.ends_at_limit, 0);
    let actions = replay(&fixed("complex"), &outcome);
    assert_eq!(doors(&actions), [(8, 7), (8, 4), (6, 2), (12, 2), (5, 8)]);
}

#[test]
fn complex_corrected_ends_at_68_and_opens_the_doors_of_section_b_5_2() {
    let outcome = solve("complex", &Options::new(Version::Corrected));
    assert_eq!(figures(&outcome), (709_821, 32, Some(68)));
    let hero = outcome.best.as_ref().unwrap().hero;
    assert_eq!((hero.atk, hero.def, hero.mdef), (16, 20, 20));
    // The section opens (6,2) before (8,4); the route of this tie order reaches the same hero with the two swapped.
    let tower = fixed("complex");
    let actions = replay(&tower, &outcome);
    assert_eq!(doors(&actions), [(5, 8), (0, 10), (8, 7), (8, 4), (6, 2)]);
    // What the section calls left is never fought by decision; three of the nine fall at once as harmless.
    let nine = [(11, 0), (8, 2), (9, 3), (0, 4), (10, 6), (4, 7), (3, 8), (10, 10), (4, 11)];
    let cleared = |by_decision: bool| -> Vec<(u16, u16)> {
        let steps = outcome.best.iter().flat_map(|win| &win.route);
        let tiles = steps.filter_map(move |step| match step {
            RouteStep::Clear { tiles, decision } if *decision == by_decision => Some(tiles),
            _ => None,
        });
        tiles.flatten().map(|at| (at.x, at.y)).collect()
    };
    assert!(nine.iter().all(|at| !cleared(true).contains(at)));
    let mut harmless: Vec<_> = nine.into_iter().filter(|at| cleared(false).contains(at)).collect();
    harmless.sort_unstable();
    assert_eq!(harmless, [(3, 8), (9, 3), (11, 0)]);
    assert_eq!(cleared(true).len() + cleared(false).len(), 5 + 18 + 1);
}

#[test]
fn complex_published_without_merging_or_without_clearing_at_once() {
    let tower = fixed("complex");
    for (merge, eat, states, hp) in
        [(false, true, 924_597, 58), (true, false, 948_040, 68), (false, false, 1_288_458, 68)]
    {
        let outcome = solve("complex", &options(Version::Published, merge, eat));
        let (expanded, _, best) = figures(&outcome);
        assert_eq!((expanded, best), (states, Some(hp)));
        replay(&tower, &outcome);
    }
}

#[test]
fn a_state_past_the_limit_is_an_end_and_no_win() {
    let tower = draw(hero(100), slimes(1, 2), &["@ 1 a 1 a 1 B"]);
    let with = |decisions| search(&tower, &Options { decisions, ..Options::new(Version::Published) }).unwrap();
    let short = with(1);
    assert_eq!((short.best, short.wins, short.ends_at_limit, short.states), (None, 0, 1, 2));
    // The boss falls with the fourth decision, one past the limit: a win all the same.
    assert_eq!(figures(&with(3)), (4, 1, Some(95)));
}

#[test]
fn harmless_monsters_are_cleared_where_they_stand_on_the_route() {
    let tower = draw(hero(100), slimes(0, 1), &["@ 1 . B"]);
    let outcome = search(&tower, &Options::new(Version::Corrected)).unwrap();
    let cleared = |x, decision| RouteStep::Clear { tiles: vec![Position::new(0, x, 0)], decision };
    assert_eq!(outcome.best.as_ref().unwrap().route, [cleared(1, false), cleared(3, true)]);
    replay(&tower, &outcome);
}

#[test]
fn a_merged_node_is_played_in_the_order_in_which_it_comes_into_reach() {
    // Reading order is left to right, the hero comes from the right.
    let tower = draw(hero(100), slimes(1, 1), &["B 1 1 1 @"]);
    let outcome = search(&tower, &Options::new(Version::Corrected)).unwrap();
    assert_eq!(outcome.nodes, NodeCount { with_obstacle: 2, all: 3 });
    let targets: Vec<u16> = replay(&tower, &outcome).iter().map(|action| action.target.x).collect();
    assert_eq!(targets, [3, 2, 1, 0]);
}

#[test]
fn a_shop_is_used_as_often_as_it_can_be_paid() {
    let mut tower = draw(Hero { gold: 4, ..hero(100) }, slimes(1, 9), &["@ 1 ^", "v $ B"]);
    tower.monsters[0].gold = 5;
    tower.shop = Some(Shop { first_price: 3, price_step: 1, hp: 100, atk: 2, def: 2, mdef: 0 });
    let outcome = search(&tower, &Options::new(Version::Corrected)).unwrap();
    let shop = Position::new(1, 1, 0);
    let steps: Vec<bool> =
        outcome.best.as_ref().unwrap().route.iter().map(|step| *step == RouteStep::Buy { shop }).collect();
    // 9 gold: one purchase for 3, one for 4, none for 5.
    assert_eq!(steps, [false, true, true, false]);
    let hero = outcome.best.as_ref().unwrap().hero;
    assert_eq!((hero.gold, hero.atk), (2, 14));
    replay(&tower, &outcome);
}

#[test]
fn the_game_ends_when_the_boss_falls() {
    let tower = draw(hero(100), slimes(1, 1), &["@ B P"]);
    let outcome = search(&tower, &Options::new(Version::Published)).unwrap();
    assert_eq!(figures(&outcome), (1, 1, Some(99)));
    replay(&tower, &outcome);
}

#[test]
fn overflow_and_size_are_errors() {
    let mut tower = draw(hero(i64::MAX), slimes(1, 1), &["@ p B"]);
    let overflow = search(&tower, &Options::new(Version::Published)).unwrap_err();
    assert_eq!(overflow, GameError::GainOverflow { at: Position::new(0, 1, 0) }.into());
    tower.hero.hp = 100;
    let none = Options { most_states: 0, ..Options::new(Version::Published) };
    assert_eq!(search(&tower, &none), Err(SearchError::TooManyStates(0)));
    let row = format!("@ B {}", ". 1 ".repeat(300));
    let wide = draw(hero(100), slimes(1, 1), &[&row]);
    let error = search(&wide, &options(Version::Published, false, true)).unwrap_err();
    assert_eq!(error, SearchError::TooManyNodes { nodes: 302, stage: "after merging", most: 256 });
    let wider = draw(hero(100), slimes(1, 1), &[&format!("@ B {}", "1 ".repeat(3000))]);
    let error = search(&wider, &Options::new(Version::Published)).unwrap_err();
    assert_eq!(error, SearchError::TooManyNodes { nodes: 3001, stage: "before merging", most: MOST_TILES });
}

#[test]
fn more_than_64_nodes_do_not_collide() {
    // 130 doors beside one corridor, one key: every door is a key of its own, and one of them hides the boss.
    let above = "Y ".repeat(130);
    let corridor = format!("@ k {}", ". ".repeat(128));
    let top = format!("{}B ", "# ".repeat(129));
    let tower = draw(hero(100), slimes(1, 1), &[&format!("{top}\n{above}\n{corridor}")]);
    let outcome = search(&tower, &options(Version::Published, false, false)).unwrap();
    assert_eq!(outcome.nodes.with_obstacle, 131);
    // The start, 130 ways to spend the key.
    assert_eq!(figures(&outcome), (131, 1, Some(99)));
    replay(&tower, &outcome);
}

fn hero(hp: i64) -> Hero {
    Hero { hp, atk: 10, def: 10, ..Hero::default() }
}

/// A slime that costs `slime` HP and a boss that costs `boss`.
fn slimes(slime: i64, boss: i64) -> Vec<Monster> {
    vec![monster("1", 15, 10 + slime, 0, &[]), monster("B", 15, 10 + boss, 0, &[])]
}

/// The optimum by trying every legal play through the game itself.
fn optimum(tower: &Tower) -> Option<i64> {
    let game = Game::new(tower.clone(), ItemMode::Auto).unwrap();
    let mut seen = HashSet::<GameState>::new();
    let mut open = vec![game.start().unwrap()];
    let mut best = None;
    while let Some(state) = open.pop() {
        if state.end == Some(crate::game::End::Won) {
            best = best.max(Some(state.hero.hp));
        }
        let actions = game.actions(&state).unwrap();
        for action in actions.into_iter().filter(|action| !action.is_lethal()) {
            let next = game.apply(&state, &action).unwrap().state;
            if seen.insert(GameState { turn: 0, at: tower.start, ..next.clone() }) {
                open.push(next);
            }
        }
    }
    best
}

/// Five by five tiles, up to eight obstacles and the boss, monsters with one ability each.
fn small_tower(abilities: &'static [Ability]) -> impl Strategy<Value = Tower> {
    let tile = prop_oneof![
        8 => Just("."), 7 => Just("#"), 5 => Just("1"), 5 => Just("2"), 2 => Just("3"), 3 => Just("Y"), 3 => Just("k"),
        2 => Just("a"), 2 => Just("d"), 1 => Just("g"), 1 => Just("p"),
    ];
    let ability = || prop::option::of(prop::sample::select(abilities));
    let row = || (5i64..40, 0i64..25, 0i64..12, ability());
    let cells = prop::collection::vec(tile, 25);
    let places = prop::sample::subsequence((0..25).collect::<Vec<usize>>(), 2).prop_shuffle();
    (cells, places, prop::collection::vec(row(), 4), 20i64..200).prop_map(|(mut cells, places, rows, hp)| {
        let mut obstacles = 0;
        for cell in &mut cells {
            obstacles += usize::from(matches!(*cell, "1" | "2" | "3" | "Y"));
            if obstacles > 8 && matches!(*cell, "1" | "2" | "3" | "Y") {
                *cell = "#";
            }
        }
        cells[places[0]] = "@";
        cells[places[1]] = "B";
        let picture: Vec<String> = cells.chunks(5).map(|row| row.join(" ")).collect();
        let monsters = ["1", "2", "3", "B"]
            .into_iter()
            .zip(rows)
            .map(|(symbol, (hp, atk, def, ability))| monster(symbol, hp, atk, def, ability.as_slice()));
        draw(Hero { hp, atk: 10, def: 5, ..Hero::default() }, monsters.collect(), &[&picture.join("\n")])
    })
}

const MONOTONE: &[Ability] = &[
    Ability::FirstStrike,
    Ability::MagicAttack,
    Ability::Double,
    Ability::Triple,
    Ability::NStrike { n: 4 },
    Ability::FixedDamage { damage: 7 },
];
const ALL_BUT_VAMPIRE: &[Ability] = &[
    Ability::FirstStrike,
    Ability::MagicAttack,
    Ability::Solid,
    Ability::Double,
    Ability::BreakArmour { ratio: Ability::DEFAULT_BREAK_ARMOUR },
    Ability::CounterAttack { ratio: Ability::DEFAULT_COUNTER_ATTACK },
    Ability::Purify { ratio: Ability::DEFAULT_PURIFY },
    Ability::Mimic,
    Ability::FixedDamage { damage: 7 },
];
const HP_DEPENDENT: &[Ability] = &[
    Ability::Vampire { ratio: Ratio::constant(1, 10), add: false },
    Ability::Vampire { ratio: Ratio::constant(1, 1), add: false },
    Ability::MagicAttack,
    Ability::Purify { ratio: Ability::DEFAULT_PURIFY },
];

proptest! {
    #[test]
    fn corrected_is_never_worse_than_published_and_routes_replay(
        tower in small_tower(ALL_BUT_VAMPIRE), merge: bool, eat: bool,
    ) {
        let [published, corrected] = [Version::Published, Version::Corrected]
            .map(|version| search(&tower, &options(version, merge, eat)).unwrap());
        prop_assert!(figures(&corrected).2 >= figures(&published).2);
        for outcome in [published, corrected] {
            if outcome.best.is_some() {
                replay(&tower, &outcome);
            }
        }
    }

    #[test]
    fn unmerged_and_without_clearing_at_once_the_corrected_search_is_exact(
        tower in prop_oneof![small_tower(ALL_BUT_VAMPIRE), small_tower(HP_DEPENDENT)],
    ) {
        let outcome = search(&tower, &options(Version::Corrected, false, false)).unwrap();
        prop_assert_eq!(figures(&outcome).2, optimum(&tower));
        if outcome.best.is_some() {
            replay(&tower, &outcome);
        }
    }

    #[test]
    fn unmerged_the_corrected_search_is_exact_where_nothing_harmless_is_better_left(mut tower in small_tower(MONOTONE)) {
        // A boss that costs nothing would be cleared at once, with potions still to come.
        let costly = Ability::FixedDamage { damage: 200 };
        tower.monsters.iter_mut().filter(|monster| monster.boss).for_each(|boss| boss.abilities.insert(costly));
        tower.hero.hp += 200;
        let outcome = search(&tower, &options(Version::Corrected, false, true)).unwrap();
        prop_assert_eq!(figures(&outcome).2, optimum(&tower));
    }
}

#[test]
fn a_tower_that_is_not_plain_is_refused() {
    let mut tower = fixed("simple");
    tower.goal = crate::game::Goal::Event;
    for version in [Version::Published, Version::Corrected] {
        assert_eq!(search(&tower, &Options::new(version)).err(), Some(SearchError::NotPlain));
    }
}
