//! What an event does, instruction by instruction: the syntax alone. `program` makes it ready to be run, `play` runs
//! it.

use super::expression::{Attribute, Expression, Quantity};
use super::position::Position;
use super::tile::Tile;
use super::tower::{MonsterId, VariableId};

/// Instructions, carried out in order.
pub type Script = Vec<Instruction>;

/// Levels of scripts within each other, at most, the outermost the first. A choice counts twice; an `if` that is all that
/// is done otherwise does not count, so that one of many cases can be chosen.
pub const MOST_LEVELS: usize = 32;

/// Instructions within each other, at most, however they count as levels.
pub const MOST_DEEP: usize = 200;

/// One step of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// Sets something to a number, rounded down.
    Set {
        /// What.
        target: Target,
        /// To what.
        value: Expression,
    },
    /// Puts a tile in the place of whatever is there; an event there stays.
    Put {
        /// The tile.
        tile: Tile,
        /// Where.
        at: Vec<Position>,
    },
    /// Takes away what is there, for good, with its event.
    Remove {
        /// Where.
        at: Vec<Position>,
    },
    /// Opens doors without keys; what follows their opening follows. Anything else there is taken away.
    Open {
        /// Where.
        at: Vec<Position>,
    },
    /// Switches off what is there, with its event: open floor until it is shown.
    Hide {
        /// Where.
        at: Vec<Position>,
    },
    /// Switches on what is there.
    Show {
        /// Where.
        at: Vec<Position>,
    },
    /// Moves what is there to another place, or away.
    Move {
        /// Whence.
        from: Position,
        /// Where to; away if none.
        to: Option<Position>,
    },
    /// Sets a number of the monster table, rounded down.
    Alter {
        /// Whose.
        monster: MonsterId,
        /// Which.
        what: Attribute,
        /// To what.
        value: Expression,
    },
    /// A fight that cannot be declined; one that cannot be won is lost.
    Fight {
        /// With whom.
        monster: MonsterId,
        /// Where it stands; it is gone afterwards.
        at: Option<Position>,
    },
    /// Puts the hero somewhere else.
    Go {
        /// Where to.
        to: Position,
    },
    /// Does one thing or another.
    If {
        /// What decides.
        condition: Expression,
        /// If it is true.
        then: Script,
        /// If not.
        otherwise: Script,
    },
    /// Does something for as long as something is true.
    While {
        /// What decides.
        condition: Expression,
        /// What is done.
        body: Script,
    },
    /// Leaves the innermost loop.
    Break,
    /// Goes back to the start of the innermost loop.
    Continue,
    /// Ends the event.
    Stop,
    /// Lets the player choose.
    Choose {
        /// What is asked.
        text: String,
        /// What can be answered.
        options: Vec<Choice>,
    },
    /// The game is won.
    Win,
    /// The hero dies.
    Lose,
    /// Something that is not modelled, in words; nothing happens.
    Skip(String),
}

/// One answer of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// In words.
    pub text: String,
    /// When it can be given; always if none.
    pub condition: Option<Expression>,
    /// What follows.
    pub script: Script,
}

/// Something that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// What the hero has.
    Hero(Quantity),
    /// A variable of the tower.
    Variable(VariableId),
}

impl Instruction {
    /// The scripts that stand within it.
    pub fn inner(&self) -> Vec<&Script> {
        match self {
            Instruction::If { then, otherwise, .. } => vec![then, otherwise],
            Instruction::While { body, .. } => vec![body],
            Instruction::Choose { options, .. } => options.iter().map(|option| &option.script).collect(),
            _ => Vec::new(),
        }
    }

    /// The places that it names.
    pub fn places(&self) -> Vec<Position> {
        match self {
            Instruction::Put { at, .. }
            | Instruction::Remove { at }
            | Instruction::Open { at }
            | Instruction::Hide { at }
            | Instruction::Show { at } => at.clone(),
            Instruction::Move { from, to } => [Some(*from), *to].into_iter().flatten().collect(),
            Instruction::Fight { at, .. } => at.iter().copied().collect(),
            Instruction::Go { to } => vec![*to],
            _ => Vec::new(),
        }
    }

    /// The expressions that stand in it itself, not in the scripts within it.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Instruction::Set { value, .. } | Instruction::Alter { value, .. } => vec![value],
            Instruction::If { condition, .. } | Instruction::While { condition, .. } => vec![condition],
            Instruction::Choose { options, .. } => options.iter().filter_map(|o| o.condition.as_ref()).collect(),
            _ => Vec::new(),
        }
    }
}

/// All instructions of a script, also those within others, each before those within it.
pub fn all(script: &Script) -> Vec<&Instruction> {
    let mut found = Vec::new();
    let mut rest: Vec<&Instruction> = script.iter().rev().collect();
    while let Some(instruction) = rest.pop() {
        found.push(instruction);
        rest.extend(instruction.inner().into_iter().rev().flat_map(|script| script.iter().rev()));
    }
    found
}

/// Whether scripts stand within each other more than [`MOST_LEVELS`] or [`MOST_DEEP`] allow.
pub fn is_too_deep(script: &Script) -> bool {
    let mut rest = vec![(script, 1, 1)];
    while let Some((script, level, depth)) = rest.pop() {
        if !script.is_empty() && (level > MOST_LEVELS || depth > MOST_DEEP) {
            return true;
        }
        for instruction in script {
            match instruction {
                Instruction::If { then, otherwise, .. } => {
                    let is_case = matches!(otherwise.as_slice(), [Instruction::If { .. }]);
                    rest.push((then, level + 1, depth + 1));
                    rest.push((otherwise, level + usize::from(!is_case), depth + 1));
                }
                Instruction::While { body, .. } => rest.push((body, level + 1, depth + 1)),
                Instruction::Choose { options, .. } => {
                    rest.extend(options.iter().map(|option| (&option.script, level + 2, depth + 1)));
                }
                _ => {}
            }
        }
    }
    false
}
