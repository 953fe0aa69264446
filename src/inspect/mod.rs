//! What a floor is like and what makes it hard: what stands on it, how far best play can be left, what the tempting
//! actions cost, how the reference agents fare. Reads values and plays agents; knows nothing of files or pictures.

pub mod best_play;
pub mod inventory;
pub mod player;
pub mod points;
pub mod survey;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Hero};
use crate::solver::{SolveError, Values, route};

pub use best_play::{BestPlay, Temptation};
pub use inventory::Inventory;
pub use player::{Fate, Player};
pub use points::Point;
pub use survey::{States, Survey};

/// Sets that are told apart unless another number is given: some seconds' work.
pub const MOST_SETS: usize = 4_000_000;

/// What is to be found out, and within which limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    /// Bytes that the table of all states may take.
    pub memory: usize,
    /// Sets of cleared doors and monsters that are told apart, at most.
    pub most_sets: usize,
    /// Who plays.
    pub players: Vec<Player>,
    /// How often the random agent plays.
    pub random_episodes: u32,
    /// What its lots derive from.
    pub seed: u64,
}

impl Default for Wishes {
    fn default() -> Self {
        let players = Player::REFERENCE.to_vec();
        Wishes { memory: 1 << 30, most_sets: MOST_SETS, players, random_episodes: 100, seed: 0 }
    }
}

/// What was found out about a floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inspection {
    /// The floor's name.
    pub floor: String,
    /// Its title.
    pub title: String,
    /// A remark that belongs under every table and picture of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What is meant to make it hard, as its file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<String>,
    /// What stands on it.
    pub inventory: Inventory,
    /// Final HP under best play; null if the boss cannot be defeated, or the value is not known.
    pub optimum: Option<i64>,
    /// The optimum that the file states, if it states one: another if the floor has been changed since it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_optimum: Option<i64>,
    /// Why state values are not known, if they are not: then everything that rests on them is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values_unknown: Option<String>,
    /// The hero after defeating the boss by best play.
    pub hero_at_optimum: Option<Hero>,
    /// The states that play can reach.
    pub survey: Option<Survey>,
    /// The decisions of best play: by the fewest decisions that reach the optimum, of several actions the
    /// lowest-numbered.
    pub best_play: Option<BestPlay>,
    /// How the reference agents fare.
    pub agents: Vec<Fate>,
    /// The places that matter, in the order of their numbers on the picture.
    pub points: Vec<Point>,
}

/// Finds out what a floor is like.
///
/// # Errors
/// [`SolveError`] if the floor cannot be played: a quantity leaves its range.
pub fn inspect(game: &Game, wishes: &Wishes) -> Result<Inspection, SolveError> {
    let start = game.start()?;
    let values = Values::new(game, wishes.memory);
    // Where values are searched for one by one, the many that follow would take for ever.
    let optimum = values.as_ref().ok().map_or(Ok(None), |values| values.of(&start))?;
    let (values, unknown) = match values {
        Ok(values) if values.keys().is_some() => (Some(values), None),
        Ok(_) => (None, Some("more states than fit in the memory that is given".to_owned())),
        Err(error) => (None, Some(error.to_string())),
    };
    let best_route = values.as_ref().map_or(Ok(Vec::new()), |values| route::best_route(values, &start))?;
    let best_play = match &values {
        Some(values) if !best_route.is_empty() => Some(BestPlay::of(values, &start, &best_route)?),
        _ => None,
    };
    let mut agents = Vec::new();
    for player in &wishes.players {
        agents.push(player.fate(game, values.as_ref(), wishes)?);
    }
    let tower = game.tower();
    Ok(Inspection {
        floor: tower.name.clone(),
        title: tower.title.clone(),
        note: tower.note.clone(),
        mechanism: tower.mechanism.clone(),
        inventory: Inventory::of(tower),
        optimum,
        stated_optimum: tower.origin.as_ref().and_then(|origin| origin.optimum),
        values_unknown: unknown,
        hero_at_optimum: best_route.last().map(|step| step.state.hero),
        survey: values.as_ref().map(|values| Survey::of(values, &start, wishes.most_sets)).transpose()?,
        points: points::points(best_play.as_ref(), &agents),
        best_play,
        agents,
    })
}
