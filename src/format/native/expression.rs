//! Expressions as files have them: `hp + 50`, `flag:door == 4 && gold >= 20`. Knows the names of one tower, not what they
//! are worth.

mod name;
mod print;
#[cfg(test)]
mod tests;
mod token;

use std::ops::Range;

use name::QUANTITIES;
pub(super) use name::{attribute, attribute_name};
use name::{quantity_name, with_known};
use print::{power, sign};
pub(super) use print::{print, variable};
use token::{Placed, RESERVED, Token, tokens};

use super::symbols::Symbols;
use super::variables::Variables;
use crate::format::problem::{Problem, quoted};
use crate::game::{Expression, Floor, MonsterId, Number, Operator, Position, Target, Tile};

/// Calls of the parser within each other, at most: what a printed expression of the greatest depth needs, a call for each
/// operand on the right and one for its parentheses.
const MOST_CALLS: usize = 2 * Expression::MOST_DEEP + 1;

/// What an expression may name.
pub(super) struct Names<'n> {
    pub symbols: &'n Symbols<'n>,
    pub variables: &'n mut Variables,
    /// The floors; none if not all of them could be read, so that no place is known to be wrong.
    pub floors: Option<&'n [Floor]>,
}

/// Reads an expression.
///
/// # Errors
/// The first mistake in it, at its bytes in `text`.
pub(super) fn parse(text: &str, names: &mut Names<'_>) -> Result<Expression, Problem> {
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, calls: 0, names };
    let node = parser.level(power::EITHER)?;
    match parser.peek() {
        Token::End => Ok(node.expression),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// Reads the name of something that can be set.
///
/// # Errors
/// That it is none, at its bytes in `text`.
pub(super) fn target(text: &str, names: &mut Names<'_>) -> Result<Target, Problem> {
    match parse(text, names)? {
        Expression::Hero(quantity) => Ok(Target::Hero(quantity)),
        Expression::Variable(id) => Ok(Target::Variable(id)),
        _ => Err(Problem::at(0..text.len(), format!("{} is nothing that can be set", quoted(text)))
            .with_help("set what the hero has, such as `hp`, or a variable, such as `flag:door`")),
    }
}

/// Whether a position lies in the tower; if not, what is wrong with it.
pub(super) fn outside(at: Position, floors: Option<&[Floor]>) -> Option<String> {
    let floors = floors?;
    match floors.get(usize::from(at.floor)) {
        None => Some(format!("there is no floor {}; floors are counted from 0", at.floor)),
        Some(floor) if floor.tile(at.x, at.y).is_none() => Some(format!("{at} lies outside the map")),
        Some(_) => None,
    }
}

/// An expression with its levels.
struct Node {
    expression: Expression,
    height: usize,
}

struct Parser<'p, 'n> {
    text: &'p str,
    tokens: Vec<Placed>,
    next: usize,
    calls: usize,
    names: &'p mut Names<'n>,
}

impl Parser<'_, '_> {
    /// What binds at least as strongly as `least`.
    fn level(&mut self, least: u8) -> Result<Node, Problem> {
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return Err(self.too_deep());
        }
        let mut left = self.signed()?;
        while let Some((operator, power)) = self.operator().filter(|(_, power)| *power >= least) {
            self.next += 1;
            let right = self.level(power + 1)?;
            let height = left.height.max(right.height);
            let expression = left.expression.operation(operator, right.expression);
            left = self.node(expression, height)?;
        }
        if least == power::EITHER && self.take("?") {
            let then = self.level(power::EITHER)?;
            self.expect(":")?;
            let otherwise = self.level(power::EITHER)?;
            let height = left.height.max(then.height).max(otherwise.height);
            let [condition, then, otherwise] = [left, then, otherwise].map(|node| Box::new(node.expression));
            left = self.node(Expression::Either(condition, then, otherwise), height)?;
        }
        self.calls -= 1;
        Ok(left)
    }

    /// Something with `!` and `-` before it. A sign before digits belongs to the number.
    fn signed(&mut self) -> Result<Node, Problem> {
        let first = self.next;
        while matches!(self.peek(), Token::Sign("!" | "-")) {
            self.next += 1;
        }
        let mut signs = first..self.next;
        let negative = match (self.sign_at(signs.end.wrapping_sub(1)), self.peek()) {
            (Some("-"), Token::Number(number)) if !signs.is_empty() => Number::ZERO.minus(*number),
            _ => None,
        };
        let mut node = match negative {
            Some(number) => {
                self.next += 1;
                signs.end -= 1;
                Node { expression: Expression::Number(number), height: 1 }
            }
            None => self.primary()?,
        };
        for index in signs.rev() {
            let inner = Box::new(node.expression);
            let expression = match self.sign_at(index) {
                Some("!") => Expression::Not(inner),
                _ => Expression::Negative(inner),
            };
            node = self.node(expression, node.height)?;
        }
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, Problem> {
        let (token, place) = (self.peek().clone(), self.place());
        let leaf = |expression| Ok(Node { expression, height: 1 });
        let name = match token {
            Token::Number(number) | Token::Fraction(number) => {
                self.next += 1;
                return leaf(Expression::Number(number));
            }
            Token::Variable(name) | Token::Text(name) => {
                let id = self.names.variables.find_or_add(&name).ok_or_else(|| self.unknown_variable(&name))?;
                self.next += 1;
                return leaf(Expression::Variable(id));
            }
            Token::Sign("(") => {
                self.next += 1;
                let node = self.level(power::EITHER)?;
                self.expect(")")?;
                return Ok(node);
            }
            Token::Name(name) => name,
            Token::Sign(_) | Token::End => return Err(self.unexpected("a number, a name or `(`")),
        };
        self.next += 1;
        if let Some((_, quantity)) = QUANTITIES.into_iter().find(|(known, _)| *known == name) {
            return leaf(Expression::Hero(quantity));
        }
        match name.as_str() {
            "monster" => leaf(self.monster()?),
            "stands" => leaf(self.stands()?),
            "min" => self.of_two(Operator::Least),
            "max" => self.of_two(Operator::Most),
            "floor" => {
                self.expect("(")?;
                let inner = self.level(power::EITHER)?;
                self.expect(")")?;
                self.node(Expression::Floor(Box::new(inner.expression)), inner.height)
            }
            _ => {
                let problem = Problem::at(place, format!("unknown name {}", quoted(&name)));
                let near = problem.clone().with_nearest(&name, RESERVED);
                let help = || format!("known here: {}; a variable is written flag:NAME", RESERVED.join(", "));
                Err(if near.help.is_some() { near } else { problem.with_help(help()) })
            }
        }
    }

    /// `min` or `max` of two.
    fn of_two(&mut self, operator: Operator) -> Result<Node, Problem> {
        self.expect("(")?;
        let left = self.level(power::EITHER)?;
        self.expect(",")?;
        let right = self.level(power::EITHER)?;
        self.expect(")")?;
        self.node(left.expression.operation(operator, right.expression), left.height.max(right.height))
    }

    /// The arguments of `monster(3, atk)`.
    fn monster(&mut self) -> Result<Expression, Problem> {
        self.expect("(")?;
        let place = self.place();
        let symbol = match self.peek() {
            Token::Number(_) | Token::Name(_) => self.text.get(place.clone()).unwrap_or_default().to_owned(),
            Token::Text(symbol) => symbol.clone(),
            _ => return Err(self.unexpected("the symbol of a monster, such as 3")),
        };
        let id = monster(&symbol, place, self.names.symbols)?;
        self.next += 1;
        self.expect(",")?;
        let Token::Name(name) = self.peek().clone() else {
            return Err(self.unexpected("a number of a monster, such as `atk`"));
        };
        let attribute = attribute(&name, self.place())?;
        self.next += 1;
        self.expect(")")?;
        Ok(Expression::Monster(id, attribute))
    }

    /// The arguments of `stands("Y", 0, 3, 4)`.
    fn stands(&mut self) -> Result<Expression, Problem> {
        self.expect("(")?;
        let place = self.place();
        let Token::Text(symbol) = self.peek().clone() else {
            return Err(self.unexpected("a symbol of the map in double quotes"));
        };
        let tile = tile(&symbol, place.clone(), self.names.symbols)?;
        self.next += 1;
        let mut numbers = [0_u16; 3];
        let mut places = place;
        for number in &mut numbers {
            self.expect(",")?;
            places.end = self.place().end;
            *number = self.coordinate()?;
        }
        self.expect(")")?;
        let at = Position::new(numbers[0], numbers[1], numbers[2]);
        match outside(at, self.names.floors) {
            Some(message) => Err(Problem::at(places, message)),
            None => Ok(Expression::Stands(tile, at)),
        }
    }

    fn coordinate(&mut self) -> Result<u16, Problem> {
        let found = match self.peek() {
            Token::Number(number) if number.denominator() == 1 => u16::try_from(number.numerator()).ok(),
            _ => None,
        };
        let number = found.ok_or_else(|| self.unexpected("a whole number from 0 to 65535: floor, column and row"))?;
        self.next += 1;
        Ok(number)
    }

    /// The operator that stands here, with how strongly it binds.
    fn operator(&self) -> Option<(Operator, u8)> {
        let Token::Sign(found) = self.peek() else { return None };
        OPERATORS.into_iter().find_map(|operator| {
            let (sign, power) = sign(operator)?;
            (sign == *found).then_some((operator, power))
        })
    }

    fn node(&self, expression: Expression, height: usize) -> Result<Node, Problem> {
        match height < Expression::MOST_DEEP {
            true => Ok(Node { expression, height: height + 1 }),
            false => Err(self.too_deep()),
        }
    }

    fn too_deep(&self) -> Problem {
        let message = format!("this expression is nested deeper than {} levels", Expression::MOST_DEEP);
        Problem::at(self.place(), message).with_help("split it, with a variable for a part")
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.next).map_or(&Token::End, |placed| &placed.token)
    }

    fn place(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.text.len()..self.text.len(), |placed| placed.place.clone())
    }

    fn sign_at(&self, index: usize) -> Option<&'static str> {
        match self.tokens.get(index)?.token {
            Token::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Token::Sign(found) if *found == sign);
        self.next += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Result<(), Problem> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, expected: &str) -> Problem {
        let place = self.place();
        let found = match self.peek() {
            Token::End => "the end".to_owned(),
            _ => quoted(self.text.get(place.clone()).unwrap_or_default()),
        };
        Problem::at(place, format!("expected {expected}, found {found}"))
    }

    fn unknown_variable(&self, name: &str) -> Problem {
        let problem = Problem::at(self.place(), format!("unknown variable {}", quoted(name)));
        let near = problem.clone().with_nearest(name, self.names.variables.names());
        match near.help {
            Some(_) => near,
            None => problem.with_help("list it under [variables]; only flag:NAME and item:NAME need not be"),
        }
    }
}

const OPERATORS: [Operator; 13] = [
    Operator::Plus,
    Operator::Minus,
    Operator::Times,
    Operator::Over,
    Operator::Modulo,
    Operator::Equal,
    Operator::Unequal,
    Operator::Less,
    Operator::AtMost,
    Operator::Greater,
    Operator::AtLeast,
    Operator::And,
    Operator::Or,
];

/// The row of a monster.
///
/// # Errors
/// That it has none, at `place`.
pub(super) fn monster(symbol: &str, place: Range<usize>, symbols: &Symbols<'_>) -> Result<MonsterId, Problem> {
    symbols.monster(symbol).ok_or_else(|| {
        let problem = Problem::at(place, format!("the monster {} has no row in the monster table", quoted(symbol)));
        let names: Vec<&str> = symbols.monsters().collect();
        with_known(problem, symbol, &names)
    })
}

/// The tile of a symbol.
///
/// # Errors
/// That it has none, at `place`.
pub(super) fn tile(symbol: &str, place: Range<usize>, symbols: &Symbols<'_>) -> Result<Tile, Problem> {
    symbols.tile(symbol).ok_or_else(|| match super::symbols::table_of(symbol) {
        Some((table, kind)) => Problem::at(place, format!("the {kind} {} has no row", quoted(symbol)))
            .with_help(format!("add [{table}.{symbol}]")),
        None => Problem::at(place, format!("unknown symbol {}", quoted(symbol)))
            .with_help("`mota floor legend` prints the symbols"),
    })
}
