//! `mota replay` in a terminal: the traces in a viewer, read when they are looked at.

use std::path::PathBuf;
use std::sync::Arc;

use super::ReplayArgs;
use crate::cli::output::colours;
use crate::cli::{Exit, Failure};
use crate::eval::trace::Trace;
use crate::screen::viewer::{Episodes, Viewer};
use crate::screen::{self, Closed, Episode, Palette, Solver, Worth};

/// Traces that were named, on the floors that their runs keep.
struct Traces<'a> {
    args: &'a ReplayArgs,
    paths: &'a [PathBuf],
}

impl Episodes for Traces<'_> {
    fn count(&self) -> usize {
        self.paths.len()
    }

    fn load(&self, number: usize) -> Result<Episode, String> {
        let path = self.paths.get(number).ok_or("there is no such trace")?;
        let trace = Trace::read(path).map_err(|error| error.to_string())?;
        let game = self.args.game(path, &trace).map_err(|failure| failure.to_string())?;
        let episode = Episode::new(game, Arc::new(trace));
        let mut episode = episode.map_err(|difference| format!("{}: {difference}", path.display()))?;
        if self.args.no_values {
            episode.worth = Worth::Unknown("left out for --no-values".into());
        }
        Ok(episode)
    }
}

/// Shows the traces until the viewer is closed.
pub(super) fn show(args: &ReplayArgs) -> Result<Exit, Failure> {
    let traces = Traces { args, paths: &args.traces };
    if let [_] = traces.paths {
        // One that cannot be shown is an error like any other.
        traces.load(0).map_err(Failure::bad_input)?;
    }
    let solver = (!args.no_values).then(|| Solver::new(args.effort()));
    let mut viewer = Viewer::new(&traces, solver, Palette::new(colours()));
    match screen::run(&mut viewer).map_err(Failure::failed)? {
        Closed::Quit => Ok(Exit::Done),
        Closed::Interrupted => Ok(Exit::Interrupted),
    }
}
