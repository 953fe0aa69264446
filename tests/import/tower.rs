//! What the importer makes of the fixtures: the tower, and what is said of every event.

use std::io::Write;

use mota::format::h5mota::Options;
use mota::game::{Game, Goal, Item, ItemMode, Number, Position, Tile, Trigger};

use super::project::{changed, imported, replaced};
use super::told;

fn new() -> mota::format::h5mota::Import {
    imported("h5mota-new", &Options::default())
}

#[test]
fn everything_is_told_of_the_newer_generation() {
    insta::assert_snapshot!(told(&new().report));
}

#[test]
fn everything_is_told_of_the_older_generation() {
    insta::assert_snapshot!(told(&imported("h5mota-old", &Options::default()).report));
}

#[test]
fn towers_can_be_played() {
    for name in ["h5mota-new", "h5mota-old"] {
        let tower = imported(name, &Options::default()).tower;
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let mut state = game.start().unwrap();
        for _ in 0..200 {
            // The first action that is not lethal, else the first: whatever it is, the engine must take it.
            let actions = game.actions(&state).unwrap();
            let Some(action) = actions.iter().find(|action| !action.is_lethal()).or(actions.first()) else { break };
            match game.apply(&state, action) {
                Ok(step) => state = step.state,
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    for name in ["h5mota-new", "h5mota-old"] {
        let tower = imported(name, &Options::default()).tower;
        let text = mota::format::write_native(&tower);
        assert_eq!(mota::format::parse_tower("tower.toml", &text).unwrap(), tower, "{name}");
    }
}

#[test]
fn a_start_above_the_first_floor_has_its_events_in_order() {
    let import = replaced("h5mota-new", "data.js", "\"floorId\": \"F1\"", "\"floorId\": \"F2\"").unwrap();
    let floors: Vec<u16> = import.tower.events.iter().map(|event| event.at.floor).collect();
    let first: Vec<&str> = import.report.events.iter().take(2).map(|event| event.trigger.as_str()).collect();
    assert!(floors.is_sorted() && first == ["difficulty", "start"]);
}

#[test]
fn the_start_is_the_projects() {
    let tower = new().tower;
    assert_eq!((tower.hero.hp, tower.hero.atk, tower.hero.gold, tower.hero.keys.yellow), (500, 10, 30, 1));
    assert_eq!((tower.start, tower.goal), (Position::new(0, 1, 5), Goal::Event));
    assert!(tower.rules.negative_damage && tower.rules.hatred == 2);
    let start =
        |name: &str| tower.variables.iter().find(|variable| variable.name == name).map(|variable| variable.start);
    assert_eq!([start("item:pickaxe"), start("flag:begun"), start("status:mana")], [Some(2), Some(1), Some(4)]);
    let hard = imported("h5mota-new", &Options { difficulty: Some("Hard".into()), ..Options::default() });
    assert_eq!(hard.report.difficulty.as_deref(), Some("hard"));
    // Of the green gem an effect is divided by the difficulty.
    let green = |import: &mota::format::h5mota::Import| import.tower.items.green_gem;
    assert_eq!((green(&new()), green(&hard)), (6, 3));
}

#[test]
fn blocks_are_tiles() {
    let tower = new().tower;
    let at = |floor, x, y| tower.tile(Position::new(floor, x, y)).unwrap();
    let of = |tile: Tile| match tile {
        Tile::Gate(id) => tower.gates[usize::from(id)].clone(),
        other => panic!("{other:?} is no gate"),
    };
    assert_eq!([at(0, 1, 6), at(0, 2, 6), at(0, 3, 6), at(0, 4, 6)], [Tile::Wall, Tile::Floor, Tile::Wall, Tile::Wall]);
    assert!(of(at(0, 2, 3)).by_event);
    let two = of(at(0, 4, 3));
    assert_eq!((two.keys.yellow, two.keys.blue, two.tools.len()), (1, 1, 1));
    assert_eq!(of(at(0, 5, 3)).name, "freeDoor");
    assert_eq!([at(0, 1, 1), at(0, 2, 1), at(0, 2, 2)], [Tile::Figure, Tile::Event, Tile::Floor]);
    // The ghost is fought after an event of its own.
    assert_eq!(at(1, 2, 4), Tile::Figure);
}

#[test]
fn items_give_what_their_effect_says_by_floor() {
    let tower = new().tower;
    let gain = |floor, x, y| match tower.tile(Position::new(floor, x, y)) {
        Some(Tile::Item(item)) => tower.give(&mota::game::Hero::default(), item).unwrap(),
        other => panic!("{other:?} is no item"),
    };
    assert_eq!([gain(0, 4, 1).atk, gain(1, 3, 1).atk, gain(2, 1, 1).atk], [1, 2, 1]);
    assert_eq!(tower.tile(Position::new(0, 4, 1)), Some(Tile::Item(Item::Gem(mota::game::Gem::Red))));
    let ring = gain(1, 1, 3);
    assert_eq!((ring.keys.yellow, ring.keys.blue), (0, 0), "setting a count is no gain: the ring is a script");
    assert_eq!(gain(1, 4, 3).hp, 400);
    assert!(gain(1, 2, 3).marks.cross && gain(1, 3, 3).marks.coin);
    assert_eq!(gain(0, 3, 5).hp, 0, "the effect asks for code of the project's own");
    let assume = vec![("core.plugin.skill".to_owned(), Number::from(0))];
    let assumed = imported("h5mota-new", &Options { assume, ..Options::default() }).tower;
    assert_eq!(assumed.items.red_potion, 50);
}

#[test]
fn ways_are_pairs_or_lead_in_one_direction() {
    let tower = new().tower;
    let place = Position::new;
    assert_eq!(tower.stairs, [(place(0, 3, 0), place(1, 3, 6))]);
    let passages: Vec<_> = tower.passages.iter().map(|passage| (passage.from, passage.to)).collect();
    assert_eq!(passages, [(place(1, 4, 5), place(2, 4, 5)), (place(2, 4, 5), place(1, 1, 4))]);
    let barriers: Vec<_> = tower.barriers.iter().map(|barrier| (barrier.from, barrier.to)).collect();
    assert!(barriers.contains(&(place(0, 5, 4), place(0, 5, 3))), "cannotMove");
    assert!(barriers.contains(&(place(0, 5, 4), place(0, 5, 5))), "cannotMoveIn");
    assert!(barriers.contains(&(place(0, 1, 5), place(0, 2, 5))), "cannotIn");
}

#[test]
fn the_older_names_mean_the_same() {
    let old = imported("h5mota-old", &Options::default());
    let tower = &old.tower;
    assert_eq!((tower.hero.experience, tower.hero.keys.yellow, tower.items.red_gem), (3, 2, 3));
    let bat = tower.monsters.iter().find(|monster| monster.name == "Bat").unwrap();
    assert!(bat.experience == 2 && bat.abilities.depends_on_hp());
    assert_eq!(tower.tile(Position::new(0, 2, 4)), Some(Tile::Door(mota::game::Colour::Yellow)));
    assert!(tower.gates.iter().any(|gate| gate.by_event) && tower.gates.iter().any(|gate| !gate.by_event));
    assert_eq!(tower.stairs, [(Position::new(0, 2, 0), Position::new(1, 1, 6))]);
    assert_eq!(old.report.share(), Some(100.0));
}

#[test]
fn automatic_events_wait_for_their_condition() {
    let tower = new().tower;
    let waits = |event: &&mota::game::Event| matches!(event.trigger, Trigger::When { once: true, anywhere: false, .. });
    assert_eq!(tower.events.iter().filter(waits).count(), 1);
}

#[test]
fn a_goal_can_be_named() {
    let exit = Some(("F1".to_owned(), 5, 4));
    let options = Options { boss: Some("king".into()), exit, ..Options::default() };
    let import = imported("h5mota-new", &options);
    assert_eq!(import.tower.goal, Goal::Exit(Position::new(0, 5, 4)));
    assert!(import.tower.monsters.iter().any(|monster| monster.boss && monster.name == "King"));
}

#[test]
fn packed_files_and_byte_order_marks_are_read() {
    let plain = new();
    let packed = changed("h5mota-new", |path, bytes| {
        let mut marked = "\u{feff}".as_bytes().to_vec();
        marked.extend(bytes);
        if path.ends_with("maps.js") || path.ends_with("F2.js") {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            packer.write_all(&marked).unwrap();
            return packer.finish().unwrap();
        }
        marked
    })
    .unwrap();
    assert_eq!((packed.tower, packed.report.events), (plain.tower, plain.report.events));
}

#[test]
fn a_key_of_another_colour_makes_another_door() {
    let import =
        replaced("h5mota-new", "maps.js", "\"keys\": { \"blueKey\": 1 } }", "\"keys\": { \"blueKey\": 2 } }").unwrap();
    assert!(matches!(import.tower.tile(Position::new(1, 5, 6)), Some(Tile::Gate(_))));
}
