//! A value that was read: what it is, and its line. Knows nothing of how it was written.

use std::fmt;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its line, from 1.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number, as it was written, in plain decimals.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object; no key stands twice.
    Object(Vec<(String, Value)>),
    /// Code, as it was written.
    Code(String),
}

impl Value {
    /// The member of an object; none if there is none, it is null, or this is no object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let found = self.members().iter().find(|(name, _)| name == key).map(|(_, value)| value);
        found.filter(|value| value.kind != Kind::Null)
    }

    /// The first of several names that an object has a member of.
    pub fn get_any(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[(String, Value)] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Value] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The text.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, as decimals; also that of a text that is one.
    pub fn decimals(&self) -> Option<String> {
        match &self.kind {
            Kind::Number(number) => Some(number.clone()),
            Kind::Text(text) => decimal(text.trim()),
            Kind::Bool(bool) => Some(u8::from(*bool).to_string()),
            _ => None,
        }
    }

    /// The whole number; a fraction is rounded down. None beyond `i64`.
    pub fn whole(&self) -> Option<i64> {
        let text = self.decimals()?;
        match text.split_once('.') {
            None => text.parse().ok(),
            Some((whole, _)) => {
                let towards_zero: i64 = if whole == "-" || whole == "-0" { Some(0) } else { whole.parse().ok() }?;
                towards_zero.checked_sub(i64::from(text.starts_with('-')))
            }
        }
    }

    /// The member of an object as a whole number.
    pub fn whole_of(&self, keys: &[&str]) -> Option<i64> {
        self.get_any(keys)?.whole()
    }

    /// The member of an object as a text.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// Whether the member of an object counts as true.
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(Value::counts_as_true)
    }

    /// Whether it counts as true in JavaScript.
    pub fn counts_as_true(&self) -> bool {
        match &self.kind {
            Kind::Null => false,
            Kind::Bool(bool) => *bool,
            Kind::Number(number) => number.bytes().any(|b| matches!(b, b'1'..=b'9')),
            Kind::Text(text) => !text.is_empty(),
            Kind::List(_) | Kind::Object(_) | Kind::Code(_) => true,
        }
    }

    /// What it is, in words.
    pub fn name(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "yes or no",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
            Kind::Code(_) => "code",
        }
    }
}

/// Prints it as JSON on one line; code in back quotes.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Null => f.write_str("null"),
            Kind::Bool(bool) => write!(f, "{bool}"),
            Kind::Number(number) => f.write_str(number),
            Kind::Text(text) => write!(f, "{}", serde_json::Value::from(text.as_str())),
            Kind::Code(code) => write!(f, "code`{code}`"),
            Kind::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Kind::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    write!(f, "{}{}:{value}", if index > 0 { "," } else { "" }, serde_json::Value::from(key.as_str()))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Digits that a number may have.
const LONGEST_NUMBER: usize = 60;

/// A number in plain decimals without needless zeros, `-12.5`; none if the text is no decimal number, or a very long one.
pub fn decimal(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return Some(u64::from_str_radix(digits, 16).ok()?.to_string());
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(place) => (text.get(..place)?, text.get(place + 1..)?.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !plain(whole) || !plain(decimals) || (whole.is_empty() && decimals.is_empty()) {
        return None;
    }
    let shift = exponent.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    let all = format!("{whole}{decimals}");
    let (whole, decimals) = match shift {
        0.. => {
            let zeros = usize::try_from(shift).ok().filter(|zeros| zeros + all.len() <= LONGEST_NUMBER)?;
            (format!("{all}{}", "0".repeat(zeros)), String::new())
        }
        _ => {
            let places = usize::try_from(-i64::from(shift)).ok().filter(|places| *places <= LONGEST_NUMBER)?;
            let padded = format!("{}{all}", "0".repeat((places + 1).saturating_sub(all.len())));
            let (whole, decimals) = padded.split_at_checked(padded.len() - places)?;
            (whole.to_owned(), decimals.trim_end_matches('0').to_owned())
        }
    };
    if whole.len() > LONGEST_NUMBER {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        other => other,
    };
    let number = if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") };
    Some(if negative && number != "0" { format!("-{number}") } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_decimals() {
        let cases = [("1", "1"), ("-2.50", "-2.5"), ("1e3", "1000"), ("1.5e1", "15"), ("2E-2", "0.02"), ("007", "7")];
        for (text, plain) in cases.into_iter().chain([(".5", "0.5"), ("-0", "0"), ("0x10", "16"), ("+3.", "3")]) {
            assert_eq!(decimal(text).as_deref(), Some(plain), "{text}");
        }
        for wrong in ["", "-", "1e", "e3", "1.2.3", "12px", "1e999999999", "--1", "0xg", "NaN", "1-2"] {
            assert_eq!(decimal(wrong), None, "{wrong}");
        }
        let whole = |text: &str| Value { line: 1, kind: Kind::Text(text.into()) }.whole();
        assert_eq!(["2.9", "-2.1", "-0.5", "99999999999999999999"].map(whole), [Some(2), Some(-3), Some(-1), None]);
    }
}
