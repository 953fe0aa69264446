//! Random parts of towers: rooms, ladders, what a rule placed, heights. Knows of no file.

use mota::game::{Blueprint, Ladder, LadderKind, Position, Room, Tower};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// Draws from which parts of any tower follow.
#[derive(Clone, Debug)]
pub struct Parts {
    rooms: Vec<(String, String, [Index; 3], u8)>,
    ladders: Vec<(Index, bool)>,
    by_rule: Vec<Index>,
    heights: Vec<(Index, u8)>,
}

/// Parts, often none.
pub fn parts() -> impl Strategy<Value = Parts> {
    let index = any::<Index>;
    let room = (any::<String>(), any::<String>(), [index(), index(), index()], 1..=3_u8);
    let drawn =
        (vec(room, 0..4), vec((index(), any::<bool>()), 0..3), vec(index(), 0..5), vec((index(), 1..=3_u8), 0..3));
    drawn.prop_map(|(rooms, ladders, by_rule, heights)| Parts { rooms, ladders, by_rule, heights })
}

impl Parts {
    /// The parts as this tower can have them.
    pub fn of(&self, tower: &Tower) -> Blueprint {
        let squares: Vec<Position> = tower.tiles().map(|(at, _)| at).collect();
        let mut rooms: Vec<Room> = Vec::new();
        for (name, kind, [at, width, height], ceiling) in &self.rooms {
            let at = *at.get(&squares);
            let floor = &tower.floors[usize::from(at.floor)];
            let width = 1 + width.index(usize::from(floor.width() - at.x)) as u16;
            let height = 1 + height.index(usize::from(floor.height() - at.y)) as u16;
            if rooms.iter().all(|room| room.name != *name) {
                rooms.push(Room { name: name.clone(), kind: kind.clone(), at, width, height, ceiling: *ceiling });
            }
        }
        rooms.sort_by_key(|room| room.at.floor);
        let mut ladders: Vec<Ladder> = Vec::new();
        for (index, exit) in self.ladders.iter().filter(|_| !tower.stairs.is_empty()) {
            let (one, other) = *index.get(&tower.stairs);
            let kind = if *exit { LadderKind::QuickExit } else { LadderKind::SecondWay };
            ladders.push(Ladder { first: one.min(other), second: one.max(other), kind });
        }
        ladders.sort_by_key(|ladder| (ladder.first, ladder.second));
        ladders.dedup_by_key(|ladder| (ladder.first, ladder.second));
        let mut by_rule: Vec<Position> = self.by_rule.iter().map(|index| *index.get(&squares)).collect();
        by_rule.sort_unstable();
        by_rule.dedup();
        let rows = tower.monsters.len();
        let mut heights: Vec<(u16, u8)> =
            self.heights.iter().map(|(index, height)| (index.index(rows) as u16, *height)).collect();
        heights.sort_by_key(|(id, _)| *id);
        heights.dedup_by_key(|(id, _)| *id);
        Blueprint { rooms, ladders, by_rule, heights }
    }
}
