//! What an expression of a script can be at least and at most, whatever has happened before. Where that is not found
//! out, there is no bound.

use crate::game::{
    Expression, Gem, Hero, Instruction, Item, MonsterId, Number, Operator, Purchase, Quantity, State, Target, Tower,
    VariableId,
};

/// Ends of a range of numbers; none where it has no end, or none is known.
pub(super) type Ends = (Option<Number>, Option<Number>);

/// What variables can be, as far as the scripts say.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    tower: std::sync::Arc<Tower>,
    variables: Vec<Ends>,
    /// Whether a variable only ever grows.
    grows: Vec<bool>,
    altered: Vec<bool>,
}

impl Ranges {
    /// The ranges of a tower's variables, from all that its scripts set them to.
    pub(super) fn new(tower: &std::sync::Arc<Tower>, instructions: &[&Instruction]) -> Self {
        let starts = tower.variables.iter().map(|variable| Number::from(variable.start));
        let mut ranges = Ranges {
            tower: tower.clone(),
            variables: starts.map(|start| (Some(start), Some(start))).collect(),
            grows: vec![true; tower.variables.len()],
            altered: vec![false; tower.monsters.len()],
        };
        for instruction in instructions {
            match instruction {
                Instruction::Set { target: Target::Variable(id), value } => ranges.widen(*id, value),
                Instruction::Alter { monster, .. } => ranges.altered[usize::from(*monster)] = true,
                _ => {}
            }
        }
        let given = tower.things.iter().flat_map(|thing| thing.tools.iter().copied());
        let taken = tower.gates.iter().flat_map(|gate| gate.tools.iter().map(|(id, count)| (*id, -*count)));
        for (id, count) in given.chain(taken) {
            ranges.widen(id, &Expression::Variable(id).operation(Operator::Plus, Expression::whole(count)));
        }
        ranges
    }

    /// Whether an event may alter a row of the monster table.
    pub(super) fn is_altered(&self, monster: MonsterId) -> bool {
        self.altered.get(usize::from(monster)).copied().unwrap_or(true)
    }

    /// Whether a variable only ever grows.
    pub(super) fn grows(&self, id: VariableId) -> bool {
        self.grows.get(usize::from(id)).copied().unwrap_or(false)
    }

    fn widen(&mut self, id: VariableId, value: &Expression) {
        let index = usize::from(id);
        let (low, high) = self.variables[index];
        if let Expression::Number(number) = value {
            let lower = low.filter(|low| !is_less(*number, *low));
            self.variables[index] = (
                low.map(|low| lower.map_or(*number, |_| low)),
                high.map(|high| if is_less(high, *number) { *number } else { high }),
            );
            self.grows[index] = false;
            return;
        }
        match change(value, id) {
            Some(by) if !is_less(by, Number::ZERO) => self.variables[index].1 = None,
            Some(_) => {
                self.variables[index].0 = None;
                self.grows[index] = false;
            }
            None => {
                self.variables[index] = (None, None);
                self.grows[index] = false;
            }
        }
    }

    /// The ends of an expression; with a state, of what it can be from then on.
    pub(super) fn of(&self, expression: &Expression, now: Option<&State>) -> Ends {
        let of = |part: &Expression| self.of(part, now);
        match expression {
            Expression::Number(number) => (Some(*number), Some(*number)),
            Expression::Hero(_) => (None, None),
            Expression::Variable(id) => {
                let ends = self.variables.get(usize::from(*id)).copied().unwrap_or((None, None));
                let held = now.and_then(|state| state.variables.get(usize::from(*id)).copied()).map(Number::from);
                (held.filter(|_| self.grows(*id)).or(ends.0), ends.1)
            }
            Expression::Monster(id, attribute) => match self.tower.monsters.get(usize::from(*id)) {
                Some(row) if !self.is_altered(*id) => {
                    let number = Number::from(attribute.of(row));
                    (Some(number), Some(number))
                }
                _ => (Some(Number::ZERO), None),
            },
            Expression::Stands(..) | Expression::Not(_) => (Some(Number::ZERO), Some(Number::ONE)),
            Expression::Negative(inner) => {
                let (low, high) = of(inner);
                let negative = |end: Option<Number>| Number::ZERO.minus(end?);
                (negative(high), negative(low))
            }
            Expression::Floor(inner) => {
                let floor = |end: Option<Number>| Some(Number::from(end?.floor()?));
                let (low, high) = of(inner);
                (floor(low), floor(high))
            }
            Expression::Either(_, then, otherwise) => {
                let ((low, high), (other_low, other_high)) = (of(then), of(otherwise));
                (both(low, other_low, false), both(high, other_high, true))
            }
            Expression::Operation(left, operator, right) => combine(of(left), *operator, of(right)),
        }
    }

    /// Whether a value is at least 0 where ATK, DEF and MDEF are.
    fn is_positive(&self, value: &Expression) -> bool {
        let is = |part: &Expression| self.is_positive(part);
        let low = self.of(value, None).0;
        let known = low.is_some_and(|low| !is_less(low, Number::ZERO));
        known
            || match value {
                Expression::Hero(Quantity::Atk | Quantity::Def | Quantity::Mdef) => true,
                Expression::Operation(left, operator, right) => match operator {
                    Operator::Plus | Operator::Times | Operator::Least | Operator::Over => is(left) && is(right),
                    Operator::Most => is(left) || is(right),
                    _ => false,
                },
                Expression::Floor(inner) => is(inner),
                Expression::Either(_, then, otherwise) => is(then) && is(otherwise),
                _ => false,
            }
    }

    /// Whether ATK, DEF or MDEF may ever be below 0.
    pub(super) fn attributes_may_be_negative(&self, instructions: &[&Instruction]) -> bool {
        let is_attribute = |quantity| matches!(quantity, Quantity::Atk | Quantity::Def | Quantity::Mdef);
        let has = |hero: &Hero| hero.atk < 0 || hero.def < 0 || hero.mdef < 0;
        let lowers = |item| self.tower.give(&Hero::default(), item).is_none_or(|given| has(&given));
        has(&self.tower.hero)
            || self.tower.things.iter().any(|thing| has(&thing.gain))
            || self.tower.shop.as_ref().is_some_and(|shop| Purchase::ALL.iter().any(|each| shop.amount(*each) < 0))
            || [Gem::Red, Gem::Blue, Gem::Green]
                .into_iter()
                .map(Item::Gem)
                .chain([Item::Sword, Item::Shield])
                .any(lowers)
            || instructions.iter().any(|instruction| match instruction {
                Instruction::Set { target: Target::Hero(quantity), value } => {
                    is_attribute(*quantity) && !self.is_positive(value)
                }
                _ => false,
            })
    }
}

/// By how much a value exceeds a variable: of `v + 2`, 2.
pub(super) fn change(value: &Expression, id: VariableId) -> Option<Number> {
    let Expression::Operation(left, operator, right) = value else { return None };
    match (&**left, operator, &**right) {
        (Expression::Variable(other), Operator::Plus, Expression::Number(by)) if *other == id => Some(*by),
        (Expression::Number(by), Operator::Plus, Expression::Variable(other)) if *other == id => Some(*by),
        (Expression::Variable(other), Operator::Minus, Expression::Number(by)) if *other == id => {
            Number::ZERO.minus(*by)
        }
        _ => None,
    }
}

/// Whether a number is below another; false where they cannot be compared.
pub(super) fn is_less(a: Number, b: Number) -> bool {
    a.compare(b) == Some(std::cmp::Ordering::Less)
}

/// The higher or the lower of two ends; none if one is none.
fn both(a: Option<Number>, b: Option<Number>, higher: bool) -> Option<Number> {
    let (a, b) = (a?, b?);
    let order = a.compare(b)?;
    Some(if (order == std::cmp::Ordering::Less) == higher { b } else { a })
}

fn combine((low, high): Ends, operator: Operator, (other_low, other_high): Ends) -> Ends {
    let add = |a: Option<Number>, b: Option<Number>| a?.plus(b?);
    let subtract = |a: Option<Number>, b: Option<Number>| a?.minus(b?);
    let either = |a: Option<Number>, b: Option<Number>, higher| match (a, b) {
        (Some(_), Some(_)) => both(a, b, higher),
        (one, other) => one.or(other),
    };
    match operator {
        Operator::Plus => (add(low, other_low), add(high, other_high)),
        Operator::Minus => (subtract(low, other_high), subtract(high, other_low)),
        // Of numbers of at least 0 only.
        Operator::Times => match (low, other_low) {
            (Some(a), Some(b)) if !is_less(a, Number::ZERO) && !is_less(b, Number::ZERO) => {
                (a.times(b), high.and_then(|high| high.times(other_high?)))
            }
            _ => (None, None),
        },
        // By a number above 0 only.
        Operator::Over => match (other_low, other_high) {
            (Some(by), Some(same)) if by == same && is_less(Number::ZERO, by) => {
                (low.and_then(|low| low.over(by)), high.and_then(|high| high.over(by)))
            }
            _ => (None, None),
        },
        Operator::Modulo => (None, None),
        Operator::Least => (both(low, other_low, false), either(high, other_high, false)),
        Operator::Most => (either(low, other_low, true), both(high, other_high, true)),
        _ => (Some(Number::ZERO), Some(Number::ONE)),
    }
}
