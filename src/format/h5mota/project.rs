//! A project as its files say it: the values, which floors are in play, their maps. Knows the files' layout, not what
//! the things on the maps do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::ImportError;
use super::literal::{Kind, Value};
use super::source::{Source, source};
use crate::format::ReadError;

/// Tiles that a side of a floor may have.
pub const LARGEST_SIDE: usize = 256;
/// Floors that a project may have in play.
pub const MOST_FLOORS: usize = 2_000;

/// A project.
#[derive(Debug)]
pub struct Project {
    /// `data.js`: floors in play, hero, values, flags.
    pub data: Value,
    /// `maps.js`: what the numbers of the maps mean.
    pub blocks: Value,
    /// `enemys.js`: the monsters.
    pub enemies: Value,
    /// `items.js`, one entry an item whatever the generation: `cls`, `name`, `itemEffect`.
    pub items: BTreeMap<String, ItemEntry>,
    /// `events.js`: events that others insert by name.
    pub common: Value,
    /// The floors in play, in order.
    pub floors: Vec<FloorEntry>,
    /// Files of code that lie there and are not read.
    pub unread: Vec<&'static str>,
    /// What was odd, with its file and line.
    pub oddities: Vec<String>,
}

/// Files of a project that hold nothing but code.
const CODE: [&str; 2] = ["functions.js", "plugins.js"];

/// What `items.js` says of an item.
#[derive(Clone, Debug, Default)]
pub struct ItemEntry {
    /// `items`, `tools`, `constants` or `equips`; `keys` before 2.7.
    pub class: String,
    /// What people read.
    pub name: String,
    /// What collecting or using it does, as code.
    pub effect: Option<Value>,
    /// What using it does, as an event.
    pub use_event: Option<Value>,
    /// Whether it has an effect when it is used as a tool or worn.
    pub is_worn: bool,
}

/// A floor in play.
#[derive(Debug)]
pub struct FloorEntry {
    /// Its id.
    pub id: String,
    /// What its file says.
    pub value: Value,
    /// The numbers of its map, row by row, all rows of equal length.
    pub rows: Vec<Vec<u32>>,
}

impl Project {
    /// Reads the project in a folder: the folder `project`, or the one that holds it.
    ///
    /// # Errors
    /// [`ImportError`], naming file, line and what was expected.
    pub fn read(folder: &Path) -> Result<Self, ImportError> {
        let inner = folder.join("project");
        let folder = if inner.join("data.js").is_file() { inner } else { folder.to_owned() };
        if !folder.join("data.js").is_file() {
            return Err(ImportError::NotAProject(folder));
        }
        let mut oddities = Vec::new();
        let data = object(&folder.join("data.js"), &mut oddities)?;
        let blocks = object(&folder.join("maps.js"), &mut oddities)?;
        let enemies = object(&folder.join("enemys.js"), &mut oddities)?;
        let items = object(&folder.join("items.js"), &mut oddities)?;
        let events = folder.join("events.js");
        let common = match events.is_file() {
            true => object(&events, &mut oddities)?.read.value.get("commonEvent").cloned(),
            false => None,
        };
        let floors = floors(&folder, &data, &mut oddities)?;
        let nothing = Value { line: 1, kind: Kind::Null };
        Ok(Project {
            data: data.read.value,
            blocks: blocks.read.value,
            enemies: enemies.read.value,
            items: item_entries(&items.read.value),
            common: common.unwrap_or(nothing),
            floors,
            unread: CODE.into_iter().filter(|name| folder.join(name).is_file()).collect(),
            oddities,
        })
    }
}

/// A file that must assign an object.
fn object(path: &Path, oddities: &mut Vec<String>) -> Result<Source, ReadError> {
    let source = source(path)?;
    let value = &source.read.value;
    if !matches!(value.kind, Kind::Object(_)) {
        return Err(source.problem(value.line, format!("expected an object, found {}", value.name())));
    }
    for (key, line) in &source.read.repeated {
        oddities.push(format!("{}:{line}: the key {key:?} stands twice; the later one counts", source.name));
    }
    if let Some(line) = source.read.rest {
        oddities.push(format!("{}:{line}: what follows the object is not read", source.name));
    }
    Ok(source)
}

fn floors(folder: &Path, data: &Source, oddities: &mut Vec<String>) -> Result<Vec<FloorEntry>, ReadError> {
    let main = data.read.value.get("main");
    let Some(ids) = main.and_then(|main| main.get("floorIds")) else {
        return Err(data.problem(main.map_or(1, |main| main.line), "there is no list `floorIds` in `main`"));
    };
    if ids.items().is_empty() {
        return Err(data.problem(ids.line, format!("expected a list of floors, found {}", ids.name())));
    }
    if ids.items().len() > MOST_FLOORS {
        return Err(data.problem(ids.line, format!("a project may have {MOST_FLOORS} floors in play")));
    }
    let mut floors: Vec<FloorEntry> = Vec::new();
    for id in ids.items() {
        let Some(name) = id.text() else {
            return Err(data.problem(id.line, format!("expected the id of a floor, found {}", id.name())));
        };
        let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-@".contains(c));
        if !plain {
            return Err(data.problem(id.line, format!("{name:?} is no id of a floor")));
        }
        if floors.iter().any(|floor| floor.id == name) {
            return Err(data.problem(id.line, format!("the floor {name:?} stands twice in `floorIds`")));
        }
        let path: PathBuf = folder.join("floors").join(format!("{name}.js"));
        if !path.is_file() {
            let message = format!("the floor {name:?} has no file: {} is missing", path.display());
            return Err(data.problem(id.line, message));
        }
        floors.push(floor(name, &path, oddities)?);
    }
    Ok(floors)
}

fn floor(id: &str, path: &Path, oddities: &mut Vec<String>) -> Result<FloorEntry, ReadError> {
    let source = object(path, oddities)?;
    if let Some(other) = source.read.value.text_of("floorId").filter(|other| *other != id) {
        oddities.push(format!("{}: the floor calls itself {other:?}; it is {id:?}", source.name));
    }
    let rows = rows(&source)?;
    Ok(FloorEntry { id: id.to_owned(), value: source.read.value, rows })
}

/// The numbers of a map. Short rows are filled up with open floor, as the engine does.
fn rows(source: &Source) -> Result<Vec<Vec<u32>>, ReadError> {
    let value = &source.read.value;
    let Some(map) = value.get("map") else {
        return Err(source.problem(value.line, "there is no `map`"));
    };
    let side = |name: &str| value.get(name).and_then(Value::whole).and_then(|side| usize::try_from(side).ok());
    let longest = map.items().iter().map(|row| row.items().len()).max().unwrap_or(0);
    let (width, height) = (side("width").unwrap_or(longest), side("height").unwrap_or(map.items().len()));
    let larger = width.max(height).max(longest).max(map.items().len());
    if larger > LARGEST_SIDE {
        let message = format!("this floor has {width} × {height} tiles; a side may have {LARGEST_SIDE}");
        return Err(source.problem(map.line, message));
    }
    if width == 0 || height == 0 || map.items().is_empty() {
        return Err(source.problem(map.line, format!("expected rows of numbers, found {} without any", map.name())));
    }
    let mut rows = vec![vec![0; width]; height];
    for (row, read) in rows.iter_mut().zip(map.items()) {
        for (tile, number) in row.iter_mut().zip(read.items()) {
            *tile = match &number.kind {
                Kind::Null => 0,
                _ => number.whole().and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
                    source.problem(number.line, format!("expected the number of a tile, found {number}"))
                })?,
            };
        }
    }
    Ok(rows)
}

/// The items, whether the file has one object of all or one table a property, as before 2.7.
fn item_entries(value: &Value) -> BTreeMap<String, ItemEntry> {
    let older = value.get("items").filter(|items| items.get("cls").is_none());
    let effects = older.and_then(|_| value.get("itemEffect"));
    let uses = older.and_then(|_| value.get("useItemEffect"));
    let members = older.unwrap_or(value).members().iter().filter(|(_, item)| matches!(item.kind, Kind::Object(_)));
    members
        .map(|(id, item)| {
            let effect = effects.and_then(|effects| effects.get(id)).or(item.get("itemEffect"));
            let used = uses.and_then(|uses| uses.get(id)).or(item.get("useItemEffect"));
            let entry = ItemEntry {
                class: item.text_of("cls").unwrap_or("items").to_owned(),
                name: item.text_of("name").unwrap_or(id).to_owned(),
                effect: effect.cloned(),
                use_event: item.get("useItemEvent").cloned(),
                is_worn: used.is_some() || item.get("equip").is_some(),
            };
            (id.clone(), entry)
        })
        .collect()
}
