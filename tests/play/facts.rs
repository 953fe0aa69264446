//! What is known about the fixed floors: the optima, the first seed's facts about the complex floor, and that the exact
//! solver is never below the published one.

use std::path::Path;

use mota::game::{ActionKind, Game, ItemMode, Position, Step, Tile};
use mota::solver::published::{self, Options, Version};
use mota::solver::{Values, route::best_route, values::DEFAULT_MEMORY};

fn game(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{name}.toml"));
    Game::new(mota::format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap()
}

fn at(x: u16, y: u16) -> Position {
    Position::new(0, x, y)
}

fn solved(name: &str) -> (Values, Vec<Step>) {
    let game = game(name);
    let values = Values::new(&game, DEFAULT_MEMORY).unwrap();
    let route = best_route(&values, &game.start().unwrap()).unwrap();
    (values, route)
}

#[test]
fn optima_of_the_floors_with_known_tables() {
    for (name, hp, atk, def, mdef) in [("simple", 13, 13, 8, 0), ("complex", 68, 16, 20, 20), ("hand03", 9, 14, 14, 10)]
    {
        let (values, route) = solved(name);
        let hero = route.last().unwrap().state.hero;
        assert_eq!((hero.hp, hero.atk, hero.def, hero.mdef), (hp, atk, def, mdef), "{name}");
        assert_eq!(values.of(&values.game().start().unwrap()), Ok(Some(hp)));
    }
}

#[test]
fn every_fixed_floor_can_be_won() {
    for name in ["hand01", "hand02", "hand04"] {
        let (_, route) = solved(name);
        let hp = route.last().unwrap().state.hero.hp;
        assert!((1..=60).contains(&hp), "{name}: {hp}");
    }
}

/// Facts of the complex floor. The seed's list of fights counts decisions of a search that clears harmless monsters by
/// itself: of the nine monsters that it says are left, (9,3) and (11,0) cost nothing when they are reached and hold the
/// way to a gem that the same sentence says is collected. So they are fought here, at no cost, and the other seven left.
#[test]
fn the_complex_optimum_is_the_known_one() {
    let (values, route) = solved("complex");
    let game = values.game();
    let done = |wanted: fn(&ActionKind) -> bool| -> Vec<Position> {
        route.iter().filter(|step| wanted(&step.action.kind)).map(|step| step.action.target).collect()
    };
    let doors = done(|kind| matches!(kind, ActionKind::Open(_)));
    assert_eq!(doors, [at(5, 8), at(0, 10), at(8, 7), at(6, 2), at(8, 4)]);
    let costly = done(|kind| matches!(kind, ActionKind::Fight { fight, .. } if fight.damage() > Some(0)));
    let free = done(|kind| matches!(kind, ActionKind::Fight { fight, .. } if fight.damage() == Some(0)));
    assert_eq!(costly.len() + free.len(), 18, "15 monsters, 2 harmless ones and the boss");
    assert!([at(9, 3), at(11, 0)].iter().all(|harmless| free.contains(harmless)));
    let fought: Vec<Position> = costly.into_iter().chain(free).collect();
    for left in [at(8, 2), at(0, 4), at(3, 8), at(10, 6), at(4, 11), at(4, 7), at(10, 10)] {
        assert!(!fought.contains(&left), "{left} is left");
    }
    let end = &route.last().unwrap().state;
    let gems_left = (0..game.graph().len() as u32)
        .filter(|cell| matches!(game.tile_now(end, *cell), Tile::Item(item) if item.to_string().contains("gem")))
        .count();
    assert_eq!(gems_left, 0, "all 20 gems are collected");
}

#[test]
fn values_of_the_complex_floor() {
    let (values, _) = solved("complex");
    let game = values.game();
    let start = game.start().unwrap();
    let after = |target| values.after(&start, &game.action_at(&start, target).unwrap()).unwrap();
    assert_eq!(after(at(8, 7)), Some(42));
    assert_eq!(values.with_first_doors(&start, &[at(8, 7)]), Ok(Some(42)));
    assert_eq!(values.with_first_doors(&start, &[at(8, 7), at(8, 4)]), Ok(Some(22)));
    let optimum = [at(5, 8), at(0, 10), at(8, 7), at(6, 2), at(8, 4)];
    assert_eq!(values.with_first_doors(&start, &optimum), Ok(Some(68)));
    assert!(values.with_first_doors(&start, &[at(11, 8)]).is_err(), "a monster is no door");
}

/// "Three yellow keys for four yellow doors, two blue keys for five blue doors; only the blue door (6,2) gates the boss."
#[test]
fn the_blue_door_gates_the_boss() {
    let game = game("complex");
    let tower = game.tower();
    let count = |wanted: &str| tower.tiles().filter(|(_, tile)| game.describe(*tile) == wanted).count();
    assert_eq!((count("yellow key"), count("yellow door")), (3, 4));
    assert_eq!((count("blue key"), count("blue door")), (2, 5));
    assert_eq!(tower.tiles().filter(|(_, tile)| matches!(tile, Tile::Monster(_))).count(), 25);
    let start = game.graph().cell(tower.start).unwrap();
    let reaches_boss = |shut: Position| {
        let mut region = mota::game::CellSet::empty(game.graph().len());
        let mut cleared = mota::game::CellSet::empty(game.graph().len());
        for (index, (at, tile)) in tower.tiles().enumerate() {
            if at != shut && tile != Tile::Wall {
                cleared.insert(index as u32);
            }
        }
        game.graph().grow(&mut region, start, &cleared, |_| true);
        region.contains(game.graph().cell(tower.bosses().next().unwrap()).unwrap())
    };
    assert!(!reaches_boss(at(6, 2)));
    for door in [at(5, 8), at(0, 10), at(8, 7), at(8, 4), at(10, 5), at(2, 1), at(4, 5), at(12, 2)] {
        assert!(reaches_boss(door), "{door}");
    }
}

#[test]
fn exact_is_at_least_corrected_is_at_least_published() {
    for name in ["simple", "hand01", "hand02", "hand03", "hand04"] {
        let (values, _) = solved(name);
        let exact = values.of(&values.game().start().unwrap()).unwrap();
        let search = |version| {
            let outcome = published::search(values.game().tower(), &Options::new(version)).unwrap();
            outcome.best.map(|win| win.hero.hp)
        };
        let (corrected, published) = (search(Version::Corrected), search(Version::Published));
        assert!(exact >= corrected && corrected >= published, "{name}: {exact:?} {corrected:?} {published:?}");
    }
}
