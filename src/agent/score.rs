//! What an action looks worth to a careful player who does not search. Knows one step and its effect, no more.
//!
//! None of our sources states the thesis' heuristic, so this one is ours. In points of HP, an action is worth
//!
//! - what it collects: potions at face value, other items by what they change, as below;
//! - plus half of the damage that its gain in ATK, DEF and MDEF takes off all fights still standing (half, because a
//!   player fights about half of them; a fight that cannot be won yet counts as one that costs all HP of the start);
//! - plus the worth of its keys gained, less that of the key spent: a key's worth is [`KEY`] times the doors of its
//!   colour still shut over the keys of its colour still to be had, held ones included;
//! - plus [`EXPOSED`] for every obstacle that it brings into reach;
//! - less the damage of the fight;
//! - less [`DEAD_END`] if it neither collects nor exposes anything.
//!
//! What only starts an event, or answers one, is no dead end.
//!
//! The boss is worth 0 when the fight can be survived: it is fought once nothing better is left. Of equal actions the
//! first in number is taken.

use crate::game::{
    Action, ActionKind, CellIndex, Fight, Game, GameError, Item, State, Step, Tile, combat::Overflow, fight,
};

/// Worth of a key of which there are as many as doors.
pub const KEY: i64 = 40;
/// Worth of an obstacle that comes into reach.
pub const EXPOSED: i64 = 8;
/// What an action costs that leads to nothing.
pub const DEAD_END: i64 = 1_000;
/// Below every action that is not lethal.
pub const LETHAL: i64 = i64::MIN / 4;

/// The worth of `action` in `state`, and what it leads to.
///
/// # Errors
/// [`GameError`] if its effect cannot be computed.
pub fn score(game: &Game, state: &State, action: &Action) -> Result<(i64, Step), GameError> {
    let standing = remaining_damage(game, state, state)?;
    score_with(game, state, action, standing)
}

/// The same, if the damage of all fights still standing is known.
fn score_with(game: &Game, state: &State, action: &Action, standing: i64) -> Result<(i64, Step), GameError> {
    let step = game.carry_out(state, action)?;
    if action.is_lethal() {
        return Ok((LETHAL, step));
    }
    if step.state.end == Some(crate::game::End::Won) {
        return Ok((0, step));
    }
    let damage = match action.kind {
        ActionKind::Fight { fight, .. } => fight.damage().unwrap_or(0),
        _ => 0,
    };
    let healed = (step.state.hero.hp - state.hero.hp).saturating_add(damage);
    let easier = standing.saturating_sub(remaining_damage(game, state, &step.state)?) / 2;
    let exposed = exposed(game, state, &step.state);
    let asks = matches!(action.kind, ActionKind::Touch | ActionKind::Choose { .. });
    let idle = !asks && exposed == 0 && healed == 0 && same_attributes(state, &step.state);
    let worth = healed
        .saturating_add(easier)
        .saturating_add(keys_worth(game, state, &step.state))
        .saturating_add(EXPOSED.saturating_mul(exposed))
        .saturating_sub(damage)
        .saturating_sub(if idle { DEAD_END } else { 0 });
    Ok((worth.clamp(LETHAL / 2, i64::MAX / 4), step))
}

/// The best action of a state by its score, as a number from 1; `None` if there is no action.
///
/// # Errors
/// [`GameError`] if an effect cannot be computed.
pub fn best(game: &Game, state: &State, actions: &[Action]) -> Result<Option<u32>, GameError> {
    best_less(game, state, actions, |_| 0)
}

/// The same, with something taken off each action's score. An event that cannot be carried out is the last choice.
///
/// # Errors
/// [`GameError`] as [`best`].
pub fn best_less(
    game: &Game,
    state: &State,
    actions: &[Action],
    less: impl Fn(&Action) -> i64,
) -> Result<Option<u32>, GameError> {
    let mut best: Option<(i64, u32)> = None;
    let standing = remaining_damage(game, state, state)?;
    for (index, action) in actions.iter().enumerate() {
        let worth = match score_with(game, state, action, standing) {
            Ok((worth, _)) => worth.saturating_sub(less(action)),
            Err(GameError::Endless { .. } | GameError::Calculation { .. }) => i64::MIN,
            Err(error) => return Err(error),
        };
        if best.is_none_or(|(known, _)| worth > known) {
            best = Some((worth, index as u32 + 1));
        }
    }
    Ok(best.map(|(_, number)| number))
}

/// Damage of all fights still standing in `standing`, at the attributes of `hero`.
fn remaining_damage(game: &Game, standing: &State, hero: &State) -> Result<i64, GameError> {
    let ceiling = game.tower().hero.hp;
    let healthy = crate::game::Hero { hp: standing.hero.hp, ..hero.hero };
    let mut total: i64 = 0;
    for cell in 0..game.graph().len() as CellIndex {
        if let Tile::Monster(id) = game.tile_now(standing, cell) {
            let monster = game.monster_now(hero, id);
            let damage = match fight(&healthy, monster, game.tower().rules) {
                Ok(Fight::Winnable { damage } | Fight::Lethal { damage }) => damage.min(ceiling),
                Ok(Fight::Unwinnable) => ceiling,
                Err(Overflow) => {
                    let at = game.graph().position(cell);
                    return Err(GameError::FightOverflow { monster: monster.name.clone(), at });
                }
            };
            total = total.saturating_add(damage);
        }
    }
    Ok(total)
}

/// Obstacles in reach after a step that were not before it.
fn exposed(game: &Game, before: &State, after: &State) -> i64 {
    let touched =
        |state: &State, cell: CellIndex| game.graph().neighbours(cell).iter().any(|next| state.region.contains(*next));
    (0..game.graph().len() as CellIndex)
        .filter(|cell| !matches!(game.tile_now(after, *cell), Tile::Floor | Tile::Wall | Tile::Stair(_)))
        .filter(|cell| touched(after, *cell) && !touched(before, *cell))
        .count() as i64
}

/// Keys gained less keys spent, each at its colour's worth.
fn keys_worth(game: &Game, before: &State, after: &State) -> i64 {
    (crate::game::Colour::ALL.into_iter())
        .map(|colour| {
            let change = after.hero.keys[colour].saturating_sub(before.hero.keys[colour]);
            if change == 0 {
                return 0;
            }
            let standing = |wanted: Tile| {
                (0..game.graph().len() as CellIndex).filter(|cell| game.tile_now(before, *cell) == wanted).count()
                    as i64
            };
            let doors = standing(Tile::Door(colour));
            let keys = standing(Tile::Item(Item::Key(colour))).saturating_add(before.hero.keys[colour]).max(1);
            change.saturating_mul(KEY).saturating_mul(doors) / keys
        })
        .fold(0, i64::saturating_add)
}

fn same_attributes(before: &State, after: &State) -> bool {
    let (before, after) = (&before.hero, &after.hero);
    let keys_found = crate::game::Colour::ALL.into_iter().any(|colour| after.keys[colour] > before.keys[colour]);
    (before.atk, before.def, before.mdef) == (after.atk, after.def, after.mdef) && !keys_found
}
