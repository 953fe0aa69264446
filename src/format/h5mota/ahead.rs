//! A look through the whole project before anything is made: which quantities something sets, and which numbers events
//! put on which tiles.

use std::sync::LazyLock;

use regex::Regex;

use super::build::Builder;
use super::code::Store;
use super::literal::{Kind, Value};

static SET_FLAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:[sS]etFlag|addFlag)\(\s*['"]([^'"]+)['"]|flags\.([\w$]+)"#).ok());

impl Builder<'_> {
    /// Looks through the whole project.
    pub(super) fn look_ahead(&mut self) {
        let project = self.project;
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

    fn look_at(&mut self, value: &Value, floor: Option<u16>) {
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

    fn look_at_instruction(&mut self, value: &Value, floor: Option<u16>) {
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
}
