//! Exit codes, and which error gives which.

use std::process::ExitCode;

use crate::analysis::run::AnalysisError;
use crate::eval::dispatcher::RunError;
use crate::eval::folder::FolderError;
use crate::eval::plan::PlanError;
use crate::eval::trace::TraceError;
use crate::export::ExportError;
use crate::format::problem::Problems;
use crate::format::{CannotHold, ReadError};
use crate::game::{GameError, TowerError};
use crate::report::ReportError;
use crate::report::picture::DrawError;
use crate::report::png::PngError;
use crate::solver::{SolveError, playable, published};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Done, but not all is well: a trace that differs, episodes that stay open, a tower that breaks a rule of drawing.
    NotWell,
    /// What was given cannot be used.
    BadInput,
    /// It could not be done.
    Failed,
    /// Interrupted.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::NotWell => 1,
            Exit::BadInput => 2,
            Exit::Failed => 3,
            Exit::Interrupted => 130,
        })
    }
}

/// What to print on standard error, and how to end.
#[derive(Debug)]
pub struct Failure {
    /// What to print, in order.
    pub reports: Vec<miette::Report>,
    /// How to end.
    pub exit: Exit,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines: Vec<String> = self.reports.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl Failure {
    /// Something given that cannot be used.
    pub fn bad_input(message: impl std::fmt::Display) -> Self {
        Failure { reports: vec![miette::miette!("{message}")], exit: Exit::BadInput }
    }

    /// Something that could not be done.
    pub fn failed(message: impl std::fmt::Display) -> Self {
        Failure { reports: vec![miette::miette!("{message}")], exit: Exit::Failed }
    }
}

macro_rules! failure_from {
    ($($error:ty => $exit:ident, $how:ident;)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure { reports: vec![failure_from!(@$how error)], exit: Exit::$exit }
            }
        })*
    };
    (@diagnostic $error:ident) => { miette::Report::new($error) };
    (@plain $error:ident) => { miette::miette!("{}", $error) };
}

failure_from! {
    Problems => BadInput, diagnostic;
    ReadError => BadInput, diagnostic;
    CannotHold => BadInput, plain;
    TowerError => BadInput, plain;
    GameError => BadInput, plain;
    SolveError => Failed, plain;
    published::SearchError => Failed, plain;
    playable::PlayError => Failed, plain;
    RunError => Failed, plain;
    ReportError => Failed, plain;
    ExportError => Failed, plain;
    DrawError => BadInput, plain;
}

impl From<PngError> for Failure {
    fn from(error: PngError) -> Self {
        match error {
            PngError::Size { .. } => Failure::bad_input(error),
            PngError::Svg(_) | PngError::Shapes | PngError::Encode(_) => Failure::failed(error),
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let config = error.config.into_iter().map(|problems| miette::Report::new(*problems));
        let floors = error.floors.into_iter().map(miette::Report::new);
        Failure { reports: config.chain(floors).collect(), exit: Exit::BadInput }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Io { .. } => Failure::failed(error),
            _ => Failure::bad_input(error),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::Io { .. } | FolderError::Locked { .. } => Failure::failed(error),
            _ => Failure::bad_input(error),
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Folder(error) => error.into(),
            AnalysisError::Floor(error) => error.into(),
            AnalysisError::OtherFloor { .. } | AnalysisError::Unplayable { .. } => Failure::bad_input(error),
            AnalysisError::Io { .. } => Failure::failed(error),
        }
    }
}
