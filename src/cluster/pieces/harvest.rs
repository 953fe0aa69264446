//! Generating and analysing as a harvest: cut into pieces, and what comes of them told as if it had been done here. Knows
//! nothing of how pieces travel.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::ops::ControlFlow;

use super::spread::Harvest;
use super::task::{Piece, ResultError, analysis, floors, towers};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::piece::{Gathering, Pieces, Slots};
use crate::analysis::walk::Walked;
use crate::cluster::names::hash_digits;
use crate::generate::sieve::End;
use crate::generate::tower::many::Tried;
use crate::generate::{Finding, Order, Sieve, Tally};

/// Floors from seeds.
pub struct Floors<'o> {
    sieve: Sieve<'o>,
    pieces: Box<dyn Iterator<Item = floors::Seeds> + 'o>,
    out: HashMap<String, floors::Seeds>,
    found: &'o mut dyn FnMut(Finding) -> ControlFlow<()>,
    tried: &'o mut dyn FnMut(&Tally),
    end: Option<End>,
}

impl<'o> Floors<'o> {
    /// The floors of an order of which none has been sought. `found` and `tried` are told as by a search.
    pub fn new(
        order: &'o Order,
        sieve: Sieve<'o>,
        found: &'o mut dyn FnMut(Finding) -> ControlFlow<()>,
        tried: &'o mut dyn FnMut(&Tally),
    ) -> Self {
        Floors { sieve, pieces: Box::new(floors::pieces(order)), out: HashMap::new(), found, tried, end: None }
    }

    /// What the search came to; it may have been `stopped`.
    pub fn end(self, stopped: bool) -> End {
        self.end.unwrap_or_else(|| Ok(self.sieve.end(stopped)))
    }
}

impl Harvest for Floors<'_> {
    fn next(&mut self) -> Option<(String, Piece)> {
        let seeds = self.pieces.next()?;
        let item = match seeds.except.is_empty() {
            true => format!("{}-{}", seeds.first, seeds.count),
            false => format!("{}-{}-{}", seeds.first, seeds.count, digits(&seeds.except)),
        };
        self.out.insert(item.clone(), seeds.clone());
        Some((item, Piece::Floors(seeds)))
    }

    fn take(&mut self, item: &str, lines: &[String]) -> Result<ControlFlow<()>, ResultError> {
        let Some(seeds) = self.out.remove(item) else { return Ok(ControlFlow::Continue(())) };
        for (seed, result) in seeds.results(lines)? {
            if let ControlFlow::Break(end) = self.sieve.add(seed, result, &mut self.found, &mut self.tried) {
                self.end = Some(end);
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Some digits that tell things apart.
fn digits(of: &impl serde::Serialize) -> String {
    let text = serde_json::to_vec(of).unwrap_or_default();
    hash_digits(&text, 16)
}

/// Towers of one request.
pub struct Towers<'t> {
    pieces: Box<dyn Iterator<Item = towers::Seeds> + 't>,
    out: HashMap<String, towers::Seeds>,
    made: BTreeMap<u64, Vec<Tried>>,
    tell: &'t mut dyn FnMut(&Tried),
}

impl<'t> Towers<'t> {
    /// So many towers from this seed on, of the request of this index; each is told as soon as it is there.
    pub fn new(ask: usize, first: u64, count: u64, tell: &'t mut dyn FnMut(&Tried)) -> Self {
        let pieces = Box::new(towers::pieces(ask, first, count));
        Towers { pieces, out: HashMap::new(), made: BTreeMap::new(), tell }
    }

    /// Those that were made, in the order of their seeds.
    pub fn made(self) -> Vec<Tried> {
        self.made.into_values().flatten().collect()
    }
}

impl Harvest for Towers<'_> {
    fn next(&mut self) -> Option<(String, Piece)> {
        let seeds = self.pieces.next()?;
        let item = format!("{}-{}-{}", seeds.ask, seeds.first, seeds.count);
        self.out.insert(item.clone(), seeds.clone());
        Some((item, Piece::Towers(seeds)))
    }

    fn take(&mut self, item: &str, lines: &[String]) -> Result<ControlFlow<()>, ResultError> {
        let Some(seeds) = self.out.remove(item) else { return Ok(ControlFlow::Continue(())) };
        let tried = seeds.results(lines)?;
        tried.iter().for_each(|tried| (self.tell)(tried));
        self.made.insert(seeds.first, tried);
        Ok(ControlFlow::Continue(()))
    }
}

/// What the decisions of a run were worth.
pub struct Analysis<'r> {
    pieces: std::iter::Enumerate<Pieces<'r>>,
    out: HashMap<String, (usize, Slots)>,
    gathering: Gathering<'r>,
    take: &'r mut dyn FnMut(EpisodeAnalysis),
}

impl<'r> Analysis<'r> {
    /// Of a run in pieces, of which none has been judged. `take` is given the episodes in the order of the plan.
    pub fn new(pieces: Pieces<'r>, gathering: Gathering<'r>, take: &'r mut dyn FnMut(EpisodeAnalysis)) -> Self {
        Analysis { pieces: pieces.enumerate(), out: HashMap::new(), gathering, take }
    }

    /// What was gone through.
    pub fn finish(self) -> Walked {
        self.gathering.finish()
    }
}

impl Harvest for Analysis<'_> {
    fn next(&mut self) -> Option<(String, Piece)> {
        let (number, (piece, slots)) = self.pieces.next()?;
        // A trace may have grown since the same run was last analysed.
        let item = format!("{number}-{}", digits(&piece));
        self.out.insert(item.clone(), (number, slots));
        Some((item, Piece::Analysis(piece)))
    }

    fn take(&mut self, item: &str, lines: &[String]) -> Result<ControlFlow<()>, ResultError> {
        let Some((number, slots)) = self.out.remove(item) else { return Ok(ControlFlow::Continue(())) };
        let taken = self.gathering.add(number, slots, analysis::results(lines)?, |analysis| {
            (self.take)(analysis);
            Ok::<(), Infallible>(())
        });
        let Ok(()) = taken;
        Ok(ControlFlow::Continue(()))
    }
}
