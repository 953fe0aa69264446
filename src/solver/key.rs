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

use crate::game::{CellIndex, Colour, Game, Hero, Purchase, State};

use super::bits::Bits;
use super::error::{SolveError, overflow};
use super::gates::Needs;
use super::graph::{Gain, Graph, ObstacleKind};
use super::mechanism::Mechanisms;

/// A canonical key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key<const W: usize> {
    /// Obstacles that are cleared or spent.
    pub gone: Bits<W>,
    /// Keys left, in the order of `Colour::ALL`; of a colour of which there were enough for all doors from the start,
    /// the doors that are still shut.
    pub keys: [u16; 4],
    /// Purchases made, in the order of `Purchase::ALL`.
    pub purchases: [u16; 4],
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

/// A place, and the HP there.
#[derive(Clone, Copy, Debug)]
pub struct Entry<const W: usize> {
    /// The place.
    pub place: Place<W>,
    /// HP.
    pub hp: i64,
}

/// A game with its graph and what decides whether a monster can be spent.
#[derive(Clone, Debug)]
pub struct Space<const W: usize> {
    /// The game.
    pub game: Game,
    /// Its graph.
    pub graph: Graph<W>,
    /// Obstacles that take a key of each colour, in the order of `Colour::ALL`.
    pub doors: [Bits<W>; 4],
    /// Obstacles whose gold can buy something.
    pub earning: Bits<W>,
    /// Obstacles with a fight whose cost depends on HP.
    pub by_hp: Bits<W>,
    /// Areas that give something or sell.
    pub fruitful: Bits<W>,
    /// Areas in which a shop stands that sells something.
    pub shops: Bits<W>,
    /// Whether states that differ in spent obstacles only are one. Off where the very set of cleared obstacles counts.
    pub merges_spent: bool,
    /// Obstacles that can be spent.
    spendable: Bits<W>,
    /// Obstacles that are items.
    pub items: Bits<W>,
    /// Areas that raise an attribute.
    pub raising: Bits<W>,
    /// Keys at the start, in the order of `Colour::ALL`; at most as many as doors.
    start_keys: [u16; 4],
    /// Colours of which the start has a key for every door.
    plentiful: [bool; 4],
    /// Whether every obstacle takes one key of a colour at most.
    one_key_each: bool,
    /// Obstacles that others need.
    pub(super) needed: Bits<W>,
    /// Whether any obstacle needs anything.
    pub(super) has_gates: bool,
    /// Obstacles that open by themselves.
    pub(super) by_itself: Bits<W>,
    /// Whether what lies behind the boss is collected once he has fallen.
    pub goes_on_after_boss: bool,
}

impl<const W: usize> Space<W> {
    /// Makes a game ready for search on its own tiles.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or has something that breaks what the search rests on.
    pub fn new(game: &Game) -> Result<Self, SolveError> {
        Space::on(game, Graph::of_tiles(game)?, false)
    }

    /// Makes a game ready for search on a graph of it. Where keys that are left count, all are told apart; else those
    /// that no door needs are not counted.
    ///
    /// # Errors
    /// [`SolveError`] as [`Space::new`].
    pub fn on(game: &Game, graph: Graph<W>, keys_count: bool) -> Result<Self, SolveError> {
        let sold = (game.tower().shop.as_ref())
            .is_some_and(|shop| Purchase::ALL.into_iter().any(|purchase| shop.amount(purchase) > 0));
        let needs: Vec<Needs<W>> = graph.obstacles.iter().map(|obstacle| obstacle.needs).collect();
        let needed_areas = needs.iter().fold(Bits::empty(), |all, needs| all | needs.opened);
        let mut space = Space {
            game: game.clone(),
            doors: [Bits::empty(); 4],
            earning: Bits::empty(),
            by_hp: Bits::empty(),
            fruitful: Bits::empty(),
            shops: (0..graph.areas.len()).filter(|area| sold && graph.areas[*area].shop).collect(),
            merges_spent: true,
            spendable: Bits::empty(),
            items: Bits::empty(),
            raising: (0..graph.areas.len()).filter(|area| graph.areas[*area].gain.attributes != [0; 3]).collect(),
            start_keys: [0; 4],
            plentiful: [false; 4],
            one_key_each: graph.obstacles.iter().flat_map(|obstacle| obstacle.price).all(|price| price <= 1),
            needed: needs.iter().fold(Bits::empty(), |all, needs| all | needs.gone),
            has_gates: needs.iter().any(|needs| *needs != Needs::default()),
            by_itself: (0..needs.len()).filter(|index| needs[*index].by_itself).collect(),
            goes_on_after_boss: Mechanisms::of(game).map_err(SolveError::NotExact)?.goes_on_after_boss,
            graph,
        };
        let sells = !space.shops.is_empty();
        for (index, area) in space.graph.areas.iter().enumerate() {
            if area.gain != Gain::default() || space.shops.contains(index) || needed_areas.contains(index) {
                space.fruitful.insert(index);
            }
        }
        for (index, obstacle) in space.graph.obstacles.iter().enumerate() {
            for (doors, price) in space.doors.iter_mut().zip(obstacle.price) {
                if price > 0 {
                    doors.insert(index);
                }
            }
            let earns = sells && obstacle.gold > 0;
            let mut spendable = !obstacle.boss && !earns && !space.needed.contains(index);
            for part in &obstacle.parts {
                match part.kind {
                    ObstacleKind::Door(_) | ObstacleKind::Event(_) | ObstacleKind::Gate => {}
                    ObstacleKind::Monster(id) => {
                        spendable &= !game.tower().rules.negative_damage;
                        if game.monster(id).abilities.depends_on_hp() {
                            space.by_hp.insert(index);
                        }
                    }
                    ObstacleKind::Item(_) => {
                        spendable = false;
                        space.items.insert(index);
                    }
                }
            }
            if earns {
                space.earning.insert(index);
            }
            if spendable {
                space.spendable.insert(index);
            }
        }
        space.count_keys(keys_count)?;
        Ok(space)
    }

    /// The most purchases that all gold of the tower pays for; 0 where nothing is sold.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if the gold is beyond `i64` or pays for more than 65,535.
    pub fn most_purchases(&self) -> Result<u16, SolveError> {
        let Some(shop) = self.game.tower().shop.as_ref().filter(|_| !self.shops.is_empty()) else { return Ok(0) };
        let mut gold = self.game.tower().hero.gold;
        for index in self.earning.iter() {
            gold = gold.checked_add(self.graph.obstacles[index].gold).ok_or_else(overflow)?;
        }
        (shop.affordable(gold))
            .ok_or_else(|| SolveError::Overflow("the shop can be used more than 65,535 times".into()))
    }

    /// Keys of the start. With a key for every door from the start, what is found is of no use, and the shut doors
    /// stand for the keys.
    fn count_keys(&mut self, all: bool) -> Result<(), SolveError> {
        for colour in Colour::ALL {
            let index = colour as usize;
            let doors: i64 = self.graph.obstacles.iter().map(|obstacle| i64::from(obstacle.price[index])).sum();
            let held = self.game.tower().hero.keys[colour];
            self.plentiful[index] = held >= doors && !all;
            let counted = if self.plentiful[index] { doors } else { held };
            self.start_keys[index] = u16::try_from(counted)
                .map_err(|_| SolveError::Overflow(format!("there are more than 65,535 {colour} keys or doors")))?;
            let found = self.graph.areas.iter().map(|area| area.gain.keys[index]);
            let found: u64 =
                found.chain(self.graph.obstacles.iter().map(|obstacle| obstacle.gain.keys[index])).map(u64::from).sum();
            if !self.plentiful[index] && found + u64::from(self.start_keys[index]) > u64::from(u16::MAX) {
                return Err(SolveError::Overflow(format!("there are more than 65,535 {colour} keys")));
            }
            if self.plentiful[index] {
                self.graph.areas.iter_mut().for_each(|area| area.gain.keys[index] = 0);
                self.graph.obstacles.iter_mut().for_each(|obstacle| obstacle.gain.keys[index] = 0);
            }
        }
        Ok(())
    }

    /// The place of a state of the game that has not ended, and the HP there: what lies in areas that are open counts
    /// as collected.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves its range.
    pub fn place_of(&self, state: &State) -> Result<Entry<W>, SolveError> {
        let cleared = self.graph.cleared(state) & !self.opened_from_afar(state);
        let opened = self.graph.opened(&self.game, state);
        let mut reach = self.graph.around(&self.game, state, opened);
        for obstacle in cleared.iter() {
            reach |= self.graph.obstacles[obstacle].beside;
        }
        let key = Key { gone: cleared, keys: [0; 4], purchases: [0; 4] };
        let (mut place, _) = self.open_gates(Place { key, opened, reach: reach & !cleared }, Bits::empty());
        let left = place.opened.iter().flat_map(|area| &self.graph.areas[area].items);
        let hero = (left.filter(|(cell, _)| !state.cleared.contains(*cell)))
            .try_fold(state.hero, |hero, (_, item)| self.game.tower().give(&hero, *item).ok_or_else(overflow))?;
        place.key.keys = self.keys_of(&hero, state)?;
        for (count, made) in place.key.purchases.iter_mut().zip(state.purchases) {
            *count = u16::try_from(made).map_err(|_| overflow())?;
        }
        Ok(Entry { place: self.spend(place, !Bits::empty()), hp: hero.hp })
    }

    fn keys_of(&self, hero: &Hero, state: &State) -> Result<[u16; 4], SolveError> {
        let mut keys = [0; 4];
        for colour in Colour::ALL {
            let shut = |cell: &CellIndex| !state.cleared.contains(*cell);
            keys[colour as usize] = match self.plentiful[colour as usize] {
                true => self.door_cells(colour).filter(shut).count() as u16,
                false => u16::try_from(hero.keys[colour])
                    .map_err(|_| SolveError::Overflow(format!("the hero holds {} {colour} keys", hero.keys[colour])))?,
            };
        }
        Ok(keys)
    }

    fn door_cells(&self, colour: Colour) -> impl Iterator<Item = CellIndex> + '_ {
        let parts = self.graph.obstacles.iter().flat_map(|obstacle| &obstacle.parts);
        parts.filter(move |part| part.kind == ObstacleKind::Door(colour)).map(|part| part.cell)
    }

    /// The place after an obstacle in reach is cleared, and the areas that this opens. Keys are those before it; the
    /// caller pays and collects.
    #[inline]
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
        (self.spend(next, obstacle.around), newly)
    }

    /// Obstacles in reach, and among those asked about, whose clearing gives nothing.
    #[inline]
    pub fn spent(&self, place: &Place<W>, among: Bits<W>) -> Bits<W> {
        let known = place.reach | place.key.gone;
        let mut spent = Bits::empty();
        for index in (place.reach & self.spendable & among).iter() {
            let obstacle = &self.graph.obstacles[index];
            if obstacle.areas.is_within(place.opened) && obstacle.beside.is_within(known) {
                spent.insert(index);
            }
        }
        spent
    }

    /// Counts spent obstacles as gone. Obstacles in reach stay in reach, so one pass finds all.
    #[inline]
    pub(super) fn spend(&self, mut place: Place<W>, among: Bits<W>) -> Place<W> {
        if self.merges_spent {
            let spent = self.spent(&place, among);
            place.key.gone |= spent;
            place.reach = place.reach & !spent;
        }
        place
    }

    /// ATK, DEF and MDEF at a place.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if one leaves `i64`.
    #[inline]
    pub fn attributes(&self, place: &Place<W>) -> Result<[i64; 3], SolveError> {
        let hero = &self.game.tower().hero;
        let mut sum = [hero.atk, hero.def, hero.mdef];
        let mut add = |gained: [i64; 3]| {
            for (mine, theirs) in sum.iter_mut().zip(gained) {
                *mine = mine.checked_add(theirs).ok_or_else(overflow)?;
            }
            Ok::<(), SolveError>(())
        };
        for area in (place.opened & self.raising).iter() {
            add(self.graph.areas[area].gain.attributes)?;
        }
        for index in (place.key.gone & self.items).iter() {
            add(self.graph.obstacles[index].gain.attributes)?;
        }
        if place.key.purchases != [0; 4] {
            add(self.bought(&place.key.purchases)?)?;
        }
        Ok(sum)
    }

    /// ATK, DEF and MDEF that purchases give.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if one leaves `i64`.
    pub fn bought(&self, purchases: &[u16; 4]) -> Result<[i64; 3], SolveError> {
        let Some(shop) = &self.game.tower().shop else { return Ok([0; 3]) };
        let mut raised = [0; 3];
        for (sum, purchase) in raised.iter_mut().zip([Purchase::Atk, Purchase::Def, Purchase::Mdef]) {
            *sum = shop.amount(purchase).checked_mul(purchases[purchase as usize].into()).ok_or_else(overflow)?;
        }
        Ok(raised)
    }

    /// Gold that is left after the purchases made; 0 where none can be spent.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if it leaves `i64`.
    pub fn gold(&self, place: &Place<W>) -> Result<i64, SolveError> {
        let Some(shop) = self.game.tower().shop.as_ref().filter(|_| !self.shops.is_empty()) else { return Ok(0) };
        let mut gold = self.game.tower().hero.gold;
        for index in (place.key.gone & self.earning).iter() {
            gold = gold.checked_add(self.graph.obstacles[index].gold).ok_or_else(overflow)?;
        }
        let made: i64 = place.key.purchases.iter().map(|count| i64::from(*count)).sum();
        let steps = shop.price_step.checked_mul(made * (made - 1) / 2).ok_or_else(overflow)?;
        let spent = shop.first_price.checked_mul(made).and_then(|sum| sum.checked_add(steps)).ok_or_else(overflow)?;
        gold.checked_sub(spent).ok_or_else(overflow)
    }

    /// Doors of each colour that have been opened on the way to a place.
    pub fn doors_opened(&self, place: &Place<W>) -> [u16; 4] {
        let mut held = self.start_keys;
        let areas = place.opened.iter().map(|area| &self.graph.areas[area].gain.keys);
        let items = (place.key.gone & self.items).iter().map(|index| &self.graph.obstacles[index].gain.keys);
        for gained in areas.chain(items) {
            for (count, gained) in held.iter_mut().zip(gained) {
                *count = count.saturating_add(*gained);
            }
        }
        std::array::from_fn(|colour| held[colour].saturating_sub(place.key.keys[colour]))
    }

    /// Keys of each colour that could still be used: one for every door that is neither opened nor spent.
    #[inline]
    pub fn useful_keys(&self, gone: Bits<W>) -> [u16; 4] {
        std::array::from_fn(|colour| {
            let left = self.doors[colour] & !gone;
            if left.is_empty() {
                return 0;
            }
            match self.one_key_each {
                true => left.count() as u16,
                false => {
                    left.iter().map(|index| self.graph.obstacles[index].price[colour]).fold(0, u16::saturating_add)
                }
            }
        })
    }

    /// The hero at a place, with `hp` HP: attributes and keys follow from the place; gold and experience are those of
    /// the start.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves `i64`.
    pub fn hero(&self, place: &Place<W>, hp: i64) -> Result<Hero, SolveError> {
        let [atk, def, mdef] = self.attributes(place)?;
        let mut hero = Hero { hp, atk, def, mdef, ..self.game.tower().hero };
        for (colour, count) in Colour::ALL.into_iter().zip(place.key.keys) {
            hero.keys[colour] = count.into();
        }
        Ok(hero)
    }

    /// Whether a shop is in reach.
    #[inline]
    pub fn sells(&self, place: &Place<W>) -> bool {
        !(place.opened & self.shops).is_empty()
    }
}
