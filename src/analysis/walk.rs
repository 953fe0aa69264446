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
        let begun: Vec<&Entry> =
            (entries.iter()).filter(|entry| entry.floor == index && trace_path(folder, &entry.id).exists()).collect();
        if begun.is_empty() {
            continue;
        }
        let worths = match floor.worths(effort) {
            Ok(worths) => worths,
            Err(why) => {
                walked.left_out.push(format!("{}: {why}", floor.name()));
                continue;
            }
        };
        let make = |index: usize| {
            let judged = judged(folder, manifest, begun[index], floor, &worths).transpose()?;
            Some(judged.map(|judged| {
                let without = judged.analysis.is_unknown() && effort != Effort::NoValues;
                (judged.analysis.values_unknown.clone(), without, make(judged))
            }))
        };
        in_order(begun.len(), make, |result| match result {
            None => Ok(()),
            Some(Ok((unknown, without, made))) => {
                walked.episodes += 1;
                walked.without_values += usize::from(without);
                walked.unknown.extend(unknown.map(|why| (floor.name().to_owned(), why)));
                take(made)
            }
            Some(Err(why)) => {
                walked.left_out.push(why);
                Ok(())
            }
        })?;
    }
    Ok(walked)
}

/// An episode, judged; nothing if its trace holds not even a header.
fn judged<'a>(
    folder: &Path,
    manifest: &Manifest,
    entry: &'a Entry,
    floor: &'a BatchFloor,
    worths: &Worths,
) -> Result<Option<Judged<'a>>, String> {
    let path = trace_path(folder, &entry.id);
    let trace = match Trace::read(&path) {
        Ok(trace) => trace,
        Err(TraceError::Empty { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if trace.header.id != entry.id || trace.header.seed != manifest.config.seed {
        return Err(format!("{}: this trace belongs to another episode or run", path.display()));
    }
    let analysis = judge(&trace, worths).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Some(Judged { floor, entry, trace, analysis }))
}
