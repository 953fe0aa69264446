//! A run's episodes in pieces that can be judged anywhere, each the episodes of one floor, and what came of the pieces put
//! together in the order of the plan. Knows nothing of where they are judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::decision::EpisodeAnalysis;
use super::judge::judge;
use super::walk::{Came, Walked, begun, read, refusal};
use crate::agent::Call;
use crate::agent::call::CallTime;
use crate::eval::floor::BatchFloor;
use crate::eval::manifest::Manifest;
use crate::eval::plan::Entry;
use crate::eval::record::{Decision, Footer, Header, Pending};
use crate::eval::trace::Trace;
use crate::format;
use crate::game::ItemMode;
use crate::solver::{Effort, Worths};

/// Episodes of a piece, at most.
pub const MOST_EPISODES: usize = 64;
/// Decisions after which a piece is not added to: a decision takes some 2 KB.
pub const MOST_DECISIONS: usize = 4_000;

/// Some episodes of one floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// The floor's name.
    pub name: String,
    /// The floor in native form.
    pub floor: String,
    /// The episodes, in the order of the plan; none if only the floor is asked about.
    pub episodes: Vec<Record>,
}

/// Of a trace what is judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    header: Header,
    calls: Vec<Call>,
    decisions: Vec<Decision>,
    pending: Option<Pending>,
    footer: Option<Footer>,
}

impl Record {
    /// Leaves out of a trace what was sent and answered.
    pub fn of(trace: Trace) -> Self {
        let Trace { header, calls, decisions, pending, footer, .. } = trace;
        let calls = calls.into_iter().map(stripped).collect();
        Record { header, calls, decisions, pending, footer }
    }

    /// The episode's id.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::begun(self.header.clone());
        trace.calls.clone_from(&self.calls);
        trace.decisions.clone_from(&self.decisions);
        (trace.pending, trace.footer) = (self.pending.clone(), self.footer.clone());
        trace
    }
}

fn stripped(call: Call) -> Call {
    let Call { turn, reask, asks, verdict, number, route, usage, time, .. } = call;
    let CallTime { working_s, waiting_s, held_s, from_cache, .. } = time;
    let time = CallTime { working_s, waiting_s, held_s, from_cache, ..CallTime::default() };
    Call { turn, reask, asks, verdict, number, route, usage, time, ..Call::default() }
}

/// What one episode of a piece came to: its values, or why it cannot be judged.
pub type Judgement = Result<EpisodeAnalysis, String>;

/// What a piece came to: its episodes in their order, or why none of the floor's can be judged.
pub type Judgements = Result<Vec<Judgement>, String>;

/// Judges pieces, several at once. The worths of a floor are kept while a piece of it is judged, and those of the floor
/// last asked for until another is.
pub struct Judge {
    items: ItemMode,
    effort: Effort,
    held: Mutex<Vec<Arc<Held>>>,
}

/// The worths of a floor, or why none of its episodes can be judged, once they are there.
struct Held {
    floor: String,
    worths: OnceLock<Result<Result<Worths, String>, Broken>>,
}

/// A piece whose floor cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub String);

impl Judge {
    /// Of games in which items are collected like this, with this effort for each value that is not held.
    pub fn new(items: ItemMode, effort: Effort) -> Self {
        Judge { items, effort, held: Mutex::default() }
    }

    /// Judges a piece; nothing if it was stopped.
    ///
    /// # Errors
    /// [`Broken`] if its floor cannot be read or played.
    pub fn judge(&self, piece: &Piece, stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<Judgements>, Broken> {
        let held = self.held(&piece.floor);
        // Whoever comes second waits for the first to compute them: two of them may not fit into the memory.
        let worths = match held.worths.get_or_init(|| self.worths(piece)) {
            Ok(Ok(worths)) => worths,
            Ok(Err(why)) => return Ok(Some(Err(why.clone()))),
            Err(broken) => return Err(broken.clone()),
        };
        let mut judgements = Vec::new();
        for record in &piece.episodes {
            if stop() {
                return Ok(None);
            }
            judgements.push(judge(&record.trace(), worths).map_err(|error| error.to_string()));
        }
        Ok(Some(Ok(judgements)))
    }

    /// The place for a floor's worths; those that nobody needs any more are let go of.
    fn held(&self, floor: &str) -> Arc<Held> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let known = held.iter().position(|held| held.floor == floor).map(|index| held.swap_remove(index));
        let wanted = known.unwrap_or_else(|| Arc::new(Held { floor: floor.to_owned(), worths: OnceLock::new() }));
        held.retain(|held| Arc::strong_count(held) > 1);
        held.push(wanted.clone());
        wanted
    }

    fn worths(&self, piece: &Piece) -> Result<Result<Worths, String>, Broken> {
        let broken = |why: String| Broken(format!("{}: {why}", piece.name));
        let tower = format::parse_tower(&piece.name, &piece.floor).map_err(|error| broken(error.to_string()))?;
        let floor = BatchFloor::new(tower, PathBuf::new(), self.items).map_err(broken)?;
        Ok(floor.worths(self.effort).map_err(|why| why.to_string()))
    }
}

/// A begun episode as it is found when its floor is cut into pieces.
#[derive(Clone, Debug, PartialEq)]
enum Slot {
    Empty,
    LeftOut(String),
    /// In the piece, under this id.
    Given(String),
}

/// What a piece leaves behind where it was cut: the places of its episodes among those that cannot be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    floor: usize,
    slots: Vec<Slot>,
}

/// Cuts a run into pieces, in the order of its plan; traces are read as the pieces are asked for.
pub struct Pieces<'r> {
    folder: &'r Path,
    manifest: &'r Manifest,
    floors: &'r [BatchFloor],
    entries: &'r [Entry],
    floor: usize,
    begun: Vec<&'r Entry>,
    next: usize,
    most: (usize, usize),
}

impl<'r> Pieces<'r> {
    /// The pieces of a run, whose plan has these entries.
    pub fn of(folder: &'r Path, manifest: &'r Manifest, floors: &'r [BatchFloor], entries: &'r [Entry]) -> Self {
        let begun = if floors.is_empty() { Vec::new() } else { begun(folder, entries, 0) };
        Pieces { folder, manifest, floors, entries, floor: 0, begun, next: 0, most: (MOST_EPISODES, MOST_DECISIONS) }
    }

    /// The same, with at most so many episodes in each, none added after so many decisions; both at least 1.
    pub fn of_at_most(self, episodes: usize, decisions: usize) -> Self {
        Pieces { most: (episodes.max(1), decisions.max(1)), ..self }
    }
}

impl Iterator for Pieces<'_> {
    type Item = (Piece, Slots);

    fn next(&mut self) -> Option<(Piece, Slots)> {
        while self.next >= self.begun.len() {
            self.floor = (self.floor + 1).min(self.floors.len());
            self.floors.get(self.floor)?;
            (self.begun, self.next) = (begun(self.folder, self.entries, self.floor), 0);
        }
        let floor = self.floors.get(self.floor)?;
        let (mut episodes, mut slots, mut decisions) = (Vec::new(), Vec::new(), 0);
        while let Some(entry) = self.begun.get(self.next) {
            if episodes.len() >= self.most.0 || decisions >= self.most.1 {
                break;
            }
            self.next += 1;
            slots.push(match read(self.folder, self.manifest, entry) {
                Ok(None) => Slot::Empty,
                Err(why) => Slot::LeftOut(why),
                Ok(Some(trace)) => {
                    decisions += trace.decisions.len();
                    episodes.push(Record::of(trace));
                    Slot::Given(entry.id.clone())
                }
            });
        }
        let piece = Piece { name: floor.name().to_owned(), floor: floor.text.to_string(), episodes };
        Some((piece, Slots { floor: self.floor, slots }))
    }
}

/// What came of pieces, taken in whatever order it comes and told in the order of the plan.
pub struct Gathering<'r> {
    folder: &'r Path,
    floors: &'r [BatchFloor],
    effort: Effort,
    walked: Walked,
    early: BTreeMap<usize, (Slots, Judgements)>,
    due: usize,
    left_out: Option<usize>,
}

impl<'r> Gathering<'r> {
    /// For a run of which no piece has been judged.
    pub fn new(folder: &'r Path, floors: &'r [BatchFloor], effort: Effort) -> Self {
        let (walked, early) = (Walked::default(), BTreeMap::new());
        Gathering { folder, floors, effort, walked, early, due: 0, left_out: None }
    }

    /// Takes what a piece came to, each once, by its number from 0; hands over what is due.
    ///
    /// # Errors
    /// The first error of `take`.
    pub fn add<E>(
        &mut self,
        number: usize,
        slots: Slots,
        judgements: Judgements,
        mut take: impl FnMut(EpisodeAnalysis) -> Result<(), E>,
    ) -> Result<(), E> {
        self.early.insert(number, (slots, judgements));
        while let Some((slots, judgements)) = self.early.remove(&self.due) {
            self.due += 1;
            self.settle(slots, judgements, &mut take)?;
        }
        Ok(())
    }

    /// Pieces in a row, from the first one, that have been told.
    pub fn settled(&self) -> usize {
        self.due
    }

    /// What was gone through.
    pub fn finish(self) -> Walked {
        self.walked
    }

    fn settle<E>(
        &mut self,
        Slots { floor: index, slots }: Slots,
        judgements: Judgements,
        take: &mut impl FnMut(EpisodeAnalysis) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(floor) = self.floors.get(index) else { return Ok(()) };
        let judgements = match judgements {
            Ok(judgements) => judgements,
            // Every piece of the floor says so.
            Err(why) => {
                if self.left_out.replace(index) != Some(index) {
                    self.walked.leave_out(floor.name(), &why);
                }
                return Ok(());
            }
        };
        let mut judgements = judgements.into_iter();
        for slot in slots {
            let came = match slot {
                Slot::Empty => Came::Empty,
                Slot::LeftOut(why) => Came::LeftOut(why),
                Slot::Given(id) => match judgements.next() {
                    Some(Ok(analysis)) if analysis.id == id => Came::judged(&analysis, self.effort).with(|()| analysis),
                    Some(Err(why)) => Came::LeftOut(refusal(self.folder, &id, &why)),
                    _ => Came::LeftOut(refusal(self.folder, &id, "what came back is of another episode")),
                },
            };
            if let Some(analysis) = self.walked.add(floor.name(), came) {
                take(analysis)?;
            }
        }
        Ok(())
    }
}
