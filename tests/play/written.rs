//! Towers written as people write them, each for a rule that was once broken.

use mota::format::parse_tower;
use mota::game::{ActionKind, End, Game, ItemMode, Position, State};

const HEAD: &str = "rules = \"h5mota\"\n[hero]\nhp = 100\natk = 10\ndef = 4\nkeys = { yellow = 1 }\n[items]\nred_potion = 50\n\
    [monsters.1]\nname = \"Slime\"\nhp = 5\natk = 5\ndef = 0\n[monsters.B]\nname = \"Boss\"\nhp = 10\natk = 12\ndef = 6\n";

fn play(before: &str, after: &str, items: ItemMode) -> (Game, State) {
    let text = format!("{before}{HEAD}{after}");
    let tower = parse_tower("t.toml", &text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let game = Game::new(tower, items).expect("a valid tower");
    let state = game.start().expect("a start");
    (game, state)
}

fn all(game: &Game, state: &State) -> Vec<((u16, u16), ActionKind)> {
    game.actions(state)
        .expect("actions")
        .iter()
        .map(|action| ((action.target.x, action.target.y), action.kind))
        .collect()
}

fn on(game: &Game, state: &State, x: u16, y: u16) -> State {
    let action = game.action_at(state, Position::new(0, x, y)).expect("one action there");
    game.apply(state, &action).expect("a legal action").state
}

#[test]
fn what_lies_under_the_hero_is_not_taken_without_a_decision() {
    let floor = "[things.i1]\nname = \"Box\"\ngive = { gold = 7 }\ndo = [ { set = \"hp\", to = \"hp + 1000\" }, \"win\" ]\n\
        [[floor]]\nmap = \"\"\"\n@ ! . i1 .\n\"\"\"\n[[floor.event]]\nat = [1, 0]\n\
        do = [ { go = [0, 3, 0] }, { remove = [[0, 1, 0]] } ]\n";
    let (game, state) = play("goal = \"event\"\n", floor, ItemMode::Auto);
    let sent = on(&game, &state, 1, 0);
    assert_eq!((sent.hero.gold, sent.end), (0, None));
    let beside = on(&game, &sent, 2, 0);
    let taken = on(&game, &beside, 3, 0);
    assert_eq!((taken.hero.gold, taken.hero.hp, taken.end), (7, 1100, Some(End::Won)));
}

#[test]
fn items_by_action_stay_where_an_event_puts_the_hero() {
    let floor = "[[floor]]\nmap = \"\"\"\np # @ ! B\n\"\"\"\n[[floor.event]]\nat = [3, 0]\n\
        do = [ { remove = [[0, 3, 0], [0, 1, 0]] }, { go = [0, 0, 0] } ]\n";
    let (game, state) = play("", floor, ItemMode::Action);
    let sent = on(&game, &state, 3, 0);
    assert_eq!((sent.hero.hp, sent.at), (100, Position::new(0, 0, 0)));
    let back = on(&game, &sent, 1, 0);
    assert_eq!(on(&game, &back, 4, 0).end, Some(End::Won));
}

#[test]
fn a_fight_or_a_door_leaves_the_hero_beside_it() {
    let passage = "[[floor]]\nmap = \"\"\"\n@ . 1 . B\n# # # # #\n. . . # #\n\"\"\"\n[[floor.stairs]]\nat = [2, 0]\nto = [0, 0, 2]\none_way = true\n";
    let (game, state) = play("", passage, ItemMode::Auto);
    let beaten = on(&game, &state, 2, 0);
    assert_eq!(all(&game, &beaten), [((0, 2), ActionKind::Walk)], "who enters it stands elsewhere");
    let barred =
        "[[floor]]\nmap = \"\"\"\n# # R # #\nB @ 1 # .\n\"\"\"\n[[floor.barrier]]\nfrom = [2, 1]\nto = [1, 1]\n";
    let (game, state) = play("", barred, ItemMode::Auto);
    let beaten = on(&game, &state, 2, 1);
    assert_eq!(beaten.end, None, "he never went there");
    assert_eq!(on(&game, &beaten, 0, 1).end, Some(End::Won));
}

#[test]
fn who_takes_what_kills_is_dead() {
    let floor = "[things.i1]\nname = \"Poison\"\ngive = { hp = -200 }\n[[floor]]\nmap = \"\"\"\n@ # i1 ! B\n\"\"\"\n[[floor.event]]\nat = [3, 0]\ndo = []\n";
    let text = floor.replace("@ #", "@ Y");
    let (game, state) = play("", &text, ItemMode::Auto);
    let dead = on(&game, &state, 1, 0);
    assert_eq!((dead.end, dead.hero.hp), (Some(End::Dead), 0));
}

#[test]
fn what_moves_onto_a_tile_that_is_switched_off_is_seen_there() {
    let floor = "[[floor]]\nmap = \"\"\"\n@ ! . . .\n# # # # B\n\"\"\"\n[[floor.event]]\nat = [1, 0]\n\
        do = [ { move = [0, 4, 1], to = [0, 3, 0] }, { remove = [[0, 1, 0]] } ]\n[[floor.event]]\nat = [3, 0]\nhidden = true\ndo = []\n";
    let (game, state) = play("", floor, ItemMode::Auto);
    let moved = on(&game, &state, 1, 0);
    assert_eq!(on(&game, &moved, 3, 0).end, Some(End::Won));
}
