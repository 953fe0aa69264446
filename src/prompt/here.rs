//! The hero's floor as a prompt shows it that fits itself into a number of tokens, and the boss. Knows nothing of tokens.

use serde::Serialize;

use super::cut::LeftOut;
use super::observation::{AbilityView, EventView, GateView, ItemView, MonsterView, Observation, OneWayView};
use super::outline::FloorOutline;
use super::place::floor_label;
use crate::game::Position;

/// The index of no floor.
const NO_FLOOR: u16 = u16::MAX;

/// The hero's floor.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Here<'a> {
    pub floor: u16,
    pub label: String,
    /// The map or a part of it; none if it is left out.
    pub map: Option<Map<'a>>,
    pub monsters: Vec<On<'a, MonsterView>>,
    pub abilities: Vec<&'a AbilityView>,
    pub items: Vec<On<'a, ItemView>>,
    /// Whether where things stand is told beside the map.
    pub places: bool,
    pub stairs: Vec<Stair>,
    gates: Vec<On<'a, GateView>>,
    events: Vec<&'a EventView>,
    /// Sides of its tiles that cannot be crossed from the first tile to the second.
    barriers: Vec<&'a OneWayView>,
}

/// The boss.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Boss<'a> {
    #[serde(flatten)]
    view: &'a MonsterView,
    /// Where it stands.
    place: Position,
    /// Its floor.
    pub label: String,
    here: bool,
    /// Its floor in short; none on a tower of one floor.
    outline: Option<&'a FloorOutline>,
}

/// Stairs on the hero's floor.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stair {
    at: Position,
    to: Position,
    /// The floor that they lead to.
    label: String,
    /// Whether there is no way back on them.
    one_way: bool,
}

/// A part of a floor's map.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Map<'a> {
    rows: Vec<&'a [String]>,
    /// Number of the first column.
    left: usize,
    /// Number of the first row.
    top: usize,
    /// Whether it is the whole map.
    whole: bool,
}

/// Something of a kind, of which some is on this floor.
#[derive(Clone, Debug, Serialize)]
pub(super) struct On<'a, T> {
    #[serde(flatten)]
    view: &'a T,
    /// Where it is on this floor.
    here: Vec<Position>,
}

impl<'a, T> On<'a, T> {
    /// The kinds of which some is on a floor.
    fn of(views: &'a [T], floor: u16, at: impl Fn(&T) -> &[Position]) -> Vec<Self> {
        let here = |view| at(view).iter().filter(|at| at.floor == floor).copied().collect();
        let all = views.iter().map(|view| On { view, here: here(view) });
        all.filter(|on: &On<'_, T>| !on.here.is_empty()).collect()
    }
}

impl<'a> Here<'a> {
    /// Of an observation, without what is left out.
    pub fn of(observation: &'a Observation, left_out: &LeftOut) -> Self {
        let floor = observation.at.floor;
        let nothing = |left_out: bool, floor: u16| if left_out { NO_FLOOR } else { floor };
        let monsters = On::of(&observation.monsters, nothing(left_out.monsters, floor), |monster| &monster.at);
        let has = |ability: &&AbilityView| monsters.iter().any(|each| each.view.abilities.contains(&ability.name));
        let abilities = observation.abilities.iter().filter(|ability| !left_out.abilities && has(ability)).collect();
        let view = observation.floors.get(usize::from(floor));
        Here {
            floor,
            label: label(observation, floor),
            map: view.filter(|_| !left_out.map).map(|view| Map::of(&view.rows, observation.at, left_out.beyond)),
            abilities,
            monsters,
            items: On::of(&observation.items, nothing(left_out.items, floor), |item| &item.at),
            places: !left_out.places,
            stairs: Stair::of(observation, floor),
            gates: On::of(&observation.gates, floor, |gate| &gate.at),
            events: observation.events.iter().filter(|event| event.at.floor == floor).collect(),
            barriers: observation.barriers.iter().filter(|barrier| barrier.from.floor == floor).collect(),
        }
    }
}

impl Stair {
    /// The stairs and passages of a floor, those within it included.
    fn of(observation: &Observation, floor: u16) -> Vec<Self> {
        let stair =
            |at: Position, to: Position, one_way| Stair { at, to, label: label(observation, to.floor), one_way };
        let is_passage = |at: Position| observation.passages.iter().any(|passage| passage.from == at);
        let outline = observation.outlines.get(usize::from(floor)).into_iter().flat_map(|outline| &outline.stairs);
        let stairs = outline.filter(|each| !is_passage(each.at)).map(|each| stair(each.at, each.to, false));
        let passages = observation.passages.iter().filter(|passage| passage.from.floor == floor);
        stairs.chain(passages.map(|passage| stair(passage.from, passage.to, true))).collect()
    }
}

impl<'a> Boss<'a> {
    /// That of an observation.
    pub fn of(observation: &'a Observation) -> Option<Self> {
        let view = observation.monsters.iter().find(|monster| monster.boss)?;
        let place = *view.at.first()?;
        Some(Boss {
            view,
            place,
            label: label(observation, place.floor),
            here: place.floor == observation.at.floor,
            outline: observation.outlines.get(usize::from(place.floor)),
        })
    }
}

impl<'a> Map<'a> {
    /// As many tiles on each side of a place as are wanted, as far as there are.
    fn of(rows: &'a [Vec<String>], middle: Position, side: Option<u16>) -> Self {
        let width = rows.first().map_or(0, Vec::len);
        let range = |middle: u16, tiles: usize| match side {
            Some(side) => {
                let seen = 2 * usize::from(side) + 1;
                let from = usize::from(middle.saturating_sub(side)).min(tiles.saturating_sub(seen));
                from..(from + seen).min(tiles)
            }
            None => 0..tiles,
        };
        let (columns, lines) = (range(middle.x, width), range(middle.y, rows.len()));
        Map {
            rows: rows[lines.clone()].iter().map(|row| &row[columns.clone()]).collect(),
            left: columns.start,
            top: lines.start,
            whole: columns.len() == width && lines.len() == rows.len(),
        }
    }
}

/// What people call a floor.
pub(super) fn label(observation: &Observation, floor: u16) -> String {
    floor_label(floor, observation.floors.get(usize::from(floor)).map_or("", |floor| floor.name.as_str()))
}
