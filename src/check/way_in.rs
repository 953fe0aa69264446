//! Ways in to floors, and what lies where none leads. Knows nothing of what a floor is for.

use super::Mark;
use super::site::{Site, and_more, beside};
use super::squares::Squares;
use crate::game::Position;

/// Floors that nothing leads to.
pub(super) fn missing(site: &Site<'_>) -> Vec<Mark> {
    let closed = site.floors().filter(|floor| !has_way_in(site, *floor));
    let told = |floor: u16| {
        let first = site.open(floor).next().unwrap_or(Position::new(floor, 0, 0));
        Mark::new(
            first,
            format!("nothing leads to {}, neither the start nor stairs nor a ladder", site.floor_name(floor)),
        )
    };
    closed.map(told).collect()
}

/// Squares that cannot be walked to on their floor, told once for all that hang together. Of a floor without a way in
/// nothing is told.
pub(super) fn floating(site: &Site<'_>) -> Vec<Mark> {
    let mut seen = Squares::none(&site.tower.floors);
    for at in &site.ways_in {
        flood(site, *at, &mut seen);
    }
    let mut marks = Vec::new();
    for floor in site.floors().filter(|floor| has_way_in(site, *floor)) {
        for at in site.open(floor) {
            let count = flood(site, at, &mut seen);
            if let Some(more) = count.checked_sub(1) {
                let what = site.tower.tile(at).map(|tile| site.name(tile)).unwrap_or_default();
                let message = format!("{what} that no way in of its floor leads to{}", and_more(more));
                marks.push(Mark::new(at, message));
            }
        }
    }
    marks
}

fn has_way_in(site: &Site<'_>, floor: u16) -> bool {
    site.ways_in.iter().any(|at| at.floor == floor)
}

/// Adds what hangs together with a square; how many squares that are which were not seen yet.
fn flood(site: &Site<'_>, from: Position, seen: &mut Squares) -> usize {
    let (mut queue, mut count) = (vec![from], 0);
    while let Some(at) = queue.pop() {
        if site.is_open(at) && seen.insert(at) {
            count += 1;
            queue.extend(beside(at).into_iter().flatten());
        }
    }
    count
}
