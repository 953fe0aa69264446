//! A look through the whole project before anything is made: which quantities something sets, and which numbers events
//! put on which tiles.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::block::Side;
use super::build::Builder;
use super::calc::Scene;
use super::code::Store;
use super::instruct::Pen;
use super::literal::{Kind, Value};
use crate::game::{Position, Tile};

static SET_FLAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:[sS]etFlag|addFlag)\(\s*['"]([^'"]+)['"]|flags\.([\w$]+)"#).ok());

impl<'p> Builder<'p> {
    /// Looks through the whole project.
    pub(super) fn look_ahead(&mut self) {
        let project = self.project;
        self.look_at_levels();
        for (index, floor) in project.floors.iter().enumerate() {
            self.look_at(&floor.value, u16::try_from(index).ok());
        }
        for value in [&project.common, &project.enemies, &project.data, &project.blocks] {
            self.look_at(value, None);
        }
        for item in project.items.values() {
            item.effect.iter().chain(&item.use_event).for_each(|value| self.look_at(value, None));
        }
    }

    fn look_at(&mut self, value: &'p Value, floor: Option<u16>) {
        match &value.kind {
            Kind::Text(text) | Kind::Code(text) if text.contains('(') || text.contains("flags") => {
                let found = SET_FLAG.iter().flat_map(|pattern| pattern.captures_iter(text));
                for name in found.filter_map(|found| found.get(1).or(found.get(2))) {
                    self.assigned.insert(format!("flag:{}", name.as_str()));
                }
            }
            Kind::List(items) => items.iter().for_each(|item| self.look_at(item, floor)),
            Kind::Object(members) => {
                self.look_at_instruction(value, floor);
                members.iter().for_each(|(_, member)| self.look_at(member, floor));
            }
            _ => {}
        }
    }

    fn look_at_instruction(&mut self, value: &'p Value, floor: Option<u16>) {
        match value.text_of("type") {
            Some("setValue" | "addValue") => {
                if let Some((store, name)) = value.text_of("name").and_then(Store::split) {
                    self.assigned.insert(format!("{}:{name}", store.word()));
                }
            }
            Some("setGlobalValue") => {
                if let Some(name) = value.text_of("name") {
                    self.assigned.insert(format!("values:{name}"));
                }
            }
            Some("insert") => {
                for index in 1..=value.get("args").map_or(0, |args| args.items().len()) {
                    self.assigned.insert(format!("flag:arg{index}"));
                }
            }
            Some("changeFloor") => self.changes.push((floor, value)),
            Some("setBlock" | "closeDoor") => self.look_at_block(value, floor),
            _ => {}
        }
    }

    fn look_at_block(&mut self, value: &Value, floor: Option<u16>) {
        let Some(number) = value.get_any(&["number", "id"]) else { return };
        let Ok(floor) = self.floor_named(value.text_of("floorId").unwrap_or(""), floor) else { return };
        let numbers = match (&number.kind, number.whole()) {
            (_, Some(number)) => u32::try_from(number).ok().into_iter().collect(),
            (Kind::Text(id), None) => self.blocks.numbers(id),
            _ => Vec::new(),
        };
        let locs = value.get("loc").map_or(&[][..], Value::items);
        let pairs = locs.iter().filter(|loc| matches!(loc.kind, Kind::List(_))).map(Value::items);
        for pair in pairs.chain([locs]) {
            if let [x, y] = pair
                && let (Some(x), Some(y)) = (x.whole(), y.whole())
                && let Ok(at) = self.tile_at(floor, x, y)
            {
                self.placed.entry(at).or_default().extend(numbers.iter().copied());
            }
        }
    }

    /// Finds out where the hero comes to each floor.
    pub(super) fn find_arrivals(&mut self) {
        let mut found: Vec<(u16, Option<Position>)> =
            self.start().ok().map(|at| (at.floor, Some(at))).into_iter().collect();
        let mut ways: Vec<(Position, &'p Value)> = Vec::new();
        for (index, floor) in (0_u16..).zip(&self.floors) {
            ways.extend(floor.leaves.iter().map(|((x, y), value)| (Position::new(index, *x, *y), *value)));
        }
        for (at, value) in ways {
            match self.way_to(at, value) {
                Ok(to) => found.push((to.floor, Some(to))),
                Err(_) => {
                    let floor = self.floor_named(value.text_of("floorId").unwrap_or(""), Some(at.floor));
                    found.extend(floor.ok().map(|floor| (floor, None)));
                }
            }
        }
        for (from, value) in std::mem::take(&mut self.changes) {
            let Ok(floor) = self.floor_named(value.text_of("floorId").unwrap_or(""), from) else { continue };
            let scene = Scene { home: floor, at: None, current: from.or(Some(floor)), hero: None, fold_flags: false };
            found.push((floor, Pen::new(self, scene).destination(value).ok()));
        }
        for (floor, at) in found {
            let known = self.arrivals.entry(floor).or_insert_with(|| Some(BTreeSet::new()));
            match (known.as_mut(), at) {
                (Some(known), Some(at)) => _ = known.insert(at),
                _ => *known = None,
            }
        }
    }

    /// Where the hero stands when he comes to a floor, if that is known.
    pub(super) fn arrival(&self, floor: u16) -> Option<Position> {
        let places = self.arrivals.get(&floor)?.as_ref()?;
        places.first().copied().filter(|_| places.len() == 1)
    }

    /// Where the hero stands when he touches a tile, if there is only one place beside it.
    pub(super) fn beside(&mut self, at: Position) -> Option<Position> {
        let mut places = Vec::new();
        for side in Side::ALL {
            let (x, y) = side.step();
            let Ok(beside) = self.tile_at(at.floor, i64::from(at.x) + x, i64::from(at.y) + y) else { continue };
            let tile = self.number_at(beside).map(|number| self.tile(beside, number));
            if !matches!(tile, Some(Ok(Tile::Wall))) {
                places.push(beside);
            }
        }
        places.first().copied().filter(|_| places.len() == 1)
    }
}
