//! A route that a model is reminded of: its own or a solver's, with what is done of it. Knows nothing of how one is found.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Action, Game, Position, State, Tile};

use super::observation::PastTurn;

/// Whose route a prompt carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteUse {
    /// None.
    #[default]
    None,
    /// The model's: it writes one before its first action and may write another with any action.
    Own,
    /// A solver's: that of the configuration's `route_source`.
    Solver,
    /// That of the published solver.
    Published,
    /// That of the exact solver.
    Exact,
}

/// A route as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The decision before which it was written, from 1.
    pub since: u32,
    /// Its steps, in order.
    pub steps: Vec<RouteStep>,
}

/// A step of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteStep {
    /// Its tile.
    pub target: Position,
    /// What is done there, in words.
    pub what: String,
}

/// A route as a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RouteView {
    /// The decision before which it was written, from 1.
    pub since: u32,
    /// Its steps.
    pub steps: Vec<StepView>,
    /// Whether all of it is done that can be.
    pub over: bool,
}

/// A step as a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepView {
    /// Its number, from 1.
    pub number: u32,
    /// Its tile.
    pub target: Position,
    /// What is done there, in words.
    pub what: String,
    /// How it stands.
    pub mark: Mark,
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Nothing is left on its tile, or as many purchases were made there as the route has up to it.
    Done,
    /// The first that is not done.
    Next,
    /// Not done yet.
    Later,
    /// There never was anything to do on its tile.
    Nothing,
}

impl Route {
    /// The route that names these tiles.
    pub fn of_tiles(game: &Game, since: u32, tiles: &[Position]) -> Self {
        let step = |target: &Position| {
            let tile = game.tower().tile(*target);
            RouteStep { target: *target, what: tile.map_or("no tile of the map".into(), |tile| game.describe(tile)) }
        };
        Route { since, steps: tiles.iter().map(step).collect() }
    }

    /// The route of these decisions, from the first on.
    pub fn of_actions(game: &Game, actions: &[Action]) -> Self {
        let step = |action: &Action| RouteStep { target: action.target, what: game.describe_action(action) };
        Route { since: 1, steps: actions.iter().map(step).collect() }
    }

    /// How it stands in a state, after these decisions.
    pub fn view(&self, game: &Game, state: &State, past: &[PastTurn]) -> RouteView {
        let mut bought: BTreeMap<Position, usize> = BTreeMap::new();
        for turn in past.iter().filter(|turn| turn.turn >= self.since) {
            *bought.entry(turn.target).or_default() += 1;
        }
        let mut next = true;
        let steps = (1..).zip(&self.steps).map(|(number, step)| {
            let mark = match game.tower().tile(step.target) {
                Some(Tile::Shop) => match bought.get_mut(&step.target) {
                    Some(left) if *left > 0 => {
                        *left -= 1;
                        Mark::Done
                    }
                    _ => Mark::Later,
                },
                Some(tile @ (Tile::Door(_) | Tile::Gate(_) | Tile::Item(_) | Tile::Monster(_))) => {
                    let cell = game.graph().cell(step.target);
                    let gone = cell.is_some_and(|cell| game.tile_now(state, cell) != tile);
                    if gone { Mark::Done } else { Mark::Later }
                }
                Some(Tile::Floor | Tile::Wall | Tile::Stair(_) | Tile::Event | Tile::Figure) | None => Mark::Nothing,
            };
            let mark = if mark == Mark::Later && std::mem::take(&mut next) { Mark::Next } else { mark };
            StepView { number, target: step.target, what: step.what.clone(), mark }
        });
        let steps = steps.collect();
        RouteView { since: self.since, steps, over: next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;
    use crate::game::ItemMode;

    const SHOP: &str = r#"
name = "shop"
[hero]
hp = 100
atk = 10
def = 0
[monsters.1]
name = "rat"
hp = 10
atk = 1
def = 0
gold = 3
[monsters.B]
name = "boss"
hp = 30
atk = 5
def = 0
[shop]
first_price = 1
price_step = 0
atk = 1
[[floor]]
map = """
@ 1 $ k Y B
"""
"#;

    fn marks(route: &Route, game: &Game, state: &State, past: &[PastTurn]) -> Vec<Mark> {
        route.view(game, state, past).steps.iter().map(|step| step.mark).collect()
    }

    /// What has been done by the way counts as done; purchases are counted, since a shop stays.
    #[test]
    fn steps_are_marked_by_what_is_left_of_them() {
        use Mark::{Done, Later, Next, Nothing};
        let tower = format::parse_tower("shop.toml", SHOP).expect("it is a tower");
        let game = Game::new(tower, ItemMode::Auto).expect("it can be played");
        let at = |x| Position::new(0, x, 0);
        let route = Route::of_tiles(&game, 1, &[1, 2, 2, 3, 0, 9, 4, 5].map(at));
        let words: Vec<&str> = route.steps.iter().map(|step| step.what.as_str()).collect();
        assert_eq!(words[..2], ["rat", "shop"]);
        assert_eq!(words[4..6], ["open floor", "no tile of the map"]);
        let mut state = game.start().expect("it starts");
        let mut past: Vec<PastTurn> = Vec::new();
        assert_eq!(marks(&route, &game, &state, &past), [Next, Later, Later, Later, Nothing, Nothing, Later, Later]);
        for (turn, x) in [(1, 1), (2, 2)] {
            let action = game.action_at(&state, at(x)).expect("it is legal");
            let step = game.apply(&state, &action).expect("it can be done");
            past.push(PastTurn {
                turn,
                target: at(x),
                text: String::new(),
                hp_before: 0,
                hp_after: 0,
                collected: Vec::new(),
                instead_of: None,
            });
            state = step.state;
        }
        // The key was collected by the way.
        assert_eq!(marks(&route, &game, &state, &past), [Done, Done, Next, Done, Nothing, Nothing, Later, Later]);
        // A route written later counts from then on.
        let later = Route { since: 3, ..route };
        assert_eq!(marks(&later, &game, &state, &past)[..3], [Done, Next, Later]);
        assert!(!later.view(&game, &state, &past).over);
        let done = Route::of_tiles(&game, 1, &[at(1), at(0)]);
        assert!(done.view(&game, &state, &past).over);
    }
}
