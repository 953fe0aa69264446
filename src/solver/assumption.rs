//! What the exact search rests on, checked for each tower before it is searched.
//!
//! * *More HP before a fight is never less after it.* A vampire that takes more than all HP, or adds what it takes to
//!   its own, breaks this; such a tower is refused by name.
//! * *No fight costs more for a hero with higher attributes*, over all attributes that the tower can give. Mimic, purify,
//!   break armour and counter attack can break this, depending on the numbers, so each is tried at every value. Where it
//!   holds, collecting and fighting for nothing at once is never worse than later, and what gives nothing by itself can wait.
//! * *No fight's cost depends on HP* (vampire), *and none heals*: without these, too, the order of decisions matters.
//!
//! The first is needed by everything. Where one of the others fails, the search goes decision by decision and stays exact.

use std::fmt;

use crate::game::{Ability, Fight, Game, Gem, Hero, Item, MonsterId, Purchase, Tile, fight};

use super::error::{SolveError, overflow};
use super::mechanism::Mechanisms;

/// How a tower keeps what the search rests on.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// What fails, monster by monster.
    pub exceptions: Vec<Exception>,
}

/// A monster that makes the order of decisions matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Its row.
    pub monster: MonsterId,
    /// Its name.
    pub name: String,
    /// Why.
    pub why: Why,
    /// Whether a fight with it may cost more at higher attributes.
    pub may_rise: bool,
}

/// Why the order of decisions matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It takes a share of HP.
    TakesShareOfHp,
    /// A fight with it can heal.
    Heals,
    /// It costs more at the second attributes (ATK, DEF, MDEF) than at the first, which are lower.
    CostsMore([i64; 3], [i64; 3]),
    /// The attributes are too many to try.
    TooManyToTry,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.name)?;
        match &self.why {
            Why::TakesShareOfHp => f.write_str("takes a share of HP"),
            Why::Heals => f.write_str("can heal"),
            Why::CostsMore([atk, def, mdef], [more_atk, more_def, more_mdef]) => write!(
                f,
                "costs more at ATK {more_atk}, DEF {more_def}, MDEF {more_mdef} than at ATK {atk}, DEF {def}, MDEF {mdef}"
            ),
            Why::TooManyToTry => f.write_str("can cost more with higher attributes, and those are too many to try"),
        }
    }
}

/// Values of one attribute that a tower can give: from `low` to `high` in steps.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: i64,
    high: i64,
    step: i64,
}

impl Range {
    fn values(self) -> impl Iterator<Item = i64> {
        let count = if self.step == 0 { 0 } else { (self.high - self.low) / self.step };
        (0..=count).map(move |index| self.low + index * self.step)
    }

    fn count(self) -> i64 {
        if self.step == 0 { 1 } else { (self.high - self.low) / self.step + 1 }
    }
}

impl Assumptions {
    /// Attributes tried a monster, at most.
    const MOST_TRIED: i64 = 1 << 20;

    /// Checks a game.
    ///
    /// # Errors
    /// [`SolveError::NotExact`] if something cannot be handled exactly at all; [`SolveError::Overflow`].
    pub fn of(game: &Game) -> Result<Self, SolveError> {
        refuse(game)?;
        let ranges = ranges(game, most_purchases(game)?)?;
        let mut exceptions = Vec::new();
        for (index, monster) in game.tower().monsters.iter().enumerate() {
            let id = index as MonsterId;
            let stands = game.tower().tiles().any(|(_, tile)| tile == Tile::Monster(id));
            if let Some(why) = stands.then(|| why(game, id, &ranges)).flatten() {
                let may_rise = match why {
                    Why::CostsMore(..) | Why::TooManyToTry => true,
                    Why::TakesShareOfHp => monster.abilities.iter().any(can_rise),
                    Why::Heals => false,
                };
                exceptions.push(Exception { monster: id, name: monster.name.clone(), why, may_rise });
            }
        }
        Ok(Assumptions { exceptions })
    }

    /// Whether all hold, so that the order of decisions matters only where it must.
    pub fn hold(&self) -> bool {
        self.exceptions.is_empty()
    }

    /// Whether a fight with a monster takes no more at higher attributes.
    pub fn falls_with_attributes(&self, monster: MonsterId) -> bool {
        !self.exceptions.iter().any(|exception| exception.monster == monster && exception.may_rise)
    }
}

/// Refuses what no search here handles exactly.
fn refuse(game: &Game) -> Result<(), SolveError> {
    Mechanisms::of(game).map_err(SolveError::NotExact)?;
    for monster in &game.tower().monsters {
        for ability in monster.abilities.iter() {
            if let Ability::Vampire { ratio, add } = ability
                && (ratio.exceeds_one() || add)
            {
                let why = format!(
                    "{}: a vampire that takes more than all HP, or adds what it takes to its own,",
                    monster.name
                );
                return Err(SolveError::NotExact(why));
            }
        }
    }
    Ok(())
}

/// The most purchases that all gold of a tower pays for; 0 where no shop stands.
fn most_purchases(game: &Game) -> Result<u16, SolveError> {
    let Some(shop) = game.tower().shop.filter(|_| game.tower().tiles().any(|(_, tile)| tile == Tile::Shop)) else {
        return Ok(0);
    };
    let gold = |tile| if let Tile::Monster(id) = tile { game.monster(id).gold } else { 0 };
    let mut earned = game.tower().tiles().map(|(_, tile)| gold(tile));
    let all = earned.try_fold(game.tower().hero.gold, i64::checked_add);
    all.and_then(|all| shop.affordable(all)).ok_or_else(overflow)
}

/// Attributes that a tower can give: its start, and the sums of what lies on it and is sold.
fn ranges(game: &Game, purchases: u16) -> Result<[Range; 3], SolveError> {
    let tower = game.tower();
    let start = [tower.hero.atk, tower.hero.def, tower.hero.mdef];
    let mut ranges = start.map(|low| Range { low, high: low, step: 0 });
    let mut add = |index: usize, points: i64, times: i64| {
        let range: &mut Range = &mut ranges[index];
        let more = points.checked_mul(times).and_then(|more| range.high.checked_add(more));
        range.high = more.ok_or_else(overflow)?;
        range.step = gcd(range.step, if times > 0 { points } else { 0 });
        Ok::<(), SolveError>(())
    };
    for (_, tile) in tower.tiles() {
        match tile {
            Tile::Item(Item::Gem(Gem::Red)) => add(0, tower.items.red_gem, 1)?,
            Tile::Item(Item::Gem(Gem::Blue)) => add(1, tower.items.blue_gem, 1)?,
            Tile::Item(Item::Gem(Gem::Green)) => add(2, tower.items.green_gem, 1)?,
            Tile::Item(Item::Sword) => add(0, tower.items.sword, 1)?,
            Tile::Item(Item::Shield) => add(1, tower.items.shield, 1)?,
            Tile::Item(Item::Thing(id)) => {
                if let Some(thing) = tower.things.get(usize::from(id)) {
                    add(0, thing.gain.atk, 1)?;
                    add(1, thing.gain.def, 1)?;
                    add(2, thing.gain.mdef, 1)?;
                }
            }
            _ => {}
        }
    }
    if let Some(shop) = &tower.shop {
        for (index, purchase) in [Purchase::Atk, Purchase::Def, Purchase::Mdef].into_iter().enumerate() {
            add(index, shop.amount(purchase), purchases.into())?;
        }
    }
    Ok(ranges)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Why a monster makes the order of decisions matter, if it does.
fn why(game: &Game, id: MonsterId, ranges: &[Range; 3]) -> Option<Why> {
    let abilities = &game.monster(id).abilities;
    if abilities.depends_on_hp() {
        return Some(Why::TakesShareOfHp);
    }
    if abilities.iter().any(can_rise) {
        let tried = ranges.iter().try_fold(1_i64, |product, range| product.checked_mul(range.count()));
        if tried.is_none_or(|tried| tried > Assumptions::MOST_TRIED) {
            return Some(Why::TooManyToTry);
        }
        if let Some((low, high)) = rise(game, id, ranges) {
            return Some(Why::CostsMore(low, high));
        }
    }
    let best = ranges.map(|range| range.high);
    let heals = game.tower().rules.negative_damage && damage(game, id, best).is_some_and(|damage| damage < 0);
    heals.then_some(Why::Heals)
}

/// Whether an ability can make a fight cost more for a hero with higher attributes. Solid cannot: it keeps a strike at
/// one point, whatever the ATK.
fn can_rise(ability: Ability) -> bool {
    matches!(
        ability,
        Ability::Mimic | Ability::Purify { .. } | Ability::BreakArmour { .. } | Ability::CounterAttack { .. }
    )
}

/// Attributes one step apart at which a monster costs more at the higher. A fight that cannot be won costs most.
fn rise(game: &Game, id: MonsterId, ranges: &[Range; 3]) -> Option<([i64; 3], [i64; 3])> {
    let [atks, defs, mdefs] = *ranges;
    for atk in atks.values() {
        for def in defs.values() {
            for mdef in mdefs.values() {
                let low = [atk, def, mdef];
                let Some(cost) = damage(game, id, low) else { continue };
                for (index, range) in ranges.iter().enumerate() {
                    let mut high = low;
                    high[index] += range.step;
                    let within = range.step > 0 && high[index] <= range.high;
                    if within && damage(game, id, high).is_none_or(|more| more > cost) {
                        return Some((low, high));
                    }
                }
            }
        }
    }
    None
}

/// HP that a fight takes; none if it cannot be won or computed.
fn damage(game: &Game, id: MonsterId, [atk, def, mdef]: [i64; 3]) -> Option<i64> {
    let hero = Hero { hp: 1, atk, def, mdef, ..Hero::default() };
    fight(&hero, game.monster(id), game.tower().rules).ok().and_then(Fight::damage)
}
