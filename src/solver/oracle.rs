//! The state values of one game, whatever the width of its sets.
//!
//! A forward pass lists every canonical key that any legal play can reach, wasteful play included; one backward pass
//! gives each its staircase. Where the keys do not fit in memory, values are searched for when asked for, and kept.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::game::{Action, Game, GameError, ItemMode, Position, State};

use super::assumption::Assumptions;
use super::bits::Bits;
use super::cost::{Costs, Damage, Ledger};
use super::error::SolveError;
use super::key::{Entry, Key, Place, Space};
use super::moves::{Choice, Move};
use super::search::{self, Settings, Watch};
use super::staircase::{Piece, Stair, envelope, keep_best, pieces, step_at};
use super::table::Table;
use super::worth::Worth;

/// An oracle whatever the width of its sets.
pub(super) trait Oracle: Send + Sync {
    /// What a state is worth, known or between bounds, by at most so many steps of the search, whatever is held.
    fn bracket(&self, state: &State, most_steps: u64) -> Result<Worth, SolveError>;
    /// Final HP under best play, and the fewest decisions to it; the number is 0 where it is not known.
    fn value(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError>;
    /// Whether the value of a state is a look-up.
    fn holds(&self, state: &State) -> Result<bool, SolveError>;
    /// Whether an action opens no area and gives nothing.
    fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError>;
    /// Final HP under the best play whose first doors are these.
    fn best_with_first_doors(&self, state: &State, doors: &[Position]) -> Result<Option<i64>, SolveError>;
    /// When items are collected in the game that was solved.
    fn items(&self) -> ItemMode;
    /// Keys reached from the start; none if they were too many.
    fn keys(&self) -> Option<usize>;
    /// From how many of them the boss can be defeated at once.
    fn wins(&self) -> u64;
    /// From how many of them the boss cannot be defeated any more; none if they were too many.
    fn lost(&self) -> Option<usize>;
    /// All sets of cleared obstacles that play can reach, if there are no more than `most`, they fit into the memory, and
    /// values are held.
    fn sets(&self, most: usize) -> Result<Option<Sets>, SolveError>;
    /// The least HP with which the boss could be defeated from a state, all else being as it is; none if that is more
    /// than the state has, or is not held.
    fn least_hp(&self, state: &State) -> Result<Option<i64>, SolveError>;
}

/// Which values are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holding {
    /// All, or it is an error.
    All,
    /// All if they fit; else the first state's value must be proven.
    IfItFits,
    /// None: each is searched for.
    Nothing,
}

/// Sets of cleared obstacles, each with the most HP that it can be reached with. With a shop, what was bought tells
/// states apart, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets {
    /// How many play can reach.
    pub reached: usize,
    /// From how many of them the boss cannot be defeated any more.
    pub lost: usize,
    /// From how many of them the boss can be defeated at once.
    pub winning: u64,
}

/// The oracle of a game on sets of `W` words.
pub(super) struct Staircases<const W: usize> {
    space: Space<W>,
    assumptions: Assumptions,
    memory: usize,
    climbed: Option<Climbed<W>>,
    asked: Mutex<HashMap<(Key<W>, i64), Option<i64>, FxBuildHasher>>,
}

/// All keys with their staircases.
struct Climbed<const W: usize> {
    table: Table<W>,
    stairs: Vec<u32>,
    steps: Vec<Stair>,
}

impl<const W: usize> Staircases<W> {
    /// The oracle, taking at most about `memory` bytes.
    pub(super) fn new(game: &Game, memory: usize, holding: Holding) -> Result<Self, SolveError> {
        let space = Space::new(game)?;
        let assumptions = Assumptions::of(game)?;
        let climbed = match holding {
            Holding::Nothing => None,
            Holding::IfItFits | Holding::All => match Climbed::new(&space, memory) {
                Ok(climbed) => Some(climbed),
                Err(SolveError::TooManyStates { .. }) if holding == Holding::IfItFits => None,
                Err(error) => return Err(error),
            },
        };
        let oracle = Staircases { space, assumptions, memory, climbed, asked: Mutex::default() };
        if oracle.climbed.is_none() && holding == Holding::IfItFits {
            // If not even this is proven, nobody need wait for the other values.
            oracle.ask(&oracle.space.place_of(&game.start()?)?)?;
        }
        Ok(oracle)
    }

    /// Whether the staircase of a place answers for this HP, and which it is.
    fn known(&self, entry: &Entry<W>) -> Option<&[Stair]> {
        let climbed = self.climbed.as_ref()?;
        let id = climbed.table.find(&entry.place.key)?;
        (entry.hp <= climbed.table.entries[id as usize].hp).then(|| climbed.staircase(id))
    }

    fn value_of(&self, entry: &Entry<W>) -> Result<Option<(i64, u32)>, SolveError> {
        match self.known(entry) {
            Some(stairs) => Ok(step_at(stairs, entry.hp).map(|stair| (entry.hp + stair.change, stair.decisions))),
            None => Ok(self.ask(entry)?.map(|value| (value, 0))),
        }
    }

    /// Searches for a value that is not held, once.
    fn ask(&self, entry: &Entry<W>) -> Result<Option<i64>, SolveError> {
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let question = (entry.place.key, entry.hp);
        if let Some(answer) = asked().get(&question) {
            return Ok(*answer);
        }
        let most_steps = (LEAST_STEPS / W as u64).max((self.memory / BYTES_A_STEP) as u64);
        let settings = Settings { most_steps, ..self.settings() };
        let worth = self.search(entry, &settings)?;
        let not_proven = SolveError::NotProven { best: worth.least, upper_bound: worth.bound() };
        let best = worth.value().ok_or(not_proven)?;
        asked().insert(question, best);
        Ok(best)
    }

    fn settings(&self) -> Settings {
        Settings { memory: self.memory.max(LEAST_MEMORY), threads: 1, ..Settings::default() }
    }

    /// What a search finds and proves before it ends or has to stop.
    fn search(&self, entry: &Entry<W>, settings: &Settings) -> Result<Worth, SolveError> {
        let mut watch = Watch { stop: &|| false, tell: &mut |_| {} };
        let outcome = search::search(&self.space, entry, &self.assumptions, settings, &mut watch)?;
        let best = outcome.wins.first().map(|win| win.value);
        Ok(if outcome.proven { Worth::exactly(best) } else { Worth::between(best, outcome.upper_bound) })
    }

    /// The most keys that fit in memory.
    fn cap(&self) -> usize {
        self.memory / Table::<W>::BYTES_AN_ENTRY
    }

    /// The places after opening one door, wherever in a table it is in reach. A spent one only costs its key.
    fn through_door(&self, table: &Table<W>, door: usize) -> Result<Vec<Entry<W>>, SolveError> {
        let colour = self.space.doors.iter().position(|doors| doors.contains(door)).unwrap_or_default();
        let mut after = Vec::new();
        let mut ledger = Ledger::new([].into());
        for entry in &table.entries {
            let Entry { place, hp } = *entry;
            if place.reach.contains(door) {
                let costs = ledger.at(&self.space, &place)?;
                after.extend(self.space.clear_at(entry, &costs, door)?.map(|cleared| cleared.entry));
            } else if place.key.gone.contains(door) && place.key.keys[colour] > 0 {
                let mut place = place;
                place.key.keys[colour] -= 1;
                after.push(Entry { place, hp });
            }
        }
        Ok(after)
    }
}

impl<const W: usize> Climbed<W> {
    /// Bytes that a key takes: its entry and where its staircase begins.
    const BYTES_A_KEY: usize = Table::<W>::BYTES_AN_ENTRY + size_of::<u32>();

    fn new(space: &Space<W>, memory: usize) -> Result<Self, SolveError> {
        let cap = memory / Self::BYTES_A_KEY;
        let start = space.place_of(&space.game.start()?)?;
        let table = space.reach(&[start], true, cap, |_, _| true)?;
        let left = memory.saturating_sub(table.entries.len() * Self::BYTES_A_KEY) / size_of::<Stair>();
        let mut climb = Climb {
            space,
            ledger: Ledger::new([].into()),
            most: table.entries.iter().map(|entry| entry.hp).max().unwrap_or_default(),
            by_hp: FxHashMap::default(),
            steps_left: left,
        };
        let mut climbed = Climbed { stairs: vec![NOWHERE; table.entries.len()], table, steps: Vec::new() };
        climbed.climb(&mut climb)?;
        Ok(climbed)
    }

    /// The backward pass, from the last layer to the first.
    fn climb(&mut self, climb: &mut Climb<W>) -> Result<(), SolveError> {
        let (mut moves, mut found) = (Vec::new(), Vec::new());
        for layer in (0..self.table.layers.len()).rev() {
            for position in 0..self.table.layers[layer].len() {
                let id = self.table.layers[layer][position] as usize;
                let entry = self.table.entries[id];
                let costs = climb.ledger.at(climb.space, &entry.place)?;
                climb.space.moves(&entry, &costs, true, &mut moves)?;
                self.stairs_of(&entry, &costs, &moves, climb, &mut found)?;
                if !found.is_empty() {
                    if self.steps.len() + found.len() + 1 > climb.steps_left {
                        return Err(SolveError::TooManyStates { cap: climb.steps_left });
                    }
                    self.stairs[id] = self.steps.len() as u32;
                    self.steps.extend_from_slice(&found);
                    self.steps.push(END);
                }
            }
        }
        self.steps.shrink_to_fit();
        Ok(())
    }

    /// The staircase of an entry, from those of what its moves lead to.
    fn stairs_of(
        &self,
        entry: &Entry<W>,
        costs: &Costs<W>,
        moves: &[Move<W>],
        climb: &mut Climb<W>,
        found: &mut Vec<Stair>,
    ) -> Result<(), SolveError> {
        found.clear();
        let won = [Stair { need: 1, change: 0, decisions: 0 }];
        let depends = |next: &Move<W>| matches!(next.choice, Some(Choice::Clear(index)) if climb.space.by_hp.contains(index.into()));
        let ahead = |next: &Move<W>| match &next.to {
            None => &won[..],
            Some(to) => self.table.find(&to.key).map_or(&[][..], |id| self.staircase(id)),
        };
        if climb.space.by_hp.is_empty() {
            for next in moves {
                found.extend(ahead(next).iter().filter_map(|stair| stair.before(next.damage, next.gain)));
            }
            keep_best(found, entry.hp);
            return Ok(());
        }
        let mut parts = Vec::new();
        for next in moves {
            let stairs = ahead(next);
            if stairs.is_empty() {
                continue;
            }
            let steps = match next.choice {
                Some(Choice::Clear(index)) if depends(next) => climb.damages(costs, index.into())?,
                _ => &[(1, next.damage)],
            };
            turn(stairs, steps, next.gain, entry.hp, &mut parts);
            if parts.len() > climb.steps_left {
                return Err(SolveError::TooManyStates { cap: climb.steps_left });
            }
        }
        envelope(parts, entry.hp, found);
        Ok(())
    }

    fn staircase(&self, id: u32) -> &[Stair] {
        match self.stairs[id as usize] {
            NOWHERE => &[],
            from => {
                let stairs = &self.steps[from as usize..];
                &stairs[..stairs.iter().position(|stair| *stair == END).unwrap_or(stairs.len())]
            }
        }
    }
}

/// A value that is searched for may take one step of the search for so many bytes of memory: a measure of patience that
/// does not depend on the machine.
const BYTES_A_STEP: usize = 2_000;

/// Steps that it may take with whatever memory, on sets of one word.
const LEAST_STEPS: u64 = 4_000_000;

/// Steps that a bracket's first pass may take for each state that it is wide and each obstacle that it clears, roughly.
const STEPS_A_DEPTH: u64 = 8;

/// Bytes that it may take in any case.
const LEAST_MEMORY: usize = 32_000_000;

/// HP from which on a fight takes so many, and how many.
type DamageFrom = (i64, i64);

/// Where a key's staircase begins if it has none.
const NOWHERE: u32 = u32::MAX;

/// Stands after the last step of a staircase.
const END: Stair = Stair { need: i64::MAX, change: 0, decisions: u32::MAX };

/// What the backward pass needs.
struct Climb<'s, const W: usize> {
    space: &'s Space<W>,
    ledger: Ledger<W>,
    /// The most HP that any key is reached with.
    most: i64,
    /// Damage by HP, of the obstacles and attributes met so far.
    by_hp: FxHashMap<([i64; 3], usize), Vec<DamageFrom>>,
    steps_left: usize,
}

impl<const W: usize> Climb<'_, W> {
    /// The damage of fights that depend on HP: pairs (HP from which on, damage), rising. It never falls with HP.
    fn damages(&mut self, costs: &Costs<W>, index: usize) -> Result<&[DamageFrom], SolveError> {
        let Climb { space, most, by_hp, steps_left, .. } = self;
        let most = *most;
        if let std::collections::hash_map::Entry::Vacant(vacant) = by_hp.entry((costs.attributes, index)) {
            let at = |hp: i64| match space.damage_at(costs, hp, index) {
                Damage::Of(damage) => Some(damage),
                Damage::Unwinnable | Damage::Overflow => None,
            };
            let mut steps = Vec::new();
            let mut from = 1;
            while let Some(damage) = at(from).filter(|_| from <= most) {
                steps.push((from, damage));
                if steps.len() > *steps_left {
                    return Err(SolveError::TooManyStates { cap: *steps_left });
                }
                // The last HP with the same damage lies between `from` and `beyond`.
                let mut width = 1;
                while from + width <= most && at(from + width) == Some(damage) {
                    width *= 2;
                }
                let (mut same, mut beyond) = (from + width / 2, from + width);
                if width == 1 {
                    same = from;
                }
                while same + 1 < beyond {
                    let middle = same + (beyond - same) / 2;
                    if at(middle) == Some(damage) { same = middle } else { beyond = middle }
                }
                from = beyond;
            }
            vacant.insert(steps);
        }
        Ok(by_hp.get(&(costs.attributes, index)).map_or(&[], Vec::as_slice))
    }
}

/// Pieces of the staircase before a decision: each step after it, for each damage.
fn turn(stairs: &[Stair], damages: &[DamageFrom], gain: i64, most: i64, parts: &mut Vec<Piece>) {
    for (position, (from, damage)) in damages.iter().enumerate() {
        let to = damages.get(position + 1).map_or(i64::MAX, |next| next.0);
        if *from > most {
            break;
        }
        for piece in pieces(stairs) {
            let Some(stair) = piece.stair.before(*damage, gain) else { continue };
            let until = piece.until.checked_sub(gain - damage).unwrap_or(i64::MAX).min(to);
            let stair = Stair { need: stair.need.max(*from), ..stair };
            if stair.need < until && stair.need <= most {
                parts.push(Piece { stair, until });
            }
        }
    }
}

impl<const W: usize> Oracle for Staircases<W> {
    fn bracket(&self, state: &State, most_steps: u64) -> Result<Worth, SolveError> {
        let entry = self.space.place_of(state)?;
        // Narrow enough at first that a way to win is found before the steps are used up.
        let wide = most_steps / (STEPS_A_DEPTH * self.space.graph.obstacles.len().max(1) as u64);
        let width = usize::try_from(wide).unwrap_or(usize::MAX).clamp(1, Settings::default().width);
        self.search(&entry, &Settings { most_steps, width, ..self.settings() })
    }

    fn value(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError> {
        self.value_of(&self.space.place_of(state)?)
    }

    fn holds(&self, state: &State) -> Result<bool, SolveError> {
        Ok(self.known(&self.space.place_of(state)?).is_some())
    }

    fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError> {
        let place = self.space.place_of(state)?.place;
        let cell = self.space.game.graph().cell(action.target);
        Ok(match cell.and_then(|cell| self.space.graph.obstacle_at(cell)) {
            Some(obstacle) => !place.reach.contains(obstacle),
            None => false,
        })
    }

    fn best_with_first_doors(&self, state: &State, doors: &[Position]) -> Result<Option<i64>, SolveError> {
        let all_doors = self.space.doors.into_iter().fold(Bits::empty(), |all, doors| all | doors);
        let mut roots = vec![self.space.place_of(state)?];
        for (position, door) in doors.iter().enumerate() {
            let index = (self.space.game.graph().cell(*door))
                .and_then(|cell| self.space.graph.obstacle_at(cell))
                .filter(|index| all_doors.contains(*index))
                .ok_or_else(|| GameError::Illegal { target: *door, why: "it is not a door".into() })?;
            let gone = self.space.graph.obstacles[index].parts.iter().all(|part| state.cleared.contains(part.cell));
            if gone || doors[..position].contains(door) {
                return Err(GameError::Illegal { target: *door, why: "the door is open by then".into() }.into());
            }
            // Between the doors named nothing may cost a key: keys left never fall.
            let opened = |place: &Place<W>| self.space.doors_opened(place).into_iter().map(u32::from).sum::<u32>();
            let table = self
                .space
                .reach(&roots, false, self.cap(), |from, next| next.to.is_none_or(|to| opened(&to) == opened(from)))?;
            roots = self.through_door(&table, index)?;
            if roots.is_empty() {
                return Ok(None);
            }
        }
        Ok(self.space.reach(&roots, false, self.cap(), |_, _| true)?.best.map(|(hp, _)| hp))
    }

    fn items(&self) -> ItemMode {
        self.space.game.items()
    }

    fn keys(&self) -> Option<usize> {
        self.climbed.as_ref().map(|climbed| climbed.table.entries.len())
    }

    fn wins(&self) -> u64 {
        self.climbed.as_ref().map_or(0, |climbed| climbed.table.wins)
    }

    fn lost(&self) -> Option<usize> {
        let climbed = self.climbed.as_ref()?;
        let is_lost = |(id, entry): &(usize, &Entry<W>)| step_at(climbed.staircase(*id as u32), entry.hp).is_none();
        Some(climbed.table.entries.iter().enumerate().filter(is_lost).count())
    }

    fn sets(&self, most: usize) -> Result<Option<Sets>, SolveError> {
        if self.climbed.is_none() {
            return Ok(None);
        }
        let mut apart = self.space.clone();
        apart.merges_spent = false;
        let start = apart.place_of(&apart.game.start()?)?;
        let most = most.min(self.memory / Table::<W>::BYTES_AN_ENTRY);
        let table = match apart.reach(&[start], false, most, |_, _| true) {
            Err(SolveError::TooManyStates { .. }) => return Ok(None),
            table => table?,
        };
        let mut lost = 0;
        for Entry { place, hp } in &table.entries {
            let entry = Entry { place: self.space.spend(*place, !Bits::empty()), hp: *hp };
            lost += usize::from(self.value_of(&entry)?.is_none());
        }
        Ok(Some(Sets { reached: table.entries.len(), lost, winning: table.wins }))
    }

    fn least_hp(&self, state: &State) -> Result<Option<i64>, SolveError> {
        let stairs = self.known(&self.space.place_of(state)?).and_then(|stairs| stairs.first());
        Ok(stairs.map(|stair| stair.need).filter(|need| *need <= state.hero.hp))
    }
}
