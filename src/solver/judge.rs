//! What one state leads to, judged: the value of a win, the bound of a state, whether it can still improve the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bound::Bound;
use super::error::{SolveError, overflow};
use super::expand::{Expander, Next};
use super::goal::Goal;
use super::key::{Entry, Space};
use super::layer::Node;
use super::moves::Choice;

/// What an expanded state leads to, with its bound or value.
pub(super) struct Child<const W: usize> {
    pub next: Next<W>,
    pub worth: i64,
    /// HP that there would be if what was cleared on the way had cost nothing; `i64::MAX` where that is not asked for.
    pub gift: i64,
    pub node: u32,
    pub ordinal: u32,
}

/// Why a search may have to stop.
pub(super) struct Stop<'w> {
    pub asked: &'w (dyn Fn() -> bool + Sync),
    pub steps: Arc<AtomicU64>,
    pub most: u64,
}

impl Stop<'_> {
    /// Counts steps, and says whether to stop.
    pub(super) fn after(&self, steps: u32) -> bool {
        let before = self.steps.fetch_add(steps.into(), Ordering::Relaxed);
        before.saturating_add(steps.into()) > self.most || (self.asked)()
    }
}

/// Steps followed between two questions whether to stop.
const STEPS_BETWEEN_LOOKS: u32 = 4096;

/// Judges what one state leads to.
pub(super) struct Judge<'b, const W: usize> {
    space: &'b Space<W>,
    goal: Goal,
    bound: &'b Bound<W>,
    from: &'b Entry<W>,
    sums: Vec<i64>,
    scratch: Vec<i64>,
    count: u32,
    gifts: bool,
}

impl<'b, const W: usize> Judge<'b, W> {
    pub(super) fn new(space: &'b Space<W>, goal: Goal, bound: &'b Bound<W>, from: &'b Entry<W>, gifts: bool) -> Self {
        let mut judge = Judge { space, goal, bound, from, sums: Vec::new(), scratch: Vec::new(), count: 0, gifts };
        judge.look_at(from);
        judge
    }

    /// Turns to another state.
    fn look_at(&mut self, from: &'b Entry<W>) {
        self.from = from;
        self.count = 0;
        self.bound.sums(&from.place, &mut self.sums);
    }

    /// The value of a win, or the bound of a state or a way.
    pub(super) fn worth(&mut self, next: &Next<W>) -> Result<i64, SolveError> {
        match next {
            Next::Open(entry) | Next::Way(entry) => {
                Ok(self.bound.after(&self.from.place, &self.sums, &mut self.scratch, entry))
            }
            Next::Won(entry) => self.goal.of(&self.space.hero(&entry.place, entry.hp)?).ok_or_else(overflow),
        }
    }

    /// HP that a state would have if what was cleared on the way there had cost nothing; `i64::MAX` if it cost keys.
    fn gift(&self, next: &Next<W>, trail: &[Choice]) -> i64 {
        let Next::Open(entry) = next else { return i64::MAX };
        let free = |choice: &Choice| match choice {
            Choice::Clear(index) => self.space.graph.obstacles[usize::from(*index)].price == [0; 4],
            _ => false,
        };
        if !self.gifts || !trail.iter().all(free) {
            return i64::MAX;
        }
        let newly = entry.place.opened & !self.from.place.opened & self.space.fruitful;
        let taken = entry.place.key.gone & !self.from.place.key.gone & self.space.items;
        let areas = newly.iter().map(|area| self.space.graph.areas[area].gain.hp);
        let items = taken.iter().map(|index| self.space.graph.obstacles[index].gain.hp);
        areas.chain(items).fold(self.from.hp, i64::saturating_add)
    }

    /// The number of a state or a win among those that the one in view leads to.
    pub(super) fn ordinal(&mut self, next: &Next<W>) -> Option<u32> {
        if matches!(next, Next::Way(_)) {
            return None;
        }
        self.count += 1;
        Some(self.count - 1)
    }
}

/// What some states lead to, those left out that cannot improve the answer.
pub(super) fn children<'b, const W: usize>(
    expander: &mut Expander<W>,
    judge: &mut Judge<'b, W>,
    block: &'b [Node<W>],
    first: u32,
    least_wanted: i64,
    stop: &Stop<'_>,
) -> Result<Vec<Child<W>>, SolveError> {
    let mut found = Vec::new();
    let mut steps: u32 = 0;
    for (node, from) in (first..).zip(block) {
        judge.look_at(&from.entry);
        expander.expand(&from.entry, &mut |next, trail| {
            steps += 1;
            if steps == STEPS_BETWEEN_LOOKS && stop.after(std::mem::take(&mut steps)) {
                return Err(SolveError::Stopped);
            }
            let worth = judge.worth(&next)?;
            if let Some(ordinal) = judge.ordinal(&next)
                && worth > least_wanted
            {
                let gift = judge.gift(&next, trail);
                found.push(Child { next, worth, gift, node, ordinal });
            }
            Ok(worth > least_wanted)
        })?;
    }
    stop.after(steps);
    Ok(found)
}
