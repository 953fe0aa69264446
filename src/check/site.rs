//! What all checks ask of a tower: what lies beside what, where one comes in, which room, what things are called. Knows no
//! check.

use std::collections::BTreeSet;

use crate::game::script::{Instruction, all};
use crate::game::{Item, Position, Room, Script, Tile, Tower};

/// A tower that is looked at.
pub struct Site<'t> {
    /// The tower.
    pub tower: &'t Tower,
    /// Walls and other things that some event takes away or changes.
    pub changed: BTreeSet<Position>,
    /// Where the hero can come to a floor: the start, stairs and ladders, ends of one-way ways, where events put him.
    pub ways_in: BTreeSet<Position>,
    /// Ends of stairs and ladders that are joined with another.
    pub ends: BTreeSet<Position>,
}

impl<'t> Site<'t> {
    /// A look at a tower.
    pub fn of(tower: &'t Tower) -> Self {
        let ends: BTreeSet<Position> = tower.stairs.iter().flat_map(|(from, to)| [*from, *to]).collect();
        let (mut changed, mut ways_in) = (BTreeSet::new(), ends.clone());
        ways_in.insert(tower.start);
        ways_in.extend(tower.passages.iter().map(|passage| passage.to));
        for instruction in scripts(tower).flat_map(all) {
            match instruction {
                Instruction::Go { to } => {
                    ways_in.insert(*to);
                }
                Instruction::Fight { .. } => {}
                Instruction::Put { tile: Tile::Wall, .. } => {}
                other => changed.extend(other.places()),
            }
        }
        Site { tower, changed, ways_in, ends }
    }

    /// Whether a square is open, or will be once doors, monsters and events are gone.
    pub fn is_open(&self, at: Position) -> bool {
        self.tower.tile(at).is_some_and(|tile| tile != Tile::Wall) || self.changed.contains(&at)
    }

    /// The squares of a floor that are open in this sense, row by row.
    pub fn open(&self, floor: u16) -> impl Iterator<Item = Position> + '_ {
        let tiles = self.tower.floors.get(usize::from(floor)).into_iter().flat_map(|floor| floor.tiles());
        tiles.map(move |(x, y, _)| Position::new(floor, x, y)).filter(|at| self.is_open(*at))
    }

    /// The open squares beside one.
    pub fn open_beside(&self, at: Position) -> Vec<Position> {
        beside(at).into_iter().flatten().filter(|at| self.is_open(*at)).collect()
    }

    /// The numbers of the floors.
    pub fn floors(&self) -> impl Iterator<Item = u16> + use<> {
        0..u16::try_from(self.tower.floors.len()).unwrap_or(u16::MAX)
    }

    /// Where monsters stand, with what they are called.
    pub fn monsters(&self) -> impl Iterator<Item = (Position, u16, &str)> {
        self.tower.tiles().filter_map(|(at, tile)| match tile {
            Tile::Monster(id) => Some((at, id, self.tower.monsters.get(usize::from(id))?.name.as_str())),
            _ => None,
        })
    }

    /// The room that a square lies in.
    pub fn room_at(&self, at: Position) -> Option<&'t Room> {
        self.tower.blueprint.room_at(at)
    }

    /// A square as people read it, with its floor where there are several.
    pub fn place(&self, at: Position) -> String {
        match self.tower.floors.get(usize::from(at.floor)) {
            Some(floor) if self.tower.floors.len() > 1 && !floor.name.is_empty() => format!("{at} {}", floor.name),
            _ => at.to_string(),
        }
    }

    /// A floor as people read it.
    pub fn floor_name(&self, floor: u16) -> String {
        match self.tower.floors.get(usize::from(floor)).map_or("", |floor| floor.name.as_str()) {
            "" => format!("floor {floor}"),
            name => name.to_owned(),
        }
    }

    /// What stands on a square, as people read it.
    pub fn name(&self, tile: Tile) -> String {
        let tower = self.tower;
        match tile {
            Tile::Floor => "open floor".into(),
            Tile::Wall => "wall".into(),
            Tile::Door(colour) => format!("{colour} door"),
            Tile::Item(Item::Thing(id)) => {
                tower.things.get(usize::from(id)).map_or_else(String::new, |thing| thing.name.clone())
            }
            Tile::Item(item) => item.to_string(),
            Tile::Monster(id) => {
                tower.monsters.get(usize::from(id)).map_or_else(String::new, |monster| monster.name.clone())
            }
            Tile::Stair(_) => "stairs".into(),
            Tile::Shop => "shop".into(),
            Tile::Gate(id) => tower.gates.get(usize::from(id)).map_or_else(String::new, |gate| gate.name.clone()),
            Tile::Event => "event".into(),
            Tile::Figure => "figure".into(),
        }
    }
}

/// All scripts of a tower: of its events and of its things.
pub fn scripts(tower: &Tower) -> impl Iterator<Item = &Script> {
    tower.events.iter().map(|event| &event.script).chain(tower.things.iter().map(|thing| &thing.script))
}

/// The squares left, above, right and below; none beyond the numbers that there are. Some may lie outside of the map.
pub fn beside(at: Position) -> [Option<Position>; 4] {
    [
        at.x.checked_sub(1).map(|x| Position { x, ..at }),
        at.y.checked_sub(1).map(|y| Position { y, ..at }),
        at.x.checked_add(1).map(|x| Position { x, ..at }),
        at.y.checked_add(1).map(|y| Position { y, ..at }),
    ]
}

/// The larger of columns and rows between two squares.
pub fn distance(one: Position, other: Position) -> u16 {
    one.x.abs_diff(other.x).max(one.y.abs_diff(other.y))
}

/// Further squares beside the one that a message names: nothing, or `, and 2 more squares`.
pub fn and_more(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and one more square".into(),
        count => format!(", and {count} more squares"),
    }
}
