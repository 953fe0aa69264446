//! Monsters where a floor should be quiet. Knows nothing of what they are worth.

use super::Mark;
use super::nook::name;
use super::site::{Site, distance};
use crate::game::Position;
use crate::game::sight::{hides, sees};

/// How far from a way in no monster stands, in columns and in rows.
const CLEAR: u16 = 3;

/// Monsters in the start's room, or with sight of it.
pub(super) fn seen(site: &Site<'_>) -> Vec<Mark> {
    let start = site.tower.start;
    let (squares, what): (Vec<Position>, _) = match site.room_at(start) {
        Some(room) => (room.squares().collect(), format!("the start's room `{}`", room.name)),
        None => (vec![start], "the start".to_owned()),
    };
    let of_one = |(at, _, monster): (Position, u16, &str)| {
        if squares.contains(&at) {
            return Some(Mark::new(at, format!("{monster} in {what}")));
        }
        let hides = |x: u16, y: u16| site.tower.tile(Position { x, y, ..at }).is_none_or(hides);
        let in_sight = squares.iter().filter(|square| sees(**square, at, hides));
        let in_sight = in_sight.min_by_key(|square| (distance(**square, at), **square))?;
        Some(Mark::new(at, format!("{monster} in sight of {what}: it is seen from {in_sight}")))
    };
    site.monsters().filter_map(of_one).collect()
}

/// Monsters too near to the start, a stair or a ladder.
pub(super) fn close(site: &Site<'_>) -> Vec<Mark> {
    let ways = || site.ends.iter().copied().chain([site.tower.start]);
    let of_one = |(at, _, monster): (Position, u16, &str)| {
        let near = ways().filter(|way| way.floor == at.floor && distance(*way, at) <= CLEAR);
        let way = near.min_by_key(|way| (distance(*way, at), *way))?;
        let what = if way == site.tower.start { "the start".to_owned() } else { format!("the {}", name(site, way)) };
        let far = match distance(way, at) {
            1 => "one square".to_owned(),
            squares => format!("{squares} squares"),
        };
        Some(Mark::new(at, format!("{monster} {far} from {what} at {way}; more than {CLEAR} are wanted")))
    };
    site.monsters().filter_map(of_one).collect()
}
