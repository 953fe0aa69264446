//! The tower as a graph of tiles, and what can be walked to in it while every way leads both ways. Knows nothing of
//! fights or keys; one-way ways and events are surveyed by `play`.

use std::ops::Range;

use super::cells::{CellIndex, CellSet};
use super::position::Position;
use super::script;
use super::tile::Tile;
use super::tower::Tower;

/// Which tiles touch: four-connected within a floor, joined across floors by stairs.
#[derive(Clone, Debug)]
pub struct TileGraph {
    tiles: Vec<Tile>,
    positions: Vec<Position>,
    first_of_floor: Vec<usize>,
    widths: Vec<u16>,
    neighbours: Vec<CellIndex>,
    neighbours_from: Vec<u32>,
    /// Where one stands who enters a tile; empty if no tile leads elsewhere.
    leads: Vec<CellIndex>,
    /// The tiles that lead to each such tile: where to, and the tile; sorted, with the tiles apart for reading.
    led: Vec<CellIndex>,
    led_to: Vec<CellIndex>,
    /// Sides that cannot be crossed, sorted.
    barriers: Vec<(CellIndex, CellIndex)>,
}

impl TileGraph {
    /// The graph of a valid tower.
    pub fn new(tower: &Tower) -> Self {
        let (positions, tiles): (Vec<Position>, Vec<Tile>) = tower.tiles().unzip();
        let mut first_of_floor = Vec::new();
        let mut count = 0;
        for floor in &tower.floors {
            first_of_floor.push(count);
            count += usize::from(floor.width()) * usize::from(floor.height());
        }
        let widths = tower.floors.iter().map(|floor| floor.width()).collect();
        let mut graph = TileGraph {
            tiles,
            positions,
            first_of_floor,
            widths,
            neighbours: Vec::new(),
            neighbours_from: vec![0],
            leads: Vec::new(),
            led: Vec::new(),
            led_to: Vec::new(),
            barriers: Vec::new(),
        };
        let mut may_change = CellSet::empty(graph.len());
        for cell in places_of_events(tower).filter_map(|place| graph.cell(place)) {
            may_change.insert(cell);
        }
        let mut stairs: Vec<(CellIndex, CellIndex)> = (tower.stairs.iter())
            .filter_map(|(from, to)| Some((graph.cell(*from)?, graph.cell(*to)?)))
            .flat_map(|(from, to)| [(from, to), (to, from)])
            .collect();
        stairs.sort_unstable();
        for (cell, at) in graph.positions.iter().enumerate() {
            let sides = [
                (at.x, at.y.wrapping_sub(1)),
                (at.x.wrapping_sub(1), at.y),
                (at.x.wrapping_add(1), at.y),
                (at.x, at.y.wrapping_add(1)),
            ];
            let beside = sides.into_iter().filter_map(|(x, y)| graph.cell(Position::new(at.floor, x, y)));
            let from = stairs.partition_point(|(from, _)| (*from as usize) < cell);
            let across = stairs[from..].iter().take_while(|(from, _)| *from as usize == cell).map(|(_, to)| *to);
            let all: Vec<CellIndex> =
                beside.chain(across).filter(|other| !is_wall(&graph, &may_change, *other)).collect();
            graph.neighbours.extend(all);
            graph.neighbours_from.push(graph.neighbours.len() as u32);
        }
        graph.add_one_way(tower);
        graph
    }

    fn add_one_way(&mut self, tower: &Tower) {
        if !tower.passages.is_empty() {
            self.leads = (0..self.tiles.len() as CellIndex).collect();
        }
        for passage in &tower.passages {
            if let (Some(from), Some(to)) = (self.cell(passage.from), self.cell(passage.to)) {
                self.leads[from as usize] = to;
            }
        }
        let of_passages = tower.passages.iter().filter_map(|passage| self.cell(passage.from));
        let mut ways: Vec<(CellIndex, CellIndex)> = of_passages.map(|from| (self.leads(from), from)).collect();
        ways.sort_unstable();
        ways.dedup();
        (self.led_to, self.led) = ways.into_iter().unzip();
        let ends = tower.barriers.iter().map(|barrier| Some((self.cell(barrier.from)?, self.cell(barrier.to)?)));
        self.barriers = ends.flatten().collect();
        self.barriers.sort_unstable();
    }

    /// Where one stands who enters a tile: there, unless it is a one-way passage.
    pub fn leads(&self, cell: CellIndex) -> CellIndex {
        self.leads.get(cell as usize).copied().unwrap_or(cell)
    }

    /// The tiles that lead to a tile when they are entered, other than itself.
    pub fn led_from(&self, to: CellIndex) -> &[CellIndex] {
        let from = self.led_to.partition_point(|led| *led < to);
        let end = self.led_to.partition_point(|led| *led <= to);
        &self.led[from..end]
    }

    /// Whether any way leads in one direction only.
    pub fn has_one_way(&self) -> bool {
        !self.leads.is_empty() || !self.barriers.is_empty()
    }

    /// Whether one cannot walk from a tile to the one beside it.
    pub fn is_barred(&self, from: CellIndex, to: CellIndex) -> bool {
        !self.barriers.is_empty() && self.barriers.binary_search(&(from, to)).is_ok()
    }

    /// The numbers of a floor's tiles.
    pub fn floor_cells(&self, floor: u16) -> Range<CellIndex> {
        let floor = usize::from(floor);
        let at = |index: usize| self.first_of_floor.get(index).copied().unwrap_or(self.tiles.len()) as CellIndex;
        at(floor)..at(floor + 1)
    }

    /// How many tiles there are.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there is no tile.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// The tile's number; `None` outside the tower.
    pub fn cell(&self, at: Position) -> Option<CellIndex> {
        let floor = usize::from(at.floor);
        let width = *self.widths.get(floor)?;
        let end = self.first_of_floor.get(floor + 1).copied().unwrap_or(self.tiles.len());
        let cell = self.first_of_floor[floor] + usize::from(at.y) * usize::from(width) + usize::from(at.x);
        (at.x < width && cell < end).then_some(cell as CellIndex)
    }

    /// Where a tile is.
    pub fn position(&self, cell: CellIndex) -> Position {
        self.positions[cell as usize]
    }

    /// What was on a tile at the start.
    pub fn tile(&self, cell: CellIndex) -> Tile {
        self.tiles[cell as usize]
    }

    /// The tiles that touch a tile; walls that no event can open are left out.
    pub fn neighbours(&self, cell: CellIndex) -> &[CellIndex] {
        let from = self.neighbours_from[cell as usize] as usize;
        let to = self.neighbours_from[cell as usize + 1] as usize;
        &self.neighbours[from..to]
    }

    /// Grows a region from `cell` over tiles that are open or cleared; each item that comes into reach is offered
    /// to `collect`, which says whether it is taken (and then walked over).
    pub fn grow(
        &self,
        region: &mut CellSet,
        cell: CellIndex,
        cleared: &CellSet,
        mut collect: impl FnMut(CellIndex) -> bool,
    ) {
        let mut front = vec![cell];
        region.insert(cell);
        while let Some(cell) = front.pop() {
            for &next in self.neighbours(cell) {
                if region.contains(next) {
                    continue;
                }
                let tile = self.tile(next);
                let open = tile.is_open() || cleared.contains(next) || (matches!(tile, Tile::Item(_)) && collect(next));
                if open {
                    region.insert(next);
                    front.push(next);
                }
            }
        }
    }
}

/// Where events may change what is there.
fn places_of_events(tower: &Tower) -> impl Iterator<Item = Position> + '_ {
    let scripts = tower.events.iter().map(|event| &event.script).chain(tower.things.iter().map(|thing| &thing.script));
    let named = scripts.flat_map(|script| script::all(script)).flat_map(|instruction| instruction.places());
    named.chain(tower.events.iter().filter(|event| event.hidden).map(|event| event.at))
}

fn is_wall(graph: &TileGraph, may_change: &CellSet, cell: CellIndex) -> bool {
    graph.tiles[cell as usize] == Tile::Wall && !may_change.contains(cell)
}
