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
    if let Some([_, next]) = blueprint.by_rule.array_windows().find(|[one, next]| one >= next) {
        return Err(scripted("what a rule placed", *next, "does not stand in the order of positions, each once"));
    }
    let known = |(id, height): &(u16, u8)| usize::from(*id) < tower.monsters.len() && (1..=3).contains(height);
    if !blueprint.heights.iter().all(known) || !blueprint.heights.is_sorted_by(|one, next| one.0 < next.0) {
        return Err(scripted(
            "the heights",
            tower.start,
            "name no row of the monster table, or are not 1 to 3, in its order",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::format::parse_tower;
    use crate::game::{Blueprint, Position};

    #[test]
    fn parts_that_no_file_can_hold_are_refused() {
        let sound = parse_tower("sound.toml", include_str!("../../../tests/data/towers/sound.toml")).unwrap();
        let told = |change: &dyn Fn(&mut Blueprint)| {
            let mut tower = sound.clone();
            change(&mut tower.blueprint);
            tower.validate().map_or_else(|error| error.to_string(), |()| "valid".to_owned())
        };
        let lines = [
            told(&|_| {}),
            told(&|parts| parts.rooms[1].name = "Landing".into()),
            told(&|parts| parts.rooms[1].width = 0),
            told(&|parts| parts.rooms[1].ceiling = 4),
            told(&|parts| parts.rooms[1].width = 6),
            told(&|parts| parts.rooms.swap(0, 2)),
            told(&|parts| parts.ladders[0].second.x = 9),
            told(&|parts| parts.ladders.swap(0, 1)),
            told(&|parts| parts.by_rule.swap(0, 1)),
            told(&|parts| parts.by_rule.push(Position::new(7, 0, 0))),
            told(&|parts| parts.heights[0].1 = 4),
            told(&|parts| parts.heights.push((9, 1))),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        valid
        the room `Landing` at (12,1) has the name of another
        the room `Hall` at (12,1) has no squares, or a ceiling that is not between 1 and 3
        the room `Hall` at (12,1) has no squares, or a ceiling that is not between 1 and 3
        the room `Hall` at (12,1) reaches beyond the map
        the rooms at (1:12,6) do not stand floor by floor
        the ladder at (2,7) is none of the tower's stairs, or names its second end first
        the ladders at (2,2) do not stand in the order of their ends, each once
        what a rule placed at (13,2) does not stand in the order of positions, each once
        what a rule placed at (7:0,0) lies outside the tower
        the heights at (2,2) name no row of the monster table, or are not 1 to 3, in its order
        the heights at (2,2) name no row of the monster table, or are not 1 to 3, in its order
        ");
    }
}
