//! Where the hero can walk to and back from, on a tower whose ways may lead in one direction only, whose events stand in
//! the way, and on whose floors something may happen on arrival.

use super::super::cells::{CellIndex, CellSet};
use super::super::event::Trigger;
use super::super::kind::Gate;
use super::super::state::State;
use super::super::tile::{Item, Tile};
use super::super::tower::GateId;
use super::Game;

/// What a look around finds.
pub(super) struct Ground {
    /// Tiles that can be walked to and back from.
    pub region: CellSet,
    /// Those of them with an item that is collected at once.
    pub items: Vec<CellIndex>,
    /// Tiles that can be walked to without a way back, one of each piece.
    pub exits: Vec<CellIndex>,
}

/// One step from a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Walked freely to this tile.
    Free(CellIndex),
    /// To this tile by a decision: onto a floor on which something happens on arrival, or onto what is no open tile.
    Decided(CellIndex),
    /// None.
    Shut,
    /// None from this side.
    Barred,
}

impl Game {
    /// Looks around from where the hero stands. Items that are free are walked over as if they were collected.
    pub(super) fn survey(&self, state: &State, from: CellIndex) -> Ground {
        let (reached, one_way) = self.forwards(state, from);
        if !one_way {
            return Ground { items: self.free_items(state, &reached), region: reached, exits: Vec::new() };
        }
        let region = self.backwards(state, from, &reached);
        let (mut free, mut decided) = (Vec::new(), Vec::new());
        for cell in region.iter() {
            for &entered in self.graph.neighbours(cell) {
                match self.way(state, cell, entered) {
                    Way::Free(to) if !region.contains(to) => free.push(to),
                    Way::Decided(to) if !region.contains(to) => decided.push(to),
                    _ => {}
                }
            }
        }
        free.sort_unstable();
        free.dedup();
        let mut exits = self.one_of_each_piece(state, free, &reached);
        exits.extend(decided);
        exits.sort_unstable();
        exits.dedup();
        Ground { items: self.free_items(state, &region), region, exits }
    }

    /// What a step from a tile into one beside it, or across stairs, is.
    fn way(&self, state: &State, cell: CellIndex, entered: CellIndex) -> Way {
        if self.graph.is_barred(cell, entered) {
            return Way::Barred;
        }
        if !self.is_walked(state, entered) {
            return Way::Shut;
        }
        let next = self.graph.leads(entered);
        match (next != entered && !self.is_walked(state, next)) || self.greets(state, cell, next) {
            true => Way::Decided(next),
            false => Way::Free(next),
        }
    }

    /// All tiles that can be walked to, and whether some way there may lead in one direction only.
    fn forwards(&self, state: &State, from: CellIndex) -> (CellSet, bool) {
        let mut reached = CellSet::empty(self.graph.len());
        let mut one_way = !self.is_walked(state, from) || self.graph.leads(from) != from;
        let simple = !self.has_arrivals && !self.graph.has_one_way();
        reached.insert(from);
        let mut front = vec![from];
        while let Some(cell) = front.pop() {
            for &entered in self.graph.neighbours(cell) {
                if simple && reached.contains(entered) {
                    continue;
                }
                let next = match self.way(state, cell, entered) {
                    Way::Free(next) => next,
                    Way::Shut => continue,
                    Way::Decided(_) | Way::Barred => {
                        one_way = true;
                        continue;
                    }
                };
                one_way |= next != entered;
                if reached.insert(next) {
                    front.push(next);
                }
            }
        }
        (reached, one_way)
    }

    /// Those of the tiles reached from which one can walk to a tile.
    fn backwards(&self, state: &State, to: CellIndex, reached: &CellSet) -> CellSet {
        let mut found = CellSet::empty(self.graph.len());
        found.insert(to);
        let mut front = vec![to];
        while let Some(cell) = front.pop() {
            // A tile is come to by entering it, or by entering what leads to it.
            for &entered in [cell].iter().chain(self.graph.led_from(cell)) {
                for &before in self.graph.neighbours(entered) {
                    let new = reached.contains(before) && !found.contains(before);
                    if new && self.way(state, before, entered) == Way::Free(cell) {
                        found.insert(before);
                        front.push(before);
                    }
                }
            }
        }
        found
    }

    /// Of tiles between which one can walk to and fro, the first.
    fn one_of_each_piece(&self, state: &State, exits: Vec<CellIndex>, reached: &CellSet) -> Vec<CellIndex> {
        if exits.len() < 2 {
            return exits;
        }
        let mut kept: Vec<CellIndex> = Vec::new();
        let mut covered = CellSet::empty(self.graph.len());
        for exit in exits {
            if covered.contains(exit) {
                continue;
            }
            kept.push(exit);
            let there = self.forwards(state, exit).0;
            for cell in self.backwards(state, exit, reached).iter().filter(|cell| there.contains(*cell)) {
                covered.insert(cell);
            }
        }
        kept
    }

    /// Whether a tile is walked over without a decision.
    pub(super) fn is_walked(&self, state: &State, cell: CellIndex) -> bool {
        match self.tile_now(state, cell) {
            Tile::Floor => true,
            Tile::Event => self.step_event(state, cell).is_none(),
            Tile::Item(item) => self.is_free(cell, item),
            Tile::Gate(gate) => self.opens_freely(cell, gate),
            tile => tile.is_open(),
        }
    }

    /// Whether an item is collected as soon as it is in reach.
    pub(super) fn is_free(&self, cell: CellIndex, item: Item) -> bool {
        let has_script = |thing: u16| self.program.of_thing(thing.into()).is_some();
        self.items == super::ItemMode::Auto
            && !matches!(item, Item::Thing(thing) if has_script(thing))
            && self.event_after_collecting(cell).is_none()
    }

    /// Whether a gate takes nothing and nothing follows its opening, so that it is walked through.
    fn opens_freely(&self, cell: CellIndex, gate: GateId) -> bool {
        let takes_nothing = self.tower.gates.get(usize::from(gate)).is_some_and(Gate::takes_nothing);
        takes_nothing && self.schedule.on_tile(cell, &Trigger::AfterOpen).is_none()
    }

    fn free_items(&self, state: &State, region: &CellSet) -> Vec<CellIndex> {
        // Not what lies under the hero and is taken by a decision only: an event may have put him there.
        let is_free =
            |cell: &CellIndex| matches!(self.tile_now(state, *cell), Tile::Item(item) if self.is_free(*cell, item));
        region.iter().filter(is_free).collect()
    }

    /// Whether something happens on arrival on another floor.
    fn greets(&self, state: &State, from: CellIndex, to: CellIndex) -> bool {
        if !self.has_arrivals {
            return false;
        }
        let floor = self.graph.position(to).floor;
        self.graph.position(from).floor != floor && self.arrivals(state, floor).next().is_some()
    }
}
