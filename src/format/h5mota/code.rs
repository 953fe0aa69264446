//! The JavaScript of events, as far as it is read: expressions, and the few statements that short functions are made of.
//! It is only parsed, never run. Knows nothing of what the names in it mean.

mod parse;
mod print;
mod token;

pub use parse::{expression, function_body, statements};
pub use token::Store;

/// Why a text is not read as code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotUnderstood(pub String);

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// A number, in plain decimals.
    Number(String),
    /// A text.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// `null` or `undefined`.
    Null,
    /// A stored quantity: `flag:x`, `status:hp`, `item:yellowKey`.
    Stored(Store, String),
    /// A name.
    Name(String),
    /// `of.name`, also `of['name']`.
    Member(Box<Code>, String),
    /// `of[index]`.
    Index(Box<Code>, Box<Code>),
    /// `function(arguments)`.
    Call(Box<Code>, Vec<Code>),
    /// `operator of`.
    Unary(&'static str, Box<Code>),
    /// `left operator right`.
    Binary(Box<Code>, &'static str, Box<Code>),
    /// `condition ? then : otherwise`.
    Either(Box<Code>, Box<Code>, Box<Code>),
    /// `target operator value`, such as `+=`.
    Assign(Box<Code>, &'static str, Box<Code>),
    /// `[items]`.
    List(Vec<Code>),
    /// `{ key: value }`.
    Object(Vec<(String, Code)>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// An expression whose value is not used.
    Do(Code),
    /// `delete of`.
    Delete(Code),
    /// `if (condition) then else otherwise`.
    If(Code, Vec<Statement>, Vec<Statement>),
    /// `return`, without a value.
    Return,
}

impl Code {
    /// The dotted path, if it is one: `core.status.hero.hp`.
    pub fn path(&self) -> Option<String> {
        match self {
            Code::Name(name) => Some(name.clone()),
            Code::Member(of, name) => Some(format!("{}.{name}", of.path()?)),
            _ => None,
        }
    }
}
