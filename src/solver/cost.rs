//! What clearing each obstacle costs a hero of given attributes. Damage comes from `game::fight` alone; here it is
//! computed once for all states with the same attributes.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::game::{Fight, GameError, Hero, combat::Overflow, fight};

use super::bits::Bits;
use super::error::{SolveError, overflow};
use super::graph::ObstacleKind;
use super::key::{Place, Space};

/// Costs at some attributes.
#[derive(Clone, Debug)]
pub struct Costs<const W: usize> {
    /// ATK, DEF, MDEF.
    pub attributes: [i64; 3],
    /// HP that each obstacle's fights take; those that depend on HP are not in it.
    damage: Box<[Damage]>,
    /// Obstacles whose fights take nothing, doors and items among them.
    pub harmless: Bits<W>,
    /// Obstacles whose fights take as little as they ever will.
    pub least: Bits<W>,
}

/// HP that an obstacle's fights take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// So many.
    Of(i64),
    /// One of them cannot be won at any HP.
    Unwinnable,
    /// It cannot be computed.
    Overflow,
}

impl Damage {
    /// The number, if there is one.
    pub fn known(self) -> Option<i64> {
        if let Damage::Of(damage) = self { Some(damage) } else { None }
    }

    /// Whether it is the same as or less than another.
    pub fn is_at_most(self, other: Damage) -> bool {
        match (self, other) {
            (Damage::Of(mine), Damage::Of(theirs)) => mine <= theirs,
            (_, Damage::Unwinnable) => true,
            _ => false,
        }
    }
}

/// Costs by attributes. Forgets them all when they are many.
#[derive(Clone, Debug)]
pub struct Ledger<const W: usize> {
    known: FxHashMap<[i64; 3], Arc<Costs<W>>>,
    last: Option<Arc<Costs<W>>>,
    least: Arc<[Damage]>,
}

impl<const W: usize> Ledger<W> {
    /// Bytes of costs that are kept at a time, roughly.
    const KEPT: usize = 4 << 20;

    /// An empty ledger. `least` is the least that each obstacle will ever take; empty if that is not asked for.
    pub fn new(least: Arc<[Damage]>) -> Self {
        Ledger { known: FxHashMap::default(), last: None, least }
    }

    /// The costs at a place.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if an attribute leaves `i64`.
    #[inline]
    pub fn at(&mut self, space: &Space<W>, place: &Place<W>) -> Result<Arc<Costs<W>>, SolveError> {
        let attributes = space.attributes(place)?;
        if let Some(last) = self.last.as_ref().filter(|last| last.attributes == attributes) {
            return Ok(last.clone());
        }
        if let Some(known) = self.known.get(&attributes) {
            self.last = Some(known.clone());
            return Ok(known.clone());
        }
        let bytes = size_of::<Costs<W>>() + size_of::<Damage>() * space.graph.obstacles.len();
        if self.known.len() * bytes >= Self::KEPT {
            self.known.clear();
        }
        let costs = Arc::new(space.costs(attributes, &self.least));
        self.known.insert(attributes, costs.clone());
        self.last = Some(costs.clone());
        Ok(costs)
    }
}

impl<const W: usize> Space<W> {
    /// The costs at some attributes.
    fn costs(&self, attributes: [i64; 3], least: &[Damage]) -> Costs<W> {
        let hero = hero(attributes, 1);
        let damage: Box<[Damage]> = (0..self.graph.obstacles.len()).map(|index| self.damage_to(&hero, index)).collect();
        let by_hp = self.by_hp;
        let where_it_is = |test: &dyn Fn(usize) -> bool| {
            (0..damage.len()).filter(|index| !by_hp.contains(*index) && test(*index)).collect()
        };
        Costs {
            attributes,
            harmless: where_it_is(&|index| damage[index] == Damage::Of(0)),
            least: where_it_is(&|index| {
                least.get(index).is_some_and(|least| damage[index].known().is_some() && damage[index] == *least)
            }),
            damage,
        }
    }

    /// What an obstacle's fights take from a hero, one after the other.
    pub fn damage_to(&self, hero: &Hero, index: usize) -> Damage {
        let mut sum: i64 = 0;
        for part in &self.graph.obstacles[index].parts {
            let id = match part.kind {
                ObstacleKind::Monster(id) => id,
                ObstacleKind::Event(toll) => match sum.checked_add(toll) {
                    Some(more) => {
                        sum = more;
                        continue;
                    }
                    None => return Damage::Overflow,
                },
                ObstacleKind::Door(_) | ObstacleKind::Item(_) | ObstacleKind::Gate => continue,
            };
            let left = Hero { hp: hero.hp.saturating_sub(sum).max(1), ..*hero };
            match fight(&left, self.game.monster(id), self.game.tower().rules) {
                Ok(Fight::Winnable { damage } | Fight::Lethal { damage }) => match sum.checked_add(damage) {
                    Some(more) => sum = more,
                    None => return Damage::Overflow,
                },
                Ok(Fight::Unwinnable) => return Damage::Unwinnable,
                Err(Overflow) => return Damage::Overflow,
            }
        }
        Damage::Of(sum)
    }

    /// What an obstacle takes from a hero with `hp` HP; none if its fights cannot be survived.
    ///
    /// # Errors
    /// [`GameError::FightOverflow`] if that cannot be computed.
    #[inline]
    pub fn damage(&self, costs: &Costs<W>, hp: i64, index: usize) -> Result<Option<i64>, SolveError> {
        match self.damage_at(costs, hp, index) {
            Damage::Of(damage) => Ok((hp > damage).then_some(damage)),
            Damage::Unwinnable => Ok(None),
            Damage::Overflow => Err(self.fight_overflow(index)),
        }
    }

    /// What an obstacle takes from a hero with `hp` HP, whether he survives it or not.
    #[inline]
    pub fn damage_at(&self, costs: &Costs<W>, hp: i64, index: usize) -> Damage {
        match self.by_hp.contains(index) {
            true => self.damage_to(&hero(costs.attributes, hp), index),
            false => costs.damage[index],
        }
    }

    fn fight_overflow(&self, index: usize) -> SolveError {
        let monster = self.graph.obstacles[index].parts.iter().find_map(|part| match part.kind {
            ObstacleKind::Monster(id) => Some((self.game.monster(id).name.clone(), part.at)),
            _ => None,
        });
        monster.map_or_else(overflow, |(monster, at)| GameError::FightOverflow { monster, at }.into())
    }
}

/// A hero for a fight: nothing else of him counts there.
fn hero([atk, def, mdef]: [i64; 3], hp: i64) -> Hero {
    Hero { hp, atk, def, mdef, ..Hero::default() }
}
