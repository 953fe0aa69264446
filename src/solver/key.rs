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

use crate::game::{Colour, Game, Hero, Purchase, State};

use super::bits::Bits;
use super::error::{SolveError, overflow};
use super::graph::{Gain, Graph, ObstacleKind, keys_of};

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
    /// Obstacles that are items.
    items: Bits<W>,
    /// Monsters whose gold can buy something.
    earning: Bits<W>,
    /// Keys at the start, in the order of `Colour::ALL`.
    start_keys: [u32; 4],
}

impl<const W: usize> Space<W> {
    /// Makes a game ready for search.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or has something that breaks what the search rests on.
    pub fn new(game: &Game) -> Result<Self, SolveError> {
        let graph = Graph::new(game)?;
        let sells = game.tower().shop.is_some() && graph.areas.iter().any(|area| area.shop);
        let mut space = Space {
            game: game.clone(),
            graph,
            doors: [Bits::empty(); 4],
            spendable: Bits::empty(),
            items: Bits::empty(),
            earning: Bits::empty(),
            start_keys: keys_of(&game.tower().hero.keys)?,
        };
        for (index, obstacle) in space.graph.obstacles.iter().enumerate() {
            match obstacle.kind {
                ObstacleKind::Door(colour) => {
                    space.doors[colour as usize].insert(index);
                    space.spendable.insert(index);
                }
                ObstacleKind::Monster(id) => {
                    let monster = game.monster(id);
                    let earns = sells && monster.gold > 0;
                    if earns {
                        space.earning.insert(index);
                    }
                    if !monster.boss && !earns && !game.tower().rules.negative_damage {
                        space.spendable.insert(index);
                    }
                }
                ObstacleKind::Item(_) => space.items.insert(index),
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
        let gained = self.gained(place)?;
        hero.atk = hero.atk.checked_add(gained.atk).ok_or_else(overflow)?;
        hero.def = hero.def.checked_add(gained.def).ok_or_else(overflow)?;
        hero.mdef = hero.mdef.checked_add(gained.mdef).ok_or_else(overflow)?;
        for index in (place.key.gone & self.earning).iter() {
            if let ObstacleKind::Monster(id) = self.graph.obstacles[index].kind {
                hero.gold = hero.gold.checked_add(self.game.monster(id).gold).ok_or_else(overflow)?;
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

    /// Doors of each colour that have been opened on the way to a place.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves its range.
    pub fn doors_opened(&self, place: &Place<W>) -> Result<[u32; 4], SolveError> {
        let gained = self.gained(place)?.keys;
        Ok(std::array::from_fn(|colour| {
            (self.start_keys[colour].saturating_add(gained[colour])).saturating_sub(place.key.keys[colour])
        }))
    }

    /// All that has been collected on the way to a place.
    fn gained(&self, place: &Place<W>) -> Result<Gain, SolveError> {
        let mut sum = Gain::default();
        for area in place.opened.iter() {
            sum = sum.plus(&self.graph.areas[area].gain)?;
        }
        for index in (place.key.gone & self.items).iter() {
            sum = sum.plus(&self.graph.obstacles[index].gain)?;
        }
        Ok(sum)
    }

    /// Whether a shop is in reach.
    pub fn sells(&self, place: &Place<W>) -> bool {
        place.opened.iter().any(|area| self.graph.areas[area].shop)
    }
}
