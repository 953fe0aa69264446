//! What events calculate: the syntax alone. `play` knows the state that it is calculated from, the files how it is
//! written.

use super::monster::Monster;
use super::number::Number;
use super::position::Position;
use super::tile::{Colour, Tile};
use super::tower::{MonsterId, VariableId};

/// Something that is calculated when an event comes to it. Truth is 1 and 0; anything but 0 counts as true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Number(Number),
    /// What the hero has.
    Hero(Quantity),
    /// A variable of the tower.
    Variable(VariableId),
    /// A number in the monster table, as it is now.
    Monster(MonsterId, Attribute),
    /// Whether such a tile is there now.
    Stands(Tile, Position),
    /// Whether something is not true.
    Not(Box<Expression>),
    /// The negative of something.
    Negative(Box<Expression>),
    /// The largest whole number not above something.
    Floor(Box<Expression>),
    /// Two things and what is made of them.
    Operation(Box<Expression>, Operator, Box<Expression>),
    /// The second if the first is true, else the third.
    Either(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// What is made of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, exact.
    Over,
    /// What remains of a division.
    Modulo,
    /// The lower.
    Least,
    /// The higher.
    Most,
    /// Whether they are equal.
    Equal,
    /// Whether they are not.
    Unequal,
    /// Whether the first is lower.
    Less,
    /// Whether the first is not higher.
    AtMost,
    /// Whether the first is higher.
    Greater,
    /// Whether the first is not lower.
    AtLeast,
    /// Whether both are true.
    And,
    /// Whether one is true.
    Or,
}

/// Something that the hero has and that events read and set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// HP.
    Hp,
    /// ATK.
    Atk,
    /// DEF.
    Def,
    /// MDEF.
    Mdef,
    /// Gold.
    Gold,
    /// Experience.
    Experience,
    /// Keys of a colour.
    Keys(Colour),
    /// Whether he has the cross: 0 or 1.
    Cross,
    /// Whether he has the coin: 0 or 1.
    Coin,
    /// Whether he is cursed: 0 or 1.
    Curse,
    /// Hatred that monsters have stored up.
    Hatred,
}

/// A number of a row of the monster table that events read and set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// HP.
    Hp,
    /// ATK.
    Atk,
    /// DEF.
    Def,
    /// Gold.
    Gold,
    /// Experience.
    Experience,
}

impl Attribute {
    /// Its value in a row.
    pub fn of(self, monster: &Monster) -> i64 {
        match self {
            Attribute::Hp => monster.hp,
            Attribute::Atk => monster.atk,
            Attribute::Def => monster.def,
            Attribute::Gold => monster.gold,
            Attribute::Experience => monster.experience,
        }
    }

    /// Where it stands in a row.
    pub fn of_mut(self, monster: &mut Monster) -> &mut i64 {
        match self {
            Attribute::Hp => &mut monster.hp,
            Attribute::Atk => &mut monster.atk,
            Attribute::Def => &mut monster.def,
            Attribute::Gold => &mut monster.gold,
            Attribute::Experience => &mut monster.experience,
        }
    }
}

impl Expression {
    /// Levels of expressions within each other, at most.
    pub const MOST_DEEP: usize = 100;

    /// A whole number.
    pub fn whole(number: i64) -> Self {
        Expression::Number(number.into())
    }

    /// What is made of two expressions.
    pub fn operation(self, operator: Operator, other: Expression) -> Self {
        Expression::Operation(Box::new(self), operator, Box::new(other))
    }

    /// The expressions that it is made of, itself first.
    pub fn parts(&self) -> Vec<&Expression> {
        let mut parts = vec![self];
        let mut next = 0;
        while let Some(&part) = parts.get(next) {
            parts.extend(part.inner());
            next += 1;
        }
        parts
    }

    /// The expressions that it is made of directly.
    pub fn inner(&self) -> Vec<&Expression> {
        match self {
            Expression::Not(inner) | Expression::Negative(inner) | Expression::Floor(inner) => vec![inner],
            Expression::Operation(left, _, right) => vec![left, right],
            Expression::Either(condition, then, otherwise) => vec![condition, then, otherwise],
            _ => Vec::new(),
        }
    }

    /// Whether it is nested deeper than [`Expression::MOST_DEEP`] levels, itself the first.
    pub fn is_too_deep(&self) -> bool {
        let mut level = vec![self];
        for _ in 0..Expression::MOST_DEEP {
            level = level.into_iter().flat_map(Expression::inner).collect();
        }
        !level.is_empty()
    }
}
