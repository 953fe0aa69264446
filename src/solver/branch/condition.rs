//! What a condition says about what is not above what: `a <= b`, as far as it is of use to those who read scripts.

use crate::game::{Expression, Number, Operator};

/// Adds what a condition says if it holds, or if it does not.
pub(super) fn check(checks: &mut Vec<Expression>, condition: &Expression, holds: bool) {
    match condition {
        Expression::Not(inner) => check(checks, inner, !holds),
        Expression::Operation(left, Operator::And, right) if holds => {
            check(checks, left, true);
            check(checks, right, true);
        }
        Expression::Operation(left, Operator::Or, right) if !holds => {
            check(checks, left, false);
            check(checks, right, false);
        }
        Expression::Variable(_) if !holds => checks.push(at_most(condition, &Expression::whole(0))),
        Expression::Operation(left, operator, right) => match (operator, holds) {
            (Operator::AtLeast, true) | (Operator::Less, false) => checks.push(at_most(right, left)),
            (Operator::AtMost, true) | (Operator::Greater, false) => checks.push(at_most(left, right)),
            (Operator::Equal, true) | (Operator::Unequal, false) => {
                checks.extend([at_most(left, right), at_most(right, left)]);
            }
            // Of whole numbers.
            (Operator::Less, true) | (Operator::AtLeast, false) => below(checks, left, right),
            (Operator::Greater, true) | (Operator::AtMost, false) => below(checks, right, left),
            _ => {}
        },
        _ => {}
    }
}

/// `v < k` is `v <= k - 1`, of a variable and a whole number.
fn below(checks: &mut Vec<Expression>, low: &Expression, high: &Expression) {
    if let (Expression::Variable(_), Expression::Number(number)) = (low, high)
        && number.denominator() == 1
        && let Some(below) = number.minus(Number::ONE)
    {
        checks.push(at_most(low, &Expression::Number(below)));
    }
}

fn at_most(low: &Expression, high: &Expression) -> Expression {
    low.clone().operation(Operator::AtMost, high.clone())
}
