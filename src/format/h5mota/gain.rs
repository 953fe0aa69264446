//! What an item gives, out of the script of its effect: quantities and variables, where that is all.

use super::fold;
use super::kinds::LARGEST;
use crate::game::{Expression, Hero, Instruction, Operator, Quantity, Target, VariableId};

/// One more of something.
pub(super) fn add_one(target: Target) -> Instruction {
    let now = match target {
        Target::Hero(quantity) => Expression::Hero(quantity),
        Target::Variable(id) => Expression::Variable(id),
    };
    let value = match target {
        Target::Hero(Quantity::Cross | Quantity::Coin) => Expression::whole(1),
        _ => fold::operation(now, Operator::Plus, Expression::whole(1)),
    };
    Instruction::Set { target, value }
}

/// A script as what it adds to quantities and to variables, if that is all that it does; else the script.
pub(super) fn split(script: Vec<Instruction>) -> (Hero, Vec<(VariableId, i64)>, Vec<Instruction>) {
    let (mut gain, mut tools) = (Hero::default(), Vec::new());
    for instruction in &script {
        let added = match instruction {
            Instruction::Set { target, value } => added(*target, value),
            _ => None,
        };
        let taken = added.and_then(|(target, amount)| match target {
            Target::Variable(id) => gather(&mut tools, id, amount),
            Target::Hero(quantity) => give(&mut gain, quantity, amount),
        });
        if taken.is_none() {
            return (Hero::default(), Vec::new(), script);
        }
    }
    (gain, tools, Vec::new())
}

/// Adds to what a variable rises by, each variable once.
fn gather(tools: &mut Vec<(VariableId, i64)>, id: VariableId, amount: i64) -> Option<()> {
    match tools.iter_mut().find(|(known, _)| *known == id) {
        Some((_, sum)) => *sum = sum.checked_add(amount)?,
        None => tools.push((id, amount)),
    }
    Some(())
}

/// What a value adds to its own target, rounded down, if it is of that shape.
fn added(target: Target, value: &Expression) -> Option<(Target, i64)> {
    let is_own = |expression: &Expression| match (expression, target) {
        (Expression::Hero(quantity), Target::Hero(own)) => *quantity == own,
        (Expression::Variable(id), Target::Variable(own)) => *id == own,
        _ => false,
    };
    match (target, value) {
        (_, own) if is_own(own) => Some((target, 0)),
        (Target::Hero(Quantity::Cross | Quantity::Coin), Expression::Number(number)) => Some((target, number.floor()?)),
        (_, Expression::Operation(left, Operator::Plus, right)) if is_own(left) => {
            let amount = fold::constant(right)?.floor()?;
            (amount.checked_abs()? <= LARGEST).then_some((target, amount))
        }
        _ => None,
    }
}

fn give(gain: &mut Hero, quantity: Quantity, amount: i64) -> Option<()> {
    let place = match quantity {
        Quantity::Hp => &mut gain.hp,
        Quantity::Atk => &mut gain.atk,
        Quantity::Def => &mut gain.def,
        Quantity::Mdef => &mut gain.mdef,
        Quantity::Gold => &mut gain.gold,
        Quantity::Experience => &mut gain.experience,
        Quantity::Keys(colour) => &mut gain.keys[colour],
        Quantity::Cross | Quantity::Coin if amount == 1 => {
            let marks = &mut gain.marks;
            *(if quantity == Quantity::Cross { &mut marks.cross } else { &mut marks.coin }) = true;
            return Some(());
        }
        Quantity::Cross | Quantity::Coin | Quantity::Curse | Quantity::Hatred => return None,
    };
    if amount < 0 {
        return None;
    }
    *place = place.checked_add(amount)?;
    Some(())
}
