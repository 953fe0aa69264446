//! Instructions of the engine's events, as instructions of the game. Counts what changes the game's state and how much of
//! it is modelled; see [`Tally`].

mod blocks;
mod flow;
mod function;
mod insert;
mod leaf;
mod moves;
mod set;
mod show;
mod words;

pub(super) use show::acts;
pub(super) use words::short;

use super::build::{Builder, Why};
use super::calc::Scene;
use super::literal::{Kind, Value};
use crate::game::{Instruction, Position, Script};

/// How deep events may insert one another.
const DEEPEST: usize = 12;
/// Instructions that one event may have, inserted ones included.
const LONGEST: usize = 20_000;
/// Pieces of text that are kept for the words of an event.
const MOST_WORDS: usize = 12;

/// What an event amounts to.
///
/// An instruction *changes the state* if it sets a quantity, flag, item or monster, puts, removes, shows, hides or moves
/// a block, opens or closes a door, moves the hero, fights, wins, loses, ends the event, asks for something, opens a shop
/// or runs code; text, sound, pictures and the like do not. What `if`, `switch`, `while` and choices hold is counted by
/// itself, and what an event inserts is counted each time. An instruction whose condition is not understood is not
/// modelled.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Instructions that change the state.
    pub changes: usize,
    /// Those that are modelled.
    pub modelled: usize,
    /// Calls of the project's own code alone, of which no file that is read says what they do; not among the changes.
    pub unknown: usize,
    /// Why the others are not, each reason once.
    pub reasons: Vec<String>,
    /// What it does, in pieces.
    pub words: Vec<String>,
    /// Kinds of instructions that only show something.
    pub shows: Vec<String>,
}

/// An event being translated.
pub(super) struct Pen<'b, 'p> {
    pub build: &'b mut Builder<'p>,
    pub scene: Scene,
    pub tally: Tally,
    /// Loops around the place that is read.
    loops: usize,
    /// Events that insert the one that is read, by name or tile.
    inserting: Vec<String>,
    /// Loops around the place that is read, as the event knows them that repeats itself by inserting itself.
    repeats: Vec<String>,
    /// Instructions read.
    read: usize,
    /// Whether leaving a loop that is none ends the event.
    ends: bool,
}

impl<'b, 'p> Pen<'b, 'p> {
    pub fn new(build: &'b mut Builder<'p>, scene: Scene) -> Self {
        Pen {
            build,
            scene,
            tally: Tally::default(),
            loops: 0,
            inserting: Vec::new(),
            repeats: Vec::new(),
            read: 0,
            ends: false,
        }
    }

    /// The same, for an event in which a `break` outside a loop ends it.
    pub fn that_ends(mut self) -> Self {
        self.ends = true;
        self
    }

    /// A list of instructions, or a single one.
    pub fn list(&mut self, value: &Value) -> Script {
        let single = std::slice::from_ref(value);
        let items = match &value.kind {
            Kind::List(items) => items.as_slice(),
            Kind::Text(_) | Kind::Object(_) => single,
            _ => &[],
        };
        let mut script = Script::new();
        for item in items {
            if ends(&script) {
                break;
            }
            self.instruction(item, &mut script);
        }
        script
    }

    fn instruction(&mut self, raw: &Value, script: &mut Script) {
        let Some(kind) = raw.text_of("type") else {
            if raw.text().is_some() {
                self.show("text");
            }
            return;
        };
        if raw.is_true("_disabled") {
            return;
        }
        self.read += 1;
        if self.read > LONGEST {
            return self.record(raw, Err("the event is too long".into()), script);
        }
        match kind {
            "if" => self.conditional(raw, script),
            "switch" => self.switch(raw, script),
            "while" => self.repeat(raw, script),
            "dowhile" => self.do_while(raw, script),
            "for" => self.count(raw, script),
            "forEach" => self.for_each(raw, script),
            "choices" => self.choose(raw, script),
            "confirm" => self.confirm(raw, script),
            "break" | "continue" => self.leave_loop(kind, raw, script),
            "insert" | "trigger" => self.insert(kind, raw, script),
            "openShop" => self.open_shop(raw, script),
            "function" => self.function(raw, script),
            _ if show::only_shows(raw) => self.show(kind),
            _ => {
                let done = self.leaf(kind, raw);
                self.record(raw, done, script);
            }
        }
    }

    /// Counts an instruction that changes the state, and writes down what became of it.
    fn record(&mut self, raw: &Value, done: Result<Script, Why>, script: &mut Script) {
        self.tally.changes += 1;
        self.word(words::of(raw));
        match done {
            Ok(done) => {
                self.tally.modelled += 1;
                script.extend(done);
            }
            Err(why) => {
                let why = format!("{}: {why}", raw.text_of("type").unwrap_or("text"));
                self.reason(&why);
                script.push(Instruction::Skip(why));
            }
        }
    }

    /// Counts all that changes the state in something that is not understood.
    fn refuse(&mut self, raw: &Value, why: &str, script: &mut Script) {
        let changes = show::changes(raw);
        if changes == 0 {
            return self.show("text");
        }
        self.tally.changes += changes;
        let why = format!("{}: {why}", raw.text_of("type").unwrap_or("text"));
        self.word(words::of(raw));
        self.reason(&why);
        script.push(Instruction::Skip(why));
    }

    fn reason(&mut self, why: &str) {
        if !self.tally.reasons.iter().any(|known| known == why) {
            self.tally.reasons.push(why.to_owned());
        }
    }

    fn word(&mut self, word: String) {
        if self.tally.words.len() <= MOST_WORDS && self.tally.words.last() != Some(&word) {
            self.tally.words.push(word);
        }
    }

    fn show(&mut self, kind: &str) {
        if !self.tally.shows.iter().any(|known| known == kind) {
            self.tally.shows.push(kind.to_owned());
        }
    }

    /// The floor that an instruction names, or the one on which the hero is.
    fn floor(&self, raw: &Value) -> Result<u16, Why> {
        self.build.floor_named(raw.text_of("floorId").unwrap_or(""), self.scene.current)
    }

    /// The tiles that an instruction names, or the event's own.
    fn places(&mut self, raw: &Value, key: &str) -> Result<Vec<Position>, Why> {
        let floor = self.floor(raw)?;
        let Some(loc) = raw.get(key) else { return Ok(vec![self.own(floor)?]) };
        let items = loc.items();
        if items.is_empty() {
            return Err(format!("`{key}` is no tile"));
        }
        if !items.iter().any(|item| matches!(item.kind, Kind::List(_))) {
            return Ok(vec![self.pair(items, floor)?]);
        }
        items.iter().map(|item| self.pair(item.items(), floor)).collect()
    }

    /// The one tile that an instruction names, or the event's own.
    fn place(&mut self, raw: &Value, key: &str) -> Result<Position, Why> {
        match self.places(raw, key)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(format!("`{key}` names several tiles")),
        }
    }

    /// The event's own tile.
    fn own(&self, floor: u16) -> Result<Position, Why> {
        let (x, y) = self.scene.at.ok_or("it names no tile, and the event has none of its own")?;
        self.build.tile_at(floor, x.into(), y.into())
    }

    fn pair(&mut self, pair: &[Value], floor: u16) -> Result<Position, Why> {
        let [x, y] = pair else { return Err("a tile is not two numbers".into()) };
        let (x, y) = (self.whole(x)?, self.whole(y)?);
        self.build.tile_at(floor, x, y)
    }

    /// A value that is a whole number known beforehand.
    fn whole(&mut self, value: &Value) -> Result<i64, Why> {
        match &value.kind {
            Kind::Number(_) => value.whole().ok_or_else(|| "a number is too large".into()),
            Kind::Text(text) => {
                let code = super::code::expression(text).map_err(|error| error.to_string())?;
                self.build.whole(&code, &self.scene)
            }
            _ => Err(format!("{value} is no number")),
        }
    }
}

/// Whether what follows a script is never reached.
pub(super) fn ends(script: &[Instruction]) -> bool {
    match script.last() {
        Some(Instruction::Stop | Instruction::Break | Instruction::Continue | Instruction::Win | Instruction::Lose) => {
            true
        }
        Some(Instruction::If { then, otherwise, .. }) => ends(then) && ends(otherwise),
        _ => false,
    }
}
