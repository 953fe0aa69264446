//! From one state to those that a best play can go on with: decisions in a normal form, so that orders of decisions
//! that lead to the same end are followed once.
//!
//! Where no fight costs more later than now (see `assumption`), these change nothing about the optimum:
//!
//! 1. *What costs nothing is done at once*: fights that take no HP, doors of a colour for whose every door there is a
//!    key, and fights that take the least that they ever will and give as many HP back, in areas to which no other way
//!    leads (another way might be cheaper).
//! 2. *A purchase is made as soon as it can be paid.* Play that buys later, or not at all, is no better.
//! 3. *What gives nothing by itself waits.* A decision that only opens the way can be put off until just before the
//!    first that needs it. So it is followed by one that it brought into reach.
//! 4. *What gives only gold waits*, until the gold pays for the next purchase. So it is part of a burst of decisions that
//!    give nothing else and end with a purchase, none of which could be left out. The order within a burst is of no
//!    matter: what gives no gold goes just before the first thing that it brings into reach, and of the rest the lowest
//!    number that can be reached so goes first (so the next is higher than the last, or was opened by it). Of like
//!    monsters that only stand there, the one with the lowest number is taken.
//!
//! Where it does not hold, decisions are followed one by one as they are.

use std::sync::Arc;

use super::bits::Bits;
use super::cost::{Costs, Damage, Ledger};
use super::error::{SolveError, overflow};
use super::key::{Entry, Space};
use super::moves::Choice;

/// Which reductions are made. All are exact where [`Reductions::ordered`] is asked for only if the assumptions hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Whether what gives nothing waits, and purchases are made at once: rules 2 to 4.
    pub ordered: bool,
    /// Whether what costs nothing is done at once: rule 1. Off where the very set of cleared obstacles counts.
    pub forced: bool,
    /// Whether keys that no door needs are not counted. Off where keys that are left count.
    pub keys_capped: bool,
}

/// What a state leads to.
#[derive(Clone, Copy, Debug)]
pub enum Next<const W: usize> {
    /// A state.
    Open(Entry<W>),
    /// The boss is defeated; the HP are those after the fight.
    Won(Entry<W>),
    /// A way in the making.
    Way(Entry<W>),
}

/// Told of each thing that a state leads to, with the choices that lead there; says, of a way, whether to follow it.
pub type Emit<'e, const W: usize> = dyn FnMut(Next<W>, &[Choice]) -> Result<bool, SolveError> + 'e;

/// What is known from the root about all that lies ahead.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// The least that each obstacle will ever take; empty where that is not asked for.
    pub least: Arc<[Damage]>,
    /// The last obstacle that every way to an area passes; none of areas that are open or have several ways in.
    pub guards: Arc<[Option<u16>]>,
}

/// Follows decisions. Keeps what it has computed.
#[derive(Debug)]
pub struct Expander<'s, const W: usize> {
    space: &'s Space<W>,
    reductions: Reductions,
    guards: Arc<[Option<u16>]>,
    ledger: Ledger<W>,
    trail: Vec<Choice>,
    burst: Vec<Member<W>>,
    like: Arc<[u32]>,
    steps: usize,
}

/// A way in the making: what was cleared since the state that is expanded, all of it giving nothing by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way<const W: usize> {
    /// Nothing yet, or each was brought into reach by the one before; and whether one gave gold.
    Chain { earned: bool },
    /// Anything, to be ended by a purchase. The next that has gold has this number or a higher, or is a fresh one.
    Burst { least: usize, fresh: Bits<W> },
}

impl<const W: usize> Way<W> {
    fn is_burst(self) -> bool {
        matches!(self, Way::Burst { .. })
    }
}

/// An obstacle cleared on a way.
#[derive(Clone, Copy)]
struct Step<const W: usize> {
    entry: Entry<W>,
    index: usize,
    fruitful: bool,
}

/// A member of a burst: what it brought into reach, and its gold.
#[derive(Clone, Copy, Debug)]
struct Member<const W: usize> {
    exposed: Bits<W>,
    gold: i64,
}

impl<'s, const W: usize> Expander<'s, W> {
    /// Ways followed from one state; beyond, what gives nothing is a state of its own.
    const MOST_STEPS: usize = 1 << 14;

    /// One that follows the decisions of `space`.
    pub fn new(space: &'s Space<W>, reductions: Reductions, outlook: &Outlook) -> Self {
        let obstacles = &space.graph.obstacles;
        let like = (0..obstacles.len()).map(|index| {
            let kinds = |index: usize| obstacles[index].parts.iter().map(|part| part.kind);
            (0..index).find(|other| kinds(*other).eq(kinds(index))).unwrap_or(index) as u32
        });
        Expander {
            space,
            reductions,
            guards: outlook.guards.clone(),
            ledger: Ledger::new(outlook.least.clone()),
            trail: Vec::new(),
            burst: Vec::new(),
            like: like.collect(),
            steps: 0,
        }
    }

    /// Emits all that a state leads to, in a fixed order.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    pub fn expand(&mut self, from: &Entry<W>, emit: &mut Emit<W>) -> Result<(), SolveError> {
        self.trail.clear();
        self.burst.clear();
        self.steps = 0;
        let buys = self.space.can_buy(&from.place)?;
        if buys {
            self.buy(from, emit)?;
        }
        if buys && self.reductions.ordered {
            return Ok(());
        }
        let costs = self.ledger.at(self.space, &from.place)?;
        let idle = if self.space.merges_spent { Bits::empty() } else { self.space.spent(&from.place, !Bits::empty()) };
        self.follow(from, &costs, from.place.reach & !idle, Way::Chain { earned: false }, emit)
    }

    /// Does at once what costs nothing. The trail tells what was done.
    ///
    /// # Errors
    /// [`SolveError`] if a quantity leaves its range.
    pub fn settle(&mut self, entry: Entry<W>) -> Result<(Entry<W>, bool), SolveError> {
        let costs = self.ledger.at(self.space, &entry.place)?;
        self.settle_at(entry, costs)
    }

    /// The same, with the costs at the place.
    fn settle_at(&mut self, mut entry: Entry<W>, mut costs: Arc<Costs<W>>) -> Result<(Entry<W>, bool), SolveError> {
        let mut fruitful = false;
        self.cap_keys(&mut entry);
        while self.reductions.forced {
            let Some((next, gives)) = self.free_step(&entry, &costs)? else { break };
            costs = self.costs_after(&entry, &next, &costs)?;
            entry = next;
            fruitful |= gives;
            self.cap_keys(&mut entry);
        }
        Ok((entry, fruitful))
    }

    /// The costs after an obstacle was cleared: the same ones, unless that raised an attribute.
    #[inline]
    fn costs_after(
        &mut self,
        from: &Entry<W>,
        to: &Entry<W>,
        costs: &Arc<Costs<W>>,
    ) -> Result<Arc<Costs<W>>, SolveError> {
        let raised = to.place.opened & !from.place.opened & self.space.raising;
        let taken = to.place.key.gone & !from.place.key.gone & self.space.items;
        match raised.is_empty() && taken.is_empty() {
            true => Ok(costs.clone()),
            false => self.ledger.at(self.space, &to.place),
        }
    }

    /// What was done since the last state was expanded.
    pub fn take_trail(&mut self) -> Vec<Choice> {
        std::mem::take(&mut self.trail)
    }

    fn cap_keys(&self, entry: &mut Entry<W>) {
        if self.reductions.keys_capped {
            let useful = self.space.useful_keys(entry.place.key.gone);
            let keys = &mut entry.place.key.keys;
            *keys = std::array::from_fn(|colour| keys[colour].min(useful[colour]));
        }
    }

    /// The first thing in reach that costs nothing, done.
    fn free_step(&mut self, entry: &Entry<W>, costs: &Costs<W>) -> Result<Option<(Entry<W>, bool)>, SolveError> {
        let cheap = entry.place.reach & (costs.harmless | costs.least);
        if cheap.is_empty() {
            return Ok(None);
        }
        for index in (cheap & !self.locked(entry)).iter() {
            if self.space.graph.obstacles[index].boss {
                continue;
            }
            let Some(cleared) = self.space.clear_at(entry, costs, index)? else { continue };
            let newly = cleared.entry.place.opened & !entry.place.opened;
            let pays = |area: usize| self.guards.get(area).is_some_and(|guard| *guard == Some(index as u16));
            if cleared.damage == 0 || (cleared.gain >= cleared.damage && newly.iter().all(pays)) {
                self.trail.push(Choice::Clear(index as u16));
                return Ok(Some((cleared.entry, cleared.fruitful)));
            }
        }
        Ok(None)
    }

    /// Obstacles with a door of a colour that has more doors left than there are keys.
    fn locked(&self, entry: &Entry<W>) -> Bits<W> {
        let useful = self.space.useful_keys(entry.place.key.gone);
        let scarce = |colour: &usize| !self.reductions.keys_capped || entry.place.key.keys[*colour] < useful[*colour];
        (0..4).filter(scarce).fold(Bits::empty(), |locked, colour| locked | self.space.doors[colour])
    }

    fn buy(&mut self, from: &Entry<W>, emit: &mut Emit<W>) -> Result<(), SolveError> {
        for (purchase, place, gain) in self.space.purchases(&from.place)? {
            let mark = self.trail.len();
            self.trail.push(Choice::Buy(purchase));
            let hp = from.hp.checked_add(gain).ok_or_else(overflow)?;
            let (entry, _) = self.settle(Entry { place, hp })?;
            emit(Next::Open(entry), &self.trail)?;
            self.trail.truncate(mark);
        }
        Ok(())
    }

    /// Clears each of `allowed` in turn and goes on with what may follow it.
    fn follow(
        &mut self,
        from: &Entry<W>,
        costs: &Arc<Costs<W>>,
        allowed: Bits<W>,
        way: Way<W>,
        emit: &mut Emit<W>,
    ) -> Result<(), SolveError> {
        for index in allowed.iter() {
            if self.reductions.ordered && self.has_lower_like(from, index) {
                continue;
            }
            let Some(cleared) = self.space.clear_at(from, costs, index)? else { continue };
            let mark = self.trail.len();
            self.trail.push(Choice::Clear(index as u16));
            if self.space.graph.obstacles[index].boss {
                if !way.is_burst() {
                    emit(Next::Won(cleared.entry), &self.trail)?;
                }
            } else {
                let there = self.costs_after(from, &cleared.entry, costs)?;
                let (entry, freed) = self.settle_at(cleared.entry, there)?;
                let step = Step { entry, index, fruitful: cleared.fruitful || freed };
                self.go_on(from, &step, costs, way, emit)?;
            }
            self.trail.truncate(mark);
        }
        Ok(())
    }

    /// After an obstacle was cleared: a state, or a way that goes on.
    fn go_on(
        &mut self,
        from: &Entry<W>,
        step: &Step<W>,
        costs: &Arc<Costs<W>>,
        way: Way<W>,
        emit: &mut Emit<W>,
    ) -> Result<(), SolveError> {
        let Step { entry, index, fruitful } = *step;
        let space = self.space;
        // What was cleared for nothing right after it counts with it: its gold, and what it brought into reach.
        let member = Member { exposed: exposed(from, &entry), gold: self.gold_gained(from, &entry)? };
        let can_buy = self.reductions.ordered && space.can_buy(&entry.place)?;
        if !self.reductions.ordered || can_buy || fruitful {
            let idle = match way.is_burst() {
                true => !can_buy || self.could_do_with_less(&entry, &member)?,
                false => false,
            };
            if !idle {
                emit(Next::Open(entry), &self.trail)?;
            }
            return Ok(());
        }
        self.steps += 1;
        if self.steps > Self::MOST_STEPS {
            emit(Next::Open(entry), &self.trail)?;
            return Ok(());
        }
        if !emit(Next::Way(entry), &self.trail)? {
            return Ok(());
        }
        let next = member.exposed & entry.place.reach;
        let earned_now = member.gold > 0;
        match way {
            Way::Chain { earned } => {
                self.follow(&entry, costs, next, Way::Chain { earned: earned || earned_now }, emit)?;
                if !earned && earned_now && space.sells(&entry.place) {
                    self.burst(&entry, costs, index, 0, member, emit)?;
                }
            }
            Way::Burst { least, .. } if earned_now => self.burst(&entry, costs, index, least, member, emit)?,
            Way::Burst { least, fresh } => {
                let free = fresh.contains(index);
                let allowed = next.iter().filter(|next| free || *next >= least || !space.earning.contains(*next));
                let fresh = if free { fresh | next } else { fresh };
                let allowed = allowed.collect();
                self.burst.push(member);
                self.follow(&entry, costs, allowed, Way::Burst { least, fresh }, emit)?;
                self.burst.pop();
            }
        }
        Ok(())
    }

    /// Goes on with a burst after a member that gave gold. One that has none itself, but freed some, is not numbered.
    fn burst(
        &mut self,
        entry: &Entry<W>,
        costs: &Arc<Costs<W>>,
        index: usize,
        least: usize,
        member: Member<W>,
        emit: &mut Emit<W>,
    ) -> Result<(), SolveError> {
        let earning = self.space.earning;
        let least = if earning.contains(index) { index + 1 } else { least };
        let later = entry.place.reach.iter().filter(|other| *other >= least || !earning.contains(*other));
        let fresh = member.exposed & entry.place.reach;
        let allowed = fresh | later.collect();
        self.burst.push(member);
        self.follow(entry, costs, allowed, Way::Burst { least, fresh }, emit)?;
        self.burst.pop();
        Ok(())
    }

    /// Gold that was earned between two states.
    fn gold_gained(&self, from: &Entry<W>, to: &Entry<W>) -> Result<i64, SolveError> {
        let newly = to.place.key.gone & !from.place.key.gone & self.space.earning;
        let gold = newly.iter().map(|index| self.space.graph.obstacles[index].gold);
        let mut gold = gold;
        gold.try_fold(0_i64, i64::checked_add).ok_or_else(overflow)
    }

    /// Whether a purchase would be paid without some member of the burst that nothing else in it rests on. `last` is
    /// the member that made it possible.
    fn could_do_with_less(&self, entry: &Entry<W>, last: &Member<W>) -> Result<bool, SolveError> {
        if self.burst.is_empty() {
            return Ok(false);
        }
        let over = self.space.gold(&entry.place)?.saturating_sub(self.space.price(&entry.place)?);
        let rests_on = |member: &Member<W>| !(member.exposed & entry.place.key.gone).is_empty();
        Ok(last.gold == 0 || self.burst.iter().any(|member| member.gold <= over && !rests_on(member)))
    }

    /// Whether an obstacle that opens nothing has a like one in reach with a lower number, that opens nothing either.
    fn has_lower_like(&self, from: &Entry<W>, index: usize) -> bool {
        let first = self.like[index];
        let known = from.place.reach | from.place.key.gone;
        let idle = |index: usize| {
            let obstacle = &self.space.graph.obstacles[index];
            obstacle.areas.is_within(from.place.opened) && obstacle.beside.is_within(known)
        };
        self.space.merges_spent
            && self.space.earning.contains(index)
            && idle(index)
            && (first as usize..index)
                .any(|other| self.like[other] == first && from.place.reach.contains(other) && idle(other))
    }
}

/// Obstacles that came into reach between two states, gone since or not.
fn exposed<const W: usize>(from: &Entry<W>, to: &Entry<W>) -> Bits<W> {
    (to.place.reach | to.place.key.gone) & !(from.place.reach | from.place.key.gone)
}
