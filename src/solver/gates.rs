//! Gates on the way: what they need, whether one may be opened, those that open by themselves, and what of it every way to the
//! boss passes.

use crate::game::State;

use super::bits::Bits;
use super::dominator::DominatorTree;
use super::key::{Place, Space};

/// What must have been done before a gate opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs<const W: usize> {
    /// Obstacles that must be gone.
    pub gone: Bits<W>,
    /// Areas that must be open.
    pub opened: Bits<W>,
    /// Whether it then opens by itself.
    pub by_itself: bool,
}

impl<const W: usize> Space<W> {
    /// Whether all has been done that an obstacle needs.
    #[inline]
    pub(super) fn may_open(&self, place: &Place<W>, index: usize) -> bool {
        let needs = &self.graph.obstacles[index].needs;
        !self.has_gates || (needs.gone.is_within(place.key.gone) && needs.opened.is_within(place.opened))
    }

    /// The place after all gates in reach have opened that do so by themselves, and the areas opened by then, those given
    /// among them.
    #[inline]
    pub(super) fn open_gates(&self, mut place: Place<W>, mut newly: Bits<W>) -> (Place<W>, Bits<W>) {
        if !self.has_gates {
            return (place, newly);
        }
        while let Some(gate) = (place.reach & self.by_itself).iter().find(|gate| self.may_open(&place, *gate)) {
            let (next, more) = self.clear(&place, gate);
            (place, newly) = (next, newly | more);
        }
        (place, newly)
    }

    /// Gates that an event has opened and that the hero has not come to: they count as gone once he has.
    pub(super) fn opened_from_afar(&self, state: &State) -> Bits<W> {
        let afar =
            |index: &usize| self.graph.obstacles[*index].parts.iter().any(|part| !state.region.contains(part.cell));
        self.by_itself.iter().filter(afar).collect()
    }
}

/// Nodes that must be passed to clear an obstacle, itself included: those that dominate it, what gates among them need,
/// what dominates that, and so on.
pub(super) fn forced<const W: usize>(space: &Space<W>, tree: &DominatorTree, obstacle: usize) -> Vec<bool> {
    let mut forced = vec![false; tree.parent.len()];
    let mut left = vec![obstacle];
    while let Some(wanted) = left.pop() {
        let mut node = Some(wanted).filter(|wanted| tree.parent[*wanted].is_some());
        while let Some(on_the_way) = node.filter(|node| *node != 0 && !forced[*node]) {
            forced[on_the_way] = true;
            if let Some(index) = tree.obstacle(on_the_way) {
                let needs = &space.graph.obstacles[usize::from(index)].needs;
                left.extend(needs.gone.iter().map(|index| tree.of_obstacle(index)));
                left.extend(needs.opened.iter().map(|area| tree.of_area(area)));
            }
            node = tree.parent[on_the_way].map(|up| up as usize);
        }
    }
    forced
}

/// Nodes that come into reach by the boss's fall alone, if what lies behind him is collected then: areas, and gates that
/// open by themselves, with nothing else between. Whatever else dominates such a node lies before the boss.
pub(super) fn behind_boss<const W: usize>(space: &Space<W>, tree: &DominatorTree, boss: usize) -> Vec<bool> {
    let mut behind = vec![false; tree.parent.len()];
    for &node in tree.order.iter().filter(|_| space.goes_on_after_boss) {
        let passed = tree.obstacle(node as usize).is_none_or(|index| space.by_itself.contains(index.into()));
        if let Some(up) = tree.parent[node as usize] {
            behind[node as usize] = passed && (up as usize == boss || behind[up as usize]);
        }
    }
    behind
}
