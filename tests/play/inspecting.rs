//! What a floor is like: a floor counted by hand, the fixed floors, and every count on random towers against the slow
//! reference.

use std::collections::HashMap;
use std::path::Path;

use mota::format::{parse_tower, read_tower};
use mota::game::{End, Game, Hero, ItemMode, Tile, Tower};
use mota::inspect::{Inspection, Player, Wishes, inspect};
use mota::solver::{Values, route};
use proptest::prelude::*;

use crate::towers::{Kind, reference, tower};

fn game(name: &str) -> Game {
    Game::new(read_tower(&Path::new("floors").join(name)).unwrap(), ItemMode::Auto).unwrap()
}

fn quick() -> Wishes {
    Wishes { players: vec![Player::Greedy, Player::Heuristic], ..Wishes::default() }
}

/// One key, two doors: the left one holds a potion, the right one the boss.
const CHOICE: &str = r#"
title = "A choice"
hero = { hp = 20, atk = 5, def = 0, keys = { yellow = 1 } }
items = { red_potion = 50 }
monsters.B = { hp = 10, atk = 5, def = 0 }
[[floor]]
map = """
p Y @ Y B
"""
"#;

#[test]
fn a_floor_counted_by_hand() {
    let game = Game::new(parse_tower("choice.toml", CHOICE).unwrap(), ItemMode::Auto).unwrap();
    let Inspection { inventory, optimum, survey, best_play, agents, points, hero_at_optimum, .. } =
        inspect(&game, &Wishes::default()).unwrap();
    // The boss takes two strikes, so that he strikes once: 15 HP are left, and 6 would have been enough.
    assert_eq!((optimum, hero_at_optimum.unwrap().hp), (Some(15), 15));
    let survey = survey.unwrap();
    assert_eq!(survey.least_start_hp, Some(6));
    // The start, the left door opened, the right door opened; the left one is lost.
    assert_eq!((survey.states, survey.lost, survey.winning_sets), (3, 1, 1));
    assert_eq!((inventory.obstacles, inventory.monsters, inventory.all_doors(), inventory.keys.yellow), (3, 0, 2, 1));
    assert_eq!((inventory.potions, inventory.potion_hp), (1, 50));

    let best = best_play.unwrap();
    assert_eq!((best.decisions, best.critical, best.forced), (2, 1, 2));
    assert_eq!((best.costly, best.lethal, best.wrong_doors), (1, 0, 1));
    let first = best.first_losing.unwrap();
    assert_eq!((first.turn, first.target.x, first.value_before, first.value_after), (1, 1, 15, None));
    for temptation in &best.temptations {
        assert_eq!((temptation.costly, temptation.losing, temptation.value_lost), (1, 1, 15), "{}", temptation.agent);
    }
    for fate in &agents {
        match fate.agent {
            Player::Random => assert!((20..80).contains(&fate.won) && fate.lost_by_it == 100 - fate.won, "{fate:?}"),
            // Depth shows it the boss, and the published search is a search.
            Player::Lookahead | Player::PublishedRoute => assert_eq!(fate.best_hp, Some(15), "{fate:?}"),
            Player::Greedy | Player::Heuristic => assert_eq!(fate.losing.as_ref().unwrap().turn, 1, "{fate:?}"),
        }
    }
    assert_eq!((points.len(), points[0].at.x), (1, 1));
}

#[test]
fn a_floor_that_cannot_be_won_has_no_best_play() {
    let text = CHOICE.replace("atk = 5, def = 0, keys", "atk = 5, def = 0").replace(" = { yellow = 1 }", "");
    let game = Game::new(parse_tower("choice.toml", &text).unwrap(), ItemMode::Auto).unwrap();
    let inspection = inspect(&game, &Wishes::default()).unwrap();
    assert_eq!((inspection.optimum, inspection.values_unknown), (None, None));
    assert!(inspection.best_play.is_none() && inspection.hero_at_optimum.is_none() && inspection.points.is_empty());
    let survey = inspection.survey.unwrap();
    assert_eq!((survey.lost, survey.lost_share, survey.winning_sets), (survey.states, 1.0, 0));
    assert!(inspection.agents.iter().all(|fate| fate.won == 0 && fate.losing.is_none()));
}

#[test]
fn without_memory_what_rests_on_values_is_not_known() {
    let inspection = inspect(&game("simple.toml"), &Wishes { memory: 10, ..quick() }).unwrap();
    assert!(inspection.values_unknown.is_some());
    assert!(inspection.survey.is_none() && inspection.best_play.is_none());
    // Who wins and who does not is known all the same.
    assert_eq!(inspection.agents.len(), 2);
}

/// The mechanisms of the hand-designed floors (Table B.2), as floors/README.md states them.
#[test]
fn each_hand_designed_floor_shows_its_mechanism() {
    let of = |name: &str| {
        let inspection = inspect(&game(name), &Wishes { random_episodes: 1, ..Wishes::default() }).unwrap();
        for fate in inspection.agents.iter().filter(|fate| fate.agent != Player::PublishedRoute) {
            assert_eq!(fate.won, 0, "{name}: {} wins", fate.agent);
        }
        assert!((1..=60).contains(&inspection.optimum.unwrap()), "{name}");
        assert_eq!(inspection.note.as_deref() == Some("monster table reconstructed"), name != "hand03.toml");
        inspection.best_play.unwrap()
    };
    // hand01: the last key. At the first decision the left door keeps the boss defeatable, the right one does not; the
    // Black Slime only costs.
    let hand01 = of("hand01.toml");
    let first: Vec<_> = hand01.steps[0].actions.iter().map(|action| (action.target.x, action.target.y)).collect();
    assert_eq!(first, [(4, 8), (5, 4), (6, 8)]);
    let [left, slime, right] = [0, 1, 2].map(|index| hand01.steps[0].actions[index].value);
    assert!(left == hand01.steps[0].before && slime.is_some() && slime < left && right.is_none());
    // hand02: hardly any HP. Most of the time some fight in reach is lethal.
    let hand02 = of("hand02.toml");
    assert!(2 * hand02.lethal > hand02.decisions && hand02.forced >= 2, "{}", hand02.lethal);
    // hand03: no slack. Every decision is forced.
    let hand03 = of("hand03.toml");
    assert_eq!(hand03.forced, hand03.decisions);
    // hand04: two keys for six doors. Wrong doors lose again and again.
    let hand04 = of("hand04.toml");
    assert!(hand04.wrong_doors >= 5, "{}", hand04.wrong_doors);
}

#[test]
fn the_random_agent_depends_on_the_seed_only() {
    let game = game("generated/generated-773.toml");
    let fate = |seed| {
        let wishes = Wishes { players: vec![Player::Random], seed, ..Wishes::default() };
        inspect(&game, &wishes).unwrap().agents
    };
    assert_eq!(fate(1), fate(1));
    assert_ne!(fate(1)[0].mean_final_hp, fate(2)[0].mean_final_hp);
}

const KIND: Kind = Kind { floors: 1, rows: 4, shop: false, abilities: true, vampire: false };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Every count along best play, from values that the slow reference gives.
    #[test]
    fn counts_along_best_play_are_the_references(tower in tower(KIND)) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let inspection = inspect(&game, &quick()).unwrap();
        let mut known = HashMap::new();
        let mut state = game.start().unwrap();
        let optimum = reference(&game, &state, &mut known);
        prop_assert_eq!(inspection.optimum, optimum);
        let Some(best) = inspection.best_play else {
            prop_assert!(optimum.is_none() || state.end == Some(End::Won));
            return Ok(());
        };
        let (mut critical, mut forced, mut lethal, mut wrong_doors, mut first) = (0, 0, 0, 0, None);
        for step in &best.steps {
            let actions = game.actions(&state).unwrap();
            let values: Vec<Option<i64>> = (actions.iter())
                .map(|action| reference(&game, &game.apply(&state, action).unwrap().state, &mut known))
                .collect();
            prop_assert_eq!(&values, &step.actions.iter().map(|action| action.value).collect::<Vec<_>>());
            let loses = |index: usize| values[index].is_none() && !actions[index].is_lethal();
            let losing = (0..actions.len()).find(|index| loses(*index));
            critical += u32::from(losing.is_some());
            first = first.or(losing.map(|index| (step.turn, actions[index].target)));
            forced += u32::from(values.iter().flatten().count() == 1);
            lethal += u32::from(actions.iter().any(|action| action.is_lethal()));
            let door = |index: &usize| matches!(game.tower().tile(actions[*index].target), Some(Tile::Door(_)));
            wrong_doors += u32::from((0..actions.len()).any(|index| door(&index) && values[index].is_none()));
            state = game.apply(&state, &actions[step.executed as usize - 1]).unwrap().state;
        }
        prop_assert_eq!((state.end, state.hero.hp), (Some(End::Won), optimum.unwrap()));
        prop_assert_eq!((best.critical, best.forced), (critical, forced));
        prop_assert_eq!((best.lethal, best.wrong_doors), (lethal, wrong_doors));
        prop_assert_eq!(best.first_losing.map(|first| (first.turn, first.target)), first);
        for fate in &inspection.agents {
            prop_assert!(fate.best_hp <= optimum);
            // Who does not win was lost by one decision, at which a win could still be had.
            prop_assert_eq!(fate.won == 0, fate.losing.is_some());
        }
    }

    /// With the least HP at the start the boss can be defeated, and with one less he cannot.
    #[test]
    fn the_least_start_hp_is_the_least(tower in tower(KIND)) {
        let inspection = inspect(&Game::new(tower.clone(), ItemMode::Auto).unwrap(), &quick()).unwrap();
        let optimum = |hp: i64| {
            let game = Game::new(Tower { hero: Hero { hp, ..tower.hero }, ..tower.clone() }, ItemMode::Auto).unwrap();
            reference(&game, &game.start().unwrap(), &mut HashMap::new())
        };
        match inspection.survey.unwrap().least_start_hp {
            None => prop_assert_eq!(inspection.optimum, None),
            Some(least) => {
                prop_assert!((1..=tower.hero.hp).contains(&least));
                prop_assert!(optimum(least).is_some(), "{least} HP are not enough");
                prop_assert!(least == 1 || optimum(least - 1).is_none(), "{} HP are enough", least - 1);
            }
        }
    }

    /// Lost states and winning sets are those of the table of all states, counted from outside.
    #[test]
    fn a_floor_is_lost_if_and_only_if_its_start_is(tower in tower(KIND)) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let values = Values::new(&game, 1 << 30).unwrap();
        let (states, lost) = (values.keys().unwrap(), values.lost().unwrap());
        let start = game.start().unwrap();
        let route = route::best_route(&values, &start).unwrap();
        match values.of(&start).unwrap() {
            None => prop_assert_eq!((lost, values.wins()), (states, 0)),
            // No state of best play is lost.
            Some(_) => prop_assert!(values.wins() > 0 && lost < states && !route.is_empty()),
        }
    }
}
