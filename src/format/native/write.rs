//! From a tower to the native format, always in the same words and order. Knows nothing of files on disk.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::map::aligned;
use super::read::{string, value_key, write_keys};
use super::symbols::symbol;
use super::{blueprint, event, kind, monster, script, variables, way};
use crate::format::legend;
use crate::game::script::all;
use crate::game::{Floor, Goal, Instruction, Position, Tile, Tower};

/// The tower in the native format. It must be one that `Tower::validate` accepts, whose monsters have symbols of
/// their own: a number, `B` for the boss and for no other; likewise its own items and doors: `i` or `D` and a number.
/// Stairs, passages, barriers and events are written floor by floor, within a floor in their order.
pub fn write(tower: &Tower) -> String {
    let mut text = String::new();
    write_head(tower, &mut text);
    write_origin(tower, &mut text);
    write_hero(tower, &mut text);
    variables::write(tower, &mut text);
    write_items(tower, &mut text);
    for (id, monster) in (0..).zip(&tower.monsters) {
        text.push('\n');
        monster::write(monster, tower.blueprint.height_of(id), &mut text);
    }
    kind::write(tower, &mut text);
    write_shop(tower, &mut text);
    for (index, floor) in (0..).zip(&tower.floors) {
        write_floor(tower, index, floor, &mut text);
        way::write(tower, index, &mut text);
        blueprint::write(tower, index, &mut text);
        event::write(tower, index, &mut text);
    }
    text
}

fn write_head(tower: &Tower, text: &mut String) {
    let _ = writeln!(text, "name = {}", string(&tower.name));
    if tower.title != tower.name {
        let _ = writeln!(text, "title = {}", string(&tower.title));
    }
    if let Some(note) = &tower.note {
        let _ = writeln!(text, "note = {}", string(note));
    }
    if let Some(mechanism) = &tower.mechanism {
        let _ = writeln!(text, "mechanism = {}", string(mechanism));
    }
    let _ = writeln!(text, "rules = \"{}\"", tower.rules.set);
    if tower.rules.negative_damage {
        text.push_str("negative_damage = true\n");
    }
    if tower.rules.hatred != 0 {
        let _ = writeln!(text, "hatred = {}", tower.rules.hatred);
    }
    match tower.goal {
        Goal::Boss => {}
        Goal::Exit(at) => {
            let _ = writeln!(text, "goal = \"exit\"\nexit = {}", script::place(at));
        }
        Goal::Event => text.push_str("goal = \"event\"\n"),
    }
}

fn write_origin(tower: &Tower, text: &mut String) {
    let Some(origin) = &tower.origin else { return };
    let _ = writeln!(text, "\n[origin]\ncommand = {}", string(&origin.command));
    if let Some(random) = &origin.random {
        let _ = writeln!(text, "random = {}", string(random));
    }
    if let Some(optimum) = origin.optimum {
        let _ = writeln!(text, "optimum = {optimum}");
    }
}

fn write_hero(tower: &Tower, text: &mut String) {
    let hero = &tower.hero;
    let _ = writeln!(text, "\n[hero]\nhp = {}\natk = {}\ndef = {}", hero.hp, hero.atk, hero.def);
    let others = [("mdef", hero.mdef), ("gold", hero.gold), ("experience", hero.experience)];
    for (key, value) in others.into_iter().filter(|(_, value)| *value != 0) {
        let _ = writeln!(text, "{key} = {value}");
    }
    if let Some(keys) = write_keys(hero.keys) {
        let _ = writeln!(text, "keys = {keys}");
    }
    if let Some(marks) = kind::write_marks(hero.marks) {
        let _ = writeln!(text, "marks = {marks}");
    }
    if !starts_on_floor(tower) {
        let start = tower.start;
        let _ = writeln!(text, "start = [{}, {}, {}]", start.floor, start.x, start.y);
    }
}

/// Whether the hero's symbol can stand on the map; on a stair or a shop there is no room for it.
fn starts_on_floor(tower: &Tower) -> bool {
    tower.tile(tower.start) == Some(Tile::Floor)
}

/// What items give: those that give something, those on the map and those that events put there.
fn write_items(tower: &Tower, text: &mut String) {
    let scripts = tower.events.iter().map(|event| &event.script).chain(tower.things.iter().map(|thing| &thing.script));
    let put = scripts.flat_map(all).filter_map(|instruction| match instruction {
        Instruction::Put { tile, .. } => Some(*tile),
        _ => None,
    });
    let on_map: BTreeSet<&str> = tower
        .tiles()
        .map(|(_, tile)| tile)
        .chain(put)
        .filter_map(|tile| match tile {
            Tile::Item(item) => value_key(item),
            _ => None,
        })
        .collect();
    let mut lines =
        tower.items.named().into_iter().filter(|(key, value)| *value != 0 || on_map.contains(key)).peekable();
    if lines.peek().is_some() {
        text.push_str("\n[items]\n");
    }
    for (key, value) in lines {
        let _ = writeln!(text, "{key} = {value}");
    }
}

fn write_shop(tower: &Tower, text: &mut String) {
    let Some(shop) = &tower.shop else { return };
    let _ = writeln!(text, "\n[shop]\nfirst_price = {}\nprice_step = {}", shop.first_price, shop.price_step);
    let sold = [("hp", shop.hp), ("atk", shop.atk), ("def", shop.def), ("mdef", shop.mdef)];
    for (key, value) in sold.into_iter().filter(|(_, value)| *value != 0) {
        let _ = writeln!(text, "{key} = {value}");
    }
}

fn write_floor(tower: &Tower, index: u16, floor: &Floor, text: &mut String) {
    text.push_str("\n[[floor]]\n");
    if !floor.name.is_empty() {
        let _ = writeln!(text, "name = {}", string(&floor.name));
    }
    let symbol = |x: u16, y: u16, tile: Tile| match tile {
        Tile::Floor if Position::new(index, x, y) == tower.start => legend::HERO,
        other => symbol(tower, other),
    };
    let row = |(y, row): (u16, &[Tile])| (0..).zip(row).map(|(x, tile)| symbol(x, y, *tile)).collect();
    let rows: Vec<Vec<&str>> = (0..).zip(floor.rows()).map(row).collect();
    let _ = write!(text, "map = \"\"\"\n{}\"\"\"\n", aligned(&rows));
}
