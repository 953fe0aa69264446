//! The least that a fight can cost, whatever is collected and in whatever order. Calls `game::fight` and computes no
//! damage itself.

use crate::game::{Abilities, Ability, Fight, Hero, Marks, Monster, Rules, fight};

/// A monster as it is at its most harmless: `fight` with it, at attributes that the hero cannot exceed and at 0 HP, is
/// no more than any real fight costs.
///
/// Why: damage falls with ATK (fewer strikes; none changes under solid), with DEF and with MDEF, unless the monster
/// mimics, breaks armour, purifies or counters. The last three add a share of an attribute, which is at least 0, to what
/// is taken before MDEF is taken off, so without them the damage is no higher. A mimic's can be anything from 0, or
/// from what MDEF heals. A vampire takes a share of HP, and where that adds to its own HP the fight is longer with more
/// HP: at 0 HP it takes least. Hatred adds at least 0; without it, and with the cross, he meets least.
/// Where an attribute may be below 0, monsters that take a share of one may cost nothing.
/// What a fight leaves behind (a curse, 1 HP, lower attributes) gives nothing that is counted.
#[derive(Clone, Debug)]
pub(super) struct Harmless {
    monster: Monster,
    mimics: bool,
    /// Whether a share of an attribute below 0 may take something off.
    odd: bool,
    rules: Rules,
}

impl Harmless {
    /// Makes it ready, for a hero of whom some attribute may be below 0, or none ever is.
    pub(super) fn new(monster: &Monster, rules: Rules, negative: bool) -> Self {
        let abilities: Abilities = monster.abilities.iter().filter(|ability| !takes_a_share(ability)).collect();
        let mimics = monster.abilities.iter().any(|ability| ability == Ability::Mimic);
        let odd = negative && Harmless::takes_a_share(monster);
        Harmless { monster: Monster { abilities, ..monster.clone() }, mimics, odd, rules }
    }

    /// Whether a monster takes a share of an attribute.
    pub(super) fn takes_a_share(monster: &Monster) -> bool {
        monster.abilities.iter().any(|ability| takes_a_share(&ability))
    }

    /// The least that it costs a hero who has at most these ATK, DEF and MDEF; none if he cannot win at all. Negative
    /// only where fights can heal.
    pub(super) fn least(&self, [atk, def, mdef]: [i64; 3]) -> Option<i64> {
        let healing = if self.rules.negative_damage { -mdef.max(0) } else { 0 };
        if self.odd {
            return Some(healing);
        }
        if self.mimics {
            // It is hurt by ATK above the hero's own DEF, of which he may have none.
            return (atk > 0).then_some(healing);
        }
        let marks = Marks { cross: true, ..Marks::default() };
        let hero = Hero { hp: 0, atk, def, mdef, marks, ..Hero::default() };
        match fight(&hero, &self.monster, self.rules) {
            Ok(Fight::Winnable { damage } | Fight::Lethal { damage }) => Some(damage),
            Ok(Fight::Unwinnable) => None,
            Err(_) => Some(healing),
        }
    }
}

fn takes_a_share(ability: &Ability) -> bool {
    matches!(
        ability,
        Ability::Mimic | Ability::Purify { .. } | Ability::BreakArmour { .. } | Ability::CounterAttack { .. }
    )
}
