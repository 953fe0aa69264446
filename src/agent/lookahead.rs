//! The `lookahead` agent: the heuristic's score summed over the best line of a few decisions.

use async_trait::async_trait;

use super::{Agent, AgentError, CallLog, Choice, View, repeat, score};
use crate::game::{Action, End, Game, GameError, State};

/// Worth of a line that defeats the boss, on top of its scores.
const WIN: i64 = 100_000;

/// Chooses the first action of the best line of `depth` decisions.
pub struct Lookahead {
    /// Decisions that it looks ahead, at least 1; 1 is the heuristic.
    pub depth: u32,
}

#[async_trait]
impl Agent for Lookahead {
    async fn choose(&mut self, view: &View<'_>, _: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let tiring = repeat::Tiring::of(view);
        let line = best_line(view.game, view.state, self.depth.max(1), &|action| tiring.cost(view, action))?;
        Ok(Choice::own(line.map_or(1, |(_, number)| number)))
    }
}

/// The worth of the best line of at most `depth` decisions and the number of its first action.
fn best_line(
    game: &Game,
    state: &State,
    depth: u32,
    less: &dyn Fn(&Action) -> i64,
) -> Result<Option<(i64, u32)>, GameError> {
    let mut best: Option<(i64, u32)> = None;
    for (index, action) in game.actions(state)?.iter().enumerate() {
        let (mut worth, step) = match score::score(game, state, action) {
            Ok((worth, step)) => (worth.saturating_sub(less(action)), step),
            Err(GameError::Endless { .. } | GameError::Calculation { .. }) => continue,
            Err(error) => return Err(error),
        };
        worth = match step.state.end {
            Some(End::Won) => worth.saturating_add(WIN).saturating_add(step.state.hero.hp),
            Some(_) => score::LETHAL,
            None if depth > 1 => {
                let ahead = best_line(game, &step.state, depth - 1, &|_| 0)?.map_or(0, |(worth, _)| worth);
                worth.saturating_add(ahead)
            }
            None => worth,
        };
        if best.is_none_or(|(known, _)| worth > known) {
            best = Some((worth, index as u32 + 1));
        }
    }
    Ok(best)
}
