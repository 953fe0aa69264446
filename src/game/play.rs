//! The engine: from a state to its legal actions, and from an action to the next state.

use std::sync::Arc;

use super::action::{Action, Blocked};
use super::cells::{CellIndex, CellSet};
use super::combat::{self, Fight, fight};
use super::error::{GameError, TowerError};
use super::event::Trigger;
use super::kind::Goal;
use super::monster::Monster;
use super::position::Position;
use super::program::Program;
use super::region::TileGraph;
use super::rules::ItemMode;
use super::schedule::Schedule;
use super::state::{State, Step};
use super::tile::Tile;
use super::tower::{MonsterId, Tower};

mod execute;
mod ground;
mod options;
mod run;
mod words;

use run::Run;

/// A tower made ready to be played. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    tower: Arc<Tower>,
    graph: Arc<TileGraph>,
    program: Arc<Program>,
    schedule: Arc<Schedule>,
    items: ItemMode,
    /// Whether every way leads both ways and nothing happens by script, so that the region only grows.
    plain: bool,
    has_arrivals: bool,
}

impl Game {
    /// Makes a tower ready.
    ///
    /// # Errors
    /// What is wrong with the tower, if anything.
    pub fn new(tower: impl Into<Arc<Tower>>, items: ItemMode) -> Result<Self, TowerError> {
        let tower = tower.into();
        tower.validate()?;
        let graph = Arc::new(TileGraph::new(&tower));
        let program = Arc::new(Program::new(&tower, &graph));
        let schedule = Arc::new(Schedule::new(&tower, &graph));
        let (plain, has_arrivals) = (tower.is_plain(), tower.events.iter().any(|event| is_arrival(&event.trigger)));
        Ok(Game { tower, graph, program, schedule, items, plain, has_arrivals })
    }

    /// The tower being played.
    pub fn tower(&self) -> &Arc<Tower> {
        &self.tower
    }

    /// The tower as a graph of tiles.
    pub fn graph(&self) -> &TileGraph {
        &self.graph
    }

    /// When items are collected.
    pub fn items(&self) -> ItemMode {
        self.items
    }

    /// A row of the monster table as it is at the start.
    pub fn monster(&self, id: MonsterId) -> &Monster {
        &self.tower.monsters[usize::from(id)]
    }

    /// A row of the monster table as it is now.
    pub fn monster_now<'s>(&'s self, state: &'s State, id: MonsterId) -> &'s Monster {
        state.monsters.as_ref().and_then(|table| table.get(usize::from(id))).unwrap_or_else(|| self.monster(id))
    }

    /// The first state, with what is in reach collected.
    ///
    /// # Errors
    /// [`GameError`] if a quantity leaves `i64`, or an event that happens at the start does not end.
    pub fn start(&self) -> Result<State, GameError> {
        let (mut state, mut run) = (self.untouched(), Run::new(self.tower.start));
        self.arrive(&mut state, self.tower.start.floor, &mut run);
        let (state, _) = self.settle(state, run)?;
        Ok(state)
    }

    /// The tower as it is drawn: nothing collected yet, not even what is in reach at the start. Not a state that is
    /// played.
    pub fn untouched(&self) -> State {
        let cells = self.graph.len();
        let mut hidden = CellSet::empty(cells);
        for event in self.tower.events.iter().filter(|event| event.hidden) {
            if let Some(cell) = self.graph.cell(event.at) {
                hidden.insert(cell);
            }
        }
        State {
            hero: self.tower.hero,
            at: self.tower.start,
            turn: 0,
            purchases: [0; 4],
            cleared: CellSet::empty(cells),
            region: CellSet::empty(cells),
            exits: Vec::new(),
            end: None,
            changed: Vec::new(),
            hidden,
            variables: self.tower.variables.iter().map(|variable| variable.start).collect(),
            past: CellSet::empty(self.tower.events.len()),
            monsters: None,
            pending: None,
        }
    }

    /// The legal actions, in the order of their numbers; none once the game has ended.
    ///
    /// # Errors
    /// [`GameError::FightOverflow`] if a fight in reach cannot be computed.
    pub fn actions(&self, state: &State) -> Result<Vec<Action>, GameError> {
        Ok(self.options(state)?.0)
    }

    /// What is in reach but not legal, in the same order.
    ///
    /// # Errors
    /// [`GameError::FightOverflow`] if a fight in reach cannot be computed.
    pub fn blocked(&self, state: &State) -> Result<Vec<Blocked>, GameError> {
        Ok(self.options(state)?.1)
    }

    /// Executes a legal action, collects what comes into reach and says whether the game has ended.
    ///
    /// # Errors
    /// [`GameError`] if the action is not legal in this state, a quantity leaves `i64`, or an event does not end.
    pub fn apply(&self, state: &State, action: &Action) -> Result<Step, GameError> {
        if state.end.is_some() {
            return Err(GameError::Ended);
        }
        if !self.actions(state)?.contains(action) {
            return Err(GameError::Illegal { target: action.target, why: self.why_not(state, action.target)? });
        }
        self.carry_out(state, action)
    }

    /// The same for an action that [`Game::actions`] has just given for this very state, which is not asked again.
    ///
    /// # Errors
    /// [`GameError`] if a quantity leaves `i64`, or an event does not end.
    pub fn carry_out(&self, state: &State, action: &Action) -> Result<Step, GameError> {
        let mut next = state.clone();
        next.turn += 1;
        let mut run = Run::new(action.target);
        self.execute(&mut next, action, &mut run)?;
        if next.end.is_some() {
            return Ok(Step { action: *action, collected: Vec::new(), state: next });
        }
        let (state, collected) = self.settle(next, run)?;
        Ok(Step { action: *action, collected, state })
    }

    /// The one legal action on a tile.
    ///
    /// # Errors
    /// [`GameError::Illegal`] with the reason if there is none, or several to choose from.
    pub fn action_at(&self, state: &State, target: Position) -> Result<Action, GameError> {
        let mut there = self.actions(state)?.into_iter().filter(|action| action.target == target);
        match (there.next(), there.next()) {
            (Some(action), None) => Ok(action),
            (Some(_), Some(_)) => Err(GameError::Illegal {
                target,
                why: "several actions are possible there; name one by its number".into(),
            }),
            (None, _) => Err(GameError::Illegal { target, why: self.why_not(state, target)? }),
        }
    }

    /// How the fight with a monster of the table would end now, wherever it stands.
    ///
    /// # Errors
    /// [`combat::Overflow`] if it cannot be computed.
    pub fn fight_now(&self, state: &State, monster: MonsterId) -> Result<Fight, combat::Overflow> {
        fight(&state.hero, self.monster_now(state, monster), self.tower.rules)
    }

    /// What is on a tile now: what was there at the start or what an event has put there, and open floor where that has
    /// been cleared or is switched off.
    pub fn tile_now(&self, state: &State, cell: CellIndex) -> Tile {
        if state.cleared.contains(cell) || (!self.plain && state.hidden.contains(cell)) {
            return Tile::Floor;
        }
        match state.changed.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(index) => state.changed[index].1,
            Err(_) => self.graph.tile(cell),
        }
    }

    /// Whether the boss's defeat wins the game.
    fn boss_wins(&self) -> bool {
        self.tower.goal == Goal::Boss
    }

    /// The event that stepping onto a tile, or touching what is there, starts now.
    fn step_event(&self, state: &State, cell: CellIndex) -> Option<usize> {
        let is_there = matches!(self.tile_now(state, cell), Tile::Event | Tile::Figure);
        self.schedule.on_tile(cell, &Trigger::Step).filter(|_| is_there)
    }

    /// The event that collecting what lies on a tile starts.
    fn event_after_collecting(&self, cell: CellIndex) -> Option<usize> {
        self.schedule.on_tile(cell, &Trigger::AfterCollect)
    }

    /// Where the event of a tile begins.
    fn event_of(&self, cell: CellIndex, trigger: &Trigger) -> Option<u32> {
        Some(self.program.of_event(self.schedule.on_tile(cell, trigger)?))
    }

    /// The events that arriving on a floor would start now, in their order.
    fn arrivals<'s>(&'s self, state: &'s State, floor: u16) -> impl Iterator<Item = usize> + 's {
        self.schedule.on_arrival(floor).iter().copied().filter(|event| !state.past.contains(*event as CellIndex))
    }
}

fn is_arrival(trigger: &Trigger) -> bool {
    matches!(trigger, Trigger::FirstArrival | Trigger::Arrival)
}
