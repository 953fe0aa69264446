//! Where on the map episodes are lost: the losing decisions of a floor, counted by tile, over its picture.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::eval::floor::BatchFloor;
use crate::game::Position;
use crate::report::batch::Floor;
use crate::report::picture::HeatMap;

/// Tiles that have a line of their own below the map, at most.
const MOST_CAPTIONS: usize = 8;

/// The picture of a floor with its heading; none if no decision lost an episode there, or the map is too large.
pub fn heat_map(floor: &Floor<'_>, game: &BatchFloor) -> Option<(String, String)> {
    let (mut counts, mut whose) = (BTreeMap::new(), BTreeMap::<Position, Vec<(&str, usize)>>::new());
    for configuration in &floor.configurations {
        for losing in configuration.episodes.iter().filter_map(|episode| episode.losing.as_ref()) {
            *counts.entry(losing.target).or_default() += 1;
            let named = whose.entry(losing.target).or_default();
            match named.last_mut() {
                Some((name, count)) if *name == configuration.name => *count += 1,
                _ => named.push((&configuration.name, 1)),
            }
        }
    }
    if counts.is_empty() {
        return None;
    }
    let title = format!("Where episodes are lost: {}", floor.title);
    let total: usize = counts.values().sum();
    let note = floor.note.map(|note| format!(" Floor: {}.", note.trim_end_matches('.'))).unwrap_or_default();
    let remark = format!(
        "Losing decisions by the tile of their action: {total} of {} episodes, drawn on the floor at its start.{note}",
        floor.episodes().count()
    );
    let captions = captions(&counts, &whose, game);
    let map = HeatMap {
        game: &game.game,
        state: &game.start,
        title: &title,
        remark: &remark,
        counts: &counts,
        captions: &captions,
    };
    let svg = map.svg().ok()?;
    Some((title, svg))
}

/// The most frequent tiles, each with what stands there and who lost on it.
fn captions(
    counts: &BTreeMap<Position, usize>,
    whose: &BTreeMap<Position, Vec<(&str, usize)>>,
    game: &BatchFloor,
) -> Vec<String> {
    let mut tiles: Vec<(Position, usize)> = counts.iter().map(|(at, count)| (*at, *count)).collect();
    tiles.sort_by_key(|(at, count)| (Reverse(*count), *at));
    let mut captions: Vec<String> = (tiles.iter().take(MOST_CAPTIONS))
        .map(|(at, count)| {
            let named = whose.get(at).map(Vec::as_slice).unwrap_or_default();
            let named: Vec<String> = named.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let what = crate::report::picture::what_stands(&game.game, &game.start, *at);
            format!("{what} {at}: {count} ({})", named.join(", "))
        })
        .collect();
    if tiles.len() > MOST_CAPTIONS {
        captions.push(format!("and {} more tiles", tiles.len() - MOST_CAPTIONS));
    }
    captions
}
