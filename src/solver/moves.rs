//! From one place to the next, decision by decision: what each costs and gives.

use crate::game::Purchase;

use super::cost::Costs;
use super::error::{SolveError, overflow};
use super::graph::Gain;
use super::key::{Entry, Place, Space};

/// A decision at a place with enough HP for it.
#[derive(Clone, Copy, Debug)]
pub struct Move<const W: usize> {
    /// Where it leads; `None` if the boss is defeated.
    pub to: Option<Place<W>>,
    /// What it clears or buys; none if it opens a door that gives nothing, whichever of its colour.
    pub choice: Option<Choice>,
    /// HP that must be exceeded for it, and that it takes.
    pub damage: i64,
    /// HP collected after it.
    pub gain: i64,
}

/// What a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An obstacle, by its number.
    Clear(u16),
    /// A purchase.
    Buy(Purchase),
}

/// Where clearing an obstacle leads.
#[derive(Clone, Copy, Debug)]
pub struct Cleared<const W: usize> {
    /// The place and the HP after it, with what it opens collected.
    pub entry: Entry<W>,
    /// HP that it took.
    pub damage: i64,
    /// HP collected after it.
    pub gain: i64,
    /// Whether it gave something, or opened a shop.
    pub fruitful: bool,
}

impl<const W: usize> Space<W> {
    /// The decisions of a place that are not lethal at `hp` HP. Fights that give nothing are left out: they lead to
    /// the same key with no more HP. Doors that give nothing are not left out if `wasteful`: they cost a key.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    pub fn moves(
        &self,
        from: &Entry<W>,
        costs: &Costs<W>,
        wasteful: bool,
        moves: &mut Vec<Move<W>>,
    ) -> Result<(), SolveError> {
        moves.clear();
        for index in from.place.reach.iter() {
            let Some(Cleared { entry, damage, gain, .. }) = self.clear_at(from, costs, index)? else { continue };
            let to = (!self.graph.obstacles[index].boss).then_some(entry.place);
            moves.push(Move { to, choice: Some(Choice::Clear(index as u16)), damage, gain });
        }
        if self.can_buy(&from.place)? {
            for (purchase, to, gain) in self.purchases(&from.place)? {
                moves.push(Move { to: Some(to), choice: Some(Choice::Buy(purchase)), damage: 0, gain });
            }
        }
        if wasteful {
            self.wasted_doors(&from.place, moves);
        }
        Ok(())
    }

    /// The decision on one obstacle in reach, if it is legal and not lethal.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    #[inline]
    pub fn clear_at(&self, from: &Entry<W>, costs: &Costs<W>, index: usize) -> Result<Option<Cleared<W>>, SolveError> {
        let obstacle = &self.graph.obstacles[index];
        let mut place = from.place;
        for (held, price) in place.key.keys.iter_mut().zip(obstacle.price) {
            match held.checked_sub(price) {
                Some(left) => *held = left,
                None => return Ok(None),
            }
        }
        let Some(damage) = self.damage(costs, from.hp, index)? else { return Ok(None) };
        let hp = from.hp.checked_sub(damage).ok_or_else(overflow)?;
        if !self.may_open(&place, index) {
            return Ok(None);
        }
        if obstacle.boss && !self.goes_on_after_boss {
            // The game ends: what lies behind is not collected.
            place.key.gone.insert(index);
            return Ok(Some(Cleared { entry: Entry { place, hp }, damage, gain: 0, fruitful: false }));
        }
        let (place, newly) = self.clear(&place, index);
        let (place, newly) = self.open_gates(place, newly);
        let mut entry = Entry { place, hp };
        let mut cleared = Cleared { entry, damage, gain: 0, fruitful: false };
        let mut take = |gain: &Gain| {
            cleared.gain = cleared.gain.checked_add(gain.hp).ok_or_else(overflow)?;
            for (count, gained) in entry.place.key.keys.iter_mut().zip(gain.keys) {
                *count = count.checked_add(gained).ok_or_else(overflow)?;
            }
            Ok::<(), SolveError>(())
        };
        if obstacle.gain != Gain::default() {
            take(&obstacle.gain)?;
            cleared.fruitful = true;
        }
        cleared.fruitful |= self.needed.contains(index);
        for area in (newly & self.fruitful).iter() {
            take(&self.graph.areas[area].gain)?;
            cleared.fruitful = true;
        }
        entry.hp = entry.hp.checked_add(cleared.gain).ok_or_else(overflow)?;
        cleared.entry = entry;
        Ok(Some(cleared))
    }

    /// Whether a shop is in reach and the next purchase can be paid.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves `i64`.
    #[inline]
    pub fn can_buy(&self, place: &Place<W>) -> Result<bool, SolveError> {
        Ok(self.sells(place) && self.price(place)? <= self.gold(place)?)
    }

    /// Gold that the next purchase costs.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if it leaves `i64`.
    pub fn price(&self, place: &Place<W>) -> Result<i64, SolveError> {
        let made = place.key.purchases.iter().map(|count| u32::from(*count)).sum();
        self.game.tower().shop.as_ref().and_then(|shop| shop.price(made)).ok_or_else(overflow)
    }

    /// What each purchase leads to, and the HP that it gives. The caller knows that it can be paid.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] beyond 65,535 purchases.
    pub fn purchases(
        &self,
        place: &Place<W>,
    ) -> Result<impl Iterator<Item = (Purchase, Place<W>, i64)> + use<W>, SolveError> {
        let place = *place;
        let shop = self.game.tower().shop;
        if place.key.purchases.contains(&u16::MAX) {
            return Err(SolveError::Overflow("more than 65,535 purchases".into()));
        }
        let sold = move |purchase: &Purchase| shop.is_some_and(|shop| shop.amount(*purchase) > 0);
        Ok(Purchase::ALL.into_iter().filter(sold).map(move |purchase| {
            let mut next = place;
            next.key.purchases[purchase as usize] += 1;
            let gain = shop.map_or(0, |shop| if purchase == Purchase::Hp { shop.hp } else { 0 });
            (purchase, next, gain)
        }))
    }

    /// Opening a spent door leads to the same areas with one key less. How many spent doors of a colour are still
    /// shut follows from the keys found and left.
    fn wasted_doors(&self, place: &Place<W>, moves: &mut Vec<Move<W>>) {
        let gone: [u32; 4] = self.doors.map(|doors| (place.key.gone & doors).count());
        if gone == [0; 4] {
            return;
        }
        let opened = self.doors_opened(place);
        for colour in 0..4 {
            if place.key.keys[colour] > 0 && gone[colour] > u32::from(opened[colour]) {
                let mut next = *place;
                next.key.keys[colour] -= 1;
                moves.push(Move { to: Some(next), choice: None, damage: 0, gain: 0 });
            }
        }
    }
}
