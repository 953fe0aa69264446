//! The quick exit: whether it leads out and lets nobody in. Knows nothing of the boss behind whom it begins.

use super::Mark;
use super::reach::shut;
use super::site::Site;
use super::walk::Walk;
use crate::game::{Ladder, LadderKind};

/// The ladders that are quick exits; a tower has one, if any.
pub(super) fn quick_exits<'s>(site: &'s Site<'_>) -> impl Iterator<Item = Ladder> + 's {
    site.tower.blueprint.ladders.iter().filter(|ladder| ladder.kind == LadderKind::QuickExit).copied()
}

/// Why nothing can be said of it.
pub(super) fn missing(site: &Site<'_>) -> Option<&'static str> {
    quick_exits(site).next().is_none().then_some("it has no quick exit")
}

/// Quick exits from whose upper end the start is not reached.
pub(super) fn leads_out(site: &Site<'_>) -> Vec<Mark> {
    let tower = site.tower;
    let of_one = |ladder: Ladder| {
        // Whoever comes up has been below; what has been found on the way is with him, but he has pulled no lever within.
        let found = Walk::from(tower, tower.start, Some(ladder)).found();
        let walk = Walk::with(tower, ladder.first, Some(ladder), found);
        (!walk.reaches(tower.start)).then(|| {
            let start = tower.start;
            Mark::new(
                ladder.first,
                format!("the quick exit does not lead to the start at {start}{}", shut(site, &walk, start)),
            )
        })
    };
    quick_exits(site).filter_map(of_one).collect()
}

/// Quick exits whose upper end is reached from the start.
pub(super) fn let_in(site: &Site<'_>) -> Vec<Mark> {
    let of_one = |ladder: Ladder| {
        let walk = Walk::from(site.tower, site.tower.start, Some(ladder));
        walk.reaches(ladder.first).then(|| {
            Mark::new(
                ladder.first,
                "the quick exit is open from outside: the start leads to its upper end without the ladder",
            )
        })
    };
    quick_exits(site).filter_map(of_one).collect()
}
