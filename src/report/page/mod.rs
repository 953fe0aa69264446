//! A report as one page of HTML that opens from disk: tables, plots, and a replay of every episode. Knows analyses, traces
//! and floors; computes no value, and no statistic.
//!
//! Nothing from outside is ever markup. The page itself is fixed; what is shown travels as deflated JSON in base64, which
//! can close no element, and the script puts it into text nodes only. A policy in the page's head forbids every request, and
//! every script and style but these two by their hashes.

mod calls;
mod overview;
mod pack;
mod replay;
mod shell;
#[cfg(test)]
mod tests;
mod value;
mod whole;

use std::io::{self, Write};

use polars_core::prelude::PolarsError;

use super::picture::stage::{self, Stage};
use super::plot::Plot;
use super::source::Source;
use super::table::Table;
use crate::analysis::EpisodeAnalysis;
use crate::analysis::side_by_side::in_order;
use crate::eval::floor::BatchFloor;
use overview::Overview;
use pack::pack;
use replay::Replay;
use shell::Shell;

/// A report's page.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// Its heading.
    pub title: &'a str,
    /// The tables, in this order.
    pub tables: &'a [&'a Table],
    /// The figures, in this order.
    pub plots: &'a [Plot],
    /// The runs whose episodes are listed and replayed.
    pub sources: &'a [Source<'a>],
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file takes no more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A table's column cannot be read.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

/// A floor under the hash by which runs share it.
struct Ground<'a> {
    floor: &'a BatchFloor,
    hash: &'a str,
}

/// An episode and the floor that it was played on.
struct Played<'a> {
    source: &'a Source<'a>,
    episode: &'a EpisodeAnalysis,
    /// Index of its run.
    run: usize,
    /// Index of its floor among all; none if its run does not have it.
    floor: Option<usize>,
}

impl Page<'_> {
    /// Writes the page. Traces are read one at a time on all cores; an episode whose trace is gone or changed since its
    /// analysis is shown without its calls. The same runs give the same bytes.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn write(&self, out: &mut dyn Write) -> Result<(), PageError> {
        let grounds = grounds(self.sources);
        let played = played(self.sources, &grounds);
        let shell = Shell::new();
        out.write_all(shell.before_data().as_bytes())?;
        block(out, "overview", &pack(&Overview::of(self, &grounds, &played)?)?)?;
        for plot in self.plots {
            block(out, "plot", &pack(&plot.svg)?)?;
        }
        for ground in &grounds {
            let stages: Option<Vec<Stage>> = stage::stages(&ground.floor.game);
            block(out, "floor", &pack(&stages)?)?;
        }
        let replay = |index: usize| -> io::Result<String> {
            let Played { source, episode, floor, .. } = &played[index];
            let game = floor.map(|floor| &grounds[floor].floor.game);
            pack(&Replay::of(source.folder, game, episode))
        };
        in_order(played.len(), replay, |packed| block(out, "episode", &packed?))?;
        out.write_all(shell.after_data().as_bytes())?;
        Ok(out.flush()?)
    }
}

/// A data block: the script finds it by its kind, and among those of its kind by its place.
fn block(out: &mut dyn Write, kind: &str, packed: &str) -> io::Result<()> {
    writeln!(out, r#"<script type="text/plain" data-kind="{kind}">{packed}</script>"#)
}

/// The floors of all runs, each once.
fn grounds<'a>(sources: &'a [Source<'a>]) -> Vec<Ground<'a>> {
    let mut grounds: Vec<Ground<'_>> = Vec::new();
    for floor in sources.iter().flat_map(|source| source.floors) {
        if position(&grounds, floor.name(), &floor.hash).is_none() {
            grounds.push(Ground { floor, hash: &floor.hash });
        }
    }
    grounds
}

fn position(grounds: &[Ground<'_>], name: &str, hash: &str) -> Option<usize> {
    grounds.iter().position(|ground| ground.hash == hash && ground.floor.name() == name)
}

/// The episodes of all runs, in the order of their plans.
fn played<'a>(sources: &'a [Source<'a>], grounds: &[Ground<'_>]) -> Vec<Played<'a>> {
    let of_run = |(run, source): (usize, &'a Source<'a>)| {
        source.episodes.iter().map(move |episode| {
            let floor = source.floors.iter().find(|floor| floor.name() == episode.key.floor);
            Played { source, episode, run, floor: floor.and_then(|floor| position(grounds, floor.name(), &floor.hash)) }
        })
    };
    sources.iter().enumerate().flat_map(of_run).collect()
}
