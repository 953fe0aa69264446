//! What is left of a tower around a state, as a graph: what is open to the hero, obstacles, and the areas behind them.
//! Ways that lead in one direction are taken for ways in both, so that no way is missing.

use crate::game::{CellIndex, Hero, State, Tile};

use super::ground::Ground;
use super::outlook::Outlook;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// What a node gives to whoever gets there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Gain {
    pub hp: i64,
    /// ATK, DEF, MDEF.
    pub points: [i64; 3],
    /// Keys, in the order of `Colour::ALL`.
    pub keys: [i64; 4],
    pub gold: i64,
    pub experience: i64,
}

impl Gain {
    pub(super) fn add(&mut self, other: &Gain) {
        self.hp = self.hp.saturating_add(other.hp);
        self.gold = self.gold.saturating_add(other.gold);
        self.experience = self.experience.saturating_add(other.experience);
        self.points.iter_mut().zip(other.points).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.keys.iter_mut().zip(other.keys).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }

    /// So many times as much.
    pub(super) fn multiply(&mut self, times: i64) {
        let numbers = [&mut self.hp, &mut self.gold, &mut self.experience];
        numbers
            .into_iter()
            .chain(&mut self.points)
            .chain(&mut self.keys)
            .for_each(|sum| *sum = sum.saturating_mul(times));
    }

    /// Takes the higher of each quantity.
    pub(super) fn raise(&mut self, other: &Gain) {
        self.hp = self.hp.max(other.hp);
        self.gold = self.gold.max(other.gold);
        self.experience = self.experience.max(other.experience);
        self.points.iter_mut().zip(other.points).for_each(|(most, more)| *most = more.max(*most));
        self.keys.iter_mut().zip(other.keys).for_each(|(most, more)| *most = more.max(*most));
    }

    /// What a hero has; what is negative counts as nothing.
    pub(super) fn of_hero(hero: &Hero) -> Self {
        let Hero { hp, atk, def, mdef, gold, experience, keys, .. } = *hero;
        let keys = [keys.yellow, keys.blue, keys.red, keys.green];
        Gain {
            hp: hp.max(0),
            points: [atk, def, mdef].map(|points| points.max(0)),
            keys: keys.map(|count| count.max(0)),
            gold: gold.max(0),
            experience: experience.max(0),
        }
    }

    fn is_nothing(&self) -> bool {
        *self == Gain::default()
    }
}

/// The graph. Node 0 is what is open to the hero; it is made anew for each state, in the same memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// The node of each tile.
    label: Vec<u32>,
    /// The obstacle of each node; none of areas.
    pub obstacles: Vec<Option<Tile>>,
    pub gains: Vec<Gain>,
    /// Whether a shop stands in the node.
    pub sells: Vec<bool>,
    /// Whether a monster stands on a tile that is taken for open.
    pub healers: bool,
    edges: Vec<(u32, u32)>,
    first: Vec<u32>,
    to: Vec<u32>,
    stack: Vec<CellIndex>,
    waiting: Vec<CellIndex>,
}

impl Survey {
    /// Looks at what is left around a state.
    pub(super) fn look(&mut self, ground: &Ground, outlook: &Outlook, state: &State) {
        self.label.clear();
        self.label.resize(ground.game.graph().len(), NONE);
        self.obstacles.clear();
        self.gains.clear();
        self.sells.clear();
        self.edges.clear();
        self.waiting.clear();
        self.healers = false;
        let root = self.node(None, Gain::default());
        self.stack.clear();
        for cell in state.region.iter() {
            self.enter(ground, outlook, state, cell, root);
        }
        self.flood(ground, outlook, state, root);
        self.look_on(ground, outlook, state, 0);
        self.follow_events(ground, outlook, state);
        self.join();
    }

    /// Looks behind the obstacles that wait, from one on.
    fn look_on(&mut self, ground: &Ground, outlook: &Outlook, state: &State, mut next: usize) {
        while let Some(&cell) = self.waiting.get(next) {
            next += 1;
            self.look_behind(ground, outlook, state, cell);
        }
    }

    /// Adds the ways that events may open and what they give.
    fn follow_events(&mut self, ground: &Ground, outlook: &Outlook, state: &State) {
        let mut left: Vec<(Option<CellIndex>, CellIndex)> = outlook.joins.clone();
        let mut before = usize::MAX;
        while left.len() < before {
            before = left.len();
            left.retain(|(from, to)| {
                let Some(from) = from.map_or(Some(0), |cell| self.node_of(cell)) else { return true };
                if self.label[*to as usize] == NONE {
                    let waits = self.waiting.len();
                    let area = self.node(None, Gain::default());
                    self.enter(ground, outlook, state, *to, area);
                    self.flood(ground, outlook, state, area);
                    self.look_on(ground, outlook, state, waits);
                }
                let to = self.label[*to as usize];
                if from as u32 != to {
                    self.edges.push((from as u32, to));
                }
                false
            });
        }
        for (at, gain) in &outlook.gains {
            if let Some(node) = at.map_or(Some(0), |cell| self.node_of(cell)) {
                self.gains[node].add(gain);
            }
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.gains.len()
    }

    /// The node of a tile; none if no way leads there.
    pub(super) fn node_of(&self, cell: CellIndex) -> Option<usize> {
        self.label.get(cell as usize).filter(|node| **node != NONE).map(|node| *node as usize)
    }

    /// The nodes beside a node.
    #[inline]
    pub(super) fn beside(&self, node: usize) -> &[u32] {
        &self.to[self.first[node] as usize..self.first[node + 1] as usize]
    }

    fn node(&mut self, obstacle: Option<Tile>, gain: Gain) -> u32 {
        self.obstacles.push(obstacle);
        self.gains.push(gain);
        self.sells.push(false);
        (self.gains.len() - 1) as u32
    }

    fn enter(&mut self, ground: &Ground, outlook: &Outlook, state: &State, cell: CellIndex, node: u32) {
        self.label[cell as usize] = node;
        let tile = ground.tile(outlook, state, cell);
        self.healers |= matches!(tile, Tile::Monster(_));
        let gain = ground.gain(tile);
        if !gain.is_nothing() {
            self.gains[node as usize].add(&gain);
        }
        self.sells[node as usize] |= tile == Tile::Shop;
        self.stack.push(cell);
    }

    /// Spreads a node over what is open around the tiles that wait; obstacles that it meets become nodes.
    fn flood(&mut self, ground: &Ground, outlook: &Outlook, state: &State, node: u32) {
        let graph = ground.game.graph();
        while let Some(cell) = self.stack.pop() {
            let on = Some(graph.leads(cell)).filter(|on| *on != cell);
            for &next in graph.neighbours(cell).iter().chain(&on) {
                match self.label[next as usize] {
                    NONE => match ground.stands(outlook, state, next) {
                        Stands::Nothing => self.enter(ground, outlook, state, next, node),
                        Stands::Obstacle(tile) => {
                            let obstacle = self.obstacle(ground, next, tile);
                            self.edges.push((node, obstacle));
                        }
                        Stands::Wall => {}
                    },
                    other if other != node => self.edges.push((node, other)),
                    _ => {}
                }
            }
        }
    }

    fn obstacle(&mut self, ground: &Ground, cell: CellIndex, tile: Tile) -> u32 {
        let node = self.node(Some(tile), ground.gain(tile));
        self.label[cell as usize] = node;
        self.waiting.push(cell);
        node
    }

    fn look_behind(&mut self, ground: &Ground, outlook: &Outlook, state: &State, cell: CellIndex) {
        let node = self.label[cell as usize];
        if self.obstacles[node as usize] == Some(Tile::Figure) {
            return;
        }
        let graph = ground.game.graph();
        // Who enters a one-way passage stands where it leads.
        let on = Some(graph.leads(cell)).filter(|on| *on != cell);
        for &next in graph.neighbours(cell).iter().chain(&on) {
            match self.label[next as usize] {
                NONE => match ground.stands(outlook, state, next) {
                    Stands::Nothing => {
                        let area = self.node(None, Gain::default());
                        self.enter(ground, outlook, state, next, area);
                        self.flood(ground, outlook, state, area);
                        self.edges.push((area, node));
                    }
                    Stands::Obstacle(tile) => {
                        let other = self.obstacle(ground, next, tile);
                        self.edges.push((node, other));
                    }
                    Stands::Wall => {}
                },
                other => self.edges.push((node, other)),
            }
        }
    }

    /// Makes the lists of neighbours, in both directions.
    fn join(&mut self) {
        for edge in &mut self.edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.first.clear();
        self.first.resize(self.gains.len() + 2, 0);
        for &(a, b) in &self.edges {
            self.first[a as usize + 2] += 1;
            self.first[b as usize + 2] += 1;
        }
        for node in 2..self.first.len() {
            self.first[node] += self.first[node - 1];
        }
        self.to.clear();
        self.to.resize(2 * self.edges.len(), 0);
        for &(a, b) in &self.edges {
            for (from, to) in [(a, b), (b, a)] {
                let place = &mut self.first[from as usize + 1];
                self.to[*place as usize] = to;
                *place += 1;
            }
        }
    }
}

/// What stands on a tile, as far as a way over it goes.
pub(super) enum Stands {
    /// Nothing that keeps the hero from walking over it.
    Nothing,
    /// Something that takes a decision.
    Obstacle(Tile),
    /// Something that stays for ever.
    Wall,
}
