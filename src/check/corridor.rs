//! Ways between rooms. Knows nothing of what they join.

use std::collections::BTreeSet;

use super::Mark;
use super::site::{Site, scripts};
use crate::game::script::{Instruction, all};
use crate::game::{Goal, Position, Tile};

/// Ends of ways with nothing in them.
pub(super) fn dead_ends(site: &Site<'_>) -> Vec<Mark> {
    let something = something(site);
    let is_empty = |at: &Position| site.tower.tile(*at) == Some(Tile::Floor) && !something.contains(at);
    let is_end = |at: &Position| site.room_at(*at).is_none() && is_empty(at) && site.open_beside(*at).len() == 1;
    let ends = site.floors().flat_map(|floor| site.open(floor).filter(is_end).collect::<Vec<_>>());
    ends.map(|at| Mark::new(at, "a way that ends here with nothing in it")).collect()
}

/// Blocks of open squares that are no room; of blocks that overlap the first is told.
pub(super) fn tangles(site: &Site<'_>) -> Vec<Mark> {
    let is_way = |at: Position| site.is_open(at) && site.room_at(at).is_none();
    let is_block = |at: Position| {
        let (Some(x), Some(y)) = (at.x.checked_add(1), at.y.checked_add(1)) else { return false };
        [at, Position { x, ..at }, Position { y, ..at }, Position { x, y, ..at }].into_iter().all(is_way)
    };
    let mut told: BTreeSet<Position> = BTreeSet::new();
    let mut marks = Vec::new();
    for at in site.floors().flat_map(|floor| site.open(floor).filter(|at| is_block(*at)).collect::<Vec<_>>()) {
        let overlaps = |before: Option<Position>| before.is_some_and(|before| told.contains(&before));
        let left = at.x.checked_sub(1).map(|x| Position { x, ..at });
        let above = at.y.checked_sub(1).map(|y| Position { y, ..at });
        if !overlaps(left) && !overlaps(above) {
            marks.push(Mark::new(at, "two by two open squares that are no room, from here to the right and down"));
        }
        told.insert(at);
    }
    marks
}

/// Floor where something begins, ends or happens all the same.
fn something(site: &Site<'_>) -> BTreeSet<Position> {
    let tower = site.tower;
    let mut found: BTreeSet<Position> = [tower.start].into();
    found.extend(tower.events.iter().filter(|event| !event.trigger.is_of_floor()).map(|event| event.at));
    found.extend(tower.passages.iter().flat_map(|passage| [passage.from, passage.to]));
    if let Goal::Exit(exit) = tower.goal {
        found.insert(exit);
    }
    for instruction in scripts(tower).flat_map(all) {
        match instruction {
            Instruction::Put { at, .. } => found.extend(at),
            Instruction::Go { to } => {
                found.insert(*to);
            }
            Instruction::Move { to: Some(to), .. } => {
                found.insert(*to);
            }
            _ => {}
        }
    }
    found
}
