//! What is known from a root about all that lies ahead of it, whatever is done.

use super::dominator::DominatorTree;
use super::error::{SolveError, overflow};
use super::expand::Outlook;
use super::goal::Goal;
use super::key::{Entry, Space};

/// What is known from `root`: the least that each obstacle will ever take, at all attributes that can still be had, and
/// what guards each area.
pub(super) fn outlook<const W: usize>(space: &Space<W>, root: &Entry<W>) -> Result<Outlook, SolveError> {
    let mut hero = space.hero(&root.place, 1)?;
    let areas = 0..space.graph.areas.len();
    let beyond = areas.clone().filter(|area| !root.place.opened.contains(*area));
    let gains = beyond.map(|area| space.graph.areas[area].gain.attributes);
    let items = (space.items & !root.place.key.gone).iter().map(|index| space.graph.obstacles[index].gain.attributes);
    let left = space.most_purchases()?.saturating_sub(root.place.key.purchases.iter().sum());
    let bought = space.bought(&[left; 4])?;
    for [atk, def, mdef] in gains.chain(items).chain([bought]) {
        hero.atk = hero.atk.checked_add(atk).ok_or_else(overflow)?;
        hero.def = hero.def.checked_add(def).ok_or_else(overflow)?;
        hero.mdef = hero.mdef.checked_add(mdef).ok_or_else(overflow)?;
    }
    let tree = DominatorTree::new(space, &root.place);
    Ok(Outlook {
        least: (0..space.graph.obstacles.len()).map(|index| space.damage_to(&hero, index)).collect(),
        guards: areas.map(|area| tree.parent[tree.of_area(area)].and_then(|up| tree.obstacle(up as usize))).collect(),
    })
}

/// By how much a goal in which HP do not count is scaled up, so that HP decide between equals; 1 where they count.
pub(super) fn goal_scale<const W: usize>(space: &Space<W>, root: &Entry<W>, goal: Goal) -> Result<i64, SolveError> {
    match goal.hp {
        0 => most_hp(space, root)?.checked_add(1).ok_or_else(overflow),
        _ => Ok(1),
    }
}

/// HP that nobody can exceed after `root`: all potions, all purchases spent on HP, and, where fights can heal, all MDEF
/// there is in each fight.
fn most_hp<const W: usize>(space: &Space<W>, root: &Entry<W>) -> Result<i64, SolveError> {
    let areas = space.graph.areas.iter().map(|area| area.gain.hp);
    let gains = areas.chain(space.graph.obstacles.iter().map(|obstacle| obstacle.gain.hp));
    let shop = space.game.tower().shop.map_or(0, |shop| shop.hp);
    let sold = shop.checked_mul(space.most_purchases()?.into()).ok_or_else(overflow)?;
    gains.chain([sold, most_healing(space)?]).try_fold(root.hp, i64::checked_add).ok_or_else(overflow)
}

/// HP that all fights together can give, at most.
fn most_healing<const W: usize>(space: &Space<W>) -> Result<i64, SolveError> {
    if !space.game.tower().rules.negative_damage {
        return Ok(0);
    }
    let areas = space.graph.areas.iter().map(|area| area.gain.attributes[2]);
    let items = space.graph.obstacles.iter().map(|obstacle| obstacle.gain.attributes[2]);
    let bought = space.bought(&[space.most_purchases()?; 4])?[2];
    let mut gains = areas.chain(items).chain([bought]);
    let most = gains.try_fold(space.game.tower().hero.mdef, i64::checked_add);
    let fights = space.graph.obstacles.iter().map(|obstacle| obstacle.parts.len() as i64).sum();
    most.and_then(|most| most.checked_mul(fights)).ok_or_else(overflow)
}
