//! Descriptions made of requests.

use std::collections::{BTreeMap, BTreeSet};

use super::super::words::{LEAST_ROOMS, MOST_ROOMS, understand};
use super::*;
use crate::game::Colour;

const ASKS: [&str; 8] = [
    "three floors",
    "giant, goes down into the flooded vaults",
    "two levels, easy",
    "four decks with a code",
    "a deep one with a forge and an armoury",
    "one floor",
    "three floors, goes down into the vaults, giant, hard, a flooded lock",
    "100 rooms with ten forges and nine crypts",
];

fn of(ask: &str, seed: u64) -> Description {
    let kinds = Kinds::standard();
    describe(&understand(ask, &kinds).unwrap(), &kinds, seed)
}

#[test]
fn a_description_of_every_seed_can_be_drawn() {
    let kinds = Kinds::standard();
    for ask in ASKS {
        let request = understand(ask, &kinds).unwrap();
        for seed in 0..500 {
            let description = describe(&request, &kinds, seed);
            description.check().unwrap_or_else(|error| panic!("{ask}, seed {seed}: {error}"));
            description.check_names(&kinds, &[]).unwrap();
            let rooms: Vec<usize> = description.floors.iter().map(|floor| floor.rooms.len()).collect();
            assert_eq!(rooms.len(), usize::from(request.floors));
            assert!(rooms.iter().all(|rooms| (LEAST_ROOMS.into()..=MOST_ROOMS.into()).contains(rooms)), "{rooms:?}");
            assert!(rooms.is_sorted() && rooms[rooms.len() - 1] - rooms[0] <= 1, "{rooms:?}");
            let sum: usize = rooms.iter().sum();
            assert!((request.rooms.0.into()..=request.rooms.1.into()).contains(&sum), "{sum}");
            named_rooms_are_there(&request, &description);
            description.floors.iter().for_each(links_are_as_they_should_be);
        }
    }
}

/// The named rooms, a floor each in turn.
fn named_rooms_are_there(request: &Request, description: &Description) {
    let floors = description.floors.len();
    for (number, floor) in description.floors.iter().enumerate() {
        let mut there: Vec<&str> = floor.rooms.iter().skip(1).filter_map(|room| room.kind.as_deref()).collect();
        for kind in request.named.iter().skip(number).step_by(floors) {
            let at = there.iter().position(|other| other == kind);
            there.remove(at.unwrap_or_else(|| panic!("floor {}: no {kind} in {there:?}", number + 1)));
        }
    }
}

fn links_are_as_they_should_be(floor: &FloorPlan) {
    let mut degrees: BTreeMap<&str, usize> = BTreeMap::new();
    for link in &floor.links {
        for room in [&link.from, &link.to] {
            *degrees.entry(room).or_default() += 1;
        }
    }
    let loops = (floor.links.len() + 1).checked_sub(floor.rooms.len()).expect("a tree at least");
    assert!(loops <= floor.rooms.len().div_ceil(8), "{loops}");
    assert!(degrees.values().all(|degree| *degree <= 4), "{degrees:?}");
    let goal = floor.goal.as_deref().unwrap();
    assert_eq!(degrees.get(goal), Some(&1), "one link leads to the goal");
    // As far from the first room as any but where loops make ways shorter or longer ends are full.
    assert_eq!(floor.rooms.last().map(|room| room.name.as_str()), Some(goal));
}

#[test]
fn a_seed_gives_one_description() {
    for ask in ASKS {
        let one = of(ask, 7).to_toml().unwrap();
        assert_eq!(one, of(ask, 7).to_toml().unwrap());
        assert_ne!(one, of(ask, 8).to_toml().unwrap());
        assert_eq!(Description::read(&one, "a.toml").unwrap().to_toml().unwrap(), one);
    }
}

#[test]
fn a_description_of_two_floors() {
    insta::assert_snapshot!(of("a deep one with a forge and an armoury and a code", 1).to_toml().unwrap(), @r#"
    name = "a-deep-one-with-a-forge-and-an-armoury-and-a-code-1"
    title = "Tower of 2 floors with 13 rooms, seed 1"
    descends = true
    difficulty = 2
    cycle = "code"

    [population]
    seed = 0
    squares = 8
    least = 0
    most = 3
    empty = ["First landing"]

    [[floor]]
    goal = "Great guardroom"

    [[floor.room]]
    name = "First landing"
    size = [3, 4]
    kind = "landing"
    height = 2

    [[floor.room]]
    name = "High vault"
    size = [4, 3]
    kind = "vault"
    height = 3

    [[floor.room]]
    name = "Swept kitchen"
    size = [5, 4]
    kind = "kitchen"
    height = 2

    [[floor.room]]
    name = "Dim library"
    size = [6, 3]
    kind = "library"
    height = 2

    [[floor.room]]
    name = "Far forge"
    size = [7, 3]
    kind = "forge"
    height = 2

    [[floor.room]]
    name = "Great guardroom"
    size = [7, 5]
    kind = "guardroom"
    height = 3

    [[floor.link]]
    from = "First landing"
    to = "High vault"
    kind = "door"

    [[floor.link]]
    from = "High vault"
    to = "Swept kitchen"
    kind = "corridor"

    [[floor.link]]
    from = "First landing"
    to = "Dim library"
    kind = "narrow"

    [[floor.link]]
    from = "High vault"
    to = "Far forge"
    kind = "corridor"

    [[floor.link]]
    from = "Far forge"
    to = "Great guardroom"
    kind = "narrow"

    [[floor.link]]
    from = "First landing"
    to = "Far forge"
    kind = "door"

    [[floor]]
    goal = "Sooty vault"

    [[floor.room]]
    name = "Second landing"
    size = [3, 4]
    kind = "landing"
    height = 2

    [[floor.room]]
    name = "Low guardroom"
    size = [4, 3]
    kind = "guardroom"
    height = 1

    [[floor.room]]
    name = "Empty armoury"
    size = [6, 3]
    kind = "armoury"
    height = 2

    [[floor.room]]
    name = "Worn laboratory"
    size = [3, 4]
    kind = "laboratory"
    height = 2

    [[floor.room]]
    name = "Dusty chapel"
    size = [5, 4]
    kind = "chapel"
    height = 2

    [[floor.room]]
    name = "Low kitchen"
    size = [6, 4]
    kind = "kitchen"
    height = 1

    [[floor.room]]
    name = "Sooty vault"
    size = [6, 4]
    kind = "vault"
    height = 3

    [[floor.link]]
    from = "Second landing"
    to = "Low guardroom"
    kind = "narrow"

    [[floor.link]]
    from = "Low guardroom"
    to = "Empty armoury"
    kind = "corridor"

    [[floor.link]]
    from = "Empty armoury"
    to = "Worn laboratory"
    kind = "narrow"

    [[floor.link]]
    from = "Worn laboratory"
    to = "Dusty chapel"
    kind = "crawl"

    [[floor.link]]
    from = "Empty armoury"
    to = "Low kitchen"
    kind = "narrow"

    [[floor.link]]
    from = "Dusty chapel"
    to = "Sooty vault"
    kind = "corridor"

    [[floor.link]]
    from = "Low guardroom"
    to = "Worn laboratory"
    kind = "door"
    "#);
}

#[test]
fn kinds_of_links_have_their_shares() {
    let (mut kinds, mut blue) = (BTreeMap::new(), [0, 0]);
    for seed in 0..200 {
        for (floor, plan) in of("two floors, 40 rooms", seed).floors.iter().enumerate() {
            for link in &plan.links {
                *kinds.entry(format!("{:?}", link.kind)).or_insert(0_u32) += 1;
                blue[floor] += u32::from(link.colour == Some(Colour::Blue));
            }
        }
    }
    let all: u32 = kinds.values().sum();
    let share = |kind: &str| f64::from(kinds[kind]) / f64::from(all);
    for (kind, expected) in [("Door", 0.25), ("Narrow", 0.4), ("Corridor", 0.25), ("Crawl", 0.1)] {
        assert!((share(kind) - expected).abs() < 0.03, "{kind}: {}", share(kind));
    }
    assert!(blue[0] == 0 && blue[1] > 0, "{blue:?}");
}

#[test]
fn kinds_that_are_not_wanted_are_not_drawn() {
    let kinds = Kinds::standard();
    let request = understand("twenty rooms, no forge, without a vault, no crypts", &kinds).unwrap();
    for seed in 0..50 {
        let drawn: BTreeSet<String> =
            describe(&request, &kinds, seed).floors[0].rooms.iter().filter_map(|room| room.kind.clone()).collect();
        assert!(["forge", "vault", "crypt"].iter().all(|kind| !drawn.contains(*kind)), "{drawn:?}");
    }
}

#[test]
fn any_table_of_kinds_will_do() {
    let cave = "[[kind]]\nname = \"cave\"\nwords = [\"cave\"]\nmonsters = 1.0\ncache = 0.0\nholds = []\nplate = 0.0\nlight = 5\npotions = 1.0\n";
    let kinds = Kinds::read(cave, "caves.toml").unwrap();
    for ask in ["100 rooms", "no cave, 100 rooms", "thirty caves"] {
        let description = describe(&understand(ask, &kinds).unwrap(), &kinds, 3);
        assert_eq!(description.check(), Ok(()), "{ask}");
        assert_eq!(description.check_names(&kinds, &[]), Ok(()), "{ask}");
    }
}
