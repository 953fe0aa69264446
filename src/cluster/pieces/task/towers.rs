//! Towers of requests, each from a seed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{ResultError, TaskError, line, read};
use crate::format;
use crate::generate::tower::build::{Refused, Wishes};
use crate::generate::tower::hardness::Hardness;
use crate::generate::tower::many::{self, Kept, Order, Tried};
use crate::generate::tower::{Kinds, Request, describe, understand};
use crate::solver::Worth;

/// What all towers share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedTowers {
    /// The requests, in words.
    pub asks: Vec<String>,
    /// The kinds of rooms.
    pub kinds: Kinds,
    /// What is wanted of each tower.
    pub wishes: Wishes,
    /// Whether the floors are measured.
    pub measure: bool,
}

/// Seeds in a row of one request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// The request, as an index into those that are shared.
    pub ask: usize,
    /// The first seed.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// A tower on its way: one line of a result.
#[derive(Serialize, Deserialize)]
struct Told {
    seed: u64,
    took_s: f64,
    #[serde(flatten)]
    made: Made,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Made {
    Kept(KeptTower),
    Failed(String),
}

#[derive(Serialize, Deserialize)]
struct KeptTower {
    /// In native form.
    tower: String,
    worth: Worth,
    decisions: u32,
    refused: Refused,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hardness: Option<Vec<Hardness>>,
}

/// Towers of a piece: each takes from a tenth of a second to minutes.
const USUAL: u64 = 4;

/// The pieces of so many towers of a request, from this seed on.
pub fn pieces(ask: usize, first: u64, count: u64) -> impl Iterator<Item = Seeds> {
    pieces_of(ask, first, count, USUAL)
}

/// The same, with so many in each, at least 1.
pub(super) fn pieces_of(ask: usize, first: u64, count: u64, size: u64) -> impl Iterator<Item = Seeds> {
    let size = size.max(1);
    (0..count.div_ceil(size)).map(move |number| {
        let before = number * size;
        // The highest seed stands for those above it, as it does where they are made in one place.
        Seeds { ask, first: first.saturating_add(before), count: size.min(count - before) }
    })
}

/// Makes towers.
pub struct Maker {
    requests: Vec<Request>,
    kinds: Kinds,
    wishes: Wishes,
    measure: bool,
}

impl Maker {
    /// Understands the requests.
    ///
    /// # Errors
    /// [`TaskError::Broken`] if one is none.
    pub fn new(shared: &SharedTowers) -> Result<Self, TaskError> {
        let SharedTowers { asks, kinds, wishes, measure } = shared.clone();
        kinds.check().map_err(|error| TaskError::Broken(error.to_string()))?;
        let requests = asks.iter().map(|ask| understand(ask, &kinds)).collect::<Result<_, _>>();
        let requests = requests.map_err(|error| TaskError::Broken(error.to_string()))?;
        Ok(Maker { requests, kinds, wishes, measure })
    }

    /// Makes towers.
    ///
    /// # Errors
    /// [`TaskError`].
    pub fn run(&self, seeds: &Seeds, stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<String>, TaskError> {
        let request = self.requests.get(seeds.ask);
        let request = request.ok_or_else(|| TaskError::Broken(format!("there is no request {}", seeds.ask)))?;
        let order = Order {
            describe: &|seed| describe(request, &self.kinds, seed),
            kinds: &self.kinds,
            wishes: self.wishes.clone(),
            first: seeds.first,
            count: seeds.count,
            measure: self.measure,
            threads: 1,
        };
        let tried = many::make(&order, stop, &|_| {});
        match tried.len() as u64 == seeds.count {
            true => tried.into_iter().map(|tried| line(&Told::of(tried))).collect(),
            false => Err(TaskError::Stopped),
        }
    }
}

impl Seeds {
    /// The towers, from the lines of the result.
    ///
    /// # Errors
    /// [`ResultError`] if they are not the result of this piece.
    pub fn results(&self, lines: &[String]) -> Result<Vec<Tried>, ResultError> {
        let tried = lines.iter().map(|line| read::<Told>(line)?.tried()).collect::<Result<Vec<Tried>, _>>()?;
        let expected = (0..self.count).map(|index| self.first.saturating_add(index));
        match tried.iter().map(|tried| tried.seed).eq(expected) {
            true => Ok(tried),
            false => Err(ResultError::new("it is of other seeds")),
        }
    }
}

impl Told {
    fn of(tried: Tried) -> Self {
        let made = match tried.made {
            Ok(Kept { tower, worth, decisions, refused, hardness }) => {
                Made::Kept(KeptTower { tower: format::write_native(&tower), worth, decisions, refused, hardness })
            }
            Err(why) => Made::Failed(why),
        };
        Told { seed: tried.seed, took_s: tried.took.as_secs_f64(), made }
    }

    fn tried(self) -> Result<Tried, ResultError> {
        let made = match self.made {
            Made::Kept(KeptTower { tower, worth, decisions, refused, hardness }) => {
                let tower = format::parse_tower("a tower", &tower).map_err(ResultError::new)?;
                Ok(Kept { tower, worth, decisions, refused, hardness })
            }
            Made::Failed(why) => Err(why),
        };
        let took = Duration::try_from_secs_f64(self.took_s).map_err(ResultError::new)?;
        Ok(Tried { seed: self.seed, made, took })
    }
}
