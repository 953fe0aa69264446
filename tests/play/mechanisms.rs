//! Towers with levers, plates, gates, tools and an exit, which the exact search takes as they are: their values and routes
//! against a search that tries everything, on random towers.

use std::collections::HashMap;

use crate::towers::{Kind, item_mode, reference, tower};
use mota::game::{
    ActionKind, End, Event, Expression, Floor, Game, Gate, Goal, Hero, Instruction, Item, ItemMode, Keys, Operator,
    Position, Quantity, Script, State, Target, Thing, Tile, Tower, Trigger, Variable,
};
use mota::solver::exact::{self, Request};
use mota::solver::search::{Settings, Watch, Without};
use mota::solver::{Values, route::best_route, values::DEFAULT_MEMORY};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// What is put into a tower of plain floors, and where.
#[derive(Clone, Debug)]
struct Mechanism {
    what: u8,
    at: [Index; 4],
    figure: bool,
    toll: i64,
    gates: usize,
    gain: i64,
}

fn mechanism() -> impl Strategy<Value = Mechanism> {
    let at = [any::<Index>(), any::<Index>(), any::<Index>(), any::<Index>()];
    (0..8_u8, at, prop::bool::weighted(0.3), 0_i64..30, 1..3_usize, 0_i64..4)
        .prop_map(|(what, at, figure, toll, gates, gain)| Mechanism { what, at, figure, toll, gates, gain })
}

prop_compose! {
    fn with_mechanisms(kind: Kind)(
        mut tower in tower(kind), mechanisms in prop::collection::vec(mechanism(), 1..5), exit in any::<bool>(),
    ) -> Tower {
        for mechanism in &mechanisms {
            add(&mut tower, mechanism);
        }
        tower.events.sort_by_key(|event| event.at.floor);
        if exit {
            tower.goal = Goal::Exit(tower.start);
        }
        tower
    }
}

fn add(tower: &mut Tower, mechanism: &Mechanism) {
    let own = |tower: &Tower, index: usize| free(tower, mechanism.at[index]);
    match mechanism.what {
        // A lever, with the gates that it opens; it may take HP.
        0..=2 => {
            let gate = tower.gates.len() as u16;
            tower.gates.push(gate_of(Vec::new(), true));
            let mut opened = Vec::new();
            for index in 1..=mechanism.gates {
                let Some(at) = own(tower, index) else { continue };
                put(tower, at, Tile::Gate(gate));
                opened.push(at);
            }
            if let Some(at) = own(tower, 0) {
                let toll = if mechanism.what == 2 { mechanism.toll } else { 0 };
                lever(tower, at, mechanism.figure, toll, opened);
            }
        }
        // A plate.
        3 | 4 => {
            if let Some(at) = own(tower, 0) {
                lever(tower, at, mechanism.figure, mechanism.toll, Vec::new());
            }
        }
        // A tool, and the gates that take it.
        5 | 6 => {
            let (tool, gate) = (tower.variables.len() as u16, tower.gates.len() as u16);
            tower.variables.push(Variable { name: format!("item:{tool}"), start: 0 });
            let mut placed = 0;
            for index in 1..=mechanism.gates {
                let Some(at) = own(tower, index) else { continue };
                put(tower, at, Tile::Gate(gate));
                placed += 1;
            }
            tower.gates.push(gate_of(vec![(tool, 1)], false));
            let gain = Hero { hp: 5 * mechanism.gain, def: mechanism.gain / 2, ..Hero::default() };
            if let Some(at) = own(tower, 0) {
                thing(tower, at, gain, vec![(tool, placed)]);
            }
        }
        // A thing that gives several things at once.
        _ => {
            let keys = Keys { yellow: mechanism.gain, blue: 1, ..Keys::default() };
            let gain =
                Hero { hp: mechanism.toll, atk: mechanism.gain, mdef: 1, experience: 3, keys, ..Hero::default() };
            if let Some(at) = own(tower, 0) {
                thing(tower, at, gain, Vec::new());
            }
        }
    }
}

fn gate_of(tools: Vec<(u16, i64)>, by_event: bool) -> Gate {
    Gate { symbol: String::new(), name: "Gate".into(), keys: Keys::default(), tools, by_event }
}

fn thing(tower: &mut Tower, at: Position, gain: Hero, tools: Vec<(u16, i64)>) {
    let id = tower.things.len() as u16;
    tower.things.push(Thing { symbol: String::new(), name: "Thing".into(), gain, tools, script: Script::new() });
    put(tower, at, Tile::Item(Item::Thing(id)));
}

fn takes(toll: i64) -> Instruction {
    let value = Expression::Hero(Quantity::Hp).operation(Operator::Minus, Expression::whole(toll));
    Instruction::Set { target: Target::Hero(Quantity::Hp), value }
}

fn lever(tower: &mut Tower, at: Position, figure: bool, toll: i64, opened: Vec<Position>) {
    put(tower, at, if figure { Tile::Figure } else { Tile::Event });
    let mut script = Script::new();
    if toll > 0 {
        script.push(takes(toll));
    }
    if !opened.is_empty() {
        script.push(Instruction::Open { at: opened });
    }
    script.push(Instruction::Remove { at: vec![at] });
    tower.events.push(Event { at, trigger: Trigger::Step, title: "Something".into(), hidden: false, script });
}

/// A place where something may be put: no start, boss, stair, shop, or mechanism.
fn free(tower: &Tower, index: Index) -> Option<Position> {
    let fits = |tile| matches!(tile, Tile::Floor | Tile::Wall | Tile::Monster(0..=2) | Tile::Door(_));
    let places: Vec<Position> =
        tower.tiles().filter(|(at, tile)| *at != tower.start && fits(*tile)).map(|(at, _)| at).collect();
    (!places.is_empty()).then(|| *index.get(&places))
}

fn put(tower: &mut Tower, at: Position, tile: Tile) {
    let floor = &tower.floors[usize::from(at.floor)];
    let width = usize::from(floor.width());
    let mut tiles: Vec<Tile> = floor.tiles().map(|(_, _, tile)| tile).collect();
    tiles[usize::from(at.y) * width + usize::from(at.x)] = tile;
    let rows = tiles.chunks(width).map(<[Tile]>::to_vec).collect();
    tower.floors[usize::from(at.floor)] = Floor::from_rows(String::new(), rows).expect("a rectangle");
}

fn solve(game: &Game, settings: Settings) -> exact::Solution {
    let request = Request { merge: false, settings };
    exact::solve(game, &request, &mut Watch { stop: &|| false, tell: &mut |_| {} }).expect("solvable")
}

/// Same value at every state of a random play and after every action there, by a look-up; both kinds of routes keep their
/// word; so does the search with parts of it left out.
fn check(game: &Game, choices: &[Index]) -> Result<(), TestCaseError> {
    let values = Values::new(game, DEFAULT_MEMORY).expect("solvable");
    let mut known = HashMap::new();
    let mut state: State = game.start().expect("small numbers");
    let optimum = reference(game, &state, &mut known);
    prop_assert_eq!(values.of(&state).unwrap(), optimum, "at the start");
    let route = best_route(&values, &state).unwrap();
    prop_assert_eq!(route.last().map(|step| step.state.hero.hp), optimum.filter(|_| !route.is_empty()));
    prop_assert_eq!(route.is_empty(), optimum.is_none());
    let fewest = values.with_decisions(&state).unwrap().map_or(0, |known| known.1);
    // Not known where items are actions and the values are those of the other game, nor where fights depend on HP.
    prop_assert!(
        fewest == 0
            || game.tower().monsters.iter().any(|monster| monster.abilities.depends_on_hp())
            || route.len() as u32 == fewest
    );
    prop_assert!(game.items() == ItemMode::Action || optimum.is_none() || fewest > 0);
    let all = Without { bound: true, forced: true, order: true, gifts: true, spent: true };
    for without in [
        Without::default(),
        all,
        Without { forced: true, ..Without::default() },
        Without { spent: true, ..Without::default() },
    ] {
        let found = solve(game, Settings { without, width: 2, threads: 1, ..Settings::default() });
        prop_assert!(found.proven);
        prop_assert_eq!(found.routes.first().map(|route| route.value), optimum, "{:?}", without);
        if let Some(last) = found.routes.first().and_then(|route| route.steps.last()) {
            prop_assert_eq!((last.state.end, Some(last.state.hero.hp)), (Some(End::Won), optimum));
        }
    }
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
        if state.end.is_none() {
            let worth = values.bracket(&state, 50).unwrap();
            prop_assert!(worth.least.is_none_or(|least| value.is_some_and(|value| least <= value)), "{:?}", worth);
            prop_assert!(value.is_none_or(|value| worth.most.is_some_and(|most| most >= value)), "{:?}", worth);
        }
    }
    Ok(())
}

fn plays() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn one_floor(tower in with_mechanisms(Kind { floors: 1, rows: 4, shop: false, abilities: true, vampire: false }), items in item_mode(), plays in plays()) {
        check(&Game::new(tower, items).unwrap(), &plays)?;
    }

    #[test]
    fn two_floors(tower in with_mechanisms(Kind { floors: 2, rows: 3, shop: false, abilities: false, vampire: false }), items in item_mode(), plays in plays()) {
        check(&Game::new(tower, items).unwrap(), &plays)?;
    }

    #[test]
    fn shops(tower in with_mechanisms(Kind { floors: 1, rows: 3, shop: true, abilities: true, vampire: false }), plays in plays()) {
        check(&Game::new(tower, ItemMode::Auto).unwrap(), &plays)?;
    }

    #[test]
    fn vampires(tower in with_mechanisms(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: true }), items in item_mode(), plays in plays()) {
        check(&Game::new(tower, items).unwrap(), &plays)?;
    }
}

/// The random towers are worth testing on: none is refused, and in many the best play pulls levers, opens gates and takes tolls.
#[test]
fn random_towers_have_something_to_decide() {
    let mut runner = TestRunner::deterministic();
    let strategy = with_mechanisms(Kind { floors: 2, rows: 3, shop: false, abilities: true, vampire: false });
    let (mut won, mut touched, mut unlocked, mut exits) = (0, 0, 0, 0);
    for _ in 0..600 {
        let game = Game::new(strategy.new_tree(&mut runner).unwrap().current(), ItemMode::Auto).unwrap();
        let found = solve(&game, Settings { threads: 1, ..Settings::default() });
        let Some(route) = found.routes.first() else { continue };
        let has = |test: fn(&ActionKind) -> bool| usize::from(route.steps.iter().any(|step| test(&step.action.kind)));
        won += 1;
        touched += has(|kind| matches!(kind, ActionKind::Touch));
        unlocked += has(|kind| matches!(kind, ActionKind::Unlock(_)));
        exits += usize::from(matches!(game.tower().goal, Goal::Exit(_)));
    }
    assert!(won > 150 && touched > 40 && unlocked > 10 && exits > 50, "{won} {touched} {unlocked} {exits}");
}
