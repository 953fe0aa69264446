//! How floors are joined in a file, and where one cannot walk: `[[floor.stairs]]`, `[[floor.barrier]]`. Knows the tiles of
//! a map, not its symbols.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;

use super::expression::outside;
use super::quantity::Place;
use crate::format::problem::{Problem, Problems};
use crate::format::table::Table;
use crate::game::{Barrier, Floor, Ladder, LadderKind, Passage, Position, Tile, Tower};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StairKeys {
    at: Place<2>,
    to: Place<3>,
    #[serde(default)]
    one_way: bool,
    ladder: Option<LadderName>,
}

/// What a ladder is for, as files say it.
#[derive(Clone, Copy, Debug, Deserialize)]
enum LadderName {
    #[serde(rename = "second way")]
    SecondWay,
    #[serde(rename = "quick exit")]
    QuickExit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BarrierKeys {
    from: Place<2>,
    to: Place<2>,
}

/// Two positions with their places in the file.
type PlacedPair = [(Position, Range<usize>); 2];

/// The ways of all floors.
#[derive(Default)]
pub(super) struct Ways {
    pairs: Vec<PlacedPair>,
    passages: Vec<PlacedPair>,
    barriers: Vec<PlacedPair>,
    /// Those of the pairs that are ladders, each with its first end first.
    ladders: BTreeMap<(Position, Position), LadderKind>,
    /// Whether stairs are listed, so that those that the maps show are not joined by rule.
    listed: bool,
}

impl Ways {
    /// Takes the ways of a floor out of its table.
    pub(super) fn read(&mut self, floor: u16, table: &mut Table<'_>, problems: &mut Problems) {
        self.listed |= table.has("stairs");
        for stairs in table.take_tables("stairs", problems) {
            let Some((keys, places)) = stairs.read::<StairKeys>(problems) else { continue };
            let ([x, y], [to_floor, to_x, to_y]) = (keys.at.0, keys.to.0);
            let (at, to) = (Position::new(floor, x, y), Position::new(to_floor, to_x, to_y));
            let list = if keys.one_way { &mut self.passages } else { &mut self.pairs };
            list.push([(at, places.of("at")), (to, places.of("to"))]);
            let Some(ladder) = keys.ladder else { continue };
            if keys.one_way {
                problems.push(Problem::at(places.of("ladder"), "a ladder leads both ways, and this is `one_way`"));
            }
            let before = self.ladders.insert((at.min(to), at.max(to)), ladder.kind());
            if before.is_some_and(|kind| kind != ladder.kind()) {
                let message = format!("another ladder joins {at} and {to}, and is of another kind");
                problems.push(Problem::at(places.of("ladder"), message));
            }
        }
        for barrier in table.take_tables("barrier", problems) {
            let Some((keys, places)) = barrier.read::<BarrierKeys>(problems) else { continue };
            let [from, to] = [keys.from.0, keys.to.0].map(|[x, y]| Position::new(floor, x, y));
            if from.x.abs_diff(to.x).saturating_add(from.y.abs_diff(to.y)) != 1 {
                let message = format!("{to} does not lie beside {from}");
                problems.push(Problem::at(places.of("to"), message));
            }
            self.barriers.push([(from, places.of("from")), (to, places.of("to"))]);
        }
    }

    /// Checks that all ends are there, and that those of pairs are stairs.
    pub(super) fn check(&self, floors: &[Floor], problems: &mut Problems) {
        let tile = |at: &Position| floors.get(usize::from(at.floor)).and_then(|floor| floor.tile(at.x, at.y));
        for (end, place) in self.pairs.iter().flatten() {
            let message = match tile(end) {
                Some(Tile::Stair(_)) => continue,
                Some(_) => format!("{end} is not a stair"),
                None => outside(*end, Some(floors)).unwrap_or_default(),
            };
            problems.push(Problem::at(place.clone(), message));
        }
        for (end, place) in self.passages.iter().chain(&self.barriers).flatten() {
            if let Some(message) = outside(*end, Some(floors)) {
                problems.push(Problem::at(place.clone(), message));
            }
        }
    }

    /// Puts them into the tower, whose floors are known.
    pub(super) fn put(self, tower: &mut Tower) {
        tower.stairs = match self.listed {
            true => self.pairs.into_iter().map(|[(at, _), (to, _)]| (at, to)).collect(),
            false => Tower::stairs_by_rule(&tower.floors),
        };
        let ends = |list: Vec<PlacedPair>| list.into_iter().map(|[(from, _), (to, _)]| (from, to));
        tower.passages = ends(self.passages).map(|(from, to)| Passage { from, to }).collect();
        tower.blueprint.ladders =
            self.ladders.into_iter().map(|((first, second), kind)| Ladder { first, second, kind }).collect();
        tower.barriers = ends(self.barriers).map(|(from, to)| Barrier { from, to }).collect();
    }
}

impl LadderName {
    fn kind(self) -> LadderKind {
        match self {
            LadderName::SecondWay => LadderKind::SecondWay,
            LadderName::QuickExit => LadderKind::QuickExit,
        }
    }
}

/// Whether a tower's stairs must be listed: because they are joined otherwise than by rule, or beside ladders or one-way ones.
fn must_list(tower: &Tower) -> bool {
    !tower.passages.is_empty()
        || !tower.blueprint.ladders.is_empty()
        || tower.stairs != Tower::stairs_by_rule(&tower.floors)
}

/// Appends the ways of a floor.
pub(super) fn write(tower: &Tower, floor: u16, text: &mut String) {
    let listed = must_list(tower);
    if listed && tower.stairs.is_empty() && tower.passages.is_empty() && floor == 0 {
        text.push_str("stairs = []\n");
    }
    let mut stairs = |at: Position, to: Position, more: &str| {
        let _ =
            writeln!(text, "\n[[floor.stairs]]\nat = [{}, {}]\nto = [{}, {}, {}]", at.x, at.y, to.floor, to.x, to.y);
        text.push_str(more);
    };
    for (at, to) in tower.stairs.iter().filter(|(at, _)| listed && at.floor == floor) {
        let ladder = match tower.blueprint.ladder(*at, *to) {
            Some(LadderKind::SecondWay) => "ladder = \"second way\"\n",
            Some(LadderKind::QuickExit) => "ladder = \"quick exit\"\n",
            None => "",
        };
        stairs(*at, *to, ladder);
    }
    for passage in tower.passages.iter().filter(|passage| passage.from.floor == floor) {
        stairs(passage.from, passage.to, "one_way = true\n");
    }
    for Barrier { from, to } in tower.barriers.iter().filter(|barrier| barrier.from.floor == floor) {
        let _ = writeln!(text, "\n[[floor.barrier]]\nfrom = [{}, {}]\nto = [{}, {}]", from.x, from.y, to.x, to.y);
    }
}
