//! Towers as they are made: what was asked for holds of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::build::{self, Made, Wishes};
use super::many::{self, Order};
use super::{Description, Kinds, describe, understand};
use crate::check::check;
use crate::format::{parse_tower, write_native};
use crate::game::{Blueprint, Game, Goal, Item, ItemMode, LadderKind, Position, Tile, Tower};

/// The requests that towers are tried with.
const ASKS: [&str; 6] = [
    "three floors",
    "giant, goes down into the flooded vaults",
    "two levels, easy",
    "four decks with a code",
    "a deep one with a forge and an armoury",
    "one floor",
];

fn made(ask: &str, seed: u64) -> Made {
    let kinds = Kinds::standard();
    let description = describe(&understand(ask, &kinds).unwrap(), &kinds, seed);
    build::tower(&description, &kinds, seed, &Wishes::default(), &|| false).unwrap()
}

/// Towers of each request, and of two that descend over more floors.
fn sample(seeds: u64) -> impl Iterator<Item = (String, Made)> {
    let further = ["three floors, goes down", "four floors, descends, a lock"];
    ASKS.into_iter()
        .chain(further)
        .flat_map(move |ask| (0..seeds).map(move |seed| (format!("{ask}, seed {seed}"), made(ask, seed))))
}

#[test]
fn each_can_be_won_passes_the_checks_and_is_read_back() {
    for (what, made) in sample(8) {
        let tower = &made.tower;
        assert_eq!(check(tower), [], "{what}");
        let least = made.worth.least.unwrap_or_default();
        assert!(least >= 1, "{what}: {:?}", made.worth);
        let game = Game::new(tower.clone(), ItemMode::Auto).unwrap();
        let played = made
            .route
            .iter()
            .try_fold(game.start().unwrap(), |state, step| game.apply(&state, &step.action).map(|step| step.state));
        assert_eq!(played.map(|state| (state.end, state.hero.hp)), Ok((Some(crate::game::End::Won), least)), "{what}");
        let text = write_native(tower);
        let again = parse_tower("tower.toml", &text).unwrap();
        assert_eq!(&again, tower, "{what}");
        assert_eq!(write_native(&again), text, "{what}");
    }
}

#[test]
fn what_was_asked_for_is_there() {
    for seed in 0..4 {
        let floors = |ask: &str| made(ask, seed).tower.floors.len();
        assert_eq!(ASKS.map(floors), [3, 2, 2, 4, 2, 1]);
        let giant = made(ASKS[1], seed).tower;
        assert!((35..=50).contains(&giant.blueprint.rooms.len()));
        assert!(giant.gates.iter().any(|gate| gate.name == "Flooded way"));
        assert!(giant.events.iter().any(|event| event.title == "Sluice wheel"));
        assert_eq!(giant.goal, Goal::Exit(giant.start));
        let decks = made(ASKS[3], seed).tower;
        assert!(decks.things.iter().any(|thing| thing.name == "Tablet with the code"));
        let deep = made(ASKS[4], seed).tower.blueprint;
        let has = |kind: &str, floor| deep.rooms.iter().any(|room| room.kind == kind && room.at.floor == floor);
        assert!(has("forge", 0) && has("armoury", 1));
    }
}

#[test]
fn ladders_keep_their_distance() {
    let (mut second, mut quick) = (0, 0);
    for (what, made) in sample(8) {
        let Tower { blueprint, stairs, start, .. } = &made.tower;
        for ladder in &blueprint.ladders {
            let tunnels = [ladder.first, ladder.second].map(|end| tunnel(&made.tower, blueprint, end));
            match ladder.kind {
                LadderKind::SecondWay => {
                    second += 1;
                    let ladders: BTreeSet<_> =
                        blueprint.ladders.iter().map(|ladder| (ladder.first, ladder.second)).collect();
                    let same = stairs.iter().find(|(first, last)| {
                        (first.floor, last.floor) == (ladder.first.floor, ladder.second.floor)
                            && !ladders.contains(&(*first, *last))
                    });
                    let (at, _) = same.unwrap();
                    let apart = at.x.abs_diff(ladder.first.x).max(at.y.abs_diff(ladder.first.y));
                    assert!(apart >= 6, "{what}: {ladder:?} is {apart} squares from the stairs");
                    assert!(tunnels.iter().all(|length| *length <= 14), "{what}: tunnels of {tunnels:?}");
                }
                LadderKind::QuickExit => {
                    quick += 1;
                    assert!(tunnels[1] <= 60, "{what}: tunnels of {tunnels:?}");
                    assert!(tunnels[0] >= 3, "{what}: tunnels of {tunnels:?}");
                    assert_eq!(ladder.first.floor, start.floor);
                    let near = |(first, _): &(Position, Position)| {
                        first.floor == 0
                            && *first != ladder.first
                            && first.x.abs_diff(ladder.first.x).max(first.y.abs_diff(ladder.first.y)) <= 1
                    };
                    assert!(!stairs.iter().any(near), "{what}");
                }
            }
        }
    }
    assert!(second >= 40 && quick >= 12, "{second} second ways and {quick} quick exits");
}

/// Squares from a ladder to the nearest room.
fn tunnel(tower: &Tower, blueprint: &Blueprint, ladder: Position) -> usize {
    let mut steps = BTreeMap::from([(ladder, 1)]);
    let mut waiting = VecDeque::from([ladder]);
    while let Some(at) = waiting.pop_front() {
        let so_far = steps[&at];
        for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let Some((x, y)) = at.x.checked_add_signed(dx).zip(at.y.checked_add_signed(dy)) else { continue };
            let next = Position::new(at.floor, x, y);
            if blueprint.room_at(next).is_some() {
                return so_far;
            }
            if tower.tile(next).is_some_and(|tile| tile != Tile::Wall) && !steps.contains_key(&next) {
                steps.insert(next, so_far + 1);
                waiting.push_back(next);
            }
        }
    }
    usize::MAX
}

#[test]
fn threads_change_nothing() {
    let kinds = Kinds::standard();
    let request = understand(ASKS[4], &kinds).unwrap();
    let texts = |threads| {
        let order = Order {
            describe: &|seed| describe(&request, &kinds, seed),
            kinds: &kinds,
            wishes: Wishes::default(),
            first: 3,
            count: 9,
            measure: false,
            threads,
        };
        let tried = many::make(&order, &|| false, &|_| {});
        tried.into_iter().map(|tried| write_native(&tried.made.unwrap().tower)).collect::<Vec<_>>()
    };
    let one = texts(1);
    assert_eq!(one.len(), 9);
    assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), 9);
    for threads in [2, 5] {
        assert!(texts(threads) == one);
    }
}

/// Seven rooms in a row, in the third of which the rule puts monsters.
fn row(placed: &str) -> Description {
    let mut text = "name = \"row\"\ndifficulty = 2\npopulation = { least = 1 }\n\n[[floor]]\n".to_owned();
    for room in 1..=7 {
        text += &format!("[[floor.room]]\nname = \"Room {room}\"\nkind = \"hall\"\nsize = [5, 4]\n");
    }
    for room in 1..=6 {
        text += &format!("[[floor.link]]\nfrom = \"Room {room}\"\nto = \"Room {}\"\nkind = \"narrow\"\n", room + 1);
    }
    Description::read(&(text + placed), "row.toml").unwrap()
}

fn drawn(description: &Description) -> Tower {
    build::tower(description, &Kinds::standard(), 5, &Wishes::default(), &|| false).unwrap().tower
}

/// Names of the monsters of a room, and whether a rule put them there.
fn monsters(tower: &Tower, room: &str) -> Vec<(String, bool)> {
    let room = tower.blueprint.rooms.iter().find(|other| other.name == room).unwrap();
    let standing = room.squares().filter_map(|at| match tower.tile(at) {
        Some(Tile::Monster(id)) => {
            Some((tower.monsters[usize::from(id)].name.clone(), tower.blueprint.by_rule.contains(&at)))
        }
        _ => None,
    });
    standing.collect()
}

#[test]
fn a_hand_beats_the_rule() {
    let by_rule = drawn(&row(""));
    assert!(!monsters(&by_rule, "Room 3").is_empty());
    assert!(monsters(&by_rule, "Room 3").iter().all(|(_, by_rule)| *by_rule));
    let by_hand = drawn(&row("[[floor.place]]\nroom = \"Room 3\"\nwhat = \"Skeleton\"\n"));
    assert_eq!(monsters(&by_hand, "Room 3"), [("Skeleton".to_owned(), false)]);
    assert!(monsters(&by_hand, "Room 4").iter().all(|(_, by_rule)| *by_rule));
    let with_key = drawn(&row("[[floor.place]]\nroom = \"Room 2\"\nwhat = \"sword\"\nat = [1, 2]\n"));
    let room = with_key.blueprint.rooms.iter().find(|room| room.name == "Room 2").unwrap();
    let at = Position::new(0, room.at.x + 1, room.at.y + 2);
    assert_eq!(with_key.tile(at), Some(Tile::Item(Item::Sword)));
    assert!(!with_key.blueprint.by_rule.contains(&at));
    let mut emptied = row("");
    emptied.population.empty = vec!["Room 4".into()];
    assert_eq!(monsters(&drawn(&emptied), "Room 4"), []);
}

#[test]
fn what_cannot_be_is_refused() {
    let wishes = Wishes { optimum: Some(999_999..=1_000_000), attempts: 2, ..Wishes::default() };
    let refused = build::tower(&row(""), &Kinds::standard(), 1, &wishes, &|| false).unwrap_err();
    let why = "none of 2 drawings was kept: its best play does not end in the range that is wanted";
    assert_eq!(refused.to_string(), why);
    let stopped = build::tower(&row(""), &Kinds::standard(), 1, &Wishes::default(), &|| true);
    assert!(matches!(stopped, Err(build::BuildError::Solve(crate::solver::SolveError::Stopped))));
}

#[test]
fn later_floors_are_harder() {
    let kinds = Kinds::standard();
    for ask in ["three floors", "two levels, easy", "four decks with a code", "a deep one with a forge and an armoury"]
    {
        let request = understand(ask, &kinds).unwrap();
        let order = Order {
            describe: &|seed| describe(&request, &kinds, seed),
            kinds: &kinds,
            wishes: Wishes::default(),
            first: 0,
            count: 30,
            measure: true,
            threads: 2,
        };
        let mut floors: Vec<Vec<(f64, f64)>> = vec![Vec::new(); usize::from(request.floors)];
        for tried in many::make(&order, &|| false, &|_| {}) {
            for (all, floor) in floors.iter_mut().zip(tried.made.unwrap().hardness.unwrap()) {
                let Some(alone) = floor.alone else { continue };
                let (Some(optimum), Some((reached, lost))) = (alone.optimum, alone.states) else { continue };
                all.push((lost as f64 / reached as f64, optimum as f64 / alone.start as f64));
            }
        }
        let mean = |all: &Vec<(f64, f64)>| {
            let count = all.len() as f64;
            (all.iter().map(|of| of.0).sum::<f64>() / count, all.iter().map(|of| of.1).sum::<f64>() / count)
        };
        let means: Vec<(f64, f64)> = floors.iter().map(mean).collect();
        let (first, last) = (means[0], means[means.len() - 1]);
        assert!(first.0 + 0.1 < last.0 && first.1 > last.1 + 0.1, "{ask}: {means:?}");
        assert!(means.windows(2).all(|two| two[0].1 > two[1].1), "{ask}: {means:?}");
    }
}

/// The tower with wall where a keeper stands at some of its positions.
fn walled(tower: &Tower, at: impl Fn(Position) -> bool) -> Tower {
    let mut walled = tower.clone();
    for (map, floor) in walled.floors.iter_mut().zip(0..) {
        let tile = |x: u16, y: u16, tile: Tile| match tile {
            Tile::Monster(id) if at(Position::new(floor, x, y)) => {
                let name = tower.monsters[usize::from(id)].name.as_str();
                if KEEPERS.contains(&name) { Tile::Wall } else { tile }
            }
            other => other,
        };
        let rows = map.rows().zip(0..).map(|(row, y)| row.iter().zip(0..).map(|(of, x)| tile(x, y, *of)).collect());
        *map = crate::game::Floor::from_rows(map.name.clone(), rows.collect()).unwrap();
    }
    walled
}

const KEEPERS: [&str; 4] = ["Gatekeeper", "Wall keeper", "Vault keeper", "Deep keeper"];

#[test]
fn nobody_passes_the_guard_and_the_keepers() {
    for (what, made) in sample(8) {
        let tower = &made.tower;
        let boss = tower.bosses().next().and_then(|at| tower.blueprint.room_at(at)).unwrap();
        let boss_is_reached =
            |tower: &Tower| !check(tower).iter().any(|finding| finding.code == crate::check::Code::D2);
        assert!(!boss_is_reached(&walled(tower, |at| boss.contains(at))), "{what}: the boss has no guard");
        if tower.floors.len() > 1 && !made.told.iter().any(|line| line.contains("without a fight")) {
            assert!(!boss_is_reached(&walled(tower, |at| !boss.contains(at))), "{what}: a floor has no keeper");
        }
    }
}

#[test]
fn the_kept_towers_are_what_their_commands_give() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/towers");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut tower = parse_tower("tower.toml", &text).unwrap();
        let command = tower.origin.take().unwrap().command;
        let (ask, seed) = command.strip_prefix("mota generate tower --ask ").unwrap().rsplit_once(" --seed ").unwrap();
        let ask = ask.trim_matches(['"', '\'']);
        let mut again = made(ask, seed.parse().unwrap()).tower;
        again.origin = None;
        assert!(again == tower, "{}: {command}", path.display());
    }
}

#[test]
fn a_ladder_does_not_lead_behind_the_boss() {
    let mut text = "name = \"behind\"\ncycle = \"lock\"\n".to_owned();
    for (floor, goal) in [("A", ""), ("B", "goal = \"B2\"\n")] {
        text += &format!("\n[[floor]]\n{goal}");
        for room in 1..=4 {
            text += &format!("[[floor.room]]\nname = \"{floor}{room}\"\nsize = [6, 5]\n");
        }
        for (from, to) in [(1, 3), (1, 2), (2, 4)] {
            text += &format!("[[floor.link]]\nfrom = \"{floor}{from}\"\nto = \"{floor}{to}\"\n");
        }
    }
    let description = Description::read(&text, "behind.toml").unwrap();
    for seed in 0..12 {
        let made = build::tower(&description, &Kinds::standard(), seed, &Wishes::default(), &|| false).unwrap();
        let mut shut = made.tower;
        let row = |row: &[Tile]| {
            row.iter().map(|tile| if matches!(tile, Tile::Gate(_)) { Tile::Wall } else { *tile }).collect()
        };
        shut.floors[1] = crate::game::Floor::from_rows("B".into(), shut.floors[1].rows().map(row).collect()).unwrap();
        assert!(check(&shut).iter().any(|finding| finding.code == crate::check::Code::D2), "seed {seed}");
    }
}
