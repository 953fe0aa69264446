//! A piece of generating or analysing that any machine can do: what goes in and what comes out, as text. Knows nothing of
//! how either travels.
//!
//! What the pieces of one batch share is given once, as [`Shared`]; a [`Piece`] holds the rest. The result is a few lines of
//! JSON, the same wherever the piece is done, clock readings aside.

pub mod analysis;
pub mod floors;
pub mod towers;

use serde::{Deserialize, Serialize};

use analysis::SharedAnalysis;
use floors::SharedFloors;
use towers::SharedTowers;

/// What the pieces of a batch share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// Version of the program that asks. Another one may draw other floors.
    pub mota: String,
    /// What is to be done.
    pub work: Work,
}

/// What is to be done in pieces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Verdicts on the floors of seeds.
    Floors(SharedFloors),
    /// Towers of requests.
    Towers(SharedTowers),
    /// What the decisions of a run were worth.
    Analysis(SharedAnalysis),
}

/// One piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Seeds to try.
    Floors(floors::Seeds),
    /// Towers to make.
    Towers(towers::Seeds),
    /// Episodes to judge.
    Analysis(crate::analysis::piece::Piece),
}

/// A piece that cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// Somebody asked to stop; the piece is not done.
    #[error("stopped before the piece was done")]
    Stopped,
    /// The work was published by another version, which may draw or judge otherwise.
    #[error("this work was published by mota {published}, and this is mota {}; use the same version everywhere", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The other version.
        published: String,
    },
    /// What came is not what such a piece holds.
    #[error("this piece of work cannot be done: {0}")]
    Broken(String),
}

impl Shared {
    /// What is to be done, as this version asks for it.
    pub fn new(work: Work) -> Self {
        Shared { mota: env!("CARGO_PKG_VERSION").to_owned(), work }
    }
}

/// Pieces of a batch can be done by this, several at once.
pub struct Task {
    ready: Ready,
}

enum Ready {
    Floors(floors::Trier),
    Towers(towers::Maker),
    Analysis(analysis::Judge),
}

impl Task {
    /// Makes ready what all pieces of a batch share.
    ///
    /// # Errors
    /// [`TaskError::Version`] and [`TaskError::Broken`].
    pub fn new(shared: Shared) -> Result<Self, TaskError> {
        if shared.mota != env!("CARGO_PKG_VERSION") {
            return Err(TaskError::Version { published: shared.mota });
        }
        let ready = match shared.work {
            Work::Floors(shared) => Ready::Floors(floors::Trier::new(&shared)?),
            Work::Towers(shared) => Ready::Towers(towers::Maker::new(&shared)?),
            Work::Analysis(shared) => Ready::Analysis(shared.judge()),
        };
        Ok(Task { ready })
    }

    /// Does a piece; the result is lines of JSON. It may take long; while it does, `stop` is asked now and then.
    ///
    /// # Errors
    /// [`TaskError::Stopped`] and [`TaskError::Broken`].
    pub fn run(&self, piece: &Piece, stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<String>, TaskError> {
        match (&self.ready, piece) {
            (Ready::Floors(trier), Piece::Floors(seeds)) => trier.run(seeds, stop),
            (Ready::Towers(maker), Piece::Towers(seeds)) => maker.run(seeds, stop),
            (Ready::Analysis(judge), Piece::Analysis(piece)) => analysis::run(judge, piece, stop),
            _ => Err(TaskError::Broken("it is of another kind than its batch".into())),
        }
    }
}

fn line(value: &impl Serialize) -> Result<String, TaskError> {
    serde_json::to_string(value).map_err(|error| TaskError::Broken(error.to_string()))
}

/// A result that is not what such a piece comes to.
#[derive(Debug, thiserror::Error)]
#[error("what came back is not the result of this piece: {0}")]
pub struct ResultError(String);

impl ResultError {
    fn new(why: impl ToString) -> Self {
        ResultError(why.to_string())
    }
}

/// Reads a line of a result.
fn read<T: serde::de::DeserializeOwned>(line: &str) -> Result<T, ResultError> {
    serde_json::from_str(line).map_err(ResultError::new)
}

#[cfg(test)]
mod tests;
