//! Which events belong to which tile and floor. Knows when, not what.

use super::cells::CellIndex;
use super::event::Trigger;
use super::region::TileGraph;
use super::tower::Tower;

/// A tower's events by what sets them off; each is named by its index in the tower.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// Of steps, fights, collected items and opened doors, each sorted by tile.
    on_tiles: [Vec<(CellIndex, usize)>; 4],
    /// On arrival, by floor, in the order in which they happen.
    on_arrival: Vec<Vec<usize>>,
    /// Once something is true.
    pub(super) on_condition: Vec<usize>,
}

impl Schedule {
    /// The events of a tower.
    pub(super) fn new(tower: &Tower, graph: &TileGraph) -> Self {
        let mut schedule = Schedule { on_arrival: vec![Vec::new(); tower.floors.len()], ..Schedule::default() };
        for (index, event) in tower.events.iter().enumerate() {
            match (&event.trigger, tiles_of(&event.trigger), graph.cell(event.at)) {
                (Trigger::When { .. }, ..) => schedule.on_condition.push(index),
                (_, Some(list), Some(cell)) => schedule.on_tiles[list].push((cell, index)),
                _ => {
                    if let Some(floor) = schedule.on_arrival.get_mut(usize::from(event.at.floor)) {
                        floor.push(index);
                    }
                }
            }
        }
        for floor in &mut schedule.on_arrival {
            floor.sort_by_key(|index| (tower.events[*index].trigger != Trigger::FirstArrival, *index));
        }
        schedule.on_tiles.iter_mut().for_each(|list| list.sort_unstable());
        schedule
    }

    /// The event that something on a tile sets off.
    pub(super) fn on_tile(&self, cell: CellIndex, trigger: &Trigger) -> Option<usize> {
        let list = &self.on_tiles[tiles_of(trigger)?];
        list.binary_search_by_key(&cell, |(cell, _)| *cell).ok().map(|index| list[index].1)
    }

    /// The events on arrival on a floor, those of the first arrival before the others.
    pub(super) fn on_arrival(&self, floor: u16) -> &[usize] {
        self.on_arrival.get(usize::from(floor)).map_or(&[], Vec::as_slice)
    }
}

/// Which list of tiles a trigger belongs to; none if it concerns a floor.
fn tiles_of(trigger: &Trigger) -> Option<usize> {
    match trigger {
        Trigger::Step => Some(0),
        Trigger::AfterFight => Some(1),
        Trigger::AfterCollect => Some(2),
        Trigger::AfterOpen => Some(3),
        Trigger::FirstArrival | Trigger::Arrival | Trigger::When { .. } => None,
    }
}
