//! The events of all floors, in order: translated, counted, and noted for the table.

use super::block::Block;
use super::build::Builder;
use super::calc::Scene;
use super::cell::Role;
use super::instruct::{Pen, Tally};
use super::kinds::clean;
use super::literal::{Kind, Value};
use super::report::{EventNote, Modelled};
use crate::game::{Event, Instruction, Position, Script, Tile, Trigger, script};

/// The events of a tower and what is said of them.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub events: Vec<Event>,
    pub notes: Vec<EventNote>,
    /// Tiles whose event does nothing that is modelled: they become what stands there without an event.
    pub idle: Vec<(Position, Tile)>,
}

impl<'p> Builder<'p> {
    /// All events.
    pub fn events(&mut self) -> Events {
        let mut made = Events::default();
        self.find_arrivals();
        self.beginning(&mut made);
        self.level_events(&mut made);
        for index in 0..self.floors.len() {
            let Ok(floor) = u16::try_from(index) else { break };
            self.of_tiles(floor, &mut made);
            self.of_floor(floor, &mut made);
        }
        made
    }

    /// What happens before the first move: the difficulty's own, then the start's.
    fn beginning(&mut self, made: &mut Events) {
        let Ok(start) = self.start() else { return };
        let difficulty = self.played().ok().flatten().and_then(|(_, value)| value.get("action"));
        let text = self.project.data.get("firstData").and_then(|first| first.get("startText"));
        for (name, value) in [("difficulty", difficulty), ("start", text)] {
            if let Some(value) = value.filter(|value| !value.items().is_empty()) {
                let scene = Scene {
                    home: start.floor,
                    at: None,
                    current: Some(start.floor),
                    hero: Some(start),
                    fold_flags: false,
                };
                let at = Position::new(start.floor, 0, 0);
                self.event(made, scene, &[value], at, (Trigger::FirstArrival, name, String::new()));
            }
        }
    }

    fn of_tiles(&mut self, floor: u16, made: &mut Events) {
        let rows = self.floors.get(usize::from(floor)).map_or(&[][..], |floor| floor.rows);
        for (y, row) in (0_u16..).zip(rows) {
            for (x, number) in (0_u16..).zip(row) {
                self.of_tile(Position::new(floor, x, y), *number, made);
            }
        }
        self.outside(floor, made);
    }

    fn of_tile(&mut self, at: Position, number: u32, made: &mut Events) {
        let block = self.blocks.get(number);
        let hidden = self.cell(at).is_some_and(|cell| cell.hidden);
        let step = made.events.len();
        self.starts(at, &block, made);
        self.starts_later(at, made);
        if hidden {
            match made
                .events
                .get_mut(step..)
                .and_then(|new| new.iter_mut().find(|event| event.trigger == Trigger::Step))
            {
                Some(event) => event.hidden = true,
                None => made.events.push(Event {
                    at,
                    trigger: Trigger::Step,
                    title: String::new(),
                    hidden: true,
                    script: Script::new(),
                }),
            }
        }
        self.of_deeds(at, &block, made);
    }

    /// What follows a fight, an item and an opened door on a tile.
    fn of_deeds(&mut self, at: Position, block: &Block, made: &mut Events) {
        let (monster, door) = (self.only_monster(at), self.only_door(at));
        let monster = monster.as_ref().unwrap_or(block);
        let enemy = self.project.enemies.get(&monster.id).filter(|_| monster.is_enemy());
        let after_fight = enemy.and_then(|enemy| enemy.get("afterBattle"));
        let after_opening = door.as_ref().unwrap_or(block).after_opening.clone();
        for (name, trigger, of_kind) in [
            ("afterBattle", Trigger::AfterFight, after_fight),
            ("afterGetItem", Trigger::AfterCollect, None),
            ("afterOpenDoor", Trigger::AfterOpen, None),
        ] {
            let floor = self.floors.get(usize::from(at.floor)).and_then(|floor| floor.value.get(name));
            let here = floor.and_then(|all| all.get(&format!("{},{}", at.x, at.y)));
            let mut all: Vec<&Value> = here.into_iter().chain(of_kind).collect();
            if trigger == Trigger::AfterOpen {
                all.extend(&after_opening);
            }
            if all.iter().all(|value| is_empty(value)) {
                continue;
            }
            let scene = Scene {
                home: at.floor,
                at: Some((at.x, at.y)),
                current: Some(at.floor),
                hero: if trigger == Trigger::AfterCollect { Some(at) } else { self.beside(at) },
                fold_flags: false,
            };
            self.event(made, scene, &all, at, (trigger, name, String::new()));
        }
    }

    fn of_floor(&mut self, floor: u16, made: &mut Events) {
        let Some(value) = self.floors.get(usize::from(floor)).map(|plan| plan.value) else { return };
        let at = Position::new(floor, 0, 0);
        for (name, trigger) in [("firstArrive", Trigger::FirstArrival), ("eachArrive", Trigger::Arrival)] {
            if let Some(list) = value.get(name).filter(|list| !is_empty(list)) {
                let hero = self.arrival(floor);
                let scene = Scene { home: floor, at: None, current: Some(floor), hero, fold_flags: false };
                self.event(made, scene, &[list], at, (trigger, name, String::new()));
            }
        }
        let mut automatic: Vec<(i64, (u16, u16), &'p Value)> = Vec::new();
        for ((x, y), all) in super::build::by_tile(value.get("autoEvent")) {
            let single = all.get("condition").map(|_| all);
            let several = all.members().iter().map(|(_, event)| event).chain(all.items());
            for event in several.filter(|_| single.is_none()).chain(single) {
                if event.get("data").is_some_and(|data| !is_empty(data)) {
                    automatic.push((event.whole_of(&["priority"]).unwrap_or(0), (x, y), event));
                }
            }
        }
        automatic.sort_by_key(|(priority, ..)| std::cmp::Reverse(*priority));
        for (_, own, event) in automatic {
            self.automatic(floor, own, event, made);
        }
        if value.get("parallelDo").is_some_and(Value::counts_as_true) {
            let place = self.place_name(at);
            self.note("parallelDo", "code run all the time", "code is not run", || place);
        }
    }

    fn automatic(&mut self, floor: u16, own: (u16, u16), event: &'p Value, made: &mut Events) {
        let here = event.is_true("currentFloor");
        let mut scene =
            Scene { home: floor, at: Some(own), current: here.then_some(floor), hero: None, fold_flags: false };
        let condition = {
            let mut pen = Pen::new(self, Scene { current: Some(floor), ..scene.clone() });
            pen.condition(event.get("condition"))
        };
        let data: Vec<&Value> = event.get("data").into_iter().collect();
        let at = Position::new(floor, 0, 0);
        // Most of them say on which floor they act; where they do not, it is taken to be their own.
        scene.current = Some(floor);
        match condition {
            Ok(condition) if !condition.is_too_deep() => {
                let trigger = Trigger::When { condition, once: !event.is_true("multiExecute"), anywhere: !here };
                self.event(made, scene, &data, at, (trigger, "autoEvent", String::new()));
            }
            unknown => {
                let why = unknown.err().unwrap_or_else(|| "it is nested too deep".into());
                let mut tally = self.read(scene, &data, true).1;
                tally.modelled = 0;
                tally.reasons.insert(0, format!("its condition: {why}"));
                made.notes.push(self.told(floor, Some(own), "autoEvent", tally));
            }
        }
    }

    /// Translates an event, notes it, and keeps it if it does something.
    pub(super) fn event(
        &mut self,
        made: &mut Events,
        scene: Scene,
        data: &[&Value],
        at: Position,
        (trigger, name, title): (Trigger, &str, String),
    ) {
        let own = scene.at;
        let (script, tally) = self.read(scene, data, matches!(trigger, Trigger::When { .. }));
        made.notes.push(self.told(at.floor, own, name, tally));
        if does_something(&script) {
            made.events.push(Event { at, trigger, title, hidden: false, script });
        }
    }

    pub(super) fn read(&mut self, scene: Scene, data: &[&Value], is_automatic: bool) -> (Script, Tally) {
        let mut pen = Pen::new(self, scene);
        if is_automatic {
            pen = pen.that_ends();
        }
        let mut script = Script::new();
        for value in data {
            script.extend(pen.list(value));
        }
        let mut tally = pen.tally;
        if let Some(why) = unmodelled(&script) {
            tally.modelled = 0;
            tally.reasons.insert(0, why);
            script = Script::new();
        }
        (script, tally)
    }

    /// An event that never runs, because something else happens on its tile, or that has no tile.
    pub(super) fn unused(&mut self, made: &mut Events, at: Position, data: &Value, role: Role) {
        let scene =
            Scene { home: at.floor, at: Some((at.x, at.y)), current: Some(at.floor), hero: None, fold_flags: false };
        let mut tally = self.read(scene, &[data], false).1;
        if tally.changes > 0 || tally.unknown > 0 {
            // The engine does not run it either: it counts neither way.
            (tally.changes, tally.modelled, tally.unknown) = (0, 0, 0);
            let what = match role {
                Role::Monster => "a monster is fought",
                Role::Item => "an item is collected",
                Role::Door => "a door is opened",
                Role::Way { .. } => "a way leads elsewhere",
                _ => "nothing is set off",
            };
            tally.reasons = vec![format!("the engine does not run it: {what} there")];
        }
        made.notes.push(self.told(at.floor, Some((at.x, at.y)), "events", tally));
    }

    /// Events of tiles that lie outside their floor.
    fn outside(&mut self, floor: u16, made: &mut Events) {
        let Some(plan) = self.floors.get(usize::from(floor)) else { return };
        let beyond: Vec<(u16, u16)> = plan
            .cells
            .keys()
            .copied()
            .filter(|(x, y)| self.number_at(Position::new(floor, *x, *y)).is_none())
            .collect();
        for (x, y) in beyond {
            let tally = Tally { reasons: vec!["its tile lies outside the floor".into()], ..Tally::default() };
            made.notes.push(self.told(floor, Some((x, y)), "events", tally));
        }
    }

    /// What the table says of an event.
    pub(super) fn told(&self, floor: u16, at: Option<(u16, u16)>, trigger: &str, tally: Tally) -> EventNote {
        let modelled = match (tally.changes, tally.modelled) {
            (0, _) if tally.unknown == 0 => Modelled::Show,
            (all, modelled) if all == modelled && tally.unknown == 0 => Modelled::Yes,
            (_, 0) => Modelled::No,
            _ => Modelled::Partly,
        };
        let words =
            if tally.changes == 0 && tally.unknown == 0 { tally.shows.join(", ") } else { tally.words.join("; ") };
        EventNote {
            floor: self.floors.get(usize::from(floor)).map_or("", |floor| floor.id).to_owned(),
            x: at.map(|at| at.0),
            y: at.map(|at| at.1),
            trigger: trigger.to_owned(),
            what: super::instruct::short(&words, 240),
            changes: tally.changes,
            changes_modelled: tally.modelled,
            unknown: tally.unknown,
            modelled,
            why: super::instruct::short(&tally.reasons.join("; "), 400),
        }
    }

    /// What people call what stands on a tile.
    pub(super) fn name_of(&self, block: &Block) -> String {
        let project = self.project;
        let named = match block.class.as_str() {
            "items" => project.items.get(&block.id).map(|item| item.name.as_str()),
            _ => project.enemies.get(&block.id).filter(|_| block.is_enemy()).and_then(|enemy| enemy.text_of("name")),
        };
        match named {
            Some(name) => clean(name),
            None if block.id == "none" => String::new(),
            None => block.id.clone(),
        }
    }
}

/// Whether something holds nothing.
pub(super) fn is_empty(value: &Value) -> bool {
    match &value.kind {
        Kind::List(items) => items.is_empty(),
        Kind::Null => true,
        Kind::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Why the game cannot hold a script as a whole, if so.
pub(super) fn unmodelled(script: &Script) -> Option<String> {
    if script::is_too_deep(script) {
        return Some("its instructions are nested too deep".into());
    }
    script::all(script).into_iter().find_map(|instruction| match instruction {
        Instruction::Choose { options, .. } if options.len() > usize::from(u16::MAX) => {
            Some("it asks with more than 65,535 answers".into())
        }
        other if other.expressions().iter().any(|expression| expression.is_too_deep()) => {
            Some("it calculates with an expression that is nested too deep".into())
        }
        _ => None,
    })
}

/// Whether something in a script does something: all but what is skipped, and what holds nothing else.
fn does_something(script: &Script) -> bool {
    script::all(script).iter().any(|instruction| {
        !matches!(
            instruction,
            Instruction::Skip(_)
                | Instruction::If { .. }
                | Instruction::While { .. }
                | Instruction::Choose { .. }
                | Instruction::Break
                | Instruction::Continue
                | Instruction::Stop
        )
    })
}
