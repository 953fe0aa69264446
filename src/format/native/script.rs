//! Scripts as files have them: a list with one instruction an element, a word or a table. Knows the names of one tower,
//! not what instructions do.

mod read;
mod value;
mod write;

pub(super) use read::ScriptReader;
pub(super) use write::{place, value, write};
