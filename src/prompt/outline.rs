//! A floor in short: what is left on it, and what stands in the way there. Knows nothing of what is told of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::way::Ways;
use crate::game::{CellIndex, Fight, Game, Item, Position, State, Tile};

/// A floor in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FloorOutline {
    /// Index of the floor, from 0.
    pub floor: u16,
    /// Its name.
    pub name: String,
    /// Whether the hero can walk to it.
    pub reached: bool,
    /// What stands in the way there, the nearest first, on the way with the fewest obstacles; nothing if he can walk there,
    /// or if no way leads there.
    pub behind: Vec<StandsThere>,
    /// Whether some way leads there, once what stands in it is gone.
    pub has_way: bool,
    /// The monsters that stand on it, by kind.
    pub monsters: Vec<MonsterCount>,
    /// The items that lie on it, by kind.
    pub items: Vec<ItemCount>,
    /// The doors that are shut, by kind.
    pub doors: Vec<Count>,
    /// What else there is: shops, and what waits for the hero with an event, by its title.
    pub others: Vec<Count>,
    /// Its stairs and passages to other floors, in order.
    pub stairs: Vec<StairView>,
}

/// Stairs to another floor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct StairView {
    /// Where.
    pub at: Position,
    /// Where they lead.
    pub to: Position,
}

/// Something that stands on a tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandsThere {
    /// What, in words.
    pub what: String,
    /// Where.
    pub at: Position,
}

/// Monsters of a kind on a floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MonsterCount {
    /// Their name.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// HP that a fight with one costs now; none if the hero cannot hurt it.
    pub damage: Option<i64>,
    /// Whether that fight would be lethal now.
    pub lethal: bool,
    /// Whether it is the boss.
    pub boss: bool,
}

/// Items of a kind on a floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemCount {
    /// Their name.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// What one gives, in words.
    pub gives: String,
    /// Whether it is a key, of which the name says all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_key: bool,
}

/// Things of a kind on a floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Their name.
    pub name: String,
    /// How many there are.
    pub count: u32,
}

impl FloorOutline {
    /// Whether nothing is left on it but walls, stairs and open floor.
    pub fn is_empty(&self) -> bool {
        self.monsters.is_empty() && self.items.is_empty() && self.doors.is_empty() && self.others.is_empty()
    }
}

/// All floors of a state in short, by their index. A fight that cannot be computed counts as one that cannot be won.
pub fn outlines(game: &Game, state: &State) -> Vec<FloorOutline> {
    let ways = Ways::of(game, state);
    (game.tower().floors.iter().enumerate())
        .map(|(index, floor)| {
            let cells = game.graph().floor_cells(index as u16);
            let mut outline = FloorOutline {
                floor: index as u16,
                name: floor.name.clone(),
                reached: cells.clone().any(|cell| state.region.contains(cell)),
                behind: Vec::new(),
                has_way: true,
                monsters: Vec::new(),
                items: Vec::new(),
                doors: Vec::new(),
                others: Vec::new(),
                stairs: stairs(game, index as u16),
            };
            if !outline.reached {
                let nearest = ways.nearest(cells.clone());
                let obstacles = nearest.map(|cell| ways.obstacles(game, state, cell));
                outline.has_way = obstacles.is_some();
                let stands =
                    |cell| StandsThere { what: game.describe_at(state, cell), at: game.graph().position(cell) };
                outline.behind = obstacles.unwrap_or_default().into_iter().map(stands).collect();
            }
            fill(&mut outline, game, state, cells);
            outline
        })
        .collect()
}

/// Counts what is left on a floor.
fn fill(outline: &mut FloorOutline, game: &Game, state: &State, cells: std::ops::Range<CellIndex>) {
    // In the order of the monster table and of items, doors, colours.
    let (mut monsters, mut items) = (BTreeMap::new(), BTreeMap::new());
    let (mut doors, mut others) = (BTreeMap::new(), BTreeMap::new());
    for cell in cells {
        match game.tile_now(state, cell) {
            Tile::Monster(id) => *monsters.entry(id).or_insert(0) += 1,
            Tile::Item(item) => *items.entry(item).or_insert(0) += 1,
            tile @ Tile::Door(colour) => doors.entry(colour as u32).or_insert((game.describe(tile), 0)).1 += 1,
            tile @ Tile::Gate(id) => doors.entry(4 + u32::from(id)).or_insert((game.describe(tile), 0)).1 += 1,
            tile @ Tile::Shop => others.entry(0).or_insert((game.describe(tile), 0)).1 += 1,
            Tile::Event | Tile::Figure if game.has_event(state, cell) => {
                others.entry(cell + 1).or_insert((game.describe_at(state, cell), 0)).1 += 1
            }
            Tile::Event | Tile::Figure | Tile::Floor | Tile::Wall | Tile::Stair(_) => {}
        }
    }
    let counts = |counted: BTreeMap<u32, (String, u32)>| -> Vec<Count> {
        let mut counts: Vec<Count> = Vec::new();
        for (name, count) in counted.into_values() {
            match counts.iter_mut().find(|known| known.name == name) {
                Some(known) => known.count += count,
                None => counts.push(Count { name, count }),
            }
        }
        counts
    };
    (outline.doors, outline.others) = (counts(doors), counts(others));
    for (id, count) in monsters {
        let (monster, fight) = (game.monster_now(state, id), game.fight_now(state, id).unwrap_or(Fight::Unwinnable));
        outline.monsters.push(MonsterCount {
            name: monster.name.clone(),
            count,
            damage: fight.damage(),
            lethal: matches!(fight, Fight::Lethal { .. }),
            boss: monster.boss,
        });
    }
    for (item, count) in items {
        let (name, gives) = (game.describe_item(item), game.describe_gain(item));
        outline.items.push(ItemCount { name, count, gives, is_key: matches!(item, Item::Key(_)) });
    }
}

/// The stairs of a floor to others.
fn stairs(game: &Game, floor: u16) -> Vec<StairView> {
    let pairs = game.tower().stairs.iter().flat_map(|(from, to)| [(*from, *to), (*to, *from)]);
    let pairs = pairs.chain(game.tower().passages.iter().map(|passage| (passage.from, passage.to)));
    let lead_away = pairs.filter(|(at, to)| at.floor == floor && to.floor != floor);
    let mut stairs: Vec<StairView> = lead_away.map(|(at, to)| StairView { at, to }).collect();
    stairs.sort_unstable();
    stairs
}
