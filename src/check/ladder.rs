//! Stairs and ladders between floors. Knows nothing of what they are for.

use super::Mark;
use super::nook::all;
use super::site::Site;
use crate::game::{Ladder, Position, Tile};

/// Stairs that lead nowhere, and ladders that do not stand straight.
pub(super) fn unpaired(site: &Site<'_>) -> Vec<Mark> {
    let tower = site.tower;
    let leads = |at: Position| site.ends.contains(&at) || tower.passages.iter().any(|p| p.from == at || p.to == at);
    let alone = all(site).filter(|at| !leads(*at)).map(|at| Mark::new(at, "stairs that lead nowhere"));
    let of_ladder = |ladder: &Ladder| {
        let (first, second) = (ladder.first, ladder.second);
        let joined = tower.stairs.iter().any(|pair| *pair == (first, second) || *pair == (second, first));
        let why = if !joined {
            "which no stairs join"
        } else if first.floor == second.floor {
            "on the same floor"
        } else if (first.x, first.y) != (second.x, second.y) {
            "which does not lie straight above or below it"
        } else {
            return None;
        };
        Some(Mark::new(first, format!("a ladder to {second}, {why}")))
    };
    alone.chain(tower.blueprint.ladders.iter().filter_map(of_ladder)).collect()
}

/// Open squares in the way of ladders, on the floors between their ends; the first of each floor.
pub(super) fn uncovered(site: &Site<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for ladder in long(site) {
        for floor in ladder.first.floor + 1..ladder.second.floor {
            let (x, y) = (ladder.first.x, ladder.first.y);
            let rows = y.saturating_sub(1)..=y.saturating_add(1);
            let around =
                rows.flat_map(|y| (x.saturating_sub(1)..=x.saturating_add(1)).map(move |x| Position::new(floor, x, y)));
            let is_rock = |at: &Position| site.tower.tile(*at).is_none_or(|tile| tile == Tile::Wall);
            if let Some(at) = around.into_iter().find(|at| !is_rock(at)) {
                let (first, second) = (ladder.first, ladder.second);
                marks.push(Mark::new(
                    at,
                    format!("no rock around the ladder from {first} to {second}, which passes here"),
                ));
            }
        }
    }
    marks
}

/// Why nothing can be said of what ladders pass through.
pub(super) fn none_is_long(site: &Site<'_>) -> Option<&'static str> {
    long(site).next().is_none().then_some("no ladder passes a floor")
}

fn long<'s>(site: &'s Site<'_>) -> impl Iterator<Item = &'s Ladder> {
    let passes = |ladder: &&Ladder| ladder.second.floor.saturating_sub(ladder.first.floor) > 1;
    site.tower.blueprint.ladders.iter().filter(passes)
}
