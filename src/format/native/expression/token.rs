//! The words of an expression, each with its place in it. Knows nothing of what they mean together.

use std::ops::Range;

use crate::format::problem::{Problem, quoted};
use crate::game::Number;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Digits, perhaps with a point.
    Number(Number),
    /// A fraction that no decimal number is: `(1/3)`, without blanks.
    Fraction(Number),
    /// A name without a colon.
    Name(String),
    /// The name of a variable: with a colon, or in quotes.
    Variable(String),
    /// Something between double quotes.
    Text(String),
    /// An operator, a parenthesis or a comma.
    Sign(&'static str),
    /// What comes after the last word.
    End,
}

/// A word and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub token: Token,
    pub place: Range<usize>,
}

/// Longer signs come before those that they begin with.
const SIGNS: [&str; 19] =
    ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", "(", ")", ","];

/// Names that are never the first half of a variable's name.
pub(super) const RESERVED: [&str; 19] = [
    "hp",
    "atk",
    "def",
    "mdef",
    "gold",
    "experience",
    "yellow_keys",
    "blue_keys",
    "red_keys",
    "green_keys",
    "cross",
    "coin",
    "curse",
    "hatred",
    "monster",
    "stands",
    "min",
    "max",
    "floor",
];

/// Whether a letter may stand in a name without quotes.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a name may stand before the colon of a variable's name.
pub(super) fn is_prefix(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(is_of_name) && !RESERVED.contains(&name)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The words of a text; the last is its end.
///
/// # Errors
/// The first thing that is no word, at its place in the text.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Problem> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            tokens.push(Placed { token: Token::End, place: at..at });
            return Ok(tokens);
        };
        let (token, length) = match first {
            '(' => match fraction(rest, at)? {
                Some(found) => found,
                None => (Token::Sign("("), 1),
            },
            '"' => {
                let (name, length) = string(rest, at)?;
                (Token::Text(name), length)
            }
            digit if digit.is_ascii_digit() => number(rest, at)?,
            letter if begins_name(letter) => name(rest, at)?,
            other => match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => return Err(stray(other, at)),
            },
        };
        tokens.push(Placed { token, place: at..at + length });
        at += length;
    }
}

fn stray(found: char, at: usize) -> Problem {
    let problem = Problem::at(at..at + found.len_utf8(), format!("unexpected {}", quoted(&found.to_string())));
    match found {
        '=' => problem.with_help("equality is `==`"),
        '&' | '|' => problem.with_help("`and` is `&&`, `or` is `||`"),
        '\'' => problem.with_help("names and symbols stand in double quotes"),
        _ => problem,
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Digits, perhaps a point and more digits.
fn number(rest: &str, at: usize) -> Result<(Token, usize), Problem> {
    let whole = digits(rest);
    let decimals = rest[whole..].strip_prefix('.').map_or(0, digits);
    let length = if decimals == 0 { whole } else { whole + 1 + decimals };
    let written = &rest[..length];
    if rest[length..].starts_with(|c| is_of_name(c) || c == '.') {
        let end = rest.find(|c| !is_of_name(c) && c != '.').unwrap_or(rest.len());
        return Err(Problem::at(at..at + end, format!("{} is no number", quoted(&rest[..end]))));
    }
    let beyond = || Problem::at(at..at + length, format!("the number {} has too many digits", quoted(written)));
    let parsed = || {
        let power = 10_i128.checked_pow(u32::try_from(decimals).ok()?)?;
        Number::new(written.replace('.', "").parse().ok()?, power)
    };
    Ok((Token::Number(parsed().ok_or_else(beyond)?), length))
}

/// `(1/3)` or `(-1/3)`; none if it is something else in parentheses.
fn fraction(rest: &str, at: usize) -> Result<Option<(Token, usize)>, Problem> {
    let sign = usize::from(rest[1..].starts_with('-'));
    let slash = 1 + sign + digits(&rest[1 + sign..]);
    let Some(after) = rest[slash..].strip_prefix('/').filter(|_| slash > 1 + sign) else { return Ok(None) };
    let end = slash + 1 + digits(after);
    if end == slash + 1 || !rest[end..].starts_with(')') {
        return Ok(None);
    }
    let (above, below) = (&rest[1..slash], &rest[slash + 1..end]);
    let place = at..at + end + 1;
    let number = above.parse().ok().zip(below.parse().ok()).and_then(|(above, below)| Number::new(above, below));
    match number {
        Some(number) => Ok(Some((Token::Fraction(number), end + 1))),
        None => {
            let message = format!("{} divides by 0 or has too many digits", quoted(&rest[..=end]));
            Err(Problem::at(place, message))
        }
    }
}

/// A name, with what follows its colon if it is a variable's.
fn name(rest: &str, at: usize) -> Result<(Token, usize), Problem> {
    let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
    let name = &rest[..length];
    let Some(after) = rest[length..].strip_prefix(':').filter(|_| is_prefix(name)) else {
        return Ok((Token::Name(name.to_owned()), length));
    };
    if after.starts_with('"') {
        let (second, more) = string(after, at + length + 1)?;
        return Ok((Token::Variable(format!("{name}:{second}")), length + 1 + more));
    }
    match after.find(|c| !is_of_name(c)).unwrap_or(after.len()) {
        0 => Ok((Token::Name(name.to_owned()), length)),
        more => Ok((Token::Variable(format!("{name}:{}", &after[..more])), length + 1 + more)),
    }
}

/// What stands between double quotes; within them, `\"` and `\\` stand for `"` and `\`.
fn string(rest: &str, at: usize) -> Result<(String, usize), Problem> {
    let mut value = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => return Ok((value, index + 1)),
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                _ => {
                    let message = "a `\\` in quotes stands before `\"` or another `\\` only";
                    return Err(Problem::at(at + index..at + index + 1, message));
                }
            },
            other => value.push(other),
        }
    }
    Err(Problem::at(at..at + 1, "this quote is never closed"))
}
