//! How far one comes from a square if everything goes well: each monster is beaten, each door opened for which a key has been
//! found, each event that is reached does all that it may do. Knows no check.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::site::beside;
use super::squares::Squares;
use crate::game::script::{Instruction, all};
use crate::game::{
    Colour, Event, Item, Keys, Ladder, Position, Quantity, Script, Target, ThingId, Tile, Tower, Trigger,
};

/// As much as anybody can have.
const PLENTY: i64 = i64::MAX;

/// What has been found on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    keys: Keys,
    tools: Vec<i64>,
}

/// What is still to be looked at. Nothing of it is done at once: one thing may lead to the next as often as a file likes.
enum Task {
    /// Whether a square can be entered, and what follows.
    Enter(Position),
    /// Where a square leads on to.
    Spread(Position),
    /// What lies on a square that has been entered before.
    Take(Tile),
    /// What has been switched on on a square that has been entered before.
    Happen(Position),
}

/// A walk, as far as it leads.
pub struct Walk<'t> {
    tower: &'t Tower,
    without: Option<Ladder>,
    reached: Squares,
    /// Seen, but not entered yet.
    waiting: BTreeSet<Position>,
    queue: Vec<Task>,
    /// Where the hero was put, by the start, an event or a one-way way.
    stood_on: BTreeSet<Position>,
    /// What events took away.
    gone: Squares,
    /// What events switched on.
    shown: BTreeSet<Position>,
    /// What events put somewhere.
    put: BTreeMap<Position, Vec<Tile>>,
    found: Found,
    /// The events of squares, and which of all events have happened.
    events: BTreeMap<Position, Vec<usize>>,
    happened: BTreeSet<usize>,
    /// Things of which the script has been carried out.
    used: BTreeSet<ThingId>,
    floors: BTreeSet<u16>,
}

impl<'t> Walk<'t> {
    /// The walk from a square with what the hero has at the start, never taking the ladder `without`.
    pub fn from(tower: &'t Tower, at: Position, without: Option<Ladder>) -> Self {
        let tools = tower.variables.iter().map(|variable| variable.start).collect();
        Walk::with(tower, at, without, Found { keys: tower.hero.keys, tools })
    }

    /// The same with what another walk has found.
    pub fn with(tower: &'t Tower, at: Position, without: Option<Ladder>, found: Found) -> Self {
        let none = Squares::none(&tower.floors);
        let mut events: BTreeMap<Position, Vec<usize>> = BTreeMap::new();
        for (index, event) in tower.events.iter().enumerate().filter(|(_, event)| !event.trigger.is_of_floor()) {
            events.entry(event.at).or_default().push(index);
        }
        let mut walk = Walk {
            tower,
            without,
            reached: none.clone(),
            waiting: BTreeSet::new(),
            queue: vec![Task::Enter(at)],
            stood_on: BTreeSet::from([at]),
            gone: none,
            shown: BTreeSet::new(),
            put: BTreeMap::new(),
            found,
            events,
            happened: BTreeSet::new(),
            used: BTreeSet::new(),
            floors: BTreeSet::new(),
        };
        walk.go_on();
        walk
    }

    /// Whether it leads to a square.
    pub fn reaches(&self, at: Position) -> bool {
        self.reached.contains(at)
    }

    /// Whether it leads to a floor.
    pub fn reaches_floor(&self, floor: u16) -> bool {
        self.floors.contains(&floor)
    }

    /// What has been found on it.
    pub fn found(&self) -> Found {
        self.found.clone()
    }

    /// The nearest door or gate before which it ends on the way to a square that it does not reach.
    pub fn shut_before(&self, target: Position) -> Option<Position> {
        let is_door = |at: Position| matches!(self.tower.tile(at), Some(Tile::Door(_) | Tile::Gate(_)));
        let (mut seen, mut queue) = (Squares::none(&self.tower.floors), VecDeque::from([target]));
        while let Some(at) = queue.pop_front() {
            let is_open = self.tower.tile(at).is_some_and(|tile| tile != Tile::Wall);
            if !is_open || self.reaches(at) || !seen.insert(at) {
                continue;
            }
            if is_door(at) && self.waiting.contains(&at) {
                return Some(at);
            }
            queue.extend(beside(at).into_iter().flatten());
            queue.extend(self.across(at));
        }
        None
    }

    fn go_on(&mut self) {
        loop {
            while let Some(task) = self.queue.pop() {
                match task {
                    Task::Enter(at) if self.lets_pass(at) => self.enter(at),
                    Task::Enter(at) => self.wait_before(at),
                    Task::Spread(at) => self.spread(at),
                    Task::Take(tile) => self.take(tile),
                    Task::Happen(at) => self.happen(at, |_| true),
                }
            }
            let free: Vec<Position> = self.waiting.iter().copied().filter(|at| self.lets_pass(*at)).collect();
            if free.is_empty() {
                return;
            }
            for at in free {
                self.waiting.remove(&at);
                self.queue.push(Task::Enter(at));
            }
        }
    }

    /// Whether a square can be entered with what has been found.
    fn lets_pass(&self, at: Position) -> bool {
        let Some(tile) = self.tower.tile(at) else { return false };
        let put = self.put.get(&at).into_iter().flatten();
        self.gone.contains(at)
            || self.is_hidden(at)
            || self.opens(tile)
            || put.into_iter().any(|tile| self.opens(*tile))
    }

    /// Whether what stands on a square is switched off at first; then it is passed before it is switched on.
    fn is_hidden(&self, at: Position) -> bool {
        self.events_at(at).any(|(_, event)| event.hidden)
    }

    fn events_at(&self, at: Position) -> impl Iterator<Item = (usize, &'t Event)> {
        let tower = self.tower;
        let here = self.events.get(&at).into_iter().flatten();
        here.filter_map(move |index| Some((*index, tower.events.get(*index)?)))
    }

    fn opens(&self, tile: Tile) -> bool {
        match tile {
            Tile::Wall | Tile::Figure => false,
            Tile::Door(colour) => self.found.keys[colour] >= 1,
            Tile::Gate(id) => self.tower.gates.get(usize::from(id)).is_some_and(|gate| {
                let has_tool = |(id, count): &(u16, i64)| {
                    self.found.tools.get(usize::from(*id)).is_some_and(|found| found >= count)
                };
                let has_keys = Colour::ALL.iter().all(|colour| self.found.keys[*colour] >= gate.keys[*colour]);
                !gate.by_event && has_keys && gate.tools.iter().all(has_tool)
            }),
            _ => true,
        }
    }

    fn wait_before(&mut self, at: Position) {
        let Some(tile) = self.tower.tile(at) else { return };
        if self.waiting.insert(at) && tile == Tile::Figure {
            self.happen(at, |trigger| *trigger == Trigger::Step);
        }
    }

    fn enter(&mut self, at: Position) {
        if !self.reached.insert(at) {
            return;
        }
        if self.floors.insert(at.floor) {
            self.arrive(at.floor);
        }
        self.happen(at, |_| true);
        let is_off = self.is_hidden(at) && !self.shown.contains(&at);
        let tiles =
            self.tower.tile(at).filter(|_| !is_off).into_iter().chain(self.put.get(&at).into_iter().flatten().copied());
        for tile in tiles.collect::<Vec<Tile>>() {
            self.take(tile);
        }
        self.spread(at);
    }

    /// Goes on from a square to those that it leads to.
    fn spread(&mut self, at: Position) {
        let passages: Vec<Position> =
            self.tower.passages.iter().filter(|passage| passage.from == at).map(|passage| passage.to).collect();
        // Whoever enters a one-way way stands elsewhere at once, unless something is to be done on it first.
        let is_bare = self.tower.tile(at).is_some_and(Tile::is_open) && self.events_at(at).next().is_none();
        let is_left_at_once =
            !passages.is_empty() && is_bare && !self.put.contains_key(&at) && !self.stood_on.contains(&at);
        passages.into_iter().for_each(|to| self.stand_on(to));
        if is_left_at_once {
            return;
        }
        let across = self.across(at);
        let shut = |to: &Position| self.tower.barriers.iter().any(|barrier| (barrier.from, barrier.to) == (at, *to));
        let beside = beside(at).into_iter().flatten().filter(|to| !shut(to));
        let next: Vec<Task> = across.into_iter().chain(beside).map(Task::Enter).collect();
        self.queue.extend(next);
    }

    /// Puts the hero on a square, whatever is there.
    fn stand_on(&mut self, at: Position) {
        self.gone.insert(at);
        if self.stood_on.insert(at) && self.reached.contains(at) {
            self.queue.push(Task::Spread(at));
        }
        self.queue.push(Task::Enter(at));
    }

    /// Where stairs and ladders lead from a square.
    fn across(&self, at: Position) -> Vec<Position> {
        let stairs = self.tower.stairs.iter().filter(|(from, to)| !self.leaves_out(*from, *to));
        let ends = stairs.flat_map(|(from, to)| [(*from, *to), (*to, *from)]);
        ends.filter(|(from, _)| *from == at).map(|(_, to)| to).collect()
    }

    fn leaves_out(&self, one: Position, other: Position) -> bool {
        let without = self.without.map(|ladder| (ladder.first, ladder.second));
        without == Some((one, other)) || without == Some((other, one))
    }

    /// What happens on a floor as such, whatever its condition.
    fn arrive(&mut self, floor: u16) {
        let first = self.floors.len() == 1;
        let tower = self.tower;
        for (index, event) in tower.events.iter().enumerate() {
            let anywhere = matches!(event.trigger, Trigger::When { anywhere: true, .. });
            if event.trigger.is_of_floor() && (event.at.floor == floor || (first && anywhere)) {
                self.carry_out(index, &event.script);
            }
        }
    }

    fn happen(&mut self, at: Position, when: impl Fn(&Trigger) -> bool) {
        let here: Vec<(usize, &Event)> = {
            let is_on = |event: &Event| !event.hidden || self.shown.contains(&at);
            self.events_at(at).filter(|(_, event)| is_on(event) && when(&event.trigger)).collect()
        };
        for (index, event) in here {
            self.carry_out(index, &event.script);
        }
    }

    fn carry_out(&mut self, index: usize, script: &Script) {
        if self.happened.insert(index) {
            self.run(script);
        }
    }

    /// All that a script may do.
    fn run(&mut self, script: &Script) {
        for instruction in all(script) {
            match instruction {
                Instruction::Open { at } | Instruction::Remove { at } | Instruction::Hide { at } => {
                    for at in at {
                        self.gone.insert(*at);
                    }
                }
                Instruction::Show { at } => at.iter().for_each(|at| self.show(*at)),
                Instruction::Put { tile, at } => at.iter().for_each(|at| self.put(*tile, *at)),
                Instruction::Move { from, to } => {
                    self.gone.insert(*from);
                    if let (Some(to), Some(tile)) = (to, self.tower.tile(*from)) {
                        self.put(tile, *to);
                    }
                }
                Instruction::Go { to } => self.stand_on(*to),
                Instruction::Set { target: Target::Variable(id), .. } => {
                    if let Some(found) = self.found.tools.get_mut(usize::from(*id)) {
                        *found = PLENTY;
                    }
                }
                Instruction::Set { target: Target::Hero(Quantity::Keys(colour)), .. } => {
                    self.found.keys[*colour] = PLENTY;
                }
                _ => {}
            }
        }
    }

    fn show(&mut self, at: Position) {
        if self.shown.insert(at) && self.is_hidden(at) && self.reached.contains(at) {
            self.queue.push(Task::Happen(at));
            self.queue.extend(self.tower.tile(at).map(Task::Take));
        }
    }

    fn put(&mut self, tile: Tile, at: Position) {
        self.put.entry(at).or_default().push(tile);
        if self.reached.contains(at) {
            self.queue.push(Task::Take(tile));
        }
    }

    /// Takes what lies there, if anything does.
    fn take(&mut self, tile: Tile) {
        match tile {
            Tile::Item(Item::Key(colour)) => {
                self.found.keys[colour] = self.found.keys[colour].saturating_add(1);
            }
            Tile::Item(Item::Thing(id)) => {
                let tower = self.tower;
                let Some(thing) = tower.things.get(usize::from(id)) else { return };
                for colour in Colour::ALL {
                    self.found.keys[colour] = self.found.keys[colour].saturating_add(thing.gain.keys[colour]);
                }
                for (tool, count) in &thing.tools {
                    if let Some(found) = self.found.tools.get_mut(usize::from(*tool)) {
                        *found = found.saturating_add(*count);
                    }
                }
                if self.used.insert(id) {
                    self.run(&thing.script);
                }
            }
            _ => {}
        }
    }
}
