//! Gates on the way: whether one may be opened, and those that open by themselves. What they need is the graph's affair.

use crate::game::State;

use super::bits::Bits;
use super::key::{Place, Space};

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
