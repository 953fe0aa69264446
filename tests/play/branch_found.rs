//! Small towers on which branch and bound once claimed as proven what is not so: what the search finds on each is the
//! best there is, and no bound of a state that can be reached is too low.

use crate::branch_scripted::values;
use mota::game::{Game, ItemMode};
use mota::solver::branch::{self, Answer, Order, Request, Without};
use mota::solver::search::Watch;

fn game(text: &str) -> Game {
    Game::new(mota::format::parse_tower("found.toml", text).unwrap(), ItemMode::Auto).unwrap()
}

fn solve(game: &Game, request: &Request) -> Answer {
    branch::solve(game, request, &mut Watch { stop: &|| false, tell: &mut |_| {} }).unwrap()
}

/// Requests that must all have the same answer.
fn requests() -> [Request; 4] {
    let without = Without { combat: true, keys: true, items: true, forced: true, table: false };
    [
        Request::default(),
        Request { width: 1, ..Request::default() },
        Request { order: Order::Depth, ..Request::default() },
        Request { without, ..Request::default() },
    ]
}

/// Checks a tower on which play ends, and whose best is known.
fn check(text: &str, best: i64) {
    let game = game(text);
    let start = game.start().unwrap();
    let values = values(&game, &start).unwrap();
    assert_eq!(values[0].1, Some(best));
    for (state, value) in &values {
        let bound = branch::upper_bound(&game, state, Without::default()).unwrap();
        assert!(value.is_none_or(|value| bound.is_some_and(|bound| bound >= value)), "{bound:?} {value:?} {state:#?}");
    }
    for request in requests() {
        let answer = solve(&game, &request);
        assert_eq!((answer.best, answer.proven, answer.failed), (Some(best), true, 0), "{request:?}");
    }
}

/// Checks a tower on which something cannot be carried out: that counts as no decision, and is told.
fn check_failing(text: &str, best: i64) {
    let game = game(text);
    for request in requests() {
        let answer = solve(&game, &request);
        assert_eq!((answer.best, answer.proven), (Some(best), true), "{request:?}");
        assert!(answer.failed > 0);
    }
}

#[test]
fn a_thing_whose_script_asks() {
    check(include_str!("../data/found/thing-choice.toml"), 580);
}

#[test]
fn a_boss_that_an_event_has_moved_or_put() {
    check(include_str!("../data/found/boss-moved.toml"), 84);
    check(include_str!("../data/found/boss-put.toml"), 134);
}

#[test]
fn doors_and_fights_from_afar_with_events() {
    check(include_str!("../data/found/remote-open.toml"), 100);
    check(include_str!("../data/found/remote-fight.toml"), 386);
}

#[test]
fn a_monster_on_a_one_way_passage() {
    check(include_str!("../data/found/passage-monster.toml"), 84);
}

#[test]
fn a_loop_that_ends_the_script() {
    check(include_str!("../data/found/stop-while.toml"), 150);
}

#[test]
fn a_shop_that_a_thing_puts() {
    check(include_str!("../data/found/shop-thing.toml"), 850);
}

#[test]
fn attributes_below_nothing() {
    check(include_str!("../data/found/purify.toml"), 10);
}

#[test]
fn events_that_set_off_others_before_they_pay() {
    check(include_str!("../data/found/nested-pay.toml"), 66);
    check(include_str!("../data/found/reenter.toml"), 46);
}

#[test]
fn what_cannot_be_carried_out_is_no_decision() {
    check_failing(include_str!("../data/found/endless.toml"), 84);
    check_failing(include_str!("../data/found/overflow.toml"), 84);
}

#[test]
fn a_game_that_is_won_at_its_start_is_won() {
    let text = "goal = \"event\"\n[hero]\nhp = 100\natk = 1\ndef = 1\n[[floor]]\nmap = \"\"\"\n@ .\n\"\"\"\n\
        [[floor.event]]\nwhen = \"first arrival\"\ndo = [ \"win\" ]\n";
    let game = Game::new(mota::format::parse_tower("t.toml", text).unwrap(), ItemMode::Auto).unwrap();
    let answer = branch::solve(&game, &Request::default(), &mut Watch { stop: &|| false, tell: &mut |_| {} }).unwrap();
    assert_eq!((answer.best, answer.proven, answer.route.map(|route| route.len())), (Some(100), true, Some(0)));
}
