//! What stands and lies on a floor, counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Colour, Gem, Hero, Item, Keys, Tile, Tower};

/// What stands and lies on a floor, or on all floors of a tower.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inventory {
    /// Width and height of every floor, in tiles.
    pub sizes: Vec<(u16, u16)>,
    /// The hero at the start, before anything is collected.
    pub hero: Hero,
    /// Doors and monsters, the boss among them.
    pub obstacles: u32,
    /// Monsters, the boss left aside.
    pub monsters: u32,
    /// Doors by colour.
    pub doors: Keys,
    /// Keys by colour: those that lie about and those that the hero has at the start.
    pub keys: Keys,
    /// Red, blue and green gems.
    pub gems: [u32; 3],
    /// Potions of all kinds.
    pub potions: u32,
    /// Tiles at which something is sold.
    pub shops: u32,
    /// HP that all potions give together.
    pub potion_hp: i64,
}

impl Inventory {
    /// Counts.
    pub fn of(tower: &Tower) -> Self {
        let mut inventory = Inventory {
            sizes: tower.floors.iter().map(|floor| (floor.width(), floor.height())).collect(),
            hero: tower.hero,
            obstacles: 0,
            monsters: 0,
            doors: Keys::default(),
            keys: tower.hero.keys,
            gems: [0; 3],
            potions: 0,
            shops: 0,
            potion_hp: 0,
        };
        for (_, tile) in tower.tiles() {
            inventory.count(tower, tile);
        }
        inventory
    }

    /// Doors of all colours.
    pub fn all_doors(&self) -> i64 {
        Colour::ALL.into_iter().map(|colour| self.doors[colour]).sum()
    }

    fn count(&mut self, tower: &Tower, tile: Tile) {
        match tile {
            Tile::Door(colour) => {
                self.obstacles += 1;
                self.doors[colour] += 1;
            }
            Tile::Monster(_) => {
                self.obstacles += 1;
                self.monsters += u32::from(!tower.is_boss(tile));
            }
            Tile::Item(Item::Key(colour)) => self.keys[colour] = self.keys[colour].saturating_add(1),
            Tile::Item(Item::Gem(gem)) => {
                self.gems[match gem {
                    Gem::Red => 0,
                    Gem::Blue => 1,
                    Gem::Green => 2,
                }] += 1;
            }
            Tile::Item(item @ Item::Potion(_)) => {
                let none = Hero::default();
                let gives = tower.items.give(&none, item).map_or(0, |hero| hero.hp);
                self.potions += 1;
                self.potion_hp = self.potion_hp.saturating_add(gives);
            }
            Tile::Shop => self.shops += 1,
            _ => {}
        }
    }
}
