//! A whole game as it lies before the first move. Knows what is well formed; `play` knows what may be done.

use super::error::TowerError;
use super::floor::Floor;
use super::hero::Hero;
use super::monster::Monster;
use super::position::Position;
use super::rules::Rules;
use super::shop::Shop;
use super::tile::{Gem, Item, Potion, StairWay, Tile};

/// Index of a row of a tower's monster table.
pub type MonsterId = u16;

/// One or more floors, joined by stairs, with everything that stands on them and the hero's start.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// Checks what every tower must have, whatever file or generator it comes from.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), TowerError> {
        if self.floors.is_empty() || self.floors.len() > usize::from(u16::MAX) {
            return Err(TowerError::NoFloor);
        }
        if !self.tile(self.start).is_some_and(Tile::is_open) {
            return Err(TowerError::StartNotOpen(self.start));
        }
        let bosses: Vec<Position> = self.bosses().collect();
        match bosses.as_slice() {
            [] => return Err(TowerError::NoBoss),
            [_] => {}
            [first, second, ..] => return Err(TowerError::SecondBoss(*first, *second)),
        }
        for (at, tile) in self.tiles() {
            match tile {
                Tile::Monster(id) if usize::from(id) >= self.monsters.len() => {
                    return Err(TowerError::UnknownMonster(at));
                }
                Tile::Shop if self.shop.is_none() => return Err(TowerError::NothingForSale(at)),
                _ => {}
            }
        }
        for end in self.stairs.iter().flat_map(|(from, to)| [from, to]) {
            if !matches!(self.tile(*end), Some(Tile::Stair(_))) {
                return Err(TowerError::NotAStair(*end));
            }
        }
        self.validate_quantities()
    }

    fn validate_quantities(&self) -> Result<(), TowerError> {
        let wrong = |of: &str, what: &'static str, value: i64, least: i64| {
            (value < least).then(|| TowerError::Quantity { of: of.to_owned(), what, value, least })
        };
        let hero = &self.hero;
        let keys = hero.keys;
        let mut checks = vec![wrong("the hero", "hp", hero.hp, 1)];
        for (what, value) in [
            ("atk", hero.atk),
            ("def", hero.def),
            ("mdef", hero.mdef),
            ("gold", hero.gold),
            ("experience", hero.experience),
            ("yellow keys", keys.yellow),
            ("blue keys", keys.blue),
            ("red keys", keys.red),
            ("green keys", keys.green),
        ] {
            checks.push(wrong("the hero", what, value, 0));
        }
        for (what, value) in self.items.named() {
            checks.push(wrong("the items", what, value, 0));
        }
        for monster in &self.monsters {
            let of = &monster.name;
            checks.push(wrong(of, "hp", monster.hp, 1));
            for (what, value) in
                [("atk", monster.atk), ("def", monster.def), ("gold", monster.gold), ("experience", monster.experience)]
            {
                checks.push(wrong(of, what, value, 0));
            }
            if let Some(objection) = self.rules.objection(&monster.abilities) {
                return Err(TowerError::Ability { monster: of.clone(), objection });
            }
        }
        if let Some(shop) = &self.shop {
            for (what, value) in [
                ("first_price", shop.first_price),
                ("price_step", shop.price_step),
                ("hp", shop.hp),
                ("atk", shop.atk),
                ("def", shop.def),
                ("mdef", shop.mdef),
            ] {
                checks.push(wrong("the shop", what, value, 0));
            }
            if shop.first_price == 0 && shop.price_step == 0 {
                return Err(TowerError::FreeShop);
            }
        }
        checks.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}
