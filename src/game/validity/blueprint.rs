//! What a tower's parts must be for a file to hold them. Knows nothing of whether they are drawn well.

use std::collections::HashSet;

use super::scripted;
use crate::game::error::TowerError;
use crate::game::tower::Tower;

/// Checks the parts that are named of a tower.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn validate(tower: &Tower) -> Result<(), TowerError> {
    let blueprint = &tower.blueprint;
    let mut names = HashSet::new();
    for room in &blueprint.rooms {
        let wrong = |why: &str| Err(scripted(&format!("the room `{}`", room.name), room.at, why));
        if !names.insert(&room.name) {
            return wrong("has the name of another");
        }
        if room.width == 0 || room.height == 0 || !(1..=3).contains(&room.ceiling) {
            return wrong("has no squares, or a ceiling that is not between 1 and 3");
        }
        if room.beyond(&tower.floors).is_some() {
            return wrong("reaches beyond the map");
        }
    }
    let first = || blueprint.rooms.first().map(|room| room.at).unwrap_or_default();
    if !blueprint.rooms.is_sorted_by_key(|room| room.at.floor) {
        return Err(scripted("the rooms", first(), "do not stand floor by floor"));
    }
    for ladder in &blueprint.ladders {
        let joins = |pair: &(_, _)| *pair == (ladder.first, ladder.second) || *pair == (ladder.second, ladder.first);
        if ladder.first > ladder.second || !tower.stairs.iter().any(joins) {
            return Err(scripted(
                "the ladder",
                ladder.first,
                "is none of the tower's stairs, or names its second end first",
            ));
        }
    }
    if !blueprint.ladders.is_sorted_by(|one, next| (one.first, one.second) < (next.first, next.second)) {
        return Err(scripted("the ladders", tower.start, "do not stand in the order of their ends, each once"));
    }
    for at in &blueprint.by_rule {
        if tower.tile(*at).is_none() {
            return Err(scripted("what a rule placed", *at, "lies outside the tower"));
        }
    }
    if !blueprint.by_rule.is_sorted_by(|one, next| one < next) {
        return Err(scripted("what a rule placed", tower.start, "does not stand in the order of positions, each once"));
    }
    let known = |(id, height): &(u16, u8)| usize::from(*id) < tower.monsters.len() && (1..=3).contains(height);
    if !blueprint.heights.iter().all(known) || !blueprint.heights.is_sorted_by_key(|(id, _)| *id) {
        return Err(scripted(
            "the heights",
            tower.start,
            "name no row of the monster table, or are not 1 to 3, in its order",
        ));
    }
    Ok(())
}
