//! Projects of the HTML5 engine.

mod code;
mod literal;
