//! The search in passes of growing width: layer by layer, the best by bound of each, as many as a pass's width lets
//! through. After a pass that gave up nothing the best route is proven; after another, the highest bound that was given
//! up is a proven upper bound.

use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

use crate::game::{Action, End, State};
use crate::solver::error::SolveError;
use crate::solver::search::{Standing, Watch};

use super::bound::{Bounds, LOST, UNKNOWN};
use super::children::Children;
use super::ground::Ground;
use super::history::{History, ROOT, play};
use super::key::{Key, Scene, hash};
use super::{Answer, Request};

/// How much wider each pass is than the one before.
const WIDER: usize = 8;

/// Layers that the first pass goes through on towers on which play may never end; each later one twice as many.
const DEEPEST: usize = 1_000;

/// A state that waits to be expanded.
struct Node {
    state: State,
    key: Key,
    hash: u64,
    bound: i64,
    /// The decision that led to it, and where that was made.
    from: u32,
    action: Option<Action>,
}

/// States of one depth, one a key.
#[derive(Default)]
struct Layer {
    nodes: Vec<Node>,
    index: HashTable<u32>,
}

impl Layer {
    /// Takes a state in, unless one with the same key is as good; says whether it was new.
    fn offer(&mut self, node: Node) -> bool {
        let Layer { nodes, index } = self;
        let same = |id: &u32| nodes[*id as usize].hash == node.hash && nodes[*id as usize].key == node.key;
        if let Some(known) = index.find(node.hash, same).copied() {
            if nodes[known as usize].state.hero.hp < node.state.hero.hp {
                nodes[known as usize] = node;
            }
            return false;
        }
        index.insert_unique(node.hash, nodes.len() as u32, |id| nodes[*id as usize].hash);
        nodes.push(node);
        true
    }
}

struct Search<'s, 'g> {
    ground: &'g Ground,
    bounds: &'s mut Bounds<'g>,
    children: &'s mut Children<'g>,
    scene: Scene,
    request: &'s Request,
    history: History,
    layers: Vec<Layer>,
    /// The most HP that each key was met with in this pass, where a key may come again in a later layer.
    met: HashMap<Key, i64, FxBuildHasher>,
    open: usize,
    given_up: i64,
    best: Option<(i64, Vec<Action>)>,
    upper: i64,
    made: u64,
    wins: u64,
    passes: u32,
}

/// Searches from a state.
pub(super) fn search<'g>(
    ground: &'g Ground,
    bounds: &mut Bounds<'g>,
    children: &mut Children<'g>,
    root: &State,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Answer, SolveError> {
    let mut search = Search {
        ground,
        upper: bounds.at(root),
        bounds,
        children,
        scene: Scene::default(),
        request,
        history: History::default(),
        layers: Vec::new(),
        met: HashMap::default(),
        open: 0,
        given_up: LOST,
        best: None,
        made: 0,
        wins: 0,
        passes: 0,
    };
    if root.end == Some(End::Won) {
        search.best = Some((root.hero.hp, Vec::new()));
    }
    let mut width = request.width.max(1);
    while search.upper > search.least_wanted() {
        search.passes += 1;
        search.children.failed = 0;
        let done = search.pass(root, width, watch);
        if !done {
            break;
        }
        width = width.saturating_mul(WIDER);
    }
    search.answer(root)
}

impl Search<'_, '_> {
    /// States bounded by this or less cannot improve the answer.
    fn least_wanted(&self) -> i64 {
        self.best.as_ref().map_or(LOST, |(best, _)| *best)
    }

    /// One pass; says whether another may follow.
    fn pass(&mut self, root: &State, mut width: usize, watch: &mut Watch<'_>) -> bool {
        self.history.clear();
        self.layers.clear();
        self.met.clear();
        (self.open, self.given_up) = (0, LOST);
        let upper = self.upper;
        let first = self.offer(root.clone(), ROOT, None, upper, 0);
        let (mut depth, mut squeezed) = (0, false);
        while depth < self.layers.len() {
            // A play that never ends is left for a wider pass.
            let endless = !self.ground.plain && depth > DEEPEST << self.passes.min(20);
            let mut nodes = std::mem::take(&mut self.layers[depth]).nodes;
            self.open -= nodes.len();
            // A stable sort: of equals, the one met first.
            nodes.sort_by_key(|node| std::cmp::Reverse(node.bound));
            let through = if endless { 0 } else { width };
            if let Some(highest) = nodes.get(through) {
                self.given_up = self.given_up.max(highest.bound);
                nodes.truncate(through);
            }
            for number in 0..nodes.len() {
                if nodes[number].bound <= self.least_wanted() {
                    break;
                }
                let full = self.kept() > self.request.limits.memory / 2;
                if full || (watch.stop)() || self.made >= self.request.limits.states {
                    let rest = nodes[number..].iter().map(|node| node.bound);
                    let waiting = self.layers.iter().flat_map(|layer| &layer.nodes).map(|node| node.bound);
                    self.given_up = rest.chain(waiting).fold(self.given_up, i64::max);
                    self.close(width, watch);
                    return false;
                }
                self.expand(&nodes[number], first);
                if self.bytes() > self.request.limits.memory {
                    squeezed = true;
                    width = self.squeeze(width);
                }
            }
            self.tell(width, watch);
            depth += 1;
        }
        self.close(width, watch);
        !squeezed
    }

    fn expand(&mut self, node: &Node, first: u32) {
        let from = match node.action {
            Some(action) => self.history.push(node.from, action),
            None => ROOT,
        };
        for (action, next) in self.children.of(&node.state) {
            self.made += 1;
            match next.end {
                Some(End::Won) => self.win(next.hero.hp, from, action),
                Some(_) => {}
                None => {
                    // What bounds the state before bounds this one.
                    let bound = self.bounds.at(&next).min(node.bound);
                    if bound > self.least_wanted() {
                        self.offer(next, from, Some(action), bound, first);
                    }
                }
            }
        }
    }

    /// Puts a state into its layer; gives its depth.
    fn offer(&mut self, state: State, from: u32, action: Option<Action>, bound: i64, first: u32) -> u32 {
        self.scene.look(self.ground, &state);
        let (key, decided) = self.scene.key(self.ground, &state);
        let depth = (decided - first.min(decided)) as usize;
        let depth = if action.is_none() { 0 } else { depth };
        if self.layers.len() <= depth {
            self.layers.resize_with(depth + 1, Layer::default);
        }
        if !self.ground.plain && !self.is_news(&key, state.hero.hp) {
            return decided;
        }
        let hash = hash(&key);
        let new = self.layers[depth].offer(Node { state, key, hash, bound, from, action });
        self.open += usize::from(new);
        decided
    }

    /// Whether a key is met for the first time in this pass, or with more HP than before.
    fn is_news(&mut self, key: &Key, hp: i64) -> bool {
        match self.met.get_mut(key) {
            Some(known) if *known >= hp => false,
            Some(known) => {
                *known = hp;
                true
            }
            None => {
                self.met.insert(key.clone(), hp);
                true
            }
        }
    }

    fn win(&mut self, value: i64, from: u32, action: Action) {
        self.wins += 1;
        if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
            let mut route = self.history.trace(from);
            route.push(action);
            self.best = Some((value, route));
        }
    }

    /// After a pass, nothing better than what was given up is left to be found.
    fn close(&mut self, width: usize, watch: &mut Watch<'_>) {
        self.upper = self.upper.min(self.given_up.max(self.least_wanted()));
        self.layers.clear();
        self.tell(width, watch);
    }

    fn tell(&self, width: usize, watch: &mut Watch<'_>) {
        let known = self.upper != UNKNOWN && self.upper != LOST;
        (watch.tell)(&Standing {
            best: self.best.as_ref().map(|(best, _)| *best),
            upper_bound: known.then_some(self.upper),
            states: self.made,
            width,
        });
    }

    /// Bytes that are taken, roughly.
    fn bytes(&self) -> usize {
        let set = self.ground.game.graph().len() / 8;
        let sets = if self.ground.plain { 2 } else { 4 };
        self.open * (size_of::<Node>() + sets * set + self.key_bytes() + 16) * 3 / 2 + self.kept()
    }

    /// Bytes that are kept to the end of a pass, roughly.
    fn kept(&self) -> usize {
        self.history.len() * History::BYTES * 3 / 2 + self.met.len() * (self.key_bytes() + 40)
    }

    /// Bytes of a key, roughly.
    fn key_bytes(&self) -> usize {
        if self.ground.plain { self.ground.slot_count / 8 + 80 } else { self.ground.slot_count * 4 + 300 }
    }

    /// Gives up the less promising half of what waits.
    fn squeeze(&mut self, width: usize) -> usize {
        let widest = self.layers.iter().map(|layer| layer.nodes.len()).max().unwrap_or(1);
        let width = width.min((widest / 2).max(1));
        self.open = 0;
        for layer in &mut self.layers {
            let mut nodes = std::mem::take(layer).nodes;
            nodes.sort_by_key(|node| std::cmp::Reverse(node.bound));
            if let Some(highest) = nodes.get(width) {
                self.given_up = self.given_up.max(highest.bound);
            }
            nodes.truncate(width);
            for node in nodes {
                layer.offer(node);
            }
            self.open += layer.nodes.len();
        }
        width
    }

    fn answer(self, root: &State) -> Result<Answer, SolveError> {
        let proven = self.upper <= self.least_wanted();
        let known = self.upper != UNKNOWN && self.upper != LOST;
        let route = match &self.best {
            Some((_, actions)) => Some(play(&self.ground.game, root, actions)?),
            None => None,
        };
        Ok(Answer {
            route,
            best: self.best.map(|(best, _)| best),
            proven,
            upper_bound: known.then_some(self.upper),
            states: self.made,
            wins: self.wins,
            passes: self.passes,
            hp_counts: self.ground.hp_counts.clone(),
            unbounded: self.ground.objection.clone(),
            failed: self.children.failed,
        })
    }
}
