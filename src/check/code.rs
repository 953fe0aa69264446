//! The codes of the checks. Knows nothing of what they look at.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;

/// A check's code: H of a floor, D of the tower as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the table says what each of them asks")]
pub enum Code {
    H1,
    H2,
    H3,
    H4,
    H5,
    H6,
    H7,
    H8,
    H9,
    H10,
    H11,
    H12,
    D1,
    D2,
    D3,
    D4,
    D5,
    D6,
}

impl Code {
    /// All codes, in the order of the table.
    pub const ALL: [Code; 18] = [
        Code::H1,
        Code::H2,
        Code::H3,
        Code::H4,
        Code::H5,
        Code::H6,
        Code::H7,
        Code::H8,
        Code::H9,
        Code::H10,
        Code::H11,
        Code::H12,
        Code::D1,
        Code::D2,
        Code::D3,
        Code::D4,
        Code::D5,
        Code::D6,
    ];
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

/// Why a text is not a check's code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no check `{0}`: they are H1 to H12 and D1 to D6 (mota check --list)")]
pub struct NotACode(String);

impl FromStr for Code {
    type Err = NotACode;

    fn from_str(text: &str) -> Result<Self, NotACode> {
        let wanted = text.trim().to_uppercase();
        Code::ALL.into_iter().find(|code| code.to_string() == wanted).ok_or_else(|| NotACode(text.to_owned()))
    }
}
