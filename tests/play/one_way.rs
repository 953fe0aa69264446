//! Ways that lead in one direction only: the region against a second writing of what it means.

use mota::game::{
    ActionKind, Barrier, Floor, Game, Hero, ItemMode, Monster, Passage, Position, StairWay, State, Tile, Tower,
};
use proptest::prelude::*;

/// A tower of two floors of 4 by 4, with random one-way passages and barriers.
fn tower() -> impl Strategy<Value = Tower> {
    let tile = prop_oneof![5 => Just(Tile::Floor), 2 => Just(Tile::Wall), 1 => Just(Tile::Stair(StairWay::Up)), 1 => Just(Tile::Stair(StairWay::Down))];
    let place = (0..2_u16, 0..4_u16, 0..4_u16).prop_map(|(floor, x, y)| Position::new(floor, x, y));
    let side = (place.clone(), 0..4_usize).prop_map(|(from, side)| {
        let (x, y) = [(0, 1), (1, 0), (0, -1), (-1, 0)][side];
        (from, from.x.checked_add_signed(x), from.y.checked_add_signed(y))
    });
    (
        proptest::collection::vec(tile, 32),
        proptest::collection::vec((place.clone(), place), 0..4),
        proptest::collection::vec(side, 0..8),
    )
        .prop_map(|(mut tiles, passages, sides)| {
            tiles[0] = Tile::Floor;
            tiles[15] = Tile::Monster(0);
            let rows = |tiles: &[Tile]| tiles.chunks(4).map(<[Tile]>::to_vec).collect();
            let floors: Vec<Floor> =
                tiles.chunks(16).map(|tiles| Floor::from_rows(String::new(), rows(tiles)).unwrap()).collect();
            let boss = Monster {
                symbol: "B".into(),
                name: "Boss".into(),
                hp: 1,
                atk: 0,
                def: 0,
                gold: 0,
                experience: 0,
                abilities: Default::default(),
                boss: true,
            };
            let barriers = sides.into_iter().filter_map(|(from, x, y)| {
                Some(Barrier { from, to: Position::new(from.floor, x.filter(|x| *x < 4)?, y.filter(|y| *y < 4)?) })
            });
            Tower {
                name: "one way".into(),
                hero: Hero { hp: 10, atk: 1, ..Hero::default() },
                monsters: vec![boss],
                stairs: Tower::stairs_by_rule(&floors),
                passages: passages.into_iter().map(|(from, to)| Passage { from, to }).collect(),
                barriers: barriers.collect(),
                floors,
                ..Tower::default()
            }
        })
}

/// Where one stands after each single step from a place, written as the rules say it.
fn steps(tower: &Tower, from: Position) -> Vec<Position> {
    let beside = [(0_i16, 1_i16), (1, 0), (0, -1), (-1, 0)].into_iter().filter_map(|(x, y)| {
        Some(Position::new(from.floor, from.x.checked_add_signed(x)?, from.y.checked_add_signed(y)?))
    });
    let across =
        tower.stairs.iter().filter_map(|(a, b)| if *a == from { Some(*b) } else { (*b == from).then_some(*a) });
    let open = |at: &Position| matches!(tower.tile(*at), Some(Tile::Floor | Tile::Stair(_)));
    (beside.chain(across))
        .filter(|to| !tower.barriers.contains(&Barrier { from, to: *to }) && open(to))
        .map(|to| tower.passages.iter().rfind(|passage| passage.from == to).map_or(to, |passage| passage.to))
        .filter(open)
        .collect()
}

fn reach(tower: &Tower, from: Position) -> Vec<Position> {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        found.extend(
            steps(tower, at).into_iter().filter(|to| !found.contains(to)).collect::<std::collections::BTreeSet<_>>(),
        );
        next += 1;
    }
    found
}

fn check(game: &Game, state: &State) -> Result<(), TestCaseError> {
    let tower = game.tower();
    let there = reach(tower, state.at);
    let mut both: Vec<Position> = there.iter().copied().filter(|at| reach(tower, *at).contains(&state.at)).collect();
    both.sort();
    let mut region: Vec<Position> = state.region.iter().map(|cell| game.graph().position(cell)).collect();
    region.sort();
    prop_assert_eq!(&region, &both, "from {}", state.at);
    let walks: Vec<Position> = (game.actions(state).unwrap().iter())
        .filter(|action| action.kind == ActionKind::Walk)
        .map(|action| action.target)
        .collect();
    let covered = |at: &Position| walks.iter().any(|walk| reach(tower, *walk).contains(at));
    for at in there.iter().filter(|at| !region.contains(at)) {
        prop_assert!(covered(at), "{} can be walked to from {}, but no decision leads there", at, state.at);
    }
    for walk in &walks {
        prop_assert!(!region.contains(walk));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn the_region_is_what_can_be_walked_to_and_back_from(tower in tower(), choices in proptest::collection::vec(any::<prop::sample::Index>(), 4)) {
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let mut state = game.start().unwrap();
        check(&game, &state)?;
        for choice in choices {
            let walks: Vec<_> = game.actions(&state).unwrap().into_iter().filter(|action| action.kind == ActionKind::Walk).collect();
            if walks.is_empty() {
                break;
            }
            state = game.apply(&state, choice.get(&walks)).unwrap().state;
            check(&game, &state)?;
        }
    }
}

/// Whatever an event that never happens could change, it changes nothing: the survey of a tower with events and the
/// growing region of one without are two writings of the same rule.
mod without_effect {
    use mota::game::{Event, Expression, Trigger};
    use proptest::test_runner::TestCaseError;

    use super::*;
    use crate::towers::{Kind, item_mode, tower};

    const KIND: Kind = Kind { floors: 2, rows: 4, shop: true, abilities: true, vampire: true };

    fn with_idle_event(tower: &Tower) -> Tower {
        let never = Trigger::When { condition: Expression::whole(0), once: false, anywhere: true };
        let idle = Event {
            at: Position::new(tower.start.floor, 0, 0),
            trigger: never,
            title: String::new(),
            hidden: false,
            script: Vec::new(),
        };
        Tower { events: vec![idle], ..tower.clone() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn an_event_that_never_happens_changes_nothing(
            tower in tower(KIND), items in item_mode(), choices in proptest::collection::vec(any::<prop::sample::Index>(), 12),
        ) {
            let (plain, scripted) = (Game::new(tower.clone(), items).unwrap(), Game::new(with_idle_event(&tower), items).unwrap());
            let rules = |error| TestCaseError::fail(format!("{error}"));
            let (mut one, mut other) = (plain.start().map_err(rules)?, scripted.start().map_err(rules)?);
            for choice in choices {
                prop_assert_eq!(&one.region, &other.region);
                prop_assert_eq!(&one.cleared, &other.cleared);
                prop_assert_eq!((one.hero, one.end), (other.hero, other.end));
                let actions = plain.actions(&one).unwrap();
                prop_assert_eq!(&actions, &scripted.actions(&other).unwrap());
                prop_assert_eq!(plain.blocked(&one).unwrap(), scripted.blocked(&other).unwrap());
                if actions.is_empty() {
                    break;
                }
                let action = choice.get(&actions);
                let (step, twin) = (plain.apply(&one, action).unwrap(), scripted.apply(&other, action).unwrap());
                prop_assert_eq!(&step.collected, &twin.collected);
                (one, other) = (step.state, twin.state);
            }
        }
    }
}
