//! Expressions as text, from which the same expression is read again. Knows nothing of files.

use super::token::{is_of_name, is_prefix};
use super::{attribute_name, quantity_name};
use crate::format::native::symbols;
use crate::game::{Expression, Number, Operator, Tower};

/// How strongly operators bind: the higher, the tighter.
pub(super) mod power {
    /// `?:`
    pub const EITHER: u8 = 0;
    /// What binds tighter than `?:`.
    pub const OR: u8 = 1;
    /// `!` and the sign of a number.
    pub const SIGN: u8 = 7;
}

/// The sign of an operator that stands between its operands and how strongly it binds; none for a function.
pub(super) fn sign(operator: Operator) -> Option<(&'static str, u8)> {
    Some(match operator {
        Operator::Or => ("||", power::OR),
        Operator::And => ("&&", 2),
        Operator::Equal => ("==", 3),
        Operator::Unequal => ("!=", 3),
        Operator::Less => ("<", 4),
        Operator::AtMost => ("<=", 4),
        Operator::Greater => (">", 4),
        Operator::AtLeast => (">=", 4),
        Operator::Plus => ("+", 5),
        Operator::Minus => ("-", 5),
        Operator::Times => ("*", 6),
        Operator::Over => ("/", 6),
        Operator::Modulo => ("%", 6),
        Operator::Least | Operator::Most => return None,
    })
}

/// An expression as text.
pub(in crate::format::native) fn print(expression: &Expression, tower: &Tower) -> String {
    let mut text = String::new();
    put(expression, power::EITHER, tower, &mut text);
    text
}

/// Appends an expression, in parentheses if it binds less than `least`.
fn put(expression: &Expression, least: u8, tower: &Tower, text: &mut String) {
    let enclosed = binds(expression) < least;
    if enclosed {
        text.push('(');
    }
    match expression {
        Expression::Number(value) => text.push_str(&number(*value)),
        Expression::Hero(quantity) => text.push_str(quantity_name(*quantity)),
        Expression::Variable(id) => text.push_str(&variable(tower, *id)),
        Expression::Monster(id, attribute) => {
            let symbol = symbols::symbol(tower, crate::game::Tile::Monster(*id));
            text.push_str(&format!("monster({symbol}, {})", attribute_name(*attribute)));
        }
        Expression::Stands(tile, at) => {
            let symbol = symbols::symbol(tower, *tile);
            text.push_str(&format!("stands(\"{symbol}\", {}, {}, {})", at.floor, at.x, at.y));
        }
        Expression::Not(inner) => {
            text.push('!');
            put(inner, power::SIGN, tower, text);
        }
        Expression::Negative(inner) => {
            // A sign before digits belongs to the number.
            let least = if matches!(**inner, Expression::Number(_)) { u8::MAX } else { power::SIGN };
            text.push('-');
            put(inner, least, tower, text);
        }
        Expression::Floor(inner) => call("floor", &[&**inner], tower, text),
        Expression::Operation(left, operator, right) => match sign(*operator) {
            Some((sign, power)) => {
                put(left, power, tower, text);
                text.push_str(&format!(" {sign} "));
                put(right, power + 1, tower, text);
            }
            None => call(if *operator == Operator::Least { "min" } else { "max" }, &[&**left, &**right], tower, text),
        },
        Expression::Either(condition, then, otherwise) => {
            put(condition, power::OR, tower, text);
            text.push_str(" ? ");
            put(then, power::EITHER, tower, text);
            text.push_str(" : ");
            put(otherwise, power::EITHER, tower, text);
        }
    }
    if enclosed {
        text.push(')');
    }
}

fn binds(expression: &Expression) -> u8 {
    match expression {
        Expression::Either(..) => power::EITHER,
        Expression::Operation(_, operator, _) => sign(*operator).map_or(power::SIGN + 1, |(_, power)| power),
        Expression::Not(_) | Expression::Negative(_) => power::SIGN,
        _ => power::SIGN + 1,
    }
}

fn call(name: &str, inner: &[&Expression], tower: &Tower, text: &mut String) {
    text.push_str(name);
    for (index, inner) in inner.iter().enumerate() {
        text.push_str(if index == 0 { "(" } else { ", " });
        put(inner, power::EITHER, tower, text);
    }
    text.push(')');
}

/// A number as exact decimal digits, or as a fraction in parentheses.
fn number(value: Number) -> String {
    decimal(value).unwrap_or_else(|| value.to_string())
}

/// `None` if a number has no exact decimal digits, or too many.
fn decimal(value: Number) -> Option<String> {
    let (mut digits, mut power) = (0_usize, 1_i128);
    while power % value.denominator() != 0 {
        (digits, power) = (digits + 1, power.checked_mul(10).filter(|_| digits < 15)?);
    }
    let scaled = value.numerator().checked_mul(power / value.denominator())?;
    let sign = if scaled < 0 { "-" } else { "" };
    let all = format!("{:0>width$}", scaled.unsigned_abs(), width = digits + 1);
    let (whole, decimals) = all.split_at(all.len() - digits);
    Some(if digits == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") })
}

/// A variable's name as an expression has it: in quotes as far as it needs them.
pub(in crate::format::native) fn variable(tower: &Tower, id: u16) -> String {
    let name = tower.variables.get(usize::from(id)).map_or("?", |variable| variable.name.as_str());
    match name.split_once(':') {
        Some((prefix, rest)) if is_prefix(prefix) && !rest.is_empty() && rest.chars().all(is_of_name) => {
            name.to_owned()
        }
        Some((prefix, rest)) if is_prefix(prefix) => format!("{prefix}:{}", enquoted(rest)),
        _ => enquoted(name),
    }
}

fn enquoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
