//! Going through the judged episodes of a run in the order of its plan, a few at a time: a run may be larger than the
//! memory. Knows nothing of what is made of them.

use std::collections::BTreeMap;
use std::path::Path;

use super::decision::EpisodeAnalysis;
use super::judge::judge;
use super::side_by_side::in_order;
use crate::eval::floor::BatchFloor;
use crate::eval::manifest::Manifest;
use crate::eval::plan::Entry;
use crate::eval::store::trace_path;
use crate::eval::trace::{Trace, TraceError};
use crate::solver::{Effort, Worths};

/// An episode that has a trace, with what each decision was worth.
pub struct Judged<'a> {
    /// Its floor.
    pub floor: &'a BatchFloor,
    /// Its place in the plan.
    pub entry: &'a Entry,
    /// Its trace, which the rules confirm.
    pub trace: Trace,
    /// Its values.
    pub analysis: EpisodeAnalysis,
}

/// What was gone through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Episodes that were judged.
    pub episodes: usize,
    /// Episodes that could not be judged, and why, a line each.
    pub left_out: Vec<String>,
    /// Floors of which some value is not known, and why.
    pub unknown: BTreeMap<String, String>,
    /// Episodes of which no value is known, though values were asked for.
    pub without_values: usize,
}

impl Walked {
    /// Whether every episode was judged, as far as was asked for.
    pub fn is_whole(&self) -> bool {
        self.left_out.is_empty() && self.without_values == 0
    }
}

/// What became of one episode that has been begun.
#[derive(Clone, Debug, PartialEq)]
pub enum Came<T> {
    /// Its trace holds not even a header.
    Empty,
    /// It cannot be judged; why, in a line.
    LeftOut(String),
    /// It was judged, and this was made of it.
    Judged {
        /// Why some of its values are not known.
        unknown: Option<String>,
        /// Whether none is known, though they were asked for.
        without: bool,
        /// What was made.
        made: T,
    },
}

impl Came<()> {
    /// What is counted of an episode that was judged with this effort.
    pub fn judged(analysis: &EpisodeAnalysis, effort: Effort) -> Self {
        let without = analysis.is_unknown() && effort != Effort::NoValues;
        Came::Judged { unknown: analysis.values_unknown.clone(), without, made: () }
    }
}

impl<T> Came<T> {
    /// The same, with this made of it.
    pub fn with<U>(self, make: impl FnOnce(T) -> U) -> Came<U> {
        match self {
            Came::Empty => Came::Empty,
            Came::LeftOut(why) => Came::LeftOut(why),
            Came::Judged { unknown, without, made } => Came::Judged { unknown, without, made: make(made) },
        }
    }
}

impl Walked {
    /// Counts the next episode, in the order of the plan, and gives what was made of it.
    pub fn add<T>(&mut self, floor: &str, came: Came<T>) -> Option<T> {
        match came {
            Came::Empty => None,
            Came::LeftOut(why) => {
                self.left_out.push(why);
                None
            }
            Came::Judged { unknown, without, made } => {
                self.episodes += 1;
                self.without_values += usize::from(without);
                self.unknown.extend(unknown.map(|why| (floor.to_owned(), why)));
                Some(made)
            }
        }
    }

    /// Counts a floor of which no episode can be judged.
    pub fn leave_out(&mut self, floor: &str, why: &str) {
        self.left_out.push(format!("{floor}: {why}"));
    }
}

/// Judges the episodes of a run that have been begun, with this effort for each value that is not held. `make` makes
/// something of each, on all cores; `take` takes what was made, in the order of the plan. An episode that cannot be judged
/// is left out and told.
///
/// # Errors
/// The first error of `take`, after which nothing more is made.
pub fn walk<T: Send, E>(
    folder: &Path,
    manifest: &Manifest,
    floors: &[BatchFloor],
    effort: Effort,
    make: impl Fn(Judged<'_>) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut walked = Walked::default();
    let entries = manifest.episodes();
    for (index, floor) in floors.iter().enumerate() {
        let begun = begun(folder, &entries, index);
        if begun.is_empty() {
            continue;
        }
        let worths = match floor.worths(effort) {
            Ok(worths) => worths,
            Err(why) => {
                walked.leave_out(floor.name(), &why.to_string());
                continue;
            }
        };
        let make = |index: usize| match judged(folder, manifest, begun[index], floor, &worths) {
            Ok(None) => Came::Empty,
            Err(why) => Came::LeftOut(why),
            Ok(Some(judged)) => Came::judged(&judged.analysis, effort).with(|()| make(judged)),
        };
        in_order(begun.len(), make, |came| walked.add(floor.name(), came).map_or(Ok(()), &mut take))?;
    }
    Ok(walked)
}

/// The episodes on a floor that have been begun, in the order of the plan.
pub fn begun<'e>(folder: &Path, entries: &'e [Entry], floor: usize) -> Vec<&'e Entry> {
    entries.iter().filter(|entry| entry.floor == floor && trace_path(folder, &entry.id).exists()).collect()
}

/// The trace of an episode; nothing if it holds not even a header.
///
/// # Errors
/// Why it cannot be judged, in a line.
pub fn read(folder: &Path, manifest: &Manifest, entry: &Entry) -> Result<Option<Trace>, String> {
    let path = trace_path(folder, &entry.id);
    let trace = match Trace::read(&path) {
        Ok(trace) => trace,
        Err(TraceError::Empty { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if trace.header.id != entry.id || trace.header.seed != manifest.config.seed {
        return Err(format!("{}: this trace belongs to another episode or run", path.display()));
    }
    Ok(Some(trace))
}

/// How it is said of an episode that it cannot be judged.
pub fn refusal(folder: &Path, id: &str, why: &str) -> String {
    format!("{}: {why}", trace_path(folder, id).display())
}

/// An episode, judged; nothing if its trace holds not even a header.
fn judged<'a>(
    folder: &Path,
    manifest: &Manifest,
    entry: &'a Entry,
    floor: &'a BatchFloor,
    worths: &Worths,
) -> Result<Option<Judged<'a>>, String> {
    let Some(trace) = read(folder, manifest, entry)? else { return Ok(None) };
    let analysis = judge(&trace, worths).map_err(|error| refusal(folder, &entry.id, &error.to_string()))?;
    Ok(Some(Judged { floor, entry, trace, analysis }))
}
