//! Nooks that stairs and ladders stand in. Knows nothing of where they lead.

use super::Mark;
use super::site::Site;
use crate::game::{Position, Tile};

/// Where stairs and ends of ladders are.
pub(super) fn all<'s>(site: &'s Site<'_>) -> impl Iterator<Item = Position> + 's {
    site.tower.tiles().filter(|(_, tile)| matches!(tile, Tile::Stair(_))).map(|(at, _)| at)
}

/// Those with more or fewer than one open side.
pub(super) fn open(site: &Site<'_>) -> Vec<Mark> {
    let of_one = |at: Position| {
        let sides = match site.open_beside(at).len() {
            1 => return None,
            0 => "no open side".to_owned(),
            count => format!("{count} open sides"),
        };
        Some(Mark::new(at, format!("{} with {sides}; a nook has one", name(site, at))))
    };
    all(site).filter_map(of_one).collect()
}

/// What stands at the end of a way between floors is called.
pub(super) fn name(site: &Site<'_>, at: Position) -> &'static str {
    if is_ladder(site, at) { "ladder" } else { "stairs" }
}

/// Whether a ladder ends here.
pub(super) fn is_ladder(site: &Site<'_>, at: Position) -> bool {
    site.tower.blueprint.ladders.iter().any(|ladder| ladder.first == at || ladder.second == at)
}
