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

/// Ways between tiles, by number.
#[derive(Default)]
struct Ways {
    /// Whether they are written down, or it is only asked whether some way leads in one direction only.
    noted: bool,
    /// Walked freely.
    free: Vec<(CellIndex, CellIndex)>,
    /// Onto a floor on which something happens on arrival, or onto what is no open tile.
    decided: Vec<(CellIndex, CellIndex)>,
    /// Whether some way leads in one direction only.
    one_way: bool,
}

impl Game {
    /// Looks around from where the hero stands. Items that are free are walked over as if they were collected.
    pub(super) fn survey(&self, state: &State, from: CellIndex) -> Ground {
        let mut ways = Ways::default();
        let reached = self.walk(state, from, &mut ways);
        if !ways.one_way {
            return Ground { items: self.free_items(state, &reached), region: reached, exits: Vec::new() };
        }
        // Seldom; so the ways are written down in a second walk only.
        ways.noted = true;
        self.walk(state, from, &mut ways);
        let region = backwards(self.graph.len(), from, &ways.free);
        let mut exits: Vec<CellIndex> = (ways.free.iter())
            .filter(|(from, to)| region.contains(*from) && !region.contains(*to))
            .map(|(_, to)| *to)
            .collect();
        exits.sort_unstable();
        exits.dedup();
        let mut exits = one_of_each_piece(self.graph.len(), exits, &ways.free);
        let decided = ways.decided.iter().filter(|(from, to)| region.contains(*from) && !region.contains(*to));
        exits.extend(decided.map(|(_, to)| *to));
        exits.sort_unstable();
        exits.dedup();
        Ground { items: self.free_items(state, &region), region, exits }
    }

    /// All tiles that can be walked to, whether there is a way back or not, and the ways taken.
    fn walk(&self, state: &State, from: CellIndex, ways: &mut Ways) -> CellSet {
        let mut reached = CellSet::empty(self.graph.len());
        ways.one_way |= !self.is_walked(state, from) || self.graph.leads(from) != from;
        reached.insert(from);
        let mut front = vec![from];
        while let Some(cell) = front.pop() {
            for &entered in self.graph.neighbours(cell) {
                if self.graph.is_barred(cell, entered) {
                    ways.one_way = true;
                    continue;
                }
                if !self.is_walked(state, entered) {
                    continue;
                }
                let next = self.graph.leads(entered);
                let leads_on = next != entered;
                ways.one_way |= leads_on;
                if (leads_on && !self.is_walked(state, next)) || self.greets(state, cell, next) {
                    ways.one_way = true;
                    if ways.noted {
                        ways.decided.push((cell, next));
                    }
                    continue;
                }
                if ways.noted {
                    ways.free.push((cell, next));
                }
                if reached.insert(next) {
                    front.push(next);
                }
            }
        }
        reached
    }

    /// Whether a tile is walked over without a decision.
    pub(super) fn is_walked(&self, state: &State, cell: CellIndex) -> bool {
        match self.tile_now(state, cell) {
            Tile::Event => self.step_event(state, cell).is_none(),
            Tile::Item(item) => self.is_free(state, cell, item),
            Tile::Gate(gate) => self.opens_freely(cell, gate),
            tile => tile.is_open(),
        }
    }

    /// Whether an item is collected as soon as it is in reach.
    pub(super) fn is_free(&self, state: &State, cell: CellIndex, item: Item) -> bool {
        let has_script = |thing: u16| self.program.of_thing(thing.into()).is_some();
        self.items == super::ItemMode::Auto
            && !matches!(item, Item::Thing(thing) if has_script(thing))
            && self.event_after_collecting(state, cell).is_none()
    }

    /// Whether a gate takes nothing and nothing follows its opening, so that it is walked through.
    fn opens_freely(&self, cell: CellIndex, gate: GateId) -> bool {
        let takes_nothing = self.tower.gates.get(usize::from(gate)).is_some_and(Gate::takes_nothing);
        takes_nothing && self.schedule.on_tile(cell, &Trigger::AfterOpen).is_none()
    }

    fn free_items(&self, state: &State, region: &CellSet) -> Vec<CellIndex> {
        region.iter().filter(|cell| matches!(self.tile_now(state, *cell), Tile::Item(_))).collect()
    }

    /// Whether something happens on arrival on another floor.
    fn greets(&self, state: &State, from: CellIndex, to: CellIndex) -> bool {
        let floor = self.graph.position(to).floor;
        self.has_arrivals && self.graph.position(from).floor != floor && self.arrivals(state, floor).next().is_some()
    }
}

/// All tiles from which the ways lead to `to`.
fn backwards(cells: usize, to: CellIndex, ways: &[(CellIndex, CellIndex)]) -> CellSet {
    let mut back: Vec<(CellIndex, CellIndex)> = ways.iter().map(|(from, to)| (*to, *from)).collect();
    back.sort_unstable();
    reach(cells, to, &back)
}

/// All tiles to which the ways, sorted, lead from `from`.
fn reach(cells: usize, from: CellIndex, ways: &[(CellIndex, CellIndex)]) -> CellSet {
    let mut found = CellSet::empty(cells);
    found.insert(from);
    let mut front = vec![from];
    while let Some(cell) = front.pop() {
        let first = ways.partition_point(|(from, _)| *from < cell);
        for (_, next) in ways[first..].iter().take_while(|(from, _)| *from == cell) {
            if found.insert(*next) {
                front.push(*next);
            }
        }
    }
    found
}

/// Of tiles between which one can walk to and fro, the first.
fn one_of_each_piece(cells: usize, exits: Vec<CellIndex>, ways: &[(CellIndex, CellIndex)]) -> Vec<CellIndex> {
    if exits.len() < 2 {
        return exits;
    }
    let mut forwards = ways.to_vec();
    forwards.sort_unstable();
    let mut kept: Vec<CellIndex> = Vec::new();
    let mut covered = CellSet::empty(cells);
    for exit in exits {
        if covered.contains(exit) {
            continue;
        }
        kept.push(exit);
        let (to, back) = (reach(cells, exit, &forwards), backwards(cells, exit, ways));
        for cell in to.iter().filter(|cell| back.contains(*cell)) {
            covered.insert(cell);
        }
    }
    kept
}
