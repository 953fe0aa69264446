//! Targets and parameters as they are typed.

use crate::calibrate::parameter::{ABILITIES, Parameter, Quantity, Subject, ability_name};
use crate::calibrate::{Measure, Target, Wanted};
use crate::cli::range::range;
use crate::game::{Ability, Position, Tower};
use crate::inspect::Player;

/// Reads a target such as `optimum=1..60`, `greedy=lost` or `after 6,8=lost`.
///
/// # Errors
/// That it is none, in words.
pub fn target(text: &str) -> Result<Target, String> {
    let (name, wanted) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=RANGE"))?;
    let measure = measure(name.trim())?;
    let may_be_lost = matches!(measure, Measure::Agent(_) | Measure::After(_) | Measure::Optimum);
    let wanted = match wanted.trim() {
        "lost" if may_be_lost => Wanted::Lost,
        "won" if may_be_lost => Wanted::Won,
        numbers => Wanted::Within(range(numbers)?),
    };
    Ok(Target { measure, wanted })
}

fn measure(name: &str) -> Result<Measure, String> {
    let mut words = name.split_whitespace();
    Ok(match (words.next().unwrap_or_default(), words.collect::<Vec<_>>().as_slice()) {
        ("optimum", []) => Measure::Optimum,
        ("decisions", []) => Measure::Decisions,
        ("critical", []) => Measure::Critical,
        ("forced", []) => Measure::Forced,
        ("costly", []) => Measure::Costly,
        ("lethal", []) => Measure::Lethal,
        ("wrong-doors", []) => Measure::WrongDoors,
        ("first-losing", []) => Measure::FirstLosing,
        ("lost-states", []) => Measure::LostStates,
        ("winning-sets", []) => Measure::WinningSets,
        ("first-actions", []) => Measure::FirstActions,
        ("value-lost", ["greedy"]) => Measure::ValueLost(Player::Greedy),
        ("value-lost", ["heuristic"]) => Measure::ValueLost(Player::Heuristic),
        ("after", actions @ [_, ..]) => Measure::After(positions(actions)?),
        (agent, []) => match Player::REFERENCE.into_iter().find(|player| player.name() == agent) {
            Some(Player::Random) => return Err("`random` plays otherwise each time; name another agent".into()),
            Some(player) => Measure::Agent(player),
            None => return Err(unknown(name)),
        },
        _ => return Err(unknown(name)),
    })
}

fn positions(words: &[&str]) -> Result<Vec<Position>, String> {
    words.iter().map(|word| word.parse().map_err(|error| format!("`{word}`: {error}"))).collect()
}

fn unknown(name: &str) -> String {
    let known = "optimum, decisions, critical, forced, costly, lethal, wrong-doors, first-losing, lost-states, winning-sets, first-actions, \
                 greedy, heuristic, lookahead, published_route, value-lost AGENT, after X,Y …";
    format!("nothing called `{name}` is measured; known: {known}")
}

/// Reads what may be varied on a floor; `*` stands for all of its monsters but those that are named for the same
/// quantity.
///
/// # Errors
/// What is wrong, in words.
pub fn parameters(typed: &[String], tower: &Tower) -> Result<Vec<Parameter>, String> {
    // With whether it was named, for which the order matters: the lots are drawn parameter by parameter.
    let mut parameters: Vec<(Parameter, bool)> = Vec::new();
    for text in typed {
        let (whose, of, values) = parts(text).ok_or_else(|| format!("`{text}` is not WHOSE.WHAT=RANGE"))?;
        let named = whose != "*";
        let subjects = match whose {
            "hero" => vec![Subject::Hero],
            "*" => tower.monsters.iter().map(|monster| Subject::Monster(monster.symbol.clone())).collect(),
            symbol => vec![Subject::Monster(symbol.to_owned())],
        };
        for subject in subjects {
            let parameter = parameter(subject, of, values)?;
            let same = |other: &Parameter| other.subject == parameter.subject && other.of == parameter.of;
            match parameters.iter_mut().find(|(other, _)| same(other)) {
                Some((_, true)) if !named => {}
                Some(held @ (_, false)) if named => *held = (parameter, named),
                Some((other, _)) => return Err(format!("{other} is varied twice")),
                None => parameters.push((parameter, named)),
            }
        }
    }
    Ok(parameters.into_iter().map(|(parameter, _)| parameter).collect())
}

fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (name, values) = text.split_once('=')?;
    let (whose, of) = name.split_once('.')?;
    Some((whose.trim(), of.trim(), values.trim()))
}

fn parameter(subject: Subject, of: &str, values: &str) -> Result<Parameter, String> {
    let quantity = match of {
        "hp" => Quantity::Hp,
        "atk" => Quantity::Atk,
        "def" => Quantity::Def,
        "ability" => return Ok(Parameter::ability(subject, abilities(values)?)),
        other => return Err(format!("`{other}` cannot be varied; hp, atk, def and ability can")),
    };
    let range = range(values)?;
    match *range.start() == i64::MIN || *range.end() == i64::MAX {
        true => Err(format!("`{values}` has an open end, and what is varied needs two")),
        false => Ok(Parameter::number(subject, quantity, range)),
    }
}

fn abilities(values: &str) -> Result<Vec<Option<Ability>>, String> {
    let mut choices: Vec<Option<Ability>> = Vec::new();
    for name in values.split('|').map(str::trim) {
        match ABILITIES.into_iter().find(|choice| ability_name(*choice) == name) {
            Some(choice) if choices.contains(&choice) => return Err(format!("`{name}` is listed twice")),
            Some(choice) => choices.push(choice),
            None if name == "any" => choices = ABILITIES.to_vec(),
            None => {
                let known = ABILITIES.map(ability_name).join(", ");
                return Err(format!("no ability `{name}`; known here: any, {known}"));
            }
        }
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_back_as_they_are_written() {
        for text in [
            "optimum=1..60",
            "forced=4..",
            "critical=..3",
            "decisions=12",
            "first-losing=1..2",
            "lost-states=40..90",
            "winning-sets=1",
            "first-actions=3",
            "greedy=lost",
            "lookahead=won",
            "heuristic=1..5",
            "value-lost greedy=20..",
            "after 6,8=lost",
            "after 4,8 1,6=1..",
            "after 4,8 1:1,6=won",
        ] {
            let Target { measure, wanted } = target(text).unwrap();
            assert_eq!(format!("{measure}={wanted}"), text);
        }
        for wrong in
            ["", "optimum", "optimum=", "optimum=b", "forced=lost", "random=lost", "after=1", "after x=1", "hp=3"]
        {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_named_monster_goes_before_all_of_them() {
        let tower = crate::format::parse_tower("simple.toml", include_str!("../../../floors/simple.toml")).unwrap();
        let read = |typed: &[&str]| {
            let typed: Vec<String> = typed.iter().map(ToString::to_string).collect();
            let parameters = parameters(&typed, &tower)?;
            Parameter::check(&parameters, &tower).map_err(|error| error.to_string())?;
            Ok::<_, String>(
                parameters.iter().map(|one| format!("{one} {:?}", one.range)).collect::<Vec<_>>().join(", "),
            )
        };
        insta::assert_snapshot!(read(&["*.hp=10..20", "B.hp=90..99", "2.ability=none|magic attack"]).unwrap(), @"1.hp 10..=20, 2.hp 10..=20, 3.hp 10..=20, 4.hp 10..=20, 5.hp 10..=20, B.hp 90..=99, 2.ability 0..=1");
        let wrong = [
            "hp=1..2",
            "1.hp",
            "1.mdef=1..2",
            "1.hp=0..4",
            "1.hp=5..",
            "9.hp=1..2",
            "hero.ability=none",
            "1.ability=vampire",
            "1.ability=none|none",
            "1.atk=-3..4",
        ];
        let told: Vec<String> = wrong.iter().map(|wrong| read(&[wrong]).unwrap_err()).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        `hp=1..2` is not WHOSE.WHAT=RANGE
        `1.hp` is not WHOSE.WHAT=RANGE
        `mdef` cannot be varied; hp, atk, def and ability can
        1.hp: the least that it can be is 1, not 0
        `5..` has an open end, and what is varied needs two
        the floor has no monster `9`; it has 1, 2, 3, 4, 5, B
        the hero has no abilities
        no ability `vampire`; known here: any, none, magic attack, first strike, double attack, triple attack, four-strike attack, break armour
        `none` is listed twice
        1.atk: the least that it can be is 0, not -3
        ");
        assert_eq!(read(&["1.hp=1..2", "*.hp=1..3"]).unwrap(), read(&["*.hp=1..3", "1.hp=1..2"]).unwrap());
        for twice in [["1.hp=1..2", "1.hp=1..3"], ["*.hp=1..2", "*.hp=1..3"]] {
            assert_eq!(read(&twice).unwrap_err(), "1.hp is varied twice");
        }
    }
}
