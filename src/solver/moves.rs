//! From one place to the next: what each useful decision costs and gains. Damage comes from `game::fight` alone.

use crate::game::{Colour, Fight, GameError, Hero, Purchase, combat::Overflow, fight};

use super::error::{SolveError, overflow};
use super::graph::ObstacleKind;
use super::key::{Place, Space};

/// A decision at a place with enough HP for it.
#[derive(Clone, Copy, Debug)]
pub struct Move<const W: usize> {
    /// Where it leads; `None` if the boss is defeated.
    pub to: Option<Place<W>>,
    /// HP that must be exceeded for it, and that it takes.
    pub damage: i64,
    /// HP collected after it.
    pub gain: i64,
}

impl<const W: usize> Space<W> {
    /// The decisions of a place that are not lethal at `hp` HP. Fights that give nothing are left out: they lead to
    /// the same key with no more HP. Doors that give nothing are not left out if `wasteful`: they cost a key.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves `i64`.
    pub fn moves(&self, place: &Place<W>, hp: i64, wasteful: bool, moves: &mut Vec<Move<W>>) -> Result<(), SolveError> {
        moves.clear();
        let hero = self.hero(place, hp)?;
        for index in place.reach.iter() {
            if let Some(next) = self.move_at(place, &hero, index)? {
                moves.push(next);
            }
        }
        if self.sells(place) {
            self.purchases(place, &hero, moves)?;
        }
        if wasteful {
            self.wasted_doors(place, moves)?;
        }
        Ok(())
    }

    /// The decision on one obstacle in reach, if it is legal and not lethal.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves `i64`.
    pub fn move_at(&self, place: &Place<W>, hero: &Hero, index: usize) -> Result<Option<Move<W>>, SolveError> {
        let mut place = *place;
        let mut damage = 0;
        match self.graph.obstacles[index].kind {
            ObstacleKind::Door(colour) => match &mut place.key.keys[colour as usize] {
                0 => return Ok(None),
                count => *count -= 1,
            },
            ObstacleKind::Monster(id) => {
                let monster = self.game.monster(id);
                let at = self.graph.obstacles[index].at;
                damage = match fight(hero, monster, self.game.tower().rules) {
                    Ok(Fight::Winnable { damage }) => damage,
                    Ok(Fight::Lethal { .. } | Fight::Unwinnable) => return Ok(None),
                    Err(Overflow) => {
                        return Err(GameError::FightOverflow { monster: monster.name.clone(), at }.into());
                    }
                };
                if monster.boss {
                    return Ok(Some(Move { to: None, damage, gain: 0 }));
                }
            }
            ObstacleKind::Item(_) => {}
        }
        let (mut next, newly) = self.clear(&place, index);
        let mut gain = self.graph.obstacles[index].gain;
        for area in newly.iter() {
            gain = gain.plus(&self.graph.areas[area].gain)?;
        }
        for (count, gained) in next.key.keys.iter_mut().zip(gain.keys) {
            *count = count.checked_add(gained).ok_or_else(overflow)?;
        }
        Ok(Some(Move { to: Some(next), damage, gain: gain.hp }))
    }

    fn purchases(&self, place: &Place<W>, hero: &Hero, moves: &mut Vec<Move<W>>) -> Result<(), SolveError> {
        let Some(shop) = &self.game.tower().shop else { return Ok(()) };
        let price = shop.price(place.key.purchases.iter().sum()).ok_or_else(overflow)?;
        if price > hero.gold {
            return Ok(());
        }
        for purchase in Purchase::ALL.into_iter().filter(|purchase| shop.amount(*purchase) > 0) {
            let mut next = *place;
            next.key.purchases[purchase as usize] += 1;
            let gain = if purchase == Purchase::Hp { shop.hp } else { 0 };
            moves.push(Move { to: Some(next), damage: 0, gain });
        }
        Ok(())
    }

    /// Opening a spent door leads to the same areas with one key less. How many spent doors of a colour are still
    /// shut follows from the keys found and left.
    fn wasted_doors(&self, place: &Place<W>, moves: &mut Vec<Move<W>>) -> Result<(), SolveError> {
        let opened = self.doors_opened(place)?;
        for colour in Colour::ALL.map(|colour| colour as usize) {
            let gone = (place.key.gone & self.doors[colour]).count();
            if place.key.keys[colour] > 0 && gone > opened[colour] {
                let mut next = *place;
                next.key.keys[colour] -= 1;
                moves.push(Move { to: Some(next), damage: 0, gain: 0 });
            }
        }
        Ok(())
    }
}
