//! What the engine does beside what stands in the events of tiles: levels, items that are used as they are got, blocks
//! that events put, and what becomes of parts that cannot be held.

use std::fs;

use mota::format::h5mota::{Import, ImportError, Modelled, Options, import};
use mota::game::{Game, Instruction, ItemMode, Position, Tile, Trigger};

use super::project::{files, replaced};

/// Imports the newer fixture after texts in its files were replaced; each must be there.
fn with(changes: &[(&str, &str, &str)], options: &Options) -> Result<Import, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files("h5mota-new") {
        let mut text = String::from_utf8(bytes).unwrap();
        for (file, from, to) in changes.iter().filter(|(file, ..)| path.ends_with(file)) {
            assert!(text.contains(from), "{file} has no {from}");
            text = text.replace(from, to);
        }
        let to = folder.path().join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    }
    let done = import(folder.path(), options);
    folder.close().unwrap();
    done
}

fn changed(changes: &[(&str, &str, &str)]) -> Import {
    with(changes, &Options::default()).unwrap()
}

const LEVELS: (&str, &str, &str) = (
    "data.js",
    "\"startText\"",
    r#""levelUp": [
        { "need": "0", "action": [] },
        { "need": "1+1", "title": "Squire", "clear": true, "action": [{ "type": "setValue", "name": "status:atk", "operator": "+=", "value": "10" }] },
        { "need": 3, "action": ["Well done."] },
        { "need": "core.plugin.secret()", "action": [{ "type": "setValue", "name": "status:atk", "value": "0" }] }
    ],
    "startText""#,
);

#[test]
fn levels_rise_with_experience_in_their_order() {
    let experience = ("data.js", "\"exp\": 0", "\"exp\": 5");
    let on = ("data.js", "[\"enableHP\"]", "[\"enableHP\", \"enableLevelUp\"]");
    let hero = |import: &Import| {
        let game = Game::new(import.tower.clone(), ItemMode::Auto).unwrap();
        let hero = game.start().unwrap().hero;
        (hero.atk, hero.experience)
    };
    let rows = |import: &Import| -> Vec<(usize, usize, Modelled)> {
        let levels = import.report.events.iter().filter(|event| event.trigger == "levelUp");
        levels.map(|event| (event.changes, event.changes_modelled, event.modelled)).collect()
    };
    let off = changed(&[LEVELS, experience]);
    assert_eq!((hero(&off), rows(&off)), ((13, 5), vec![]));
    let on = changed(&[LEVELS, experience, on]);
    // The second level costs two points, the third leaves the rest.
    assert_eq!(hero(&on), (23, 3));
    assert_eq!(rows(&on), [(3, 3, Modelled::Yes), (1, 1, Modelled::Yes), (2, 0, Modelled::No)]);
    let old = changed(&[
        LEVELS,
        experience,
        ("data.js", "\"flags\": { \"enableN", "\"flags\": { \"enableLevelUp\": true, \"enableN"),
    ]);
    assert_eq!(old.tower, on.tower);
    let text = mota::format::write_native(&on.tower);
    assert_eq!(mota::format::parse_tower("tower.toml", &text).unwrap(), on.tower);
}

#[test]
fn a_tower_with_a_boss_is_read_again() {
    let boss = |id: &str, changes: &[(&str, &str, &str)]| {
        with(changes, &Options { boss: Some(id.to_owned()), ..Options::default() })
    };
    let tower = boss("king", &[]).unwrap().tower;
    let text = mota::format::write_native(&tower);
    assert_eq!(mota::format::parse_tower("tower.toml", &text).unwrap(), tower);
    let twice = boss("king", &[("F3.js", "[1, 0, 201, 0, 1]", "[1, 203, 201, 0, 1]")]).unwrap_err().to_string();
    assert_eq!(twice, "--goal boss=king: it stands in 2 places, and a tower has one boss: F2 (1,1), F3 (1,3)");
    let never = boss("ghost", &[]).unwrap_err().to_string();
    assert!(never.contains("it stands on no map"), "{never}");
}

#[test]
fn an_item_that_is_used_at_once_has_its_event() {
    let effect = "\"itemEffect\": \"core.status.hero.hp *= 2\"";
    let event = r#", "useItemEvent": [{ "type": "setValue", "name": "status:def", "operator": "+=", "value": "7" }, { "type": "setBlock", "number": 0, "loc": [1, 1] }]"#;
    let import = changed(&[("items.js", effect, &format!("{effect}{event}"))]);
    let potion = import.tower.things.iter().find(|thing| thing.name == "Great potion").unwrap();
    assert_eq!(potion.script.iter().filter(|one| matches!(one, Instruction::Set { .. })).count(), 2);
    let row = import.report.events.iter().find(|event| event.trigger == "useItemEvent").unwrap();
    assert_eq!((row.changes, row.changes_modelled, row.modelled), (2, 1, Modelled::Partly));
    assert!(row.what.starts_with("Great potion: ") && row.why.contains("which floor"), "{row:?}");
    let endless =
        r#", "useItemEvent": [{ "type": "setValue", "name": "item:superPotion", "operator": "+=", "value": "1" }]"#;
    let import = changed(&[("items.js", effect, &format!("{effect}{endless}"))]);
    let row = import.report.events.iter().find(|event| event.trigger == "useItemEvent").unwrap();
    assert!(row.why.contains("items give one another without end"), "{row:?}");
}

const PUT: &str = r#"{"type": "setBlock", "number": "king", "loc": [[1, 1]]}"#;

#[test]
fn monsters_that_events_put_have_what_their_kind_brings() {
    let put = r#"{"type": "setBlock", "number": "ghost", "loc": [2, 1]}, {"type": "setBlock", "number": "bat", "loc": [3, 4]}"#;
    let import = changed(&[("F2.js", PUT, put)]);
    let event = |import: &Import, x, y, trigger: Trigger| {
        let at = Position::new(1, x, y);
        import.tower.events.iter().find(|event| event.at == at && event.trigger == trigger).cloned()
    };
    let ambush = event(&import, 2, 1, Trigger::Step).unwrap();
    assert!(matches!(ambush.script.as_slice(), [Instruction::Set { .. }, Instruction::Fight { at: Some(_), .. }]));
    assert!(event(&import, 3, 4, Trigger::AfterFight).is_some());
    let row = |import: &Import| {
        import
            .report
            .events
            .iter()
            .find(|row| (row.x, row.y) == (Some(1), Some(2)) && row.floor == "F2")
            .unwrap()
            .clone()
    };
    assert!(!row(&import).why.contains("is put at"), "{:?}", row(&import));

    // Where another event waits already, the plain monster is put, and that is told.
    let import = changed(&[("F2.js", PUT, r#"{"type": "setBlock", "number": "ghost", "loc": [3, 5]}"#)]);
    let script = event(&import, 1, 2, Trigger::Step).unwrap().script;
    let is_put = |one: &&Instruction| matches!(one, Instruction::Put { tile: Tile::Monster(_), .. });
    assert!(script.iter().any(|one| is_put(&one)));
    let why = "`ghost` is put at F2 (3,5) without what comes before it is reached";
    assert!(row(&import).why.contains(why), "{:?}", row(&import));
}

#[test]
fn what_is_moved_arrives_only_if_it_stood_there_and_is_shown() {
    let import = changed(&[]);
    let event = import.tower.events.iter().find(|event| event.at == Position::new(1, 1, 2)).unwrap();
    let from = Position::new(1, 1, 1);
    let to = Position::new(1, 2, 2);
    let moved = event.script.iter().find_map(|one| match one {
        Instruction::If { condition, then, .. } if then.first() == Some(&Instruction::Move { from, to: Some(to) }) => {
            Some((condition.clone(), then.clone()))
        }
        _ => None,
    });
    let (condition, then) = moved.unwrap();
    assert_eq!(then[1], Instruction::Show { at: vec![to] });
    assert_eq!(condition, mota::game::Expression::Not(Box::new(mota::game::Expression::Stands(Tile::Floor, from))));
}

#[test]
fn one_thing_that_cannot_be_held_does_not_fail_the_rest() {
    let import = replaced("h5mota-new", "items.js", "core.status.hero.hp *= 2", "flags.x += 1; flags.x += 1").unwrap();
    let tools = &import.tower.things.iter().find(|thing| thing.name == "Great potion").unwrap().tools;
    assert!(matches!(tools.as_slice(), [(_, 2)]), "{tools:?}");

    let mut deep = r#"{"type": "setValue", "name": "flag:deep", "value": "1"}"#.to_owned();
    for depth in 0..45 {
        deep = format!(r#"{{"type": "if", "condition": "flag:x=={depth}", "true": [{deep}], "false": []}}"#);
    }
    let import = changed(&[("F1.js", "\"A sign that is only read.\"", &deep)]);
    let row = import.report.events.iter().find(|row| (row.x, row.y) == (Some(2), Some(2))).unwrap();
    assert_eq!(
        (row.changes, row.modelled, row.why.as_str()),
        (1, Modelled::No, "its instructions are nested too deep")
    );
}

#[test]
fn a_call_only_shows_something_if_it_is_the_engines() {
    for (call, unknown) in [
        ("core.plugin.updateHero()", 1),
        ("updateAll()", 1),
        ("core.updateStatusBar()", 0),
        ("core.ui.drawTip('x')", 0),
    ] {
        let code = format!(r#"{{"type": "function", "function": "function(){{\n{call};\n}}"}}"#);
        let import = changed(&[("F1.js", "\"A sign that is only read.\"", &code)]);
        let row = import.report.events.iter().find(|row| (row.x, row.y) == (Some(2), Some(2))).unwrap();
        assert_eq!(row.unknown, unknown, "{call}");
    }
}

#[test]
fn what_is_passed_over_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files("h5mota-new") {
        let to = folder.path().join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(&to, bytes).unwrap();
        fs::write(to.with_file_name("functions.js"), "var functions = {};").unwrap();
    }
    let script = ", \"script\": \"(function () { core.status.hero.hp -= 1; })();\"";
    let others = |import: &Import, what: &str, name: &str| {
        import.report.others.iter().any(|other| other.what == what && other.name == name)
    };
    assert!(others(&import(folder.path(), &Options::default()).unwrap(), "file", "functions.js"));
    let import = changed(&[("maps.js", script, ""), ("data.js", "\"x\": 1, \"y\": 5", "\"x\": 0, \"y\": 5")]);
    assert!(others(&import, "block", "lavaNet") && others(&import, "start", "F1 (0,5)"));
    assert!(!others(&import, "file", "functions.js"));
}
