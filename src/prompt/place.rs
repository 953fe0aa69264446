//! What people call a floor and a tile of a tower. Knows nothing of what stands there.

use crate::game::{Position, Tower};

/// A floor by its number and, if it has one, its name: `floor 3 Cellar`.
pub fn floor_label(index: u16, name: &str) -> String {
    format!("floor {index} {name}").trim_end().to_owned()
}

/// A floor of a tower by its number and, if it has one, its name.
pub fn floor_name(tower: &Tower, index: u16) -> String {
    let name = tower.floors.get(usize::from(index)).map_or("", |floor| floor.name.as_str());
    floor_label(index, name)
}

/// A tile; with the name of its floor if the tower has several: `(3:4,5) Cellar`.
pub fn place_name(tower: &Tower, at: Position) -> String {
    match tower.floors.get(usize::from(at.floor)) {
        Some(floor) if tower.floors.len() > 1 && !floor.name.is_empty() => format!("{at} {}", floor.name),
        _ => at.to_string(),
    }
}
