//! What code calculates, as an expression of the game. Knows the engine's names of quantities; what has no counterpart in
//! the game is refused with the reason.

mod call;
mod tiles;

use super::build::{Builder, Why, number};
use super::code::{Code, Store};
use super::fold;
use super::names;
use crate::game::{Expression, Operator, Position, Quantity, Target};

/// Where code is read: whose event it belongs to and what is known then.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// The floor that the event belongs to.
    pub home: u16,
    /// The tile that it belongs to; none if to the floor as a whole.
    pub at: Option<(u16, u16)>,
    /// The floor on which the hero is; none if that is not known.
    pub current: Option<u16>,
    /// Where the hero stands; none if that is not known.
    pub hero: Option<Position>,
    /// Whether a flag that nothing sets is the number that it has at the start.
    pub fold_flags: bool,
}

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Worth {
    /// A number.
    Number(Expression),
    /// A text that is known.
    Text(String),
    /// The id of what stands on a tile.
    Block(Position),
    /// The class of what stands on a tile.
    Class(Position),
    /// The number of what stands on a tile.
    BlockNumber(Position),
    /// Nothing: `null`.
    Nothing,
}

impl Builder<'_> {
    /// Code as a number.
    pub fn number(&mut self, code: &Code, scene: &Scene) -> Result<Expression, Why> {
        match self.worth(code, scene)? {
            Worth::Number(expression) => Ok(expression),
            Worth::Nothing => Ok(Expression::whole(0)),
            Worth::Text(text) => match super::literal::decimal(text.trim()).as_deref().and_then(number) {
                Some(number) => Ok(Expression::Number(number)),
                None => Err(format!("the text {text:?} is no number")),
            },
            Worth::Block(_) | Worth::Class(_) | Worth::BlockNumber(_) => Err(format!("`{code}` is used as a number")),
        }
    }

    /// Code as a condition.
    pub fn truth(&mut self, code: &Code, scene: &Scene) -> Result<Expression, Why> {
        Ok(match self.worth(code, scene)? {
            Worth::Number(expression) => expression,
            Worth::Nothing => Expression::whole(0),
            Worth::Text(text) => Expression::whole(i64::from(!text.is_empty())),
            Worth::Block(at) | Worth::Class(at) | Worth::BlockNumber(at) => {
                fold::not(Expression::Stands(crate::game::Tile::Floor, at))
            }
        })
    }

    /// What code is worth.
    pub fn worth(&mut self, code: &Code, scene: &Scene) -> Result<Worth, Why> {
        Ok(match code {
            Code::Number(digits) => match number(digits) {
                Some(number) => Worth::Number(Expression::Number(number)),
                None => return Err(format!("the number {digits} is too long")),
            },
            Code::Text(text) => Worth::Text(text.clone()),
            Code::Bool(bool) => Worth::Number(Expression::whole(i64::from(*bool))),
            Code::Null => Worth::Nothing,
            Code::Stored(store, name) => self.stored(*store, name, scene)?,
            Code::Unary("!", of) => Worth::Number(fold::not(self.truth(of, scene)?)),
            Code::Unary("-", of) => Worth::Number(fold::negative(self.number(of, scene)?)),
            Code::Unary(_, of) => Worth::Number(self.number(of, scene)?),
            Code::Binary(left, sign, right) => self.binary(left, sign, right, scene)?,
            Code::Either(condition, then, otherwise) => {
                let condition = self.truth(condition, scene)?;
                match fold::constant(&condition) {
                    Some(number) => self.worth(if number.is_true() { then } else { otherwise }, scene)?,
                    None => {
                        let (then, otherwise) = (self.number(then, scene)?, self.number(otherwise, scene)?);
                        Worth::Number(fold::either(condition, then, otherwise))
                    }
                }
            }
            Code::Call(function, arguments) => self.call(function, arguments, scene)?,
            Code::Name(_) | Code::Member(..) => match code.path() {
                Some(path) => self.path(&path, scene)?,
                None => return Err(not_modelled(code)),
            },
            Code::Index(..) | Code::Assign(..) | Code::List(_) | Code::Object(_) => return Err(not_modelled(code)),
        })
    }

    /// What the project's own code is taken to be, if somebody said so.
    fn assumed(&self, path: &str) -> Option<Worth> {
        let found = self.options.assume.iter().find(|(known, _)| known == path);
        found.map(|(_, number)| Worth::Number(Expression::Number(*number)))
    }

    fn binary(&mut self, left: &Code, sign: &str, right: &Code, scene: &Scene) -> Result<Worth, Why> {
        if matches!(sign, "==" | "===" | "!=" | "!==") {
            let (left, right) = (self.worth(left, scene)?, self.worth(right, scene)?);
            let equal = self.equal(left, right)?;
            return Ok(Worth::Number(if sign.starts_with('!') { fold::not(equal) } else { equal }));
        }
        if matches!(sign, "&&" | "||" | "??") {
            return self.logical(left, sign, right, scene);
        }
        let operator = match sign {
            "+" => Operator::Plus,
            "-" => Operator::Minus,
            "*" => Operator::Times,
            "/" => Operator::Over,
            "%" => Operator::Modulo,
            "<" => Operator::Less,
            "<=" => Operator::AtMost,
            ">" => Operator::Greater,
            ">=" => Operator::AtLeast,
            _ => return Err(format!("the operator {sign}")),
        };
        let (left, right) = (self.number(left, scene)?, self.number(right, scene)?);
        Ok(Worth::Number(fold::operation(left, operator, right)))
    }

    fn logical(&mut self, left: &Code, sign: &str, right: &Code, scene: &Scene) -> Result<Worth, Why> {
        let first = self.truth(left, scene)?;
        match (fold::constant(&first).map(|number| number.is_true()), sign) {
            (Some(true), "&&") | (Some(false), "||") => return self.worth(right, scene),
            (Some(_), _) => return self.worth(left, scene),
            (None, _) => {}
        }
        let second = self.truth(right, scene)?;
        let operator = if sign == "&&" { Operator::And } else { Operator::Or };
        // `a || 0` is `a`; of two truths it is their disjunction; of anything else, `a` if that is true.
        Ok(Worth::Number(match (sign, fold::is_truth(&first) && fold::is_truth(&second)) {
            ("||" | "??", _) if second == Expression::whole(0) => first,
            ("&&" | "||", true) => fold::operation(first, operator, second),
            ("&&", false) => fold::either(first.clone(), second, first),
            (_, _) => fold::either(first.clone(), first, second),
        }))
    }

    /// A stored quantity: `flag:x` and its like.
    pub fn stored(&mut self, store: Store, name: &str, scene: &Scene) -> Result<Worth, Why> {
        Ok(match store {
            Store::BlockId | Store::BlockClass | Store::BlockNumber => {
                let mut numbers = name.split(',').map(|part| part.parse::<i64>().ok());
                let (Some(Some(x)), Some(Some(y))) = (numbers.next(), numbers.next()) else {
                    return Err(format!("`{}:{name}` names no tile", store.word()));
                };
                let floor = scene.current.ok_or("which floor it happens on is not known")?;
                let at = self.tile_at(floor, x, y)?;
                match store {
                    Store::BlockId => Worth::Block(at),
                    Store::BlockClass => Worth::Class(at),
                    _ => Worth::BlockNumber(at),
                }
            }
            Store::Enemy => {
                let (id, attribute) = name.split_once([':', '.']).ok_or_else(|| format!("enemy:{name}"))?;
                let attribute = names::attribute(attribute).ok_or_else(|| format!("enemy:{name} is not modelled"))?;
                Worth::Number(Expression::Monster(self.monster(id)?, attribute))
            }
            Store::Flag
                if scene.fold_flags
                    && names::mark(name).is_none()
                    && !self.assigned.contains(&format!("flag:{name}")) =>
            {
                Worth::Number(Expression::whole(self.start_of(&format!("flag:{name}"))))
            }
            _ => Worth::Number(match self.target(store, name, scene)? {
                Target::Hero(quantity) => Expression::Hero(quantity),
                Target::Variable(id) => Expression::Variable(id),
            }),
        })
    }

    /// What a stored quantity is in the game, where it can be set.
    pub fn target(&mut self, store: Store, name: &str, scene: &Scene) -> Result<Target, Why> {
        let word = store.word();
        let own = match store {
            Store::Status => names::quantity(name).map(Target::Hero),
            Store::Item => self.item_quantity(name).map(Target::Hero),
            Store::Flag => names::mark(name).map(Target::Hero),
            _ => None,
        };
        if let Some(target) = own {
            return Ok(target);
        }
        let name = match store {
            Store::Status if matches!(name, "name" | "title" | "image" | "loc" | "direction" | "x" | "y") => {
                return Err(format!("status:{name} is no quantity"));
            }
            Store::Flag | Store::Item | Store::Status | Store::Temp | Store::Global => format!("{word}:{name}"),
            Store::Switch => {
                let floor = self.floors.get(usize::from(scene.home)).map_or("", |floor| floor.id);
                match scene.at {
                    Some((x, y)) => format!("switch:{floor}@{x}@{y}@{name}"),
                    None => format!("switch:{floor}@{name}"),
                }
            }
            _ => return Err(format!("{word}:{name} is not modelled")),
        };
        Ok(Target::Variable(self.variable(&name)?))
    }

    /// Whether an item is a quantity of the hero: a key, the cross, the coin.
    fn item_quantity(&self, id: &str) -> Option<Quantity> {
        let kept = self.project.items.get(id).is_none_or(|item| item.class != "items");
        match id {
            "cross" if kept => Some(Quantity::Cross),
            "coin" if kept => Some(Quantity::Coin),
            _ => names::key(id).map(Quantity::Keys),
        }
    }
}

/// That something has no counterpart in the game.
fn not_modelled(code: &Code) -> Why {
    let text = code.to_string();
    let short: String = text.chars().take(60).collect();
    format!("`{short}{}` is not modelled", if short.len() < text.len() { "…" } else { "" })
}
