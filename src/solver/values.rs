//! State values: the final HP under best play from any state of a game, or none if the boss can no longer be defeated.
//!
//! A forward pass lists every canonical key that any legal play can reach, wasteful play included. One backward pass
//! then gives each key its *staircase*: pairs (HP needed, change of HP to the end), both rising. The value of a state
//! is its HP plus the change of the highest step that it can afford. A fight of damage d whose gains are g turns a step
//! (n, c) after it into (max(d + 1, n + d − g), c − d + g) before it. Of equal changes the one with fewer decisions is kept.
//!
//! Where a fight's damage depends on the hero's HP (vampire), no such steps exist; values are then found by a forward
//! pass from each state that is asked for.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::game::{Ability, Action, End, Game, GameError, ItemMode, Position, State};

use super::bits::Bits;
use super::error::SolveError;
use super::graph;
use super::key::{Key, Place, Space};
use super::moves::Move;
use super::table::{Entry, Table};

/// Bytes that an oracle may take, roughly, unless told otherwise.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// The oracle of one game. Cheap to clone.
#[derive(Clone)]
pub struct Values {
    game: Game,
    oracle: Arc<dyn Oracle>,
}

/// An oracle whatever the width of its sets.
trait Oracle: Send + Sync {
    fn value(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError>;
    fn holds(&self, state: &State) -> Result<bool, SolveError>;
    fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError>;
    fn best_with_first_doors(&self, state: &State, doors: &[Position]) -> Result<Option<i64>, SolveError>;
    fn items(&self) -> ItemMode;
    fn keys(&self) -> usize;
    fn wins(&self) -> u64;
}

impl Values {
    /// The oracle of a game, taking at most about `memory` bytes.
    ///
    /// # Errors
    /// [`SolveError`] if the game is too large or cannot be solved exactly.
    pub fn new(game: &Game, memory: usize) -> Result<Self, SolveError> {
        refuse_what_is_not_exact(game)?;
        let solved = match game.items() == ItemMode::Action && more_is_never_worse(game) {
            true => Game::new(game.tower().clone(), ItemMode::Auto).map_err(SolveError::Tower)?,
            false => game.clone(),
        };
        let oracle: Arc<dyn Oracle> = match graph::size(&solved) {
            0..=64 => Arc::new(Staircases::<1>::new(&solved, memory)?),
            65..=128 => Arc::new(Staircases::<2>::new(&solved, memory)?),
            129..=256 => Arc::new(Staircases::<4>::new(&solved, memory)?),
            257..=512 => Arc::new(Staircases::<8>::new(&solved, memory)?),
            _ => Arc::new(Staircases::<16>::new(&solved, memory)?),
        };
        Ok(Values { game: game.clone(), oracle })
    }

    /// The game whose values these are.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Final HP under best play from a state; `None` if the boss cannot be defeated any more.
    ///
    /// # Errors
    /// [`SolveError`] if the state is not one that this oracle can answer for.
    pub fn of(&self, state: &State) -> Result<Option<i64>, SolveError> {
        Ok(self.with_decisions(state)?.map(|(value, _)| value))
    }

    /// The same with the fewest decisions that reach it; 0 where that number is not known (fights that depend on HP).
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn with_decisions(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError> {
        let counted = self.game.items() == self.oracle.items();
        let value = match state.end {
            Some(End::Won) => Ok(Some((state.hero.hp, 0))),
            Some(_) => Ok(None),
            None => self.oracle.value(state),
        };
        Ok(value?.map(|(value, decisions)| (value, if counted { decisions } else { 0 })))
    }

    /// Final HP under best play after an action.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`], or if the action is not legal.
    pub fn after(&self, state: &State, action: &Action) -> Result<Option<i64>, SolveError> {
        self.of(&self.game.apply(state, action)?.state)
    }

    /// Whether the value of a state is a look-up: so it is for every state that play from the start can reach, unless a
    /// fight depends on HP. Others are searched for when asked.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn holds(&self, state: &State) -> Result<bool, SolveError> {
        if state.end.is_some() { Ok(true) } else { self.oracle.holds(state) }
    }

    /// Whether an action opens no area and gives nothing, and so is never needed.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`].
    pub fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError> {
        self.oracle.gives_nothing(state, action)
    }

    /// Final HP under the best play whose first doors are these, in this order; anything else may come between.
    ///
    /// # Errors
    /// [`SolveError`] as [`Values::of`], or if a position is no door.
    pub fn with_first_doors(&self, state: &State, doors: &[Position]) -> Result<Option<i64>, SolveError> {
        self.oracle.best_with_first_doors(state, doors)
    }

    /// How many canonical keys were reached from the start.
    pub fn keys(&self) -> usize {
        self.oracle.keys()
    }

    /// From how many of them the boss can be defeated at once.
    pub fn wins(&self) -> u64 {
        self.oracle.wins()
    }
}

/// The values rest on this: with the same key, more HP is never worse.
fn refuse_what_is_not_exact(game: &Game) -> Result<(), SolveError> {
    for monster in &game.tower().monsters {
        for ability in monster.abilities.iter() {
            if let Ability::Vampire { ratio, add } = ability
                && (ratio.exceeds_one() || add)
            {
                let why = format!(
                    "{}: a vampire that takes more than all HP, or adds what it takes to its own,",
                    monster.name
                );
                return Err(SolveError::NotExact(why));
            }
        }
    }
    Ok(())
}

/// Whether no fight of a game can cost more for a hero with more ATK, DEF, MDEF or HP. Then collecting what is in reach is
/// never worse than leaving it, so that a game in which items are actions has the values of the one in which they are
/// collected at once. (Solid is harmless: it keeps a strike at 1, whatever the ATK. A vampire is not: a potion drunk
/// after the fight is not shared with it.)
fn more_is_never_worse(game: &Game) -> bool {
    let harmless = |ability: Ability| {
        !matches!(
            ability,
            Ability::Mimic
                | Ability::Purify { .. }
                | Ability::BreakArmour { .. }
                | Ability::CounterAttack { .. }
                | Ability::Vampire { .. }
        )
    };
    game.tower().monsters.iter().all(|monster| monster.abilities.iter().all(harmless))
}

struct Staircases<const W: usize> {
    space: Space<W>,
    table: Table<W>,
    stairs: Vec<(u32, u32)>,
    steps: Vec<Stair>,
    depends_on_hp: bool,
    cap: usize,
}

/// One step of a staircase: with `need` HP or more, the end is reached with `change` more than one has, by `decisions`
/// decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stair {
    need: i64,
    change: i64,
    decisions: u32,
}

impl Stair {
    /// What makes one step better than another that can be afforded: more HP, then fewer decisions.
    fn worth(&self) -> (i64, Reverse<u32>) {
        (self.change, Reverse(self.decisions))
    }
}

impl<const W: usize> Staircases<W> {
    /// Bytes that a key takes: its entry, its place in the index, and a few steps of its staircase.
    const BYTES_A_KEY: usize = size_of::<Entry<W>>() + 2 * size_of::<Key<W>>() + 4 * size_of::<Stair>();

    fn new(game: &Game, memory: usize) -> Result<Self, SolveError> {
        let cap = memory / Self::BYTES_A_KEY;
        let space = Space::new(game)?;
        let start = game.start()?;
        let depends_on_hp = game.tower().monsters.iter().any(|monster| monster.abilities.depends_on_hp());
        let table = space.reach(&[space.place_of(&start)?], true, cap, |_, _| true)?;
        let mut oracle = Staircases { space, table, stairs: Vec::new(), steps: Vec::new(), depends_on_hp, cap };
        if !depends_on_hp {
            oracle.climb()?;
        }
        Ok(oracle)
    }

    /// The backward pass, from the last layer to the first.
    fn climb(&mut self) -> Result<(), SolveError> {
        self.stairs = vec![(0, 0); self.table.entries.len()];
        let (mut moves, mut found) = (Vec::new(), Vec::new());
        for layer in (0..self.table.layers.len()).rev() {
            for position in 0..self.table.layers[layer].len() {
                let id = self.table.layers[layer][position] as usize;
                let entry = self.table.entries[id];
                self.space.moves(&entry.place, entry.hp, true, &mut moves)?;
                found.clear();
                for next in &moves {
                    let ahead = next.damage + 1;
                    let balance = next.gain - next.damage;
                    match next.to {
                        None => found.push(Stair { need: ahead.max(1), change: balance, decisions: 1 }),
                        Some(to) => found.extend(self.staircase(&to.key).iter().map(|stair| Stair {
                            need: ahead.max(stair.need - balance).max(1),
                            change: stair.change + balance,
                            decisions: stair.decisions + 1,
                        })),
                    }
                }
                let from = self.steps.len() as u32;
                keep_undominated(&mut found, entry.hp);
                self.steps.extend_from_slice(&found);
                self.stairs[id] = (from, self.steps.len() as u32);
            }
        }
        Ok(())
    }

    fn staircase(&self, key: &Key<W>) -> &[Stair] {
        match self.table.index.get(key) {
            Some(id) => {
                let (from, to) = self.stairs[*id as usize];
                &self.steps[from as usize..to as usize]
            }
            None => &[],
        }
    }

    /// The best final HP from some places, by a forward pass of their own.
    fn search(&self, roots: &[(Place<W>, i64)]) -> Result<Option<i64>, SolveError> {
        Ok(self.space.reach(roots, false, self.cap, |_, _| true)?.best.map(|(hp, _)| hp))
    }

    /// The places after opening one door, wherever in a table it is in reach. A spent one only costs its key.
    fn through_door(&self, table: &Table<W>, door: usize) -> Result<Vec<(Place<W>, i64)>, SolveError> {
        let colour = self.space.doors.iter().position(|doors| doors.contains(door)).unwrap_or_default();
        let mut after = Vec::new();
        for Entry { place, hp } in &table.entries {
            if place.reach.contains(door) {
                let hero = self.space.hero(place, *hp)?;
                if let Some(Move { to: Some(to), damage, gain }) = self.space.move_at(place, &hero, door)? {
                    after.push((to, hp - damage + gain));
                }
            } else if place.key.gone.contains(door) && place.key.keys[colour] > 0 {
                let mut to = *place;
                to.key.keys[colour] -= 1;
                after.push((to, *hp));
            }
        }
        Ok(after)
    }

    /// Whether the staircase of a place answers for this HP.
    fn knows(&self, place: &Place<W>, hp: i64) -> bool {
        let reached = self.table.index.get(&place.key).map(|id| self.table.entries[*id as usize].hp);
        !self.depends_on_hp && reached.is_some_and(|most| hp <= most)
    }

    /// Final HP from a place, and the fewest decisions to it; the number is 0 where it is not known.
    fn value_of(&self, place: &Place<W>, hp: i64) -> Result<Option<(i64, u32)>, SolveError> {
        if !self.knows(place, hp) {
            return Ok(self.search(&[(*place, hp)])?.map(|value| (value, 0)));
        }
        let affordable = self.staircase(&place.key).iter().take_while(|stair| stair.need <= hp).last();
        Ok(affordable.map(|stair| (hp + stair.change, stair.decisions)))
    }
}

/// Keeps the steps that are the best for some HP up to `most`, in rising order.
fn keep_undominated(stairs: &mut Vec<Stair>, most: i64) {
    stairs.retain(|stair| stair.need <= most);
    stairs.sort_unstable_by_key(|stair| (stair.need, Reverse(stair.worth())));
    let mut best = None;
    stairs.retain(|stair| {
        let better = best.is_none_or(|best| stair.worth() > best);
        if better {
            best = Some(stair.worth());
        }
        better
    });
}

impl<const W: usize> Oracle for Staircases<W> {
    fn value(&self, state: &State) -> Result<Option<(i64, u32)>, SolveError> {
        let (place, hp) = self.space.place_of(state)?;
        self.value_of(&place, hp)
    }

    fn holds(&self, state: &State) -> Result<bool, SolveError> {
        let (place, hp) = self.space.place_of(state)?;
        Ok(self.knows(&place, hp))
    }

    fn gives_nothing(&self, state: &State, action: &Action) -> Result<bool, SolveError> {
        let (place, _) = self.space.place_of(state)?;
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
            let gone = state.cleared.contains(self.space.graph.obstacles[index].cell);
            if gone || doors[..position].contains(door) {
                return Err(GameError::Illegal { target: *door, why: "the door is open by then".into() }.into());
            }
            // Between the doors named nothing may cost a key: keys left never fall.
            let opened = |place: &Place<W>| self.space.doors_opened(place).map_or(0, |doors| doors.iter().sum::<u32>());
            let table = self
                .space
                .reach(&roots, false, self.cap, |from, next| next.to.is_none_or(|to| opened(&to) == opened(from)))?;
            roots = self.through_door(&table, index)?;
            if roots.is_empty() {
                return Ok(None);
            }
        }
        self.search(&roots)
    }

    fn items(&self) -> ItemMode {
        self.space.game.items()
    }

    fn keys(&self) -> usize {
        self.table.entries.len()
    }

    fn wins(&self) -> u64 {
        self.table.wins
    }
}
