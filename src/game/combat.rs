//! The cost of one fight: Algorithm B.1 and its two published variants. The only place that computes damage.

use super::hero::Hero;
use super::monster::{Abilities, Monster};
use super::ratio::Ratio;
use super::rules::{RuleSet, Rules};

/// How a fight would end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fight {
    /// The hero wins and lives.
    Winnable {
        /// HP that it costs; negative only where the rules let a fight heal.
        damage: i64,
    },
    /// The hero can hurt the monster, but the fight costs all his HP or more.
    Lethal {
        /// HP that it would cost, at least the hero's HP.
        damage: i64,
    },
    /// The hero's strikes do nothing.
    Unwinnable,
}

impl Fight {
    /// HP that the fight costs; none if it cannot be fought.
    pub fn damage(self) -> Option<i64> {
        match self {
            Fight::Winnable { damage } | Fight::Lethal { damage } => Some(damage),
            Fight::Unwinnable => None,
        }
    }
}

/// A quantity of the fight left the range of `i64`. The caller knows the monster and names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a quantity of this fight is beyond 64 bits")]
pub struct Overflow;

/// The outcome of a fight, line by line as in Algorithm B.1 (section B.1); the comments give its line numbers.
///
/// # Errors
/// [`Overflow`] if any quantity leaves `i64`, never a wrapped number.
#[inline]
pub fn fight(hero: &Hero, monster: &Monster, rules: Rules) -> Result<Fight, Overflow> {
    let abilities = &monster.abilities;
    if abilities.invincible && !hero.marks.cross {
        return Ok(Fight::Unwinnable);
    }
    let engine = rules.set == RuleSet::H5mota;
    let (monster_atk, monster_def) = effective_attributes(hero, monster, rules.set)?; // 1, 2
    let strike = hero.atk.checked_sub(monster_def).ok_or(Overflow)?; // 3
    if strike <= 0 {
        return Ok(Fight::Unwinnable); // 4
    }
    let drained = share(abilities.vampire, hero.hp, engine)?; // 10; before 5, because it may heal the monster
    let monster_hp = match abilities.vampire_adds && engine {
        true => monster.hp.checked_add(drained).ok_or(Overflow)?,
        false => monster.hp,
    };
    // 5: ceil(HP / strike), at least one strike
    let strikes = monster_hp.max(1).checked_sub(1).ok_or(Overflow)? / strike + 1;
    let single = match abilities.magic_attack {
        true => monster_atk,
        false => monster_atk.checked_sub(hero.def).ok_or(Overflow)?.max(0),
    }; // 6
    let blow = single.checked_mul(strikes_a_blow(abilities, engine)?).ok_or(Overflow)?; // 7
    let counter = share(abilities.counter_attack, hero.atk, engine)?; // 13
    let answers = strikes - 1;
    let counters = if engine { strikes } else { answers };
    let fixed = abilities.fixed_damage.unwrap_or(0); // 15
    let before = Some(drained) // 8 to 12
        .and_then(|sum| sum.checked_add(if abilities.first_strike { blow } else { 0 }))
        .and_then(|sum| sum.checked_add(share(abilities.break_armour, hero.def, engine).ok()?))
        .and_then(|sum| sum.checked_add(share(abilities.purify, hero.mdef, engine).ok()?));
    let exchanged = before // 14
        .and_then(|sum| sum.checked_add(blow.checked_mul(answers)?))
        .and_then(|sum| sum.checked_add(counter.checked_mul(counters)?));
    let damage = match engine {
        false => exchanged.and_then(|sum| sum.checked_add(fixed)?.checked_sub(hero.mdef)).map(|sum| sum.max(0)), // 16
        true => exchanged
            .and_then(|sum| sum.checked_sub(hero.mdef))
            .map(|sum| if rules.negative_damage { sum } else { sum.max(0) })
            .and_then(|sum| sum.checked_add(fixed)?.checked_add(if abilities.hatred { hero.marks.hatred } else { 0 })),
    }
    .ok_or(Overflow)?;
    match hero.hp.checked_sub(damage).ok_or(Overflow)? {
        1.. => Ok(Fight::Winnable { damage }), // 17
        _ => Ok(Fight::Lethal { damage }),
    }
}

/// The hero after a fight that he has won: what it took and what it gives, then what the engine's later abilities leave
/// behind, in the engine's order: gold and experience (none under a curse), curse, half of the hatred gone, HP to 1,
/// ATK and DEF drained, hatred stored up. `None` if a quantity leaves `i64`.
pub fn after(hero: &Hero, monster: &Monster, damage: i64, rules: Rules) -> Option<Hero> {
    let mut after = *hero;
    let abilities = &monster.abilities;
    after.hp = hero.hp.checked_sub(damage)?;
    if !hero.marks.curse {
        let coins = if hero.marks.coin { 2 } else { 1 };
        after.gold = hero.gold.checked_add(monster.gold.checked_mul(coins)?)?;
        after.experience = hero.experience.checked_add(monster.experience)?;
    }
    after.marks.curse |= abilities.curse;
    if abilities.hatred {
        after.marks.hatred = hero.marks.hatred.div_euclid(2);
    }
    if abilities.self_destruct {
        after.hp = 1;
    }
    if let Some((atk, def)) = abilities.drain {
        after.atk = hero.atk.checked_sub(atk)?.max(0);
        after.def = hero.def.checked_sub(def)?.max(0);
    }
    after.marks.hatred = after.marks.hatred.checked_add(rules.hatred)?;
    Some(after)
}

/// Lines 1 and 2: the monster's ATK and DEF after mimic and solid, in the order of the rule set.
fn effective_attributes(hero: &Hero, monster: &Monster, set: RuleSet) -> Result<(i64, i64), Overflow> {
    let hard = hero.atk.checked_sub(1).ok_or(Overflow)?;
    let solid = |def: i64| if monster.abilities.solid { def.max(hard) } else { def };
    Ok(match (monster.abilities.mimic, set) {
        (false, _) => (monster.atk, solid(monster.def)),
        (true, RuleSet::Solver) => (hero.atk, hero.def),
        (true, RuleSet::Thesis | RuleSet::H5mota) => (hero.atk, solid(hero.def)),
    })
}

/// Line 7: strikes in one blow. The HTML5 engine multiplies the abilities, Algorithm B.1 takes the first.
fn strikes_a_blow(abilities: &Abilities, engine: bool) -> Result<i64, Overflow> {
    let double = if abilities.double { 2 } else { 1 };
    let triple = if abilities.triple { 3 } else { 1 };
    let n = abilities.n_strike.unwrap_or(1);
    match engine {
        true => n.checked_mul(double * triple).ok_or(Overflow),
        false if abilities.double => Ok(double),
        false if abilities.triple => Ok(triple),
        false => Ok(n),
    }
}

/// A share of one of the hero's attributes; 0 without the ability.
fn share(ratio: Option<Ratio>, attribute: i64, engine: bool) -> Result<i64, Overflow> {
    match ratio {
        None => Ok(0),
        Some(ratio) if engine => ratio.floor_of_in_doubles(attribute).ok_or(Overflow),
        Some(ratio) => ratio.floor_of(attribute).ok_or(Overflow),
    }
}

/// The DEF that the hero's strikes meet: the table's, or what mimic and solid make of it. For messages; `i64::MAX`
/// if it cannot be computed.
pub fn defence(hero: &Hero, monster: &Monster, rules: Rules) -> i64 {
    effective_attributes(hero, monster, rules.set).map_or(i64::MAX, |(_, def)| def)
}
