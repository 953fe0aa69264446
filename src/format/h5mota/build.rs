//! What an import is made with: the project, the tables of the tower that grow as things are met, what is noted. Each
//! part of the import is an `impl` of its own file.

use std::collections::{BTreeMap, BTreeSet};

use super::block::Blocks;
use super::literal::{Kind, Value};
use super::options::Options;
use super::project::Project;
use super::report::{EventNote, OtherNote};
use crate::game::{Gate, Item, ItemValues, Monster, MonsterId, Number, Position, Thing, Variable, VariableId};

/// Why something is not modelled, in words.
pub(super) type Why = String;

/// A floor while it is imported.
#[derive(Debug)]
pub(super) struct Plan<'p> {
    pub id: &'p str,
    pub value: &'p Value,
    pub rows: &'p [Vec<u32>],
    pub ratio: Number,
    /// What `events` says of a tile.
    pub cells: BTreeMap<(u16, u16), &'p Value>,
    /// What `changeFloor` says of a tile.
    pub leaves: BTreeMap<(u16, u16), &'p Value>,
}

/// An import under way.
pub(super) struct Builder<'p> {
    pub project: &'p Project,
    pub options: &'p Options,
    pub blocks: Blocks,
    pub floors: Vec<Plan<'p>>,
    pub monsters: Vec<Monster>,
    pub monster_ids: BTreeMap<String, MonsterId>,
    pub things: Vec<Thing>,
    pub items: BTreeMap<(String, String), Item>,
    pub values: ItemValues,
    pub gates: Vec<Gate>,
    pub gate_ids: BTreeMap<String, u16>,
    pub variables: Vec<Variable>,
    pub variable_ids: BTreeMap<String, VariableId>,
    /// Names of quantities that something in the project sets.
    pub assigned: BTreeSet<String>,
    /// Numbers that events put on tiles.
    pub placed: BTreeMap<Position, BTreeSet<u32>>,
    /// Texts that flags are set to or compared with.
    pub texts: Vec<String>,
    /// Instructions that change floors, with the floor that they stand on; taken once they are looked at.
    pub changes: Vec<(Option<u16>, &'p Value)>,
    /// Where the hero comes to a floor, as far as ways and events say; none if that is not known of all of them.
    pub arrivals: BTreeMap<u16, Option<BTreeSet<Position>>>,
    /// Items whose collection is being read, by id.
    pub collecting: Vec<String>,
    /// What is said of the events of items.
    pub item_notes: Vec<EventNote>,
    /// What else is not modelled.
    pub others: BTreeMap<(&'static str, String), OtherNote>,
}

impl<'p> Builder<'p> {
    pub fn new(project: &'p Project, options: &'p Options) -> Self {
        let floors = project.floors.iter().map(|floor| Plan {
            id: &floor.id,
            value: &floor.value,
            rows: &floor.rows,
            ratio: floor.value.get_any(&["ratio", "item_ratio"]).and_then(number_of).unwrap_or(Number::ONE),
            cells: by_tile(floor.value.get("events")),
            leaves: by_tile(floor.value.get("changeFloor")),
        });
        let mut builder = Builder {
            project,
            options,
            blocks: Blocks::read(&project.blocks),
            floors: floors.collect(),
            monsters: Vec::new(),
            monster_ids: BTreeMap::new(),
            things: Vec::new(),
            items: BTreeMap::new(),
            values: ItemValues::default(),
            gates: Vec::new(),
            gate_ids: BTreeMap::new(),
            variables: Vec::new(),
            variable_ids: BTreeMap::new(),
            assigned: BTreeSet::new(),
            placed: BTreeMap::new(),
            texts: Vec::new(),
            changes: Vec::new(),
            arrivals: BTreeMap::new(),
            collecting: Vec::new(),
            item_notes: Vec::new(),
            others: BTreeMap::new(),
        };
        builder.look_ahead();
        builder
    }

    /// The index of a floor by its id, seen from another floor.
    pub fn floor_named(&self, id: &str, from: Option<u16>) -> Result<u16, Why> {
        let unknown = || "which floor it happens on is not known".to_owned();
        let last = u16::try_from(self.floors.len().saturating_sub(1)).unwrap_or(u16::MAX);
        match id {
            ":now" | "" => from.ok_or_else(unknown),
            ":before" => from.map(|from| from.saturating_sub(1)).ok_or_else(unknown),
            ":next" => from.map(|from| from.saturating_add(1).min(last)).ok_or_else(unknown),
            _ => {
                let found = self.floors.iter().position(|floor| floor.id == id);
                let index = found.and_then(|index| u16::try_from(index).ok());
                index.ok_or_else(|| format!("there is no floor {id:?} in play"))
            }
        }
    }

    /// A tile of a floor, if it has it.
    pub fn tile_at(&self, floor: u16, x: i64, y: i64) -> Result<Position, Why> {
        let outside = || format!("({x},{y}) lies outside the floor");
        let (column, row) = (u16::try_from(x).map_err(|_| outside())?, u16::try_from(y).map_err(|_| outside())?);
        let at = Position::new(floor, column, row);
        self.number_at(at).map(|_| at).ok_or_else(outside)
    }

    /// The number on the map of a floor.
    pub fn number_at(&self, at: Position) -> Option<u32> {
        let row = self.floors.get(usize::from(at.floor))?.rows.get(usize::from(at.y))?;
        row.get(usize::from(at.x)).copied()
    }

    /// A variable by its name, made if it is new.
    pub fn variable(&mut self, name: &str) -> Result<VariableId, Why> {
        if let Some(id) = self.variable_ids.get(name) {
            return Ok(*id);
        }
        let id = VariableId::try_from(self.variables.len()).map_err(|_| "there are too many variables".to_owned())?;
        let start = self.start_of(name);
        self.variables.push(Variable { name: name.to_owned(), start });
        self.variable_ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// The number that a text in a flag is: each text one of its own, far from what is calculated with.
    pub fn text_number(&mut self, text: &str) -> i64 {
        let known = self.texts.iter().position(|known| known == text);
        let index = known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        TEXTS + i64::try_from(index).unwrap_or(0)
    }

    /// Notes that something is not modelled, by what it is and its name.
    pub fn note(&mut self, what: &'static str, name: &str, why: &str, place: impl FnOnce() -> String) {
        let entry = self.others.entry((what, name.to_owned())).or_insert_with(|| OtherNote {
            what: what.to_owned(),
            name: name.to_owned(),
            count: 0,
            first: place(),
            why: why.to_owned(),
        });
        entry.count += 1;
    }

    /// Floor and tile in words: `MT1 (3,4)`.
    pub fn place_name(&self, at: Position) -> String {
        let floor = self.floors.get(usize::from(at.floor)).map_or("", |floor| floor.id);
        format!("{floor} ({},{})", at.x, at.y)
    }
}

/// The first number that stands for a text.
const TEXTS: i64 = 7_000_000_000_000;

/// The members of an object whose keys are tiles, `x,y`, in the order of rows.
pub(super) fn by_tile(value: Option<&Value>) -> BTreeMap<(u16, u16), &Value> {
    let members = value.map_or(&[][..], Value::members);
    let at = |key: &str| {
        let (x, y) = key.split_once(',')?;
        Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    members
        .iter()
        .filter(|(_, value)| value.kind != Kind::Null)
        .filter_map(|(key, value)| at(key).map(|at| (at, value)))
        .collect()
}

/// A number as a fraction.
pub(super) fn number_of(value: &Value) -> Option<Number> {
    number(&value.decimals()?)
}

/// Decimals as a fraction.
pub(super) fn number(decimals: &str) -> Option<Number> {
    let (whole, places) = decimals.split_once('.').unwrap_or((decimals, ""));
    let numerator: i128 = format!("{whole}{places}").parse().ok()?;
    let denominator = 10_i128.checked_pow(u32::try_from(places.len()).ok()?)?;
    Number::new(numerator, denominator)
}
