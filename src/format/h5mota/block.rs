//! What the numbers of the maps mean: class, id, whether it can be walked over, its keys, from which sides. Knows
//! `maps.js`, not what is done with it.

use std::collections::BTreeMap;

use super::literal::{Kind, Value};

/// What a number of a map means.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its number.
    pub number: u32,
    /// Its class: `terrains`, `enemys`, `items`, …
    pub class: String,
    /// Its id; `none` if there is nothing.
    pub id: String,
    /// Whether it cannot be walked over.
    pub in_the_way: bool,
    /// What the engine starts on its own when it is reached, `openDoor` for instance.
    pub trigger: Option<String>,
    /// The keys of a door.
    pub keys: Option<Vec<(String, i64)>>,
    /// What happens after such a door was opened.
    pub after_opening: Option<Value>,
    /// What happens when such a block is touched, wherever it is.
    pub event: Option<Value>,
    /// Whether code is run when it is reached.
    pub script: bool,
    /// Sides through which it cannot be entered: up, down, left, right of it.
    pub no_entry: Vec<Side>,
    /// Sides through which it cannot be left.
    pub no_exit: Vec<Side>,
}

/// A side of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Above.
    Up,
    /// Below.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Side {
    /// All sides.
    pub const ALL: [Side; 4] = [Side::Up, Side::Down, Side::Left, Side::Right];

    /// By the engine's name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "up" => Side::Up,
            "down" => Side::Down,
            "left" => Side::Left,
            "right" => Side::Right,
            _ => return None,
        })
    }

    /// The other side.
    pub fn back(self) -> Self {
        match self {
            Side::Up => Side::Down,
            Side::Down => Side::Up,
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// One step this way: to the right, downwards.
    pub fn step(self) -> (i64, i64) {
        match self {
            Side::Up => (0, -1),
            Side::Down => (0, 1),
            Side::Left => (-1, 0),
            Side::Right => (1, 0),
        }
    }

    /// The sides that a value lists.
    pub fn of(value: Option<&Value>) -> Vec<Side> {
        value.map_or(Vec::new(), |value| value.items().iter().filter_map(Value::text).filter_map(Side::named).collect())
    }
}

impl Block {
    /// Whether it is a monster.
    pub fn is_enemy(&self) -> bool {
        self.class.starts_with("enemy")
    }

    /// Whether it is an item.
    pub fn is_item(&self) -> bool {
        self.class == "items"
    }
}

/// All blocks.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    by_number: BTreeMap<u32, Block>,
    by_id: BTreeMap<String, Vec<u32>>,
}

/// Numbers from here on are pictures of tile sets.
const TILE_SETS: u32 = 10_000;
/// The number of the wall that is not seen.
const AIR_WALL: u32 = 17;

impl Blocks {
    /// The blocks of `maps.js`.
    pub fn read(value: &Value) -> Self {
        let mut blocks = Blocks::default();
        for (key, entry) in value.members() {
            if let Ok(number) = key.trim().parse::<u32>() {
                let block = block(number, entry);
                blocks.by_id.entry(block.id.clone()).or_default().push(number);
                blocks.by_number.insert(number, block);
            }
        }
        blocks
    }

    /// What a number means; nothing in the way if it means nothing.
    pub fn get(&self, number: u32) -> Block {
        if number != AIR_WALL
            && let Some(block) = self.by_number.get(&number)
        {
            return block.clone();
        }
        let (class, id, in_the_way) = match number {
            AIR_WALL => ("terrains", "airwall".to_owned(), true),
            TILE_SETS.. => ("tileset", format!("X{number}"), true),
            _ => ("terrains", "none".to_owned(), false),
        };
        Block {
            number,
            class: class.to_owned(),
            id,
            in_the_way,
            trigger: None,
            keys: None,
            after_opening: None,
            event: None,
            script: false,
            no_entry: if number == AIR_WALL { Side::ALL.to_vec() } else { Vec::new() },
            no_exit: Vec::new(),
        }
    }

    /// The numbers of an id, the lowest first: one that `maps.js` has, `none`, `airwall`, `X10012`, or digits.
    pub fn numbers(&self, id: &str) -> Vec<u32> {
        if let Some(numbers) = self.by_id.get(id) {
            return numbers.clone();
        }
        let digits = id.strip_prefix('X').unwrap_or(id);
        match id {
            "none" => vec![0],
            "airwall" => vec![AIR_WALL],
            _ => digits.parse().map_or(Vec::new(), |number| vec![number]),
        }
    }
}

fn block(number: u32, entry: &Value) -> Block {
    let class = entry.text_of("cls").unwrap_or("terrains").to_owned();
    let id = entry.text_of("id").map_or_else(|| number.to_string(), str::to_owned);
    let in_the_way = match (entry.get("canPass"), entry.get("noPass")) {
        (Some(can), _) => !can.counts_as_true(),
        (None, Some(cannot)) => cannot.counts_as_true(),
        (None, None) => class != "items",
    };
    let door = entry.get("doorInfo");
    let keys = door.map(|door| {
        let keys = door.get("keys").map_or(&[][..], Value::members);
        keys.iter().map(|(key, count)| (key.clone(), count.whole().unwrap_or(1).max(0))).collect()
    });
    let event = entry.get("event").filter(|event| !event.items().is_empty() || matches!(event.kind, Kind::Object(_)));
    Block {
        number,
        in_the_way,
        trigger: entry.text_of("trigger").map(str::to_owned),
        keys,
        after_opening: door.and_then(|door| door.get("afterOpenDoor")).cloned(),
        event: event.cloned(),
        script: matches!(entry.get("script").map(|script| &script.kind), Some(Kind::Text(_) | Kind::Code(_))),
        no_entry: Side::of(entry.get("cannotIn")),
        no_exit: Side::of(entry.get("cannotOut")),
        class,
        id,
    }
}
