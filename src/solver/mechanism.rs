//! What a tower may have of its own and still be searched exactly: events that only take HP and open gates, gates opened by
//! them or by tools, things without a script, an exit that can be walked to from the start. Knows tiles and scripts;
//! knows nothing of search.
//!
//! Each of these is an obstacle or an item as plain towers have them, with one thing added: an obstacle may *need* others.
//!
//! * *An event's tile* is an obstacle that takes a fixed number of HP, its toll, which may be 0. It happens once: its
//!   script takes its own tile away, and nothing puts a tile anywhere.
//! * *A gate by event* takes nothing and needs the one event that opens it. Nothing shuts it again, so whether it is
//!   opened from afar or when it is come to makes no difference: it counts as gone once its event has happened and it
//!   is in reach.
//! * *A gate by tools* takes nothing else and needs the one place of the thing that gives them. That gives at least as many
//!   as all gates together take, and nothing else reads or changes their number, so a gate that is come to after that
//!   place can always be opened, and never before.
//! * *A thing* gives what it gives, as an item does.
//! * *The exit* lies where the hero starts or can walk to from there at once. No way is ever shut and none leads in one
//!   direction only, so it can always be walked to, and who defeats the boss has won. What lies behind the boss is
//!   collected before the game ends; where items are actions it is not.
//!
//! So which obstacles are gone still decides what is open, what the hero has but for HP, and what can be done; needs only
//! take possibilities away, and never the longer the more. Every reduction, bound and value rests on no more than that.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::{
    CellIndex, Event, Expression, Game, Gate, Goal, Hero, Instruction, Item, Keys, Operator, Position, Quantity, Target,
    Thing, Tile, Tower, Trigger,
};

/// What a tower has of its own, by the numbers of tiles; nothing of a plain tower.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mechanisms {
    /// HP that each event's tile takes.
    pub tolls: BTreeMap<CellIndex, i64>,
    /// The gates that can be opened.
    pub gates: BTreeMap<CellIndex, Opening>,
    /// The gates that can never be opened: they are walls.
    pub shut: BTreeSet<CellIndex>,
    /// Whether what lies behind the boss is collected once he has fallen.
    pub goes_on_after_boss: bool,
}

/// How a gate is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The tiles of events that must have happened, or of things that must be held.
    pub needs: Vec<CellIndex>,
    /// Whether it opens by itself then.
    pub by_itself: bool,
}

/// HP beyond which a toll is refused, so that sums of tolls are far from the end of `i64`.
const HIGHEST_TOLL: i64 = 1 << 40;

impl Mechanisms {
    /// Reads a game.
    ///
    /// # Errors
    /// What there is, in words, that is more than this; it stands before "cannot be solved exactly".
    pub fn of(game: &Game) -> Result<Self, String> {
        let tower = game.tower();
        if tower.is_plain() {
            return Ok(Mechanisms::default());
        }
        refuse_what_is_of_the_whole(tower)?;
        let mut found = Mechanisms::default();
        let mut openers = BTreeMap::new();
        for event in &tower.events {
            found.read_event(game, event, &mut openers)?;
        }
        let tools = Tools::of(game)?;
        for cell in 0..game.graph().len() as CellIndex {
            if let Tile::Gate(id) = game.graph().tile(cell)
                && let Some(gate) = tower.gates.get(usize::from(id)).filter(|gate| !gate.takes_nothing())
            {
                found.read_gate(cell, gate, openers.get(&cell).copied(), &tools)
                    .map_err(|why| format!("{} at {}, which {why},", named(&gate.name), game.graph().position(cell)))?;
            }
        }
        if let Goal::Exit(exit) = tower.goal {
            let start = game.start().map_err(|error| error.to_string())?;
            if !game.graph().cell(exit).is_some_and(|cell| start.region.contains(cell)) {
                return Err(format!("the exit at {exit}, which cannot be walked to from the start at once,"));
            }
            found.goes_on_after_boss = game.items() == crate::game::ItemMode::Auto;
        }
        Ok(found)
    }

    /// Takes an event in: what it takes, and what it opens.
    fn read_event(
        &mut self,
        game: &Game,
        event: &Event,
        openers: &mut BTreeMap<CellIndex, CellIndex>,
    ) -> Result<(), String> {
        let refuse = |why: &str| Err(format!("the event at {}, which {why},", event.at));
        let Some(cell) = game.graph().cell(event.at) else { return refuse("lies outside the tower") };
        if event.trigger != Trigger::Step {
            return refuse("happens by something else than a step");
        }
        if event.hidden || !matches!(game.graph().tile(cell), Tile::Event | Tile::Figure) {
            return refuse("is not there from the start");
        }
        let (mut toll, mut ends): (i64, bool) = (0, false);
        for instruction in &event.script {
            match instruction {
                Instruction::Skip(_) => {}
                Instruction::Set { target: Target::Hero(Quantity::Hp), value } => {
                    match toll_of(value).and_then(|more| toll.checked_add(more)) {
                        Some(sum) if sum <= HIGHEST_TOLL => toll = sum,
                        _ => return refuse("does more to HP than take a fixed number"),
                    }
                }
                Instruction::Open { at } | Instruction::Remove { at } => {
                    for place in at {
                        let Some(there) = game.graph().cell(*place) else { return refuse("names no tile") };
                        if there == cell {
                            ends = true;
                        } else if !is_gate_by_event(game, there) {
                            return refuse(&format!("takes away what is at {place}"));
                        } else if openers.insert(there, cell).is_some_and(|other| other != cell) {
                            return refuse(&format!("opens the gate at {place}, as another does"));
                        }
                    }
                }
                _ => return refuse("does more than take HP and open gates"),
            }
        }
        if !ends {
            return refuse("can happen again");
        }
        self.tolls.insert(cell, toll);
        Ok(())
    }

    /// Takes a gate in that takes something or is opened by an event.
    fn read_gate(
        &mut self,
        cell: CellIndex,
        gate: &Gate,
        opener: Option<CellIndex>,
        tools: &Tools,
    ) -> Result<(), &'static str> {
        if gate.by_event {
            match opener {
                Some(opener) => _ = self.gates.insert(cell, Opening { needs: vec![opener], by_itself: true }),
                None => _ = self.shut.insert(cell),
            }
            return Ok(());
        }
        if gate.keys != Keys::default() {
            return Err("takes keys of its own");
        }
        let mut needs = Vec::new();
        for (id, _) in gate.tools.iter().filter(|(_, count)| *count > 0) {
            match tools.source_of(*id)? {
                Source::Held => {}
                Source::Thing(cell) => needs.push(cell),
                Source::Nowhere => {
                    self.shut.insert(cell);
                    return Ok(());
                }
            }
        }
        self.gates.insert(cell, Opening { needs, by_itself: false });
        Ok(())
    }
}

/// Refuses what concerns no single tile, and things that are more than items.
fn refuse_what_is_of_the_whole(tower: &Tower) -> Result<(), String> {
    let refused = [
        (!tower.passages.is_empty() || !tower.barriers.is_empty(), "one-way passages or sides that cannot be crossed"),
        (!tower.hero.marks.is_none() || tower.rules.hatred != 0, "marks of the hero"),
        (tower.monsters.iter().any(|monster| monster.abilities.leave_marks()), "monsters that leave marks"),
        (tower.goal == Goal::Event, "a goal that only an event reaches"),
        (!tower.tile(tower.start).is_some_and(Tile::is_open), "a start on an event's tile"),
    ];
    if let Some((_, what)) = refused.iter().find(|(there, _)| *there) {
        return Err((*what).to_owned());
    }
    let sells = tower.tiles().any(|(_, tile)| tile == Tile::Shop);
    for (at, tile) in tower.tiles() {
        if let Tile::Item(Item::Thing(id)) = tile
            && let Some(thing) = tower.things.get(usize::from(id))
            && let Some(why) = more_than_an_item(thing, sells)
        {
            return Err(format!("{} at {at}, which {why},", named(&thing.name)));
        }
    }
    Ok(())
}

/// Why a thing is more than an item; none if it is not.
fn more_than_an_item(thing: &Thing, sells: bool) -> Option<&'static str> {
    let Hero { hp, atk, def, mdef, gold, experience, keys, marks } = thing.gain;
    let Keys { yellow, blue, red, green } = keys;
    let quantities = [hp, atk, def, mdef, gold, experience, yellow, blue, red, green];
    let counts = thing.tools.iter().map(|(_, count)| *count);
    if !thing.script.is_empty() {
        return Some("has a script");
    }
    if quantities.into_iter().chain(counts).any(|quantity| quantity < 0) {
        return Some("takes something");
    }
    if !marks.is_none() {
        return Some("marks the hero");
    }
    (gold > 0 && sells).then_some("gives gold")
}

/// HP that a script's `hp - N` takes, with N whole and at least 0.
fn toll_of(value: &Expression) -> Option<i64> {
    let Expression::Operation(left, Operator::Minus, right) = value else { return None };
    match (left.as_ref(), right.as_ref()) {
        (Expression::Hero(Quantity::Hp), Expression::Number(number)) if number.denominator() == 1 => {
            number.floor().filter(|toll| *toll >= 0)
        }
        _ => None,
    }
}

fn is_gate_by_event(game: &Game, cell: CellIndex) -> bool {
    match game.graph().tile(cell) {
        Tile::Gate(id) => game.tower().gates.get(usize::from(id)).is_some_and(|gate| gate.by_event),
        _ => false,
    }
}

fn named(name: &str) -> String {
    if name.is_empty() { "something of its own".to_owned() } else { format!("`{name}`") }
}

/// Which tools there are, where they lie and how many all gates take.
struct Tools {
    starts: Vec<i64>,
    /// Places of things that give some of each, and how many.
    places: Vec<Vec<(CellIndex, i64)>>,
    /// Taken by all gates together.
    taken: Vec<i64>,
}

/// Where a tool comes from.
enum Source {
    Held,
    Thing(CellIndex),
    Nowhere,
}

impl Tools {
    fn of(game: &Game) -> Result<Self, String> {
        let tower: &Tower = game.tower();
        let mut tools = Tools {
            starts: tower.variables.iter().map(|variable| variable.start).collect(),
            places: vec![Vec::new(); tower.variables.len()],
            taken: vec![0; tower.variables.len()],
        };
        for (at, tile) in tower.tiles() {
            let Some(cell) = game.graph().cell(at) else { continue };
            match tile {
                Tile::Item(Item::Thing(id)) => {
                    let of_thing = tower.things.get(usize::from(id)).map_or(&[][..], |thing| &thing.tools);
                    for (id, count) in of_thing.iter().filter(|(_, count)| *count > 0) {
                        tools.places[usize::from(*id)].push((cell, *count));
                    }
                }
                Tile::Gate(id) => {
                    let gate = tower.gates.get(usize::from(id)).filter(|gate| !gate.by_event);
                    for (id, count) in gate.map_or(&[][..], |gate| &gate.tools) {
                        let taken = &mut tools.taken[usize::from(*id)];
                        *taken = taken.checked_add(*count).ok_or_else(|| too_many(at))?;
                    }
                }
                _ => {}
            }
        }
        Ok(tools)
    }

    /// Where a tool comes from that a gate takes, if that leaves nothing to decide.
    fn source_of(&self, id: u16) -> Result<Source, &'static str> {
        let index = usize::from(id);
        let (start, taken) = (self.starts[index], self.taken[index]);
        match self.places[index].as_slice() {
            _ if start >= taken => Ok(Source::Held),
            [] if start <= 0 => Ok(Source::Nowhere),
            [(cell, count)] if start == 0 && *count >= taken => Ok(Source::Thing(*cell)),
            [(_, count)] if start == 0 && *count < taken => Err("takes tools of which there are too few for all gates"),
            [_, _, ..] => Err("takes tools that lie in several places"),
            _ => Err("takes tools of which the hero has some from the start"),
        }
    }
}

fn too_many(at: Position) -> String {
    format!("the gate at {at}, which takes more tools than can be counted,")
}
