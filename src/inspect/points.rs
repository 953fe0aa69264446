//! The places that make a floor hard, for its picture: each tile once, with everything that is to be said of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::best_play::{Alternative, BestPlay};
use super::player::Fate;
use crate::game::Position;

/// A place with what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Where.
    pub at: Position,
    /// What happens there, in words.
    pub text: String,
}

/// The places: the first losing action beside best play, the first losing action that each simple rule would choose
/// there, and where each agent lost.
pub fn points(best_play: Option<&BestPlay>, agents: &[Fate]) -> Vec<Point> {
    let mut points = Points::default();
    if let Some(best_play) = best_play {
        if let Some(Alternative { turn, target, .. }) = &best_play.first_losing {
            points.say(*target, format!("first action that loses beside best play (turn {turn})"));
        }
        for temptation in &best_play.temptations {
            if let Some(Alternative { turn, target, .. }) = &temptation.first_losing {
                points
                    .say(*target, format!("{} would choose it on best play's turn {turn}, and lose", temptation.agent));
            }
        }
    }
    for fate in agents {
        if let Some(losing) = &fate.losing {
            let text = match fate.episodes {
                1 => format!("{} loses here on turn {}", fate.agent, losing.turn),
                episodes => format!("{} loses here in {} of {episodes} episodes", fate.agent, fate.lost_by_it),
            };
            points.say(losing.target, text);
        }
    }
    points.0
}

#[derive(Default)]
struct Points(Vec<Point>);

impl Points {
    fn say(&mut self, at: Position, text: String) {
        match self.0.iter_mut().find(|point| point.at == at) {
            Some(point) => point.text += &format!("; {text}"),
            None => self.0.push(Point { at, text }),
        }
    }
}
