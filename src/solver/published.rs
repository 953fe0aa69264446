//! The published solver's search and the thesis's correction of it (section B.2.2, Algorithm 4.1), kept as they are to
//! be compared with. Knows the merged graph and the rules; the exact solver is elsewhere and shares nothing with it.
//!
//! # What it does
//! Breadth first by number of decisions, within a layer by falling HP. A decision clears one node that holds doors or
//! monsters; items in reach are then taken, harmless monsters cleared at once, and a shop used as often as it can be
//! paid, always for ATK. A state's key is the set of cleared nodes that hold a door or a monster; given the key,
//! everything but HP is determined. Two tests discard dominated states:
//!
//! | version | successor enters the queue unless its key was seen with | taken from the queue, dropped if its key |
//! |---|---|---|
//! | published | strictly more HP | was expanded before, whatever the HP |
//! | corrected (line 6 of Algorithm 4.1) | at least as much HP | was seen with more HP |
//!
//! # What it gets wrong, and why
//! Clearing harmless monsters at once costs no decision, so two routes to one key differ in their number of decisions,
//! and the queue puts decisions before HP. The published test then keeps the route that came first and drops the one
//! with more HP: 22 instead of 68 HP on the complex floor. Comparing HP mends that. What remains in both versions:
//! clearing harmless monsters at once is exact only while it does nothing that is better left (it exposes a DEF gem
//! that raises the price of break armour; it ends the game at a harmless boss), merging can hide a choice, a shop sells more than ATK, and a limit on decisions is a limit.
//!
//! # Where it departs from the published program
//! Towers on which these matter are not among those it was compared on. The game ends when the boss falls: what lies
//! behind is not collected. A green door costs a green key. All items in reach are taken before a monster is cleared
//! as harmless. A state past the limit of decisions is no answer unless its boss is defeated. Quantities are 64 bits,
//! nodes may number 256, and neither wraps. ATK that is not for sale is not bought.
//!
//! # Ties
//! Of states with equal decisions and HP, those whose last decision opened a door are taken before those whose last
//! decision was a fight, and otherwise in the order in which they were found; successors are found in the order of
//! their nodes' numbers. The published program leaves ties to the shape of its heap; on the complex floor the order
//! moves the corrected count by at most five, and this one gives the program's own figure.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::merged::MergedGraph;
use crate::game::{GameError, Hero, Position, Tile, Tower, TowerError};

mod moves;

use moves::{Decision, Moves, State};

/// Which dominance test is made when a state is taken from the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// As published: the first state of a key wins.
    Published,
    /// As corrected by the thesis: more HP wins.
    Corrected,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which dominance test.
    pub version: Version,
    /// Whether neighbouring nodes are merged.
    pub merge: bool,
    /// Whether harmless monsters are cleared at once.
    pub eat: bool,
    /// Decisions that a route may have; a state with more is an end.
    pub decisions: u32,
    /// States that may be expanded before the search gives up with an error, for the sake of memory.
    pub most_states: u32,
}

impl Options {
    /// The published solver's own settings: merging, clearing at once, 45 decisions.
    pub fn new(version: Version) -> Self {
        Options { version, merge: true, eat: true, decisions: 45, most_states: 100_000_000 }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The win with most HP, the first found if several; `None` if the search found none, which proves nothing.
    pub best: Option<Win>,
    /// States expanded: taken from the queue, not dropped, and no end.
    pub states: u64,
    /// Winning states taken from the queue and not dropped.
    pub wins: u64,
    /// States past the limit of decisions taken from the queue and not dropped, the boss alive. The published program
    /// counts them among its solutions.
    pub ends_at_limit: u64,
    /// The size of the graph.
    pub nodes: NodeCount,
}

/// The size of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCount {
    /// Nodes that hold a door or a monster.
    pub with_obstacle: usize,
    /// All nodes, the start included.
    pub all: usize,
}

/// A way to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The hero when the boss falls.
    pub hero: Hero,
    /// What was done, in order; items are taken without a step.
    pub route: Vec<RouteStep>,
}

/// One step of a route through the merged graph; `playable` makes moves of the game from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteStep {
    /// A node's obstacles were cleared.
    Clear {
        /// Their tiles, in the order in which they were merged.
        tiles: Vec<Position>,
        /// Whether this was a decision; otherwise the node was cleared at once as harmless.
        decision: bool,
    },
    /// ATK was bought.
    Buy {
        /// The shop that was reached first.
        shop: Position,
    },
}

/// Why a tower was not searched to the end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The tower cannot be played.
    #[error(transparent)]
    Tower(#[from] TowerError),
    /// A quantity leaves 64 bits.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The tower has what the published search does not know.
    #[error(
        "the tower has {}; the published search takes none of this",
        "scripted events, one-way ways, doors or items of its own, another goal than the boss, or later abilities"
    )]
    NotPlain,
    /// The graph is too large for the published search.
    #[error("the tower has {nodes} nodes {stage}; this search takes at most {most}: use the exact solver")]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
        /// Before or after merging, in words.
        stage: &'static str,
        /// How many are possible.
        most: usize,
    },
    /// The search grew beyond what was allowed.
    #[error("gave up after {0} states; allow more, or use the exact solver")]
    TooManyStates(u32),
}

/// Tiles that are worth building a graph for; building it takes time in the square of their number.
const MOST_TILES: usize = 2048;

/// Searches a tower.
///
/// # Errors
/// [`SearchError`] if the tower is not valid, too large, or a quantity leaves `i64`.
pub fn search(tower: &Tower, options: &Options) -> Result<Outcome, SearchError> {
    tower.validate()?;
    if !tower.is_plain() {
        return Err(SearchError::NotPlain);
    }
    let tiles = tower.tiles().filter(|(_, tile)| !matches!(tile, Tile::Floor | Tile::Wall | Tile::Stair(_))).count();
    if tiles > MOST_TILES {
        return Err(SearchError::TooManyNodes { nodes: tiles, stage: "before merging", most: MOST_TILES });
    }
    let graph = MergedGraph::new(tower, options.merge);
    match graph.nodes().len() {
        0..=64 => Search::<1>::new(tower, &graph, options).run(),
        65..=128 => Search::<2>::new(tower, &graph, options).run(),
        129..=256 => Search::<4>::new(tower, &graph, options).run(),
        nodes => Err(SearchError::TooManyNodes { nodes, stage: "after merging", most: 256 }),
    }
}

/// What is known of a key.
#[derive(Clone, Copy)]
struct Seen {
    /// Most HP with which it entered the queue.
    hp: i64,
    /// Whether a state with it was taken and not dropped.
    taken: bool,
}

/// One search: what is known so far.
struct Search<'a, const W: usize> {
    moves: Moves<'a, W>,
    options: &'a Options,
    seen: FxHashMap<Bits<W>, Seen>,
    /// For each expanded state the decision that led to it.
    expanded: Vec<Option<Decision>>,
}

impl<'a, const W: usize> Search<'a, W> {
    fn new(tower: &'a Tower, graph: &'a MergedGraph, options: &'a Options) -> Self {
        let moves = Moves::new(tower, graph, options.eat);
        Search { moves, options, seen: FxHashMap::default(), expanded: Vec::new() }
    }

    /// The queue, layer by layer: every successor has one decision more than its state.
    fn run(mut self) -> Result<Outcome, SearchError> {
        let nodes = NodeCount { with_obstacle: self.moves.graph.obstacle_count(), all: self.moves.graph.nodes().len() };
        let mut outcome = Outcome { best: None, states: 0, wins: 0, ends_at_limit: 0, nodes };
        let mut best: Option<State<W>> = None;
        let mut layer = vec![self.moves.start(&mut |_| {})?];
        let mut decisions = 0;
        while !layer.is_empty() {
            layer.sort_by_key(|state| (Reverse(state.hero.hp), self.fought_last(state)));
            let mut next = Vec::new();
            for state in &layer {
                if !self.take(state) {
                    continue;
                }
                if self.moves.won(state) {
                    outcome.wins += 1;
                    if best.is_none_or(|best| best.hero.hp < state.hero.hp) {
                        best = Some(*state);
                    }
                } else if decisions > self.options.decisions {
                    outcome.ends_at_limit += 1;
                } else {
                    self.expand(state, &mut next)?;
                }
            }
            layer = next;
            decisions += 1;
        }
        outcome.states = self.expanded.len() as u64;
        outcome.best =
            best.map(|state| Ok::<_, SearchError>(Win { hero: state.hero, route: self.route(&state)? })).transpose()?;
        Ok(outcome)
    }

    fn fought_last(&self, state: &State<W>) -> bool {
        state.decision.is_some_and(|decision| self.moves.monsters_only.contains(usize::from(decision.node)))
    }

    /// The test at the end of the queue: whether a state that is taken from it is kept.
    fn take(&mut self, state: &State<W>) -> bool {
        let seen =
            self.seen.entry(state.cleared & self.moves.obstacles).or_insert(Seen { hp: state.hero.hp, taken: false });
        let dropped = match self.options.version {
            Version::Published => seen.taken,
            Version::Corrected => seen.hp > state.hero.hp,
        };
        seen.taken |= !dropped;
        !dropped
    }

    /// The test at the entry of the queue: whether a successor is put into it.
    fn enter(&mut self, state: &State<W>) -> bool {
        let hp = state.hero.hp;
        match self.seen.entry(state.cleared & self.moves.obstacles) {
            Entry::Vacant(entry) => {
                entry.insert(Seen { hp, taken: false });
                true
            }
            Entry::Occupied(mut entry) => {
                let seen = entry.get_mut();
                let dropped = match self.options.version {
                    Version::Published => seen.hp > hp,
                    Version::Corrected => seen.hp >= hp,
                };
                seen.hp = seen.hp.max(hp);
                !dropped
            }
        }
    }

    /// Makes every decision that is possible in a state.
    fn expand(&mut self, state: &State<W>, next: &mut Vec<State<W>>) -> Result<(), SearchError> {
        let before = self.expanded.len() as u32;
        if before == self.options.most_states {
            return Err(SearchError::TooManyStates(before));
        }
        self.expanded.push(state.decision);
        for node in (state.reach & self.moves.obstacles).iter() {
            let Some(mut after) = self.moves.clear(state, node)? else { continue };
            after.decision = Some(Decision { before, node: node as u16 });
            self.moves.settle(&mut after, &mut |_| {})?;
            if self.enter(&after) {
                next.push(after);
            }
        }
        Ok(())
    }

    /// The steps that led to a state, by making its decisions again.
    fn route(&self, state: &State<W>) -> Result<Vec<RouteStep>, SearchError> {
        let mut decisions = Vec::new();
        let mut last = state.decision;
        while let Some(decision) = last {
            decisions.push(usize::from(decision.node));
            last = self.expanded[decision.before as usize];
        }
        let mut route = Vec::new();
        let mut state = self.moves.start(&mut |step| route.push(step))?;
        for node in decisions.into_iter().rev() {
            route.push(RouteStep::Clear { tiles: self.moves.tiles(node), decision: true });
            if let Some(after) = self.moves.clear(&state, node)? {
                state = after;
            }
            self.moves.settle(&mut state, &mut |step| route.push(step))?;
        }
        Ok(route)
    }
}

#[cfg(test)]
mod tests;
