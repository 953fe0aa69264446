//! Expressions made of expressions, with constants calculated at once. Knows nothing of where they come from.

use std::cmp::Ordering;

use crate::game::{Expression, Number, Operator};

/// The number, if an expression is one.
pub fn constant(expression: &Expression) -> Option<Number> {
    match expression {
        Expression::Number(number) => Some(*number),
        _ => None,
    }
}

/// Whether an expression can only be 1 or 0.
pub fn is_truth(expression: &Expression) -> bool {
    match expression {
        Expression::Number(number) => *number == Number::ONE || *number == Number::ZERO,
        Expression::Not(_) | Expression::Stands(..) => true,
        Expression::Operation(_, operator, _) => !matches!(
            operator,
            Operator::Plus
                | Operator::Minus
                | Operator::Times
                | Operator::Over
                | Operator::Modulo
                | Operator::Least
                | Operator::Most
        ),
        _ => false,
    }
}

/// Whether something is not true.
pub fn not(of: Expression) -> Expression {
    match (constant(&of), of) {
        (Some(number), _) => Expression::Number(Number::of_truth(!number.is_true())),
        (None, Expression::Not(inner)) if is_truth(&inner) => *inner,
        (None, of) => Expression::Not(Box::new(of)),
    }
}

/// The negative.
pub fn negative(of: Expression) -> Expression {
    match constant(&of).and_then(|number| Number::ZERO.minus(number)) {
        Some(number) => Expression::Number(number),
        None => Expression::Negative(Box::new(of)),
    }
}

/// The largest whole number not above.
pub fn floor(of: Expression) -> Expression {
    match constant(&of).and_then(Number::floor) {
        Some(number) => Expression::whole(number),
        None => Expression::Floor(Box::new(of)),
    }
}

/// Two made into one.
pub fn operation(left: Expression, operator: Operator, right: Expression) -> Expression {
    let (known_left, known_right) = (constant(&left), constant(&right));
    if let (Some(a), Some(b)) = (known_left, known_right)
        && let Some(number) = calculate(a, operator, b)
    {
        return Expression::Number(number);
    }
    match (operator, known_left, known_right) {
        (Operator::Plus, Some(Number::ZERO), _) => right,
        (Operator::Plus | Operator::Minus, _, Some(Number::ZERO)) => left,
        (Operator::Times, Some(Number::ONE), _) => right,
        (Operator::Times | Operator::Over, _, Some(Number::ONE)) => left,
        (Operator::And, Some(a), _) if a.is_true() && is_truth(&right) => right,
        (Operator::And, _, Some(b)) if b.is_true() && is_truth(&left) => left,
        (Operator::And, Some(a), _) if !a.is_true() => Expression::Number(Number::ZERO),
        (Operator::And, _, Some(b)) if !b.is_true() => Expression::Number(Number::ZERO),
        (Operator::Or, Some(a), _) if !a.is_true() && is_truth(&right) => right,
        (Operator::Or, _, Some(b)) if !b.is_true() && is_truth(&left) => left,
        (Operator::Or, Some(a), _) if a.is_true() => Expression::Number(Number::ONE),
        (Operator::Or, _, Some(b)) if b.is_true() => Expression::Number(Number::ONE),
        _ => left.operation(operator, right),
    }
}

/// The second if the first is true, else the third.
pub fn either(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    match constant(&condition) {
        Some(number) if number.is_true() => then,
        Some(_) => otherwise,
        None => Expression::Either(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

fn calculate(a: Number, operator: Operator, b: Number) -> Option<Number> {
    let order = || a.compare(b);
    Some(match operator {
        Operator::Plus => a.plus(b)?,
        Operator::Minus => a.minus(b)?,
        Operator::Times => a.times(b)?,
        Operator::Over => a.over(b)?,
        Operator::Modulo => a.modulo(b)?,
        Operator::Least => {
            if order()? == Ordering::Greater {
                b
            } else {
                a
            }
        }
        Operator::Most => {
            if order()? == Ordering::Less {
                b
            } else {
                a
            }
        }
        Operator::Equal => Number::of_truth(a == b),
        Operator::Unequal => Number::of_truth(a != b),
        Operator::Less => Number::of_truth(order()? == Ordering::Less),
        Operator::AtMost => Number::of_truth(order()? != Ordering::Greater),
        Operator::Greater => Number::of_truth(order()? == Ordering::Greater),
        Operator::AtLeast => Number::of_truth(order()? != Ordering::Less),
        Operator::And => Number::of_truth(a.is_true() && b.is_true()),
        Operator::Or => Number::of_truth(a.is_true() || b.is_true()),
    })
}
