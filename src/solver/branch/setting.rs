//! What setting a quantity or a variable does to a way through a script: what it gives, what it pays, what holds after
//! it. Knows nothing of states.

use crate::game::{Expression, Instruction, Number, Operator, Quantity, Target, VariableId};

use super::range::{change, is_less};
use super::script::{ENDLESS, Reader, Way};
use super::survey::Gain;

impl Reader<'_> {
    pub(super) fn set(&self, way: &mut Way, quantity: Quantity, value: &Expression) {
        let changed = part_of(&mut way.gain, quantity);
        if let Some(changed) = changed {
            *changed = changed.saturating_add(self.rise(quantity, value));
        }
        let paid = match quantity {
            Quantity::Gold => &mut way.gold,
            Quantity::Experience => &mut way.experience,
            _ => return,
        };
        if let Expression::Operation(left, Operator::Minus, price) = value
            && **left == Expression::Hero(quantity)
        {
            let held = Expression::Hero(quantity);
            let asked = |check: &Expression| match check {
                Expression::Operation(low, Operator::AtMost, high) if **high == held => match (&**low, &**price) {
                    (Expression::Number(checked), Expression::Number(price)) => !is_less(*checked, *price),
                    (checked, price) => checked == price,
                },
                _ => false,
            };
            if way.checks.iter().any(asked) {
                paid.push((**price).clone());
            }
        }
        // What was checked of it holds no longer.
        way.checks.retain(|check| !check.parts().contains(&&Expression::Hero(quantity)));
    }

    /// By how much setting a quantity to a value can raise it, at most.
    fn rise(&self, quantity: Quantity, value: &Expression) -> i64 {
        let itself = Expression::Hero(quantity);
        let end = |number: Option<Number>| number.and_then(Number::floor).map_or(ENDLESS, |high| high.max(0));
        match value {
            same if *same == itself => 0,
            Expression::Operation(left, Operator::Plus, right) if **left == itself => {
                end(self.ranges.of(right, None).1.and_then(ceiling))
            }
            Expression::Operation(left, Operator::Plus, right) if **right == itself => {
                end(self.ranges.of(left, None).1.and_then(ceiling))
            }
            Expression::Operation(left, Operator::Minus, right) if **left == itself => {
                end(self.ranges.of(right, None).0.and_then(|low| ceiling(Number::ZERO.minus(low)?)))
            }
            // HP are at least 0: a part of them is no more.
            Expression::Operation(left, Operator::Over, right) if **left == itself && quantity == Quantity::Hp => {
                match &**right {
                    Expression::Number(by) if !is_less(*by, Number::ONE) => 0,
                    _ => ENDLESS,
                }
            }
            Expression::Operation(left, Operator::Times, right) if **left == itself && quantity == Quantity::Hp => {
                match &**right {
                    Expression::Number(by) if !is_less(*by, Number::ZERO) && !is_less(Number::ONE, *by) => 0,
                    _ => ENDLESS,
                }
            }
            Expression::Operation(left, Operator::Least, right) => {
                self.rise(quantity, left).min(self.rise(quantity, right))
            }
            Expression::Operation(left, Operator::Most, right) => {
                self.rise(quantity, left).max(self.rise(quantity, right))
            }
            Expression::Floor(inner) => self.rise(quantity, inner),
            Expression::Either(_, then, otherwise) => self.rise(quantity, then).max(self.rise(quantity, otherwise)),
            // Gold and experience are accounts: what they are set to without regard to what they were is not followed.
            _ if matches!(quantity, Quantity::Gold | Quantity::Experience) => ENDLESS,
            other => end(self.ranges.of(other, None).1),
        }
    }

    pub(super) fn set_variable(&self, way: &mut Way, id: VariableId, value: &Expression) {
        let set = Expression::Variable(id);
        for check in &way.checks {
            // `v <= k` was checked, and `v` is above `k` from now on, because nothing sets it back.
            if let Expression::Operation(left, Operator::AtMost, right) = check
                && **left == set
                && let Expression::Number(most) = &**right
                && let Some(most) = most.floor()
                && self.stays_above(id, most)
                && self.lifts(value, id, most)
            {
                way.until = Some((id, most));
            }
        }
        way.checks.retain(|check| !check.parts().contains(&&set));
    }

    /// Whether a value is above a number, whatever the variable was.
    fn lifts(&self, value: &Expression, id: VariableId, most: i64) -> bool {
        match (value, change(value, id)) {
            (Expression::Number(_), _) => raises(value, id, most),
            (_, Some(by)) => {
                let low = self.ranges.of(&Expression::Variable(id), None).0.and_then(|low| low.plus(by));
                low.is_some_and(|low| is_less(Number::from(most), low))
            }
            _ => false,
        }
    }

    /// Whether all that scripts set a variable to is above a number, or above what it was.
    fn stays_above(&self, id: VariableId, most: i64) -> bool {
        let tower = self.game.tower();
        let lowered = tower.gates.iter().any(|gate| gate.tools.iter().any(|(other, _)| *other == id))
            || tower.things.iter().any(|thing| thing.tools.iter().any(|(other, count)| *other == id && *count < 0));
        !lowered
            && self.all.iter().all(|instruction| match instruction {
                Instruction::Set { target: Target::Variable(other), value } if *other == id => raises(value, id, most),
                _ => true,
            })
    }
}

/// Whether a value is above a number, or above the variable by at least 1.
fn raises(value: &Expression, id: VariableId, most: i64) -> bool {
    match value {
        Expression::Number(number) => number.floor().is_some_and(|number| number > most),
        other => change(other, id).is_some_and(|by| !is_less(by, Number::ONE)),
    }
}

/// The smallest whole number not below one.
fn ceiling(number: Number) -> Option<Number> {
    Some(Number::from(Number::ZERO.minus(number)?.floor()?.checked_neg()?))
}

fn part_of(gain: &mut Gain, quantity: Quantity) -> Option<&mut i64> {
    Some(match quantity {
        Quantity::Hp => &mut gain.hp,
        Quantity::Atk => &mut gain.points[0],
        Quantity::Def => &mut gain.points[1],
        Quantity::Mdef => &mut gain.points[2],
        Quantity::Gold => &mut gain.gold,
        Quantity::Experience => &mut gain.experience,
        Quantity::Keys(colour) => &mut gain.keys[colour as usize],
        Quantity::Cross | Quantity::Coin | Quantity::Curse | Quantity::Hatred => return None,
    })
}
