//! Whether gold and experience are good for anything in a tower. Knows scripts, not what a player is shown.

use crate::game::{Expression, Instruction, Quantity, Target, Tile, Tower, Trigger, script};

/// Whether a shop takes a quantity, or an event or item reads or sets it.
pub fn counts(tower: &Tower, quantity: Quantity) -> bool {
    let is_sold_for = quantity == Quantity::Gold && tower.shop.is_some();
    let scripts =
        (tower.events.iter().map(|event| &event.script)).chain(tower.things.iter().map(|thing| &thing.script));
    let conditions = tower.events.iter().filter_map(|event| match &event.trigger {
        Trigger::When { condition, .. } => Some(condition),
        _ => None,
    });
    (is_sold_for && tower.tiles().any(|(_, tile)| tile == Tile::Shop))
        || conditions.into_iter().any(|condition| reads(condition, quantity))
        || scripts.flat_map(script::all).any(|instruction| concerns(instruction, quantity))
}

fn concerns(instruction: &Instruction, quantity: Quantity) -> bool {
    let sets = matches!(instruction, Instruction::Set { target: Target::Hero(set), .. } if *set == quantity);
    sets || instruction.expressions().into_iter().any(|expression| reads(expression, quantity))
}

fn reads(expression: &Expression, quantity: Quantity) -> bool {
    expression.parts().into_iter().any(|part| *part == Expression::Hero(quantity))
}
