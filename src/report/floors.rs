//! The table `floors` (Table 6.12): what stands on some floors, and their optima.

use polars_core::df;
use polars_core::prelude::PolarsResult;

use super::table::{Table, bounds};
use crate::game::{Gem, Item, Tile, Tower};
use crate::solver::Worth;

/// One row a floor, in the order given, with the optima that their files state.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(towers: &[Tower]) -> PolarsResult<Table> {
    let stated: Vec<(&Tower, Worth)> = towers.iter().map(|tower| (tower, Worth::exactly(optimum(tower)))).collect();
    with_optima(&stated, "found by the exact solver when the floor was made")
}

/// One row a floor, in the order given, with its optimum and how that was found.
///
/// # Errors
/// If the frame cannot be built.
pub fn with_optima(floors: &[(&Tower, Worth)], found: &str) -> PolarsResult<Table> {
    let towers: Vec<&Tower> = floors.iter().map(|(tower, _)| *tower).collect();
    let number = |of: &dyn Fn(Tile) -> bool| -> Vec<i64> {
        towers.iter().map(|tower| tower.tiles().filter(|(_, tile)| of(*tile)).count() as i64).collect()
    };
    let frame = df!(
        "floor" => towers.iter().map(|tower| tower.name.clone()).collect::<Vec<String>>(),
        "size" => towers.iter().map(|tower| size(tower)).collect::<Vec<String>>(),
        "monsters" => number(&|tile| matches!(tile, Tile::Monster(_))),
        "doors" => number(&|tile| matches!(tile, Tile::Door(_))),
        "keys" => number(&|tile| matches!(tile, Tile::Item(Item::Key(_)))),
        "red_gems" => number(&|tile| tile == Tile::Item(Item::Gem(Gem::Red))),
        "blue_gems" => number(&|tile| tile == Tile::Item(Item::Gem(Gem::Blue))),
        "potions" => number(&|tile| matches!(tile, Tile::Item(Item::Potion(_)))),
        "optimum" => floors.iter().map(|(_, optimum)| optimum.hp()).collect::<Vec<Option<i64>>>(),
    )?;
    let bounds = bounds("optimum", floors, |(_, optimum)| *optimum);
    let frame = frame.hstack(&bounds)?;
    let mut notes = vec![format!("Optimum: final HP under best play, {found}. Monsters: the boss among them.")];
    let mut random: Vec<&str> = towers.iter().filter_map(|tower| tower.origin.as_ref()?.random.as_deref()).collect();
    random.dedup();
    notes.extend(
        towers
            .iter()
            .filter_map(|tower| Some(format!("{}: {}.", tower.name, tower.note.as_ref()?.trim_end_matches('.')))),
    );
    notes.extend(random.iter().map(|random| format!("Drawn with {random}.")));
    Ok(Table::new("floors", "Floors and their optima", notes, frame))
}

fn size(tower: &Tower) -> String {
    let sizes: Vec<String> =
        tower.floors.iter().map(|floor| format!("{} × {}", floor.width(), floor.height())).collect();
    sizes.join(", ")
}

fn optimum(tower: &Tower) -> Option<i64> {
    tower.origin.as_ref()?.optimum
}
