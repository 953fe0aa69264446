//! Scripts made ready to be run: one list of operations with jumps, in which a place to go on from is a number. Knows
//! the tiles by number; `play` carries the operations out.

use super::cells::CellIndex;
use super::expression::{Attribute, Expression};
use super::position::Position;
use super::region::TileGraph;
use super::script::{Instruction, Script, Target};
use super::tile::Tile;
use super::tower::{MonsterId, Tower};

/// Index of a question that an event asks, in the order of the tower's events and things.
pub type ChoiceId = u32;

/// One operation.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Set(Target, Expression),
    Put(Tile, Vec<CellIndex>),
    Remove(Vec<CellIndex>),
    Open(Vec<CellIndex>),
    Hide(Vec<CellIndex>),
    Show(Vec<CellIndex>),
    Move(CellIndex, Option<CellIndex>),
    Alter(MonsterId, Attribute, Expression),
    Fight(MonsterId, Option<CellIndex>),
    Go(CellIndex),
    Jump(u32),
    /// Goes elsewhere unless something is true.
    Unless(Expression, u32),
    Ask(ChoiceId),
    Win,
    Lose,
    Stop,
}

/// A question with its answers.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// What can be answered.
    pub answers: Vec<Answer>,
    /// Where the script goes on if nothing can be answered.
    pub(super) otherwise: u32,
}

/// An answer of a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// In words.
    pub text: String,
    /// When it can be given; always if none.
    pub condition: Option<Expression>,
    pub(super) then: u32,
}

/// All scripts of a tower.
#[derive(Clone, Debug, Default)]
pub struct Program {
    operations: Vec<Operation>,
    questions: Vec<Question>,
    of_events: Vec<u32>,
    of_things: Vec<Option<u32>>,
}

impl Program {
    /// The scripts of a tower, whose places all exist.
    pub fn new(tower: &Tower, graph: &TileGraph) -> Self {
        let mut program = Program::default();
        for event in &tower.events {
            let from = program.script(&event.script, graph);
            program.of_events.push(from);
        }
        for thing in &tower.things {
            let from = (!thing.script.is_empty()).then(|| program.script(&thing.script, graph));
            program.of_things.push(from);
        }
        program
    }

    /// The questions, by number.
    pub fn question(&self, choice: ChoiceId) -> Option<&Question> {
        self.questions.get(choice as usize)
    }

    pub(super) fn operation(&self, at: u32) -> &Operation {
        self.operations.get(at as usize).unwrap_or(&Operation::Stop)
    }

    pub(super) fn of_event(&self, event: usize) -> u32 {
        self.of_events.get(event).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn of_thing(&self, thing: usize) -> Option<u32> {
        self.of_things.get(thing).copied().flatten()
    }

    fn script(&mut self, script: &Script, graph: &TileGraph) -> u32 {
        let from = self.here();
        Compiler { program: self, graph, loops: Vec::new() }.all(script);
        self.operations.push(Operation::Stop);
        from
    }

    fn here(&self) -> u32 {
        self.operations.len() as u32
    }
}

/// A loop that is being compiled: where it starts, and the jumps out of it that do not know yet where to.
struct Loop {
    start: u32,
    exits: Vec<usize>,
}

struct Compiler<'p> {
    program: &'p mut Program,
    graph: &'p TileGraph,
    loops: Vec<Loop>,
}

impl Compiler<'_> {
    fn all(&mut self, script: &Script) {
        for instruction in script {
            self.one(instruction);
        }
    }

    fn one(&mut self, instruction: &Instruction) {
        let operation = match instruction {
            Instruction::Set { target, value } => Operation::Set(*target, value.clone()),
            Instruction::Put { tile, at } => Operation::Put(*tile, self.cells(at)),
            Instruction::Remove { at } => Operation::Remove(self.cells(at)),
            Instruction::Open { at } => Operation::Open(self.cells(at)),
            Instruction::Hide { at } => Operation::Hide(self.cells(at)),
            Instruction::Show { at } => Operation::Show(self.cells(at)),
            Instruction::Move { from, to } => match self.graph.cell(*from) {
                Some(from) => Operation::Move(from, to.and_then(|to| self.graph.cell(to))),
                None => return,
            },
            Instruction::Alter { monster, what, value } => Operation::Alter(*monster, *what, value.clone()),
            Instruction::Fight { monster, at } => Operation::Fight(*monster, at.and_then(|at| self.graph.cell(at))),
            Instruction::Go { to } => match self.graph.cell(*to) {
                Some(to) => Operation::Go(to),
                None => return,
            },
            Instruction::If { condition, then, otherwise } => return self.either(condition, then, otherwise),
            Instruction::While { condition, body } => return self.while_true(condition, body),
            Instruction::Break => return self.leave_loop(),
            Instruction::Continue => match self.loops.last() {
                Some(inner) => Operation::Jump(inner.start),
                None => Operation::Stop,
            },
            Instruction::Stop => Operation::Stop,
            Instruction::Choose { .. } => return self.ask(instruction),
            Instruction::Win => Operation::Win,
            Instruction::Lose => Operation::Lose,
            Instruction::Skip(_) => return,
        };
        self.program.operations.push(operation);
    }

    fn cells(&self, at: &[Position]) -> Vec<CellIndex> {
        at.iter().filter_map(|at| self.graph.cell(*at)).collect()
    }

    fn either(&mut self, condition: &Expression, then: &Script, otherwise: &Script) {
        let branch = self.push(Operation::Unless(condition.clone(), 0));
        self.all(then);
        let skip = (!otherwise.is_empty()).then(|| self.push(Operation::Jump(0)));
        self.land(branch);
        self.all(otherwise);
        if let Some(skip) = skip {
            self.land(skip);
        }
    }

    fn while_true(&mut self, condition: &Expression, body: &Script) {
        let start = self.program.here();
        let branch = self.push(Operation::Unless(condition.clone(), 0));
        self.loops.push(Loop { start, exits: vec![branch] });
        self.all(body);
        self.program.operations.push(Operation::Jump(start));
        for exit in self.loops.pop().map(|inner| inner.exits).unwrap_or_default() {
            self.land(exit);
        }
    }

    fn leave_loop(&mut self) {
        if self.loops.is_empty() {
            self.program.operations.push(Operation::Stop);
            return;
        }
        let jump = self.push(Operation::Jump(0));
        if let Some(inner) = self.loops.last_mut() {
            inner.exits.push(jump);
        }
    }

    fn ask(&mut self, instruction: &Instruction) {
        let Instruction::Choose { text, options } = instruction else { return };
        let choice = self.program.questions.len();
        self.program.questions.push(Question { text: text.clone(), answers: Vec::new(), otherwise: 0 });
        self.program.operations.push(Operation::Ask(choice as ChoiceId));
        let mut answers = Vec::with_capacity(options.len());
        let mut ends = Vec::with_capacity(options.len());
        for option in options {
            let then = self.program.here();
            answers.push(Answer { text: option.text.clone(), condition: option.condition.clone(), then });
            self.all(&option.script);
            ends.push(self.push(Operation::Jump(0)));
        }
        for end in ends {
            self.land(end);
        }
        let otherwise = self.program.here();
        if let Some(question) = self.program.questions.get_mut(choice) {
            question.answers = answers;
            question.otherwise = otherwise;
        }
    }

    /// Adds an operation; says where it stands.
    fn push(&mut self, operation: Operation) -> usize {
        self.program.operations.push(operation);
        self.program.operations.len() - 1
    }

    /// Makes a jump lead here.
    fn land(&mut self, jump: usize) {
        let here = self.program.here();
        if let Some(Operation::Jump(to) | Operation::Unless(_, to)) = self.program.operations.get_mut(jump) {
            *to = here;
        }
    }
}
