//! Canonical keys: what determines everything about a state but its HP.
//!
//! The set of cleared obstacles determines which areas are open, hence items, attributes and gold earned; with the
//! keys left and the purchases made it determines all but HP. An obstacle in reach is *spent* if every area that it
//! touches is open and every obstacle beside it is in reach or gone: clearing it gives nothing. A canonical key counts
//! spent obstacles as cleared, so that states that differ in them only are one.
//!
//! Why that is exact: from two states with the same key the same areas can be opened by the same obstacles at the same
//! cost. A monster is never spent where its gold can buy something or where a fight can heal; the boss never is; nor is
//! an item, because taking it gives it.

use crate::game::{Colour, Game, Hero, Keys, Purchase, State};

use super::bits::Bits;
use super::error::SolveError;
use super::graph::{Graph, ObstacleKind};

/// A canonical key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key<const W: usize> {
    /// Obstacles that are cleared or spent.
    pub gone: Bits<W>,
    /// Keys left, in the order of `Colour::ALL`.
    pub keys: [u32; 4],
    /// Purchases made, in the order of `Purchase::ALL`.
    pub purchases: [u32; 4],
}

/// A key with what follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Place<const W: usize> {
    /// The key.
    pub key: Key<W>,
    /// Areas that are open.
    pub opened: Bits<W>,
    /// Obstacles in reach that are neither cleared nor spent.
    pub reach: Bits<W>,
}

/// A game with its graph and what decides whether a monster can be spent.
#[derive(Clone, Debug)]
pub struct Space<const W: usize> {
    /// The game.
    pub game: Game,
    /// Its graph.
    pub graph: Graph<W>,
    /// Doors of each colour, in the order of `Colour::ALL`.
    pub doors: [Bits<W>; 4],
    /// Obstacles that can be spent.
    spendable: Bits<W>,
}

impl<const W: usize> Space<W> {
    /// Makes a game ready for search.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or has something that breaks what the search rests on.
    pub fn new(game: &Game) -> Result<Self, SolveError> {
        let graph = Graph::new(game)?;
        let sells = game.tower().shop.is_some() && graph.areas.iter().any(|area| area.shop);
        let mut space = Space { game: game.clone(), graph, doors: [Bits::empty(); 4], spendable: Bits::empty() };
        for (index, obstacle) in space.graph.obstacles.iter().enumerate() {
            match obstacle.kind {
                ObstacleKind::Door(colour) => {
                    space.doors[colour as usize].insert(index);
                    space.spendable.insert(index);
                }
                ObstacleKind::Monster(id) => {
                    let monster = game.monster(id);
                    let earns = sells && monster.gold > 0;
                    if !monster.boss && !earns && !game.tower().rules.negative_damage {
                        space.spendable.insert(index);
                    }
                }
                ObstacleKind::Item(_) => {}
            }
        }
        Ok(space)
    }

    /// The place of a state of the game that has not ended, and the HP there: what lies in areas that are open counts
    /// as collected.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves its range.
    pub fn place_of(&self, state: &State) -> Result<(Place<W>, i64), SolveError> {
        let cleared = self.graph.cleared(state);
        let opened = self.graph.opened(&self.game, state);
        let left = opened.iter().flat_map(|area| &self.graph.areas[area].items);
        let hero = (left.filter(|(cell, _)| !state.cleared.contains(*cell)))
            .try_fold(state.hero, |hero, (_, item)| self.game.tower().items.give(&hero, *item).ok_or_else(overflow))?;
        let keys = keys_of(&hero.keys)?;
        let mut reach = Bits::empty();
        for area in opened.iter() {
            reach |= self.graph.areas[area].border;
        }
        for obstacle in cleared.iter() {
            reach |= self.graph.obstacles[obstacle].beside;
        }
        let key = Key { gone: cleared, keys, purchases: state.purchases };
        Ok((self.spend(Place { key, opened, reach: reach & !cleared }), hero.hp))
    }

    /// The place after an obstacle in reach is cleared, and the areas that this opens. Keys are those before it; the
    /// caller pays and collects.
    pub fn clear(&self, place: &Place<W>, index: usize) -> (Place<W>, Bits<W>) {
        let obstacle = &self.graph.obstacles[index];
        let newly = obstacle.areas & !place.opened;
        let mut next = *place;
        next.key.gone.insert(index);
        next.opened = place.opened | newly;
        let mut reach = place.reach | obstacle.beside;
        for area in newly.iter() {
            reach |= self.graph.areas[area].border;
        }
        next.reach = reach & !next.key.gone;
        (self.spend(next), newly)
    }

    /// Counts spent obstacles as gone. Obstacles in reach stay in reach, so one pass finds all.
    fn spend(&self, mut place: Place<W>) -> Place<W> {
        let known = place.reach | place.key.gone;
        let mut spent = Bits::empty();
        for index in (place.reach & self.spendable).iter() {
            let obstacle = &self.graph.obstacles[index];
            if obstacle.areas.is_within(place.opened) && obstacle.beside.is_within(known) {
                spent.insert(index);
            }
        }
        place.key.gone |= spent;
        place.reach = place.reach & !spent;
        place
    }

    /// The hero at a place, with `hp` HP: attributes, gold and keys follow from the place.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves `i64`.
    pub fn hero(&self, place: &Place<W>, hp: i64) -> Result<Hero, SolveError> {
        let mut hero = Hero { hp: 0, ..self.game.tower().hero };
        for area in place.opened.iter() {
            hero = self.collect(hero, area)?;
        }
        for index in place.key.gone.iter() {
            match self.graph.obstacles[index].kind {
                ObstacleKind::Door(_) => {}
                ObstacleKind::Monster(id) => {
                    hero.gold = hero.gold.checked_add(self.game.monster(id).gold).ok_or_else(overflow)?;
                }
                ObstacleKind::Item(item) => {
                    hero = self.game.tower().items.give(&hero, item).ok_or_else(overflow)?;
                }
            }
        }
        if let Some(shop) = &self.game.tower().shop {
            let mut made = 0;
            for (purchase, count) in Purchase::ALL.into_iter().zip(place.key.purchases) {
                for _ in 0..count {
                    let price = shop.price(made).ok_or_else(overflow)?;
                    hero = shop.sell(&hero, purchase, price).ok_or_else(overflow)?;
                    made += 1;
                }
            }
        }
        for (colour, count) in Colour::ALL.into_iter().zip(place.key.keys) {
            hero.keys[colour] = i64::from(count);
        }
        Ok(Hero { hp, ..hero })
    }

    /// The hero with everything that lies in an area.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves `i64`.
    pub fn collect(&self, hero: Hero, area: usize) -> Result<Hero, SolveError> {
        let values = &self.game.tower().items;
        let mut items = self.graph.areas[area].items.iter();
        items.try_fold(hero, |hero, (_, item)| values.give(&hero, *item).ok_or_else(overflow))
    }

    /// Doors of each colour that have been opened on the way to a place.
    pub fn doors_opened(&self, place: &Place<W>) -> Result<[u32; 4], SolveError> {
        let mut found = self.game.tower().hero.keys;
        let items = place.opened.iter().flat_map(|area| self.graph.areas[area].items.iter().map(|(_, item)| *item));
        let taken = place.key.gone.iter().filter_map(|index| match self.graph.obstacles[index].kind {
            ObstacleKind::Item(item) => Some(item),
            _ => None,
        });
        for item in items.chain(taken) {
            if let crate::game::Item::Key(colour) = item {
                found[colour] += 1;
            }
        }
        let found = keys_of(&found)?;
        Ok(std::array::from_fn(|colour| found[colour].saturating_sub(place.key.keys[colour])))
    }

    /// Whether a shop is in reach.
    pub fn sells(&self, place: &Place<W>) -> bool {
        place.opened.iter().any(|area| self.graph.areas[area].shop)
    }
}

/// Keys as a key counts them.
///
/// # Errors
/// [`SolveError::Overflow`] beyond 32 bits.
pub fn keys_of(keys: &Keys) -> Result<[u32; 4], SolveError> {
    let mut counts = [0; 4];
    for (count, colour) in counts.iter_mut().zip(Colour::ALL) {
        *count = u32::try_from(keys[colour])
            .map_err(|_| SolveError::Overflow(format!("the hero holds {} {colour} keys", keys[colour])))?;
    }
    Ok(counts)
}

/// An error for a sum that left `i64`.
pub fn overflow() -> SolveError {
    SolveError::Overflow("what the hero gains".into())
}
