//! Numbers and names that check themselves while a table is read, so that one out of range is told like a wrong type.

use serde::Deserialize;

use crate::format::name::check_name;

/// A whole number of at least `LEAST`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct AtLeast<const LEAST: i64>(pub i64);

impl<const LEAST: i64> TryFrom<i64> for AtLeast<LEAST> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number < LEAST {
            return Err(format!("expected a whole number of at least {LEAST}, found `{number}`"));
        }
        Ok(AtLeast(number))
    }
}

impl<const LEAST: i64> Default for AtLeast<LEAST> {
    fn default() -> Self {
        AtLeast(LEAST)
    }
}

/// A whole number from `LEAST` to `MOST`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct Within<const LEAST: u8, const MOST: u8>(pub u8);

impl<const LEAST: u8, const MOST: u8> TryFrom<i64> for Within<LEAST, MOST> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        let within = u8::try_from(number).ok().filter(|number| (LEAST..=MOST).contains(number));
        within.map(Within).ok_or_else(|| format!("expected a whole number from {LEAST} to {MOST}, found `{number}`"))
    }
}

/// Where something is, in exactly as many numbers: column and row, or floor, column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<u16>")]
pub(super) struct Place<const COUNT: usize>(pub [u16; COUNT]);

impl<const COUNT: usize> TryFrom<Vec<u16>> for Place<COUNT> {
    type Error = String;

    fn try_from(numbers: Vec<u16>) -> Result<Self, String> {
        let (expected, written) = match COUNT {
            2 => ("column and row", "[3, 4]"),
            _ => ("floor, column and row", "[0, 3, 4]"),
        };
        let numbers = <[u16; COUNT]>::try_from(numbers).map_err(|numbers| {
            let found = numbers.len();
            format!("expected {expected}, found {found} of them: write {written}, each from 0")
        })?;
        Ok(Place(numbers))
    }
}

/// The longest name, title or note, in characters.
pub const LONGEST_LABEL: usize = 200;

/// A text that people read: one line, which neither a terminal nor a prompt can take for something else.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Label(pub String);

impl TryFrom<String> for Label {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().any(char::is_control) || text.chars().count() > LONGEST_LABEL {
            true => Err(format!("expected one line of at most {LONGEST_LABEL} characters without control characters")),
            false => Ok(Label(text)),
        }
    }
}

/// The longest command that a file may state, in characters.
pub const LONGEST_COMMAND: usize = 16_000;

/// A command as it is typed, which may be long.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct CommandLine(pub String);

impl TryFrom<String> for CommandLine {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().any(char::is_control) || text.chars().count() > LONGEST_COMMAND {
            true => {
                Err(format!("expected one line of at most {LONGEST_COMMAND} characters without control characters"))
            }
            false => Ok(CommandLine(text)),
        }
    }
}

/// The longest text of a question, an answer or a remark in a script, in characters.
pub const LONGEST_TEXT: usize = 2_000;

/// What a script asks, offers or says: one line, which may be long.
#[derive(Clone, Debug)]
pub(super) struct Text(pub String);

impl TryFrom<String> for Text {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().any(char::is_control) || text.chars().count() > LONGEST_TEXT {
            true => Err(format!("expected one line of at most {LONGEST_TEXT} characters without control characters")),
            false => Ok(Text(text)),
        }
    }
}

/// A tower's short name.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct ShortName(pub String);

impl TryFrom<String> for ShortName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        check_name(&name).map(|()| ShortName(name))
    }
}
