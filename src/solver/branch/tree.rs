//! What must be passed on the way to what, in the part of a survey that can be passed: its dominator tree.

use super::survey::Survey;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// The tree; made anew for each state, in the same memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The parent of each node; of node 0 itself; meaningless for nodes that are not in `order`.
    parent: Vec<u32>,
    /// The nodes that can be passed, parents before children, node 0 first.
    pub order: Vec<u32>,
    rank: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

impl Tree {
    /// Makes the tree of the nodes that `passed` marks. Nothing lies beyond `end`.
    pub(super) fn grow(&mut self, survey: &Survey, passed: &[bool], end: Option<usize>) {
        self.sort(survey, passed, end);
        self.parent.clear();
        self.parent.resize(survey.len(), NONE);
        self.parent[0] = 0;
        // By repeated intersection in reverse postorder (Cooper, Harvey and Kennedy). The survey's edges lead both
        // ways, so what lies beside a node is what leads to it; nothing leads on from `end`.
        let mut changed = true;
        while changed {
            changed = false;
            for index in 1..self.order.len() {
                let node = self.order[index];
                let mut found = NONE;
                for &from in survey.beside(node as usize) {
                    if self.parent[from as usize] != NONE && end != Some(from as usize) {
                        found = if found == NONE { from } else { self.meet(found, from) };
                    }
                }
                if found != self.parent[node as usize] {
                    self.parent[node as usize] = found;
                    changed = true;
                }
            }
        }
    }

    /// The node that must be passed last on the way to a node; node 0 for itself.
    #[inline]
    pub(super) fn parent(&self, node: usize) -> usize {
        self.parent[node] as usize
    }

    fn meet(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if self.rank[a as usize] > self.rank[b as usize] {
                a = self.parent[a as usize];
            } else {
                b = self.parent[b as usize];
            }
        }
        a
    }

    /// Reverse postorder.
    fn sort(&mut self, survey: &Survey, passed: &[bool], end: Option<usize>) {
        self.rank.clear();
        self.rank.resize(survey.len(), NONE);
        self.order.clear();
        self.stack.clear();
        self.stack.push((0, 0));
        self.rank[0] = 0;
        while let Some((node, at)) = self.stack.last_mut() {
            let beside = if end == Some(*node as usize) { &[] } else { survey.beside(*node as usize) };
            match beside.get(*at as usize) {
                Some(&next) => {
                    *at += 1;
                    if passed[next as usize] && self.rank[next as usize] == NONE {
                        self.rank[next as usize] = 0;
                        self.stack.push((next, 0));
                    }
                }
                None => {
                    self.order.push(*node);
                    self.stack.pop();
                }
            }
        }
        self.order.reverse();
        for (rank, node) in self.order.iter().enumerate() {
            self.rank[*node as usize] = rank as u32;
        }
    }
}
