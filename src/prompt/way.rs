//! What stands in the way to where the hero cannot walk yet: the way with the fewest obstacles. Knows nothing of what they cost.

use std::collections::VecDeque;

use crate::game::{CellIndex, Game, State, Tile};

/// The ways from where the hero can walk to every tile, with as few obstacles as can be.
pub struct Ways {
    /// Of each tile: obstacles up to it, itself counted; none if no way leads there.
    obstacles: Vec<Option<u32>>,
    /// Of each tile: the tile before it on the way; none where the hero can walk.
    before: Vec<Option<CellIndex>>,
}

impl Ways {
    /// The ways of a state. Of ways with equally many obstacles the one found first counts, in the order of tiles. Doors that
    /// only an event opens are on no way to what can be reached without them: nobody opens those by walking there.
    pub fn of(game: &Game, state: &State) -> Self {
        let graph = game.graph();
        let mut ways = Ways { obstacles: vec![None; graph.len()], before: vec![None; graph.len()] };
        for cell in state.region.iter() {
            ways.obstacles[cell as usize] = Some(0);
        }
        ways.spread(game, state, |tile| tile != Tile::Wall && !is_by_event(game, tile));
        ways.spread(game, state, |tile| tile != Tile::Wall);
        ways
    }

    /// Goes on from where ways lead, over tiles of some kinds, to where none has led so far.
    fn spread(&mut self, game: &Game, state: &State, passes: impl Fn(Tile) -> bool) {
        let graph = game.graph();
        let before: Vec<bool> = self.obstacles.iter().map(Option::is_some).collect();
        let reached = self.obstacles.iter().zip(0..).filter_map(|(passed, cell)| Some((cell, (*passed)?)));
        let mut front: VecDeque<(CellIndex, u32)> = reached.collect();
        front.make_contiguous().sort_by_key(|(_, passed)| *passed);
        while let Some((cell, passed)) = front.pop_front() {
            if self.obstacles[cell as usize] != Some(passed) {
                continue;
            }
            let leads = Some(graph.leads(cell)).filter(|to| *to != cell);
            let beside = graph.neighbours(cell).iter().filter(|next| leads.is_none() && !graph.is_barred(cell, **next));
            for next in beside.copied().chain(leads) {
                let tile = game.tile_now(state, next);
                let more = u32::from(is_obstacle(tile));
                let known = self.obstacles[next as usize];
                if before[next as usize] || !passes(tile) || known.is_some_and(|known| known <= passed + more) {
                    continue;
                }
                self.obstacles[next as usize] = Some(passed + more);
                self.before[next as usize] = Some(cell);
                match more {
                    0 => front.push_front((next, passed)),
                    // Where the ways of before end lie far apart: kept in order.
                    _ => {
                        let at = front.partition_point(|(_, other)| *other <= passed + more);
                        front.insert(at, (next, passed + more));
                    }
                }
            }
        }
    }

    /// The tile of some that is nearest, the lowest of several; none if no way leads to any.
    pub fn nearest(&self, cells: std::ops::Range<CellIndex>) -> Option<CellIndex> {
        let reached = cells.filter_map(|cell| Some((self.obstacles[cell as usize]?, cell)));
        reached.min().map(|(_, cell)| cell)
    }

    /// The obstacles on the way to a tile, in order, itself included.
    pub fn obstacles(&self, game: &Game, state: &State, cell: CellIndex) -> Vec<CellIndex> {
        let mut found = Vec::new();
        let mut at = Some(cell);
        while let Some(cell) = at {
            at = self.before[cell as usize];
            if at.is_some() && is_obstacle(game.tile_now(state, cell)) {
                found.push(cell);
            }
        }
        found.reverse();
        found
    }
}

/// Whether only an event opens a tile.
fn is_by_event(game: &Game, tile: Tile) -> bool {
    matches!(tile, Tile::Gate(id) if game.tower().gates.get(usize::from(id)).is_some_and(|gate| gate.by_event))
}

/// Whether something must be opened, defeated or moved on a tile before it can be walked over.
fn is_obstacle(tile: Tile) -> bool {
    matches!(tile, Tile::Door(_) | Tile::Gate(_) | Tile::Monster(_) | Tile::Figure)
}
