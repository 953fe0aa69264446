//! What a generated floor is made of: the numbers of section B.3 and how they grow with the number of rooms. Knows
//! nothing of how they are drawn.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::game::{MonsterId, Tower};

/// How many of something there are, drawn evenly.
pub type Count = RangeInclusive<u16>;

/// Rooms of the standard recipe, whose counts others are scaled from.
const STANDARD_ROOMS: u64 = 9;
/// The most rooms in a row or column.
pub const MOST_ROOMS: u16 = 16;
/// The longest side of a room, in tiles.
pub const LONGEST_SIDE: u16 = 15;

/// A recipe: sizes, counts, and the tower that lends monsters, item values and the hero's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Rooms in a row, from 1.
    pub across: u16,
    /// Rooms in a column, from 2.
    pub down: u16,
    /// Tiles on a side of a room, from 1.
    pub side: u16,
    /// Links beyond those of the spanning tree.
    pub extra_links: Count,
    /// Red gems, outside the start room.
    pub red_gems: Count,
    /// Blue gems, in any room but the boss's.
    pub blue_gems: Count,
    /// Red potions, in any room but the boss's.
    pub red_potions: Count,
    /// Blue potions, outside the start room.
    pub blue_potions: Count,
    /// Monsters that do not stand in a link, outside the start room.
    pub monsters: Count,
    /// Yellow keys fewer than yellow doors; of keys there is always one.
    pub missing_keys: Count,
    /// Whose monsters, item values and hero are used.
    pub table: Arc<Tower>,
}

/// A recipe that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// A size out of its range.
    #[error("{what} must be from {least} to {most}, not {found}")]
    Size {
        /// Which size.
        what: &'static str,
        /// The least.
        least: u16,
        /// The most.
        most: u16,
        /// What was asked for.
        found: u16,
    },
    /// A range that holds no number.
    #[error("the range of {0} is empty: its first number is above its last")]
    EmptyRange(&'static str),
    /// More things than tiles.
    #[error("up to {things} things must find a place in {rooms}, which have {tiles} tiles")]
    NoRoom {
        /// The most that the counts allow.
        things: u32,
        /// Where they must go.
        rooms: &'static str,
        /// Tiles there.
        tiles: u32,
    },
    /// A table without a type of monster to place.
    #[error("the floor `{0}`, whose monsters are used, has no monster besides the boss")]
    NoMonster(String),
    /// A table in which something that is placed gives nothing.
    #[error("the floor `{tower}`, whose items are used, does not say what a {item} gives")]
    NoValue {
        /// The tower.
        tower: String,
        /// The item.
        item: &'static str,
    },
}

impl Recipe {
    /// Of a hundred links that do not lead into the boss's room, how many are doors.
    pub const DOORS: u32 = 35;
    /// Of a hundred links that do not lead into the boss's room, how many are monsters; the rest is open.
    pub const MONSTERS: u32 = 45;

    /// The recipe of section B.3 for any number of rooms: nine rooms of side three are the standard floor.
    ///
    /// Monsters and further links, and with the links doors and keys, are scaled by the number of rooms, to the nearest
    /// whole number. Gems and potions are not more on larger floors: with more of them the hero outgrows the monster
    /// table, and larger floors would be easier instead of harder.
    pub fn sized(across: u16, down: u16, side: u16, table: Arc<Tower>) -> Self {
        let rooms = u64::from(across) * u64::from(down);
        let by = |rooms: u64, least: u64, most: u64| {
            let scale = |count: u64| (2 * count * rooms + STANDARD_ROOMS) / (2 * STANDARD_ROOMS);
            let count = |count: u64| u16::try_from(scale(count)).unwrap_or(u16::MAX);
            count(least)..=count(most)
        };
        let scaled = |least, most| by(rooms, least, most);
        let bounded = |least, most| by(rooms.min(STANDARD_ROOMS), least, most);
        Recipe {
            across,
            down,
            side,
            extra_links: scaled(1, 2),
            red_gems: bounded(5, 6),
            blue_gems: bounded(3, 5),
            red_potions: bounded(3, 5),
            blue_potions: bounded(1, 2),
            monsters: scaled(3, 5),
            missing_keys: 0..=1,
            table,
        }
    }

    /// Whether this is the recipe of the standard floor.
    pub fn is_standard(&self) -> bool {
        *self == Recipe::sized(3, 3, 3, self.table.clone())
    }

    /// Rooms in all.
    pub fn rooms(&self) -> usize {
        usize::from(self.across) * usize::from(self.down)
    }

    /// Pairs of rooms that lie side by side, each with the lower number first.
    pub fn neighbours(&self) -> Vec<(usize, usize)> {
        let (across, rooms) = (usize::from(self.across), self.rooms());
        (0..rooms)
            .flat_map(|room| {
                let right = (room % across + 1 < across).then_some((room, room + 1));
                let below = (room + across < rooms).then_some((room, room + across));
                right.into_iter().chain(below)
            })
            .collect()
    }

    /// The types of monsters that can be placed: all but the boss.
    pub fn types(&self) -> Vec<MonsterId> {
        let rows = self.table.monsters.iter().enumerate();
        rows.filter(|(_, monster)| !monster.boss).map(|(id, _)| id as MonsterId).collect()
    }

    /// The types that guard the boss's room: the last two of the table, on the standard floor Slime Lord and Bat.
    pub fn guards(&self) -> Vec<MonsterId> {
        let types = self.types();
        types[types.len().saturating_sub(2)..].to_vec()
    }

    /// Checks that every floor of this recipe can be laid out.
    ///
    /// # Errors
    /// [`RecipeError`].
    pub fn check(&self) -> Result<(), RecipeError> {
        let size = |what, found, least, most| match (least..=most).contains(&found) {
            true => Ok(()),
            false => Err(RecipeError::Size { what, least, most, found }),
        };
        size("the number of rooms in a row", self.across, 1, MOST_ROOMS)?;
        size("the number of rooms in a column", self.down, 2, MOST_ROOMS)?;
        size("the side of a room", self.side, 1, LONGEST_SIDE)?;
        for (what, count) in self.counts() {
            if count.is_empty() {
                return Err(RecipeError::EmptyRange(what));
            }
        }
        if self.types().is_empty() {
            return Err(RecipeError::NoMonster(self.table.name.clone()));
        }
        for (item, gives, count) in [
            ("red gem", self.table.items.red_gem, &self.red_gems),
            ("blue gem", self.table.items.blue_gem, &self.blue_gems),
            ("red potion", self.table.items.red_potion, &self.red_potions),
            ("blue potion", self.table.items.blue_potion, &self.blue_potions),
        ] {
            if gives == 0 && *count.end() > 0 {
                return Err(RecipeError::NoValue { tower: self.table.name.clone(), item });
            }
        }
        self.check_places()
    }

    fn counts(&self) -> [(&'static str, &Count); 7] {
        [
            ("extra links", &self.extra_links),
            ("red gems", &self.red_gems),
            ("blue gems", &self.blue_gems),
            ("red potions", &self.red_potions),
            ("blue potions", &self.blue_potions),
            ("monsters", &self.monsters),
            ("missing keys", &self.missing_keys),
        ]
    }

    fn check_places(&self) -> Result<(), RecipeError> {
        let most = |count: &Count| u32::from(*count.end());
        let tiles = u32::from(self.side) * u32::from(self.side);
        let outside = tiles * (self.rooms() as u32).saturating_sub(2);
        let far = most(&self.red_gems) + most(&self.blue_potions) + most(&self.monsters);
        if far > outside {
            return Err(RecipeError::NoRoom { things: far, rooms: "the rooms between start and boss", tiles: outside });
        }
        let tree = self.rooms() as u32 - 1;
        let links = (tree + most(&self.extra_links)).min(self.neighbours().len() as u32);
        let all = far + most(&self.blue_gems) + most(&self.red_potions) + links.max(1);
        // The hero stands on one tile of the start room.
        let tiles = outside + tiles - 1;
        match all > tiles {
            true => Err(RecipeError::NoRoom { things: all, rooms: "the rooms without the boss", tiles }),
            false => Ok(()),
        }
    }
}
