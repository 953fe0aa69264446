//! Events carried out: operation by operation, up to the next choice. Knows one state at a time.

use std::sync::Arc;

use super::super::cells::CellIndex;
use super::super::combat::{self, Fight};
use super::super::error::GameError;
use super::super::event::Trigger;
use super::super::expression::{Attribute, Expression, Operator, Quantity};
use super::super::number::Number;
use super::super::position::Position;
use super::super::program::{ChoiceId, Operation};
use super::super::script::Target;
use super::super::state::{End, Pending, State};
use super::super::tile::Tile;
use super::super::tower::MonsterId;
use super::Game;

/// Operations that one decision may set off; more is taken for an event that never ends.
const MOST_OPERATIONS: u32 = 100_000;

/// An event on its way: where it goes on, the innermost last, and where it began.
pub(super) struct Run {
    pub stack: Vec<u32>,
    pub at: Position,
    pub steps: u32,
}

impl Run {
    /// Nothing to do yet.
    pub(super) fn new(at: Position) -> Self {
        Run { stack: Vec::new(), at, steps: 0 }
    }
}

impl Game {
    /// Carries out what is on the way until nothing is, the game has ended, or a choice is to be made.
    pub(super) fn run(&self, state: &mut State, run: &mut Run) -> Result<(), GameError> {
        while let Some(mut next) = run.stack.pop() {
            loop {
                run.steps += 1;
                if run.steps > MOST_OPERATIONS {
                    return Err(GameError::Endless { at: run.at, steps: MOST_OPERATIONS });
                }
                let operation = self.program.operation(next);
                next += 1;
                match operation {
                    Operation::Stop => break,
                    Operation::Jump(to) => next = *to,
                    Operation::Unless(condition, to) => {
                        if !self.evaluate(state, condition, run.at)?.is_true() {
                            next = *to;
                        }
                    }
                    Operation::Ask(choice) => match self.asks(state, *choice, run.at)? {
                        true => {
                            let then = std::mem::take(&mut run.stack);
                            state.pending = Some(Pending { choice: *choice, at: run.at, then });
                            return Ok(());
                        }
                        false => next = self.program.question(*choice).map_or(u32::MAX, |question| question.otherwise),
                    },
                    change => {
                        let first = run.stack.len();
                        self.change(state, change, run)?;
                        if state.end.is_some() {
                            return Ok(());
                        }
                        if run.stack.len() > first {
                            run.stack.insert(first, next);
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a question has an answer that can be given.
    fn asks(&self, state: &State, choice: ChoiceId, at: Position) -> Result<bool, GameError> {
        let answers = self.program.question(choice).map_or(&[][..], |question| &question.answers);
        for answer in answers {
            if self.is_offered(state, answer.condition.as_ref(), at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn is_offered(&self, state: &State, when: Option<&Expression>, at: Position) -> Result<bool, GameError> {
        when.map_or(Ok(true), |condition| Ok(self.evaluate(state, condition, at)?.is_true()))
    }

    /// One operation that changes the state. What it sets off is put on the stack.
    fn change(&self, state: &mut State, operation: &Operation, run: &mut Run) -> Result<(), GameError> {
        match operation {
            Operation::Set(target, value) => self.set(state, *target, value, run.at)?,
            Operation::Put(tile, at) => at.iter().for_each(|cell| put(state, *cell, *tile)),
            Operation::Remove(at) => at.iter().for_each(|cell| remove(state, *cell)),
            Operation::Open(at) => {
                for cell in at.iter().rev() {
                    let was_shut = self.tile_now(state, *cell) != Tile::Floor;
                    remove(state, *cell);
                    run.stack.extend(self.event_of(*cell, &Trigger::AfterOpen).filter(|_| was_shut));
                }
            }
            Operation::Hide(at) => at.iter().for_each(|cell| _ = state.hidden.insert(*cell)),
            Operation::Show(at) => at.iter().for_each(|cell| _ = state.hidden.remove(*cell)),
            Operation::Move(from, to) => {
                // What is switched off stays where it is; what moves can be seen where it comes to.
                let tile = self.tile_now(state, *from);
                if tile != Tile::Floor {
                    remove(state, *from);
                    if let Some(to) = *to {
                        put(state, to, tile);
                        state.hidden.remove(to);
                    }
                }
            }
            Operation::Alter(monster, what, value) => self.alter(state, *monster, *what, value, run.at)?,
            Operation::Fight(monster, at) => self.forced_fight(state, *monster, *at, run)?,
            Operation::Go(to) => self.go(state, *to, run),
            Operation::Win => state.end = Some(End::Won),
            Operation::Lose => die(state),
            Operation::Jump(_) | Operation::Unless(..) | Operation::Ask(_) | Operation::Stop => {}
        }
        Ok(())
    }

    fn set(&self, state: &mut State, target: Target, value: &Expression, at: Position) -> Result<(), GameError> {
        let overflow = GameError::Calculation { at, what: "a number that it sets" };
        let value = self.evaluate(state, value, at)?.floor().ok_or(overflow)?;
        let hero = &mut state.hero;
        match target {
            Target::Variable(id) => {
                if let Some(variable) = state.variables.get_mut(usize::from(id)) {
                    *variable = value;
                }
            }
            Target::Hero(quantity) => match quantity {
                Quantity::Hp => hero.hp = value,
                Quantity::Atk => hero.atk = value,
                Quantity::Def => hero.def = value,
                Quantity::Mdef => hero.mdef = value,
                Quantity::Gold => hero.gold = value,
                Quantity::Experience => hero.experience = value,
                Quantity::Keys(colour) => hero.keys[colour] = value,
                Quantity::Cross => hero.marks.cross = value != 0,
                Quantity::Coin => hero.marks.coin = value != 0,
                Quantity::Curse => hero.marks.curse = value != 0,
                Quantity::Hatred => hero.marks.hatred = value,
            },
        }
        if state.hero.hp <= 0 {
            die(state);
        }
        Ok(())
    }

    /// HP of a monster stays at least 1, and its other numbers at least 0.
    fn alter(
        &self,
        state: &mut State,
        monster: MonsterId,
        what: Attribute,
        value: &Expression,
        at: Position,
    ) -> Result<(), GameError> {
        let overflow = GameError::Calculation { at, what: "a number of a monster" };
        let value = self.evaluate(state, value, at)?.floor().ok_or(overflow)?;
        let least = if what == Attribute::Hp { 1 } else { 0 };
        let table = state.monsters.get_or_insert_with(|| Arc::new(self.tower.monsters.clone()));
        if let Some(row) = Arc::make_mut(table).get_mut(usize::from(monster)) {
            *what.of_mut(row) = value.max(least);
        }
        if **table == self.tower.monsters {
            state.monsters = None;
        }
        Ok(())
    }

    fn forced_fight(
        &self,
        state: &mut State,
        monster: MonsterId,
        at: Option<CellIndex>,
        run: &mut Run,
    ) -> Result<(), GameError> {
        let row = self.monster_now(state, monster);
        let place = at.map_or(run.at, |cell| self.graph.position(cell));
        let too_large = |combat::Overflow| GameError::FightOverflow { monster: row.name.clone(), at: place };
        match combat::fight(&state.hero, row, self.tower.rules).map_err(too_large)? {
            Fight::Winnable { damage } => {
                let after = combat::after(&state.hero, row, damage, self.tower.rules);
                let wins = row.boss && self.boss_wins();
                state.hero = after.ok_or(GameError::GainOverflow { at: place })?;
                if let Some(cell) = at {
                    remove(state, cell);
                    run.stack.extend(self.event_of(cell, &Trigger::AfterFight));
                }
                if wins {
                    state.end = Some(End::Won);
                }
            }
            Fight::Lethal { .. } | Fight::Unwinnable => die(state),
        }
        Ok(())
    }

    /// Puts the hero on a tile; what happens on arrival on another floor is put on the stack.
    pub(super) fn go(&self, state: &mut State, to: CellIndex, run: &mut Run) {
        let (from, to) = (state.at.floor, self.graph.position(to));
        state.at = to;
        if from != to.floor {
            self.arrive(state, to.floor, run);
        }
    }

    /// Puts on the stack what happens on arrival on a floor.
    pub(super) fn arrive(&self, state: &mut State, floor: u16, run: &mut Run) {
        let events: Vec<usize> = self.arrivals(state, floor).collect();
        for event in events.into_iter().rev() {
            if self.tower.events[event].trigger == Trigger::FirstArrival {
                state.past.insert(event as CellIndex);
            }
            run.stack.push(self.program.of_event(event));
        }
    }

    /// The value of an expression in a state.
    ///
    /// # Errors
    /// [`GameError::Calculation`] if it divides by 0 or leaves its range.
    pub(super) fn evaluate(&self, state: &State, expression: &Expression, at: Position) -> Result<Number, GameError> {
        self.value(state, expression).ok_or(GameError::Calculation { at, what: "an expression" })
    }

    fn value(&self, state: &State, expression: &Expression) -> Option<Number> {
        let hero = &state.hero;
        Some(match expression {
            Expression::Number(number) => *number,
            Expression::Hero(quantity) => match quantity {
                Quantity::Hp => hero.hp.into(),
                Quantity::Atk => hero.atk.into(),
                Quantity::Def => hero.def.into(),
                Quantity::Mdef => hero.mdef.into(),
                Quantity::Gold => hero.gold.into(),
                Quantity::Experience => hero.experience.into(),
                Quantity::Keys(colour) => hero.keys[*colour].into(),
                Quantity::Cross => Number::of_truth(hero.marks.cross),
                Quantity::Coin => Number::of_truth(hero.marks.coin),
                Quantity::Curse => Number::of_truth(hero.marks.curse),
                Quantity::Hatred => hero.marks.hatred.into(),
            },
            Expression::Variable(id) => state.variables.get(usize::from(*id)).copied().unwrap_or(0).into(),
            Expression::Monster(id, attribute) => attribute.of(self.monster_now(state, *id)).into(),
            Expression::Stands(tile, place) => {
                let cell = self.graph.cell(*place)?;
                Number::of_truth(self.tile_now(state, cell) == *tile)
            }
            Expression::Not(inner) => Number::of_truth(!self.value(state, inner)?.is_true()),
            Expression::Negative(inner) => Number::ZERO.minus(self.value(state, inner)?)?,
            Expression::Floor(inner) => self.value(state, inner)?.floor()?.into(),
            Expression::Either(condition, then, otherwise) => {
                let taken = if self.value(state, condition)?.is_true() { then } else { otherwise };
                self.value(state, taken)?
            }
            Expression::Operation(left, operator, right) => {
                let left = self.value(state, left)?;
                match operator {
                    Operator::And if !left.is_true() => Number::ZERO,
                    Operator::Or if left.is_true() => Number::ONE,
                    _ => combine(left, *operator, self.value(state, right)?)?,
                }
            }
        })
    }
}

/// What is made of two numbers; `None` beyond the range.
fn combine(left: Number, operator: Operator, right: Number) -> Option<Number> {
    use std::cmp::Ordering::{Greater, Less};
    let order = || left.compare(right);
    Some(match operator {
        Operator::Plus => left.plus(right)?,
        Operator::Minus => left.minus(right)?,
        Operator::Times => left.times(right)?,
        Operator::Over => left.over(right)?,
        Operator::Modulo => left.modulo(right)?,
        Operator::Least => {
            if order()? == Greater {
                right
            } else {
                left
            }
        }
        Operator::Most => {
            if order()? == Less {
                right
            } else {
                left
            }
        }
        Operator::Equal => Number::of_truth(left == right),
        Operator::Unequal => Number::of_truth(left != right),
        Operator::Less => Number::of_truth(order()? == Less),
        Operator::AtMost => Number::of_truth(order()? != Greater),
        Operator::Greater => Number::of_truth(order()? == Greater),
        Operator::AtLeast => Number::of_truth(order()? != Less),
        Operator::And | Operator::Or => Number::of_truth(right.is_true()),
    })
}

/// Takes away what is on a tile, for good.
pub(super) fn remove(state: &mut State, cell: CellIndex) {
    state.cleared.insert(cell);
    if let Ok(index) = state.changed.binary_search_by_key(&cell, |(cell, _)| *cell) {
        state.changed.remove(index);
    }
}

/// Puts a tile in the place of whatever is there.
fn put(state: &mut State, cell: CellIndex, tile: Tile) {
    if tile == Tile::Floor {
        return remove(state, cell);
    }
    state.cleared.remove(cell);
    match state.changed.binary_search_by_key(&cell, |(cell, _)| *cell) {
        Ok(index) => state.changed[index].1 = tile,
        Err(index) => state.changed.insert(index, (cell, tile)),
    }
}

pub(super) fn die(state: &mut State) {
    state.hero.hp = 0;
    state.end = Some(End::Dead);
}
