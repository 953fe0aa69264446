//! The losing decision against the method of the thesis (section B.2.3): the state after it written out as a floor of
//! its own, and that floor solved by the published search with its correction, unmerged and without clearing at once,
//! which shares neither transitions nor keys with the state values.

use std::path::Path;

use mota::agent::score;
use mota::game::{Action, Floor, Game, ItemMode, State, Tile, Tower};
use mota::solver::published::{self, Options, Version};
use mota::solver::{Values, values::DEFAULT_MEMORY};

/// The floor that is left: what is cleared is open floor, and the hero has what he has now.
fn written_out(game: &Game, state: &State) -> Tower {
    let tower = game.tower();
    let mut cell = 0;
    let floors = tower.floors.iter().map(|floor| {
        let rows = floor.rows().map(|row| {
            row.iter()
                .map(|_| {
                    cell += 1;
                    game.tile_now(state, cell - 1)
                })
                .collect::<Vec<Tile>>()
        });
        Floor::from_rows(floor.name.clone(), rows.collect()).unwrap()
    });
    let floors = floors.collect();
    Tower { hero: state.hero, start: state.at, floors, ..Tower::clone(tower) }
}

fn slow_value(game: &Game, state: &State) -> Option<i64> {
    let options = Options { merge: false, eat: false, ..Options::new(Version::Corrected) };
    published::search(&written_out(game, state), &options).unwrap().best.map(|win| win.hero.hp)
}

/// Plays by a rule until the boss can no longer be defeated; the states before and after that decision.
fn lost(values: &Values, rule: impl Fn(&Game, &State, &[Action]) -> usize) -> (State, State) {
    let game = values.game();
    let mut before = game.start().unwrap();
    loop {
        let actions = game.actions(&before).unwrap();
        let after = game.apply(&before, &actions[rule(game, &before, &actions)]).unwrap().state;
        if values.of(&after).unwrap().is_none() {
            return (before, after);
        }
        before = after;
    }
}

#[test]
fn losing_decisions_agree_with_the_method_of_the_thesis() {
    for name in ["simple", "hand01", "hand02", "hand03", "hand04", "complex"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{name}.toml"));
        let game = Game::new(mota::format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap();
        let values = Values::new(&game, DEFAULT_MEMORY).unwrap();
        let heuristic = |game: &Game, state: &State, actions: &[Action]| {
            score::best(game, state, actions).unwrap().unwrap() as usize - 1
        };
        let last =
            |_: &Game, _: &State, actions: &[Action]| actions.iter().rposition(|action| !action.is_lethal()).unwrap();
        for (before, after) in [lost(&values, heuristic), lost(&values, last)] {
            let value = values.of(&before).unwrap();
            assert!(value.is_some(), "{name}");
            assert_eq!(slow_value(&game, &before), value, "{name}: before decision {}", after.turn);
            if after.end.is_none() {
                assert_eq!(slow_value(&game, &after), None, "{name}: after decision {}", after.turn);
            }
        }
    }
}
