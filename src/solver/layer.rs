//! States of one depth: of those with the same cleared set only the undominated are kept, and of all the most
//! promising where there are too many.

use std::cmp::Reverse;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::key::Entry;

/// A state that waits to be expanded.
#[derive(Clone, Copy, Debug)]
pub struct Node<const W: usize> {
    /// The state.
    pub entry: Entry<W>,
    /// The most that can be reached from it; `i64::MIN` once it is dominated.
    pub bound: i64,
    /// Which of the expanded states it comes from.
    pub parent: u32,
    /// Which of the things that that one leads to it is.
    pub ordinal: u32,
    next: u32,
}

/// No node.
const NONE: u32 = u32::MAX;

/// The states of one depth.
#[derive(Clone, Debug, Default)]
pub struct Layer<const W: usize> {
    nodes: Vec<Node<W>>,
    /// First node of each cleared set; further ones follow by `next`.
    index: HashTable<u32>,
}

/// Whether a state leaves no room for another with the same cleared set: as many HP, keys and bought points or more.
/// Where more points can be worse, purchases must be the same.
fn dominates<const W: usize>(a: &Entry<W>, b: &Entry<W>, more_is_better: bool) -> bool {
    let (mine, theirs) = (&a.place.key, &b.place.key);
    let at_least = |mine: &[u16], theirs: &[u16]| mine.iter().zip(theirs).all(|(mine, theirs)| mine >= theirs);
    a.hp >= b.hp
        && at_least(&mine.keys, &theirs.keys)
        && match more_is_better {
            true => at_least(&mine.purchases[1..], &theirs.purchases[1..]),
            false => mine.purchases == theirs.purchases,
        }
}

impl<const W: usize> Node<W> {
    /// Bytes that a node takes, with its place in the index; roughly.
    pub const BYTES: usize = size_of::<Node<W>>() + 2 * size_of::<u32>();

    /// A node that no other follows.
    pub fn new(entry: Entry<W>, bound: i64, parent: u32, ordinal: u32) -> Self {
        Node { entry, bound, parent, ordinal, next: NONE }
    }

    /// Whether nothing dominates it.
    pub fn is_alive(&self) -> bool {
        self.bound > i64::MIN
    }
}

impl<const W: usize> Layer<W> {
    /// The nodes.
    pub fn nodes(&self) -> &[Node<W>] {
        &self.nodes
    }

    /// The nodes alone.
    pub fn into_nodes(self) -> Vec<Node<W>> {
        self.nodes
    }

    /// Adds a node unless one that is there dominates it; those that it dominates go. Says whether one that is there
    /// has, besides, more HP than `gift`.
    #[inline]
    pub fn offer(&mut self, mut node: Node<W>, more_is_better: bool, gift: i64) -> bool {
        let gone = node.entry.place.key.gone;
        let Layer { nodes, index } = self;
        let hash = |node: &Node<W>| FxBuildHasher.hash_one(node.entry.place.key.gone);
        let found = index.find(hash(&node), |id| nodes[*id as usize].entry.place.key.gone == gone).copied();
        let Some(first) = found else {
            let id = nodes.len() as u32;
            index.insert_unique(hash(&node), id, |id| hash(&nodes[*id as usize]));
            nodes.push(node);
            return false;
        };
        let mut place = None;
        let mut id = first;
        while id != NONE {
            let known = &mut nodes[id as usize];
            if known.is_alive() && dominates(&known.entry, &node.entry, more_is_better) {
                let alike = known.entry.place.key.purchases == node.entry.place.key.purchases;
                return alike && known.entry.hp > gift;
            }
            if !known.is_alive() || dominates(&node.entry, &known.entry, more_is_better) {
                known.bound = i64::MIN;
                place.get_or_insert(id);
            }
            id = known.next;
        }
        match place {
            Some(id) => {
                node.next = nodes[id as usize].next;
                nodes[id as usize] = node;
            }
            None => {
                node.next = nodes[first as usize].next;
                nodes[first as usize].next = nodes.len() as u32;
                nodes.push(node);
            }
        }
        false
    }

    /// Keeps the `width` nodes of the highest bounds (of equal ones those with more HP, then the earlier); dominated
    /// nodes and those bounded by `least` go. Returns the highest bound that was given up.
    pub fn trim(&mut self, width: usize, least: i64) -> Option<i64> {
        let nodes = std::mem::take(&mut self.nodes);
        let (nodes, given_up) = best_of(nodes, width, least);
        self.index.clear();
        // Nodes come one by one, as they came first: none dominates another.
        for mut node in nodes {
            let hash = |node: &Node<W>| FxBuildHasher.hash_one(node.entry.place.key.gone);
            let id = self.nodes.len() as u32;
            let Layer { nodes, index } = self;
            node.next = NONE;
            let same = |other: &u32| nodes[*other as usize].entry.place.key.gone == node.entry.place.key.gone;
            match index.find(hash(&node), same).copied() {
                Some(first) => {
                    node.next = nodes[first as usize].next;
                    nodes[first as usize].next = id;
                }
                None => {
                    index.insert_unique(hash(&node), id, |id| hash(&nodes[*id as usize]));
                }
            }
            self.nodes.push(node);
        }
        given_up
    }
}

/// The `width` best of the nodes that are alive and bounded above `least`, in the order in which they came, and the
/// highest bound of those given up.
pub fn best_of<const W: usize>(mut nodes: Vec<Node<W>>, width: usize, least: i64) -> (Vec<Node<W>>, Option<i64>) {
    nodes.retain(|node| node.is_alive() && node.bound > least);
    if nodes.len() <= width {
        return (nodes, None);
    }
    let mut ranks: Vec<(Reverse<i64>, Reverse<i64>, u32)> = (nodes.iter().enumerate())
        .map(|(index, node)| (Reverse(node.bound), Reverse(node.entry.hp), index as u32))
        .collect();
    let (_, first_lost, _) = ranks.select_nth_unstable(width);
    let given_up = first_lost.0.0;
    let mut kept: Vec<u32> = ranks[..width].iter().map(|rank| rank.2).collect();
    kept.sort_unstable();
    (kept.into_iter().map(|index| nodes[index as usize]).collect(), Some(given_up))
}
