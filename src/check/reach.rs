//! What is reached from the hero's start. Knows nothing of what it costs.

use super::Mark;
use super::exit::quick_exits;
use super::nook;
use super::site::Site;
use super::walk::Walk;
use crate::game::{Position, Tile};

/// Floors that no way leads to from the start.
pub(super) fn floors(site: &Site<'_>) -> Vec<Mark> {
    let walk = Walk::from(site.tower, site.tower.start, None);
    let told = |floor: u16| {
        let ways_in = site.ways_in.iter().copied().filter(|at| at.floor == floor);
        // Stairs rather than ladders: they are the way that is meant.
        let first = ways_in.min_by_key(|at| (nook::is_ladder(site, *at), *at));
        let first = first.or_else(|| site.open(floor).next()).unwrap_or(Position::new(floor, 0, 0));
        Mark::new(
            first,
            format!("{} is not reached from the start{}", site.floor_name(floor), shut(site, &walk, first)),
        )
    };
    site.floors().filter(|floor| !walk.reaches_floor(*floor)).map(told).collect()
}

/// The boss and the foot of the quick exit, where no way leads to them.
pub(super) fn goal(site: &Site<'_>) -> Vec<Mark> {
    let exit = quick_exits(site).next();
    let walk = Walk::from(site.tower, site.tower.start, exit);
    let told = |(at, what): (Position, String)| {
        (!walk.reaches(at))
            .then(|| Mark::new(at, format!("{what} is not reached from the start{}", shut(site, &walk, at))))
    };
    let bosses = site.tower.bosses().map(|at| {
        let name = site.tower.tile(at).map_or_else(String::new, |tile| site.name(tile));
        match site.room_at(at) {
            Some(room) => (at, format!("{name} in the room `{}`", room.name)),
            None => (at, name),
        }
    });
    let feet = quick_exits(site).map(|ladder| (ladder.second, "the foot of the quick exit".to_owned()));
    bosses.chain(feet).filter_map(told).collect()
}

/// The door that stays shut before a square that is not reached, in words.
pub(super) fn shut(site: &Site<'_>, walk: &Walk<'_>, target: Position) -> String {
    let Some(at) = walk.shut_before(target) else { return String::new() };
    let tile = site.tower.tile(at).unwrap_or(Tile::Wall);
    format!(" ({} at {at} stays shut)", site.name(tile))
}
