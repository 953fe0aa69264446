//! What a script can give at most: its ways through, each with what it gives, what it must pay for that, and whether
//! it can be gone again. Knows nothing of states.

use crate::game::{
    CellIndex, Expression, Game, Instruction, Item, MonsterId, Position, Script, Target, Tile, Trigger, VariableId,
};

use super::condition::check;
use super::range::Ranges;
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
    pub checks: Vec<Expression>,
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

/// A way that ended before the end of a block.
struct Ended {
    way: Way,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It leaves the innermost loop.
    Break,
    /// It goes round again.
    Again,
    /// It ends the whole script.
    Stop,
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
                Instruction::While { condition, body } => ways = self.rounds(condition, body, ways, ended, found),
                Instruction::Break => end(&mut ways, How::Break, ended),
                Instruction::Continue => end(&mut ways, How::Again, ended),
                Instruction::Stop | Instruction::Win | Instruction::Lose => {
                    found.wins |= *instruction == Instruction::Win;
                    end(&mut ways, How::Stop, ended);
                }
                plain => self.plain(plain, &mut ways, found),
            }
            ways = few(ways);
        }
        ways
    }

    /// A loop: any number of rounds, and one that is left in the middle, for what follows the loop or for good.
    fn rounds(
        &self,
        condition: &Expression,
        body: &Script,
        ways: Vec<Way>,
        ended: &mut Vec<Ended>,
        found: &mut Ways,
    ) -> Vec<Way> {
        let mut start = Way::default();
        check(&mut start.checks, condition, true);
        let mut left = Vec::new();
        let whole = self.block(body, vec![start], &mut left, found);
        let rounds =
            whole.into_iter().chain(left.iter().filter(|end| end.how == How::Again).map(|end| end.way.clone()));
        // A round that uses up its event does not end the loop: it may be gone again.
        found.rounds.extend(rounds.filter(Way::matters).map(|way| Way { used: false, ..way }));
        let mut after: Vec<Way> = ways.iter().map(forget).collect();
        let mut over = Vec::new();
        for end in left.iter().filter(|end| end.how != How::Again) {
            let to = if end.how == How::Stop { &mut over } else { &mut after };
            to.extend(ways.iter().map(|way| followed(way, &end.way)));
        }
        ended.extend(few(over).into_iter().map(|way| Ended { way, how: How::Stop }));
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
        if self.sets_off(instruction) {
            ways.iter_mut().for_each(|way| way.checks.clear());
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

    /// Whether another script may be run at once, after which nothing that was checked need hold.
    fn sets_off(&self, instruction: &Instruction) -> bool {
        let places = instruction.places();
        self.game.tower().events.iter().any(|event| match instruction {
            Instruction::Go { to } => {
                matches!(event.trigger, Trigger::Arrival | Trigger::FirstArrival) && event.at.floor == to.floor
            }
            Instruction::Open { .. } => event.trigger == Trigger::AfterOpen && places.contains(&event.at),
            Instruction::Fight { .. } => event.trigger == Trigger::AfterFight && places.contains(&event.at),
            _ => false,
        })
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

fn end(ways: &mut Vec<Way>, how: How, ended: &mut Vec<Ended>) {
    ended.extend(ways.drain(..).map(|way| Ended { way, how }));
}

/// A way to a loop, then one out of the middle of it.
fn followed(way: &Way, out: &Way) -> Way {
    let mut way = forget(way);
    way.gain.add(&out.gain);
    way.used |= out.used;
    way.gold.extend(out.gold.iter().cloned());
    way.experience.extend(out.experience.iter().cloned());
    way.until = way.until.or(out.until);
    way
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
