//! What all templates have: strict fields and the filters. Knows nothing of what a prompt says.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Deserialize;

use crate::game::{Colour, Keys, Position};

use super::grid::grid_from;

/// Strict fields, no blank lines left by tags that stand alone, and the filters.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.unwrap_or_default());
    // Optional fields of an observation are left out where they do not apply, so `{% if %}` may ask for them.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.add_filter("grid", |rows: Serde<Vec<Vec<String>>>, left: Option<usize>, top: Option<usize>| {
        grid_from(&rows, left.unwrap_or(0), top.unwrap_or(0))
    });
    environment.add_filter("place", place);
    environment.add_filter("counted", counted);
    environment.add_filter("keys", |keys: Serde<Keys>| keys_in_words(&keys));
    environment
}

/// So many of something: `1 floor`, `2 floors`.
fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// One position, or several with blanks between them.
fn place(at: Value) -> Result<String, minijinja::Error> {
    if at.kind() != ValueKind::Seq {
        return Ok(position(&at)?.to_string());
    }
    let positions: Result<Vec<String>, minijinja::Error> =
        at.try_iter()?.map(|at| Ok(position(&at)?.to_string())).collect();
    Ok(positions?.join(" "))
}

/// Field by field: a prompt has hundreds of them, and reading a whole value takes several times as long.
fn position(at: &Value) -> Result<Position, minijinja::Error> {
    let part = |name: &str| at.get_attr(name).ok()?.as_usize().and_then(|part| u16::try_from(part).ok());
    match (part("x"), part("y")) {
        (Some(x), Some(y)) => Ok(Position::new(part("floor").unwrap_or(0), x, y)),
        _ => Position::deserialize(at.clone()),
    }
}

fn keys_in_words(keys: &Keys) -> String {
    let held: Vec<String> = (Colour::ALL.into_iter())
        .filter(|colour| keys[*colour] > 0)
        .map(|colour| format!("{} {colour}", keys[colour]))
        .collect();
    if held.is_empty() { "none".into() } else { held.join(", ") }
}
