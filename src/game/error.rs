//! What can be wrong with a tower or a move, in words that name what the user can fix.

use super::position::Position;

/// A tower that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TowerError {
    /// There is nothing to stand on.
    #[error("a tower needs between 1 and 65,535 floors")]
    NoFloor,
    /// The hero starts in a wall, on an obstacle or outside.
    #[error("the hero starts at {0}, which is not an open tile")]
    StartNotOpen(Position),
    /// Nothing to defeat.
    #[error("there is no boss on the map, so the game cannot be won")]
    NoBoss,
    /// An event, a gate, a passage or an exit names something that is not there.
    #[error("{what} at {at} {why}")]
    Scripted {
        /// What names it.
        what: String,
        /// Where.
        at: Position,
        /// What is wrong with it.
        why: String,
    },
    /// Two bosses.
    #[error("there are two bosses, at {0} and {1}; a tower has one")]
    SecondBoss(Position, Position),
    /// A monster without a row.
    #[error("the monster at {0} has no row in the monster table")]
    UnknownMonster(Position),
    /// A shop that sells nothing.
    #[error("there is a shop at {0}, but the tower says nothing of what its shop sells")]
    NothingForSale(Position),
    /// A shop that would sell for ever.
    #[error("the shop asks for no gold, neither at first nor later, and would sell for ever")]
    FreeShop,
    /// A pair of stairs that names another tile.
    #[error("a pair of stairs names {0}, which is not a stair")]
    NotAStair(Position),
    /// A number below its range.
    #[error("{what} of {of} is {value}; it must be at least {least}")]
    Quantity {
        /// Whose.
        of: String,
        /// Which quantity.
        what: &'static str,
        /// What it is.
        value: i64,
        /// What it must be at least.
        least: i64,
    },
    /// An ability that the named rules do not have.
    #[error("{monster}: {objection}")]
    Ability {
        /// Its name.
        monster: String,
        /// What the rules cannot express.
        objection: String,
    },
}

/// A move that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The action is not legal in this state.
    #[error("{target} cannot be chosen here: {why}")]
    Illegal {
        /// Where it points.
        target: Position,
        /// Why it is not legal.
        why: String,
    },
    /// An event runs on and on.
    #[error("the event at {at} does not end: it was given up after {steps} instructions")]
    Endless {
        /// Where it began.
        at: Position,
        /// Instructions carried out.
        steps: u32,
    },
    /// A number of an event cannot be computed.
    #[error("the event at {at} cannot be carried out: {what} divides by 0 or leaves 64 bits")]
    Calculation {
        /// Where it began.
        at: Position,
        /// What it would have set or asked.
        what: &'static str,
    },
    /// The game is over.
    #[error("the game has ended; no action is left")]
    Ended,
    /// A fight's numbers leave 64 bits.
    #[error("the fight with {monster} at {at} cannot be computed: a quantity is beyond 64 bits")]
    FightOverflow {
        /// The monster's name.
        monster: String,
        /// Where it stands.
        at: Position,
    },
    /// A sum leaves 64 bits.
    #[error("what the hero gains at {at} takes a quantity beyond 64 bits")]
    GainOverflow {
        /// Where.
        at: Position,
    },
}
