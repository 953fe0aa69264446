//! From a legal action to the next state: what it does, what it sets off, what then comes into reach.

use super::super::action::{Action, ActionKind};
use super::super::cells::CellIndex;
use super::super::combat::{self, Fight};
use super::super::error::GameError;
use super::super::event::Trigger;
use super::super::kind::Goal;
use super::super::position::Position;
use super::super::state::{End, State};
use super::super::tile::{Item, Tile};
use super::super::tower::GateId;
use super::Game;
use super::run::{Run, die, remove};

/// Items collected, with their places.
pub(super) type Collected = Vec<(Position, Item)>;

impl Game {
    /// Carries out a legal action, without collecting what it exposes. What it sets off is put on `run`.
    pub(super) fn execute(&self, state: &mut State, action: &Action, run: &mut Run) -> Result<(), GameError> {
        let at = action.target;
        let Some(cell) = self.graph.cell(at) else {
            return Err(GameError::Illegal { target: at, why: "it is outside the map".into() });
        };
        let overflow = GameError::GainOverflow { at };
        match action.kind {
            ActionKind::Open(colour) => {
                state.hero.keys[colour] -= 1;
                self.clear(state, cell, Trigger::AfterOpen, run);
            }
            ActionKind::Unlock(gate) => {
                self.pay(state, gate, at)?;
                self.clear(state, cell, Trigger::AfterOpen, run);
            }
            ActionKind::Fight { fight: Fight::Winnable { damage }, monster } => {
                let monster = self.monster_now(state, monster);
                let wins = monster.boss && self.boss_wins();
                state.hero = combat::after(&state.hero, monster, damage, self.tower.rules).ok_or(overflow)?;
                self.clear(state, cell, Trigger::AfterFight, run);
                if wins {
                    state.end = Some(End::Won);
                }
            }
            ActionKind::Fight { .. } => {
                state.at = at;
                state.hero.hp = 0;
                state.end = Some(End::Dead);
            }
            ActionKind::Collect(item) => self.collect(state, cell, item, run)?,
            ActionKind::Buy { purchase, price } => {
                let shop = self.tower.shop.as_ref().ok_or(overflow.clone())?;
                state.hero = shop.sell(&state.hero, purchase, price).ok_or(overflow)?;
                state.purchases[purchase as usize] += 1;
                state.at = at;
            }
            ActionKind::Touch => self.touch(state, cell, run),
            ActionKind::Walk => self.go(state, cell, run),
            ActionKind::Choose { choice, option } => {
                let pending = state.pending.take().map(|pending| pending.then);
                let answer = self.program.question(choice).and_then(|asked| asked.answers.get(usize::from(option)));
                run.stack = pending.unwrap_or_default();
                run.stack.extend(answer.map(|answer| answer.then));
            }
        }
        Ok(())
    }

    /// Carries out what is on the way, collects what is in reach and free, starts what has become due, and ends the
    /// game if nothing but lethal or impossible fights and locked doors remains.
    pub(super) fn settle(&self, mut state: State, mut run: Run) -> Result<(State, Collected), GameError> {
        let mut collected = Collected::new();
        let mut happened = Vec::new();
        loop {
            self.run(&mut state, &mut run)?;
            if state.end.is_some() {
                return Ok((state, collected));
            }
            self.look_around(&mut state, &mut collected)?;
            if state.end.is_some() {
                return Ok((state, collected));
            }
            if state.pending.is_some() {
                return Ok((state, collected));
            }
            match self.due(&state, &happened)? {
                Some(event) => {
                    happened.push(event);
                    if matches!(self.tower.events[event].trigger, Trigger::When { once: true, .. }) {
                        state.past.insert(event as CellIndex);
                    }
                    run.at = self.tower.events[event].at;
                    run.stack.push(self.program.of_event(event));
                }
                None => break,
            }
        }
        let reached = |exit| self.graph.cell(exit).is_some_and(|cell| state.region.contains(cell));
        if matches!(self.tower.goal, Goal::Exit(exit) if reached(exit)) && self.bosses_are_gone(&state) {
            state.end = Some(End::Won);
            return Ok((state, collected));
        }
        if state.exits.is_empty() && self.options(&state)?.0.iter().all(Action::is_lethal) {
            state.end = Some(End::Stuck);
        }
        Ok((state, collected))
    }

    /// Grows the region from where the hero stands and collects what comes into reach if it is free.
    fn look_around(&self, state: &mut State, collected: &mut Collected) -> Result<(), GameError> {
        let Some(from) = self.graph.cell(state.at) else {
            return Err(GameError::Illegal { target: state.at, why: "it is outside the map".into() });
        };
        let mut found = Vec::new();
        match self.plain {
            true => {
                let State { region, cleared, .. } = state;
                self.graph.grow(region, from, cleared, |cell| {
                    let take = self.items == super::ItemMode::Auto;
                    if take {
                        found.push(cell);
                    }
                    take
                });
            }
            false => {
                let ground = self.survey(state, from);
                (state.region, state.exits, found) = (ground.region, ground.exits, ground.items);
            }
        }
        found.sort_unstable();
        for cell in found {
            if let Tile::Item(item) = self.tile_now(state, cell) {
                self.take(state, cell, item)?;
                collected.push((self.graph.position(cell), item));
            }
        }
        Ok(())
    }

    /// The first event whose condition is true and that has not happened since the last decision.
    fn due(&self, state: &State, happened: &[usize]) -> Result<Option<usize>, GameError> {
        for &event in &self.schedule.on_condition {
            let row = &self.tower.events[event];
            let Trigger::When { condition, anywhere, .. } = &row.trigger else { continue };
            if state.past.contains(event as CellIndex) || happened.contains(&event) {
                continue;
            }
            let here = *anywhere || state.region.meets(self.graph.floor_cells(row.at.floor));
            if here && self.evaluate(state, condition, row.at)?.is_true() {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Clears a tile from beside it. What follows is put on `run`.
    fn clear(&self, state: &mut State, cell: CellIndex, trigger: Trigger, run: &mut Run) {
        // Where every way leads both ways it makes no difference, and people look for the hero where he has just fought.
        state.at = if self.plain { self.graph.position(cell) } else { self.beside(state, cell) };
        remove(state, cell);
        run.stack.extend(self.event_of(cell, &trigger));
    }

    /// Collects an item by a decision: what it gives, what it does, what follows.
    fn collect(&self, state: &mut State, cell: CellIndex, item: Item, run: &mut Run) -> Result<(), GameError> {
        self.take(state, cell, item)?;
        state.at = self.graph.position(cell);
        run.stack.extend(self.event_of(cell, &Trigger::AfterCollect));
        if let Item::Thing(thing) = item {
            run.stack.extend(self.program.of_thing(thing.into()));
        }
        Ok(())
    }

    /// Takes an item up: what it gives, without what follows.
    fn take(&self, state: &mut State, cell: CellIndex, item: Item) -> Result<(), GameError> {
        let overflow = GameError::GainOverflow { at: self.graph.position(cell) };
        state.hero = self.tower.give(&state.hero, item).ok_or(overflow.clone())?;
        if let Item::Thing(thing) = item
            && let Some(thing) = self.tower.things.get(usize::from(thing))
        {
            for (id, count) in &thing.tools {
                add(state, *id, *count).ok_or(overflow.clone())?;
            }
        }
        remove(state, cell);
        if state.hero.hp <= 0 {
            die(state);
        }
        Ok(())
    }

    /// Gives for a gate what it takes.
    fn pay(&self, state: &mut State, gate: GateId, at: Position) -> Result<(), GameError> {
        let Some(gate) = self.tower.gates.get(usize::from(gate)) else { return Ok(()) };
        for colour in super::super::tile::Colour::ALL {
            state.hero.keys[colour] -= gate.keys[colour];
        }
        for (id, count) in &gate.tools {
            add(state, *id, -*count).ok_or(GameError::GainOverflow { at })?;
        }
        Ok(())
    }

    /// Starts the event of a tile: the hero steps onto it, or touches what is in the way from beside it.
    fn touch(&self, state: &mut State, cell: CellIndex, run: &mut Run) {
        if self.tile_now(state, cell) != Tile::Figure {
            state.at = self.graph.position(cell);
        } else {
            state.at = self.beside(state, cell);
        }
        run.stack.extend(self.event_of(cell, &Trigger::Step));
    }

    /// From where in the region a tile is touched: the first such tile.
    fn beside(&self, state: &State, cell: CellIndex) -> Position {
        let touches =
            |from: &CellIndex| self.graph.neighbours(*from).contains(&cell) && !self.graph.is_barred(*from, cell);
        let from =
            self.graph.neighbours(cell).iter().copied().filter(|from| state.region.contains(*from)).find(touches);
        from.or_else(|| state.region.iter().find(touches)).map_or(state.at, |cell| self.graph.position(cell))
    }

    /// Whether no boss stands anywhere, be it where an event has put it or where it is switched off.
    fn bosses_are_gone(&self, state: &State) -> bool {
        let drawn = self.tower.bosses().filter_map(|boss| self.graph.cell(boss));
        let stands = |cell: CellIndex| {
            let put = state.changed.iter().find(|(changed, _)| *changed == cell).map(|(_, tile)| *tile);
            !state.cleared.contains(cell) && self.tower.is_boss(put.unwrap_or_else(|| self.graph.tile(cell)))
        };
        !drawn.chain(state.changed.iter().map(|(cell, _)| *cell)).any(stands)
    }
}

/// Adds to a variable; `None` beyond `i64`.
fn add(state: &mut State, id: u16, count: i64) -> Option<()> {
    if let Some(variable) = state.variables.get_mut(usize::from(id)) {
        *variable = variable.checked_add(count)?;
    }
    Some(())
}
