//! Monsters and their abilities. Knows the game data's ability codes; `combat` knows what they do.

use std::fmt;

use super::ratio::Ratio;

/// A row of a tower's monster table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monster {
    /// The map's symbol for it: a number, or `B` for the boss.
    pub symbol: String,
    /// What people read.
    pub name: String,
    /// HP at the start of a fight, at least 1.
    pub hp: i64,
    /// ATK, at least 0.
    pub atk: i64,
    /// DEF, at least 0.
    pub def: i64,
    /// Gold that defeating it gives, at least 0.
    pub gold: i64,
    /// Experience that defeating it gives, at least 0.
    pub experience: i64,
    /// Its abilities, any number at once.
    pub abilities: Abilities,
    /// Whether defeating it wins the game.
    pub boss: bool,
}

/// An ability, with the parameters that a tower's data may override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Strikes once before the fight.
    FirstStrike,
    /// Its strikes ignore the hero's DEF.
    MagicAttack,
    /// Its DEF is at least the hero's ATK less 1.
    Solid,
    /// Strikes twice each time.
    Double,
    /// Strikes three times each time.
    Triple,
    /// Strikes `n` times each time.
    NStrike {
        /// Strikes, at least 1.
        n: i64,
    },
    /// Takes a share of the hero's DEF before the fight.
    BreakArmour {
        /// Share of DEF.
        ratio: Ratio,
    },
    /// Adds a share of the hero's ATK to each of its strikes.
    CounterAttack {
        /// Share of ATK.
        ratio: Ratio,
    },
    /// Takes a multiple of the hero's MDEF before the fight.
    Purify {
        /// Multiple of MDEF.
        ratio: Ratio,
    },
    /// Has the hero's own ATK and DEF.
    Mimic,
    /// Takes a share of the hero's HP before the fight.
    Vampire {
        /// Share of HP.
        ratio: Ratio,
        /// `h5mota` only: what it takes is added to its own HP.
        add: bool,
    },
    /// Takes a fixed number of HP.
    FixedDamage {
        /// HP, at least 0.
        damage: i64,
    },
    /// Curses who has beaten it: later fights give neither gold nor experience.
    Curse,
    /// Takes as many HP more as there is hatred, half of which is then gone.
    Hatred,
    /// Leaves who has beaten it with 1 HP.
    SelfDestruct,
    /// Cannot be hurt without the cross.
    Invincible,
    /// Lowers ATK and DEF of who has beaten it, to no less than 0.
    Drain {
        /// Points of ATK, at least 0.
        atk: i64,
        /// Points of DEF, at least 0.
        def: i64,
    },
}

/// Codes of the game data, as Algorithm B.1 lists them.
impl Ability {
    /// N of N-strike unless a tower overrides it.
    pub const DEFAULT_N: i64 = 4;
    /// Share of DEF that break armour takes unless a tower overrides it.
    pub const DEFAULT_BREAK_ARMOUR: Ratio = Ratio::constant(9, 10);
    /// Share of ATK that counter attack adds unless a tower overrides it.
    pub const DEFAULT_COUNTER_ATTACK: Ratio = Ratio::constant(1, 10);
    /// Multiple of MDEF that purify takes unless a tower overrides it.
    pub const DEFAULT_PURIFY: Ratio = Ratio::constant(3, 1);
    /// Codes that need no parameter, with default parameters where they have one.
    pub const PLAIN: [Ability; 10] = [
        Ability::FirstStrike,
        Ability::MagicAttack,
        Ability::Solid,
        Ability::Double,
        Ability::Triple,
        Ability::NStrike { n: Ability::DEFAULT_N },
        Ability::BreakArmour { ratio: Ability::DEFAULT_BREAK_ARMOUR },
        Ability::CounterAttack { ratio: Ability::DEFAULT_COUNTER_ATTACK },
        Ability::Purify { ratio: Ability::DEFAULT_PURIFY },
        Ability::Mimic,
    ];

    /// The game data's code.
    pub fn code(self) -> u8 {
        match self {
            Ability::FirstStrike => 1,
            Ability::MagicAttack => 2,
            Ability::Solid => 3,
            Ability::Double => 4,
            Ability::Triple => 5,
            Ability::NStrike { .. } => 6,
            Ability::BreakArmour { .. } => 7,
            Ability::CounterAttack { .. } => 8,
            Ability::Purify { .. } => 9,
            Ability::Mimic => 10,
            Ability::Vampire { .. } => 11,
            Ability::FixedDamage { .. } => 22,
            Ability::Curse => 14,
            Ability::Hatred => 17,
            Ability::SelfDestruct => 19,
            Ability::Invincible => 20,
            Ability::Drain { .. } => 21,
        }
    }

    /// Whether only the HTML5 engine's rules have it.
    pub fn is_of_engine(self) -> bool {
        matches!(
            self,
            Ability::Curse | Ability::Hatred | Ability::SelfDestruct | Ability::Invincible | Ability::Drain { .. }
        )
    }

    /// The name that files and people use, without parameters.
    pub fn name(self) -> &'static str {
        match self {
            Ability::FirstStrike => "first strike",
            Ability::MagicAttack => "magic attack",
            Ability::Solid => "solid",
            Ability::Double => "double attack",
            Ability::Triple => "triple attack",
            Ability::NStrike { .. } => "N-strike",
            Ability::BreakArmour { .. } => "break armour",
            Ability::CounterAttack { .. } => "counter attack",
            Ability::Purify { .. } => "purify",
            Ability::Mimic => "mimic",
            Ability::Vampire { .. } => "vampire",
            Ability::FixedDamage { .. } => "fixed damage",
            Ability::Curse => "curse",
            Ability::Hatred => "hatred",
            Ability::SelfDestruct => "self-destruct",
            Ability::Invincible => "invincible",
            Ability::Drain { .. } => "drain",
        }
    }
}

/// The name, with the parameter where it matters.
impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ability::NStrike { n } => write!(f, "{n}-strike attack"),
            Ability::BreakArmour { ratio } if *ratio != Ability::DEFAULT_BREAK_ARMOUR => {
                write!(f, "break armour ({ratio} of DEF)")
            }
            Ability::CounterAttack { ratio } if *ratio != Ability::DEFAULT_COUNTER_ATTACK => {
                write!(f, "counter attack ({ratio} of ATK)")
            }
            Ability::Purify { ratio } if *ratio != Ability::DEFAULT_PURIFY => {
                write!(f, "purify ({ratio} times MDEF)")
            }
            Ability::Vampire { ratio, .. } => write!(f, "vampire ({ratio} of HP)"),
            Ability::FixedDamage { damage } => write!(f, "fixed damage ({damage})"),
            Ability::SelfDestruct => f.write_str("self-destruct (leaves 1 HP)"),
            Ability::Invincible => f.write_str("invincible without the cross"),
            Ability::Drain { atk, def } => write!(f, "drain ({atk} ATK, {def} DEF)"),
            plain => f.write_str(plain.name()),
        }
    }
}

/// A set of abilities, at most one of each code, laid out so that a fight reads it without a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Abilities {
    pub(super) first_strike: bool,
    pub(super) magic_attack: bool,
    pub(super) solid: bool,
    pub(super) double: bool,
    pub(super) triple: bool,
    pub(super) mimic: bool,
    pub(super) vampire_adds: bool,
    pub(super) n_strike: Option<i64>,
    pub(super) break_armour: Option<Ratio>,
    pub(super) counter_attack: Option<Ratio>,
    pub(super) purify: Option<Ratio>,
    pub(super) vampire: Option<Ratio>,
    pub(super) fixed_damage: Option<i64>,
    pub(super) curse: bool,
    pub(super) hatred: bool,
    pub(super) self_destruct: bool,
    pub(super) invincible: bool,
    pub(super) drain: Option<(i64, i64)>,
}

impl Abilities {
    /// No ability.
    pub fn none() -> Self {
        Abilities::default()
    }

    /// Adds an ability, replacing one of the same code.
    pub fn insert(&mut self, ability: Ability) {
        match ability {
            Ability::FirstStrike => self.first_strike = true,
            Ability::MagicAttack => self.magic_attack = true,
            Ability::Solid => self.solid = true,
            Ability::Double => self.double = true,
            Ability::Triple => self.triple = true,
            Ability::NStrike { n } => self.n_strike = Some(n),
            Ability::BreakArmour { ratio } => self.break_armour = Some(ratio),
            Ability::CounterAttack { ratio } => self.counter_attack = Some(ratio),
            Ability::Purify { ratio } => self.purify = Some(ratio),
            Ability::Mimic => self.mimic = true,
            Ability::Vampire { ratio, add } => {
                self.vampire = Some(ratio);
                self.vampire_adds = add;
            }
            Ability::FixedDamage { damage } => self.fixed_damage = Some(damage),
            Ability::Curse => self.curse = true,
            Ability::Hatred => self.hatred = true,
            Ability::SelfDestruct => self.self_destruct = true,
            Ability::Invincible => self.invincible = true,
            Ability::Drain { atk, def } => self.drain = Some((atk, def)),
        }
    }

    /// The abilities in order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = Ability> + '_ {
        [
            self.first_strike.then_some(Ability::FirstStrike),
            self.magic_attack.then_some(Ability::MagicAttack),
            self.solid.then_some(Ability::Solid),
            self.double.then_some(Ability::Double),
            self.triple.then_some(Ability::Triple),
            self.n_strike.map(|n| Ability::NStrike { n }),
            self.break_armour.map(|ratio| Ability::BreakArmour { ratio }),
            self.counter_attack.map(|ratio| Ability::CounterAttack { ratio }),
            self.purify.map(|ratio| Ability::Purify { ratio }),
            self.mimic.then_some(Ability::Mimic),
            self.vampire.map(|ratio| Ability::Vampire { ratio, add: self.vampire_adds }),
            self.curse.then_some(Ability::Curse),
            self.hatred.then_some(Ability::Hatred),
            self.self_destruct.then_some(Ability::SelfDestruct),
            self.invincible.then_some(Ability::Invincible),
            self.drain.map(|(atk, def)| Ability::Drain { atk, def }),
            self.fixed_damage.map(|damage| Ability::FixedDamage { damage }),
        ]
        .into_iter()
        .flatten()
    }

    /// Whether a fight changes or needs more than HP: what the engine's later abilities do.
    pub fn leave_marks(&self) -> bool {
        self.curse || self.hatred || self.self_destruct || self.invincible || self.drain.is_some()
    }

    /// Whether a fight's damage depends on the hero's HP.
    pub fn depends_on_hp(&self) -> bool {
        self.vampire.is_some()
    }
}

impl FromIterator<Ability> for Abilities {
    fn from_iter<T: IntoIterator<Item = Ability>>(abilities: T) -> Self {
        let mut set = Abilities::none();
        for ability in abilities {
            set.insert(ability);
        }
        set
    }
}
