//! What the decisions of some episodes were worth.

use serde::{Deserialize, Serialize};

use super::{ResultError, TaskError, line, read};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::piece::{Broken, Judgements, Piece};
use crate::game::ItemMode;
use crate::solver::Effort;

pub use crate::analysis::piece::Judge;

/// What all pieces of a run share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedAnalysis {
    /// When items are collected.
    pub items: ItemMode,
    /// What is done for each value that is not held.
    pub effort: Effort,
}

impl SharedAnalysis {
    /// Makes ready to judge.
    pub fn judge(&self) -> Judge {
        Judge::new(self.items, self.effort)
    }
}

/// One line of a result.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    /// None of the floor's episodes can be judged, and why.
    FloorLeftOut(String),
    /// The next episode cannot be judged, and why.
    LeftOut(String),
    /// The next episode.
    Judged(Box<EpisodeAnalysis>),
}

/// Judges a piece.
///
/// # Errors
/// [`TaskError`].
pub fn run(judge: &Judge, piece: &Piece, stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<String>, TaskError> {
    let judged = judge.judge(piece, stop).map_err(|Broken(why)| TaskError::Broken(why))?;
    match judged.ok_or(TaskError::Stopped)? {
        Err(why) => Ok(vec![line(&Told::FloorLeftOut(why))?]),
        Ok(judgements) => {
            let told = judgements.into_iter().map(|judgement| match judgement {
                Ok(analysis) => Told::Judged(Box::new(analysis)),
                Err(why) => Told::LeftOut(why),
            });
            told.map(|told| line(&told)).collect()
        }
    }
}

/// What a piece came to, from the lines of its result.
///
/// # Errors
/// [`ResultError`] if they are not the result of such a piece.
pub fn results(lines: &[String]) -> Result<Judgements, ResultError> {
    let mut judgements = Vec::new();
    for line in lines {
        judgements.push(match read(line)? {
            Told::FloorLeftOut(why) => return Ok(Err(why)),
            Told::LeftOut(why) => Err(why),
            Told::Judged(analysis) => Ok(*analysis),
        });
    }
    Ok(Ok(judgements))
}
