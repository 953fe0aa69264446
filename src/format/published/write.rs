//! From a tower to the published solver's text, if that can hold it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::read::monster_id;
use super::{MONSTERS_FROM, NO_SHOP, TILES};
use crate::game::{Ability, Goal, Monster, RuleSet, Tile, Tower};

/// Why the published format cannot hold a tower.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("the published format cannot hold this tower: {}", reasons.join("; "))]
pub struct CannotHold {
    /// All reasons, each naming what is in the way.
    pub reasons: Vec<String>,
}

/// The tower in the published format. Names of towers, floors and monsters, titles, notes, mechanisms and
/// what is said of a tower's parts are left out: it has no room for them, and they change nothing in the game.
///
/// # Errors
/// What would be lost.
pub fn write(tower: &Tower) -> Result<String, CannotHold> {
    let reasons = reasons(tower);
    if !reasons.is_empty() {
        return Err(CannotHold { reasons });
    }
    let mut text = String::new();
    write_maps(tower, &mut text);
    let items = tower.items.named().map(|(_, value)| value);
    push_line(&items, &mut text);
    let _ = writeln!(text, "\n{}", tower.monsters.len());
    for monster in &tower.monsters {
        let code = monster.abilities.iter().next().map_or(0, |ability| i64::from(ability.code()));
        let id = monster_id(monster).unwrap_or(MONSTERS_FROM);
        push_line(&[id, monster.hp, monster.atk, monster.def, monster.gold, code], &mut text);
    }
    text.push('\n');
    let shop = tower.shop.as_ref();
    let shop = shop.map_or([0; 6], |s| [s.first_price, s.price_step, s.hp, s.atk, s.def, s.mdef]);
    push_line(&shop, &mut text);
    text.push('\n');
    let (hero, start) = (&tower.hero, tower.start);
    let [floor, row, column] = [start.floor, start.y, start.x].map(i64::from);
    let (keys, gold) = (hero.keys, hero.gold);
    let hero = [hero.hp, hero.atk, hero.def, hero.mdef, gold, keys.yellow, keys.blue, keys.red, floor, row, column];
    push_line(&hero, &mut text);
    Ok(text)
}

fn write_maps(tower: &Tower, text: &mut String) {
    let size = tower.floors.first().map_or((0, 0), |floor| (floor.height(), floor.width()));
    let _ = writeln!(text, "{}\n{} {}", tower.floors.len(), size.0, size.1);
    let id = |tile: &Tile| match tile {
        Tile::Monster(row) => tower.monsters.get(usize::from(*row)).and_then(monster_id).unwrap_or(MONSTERS_FROM),
        other => TILES.iter().find(|(_, tile)| tile == other).map_or(0, |(id, _)| *id),
    };
    for floor in &tower.floors {
        text.push('\n');
        for row in floor.rows() {
            let ids: Vec<String> = row.iter().map(|tile| id(tile).to_string()).collect();
            let _ = writeln!(text, "{}", ids.join("\t"));
        }
    }
    text.push('\n');
}

fn push_line(numbers: &[i64], text: &mut String) {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let _ = writeln!(text, "{}", numbers.join(" "));
}

/// All that the format cannot express of the tower.
fn reasons(tower: &Tower) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut check = |wrong: bool, reason: &str| {
        if wrong {
            reasons.push(reason.to_owned());
        }
    };
    let size = |index: usize| tower.floors.get(index).map(|floor| (floor.width(), floor.height()));
    check(
        tower.rules.set != RuleSet::Thesis,
        &format!("its rules are `{}`, and a tower of that format follows `thesis`", tower.rules.set),
    );
    check((0..tower.floors.len()).any(|index| size(index) != size(0)), "its floors differ in size");
    check(
        tower.stairs != Tower::stairs_by_rule(&tower.floors),
        "its stairs are joined otherwise than each way up with the way down of the floor above",
    );
    check(tower.hero.experience != 0, "the hero starts with experience");
    check(tower.hero.keys.green != 0, "the hero starts with green keys");
    check(
        tower.shop.is_some_and(|shop| shop.first_price == NO_SHOP),
        "its shop's first price, 999999, means no shop there",
    );
    check(!tower.events.is_empty(), "it has scripted events");
    check(!tower.things.is_empty(), "it has items of its own");
    check(!tower.gates.is_empty(), "it has doors of its own");
    check(!tower.passages.is_empty(), "it has one-way passages");
    check(!tower.barriers.is_empty(), "it has barriers that are crossed in one direction only");
    check(!tower.variables.is_empty(), "it has variables");
    check(tower.goal != Goal::Boss, "it is won otherwise than by defeating the boss");
    check(!tower.hero.marks.is_none(), "the hero starts with the cross, the coin, a curse or hatred");
    let mut ids = BTreeSet::new();
    for monster in &tower.monsters {
        let id = monster_id(monster);
        if id.is_none_or(|id| !ids.insert(id)) {
            reasons.push(format!("no id of its own, 201 to 299, for the monster `{}`", monster.symbol));
        }
        reasons.extend(objection(monster));
    }
    reasons
}

/// What the format cannot express of a row of the monster table.
fn objection(monster: &Monster) -> Option<String> {
    let name = &monster.name;
    let abilities: Vec<Ability> = monster.abilities.iter().collect();
    let plain = abilities.iter().all(|ability| Ability::PLAIN.contains(ability));
    match abilities.as_slice() {
        _ if monster.experience != 0 => Some(format!("{name} gives experience")),
        [_, _, ..] => Some(format!("{name} has {} abilities, and the format holds one", abilities.len())),
        [ability] if !plain => Some(format!("{name} has {ability}, and the format holds no parameters")),
        _ => None,
    }
}
