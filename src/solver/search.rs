//! The exact search: layers by depth, each of undominated states, pruned by a bound and an incumbent, in passes of
//! growing width.
//!
//! A pass goes through the layers and expands the most promising states of each, as many as its width lets through. It
//! finds ways to win; the best so far is the *incumbent*. A state is left aside if its bound is not above the incumbent.
//! A pass that gave up no state for its width has proven the incumbent to be the best; after another one, the highest
//! bound among the states given up is a proven upper bound. So the search has an answer and a bound at any time, needs
//! no more memory than it is given, and ends with the optimum if that suffices: a complete anytime beam search.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::assumption::Assumptions;
use super::bits::Bits;
use super::bound::Bound;
use super::error::{SolveError, overflow};
use super::expand::{Expander, Next, Outlook, Reductions};
use super::goal::Goal;
use super::judge::{Child, Judge, Stop, children};
use super::key::{Entry, Space};
use super::layer::{Layer, Node, best_of};
use super::moves::Choice;
use super::outlook::{goal_scale, outlook};

pub use super::settings::{Outcome, Settings, Standing, Watch, Way, Without};

/// Searches from an entry.
///
/// # Errors
/// [`SolveError`] if a quantity leaves its range.
pub fn search<const W: usize>(
    space: &Space<W>,
    root: &Entry<W>,
    assumptions: &Assumptions,
    settings: &Settings,
    watch: &mut Watch<'_>,
) -> Result<Outcome, SolveError> {
    let mut search = Search::new(space, root, assumptions, settings)?;
    let mut width = settings.width.max(1);
    while !search.is_over() {
        search.standing.width = width;
        search.passes += 1;
        let end = search.pass(width, watch)?;
        if end == PassEnd::Stopped || end == PassEnd::OutOfMemory {
            break;
        }
        width = width.saturating_mul(Search::<W>::WIDER);
    }
    Ok(search.outcome())
}

/// How a pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassEnd {
    Done,
    OutOfMemory,
    Stopped,
}

struct Search<'s, const W: usize> {
    space: &'s Space<W>,
    settings: &'s Settings,
    goal: Goal,
    scale: i64,
    bound: Bound<W>,
    reductions: Reductions,
    outlook: Outlook,
    expanders: Vec<Expander<'s, W>>,
    root: Entry<W>,
    root_trail: Vec<Choice>,
    history: Vec<(u32, u32)>,
    /// Which expanded states are no longer wanted, nor what they lead to: others are better off than they would be if
    /// something on their way had cost nothing.
    outdone: Vec<bool>,
    /// Where each block begins in the history, and what was wanted of its states.
    blocks: Vec<(u32, i64)>,
    layers: Vec<Layer<W>>,
    open: usize,
    given_up: Option<i64>,
    upper: i64,
    won: Vec<Win<W>>,
    standing: Standing,
    steps: Arc<AtomicU64>,
    wins_seen: u64,
    passes: u32,
    most_open: usize,
}

/// A win with where it comes from, until its way is traced.
struct Win<const W: usize> {
    value: i64,
    gone: Bits<W>,
    way: Result<Vec<Choice>, (u32, u32)>,
}

impl<'s, const W: usize> Search<'s, W> {
    /// States expanded between two looks at the incumbent, unless there is little memory: what they lead to is held
    /// beside all else. Part of the result's definition: not to depend on threads.
    const BLOCK: usize = 1024;

    /// How much wider each pass is than the one before.
    const WIDER: usize = 64;

    fn new(
        space: &'s Space<W>,
        root: &Entry<W>,
        assumptions: &Assumptions,
        settings: &'s Settings,
    ) -> Result<Self, SolveError> {
        let ordered = assumptions.hold() && !settings.without.order;
        let reductions = Reductions {
            ordered,
            forced: assumptions.hold() && settings.top == 1 && !settings.without.forced,
            keys_capped: !settings.goal.counts_keys(),
        };
        let outlook = if reductions.forced { outlook(space, root)? } else { Outlook::default() };
        let scale = goal_scale(space, root, settings.goal)?;
        let goal = settings.goal.scaled(scale).ok_or_else(overflow)?;
        let mut bound = Bound::new(space, root, goal, assumptions)?;
        if settings.without.bound {
            bound.say_nothing();
        }
        let mut expander = Expander::new(space, reductions, &outlook);
        let (root, _) = expander.settle(*root)?;
        let root_trail = expander.take_trail();
        let upper = bound.at(&root);
        Ok(Search {
            space,
            settings,
            goal,
            scale,
            bound,
            reductions,
            outlook,
            expanders: vec![expander],
            root,
            root_trail,
            history: Vec::new(),
            outdone: Vec::new(),
            blocks: Vec::new(),
            layers: Vec::new(),
            open: 0,
            given_up: None,
            upper,
            won: Vec::new(),
            standing: Standing::default(),
            steps: Arc::default(),
            wins_seen: 0,
            passes: 0,
            most_open: 0,
        })
    }

    /// States bounded by this or less cannot improve the answer.
    fn least_wanted(&self) -> i64 {
        let full = self.won.len() >= self.settings.top;
        self.won.last().filter(|_| full).map_or(i64::MIN, |worst| worst.value)
    }

    fn is_over(&self) -> bool {
        self.upper <= self.least_wanted()
    }

    /// One pass through all layers.
    fn pass(&mut self, width: usize, watch: &mut Watch<'_>) -> Result<PassEnd, SolveError> {
        let mut width = if self.settings.without.bound { usize::MAX } else { width };
        let mut end = PassEnd::Done;
        self.history.clear();
        self.outdone.clear();
        self.blocks.clear();
        self.layers = vec![Layer::default()];
        self.layers[0].offer(Node::new(self.root, self.bound.at(&self.root), u32::MAX, 0), true, i64::MAX);
        (self.open, self.given_up) = (1, None);
        let first = self.depth(&self.root);
        let stop = Stop { asked: watch.stop, steps: self.steps.clone(), most: self.settings.most_steps };
        let size = (self.settings.memory / (256 * Node::<W>::BYTES)).clamp(16, Self::BLOCK);
        let mut depth = 0;
        while depth < self.layers.len() {
            let layer = std::mem::take(&mut self.layers[depth]);
            self.open -= layer.nodes().len();
            let mut nodes = layer.into_nodes();
            nodes.retain(|node| self.outdone.get(node.parent as usize) != Some(&true));
            let (nodes, given_up) = best_of(nodes, width, self.least_wanted());
            self.given_up = self.given_up.max(given_up);
            for (number, block) in nodes.chunks(size).enumerate() {
                let done = match self.expand_block(block, first, width, &stop) {
                    Err(SolveError::Stopped) => 0,
                    Err(error) => return Err(error),
                    Ok(()) => block.len(),
                };
                if done > 0 && self.bytes() > self.settings.memory {
                    end = PassEnd::OutOfMemory;
                    width = self.squeeze(width);
                }
                self.tell(watch);
                let stopped = done == 0 || stop.after(0);
                // Where states come from cannot be forgotten: their routes would be lost.
                let full = self.history_bytes() > self.settings.memory / 2;
                if stopped || full {
                    let rest = nodes[number * size + done..].iter();
                    let waiting = self.layers.iter().flat_map(|layer| layer.nodes());
                    let open = rest.chain(waiting).map(|node| node.bound).max();
                    self.given_up = self.given_up.max(open);
                    self.close_pass()?;
                    return Ok(if stopped { PassEnd::Stopped } else { PassEnd::OutOfMemory });
                }
            }
            depth += 1;
        }
        self.close_pass()?;
        self.bound.forget_plans_up_to(&self.root, self.least_wanted());
        Ok(end)
    }

    /// After a pass, nothing better than what was given up is left to be found.
    fn close_pass(&mut self) -> Result<(), SolveError> {
        let left = self.given_up.unwrap_or(i64::MIN).max(self.least_wanted());
        self.upper = self.upper.min(left);
        self.layers.clear();
        self.trace_ways()
    }

    fn tell(&mut self, watch: &mut Watch<'_>) {
        let known = self.upper < i64::MAX && self.upper > i64::MIN;
        self.standing.best = self.won.first().map(|win| win.value.div_euclid(self.scale));
        self.standing.upper_bound = known.then(|| self.upper.div_euclid(self.scale));
        (watch.tell)(&self.standing);
    }

    /// Expands some states and offers what they lead to to the layers ahead.
    fn expand_block(
        &mut self,
        block: &[Node<W>],
        first: usize,
        width: usize,
        stop: &Stop<'_>,
    ) -> Result<(), SolveError> {
        let from = self.history.len() as u32;
        self.blocks.push((from, self.least_wanted()));
        self.history.extend(block.iter().map(|node| (node.parent, node.ordinal)));
        self.outdone.resize(self.history.len(), false);
        let found = self.children_of(block, stop)?;
        self.standing.states += block.len() as u64;
        for children in found {
            for Child { next, worth, gift, node, ordinal } in children {
                match next {
                    Next::Won(entry) => self.win(entry, worth, (from + node, ordinal)),
                    Next::Open(entry) if worth > self.least_wanted() => {
                        let depth = self.depth(&entry) - first;
                        if self.layers.len() <= depth {
                            self.layers.resize_with(depth + 1, Layer::default);
                        }
                        let layer = &mut self.layers[depth];
                        let before = layer.nodes().len();
                        let node_there = Node::new(entry, worth, from + node, ordinal);
                        if layer.offer(node_there, self.reductions.ordered, gift) {
                            self.outdone[(from + node) as usize] = true;
                        }
                        if layer.nodes().len() >= width.saturating_mul(2).saturating_add(1024) {
                            self.given_up = self.given_up.max(layer.trim(width, i64::MIN));
                        }
                        self.open = self.open + layer.nodes().len() - before;
                    }
                    Next::Open(_) | Next::Way(_) => {}
                }
            }
        }
        self.most_open = self.most_open.max(self.open);
        Ok(())
    }

    /// What the states of a block lead to, in their order, computed side by side where that pays.
    fn children_of(&mut self, block: &[Node<W>], stop: &Stop<'_>) -> Result<Vec<Vec<Child<W>>>, SolveError> {
        let least_wanted = self.least_wanted();
        let threads = if block.len() < 256 { 1 } else { self.settings.threads.max(1) };
        while self.expanders.len() < threads {
            self.expanders.push(Expander::new(self.space, self.reductions, &self.outlook));
        }
        let (space, goal, bound) = (self.space, self.goal, &self.bound);
        let gifts = self.reductions.forced && self.reductions.ordered && !self.settings.without.gifts;
        let share = block.len().div_ceil(threads);
        if threads == 1 {
            let Some(first) = block.first() else { return Ok(Vec::new()) };
            let mut judge = Judge::new(space, goal, bound, &first.entry, gifts);
            return Ok(vec![children(&mut self.expanders[0], &mut judge, block, 0, least_wanted, stop)?]);
        }
        std::thread::scope(|scope| {
            let running: Vec<_> = (block.chunks(share).zip(&mut self.expanders).enumerate())
                .map(|(number, (part, expander))| {
                    let first = (number * share) as u32;
                    scope.spawn(move || {
                        let mut judge = Judge::new(space, goal, bound, &part[0].entry, gifts);
                        children(expander, &mut judge, part, first, least_wanted, stop)
                    })
                })
                .collect();
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    /// Takes a win among the best if it belongs there.
    fn win(&mut self, entry: Entry<W>, value: i64, way: (u32, u32)) {
        self.wins_seen += 1;
        if value <= self.least_wanted() {
            return;
        }
        let gone = if self.settings.top == 1 { Bits::empty() } else { entry.place.key.gone };
        if let Some(known) = self.won.iter().position(|win| win.gone == gone) {
            if self.won[known].value >= value {
                return;
            }
            self.won.remove(known);
        }
        let at = self.won.partition_point(|win| win.value >= value);
        self.won.insert(at, Win { value, gone, way: Err(way) });
        self.won.truncate(self.settings.top);
    }

    /// Turns where each win comes from into what to do.
    fn trace_ways(&mut self) -> Result<(), SolveError> {
        for index in 0..self.won.len() {
            if let Err((node, ordinal)) = self.won[index].way {
                self.won[index].way = Ok(self.trace(node, ordinal)?);
            }
        }
        Ok(())
    }

    /// Follows the ordinals from the root again.
    fn trace(&mut self, node: u32, ordinal: u32) -> Result<Vec<Choice>, SolveError> {
        let mut steps = vec![(node, ordinal)];
        let mut node = node;
        while let Some((parent, ordinal)) = self.history.get(node as usize).filter(|(parent, _)| *parent != u32::MAX) {
            steps.push((*parent, *ordinal));
            node = *parent;
        }
        let mut choices = self.root_trail.clone();
        let mut entry = self.root;
        for (node, ordinal) in steps.into_iter().rev() {
            let block = self.blocks.partition_point(|(first, _)| *first <= node);
            let wanted = self.blocks[..block].last().map_or(i64::MIN, |(_, wanted)| *wanted);
            let mut found = None;
            let mut judge = Judge::new(self.space, self.goal, &self.bound, &entry, false);
            self.expanders[0].expand(&entry, &mut |next, trail| {
                let worth = judge.worth(&next)?;
                if judge.ordinal(&next) == Some(ordinal) {
                    found = Some((next, trail.to_vec()));
                }
                Ok(worth > wanted)
            })?;
            if let Some((Next::Open(next) | Next::Won(next), trail)) = found {
                choices.extend(trail);
                entry = next;
            }
        }
        Ok(choices)
    }

    /// A number that grows with every decision.
    fn depth(&self, entry: &Entry<W>) -> usize {
        let key = &entry.place.key;
        key.gone.count() as usize + key.purchases.into_iter().map(usize::from).sum::<usize>()
    }

    /// Bytes that are taken, roughly: lists grow by doubling, so up to twice what is in them.
    fn bytes(&self) -> usize {
        2 * self.open * Node::<W>::BYTES + self.history_bytes()
    }

    fn history_bytes(&self) -> usize {
        2 * self.history.len() * (size_of::<(u32, u32)>() + size_of::<bool>())
    }

    /// Gives up the less promising half of what waits.
    fn squeeze(&mut self, width: usize) -> usize {
        let widest = self.layers.iter().map(|layer| layer.nodes().len()).max().unwrap_or(1);
        let width = width.min((widest / 2).max(1));
        self.open = 0;
        for layer in &mut self.layers {
            self.given_up = self.given_up.max(layer.trim(width, i64::MIN));
            self.open += layer.nodes().len();
        }
        width
    }

    fn outcome(self) -> Outcome {
        let proven = self.upper <= self.least_wanted() || (self.upper == i64::MIN);
        let wins: Vec<Way> = (self.won.into_iter())
            .map(|win| Way { value: win.value.div_euclid(self.scale), choices: win.way.unwrap_or_default() })
            .collect();
        Outcome {
            proven,
            upper_bound: (self.upper > i64::MIN && self.upper < i64::MAX).then(|| self.upper.div_euclid(self.scale)),
            states: self.standing.states,
            wins_seen: self.wins_seen,
            passes: self.passes,
            most_open: self.most_open,
            wins,
        }
    }
}
