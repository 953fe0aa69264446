//! The names of what expressions read: what the hero has, numbers of a monster. Knows nothing of their values.

use std::ops::Range;

use crate::format::problem::{Problem, quoted};
use crate::game::{Attribute, Colour, Quantity};

/// What the hero has, by name.
pub(super) const QUANTITIES: [(&str, Quantity); 14] = [
    ("hp", Quantity::Hp),
    ("atk", Quantity::Atk),
    ("def", Quantity::Def),
    ("mdef", Quantity::Mdef),
    ("gold", Quantity::Gold),
    ("experience", Quantity::Experience),
    ("yellow_keys", Quantity::Keys(Colour::Yellow)),
    ("blue_keys", Quantity::Keys(Colour::Blue)),
    ("red_keys", Quantity::Keys(Colour::Red)),
    ("green_keys", Quantity::Keys(Colour::Green)),
    ("cross", Quantity::Cross),
    ("coin", Quantity::Coin),
    ("curse", Quantity::Curse),
    ("hatred", Quantity::Hatred),
];

/// Numbers of a monster, by name.
pub(super) const ATTRIBUTES: [(&str, Attribute); 5] = [
    ("hp", Attribute::Hp),
    ("atk", Attribute::Atk),
    ("def", Attribute::Def),
    ("gold", Attribute::Gold),
    ("experience", Attribute::Experience),
];

/// The name of what the hero has.
pub(super) fn quantity_name(quantity: Quantity) -> &'static str {
    QUANTITIES.into_iter().find(|(_, known)| *known == quantity).map_or("?", |(name, _)| name)
}

/// The name of a number of a monster.
pub(in crate::format::native) fn attribute_name(attribute: Attribute) -> &'static str {
    ATTRIBUTES.into_iter().find(|(_, known)| *known == attribute).map_or("?", |(name, _)| name)
}

/// The number of a monster of this name.
///
/// # Errors
/// That there is none, at its place in the text.
pub(in crate::format::native) fn attribute(name: &str, place: Range<usize>) -> Result<Attribute, Problem> {
    let found = ATTRIBUTES.into_iter().find(|(known, _)| *known == name).map(|(_, attribute)| attribute);
    found.ok_or_else(|| {
        let names = ATTRIBUTES.map(|(name, _)| name);
        let problem = Problem::at(place, format!("a monster has no number {}", quoted(name)));
        with_known(problem, name, &names)
    })
}

/// A problem with the nearest of the valid names for advice, or all of them.
pub(super) fn with_known(problem: Problem, found: &str, names: &[&str]) -> Problem {
    let near = problem.clone().with_nearest(found, names.iter().copied());
    match near.help {
        Some(_) => near,
        None => problem.with_help(format!("known here: {}", names.join(", "))),
    }
}
