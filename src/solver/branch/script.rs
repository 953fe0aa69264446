//! What a script can give at most: its ways through, each with what it gives, what it must pay for that, and whether
//! it can be gone again. Knows nothing of states.

use crate::game::{
    CellIndex, Expression, Game, Instruction, Item, MonsterId, Number, Operator, Position, Quantity, Script, Target,
    Tile, VariableId,
};

use super::condition::check;
use super::range::{Ranges, change, is_less};
use super::survey::Gain;

/// One way through a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Way {
    /// What it gives, at most; `ENDLESS` where that is not known.
    pub gain: Gain,
    /// Gold and experience that it must pay, each checked to be there before.
    pub gold: Vec<Expression>,
    pub experience: Vec<Expression>,
    /// Whether its event is then used up.
    pub used: bool,
    /// A variable that is at most this before and for ever above it afterwards.
    pub until: Option<(VariableId, i64)>,
    /// What has been checked on the way and holds still.
    checks: Vec<Expression>,
}

impl Way {
    /// Whether it gives or pays anything.
    pub(super) fn matters(&self) -> bool {
        self.gain != Gain::default()
    }
}

/// Stands for a quantity without a bound.
pub(super) const ENDLESS: i64 = i64::MAX;

/// Ways that are told apart, at most.
const MOST_WAYS: usize = 48;

/// All that is known of a script.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Ways through it.
    pub through: Vec<Way>,
    /// Rounds of its loops, which can be gone again and again.
    pub rounds: Vec<Way>,
    /// Tiles that it may change.
    pub places: Vec<CellIndex>,
    /// Tiles to which it may put the hero, or from which it may take something elsewhere.
    pub jumps: Vec<CellIndex>,
    /// Whether it may win.
    pub wins: bool,
    /// Monsters that it may put somewhere or fight.
    pub monsters: Vec<MonsterId>,
}

/// Reads scripts.
pub(super) struct Reader<'a> {
    pub game: &'a Game,
    pub ranges: &'a Ranges,
    /// All instructions of all scripts.
    pub all: &'a [&'a Instruction],
    /// What gold of a monster counts.
    pub coins: i64,
    /// The tile of the event, if it is used up once that has been taken away.
    pub own: Option<Position>,
    /// Whether it is used up, too, once that has been switched off.
    pub stays_hidden: bool,
}

/// How a way ended before the end of a block.
struct Ended {
    way: Way,
    /// Whether it goes round again.
    again: bool,
}

impl Reader<'_> {
    /// Reads a script that starts only if some conditions hold.
    pub(super) fn read(&self, script: &Script, conditions: &[&Expression]) -> Ways {
        let mut ways = Ways::default();
        let mut start = Way::default();
        conditions.iter().for_each(|condition| check(&mut start.checks, condition, true));
        let mut ended = Vec::new();
        let mut through = self.block(script, vec![start], &mut ended, &mut ways);
        through.extend(ended.into_iter().map(|ended| ended.way));
        ways.through = through;
        ways
    }

    fn block(&self, script: &Script, mut ways: Vec<Way>, ended: &mut Vec<Ended>, found: &mut Ways) -> Vec<Way> {
        for instruction in script {
            match instruction {
                Instruction::If { condition, then, otherwise } => {
                    let branch = |holds| {
                        let mut ways = ways.clone();
                        ways.iter_mut().for_each(|way| check(&mut way.checks, condition, holds));
                        ways
                    };
                    let (yes, no) = (branch(true), branch(false));
                    ways = self.block(then, yes, ended, found);
                    ways.extend(self.block(otherwise, no, ended, found));
                }
                Instruction::Choose { options, .. } => {
                    // Without an answer that can be given, nothing is asked.
                    let mut after = ways.clone();
                    for option in options {
                        let mut chosen = ways.clone();
                        if let Some(condition) = &option.condition {
                            chosen.iter_mut().for_each(|way| check(&mut way.checks, condition, true));
                        }
                        after.extend(self.block(&option.script, chosen, ended, found));
                    }
                    ways = after;
                }
                Instruction::While { condition, body } => ways = self.rounds(condition, body, ways, found),
                Instruction::Break => {
                    ended.extend(ways.drain(..).map(|way| Ended { way, again: false }));
                }
                Instruction::Continue => ended.extend(ways.drain(..).map(|way| Ended { way, again: true })),
                Instruction::Stop | Instruction::Win | Instruction::Lose => {
                    found.wins |= *instruction == Instruction::Win;
                    ended.extend(ways.drain(..).map(|way| Ended { way, again: false }));
                }
                plain => self.plain(plain, &mut ways, found),
            }
            ways = few(ways);
        }
        ways
    }

    /// A loop: any number of rounds, and one that is left in the middle.
    fn rounds(&self, condition: &Expression, body: &Script, ways: Vec<Way>, found: &mut Ways) -> Vec<Way> {
        let mut start = Way::default();
        check(&mut start.checks, condition, true);
        let mut ended = Vec::new();
        let whole = self.block(body, vec![start], &mut ended, found);
        let rounds = whole.into_iter().chain(ended.iter().filter(|end| end.again).map(|end| end.way.clone()));
        // A round that uses up its event does not end the loop: it may be gone again.
        found.rounds.extend(rounds.filter(Way::matters).map(|way| Way { used: false, ..way }));
        let mut after: Vec<Way> = ways.iter().map(forget).collect();
        for end in ended.iter().filter(|end| !end.again && (end.way.matters() || end.way.used)) {
            for way in &ways {
                let mut way = forget(way);
                way.gain.add(&end.way.gain);
                way.used |= end.way.used;
                way.gold.extend(end.way.gold.iter().cloned());
                way.experience.extend(end.way.experience.iter().cloned());
                way.until = way.until.or(end.way.until);
                after.push(way);
            }
        }
        few(after)
    }

    fn plain(&self, instruction: &Instruction, ways: &mut [Way], found: &mut Ways) {
        let graph = self.game.graph();
        let places: Vec<CellIndex> = instruction.places().into_iter().filter_map(|at| graph.cell(at)).collect();
        match instruction {
            Instruction::Go { .. } => found.jumps.extend(&places),
            Instruction::Move { .. } => {
                found.jumps.extend(places.first());
                found.places.extend(&places);
            }
            _ => found.places.extend(&places),
        }
        match instruction {
            Instruction::Set { target: Target::Hero(quantity), value } => {
                ways.iter_mut().for_each(|way| self.set(way, *quantity, value));
            }
            Instruction::Set { target: Target::Variable(id), value } => {
                ways.iter_mut().for_each(|way| self.set_variable(way, *id, value));
            }
            Instruction::Put { tile, at } => {
                let gain = self.gain(*tile, found);
                for way in ways.iter_mut() {
                    at.iter().for_each(|_| way.gain.add(&gain));
                }
            }
            Instruction::Fight { monster, .. } => {
                let gain = self.gain(Tile::Monster(*monster), found);
                ways.iter_mut().for_each(|way| way.gain.add(&gain));
            }
            Instruction::Remove { at } | Instruction::Open { at } => self.use_up(ways, at, true),
            Instruction::Hide { at } => self.use_up(ways, at, self.stays_hidden),
            _ => {}
        }
    }

    fn use_up(&self, ways: &mut [Way], at: &[Position], for_good: bool) {
        if for_good && self.own.is_some_and(|own| at.contains(&own)) {
            ways.iter_mut().for_each(|way| way.used = true);
        }
    }

    /// What a tile that is put somewhere gives. What a script of its own does then is not followed.
    fn gain(&self, tile: Tile, found: &mut Ways) -> Gain {
        let mut gain = gain_of(self.game, self.ranges, self.coins, tile);
        match tile {
            Tile::Monster(id) => found.monsters.push(id),
            Tile::Item(Item::Thing(id)) => {
                let things = &self.game.tower().things;
                if things.get(usize::from(id)).is_none_or(|thing| !thing.script.is_empty()) {
                    gain.hp = ENDLESS;
                }
            }
            _ => {}
        }
        gain
    }

    fn set(&self, way: &mut Way, quantity: Quantity, value: &Expression) {
        let changed = part_of(&mut way.gain, quantity);
        if let Some(changed) = changed {
            *changed = changed.saturating_add(self.rise(quantity, value));
        }
        let paid = match quantity {
            Quantity::Gold => &mut way.gold,
            Quantity::Experience => &mut way.experience,
            _ => return,
        };
        if let Expression::Operation(left, Operator::Minus, price) = value
            && **left == Expression::Hero(quantity)
        {
            let held = Expression::Hero(quantity);
            let asked = |check: &Expression| match check {
                Expression::Operation(low, Operator::AtMost, high) if **high == held => match (&**low, &**price) {
                    (Expression::Number(checked), Expression::Number(price)) => !is_less(*checked, *price),
                    (checked, price) => checked == price,
                },
                _ => false,
            };
            if way.checks.iter().any(asked) {
                paid.push((**price).clone());
            }
        }
        // What was checked of it holds no longer.
        way.checks.retain(|check| !check.parts().contains(&&Expression::Hero(quantity)));
    }

    /// By how much setting a quantity to a value can raise it, at most.
    fn rise(&self, quantity: Quantity, value: &Expression) -> i64 {
        let itself = Expression::Hero(quantity);
        let end = |number: Option<Number>| number.and_then(Number::floor).map_or(ENDLESS, |high| high.max(0));
        match value {
            same if *same == itself => 0,
            Expression::Operation(left, Operator::Plus, right) if **left == itself => {
                end(self.ranges.of(right, None).1.and_then(ceiling))
            }
            Expression::Operation(left, Operator::Plus, right) if **right == itself => {
                end(self.ranges.of(left, None).1.and_then(ceiling))
            }
            Expression::Operation(left, Operator::Minus, right) if **left == itself => {
                end(self.ranges.of(right, None).0.and_then(|low| ceiling(Number::ZERO.minus(low)?)))
            }
            // HP are at least 0: a part of them is no more.
            Expression::Operation(left, Operator::Over, right) if **left == itself && quantity == Quantity::Hp => {
                match &**right {
                    Expression::Number(by) if !is_less(*by, Number::ONE) => 0,
                    _ => ENDLESS,
                }
            }
            Expression::Operation(left, Operator::Times, right) if **left == itself && quantity == Quantity::Hp => {
                match &**right {
                    Expression::Number(by) if !is_less(*by, Number::ZERO) && !is_less(Number::ONE, *by) => 0,
                    _ => ENDLESS,
                }
            }
            Expression::Operation(left, Operator::Least, right) => {
                self.rise(quantity, left).min(self.rise(quantity, right))
            }
            Expression::Operation(left, Operator::Most, right) => {
                self.rise(quantity, left).max(self.rise(quantity, right))
            }
            Expression::Floor(inner) => self.rise(quantity, inner),
            Expression::Either(_, then, otherwise) => self.rise(quantity, then).max(self.rise(quantity, otherwise)),
            // Gold and experience are accounts: what they are set to without regard to what they were is not followed.
            _ if matches!(quantity, Quantity::Gold | Quantity::Experience) => ENDLESS,
            other => end(self.ranges.of(other, None).1),
        }
    }

    fn set_variable(&self, way: &mut Way, id: VariableId, value: &Expression) {
        let set = Expression::Variable(id);
        for check in &way.checks {
            // `v <= k` was checked, and `v` is above `k` from now on, because nothing sets it back.
            if let Expression::Operation(left, Operator::AtMost, right) = check
                && **left == set
                && let Expression::Number(most) = &**right
                && let Some(most) = most.floor()
                && self.stays_above(id, most)
                && raises(value, id, most)
            {
                way.until = Some((id, most));
            }
        }
        way.checks.retain(|check| !check.parts().contains(&&set));
    }

    /// Whether all that scripts set a variable to is above a number, or above what it was.
    fn stays_above(&self, id: VariableId, most: i64) -> bool {
        let tower = self.game.tower();
        let lowered = tower.gates.iter().any(|gate| gate.tools.iter().any(|(other, _)| *other == id))
            || tower.things.iter().any(|thing| thing.tools.iter().any(|(other, count)| *other == id && *count < 0));
        !lowered
            && self.all.iter().all(|instruction| match instruction {
                Instruction::Set { target: Target::Variable(other), value } if *other == id => raises(value, id, most),
                _ => true,
            })
    }
}

/// Whether a value is above a number, or above the variable by at least 1.
fn raises(value: &Expression, id: VariableId, most: i64) -> bool {
    match value {
        Expression::Number(number) => number.floor().is_some_and(|number| number > most),
        other => change(other, id).is_some_and(|by| !is_less(by, Number::ONE)),
    }
}

/// The smallest whole number not below one.
fn ceiling(number: Number) -> Option<Number> {
    Some(Number::from(Number::ZERO.minus(number)?.floor()?.checked_neg()?))
}

/// What a tile gives at most.
pub(super) fn gain_of(game: &Game, ranges: &Ranges, coins: i64, tile: Tile) -> Gain {
    match tile {
        Tile::Item(item) => {
            let given = game.tower().give(&crate::game::Hero::default(), item);
            given.map_or(Gain::default(), |given| Gain::of_hero(&given))
        }
        Tile::Monster(id) if ranges.is_altered(id) => Gain { gold: ENDLESS, experience: ENDLESS, ..Gain::default() },
        Tile::Monster(id) => {
            let row = game.monster(id);
            Gain { gold: row.gold.saturating_mul(coins), experience: row.experience, ..Gain::default() }
        }
        _ => Gain::default(),
    }
}

fn part_of(gain: &mut Gain, quantity: Quantity) -> Option<&mut i64> {
    Some(match quantity {
        Quantity::Hp => &mut gain.hp,
        Quantity::Atk => &mut gain.points[0],
        Quantity::Def => &mut gain.points[1],
        Quantity::Mdef => &mut gain.points[2],
        Quantity::Gold => &mut gain.gold,
        Quantity::Experience => &mut gain.experience,
        Quantity::Keys(colour) => &mut gain.keys[colour as usize],
        Quantity::Cross | Quantity::Coin | Quantity::Curse | Quantity::Hatred => return None,
    })
}

/// A way whose checks no longer count.
fn forget(way: &Way) -> Way {
    Way { checks: Vec::new(), ..way.clone() }
}

/// Keeps few enough ways apart: beyond that, all that give something become one that gives the most and pays nothing.
fn few(mut ways: Vec<Way>) -> Vec<Way> {
    let mut distinct: Vec<Way> = Vec::new();
    for way in ways.drain(..) {
        if !distinct.contains(&way) {
            distinct.push(way);
        }
    }
    if distinct.len() <= MOST_WAYS {
        return distinct;
    }
    let mut most = Way::default();
    for way in &distinct {
        most.gain.raise(&way.gain);
    }
    let unused = distinct.iter().any(|way| !way.used);
    most.used = !unused;
    vec![most]
}
