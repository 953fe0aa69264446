//! A whole game as it lies before the first move. Knows its parts; `validity` knows what is well formed, `play` what may be done.

use super::blueprint::Blueprint;
use super::event::Event;
use super::floor::Floor;
use super::hero::Hero;
use super::kind::{Barrier, Gate, Goal, Passage, Thing, Variable};
use super::monster::Monster;
use super::position::Position;
use super::rules::Rules;
use super::script::{self, Instruction};
use super::shop::Shop;
use super::tile::{Gem, Item, Potion, StairWay, Tile};

/// Index of a row of a tower's monster table.
pub type MonsterId = u16;

/// Index of a row of a tower's things.
pub type ThingId = u16;

/// Index of a row of a tower's gates.
pub type GateId = u16;

/// Index of a tower's variable.
pub type VariableId = u16;

/// One or more floors, joined by stairs, with everything that stands on them and the hero's start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tower {
    /// Short name: letters, digits, `_` and `-`.
    pub name: String,
    /// What people read.
    pub title: String,
    /// A remark that belongs under every table and picture of this tower, such as where its numbers come from.
    pub note: Option<String>,
    /// What is meant to make it hard, in words; none if nobody says.
    pub mechanism: Option<String>,
    /// What made it; none if people did.
    pub origin: Option<Origin>,
    /// Whose rules its fights follow.
    pub rules: Rules,
    /// The hero at the start.
    pub hero: Hero,
    /// Where the hero starts: an open tile.
    pub start: Position,
    /// What items give.
    pub items: ItemValues,
    /// The monster table; `Tile::Monster` points into it.
    pub monsters: Vec<Monster>,
    /// What its shops sell; none if it has no shop.
    pub shop: Option<Shop>,
    /// The floors, from the lowest.
    pub floors: Vec<Floor>,
    /// Pairs of tiles joined across floors.
    pub stairs: Vec<(Position, Position)>,
    /// Ways that lead in one direction only.
    pub passages: Vec<Passage>,
    /// Sides of tiles that cannot be crossed from within.
    pub barriers: Vec<Barrier>,
    /// Items of its own; `Item::Thing` points into it.
    pub things: Vec<Thing>,
    /// Doors of its own; `Tile::Gate` points into it.
    pub gates: Vec<Gate>,
    /// What its events keep.
    pub variables: Vec<Variable>,
    /// What happens by script.
    pub events: Vec<Event>,
    /// What wins the game.
    pub goal: Goal,
    /// What whoever drew it says of its parts.
    pub blueprint: Blueprint,
}

/// How a tower can be made again, and what is known of it since then. Nothing here changes how it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The command that made it.
    pub command: String,
    /// The random generator that was drawn from; none if there was none.
    pub random: Option<String>,
    /// Final HP under best play, as it was found then; none if it was not.
    pub optimum: Option<i64>,
}

/// Points that each item of a tower gives. Keys give one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemValues {
    /// ATK of a red gem.
    pub red_gem: i64,
    /// DEF of a blue gem.
    pub blue_gem: i64,
    /// MDEF of a green gem.
    pub green_gem: i64,
    /// HP of a red potion.
    pub red_potion: i64,
    /// HP of a blue potion.
    pub blue_potion: i64,
    /// HP of a yellow potion.
    pub yellow_potion: i64,
    /// HP of a green potion.
    pub green_potion: i64,
    /// ATK of a sword.
    pub sword: i64,
    /// DEF of a shield.
    pub shield: i64,
}

impl ItemValues {
    /// The hero with `item` in hand; `None` if a quantity leaves `i64`.
    pub fn give(&self, hero: &Hero, item: Item) -> Option<Hero> {
        let mut after = *hero;
        let (raised, points) = match item {
            Item::Key(colour) => (&mut after.keys[colour], 1),
            Item::Gem(Gem::Red) => (&mut after.atk, self.red_gem),
            Item::Gem(Gem::Blue) => (&mut after.def, self.blue_gem),
            Item::Gem(Gem::Green) => (&mut after.mdef, self.green_gem),
            Item::Potion(Potion::Red) => (&mut after.hp, self.red_potion),
            Item::Potion(Potion::Blue) => (&mut after.hp, self.blue_potion),
            Item::Potion(Potion::Yellow) => (&mut after.hp, self.yellow_potion),
            Item::Potion(Potion::Green) => (&mut after.hp, self.green_potion),
            Item::Sword => (&mut after.atk, self.sword),
            Item::Shield => (&mut after.def, self.shield),
            Item::Thing(_) => return Some(after),
        };
        *raised = raised.checked_add(points)?;
        Some(after)
    }

    /// The values under the names that files use.
    pub fn named(&self) -> [(&'static str, i64); 9] {
        [
            ("red_gem", self.red_gem),
            ("blue_gem", self.blue_gem),
            ("green_gem", self.green_gem),
            ("red_potion", self.red_potion),
            ("blue_potion", self.blue_potion),
            ("yellow_potion", self.yellow_potion),
            ("green_potion", self.green_potion),
            ("sword", self.sword),
            ("shield", self.shield),
        ]
    }

    /// What an item gives, in words: `+75 HP`, `+1 yellow key`.
    pub fn describe(&self, item: Item) -> String {
        match item {
            Item::Key(colour) => format!("+1 {colour} key"),
            Item::Gem(Gem::Red) => format!("+{} ATK", self.red_gem),
            Item::Gem(Gem::Blue) => format!("+{} DEF", self.blue_gem),
            Item::Gem(Gem::Green) => format!("+{} MDEF", self.green_gem),
            Item::Potion(Potion::Red) => format!("+{} HP", self.red_potion),
            Item::Potion(Potion::Blue) => format!("+{} HP", self.blue_potion),
            Item::Potion(Potion::Yellow) => format!("+{} HP", self.yellow_potion),
            Item::Potion(Potion::Green) => format!("+{} HP", self.green_potion),
            Item::Sword => format!("+{} ATK", self.sword),
            Item::Shield => format!("+{} DEF", self.shield),
            Item::Thing(_) => String::new(),
        }
    }
}

impl Tower {
    /// The tile at a position; `None` outside the tower.
    pub fn tile(&self, at: Position) -> Option<Tile> {
        self.floors.get(usize::from(at.floor))?.tile(at.x, at.y)
    }

    /// All tiles with their positions, floor by floor, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = (Position, Tile)> + '_ {
        self.floors
            .iter()
            .enumerate()
            .flat_map(|(index, floor)| floor.tiles().map(move |(x, y, tile)| (Position::new(index as u16, x, y), tile)))
    }

    /// Where bosses stand.
    pub fn bosses(&self) -> impl Iterator<Item = Position> + '_ {
        self.tiles().filter(|(_, tile)| self.is_boss(*tile)).map(|(at, _)| at)
    }

    /// Whether defeating what stands on this tile wins the game.
    pub fn is_boss(&self, tile: Tile) -> bool {
        matches!(tile, Tile::Monster(id) if self.monsters.get(usize::from(id)).is_some_and(|monster| monster.boss))
    }

    /// Pairs joined by the rule of the published format: the way up of floor n joins the way down of floor n + 1.
    /// If a floor has several of one kind, the last in reading order counts, as in the published solver.
    pub fn stairs_by_rule(floors: &[Floor]) -> Vec<(Position, Position)> {
        let last = |index: usize, way: StairWay| {
            floors
                .get(index)?
                .tiles()
                .filter(|(_, _, tile)| *tile == Tile::Stair(way))
                .last()
                .map(|(x, y, _)| Position::new(index as u16, x, y))
        };
        (0..floors.len())
            .filter_map(|index| Some((last(index, StairWay::Up)?, last(index + 1, StairWay::Down)?)))
            .collect()
    }

    /// Whether it has nothing but what a tower of plain floors has: no events, things, gates, passages, barriers and
    /// abilities of the engine's later kind, and the boss for a goal.
    pub fn is_plain(&self) -> bool {
        self.goal == Goal::Boss
            && self.events.is_empty()
            && self.things.is_empty()
            && self.gates.is_empty()
            && self.passages.is_empty()
            && self.barriers.is_empty()
            && self.hero.marks.is_none()
            && self.rules.hatred == 0
            && !self.monsters.iter().any(|monster| monster.abilities.leave_marks())
    }

    /// Whether nothing in it wins the game: only an event could, and none does.
    pub fn has_no_goal(&self) -> bool {
        let of_events = self.events.iter().map(|event| &event.script);
        let mut scripts = of_events.chain(self.things.iter().map(|thing| &thing.script));
        let wins = |script| script::all(script).into_iter().any(|instruction| *instruction == Instruction::Win);
        self.goal == Goal::Event && !scripts.any(wins)
    }

    /// The hero with an item of this tower in hand; `None` if a quantity leaves `i64`. What a thing adds to variables
    /// and its script are the game's affair.
    pub fn give(&self, hero: &Hero, item: Item) -> Option<Hero> {
        match item {
            Item::Thing(thing) => {
                self.things.get(usize::from(thing)).map_or(Some(*hero), |thing| hero.plus(&thing.gain))
            }
            usual => self.items.give(hero, usual),
        }
    }
}
