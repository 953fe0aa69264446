//! What may be varied, and within which range.

use std::fmt;
use std::ops::RangeInclusive;

use crate::game::{Abilities, Ability, Tower};

/// Something of a floor that may be varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Whose.
    pub subject: Subject,
    /// What.
    pub of: Quantity,
    /// From where to where; of abilities, indices into the choices.
    pub range: RangeInclusive<i64>,
    /// What may be chosen: an ability, or none; empty for numbers.
    pub choices: Vec<Option<Ability>>,
}

/// Whose quantity it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The hero's, at the start.
    Hero,
    /// That of the monsters of a symbol.
    Monster(String),
}

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// HP.
    Hp,
    /// ATK.
    Atk,
    /// DEF.
    Def,
    /// The one ability of a monster, or none.
    Ability,
}

/// Something that cannot be varied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// The floor has no such monster.
    #[error("the floor has no monster `{symbol}`; it has {known}")]
    NoMonster {
        /// The symbol.
        symbol: String,
        /// Those that it has.
        known: String,
    },
    /// A range that holds values which no tower can have.
    #[error("{parameter}: the least that it can be is {least}, not {found}")]
    TooLow {
        /// Which.
        parameter: String,
        /// The least.
        least: i64,
        /// What was asked for.
        found: i64,
    },
    /// Something that is varied twice.
    #[error("{0} is varied twice")]
    Twice(String),
    /// A range without a value.
    #[error("{0}: there is nothing to choose from")]
    Empty(String),
    /// Nothing is varied.
    #[error("nothing is varied")]
    Nothing,
    /// Only monsters have abilities.
    #[error("the hero has no abilities")]
    HeroAbility,
}

/// The abilities that a monster may be given, the first being none.
pub const ABILITIES: [Option<Ability>; 7] = [
    None,
    Some(Ability::MagicAttack),
    Some(Ability::FirstStrike),
    Some(Ability::Double),
    Some(Ability::Triple),
    Some(Ability::NStrike { n: Ability::DEFAULT_N }),
    Some(Ability::BreakArmour { ratio: Ability::DEFAULT_BREAK_ARMOUR }),
];

/// The name of an ability, or of having none, as it is typed.
pub fn ability_name(choice: Option<Ability>) -> &'static str {
    match choice {
        None => "none",
        Some(Ability::NStrike { n: Ability::DEFAULT_N }) => "four-strike attack",
        Some(ability) => ability.name(),
    }
}

impl Parameter {
    /// A number that may be varied.
    pub fn number(subject: Subject, of: Quantity, range: RangeInclusive<i64>) -> Self {
        Parameter { subject, of, range, choices: Vec::new() }
    }

    /// An ability that may be one of several.
    pub fn ability(subject: Subject, choices: Vec<Option<Ability>>) -> Self {
        Parameter { subject, of: Quantity::Ability, range: 0..=choices.len() as i64 - 1, choices }
    }

    /// HP, ATK and DEF of every monster, from half to one and a half of what they are.
    pub fn default_of(tower: &Tower) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for monster in &tower.monsters {
            let subject = || Subject::Monster(monster.symbol.clone());
            let around = |value: i64| value / 2..=value.saturating_add(value / 2);
            let hp = around(monster.hp);
            parameters.push(Parameter::number(subject(), Quantity::Hp, (*hp.start()).max(1)..=*hp.end()));
            parameters.push(Parameter::number(subject(), Quantity::Atk, around(monster.atk)));
            parameters.push(Parameter::number(subject(), Quantity::Def, around(monster.def)));
        }
        parameters
    }

    /// Checks parameters against the floor that they are of.
    ///
    /// # Errors
    /// The first [`ParameterError`].
    pub fn check(parameters: &[Parameter], tower: &Tower) -> Result<(), ParameterError> {
        if parameters.is_empty() {
            return Err(ParameterError::Nothing);
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if parameter.range.is_empty() {
                return Err(ParameterError::Empty(parameter.to_string()));
            }
            if let Subject::Monster(symbol) = &parameter.subject
                && !tower.monsters.iter().any(|monster| monster.symbol == *symbol)
            {
                let known: Vec<&str> = tower.monsters.iter().map(|monster| monster.symbol.as_str()).collect();
                return Err(ParameterError::NoMonster { symbol: symbol.clone(), known: known.join(", ") });
            }
            if parameter.subject == Subject::Hero && parameter.of == Quantity::Ability {
                return Err(ParameterError::HeroAbility);
            }
            let (least, found) = (parameter.least(), *parameter.range.start());
            if found < least {
                return Err(ParameterError::TooLow { parameter: parameter.to_string(), least, found });
            }
            let same = |other: &&Parameter| other.subject == parameter.subject && other.of == parameter.of;
            if parameters[..index].iter().any(|other| same(&other)) {
                return Err(ParameterError::Twice(parameter.to_string()));
            }
        }
        Ok(())
    }

    /// What it is on a floor; of abilities, the index among the choices. The nearest value in range, or the first
    /// choice, where it is none of them.
    pub fn value_on(&self, tower: &Tower) -> i64 {
        let monster = |symbol: &str| tower.monsters.iter().find(|monster| monster.symbol == symbol);
        let value = match (&self.subject, self.of) {
            (Subject::Hero, Quantity::Hp) => tower.hero.hp,
            (Subject::Hero, Quantity::Atk) => tower.hero.atk,
            (Subject::Hero, _) => tower.hero.def,
            (Subject::Monster(symbol), of) => monster(symbol).map_or(0, |monster| match of {
                Quantity::Hp => monster.hp,
                Quantity::Atk => monster.atk,
                Quantity::Def => monster.def,
                Quantity::Ability => {
                    let set = |choice: &Option<Ability>| choice.iter().copied().collect::<Abilities>();
                    let found = self.choices.iter().position(|choice| set(choice) == monster.abilities);
                    found.unwrap_or_default() as i64
                }
            }),
        };
        value.max(*self.range.start()).min(*self.range.end())
    }

    /// Puts a value of its range onto a floor.
    pub fn put(&self, tower: &mut Tower, value: i64) {
        match &self.subject {
            Subject::Hero => match self.of {
                Quantity::Hp => tower.hero.hp = value,
                Quantity::Atk => tower.hero.atk = value,
                Quantity::Def => tower.hero.def = value,
                Quantity::Ability => {}
            },
            Subject::Monster(symbol) => {
                for monster in tower.monsters.iter_mut().filter(|monster| monster.symbol == *symbol) {
                    match self.of {
                        Quantity::Hp => monster.hp = value,
                        Quantity::Atk => monster.atk = value,
                        Quantity::Def => monster.def = value,
                        Quantity::Ability => {
                            monster.abilities = self.choice(value).flatten().into_iter().collect();
                        }
                    }
                }
            }
        }
    }

    /// A value of its range in words.
    pub fn describe(&self, value: i64) -> String {
        self.choice(value).map_or_else(|| value.to_string(), |choice| ability_name(choice).to_owned())
    }

    fn choice(&self, value: i64) -> Option<Option<Ability>> {
        usize::try_from(value).ok().and_then(|index| self.choices.get(index)).copied()
    }

    fn least(&self) -> i64 {
        i64::from(self.of == Quantity::Hp)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match &self.subject {
            Subject::Hero => "hero",
            Subject::Monster(symbol) => symbol,
        };
        let of = match self.of {
            Quantity::Hp => "hp",
            Quantity::Atk => "atk",
            Quantity::Def => "def",
            Quantity::Ability => "ability",
        };
        write!(f, "{subject}.{of}")
    }
}
