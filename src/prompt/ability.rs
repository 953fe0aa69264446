//! What each ability does, in a sentence for players. `game::combat` is what computes it.

use crate::game::Ability;

/// What an ability does in a fight.
pub fn effect(ability: Ability) -> String {
    match ability {
        Ability::FirstStrike => "strikes once more, before the hero's first strike".into(),
        Ability::MagicAttack => "its strikes ignore the hero's DEF".into(),
        Ability::Solid => {
            "its DEF counts as at least the hero's ATK - 1, so a strike takes at most 1 HP from it".into()
        }
        Ability::Double => "strikes 2 times in each of its turns".into(),
        Ability::Triple => "strikes 3 times in each of its turns".into(),
        Ability::NStrike { n } => format!("strikes {n} times in each of its turns"),
        Ability::BreakArmour { ratio } => format!("before the fight takes {ratio} x the hero's DEF from his HP"),
        Ability::CounterAttack { ratio } => format!("each of its turns takes {ratio} x the hero's ATK as well"),
        Ability::Purify { ratio } => format!("before the fight takes {ratio} x the hero's MDEF from his HP"),
        Ability::Mimic => "fights with the hero's own ATK and DEF".into(),
        Ability::Vampire { ratio, add: false } => format!("before the fight takes {ratio} x the hero's HP"),
        Ability::Vampire { ratio, add: true } => {
            format!("before the fight takes {ratio} x the hero's HP and adds it to its own")
        }
        Ability::FixedDamage { damage } => format!("takes {damage} HP more in every fight"),
        Ability::Curse => "curses who beats it: later fights give neither gold nor experience".into(),
        Ability::Hatred => "takes as many HP more as hatred is stored up; half of that is then gone".into(),
        Ability::SelfDestruct => "leaves who beats it with 1 HP".into(),
        Ability::Invincible => "cannot be hurt without the cross".into(),
        Ability::Drain { atk, def } => format!("takes {atk} ATK and {def} DEF from who beats it, for good"),
    }
}
