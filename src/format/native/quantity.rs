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

/// A tower's short name.
/// A text that people read: one line, which neither a terminal nor a prompt can take for something else.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Label(pub String);

impl TryFrom<String> for Label {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        const LONGEST: usize = 200;
        match text.chars().any(char::is_control) || text.chars().count() > LONGEST {
            true => Err(format!("expected one line of at most {LONGEST} characters without control characters")),
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

#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct ShortName(pub String);

impl TryFrom<String> for ShortName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        check_name(&name).map(|()| ShortName(name))
    }
}
