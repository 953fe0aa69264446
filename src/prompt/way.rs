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
    /// The ways of a state. Of ways with equally many obstacles the one found first counts, in the order of tiles.
    pub fn of(game: &Game, state: &State) -> Self {
        let graph = game.graph();
        let mut ways = Ways { obstacles: vec![None; graph.len()], before: vec![None; graph.len()] };
        let mut front: VecDeque<(CellIndex, u32)> = VecDeque::new();
        for cell in state.region.iter() {
            ways.obstacles[cell as usize] = Some(0);
            front.push_back((cell, 0));
        }
        while let Some((cell, passed)) = front.pop_front() {
            if ways.obstacles[cell as usize] != Some(passed) {
                continue;
            }
            let leads = Some(graph.leads(cell)).filter(|to| *to != cell);
            let beside = graph.neighbours(cell).iter().filter(|next| leads.is_none() && !graph.is_barred(cell, **next));
            for next in beside.copied().chain(leads) {
                let tile = game.tile_now(state, next);
                let more = u32::from(is_obstacle(tile));
                let known = ways.obstacles[next as usize];
                if tile == Tile::Wall || known.is_some_and(|known| known <= passed + more) {
                    continue;
                }
                ways.obstacles[next as usize] = Some(passed + more);
                ways.before[next as usize] = Some(cell);
                match more {
                    0 => front.push_front((next, passed)),
                    _ => front.push_back((next, passed + more)),
                }
            }
        }
        ways
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

/// Whether something must be opened, defeated or moved on a tile before it can be walked over.
fn is_obstacle(tile: Tile) -> bool {
    matches!(tile, Tile::Door(_) | Tile::Gate(_) | Tile::Monster(_) | Tile::Figure)
}
