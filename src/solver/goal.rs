//! What is to be as high as possible at the end: HP, or a sum that a player asks for.

use std::fmt;
use std::str::FromStr;

use crate::game::{Colour, Hero};

/// A weighted sum of what the hero has after the boss fell. Weights are at least 0, so that more is never worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Of HP.
    pub hp: i64,
    /// Of ATK, DEF, MDEF.
    pub attributes: [i64; 3],
    /// Of keys, in the order of `Colour::ALL`.
    pub keys: [i64; 4],
}

impl Default for Goal {
    fn default() -> Self {
        Goal { hp: 1, ..Goal::NOTHING }
    }
}

impl Goal {
    /// No weight anywhere.
    const NOTHING: Goal = Goal { hp: 0, attributes: [0; 3], keys: [0; 4] };

    /// What a hero is worth; none beyond `i64`.
    pub fn of(&self, hero: &Hero) -> Option<i64> {
        let terms = [(self.hp, hero.hp)]
            .into_iter()
            .chain(self.attributes.into_iter().zip([hero.atk, hero.def, hero.mdef]))
            .chain(self.keys.into_iter().zip(Colour::ALL.map(|colour| hero.keys[colour])));
        terms
            .filter(|(weight, _)| *weight != 0)
            .try_fold(0_i64, |sum, (weight, quantity)| sum.checked_add(weight.checked_mul(quantity)?))
    }

    /// The same goal with all weights multiplied by `scale` and, if that is more than 1, HP to decide between equals.
    /// None beyond `i64`.
    pub fn scaled(&self, scale: i64) -> Option<Goal> {
        let mut goal = *self;
        for weight in goal.attributes.iter_mut().chain(&mut goal.keys) {
            *weight = weight.checked_mul(scale)?;
        }
        if scale > 1 {
            goal.hp = goal.hp.checked_mul(scale)?.checked_add(1)?;
        }
        Some(goal)
    }

    /// Whether keys that are left count.
    pub fn counts_keys(&self) -> bool {
        self.keys != [0; 4]
    }

    fn weights(&mut self, name: &str) -> Option<&mut [i64]> {
        Some(match name {
            "hp" => std::slice::from_mut(&mut self.hp),
            "atk" => &mut self.attributes[..1],
            "def" => &mut self.attributes[1..2],
            "mdef" => &mut self.attributes[2..],
            "keys" => &mut self.keys,
            "yellow" => &mut self.keys[..1],
            "blue" => &mut self.keys[1..2],
            "red" => &mut self.keys[2..3],
            "green" => &mut self.keys[3..],
            _ => return None,
        })
    }
}

/// A text that is no goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{term}` in the goal `{goal}`: a goal is a sum such as `hp`, `atk+def` or `hp + 50*yellow`, with whole weights \
         of at least 0; there are hp, atk, def, mdef, keys, yellow, blue, red and green (keys)"
)]
pub struct NotAGoal {
    goal: String,
    term: String,
}

impl FromStr for Goal {
    type Err = NotAGoal;

    fn from_str(text: &str) -> Result<Self, NotAGoal> {
        let mut goal = Goal::NOTHING;
        for term in text.split('+') {
            let wrong = || NotAGoal { goal: text.to_owned(), term: term.trim().to_owned() };
            let (weight, name) = match term.split_once('*') {
                Some((weight, name)) => (weight.trim().parse().map_err(|_| wrong())?, name.trim()),
                None => (1, term.trim()),
            };
            if weight < 0 {
                return Err(wrong());
            }
            for sum in goal.weights(&name.to_lowercase()).ok_or_else(wrong)? {
                *sum = sum.checked_add(weight).ok_or_else(wrong)?;
            }
        }
        Ok(goal)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [atk, def, mdef] = self.attributes;
        let [yellow, blue, red, green] = self.keys;
        let one_weight = self.keys.iter().all(|weight| *weight == yellow);
        let keys = match one_weight {
            true => vec![(yellow, "keys")],
            false => vec![(yellow, "yellow"), (blue, "blue"), (red, "red"), (green, "green")],
        };
        let terms = [(self.hp, "hp"), (atk, "atk"), (def, "def"), (mdef, "mdef")].into_iter().chain(keys);
        let terms: Vec<String> = terms
            .filter(|(weight, _)| *weight != 0)
            .map(|(weight, name)| if weight == 1 { name.to_owned() } else { format!("{weight}*{name}") })
            .collect();
        f.write_str(if terms.is_empty() { "0*hp".to_owned() } else { terms.join(" + ") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for text in ["hp", "atk + def", "hp + 50*yellow", "2*hp + mdef + 3*keys", "5*blue + red", "0*hp"] {
            assert_eq!(text.parse::<Goal>().unwrap().to_string(), text);
        }
        assert_eq!("HP+hp + keys".parse::<Goal>().unwrap().to_string(), "2*hp + keys");
        for wrong in ["", "hp+", "-1*hp", "hp*2", "gold", "1.5*hp", "9223372036854775807*hp+hp"] {
            assert!(wrong.parse::<Goal>().is_err(), "{wrong}");
        }
    }
}
