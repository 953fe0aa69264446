//! The named variants of the rules. Knows which points they differ in; `combat` does the arithmetic.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::monster::{Abilities, Ability};

/// Public sources of the game disagree in a few points of a fight; a tower names whose rules it follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    /// Algorithm B.1.
    #[default]
    Thesis,
    /// The published Java solver: one ability a monster, neither vampire nor fixed damage.
    Solver,
    /// The HTML5 engine from 2.9 on.
    H5mota,
}

impl RuleSet {
    /// All sets by name.
    pub const ALL: [RuleSet; 3] = [RuleSet::Thesis, RuleSet::Solver, RuleSet::H5mota];

    /// The name that files use.
    pub fn name(self) -> &'static str {
        match self {
            RuleSet::Thesis => "thesis",
            RuleSet::Solver => "solver",
            RuleSet::H5mota => "h5mota",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        RuleSet::ALL
            .into_iter()
            .find(|set| set.name() == text)
            .ok_or_else(|| format!("`{text}` is no rule set; there are thesis, solver and h5mota"))
    }
}

/// A rule set with the switches that a tower may set beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whose rules.
    pub set: RuleSet,
    /// `h5mota` only: a fight that MDEF more than covers heals instead of costing 0.
    pub negative_damage: bool,
    /// `h5mota` only: hatred that each fight stores up, at least 0.
    pub hatred: i64,
}

impl Rules {
    /// What the rule set cannot express about a monster's abilities, in words; `None` if it can.
    pub fn objection(self, abilities: &Abilities) -> Option<String> {
        if self.set != RuleSet::H5mota
            && let Some(ability) = abilities.iter().find(|ability| ability.is_of_engine())
        {
            return Some(format!("{} exists under h5mota rules only", ability.name()));
        }
        match self.set {
            RuleSet::Thesis => abilities
                .iter()
                .any(|ability| matches!(ability, Ability::Vampire { add: true, .. }))
                .then(|| "vampire with `add` exists under h5mota rules only".to_owned()),
            RuleSet::Solver if abilities.iter().count() > 1 => {
                Some("the solver's rules know one ability a monster".to_owned())
            }
            RuleSet::Solver => abilities
                .iter()
                .find(|ability| matches!(ability, Ability::Vampire { .. } | Ability::FixedDamage { .. }))
                .map(|ability| format!("the solver's rules do not know {ability}")),
            RuleSet::H5mota => None,
        }
    }
}

/// When an item in reach is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ItemMode {
    /// At once and free, as the solver does.
    #[default]
    Auto,
    /// By a decision of its own.
    Action,
}
