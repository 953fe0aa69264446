//! What a floor is like: a floor counted by hand, the fixed floors, and every count on random towers against the slow
//! reference.

use std::collections::HashMap;
use std::path::Path;

use mota::format::{parse_tower, read_tower};
use mota::game::{End, Game, Hero, ItemMode, Position, State, Tile, Tower};
use mota::inspect::{Inspection, Player, Wishes, inspect};
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
    let sets = survey.sets.unwrap();
    assert_eq!((sets.reached, sets.lost, sets.winning, sets.lost_share), (3, 1, 1, 0.333_333));
    assert_eq!((survey.keys.reached, survey.keys.lost), (3, 1));
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
    let sets = survey.sets.unwrap();
    assert_eq!((sets.lost, sets.lost_share, sets.winning), (sets.reached, 1.0, 0));
    assert_eq!((survey.keys.lost, survey.least_start_hp), (survey.keys.reached, None));
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
    let [left, slime, right] = [0, 1, 2].map(|index| hand01.steps[0].actions[index].worth.hp());
    assert!(left == hand01.steps[0].before.hp() && slime.is_some() && slime < left && right.is_none());
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
            prop_assert_eq!(&values, &step.actions.iter().map(|action| action.worth.hp()).collect::<Vec<_>>());
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

    /// Sets of cleared doors and monsters, those that are lost and those from which the boss can be defeated: counted
    /// by playing everything.
    #[test]
    fn sets_are_counted_as_by_playing_everything(tower in tower(KIND)) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let survey = inspect(&game, &quick()).unwrap().survey.unwrap();
        let mut known = HashMap::new();
        // The state of most HP of each set.
        let mut sets: HashMap<Vec<Position>, State> = HashMap::new();
        let mut waiting = vec![game.start().unwrap()];
        while let Some(state) = waiting.pop() {
            let set = cleared(&game, &state);
            if state.end == Some(End::Won) || sets.get(&set).is_some_and(|held| held.hero.hp >= state.hero.hp) {
                continue;
            }
            for action in game.actions(&state).unwrap().iter().filter(|action| !action.is_lethal()) {
                waiting.push(game.apply(&state, action).unwrap().state);
            }
            sets.insert(set, state);
        }
        let lost = sets.values().filter(|state| reference(&game, state, &mut known).is_none()).count();
        let wins = |state: &&State| {
            let actions = game.actions(state).unwrap();
            actions.iter().any(|action| game.apply(state, action).unwrap().state.end == Some(End::Won))
        };
        let winning = sets.values().filter(wins).count() as u64;
        let counted = survey.sets.unwrap();
        prop_assert_eq!((counted.reached, counted.lost, counted.winning), (sets.len(), lost, winning));
        prop_assert!(survey.keys.reached <= counted.reached && survey.keys.lost <= counted.lost);
        let percent = counted.lost_percent();
        prop_assert_eq!((percent == 0.0, percent == 100.0), (lost == 0, lost == sets.len()));
    }
}

/// Where doors and monsters have been cleared.
fn cleared(game: &Game, state: &State) -> Vec<Position> {
    let tiles = game.tower().tiles().filter(|(_, tile)| matches!(tile, Tile::Door(_) | Tile::Monster(_)));
    tiles.filter(|(at, _)| state.cleared.contains(game.graph().cell(*at).unwrap())).map(|(at, _)| at).collect()
}

/// An independent count of the complex floor's sets is known.
#[test]
fn the_sets_of_the_complex_floor_are_the_known_number() {
    let wishes = Wishes { players: Vec::new(), ..Wishes::default() };
    let survey = inspect(&game("complex.toml"), &wishes).unwrap().survey.unwrap();
    assert_eq!(survey.sets.map(|sets| sets.reached), Some(1_288_458));
    let fewer = inspect(&game("complex.toml"), &Wishes { most_sets: 1_288_457, ..wishes }).unwrap();
    assert_eq!(fewer.survey.unwrap().sets, None);
}

/// Values beyond what a sum holds.
#[test]
fn what_tempting_actions_cost_together_stays_a_number() {
    let text = CHOICE.replace("hp = 20", "hp = 9000000000000000000").replace("p Y @ Y B", "p Y @ Y # Y B");
    let text = text.replace("yellow = 1", "yellow = 2").replace("# Y B", ". . B").replace("Y . . B", "Y . Y B");
    let game = Game::new(parse_tower("choice.toml", &text).unwrap(), ItemMode::Auto).unwrap();
    for temptation in inspect(&game, &quick()).unwrap().best_play.unwrap().temptations {
        assert_eq!((temptation.losing, temptation.value_lost), (2, i64::MAX), "{}", temptation.agent);
    }
}
