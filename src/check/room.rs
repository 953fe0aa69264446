//! Rooms: whether they are whole, apart and high enough. Knows nothing of ways.

use super::Mark;
use super::site::{Site, and_more, beside};
use crate::game::{Position, Room, Tile};

/// Rooms that reach beyond their floor or have wall in them.
pub(super) fn broken(site: &Site<'_>) -> Vec<Mark> {
    let of_one = |room: &Room| {
        if let Some(why) = room.beyond(&site.tower.floors) {
            return Some(Mark::new(room.at, why));
        }
        let is_wall = |at: &Position| site.tower.tile(*at) == Some(Tile::Wall);
        let mut walls = room.squares().filter(is_wall);
        let first = walls.next()?;
        Some(Mark::new(first, format!("wall inside of the room `{}`{}", room.name, and_more(walls.count()))))
    };
    site.tower.blueprint.rooms.iter().filter_map(of_one).collect()
}

/// Rooms that overlap or lie directly beside each other, each pair told once.
pub(super) fn touching(site: &Site<'_>) -> Vec<Mark> {
    let rooms = &site.tower.blueprint.rooms;
    let mut marks = Vec::new();
    for (index, room) in rooms.iter().enumerate() {
        for other in rooms.iter().skip(index + 1).filter(|other| other.at.floor == room.at.floor) {
            let meets = |at: &Position| other.contains(*at) || lies_beside(*at, other);
            let Some(first) = room.squares().find(meets) else { continue };
            let told = match other.contains(first) {
                true => format!("a square of both the room `{}` and the room `{}`", room.name, other.name),
                false => format!("a square of the room `{}` directly beside the room `{}`", room.name, other.name),
            };
            marks.push(Mark::new(first, told));
        }
    }
    marks
}

/// Monsters taller than the ceiling above them.
pub(super) fn too_low(site: &Site<'_>) -> Vec<Mark> {
    let of_one = |(at, id, name): (Position, u16, &str)| {
        let (room, height) = (site.room_at(at)?, site.tower.blueprint.height_of(id)?);
        (height > room.ceiling).then(|| {
            let why = format!("of height {height} under the ceiling {} of the room `{}`", room.ceiling, room.name);
            Mark::new(at, format!("{name} {why}"))
        })
    };
    site.monsters().filter_map(of_one).collect()
}

fn lies_beside(at: Position, room: &Room) -> bool {
    beside(at).into_iter().flatten().any(|at| room.contains(at))
}
