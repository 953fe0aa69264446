//! Abilities as files name them: a string, or a table with parameters. Knows nothing of what they do in a fight.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use toml::de::DeValue;

use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table, described, whole_number};
use crate::game::{Ability, Ratio};

/// The names that files may use, with those that the writer does not choose.
const NAMES: [&str; 21] = [
    "first strike",
    "magic attack",
    "solid",
    "double attack",
    "double",
    "triple attack",
    "triple",
    "N-strike",
    "four-strike attack",
    "break armour",
    "break armor",
    "counter attack",
    "purify",
    "mimic",
    "vampire",
    "fixed damage",
    "curse",
    "hatred",
    "self-destruct",
    "invincible",
    "drain",
];

/// What a table beside the name may hold.
#[derive(Default)]
struct Parameters {
    n: Option<i64>,
    ratio: Option<Ratio>,
    add: bool,
    damage: Option<i64>,
    atk: Option<i64>,
    def: Option<i64>,
}

/// Reads one ability; what is wrong with it is added to `problems`.
pub(super) fn read(value: DeValue<'_>, place: Range<usize>, problems: &mut Problems) -> Option<Ability> {
    match value {
        DeValue::String(name) => from_parts(&name, place, Parameters::default(), problems),
        DeValue::Table(_) => {
            let entry = Entry { key: "abilities".to_owned(), key_place: place.clone(), value, place: place.clone() };
            read_table(entry.into_table(problems)?, place, problems)
        }
        other => {
            let message = format!("expected an ability, found {}", described(&other));
            problems.push(
                Problem::at(place, message).with_help("write \"magic attack\" or { name = \"N-strike\", n = 5 }"),
            );
            None
        }
    }
}

fn read_table(mut table: Table<'_>, place: Range<usize>, problems: &mut Problems) -> Option<Ability> {
    let Some(name) = table.take("name") else {
        problems.push(Problem::at(place, "this ability has no name").with_help("write { name = \"vampire\", … }"));
        return None;
    };
    let DeValue::String(text) = &name.value else {
        let message = format!("`name`: expected the name of an ability, found {}", described(&name.value));
        problems.push(Problem::at(name.place, message));
        return None;
    };
    let known = canonical(text).map_or(&[][..], |(ability, _)| allowed(ability));
    let before = problems.len();
    let mut parameters = Parameters::default();
    if canonical(text).is_some() {
        for entry in table.into_entries() {
            parameters.read(entry, text, known, problems);
        }
    }
    // What a wrong parameter would have said is not asked for again.
    if problems.len() > before { None } else { from_parts(text, name.place, parameters, problems) }
}

impl Parameters {
    fn read(&mut self, entry: Entry<'_>, ability: &str, known: &[&str], problems: &mut Problems) {
        match entry.key.as_str() {
            key if !known.contains(&key) => {
                let message = format!("{} has no parameter {}", quoted(ability), quoted(key));
                let nearest = known.iter().copied();
                problems.push(Problem::at(entry.key_place, message).with_nearest(&entry.key, nearest));
            }
            "n" => self.n = whole(entry, 1, problems),
            "damage" => self.damage = whole(entry, 0, problems),
            "atk" => self.atk = whole(entry, 0, problems),
            "def" => self.def = whole(entry, 0, problems),
            "ratio" => self.ratio = ratio(entry, problems),
            _ => self.add = flag(entry, problems),
        }
    }
}

/// The ability of a name, with its parameters.
fn from_parts(name: &str, place: Range<usize>, given: Parameters, problems: &mut Problems) -> Option<Ability> {
    let Some((canonical, strikes)) = canonical(name) else {
        let problem = Problem::at(place, format!("unknown ability {}", quoted(name)));
        let near = problem.clone().with_nearest(name, NAMES);
        let all = || NAMES.into_iter().filter(|name| !matches!(*name, "double" | "triple" | "break armor"));
        let list = || all().collect::<Vec<_>>().join(", ");
        problems.push(if near.help.is_some() { near } else { problem.with_help(format!("known: {}", list())) });
        return None;
    };
    let mut needs = |parameter: &str, example: &str| {
        let message = format!("{} needs its {parameter}", quoted(name));
        problems.push(Problem::at(place.clone(), message).with_help(format!("write {example}")));
    };
    Some(match canonical {
        "first strike" => Ability::FirstStrike,
        "magic attack" => Ability::MagicAttack,
        "solid" => Ability::Solid,
        "double attack" => Ability::Double,
        "triple attack" => Ability::Triple,
        "N-strike" => Ability::NStrike { n: given.n.or(strikes).unwrap_or(Ability::DEFAULT_N) },
        "break armour" => Ability::BreakArmour { ratio: given.ratio.unwrap_or(Ability::DEFAULT_BREAK_ARMOUR) },
        "counter attack" => Ability::CounterAttack { ratio: given.ratio.unwrap_or(Ability::DEFAULT_COUNTER_ATTACK) },
        "purify" => Ability::Purify { ratio: given.ratio.unwrap_or(Ability::DEFAULT_PURIFY) },
        "mimic" => Ability::Mimic,
        "vampire" => match given.ratio {
            Some(ratio) => Ability::Vampire { ratio, add: given.add },
            None => {
                needs("ratio", "{ name = \"vampire\", ratio = 0.25 }");
                return None;
            }
        },
        "curse" => Ability::Curse,
        "hatred" => Ability::Hatred,
        "self-destruct" => Ability::SelfDestruct,
        "invincible" => Ability::Invincible,
        "drain" => match (given.atk, given.def) {
            (None, None) => {
                needs("atk and def", "{ name = \"drain\", atk = 1, def = 1 }");
                return None;
            }
            (atk, def) => Ability::Drain { atk: atk.unwrap_or(0), def: def.unwrap_or(0) },
        },
        _ => match given.damage {
            Some(damage) => Ability::FixedDamage { damage },
            None => {
                needs("damage", "{ name = \"fixed damage\", damage = 50 }");
                return None;
            }
        },
    })
}

/// The writer's name of an ability, with the number of strikes if the name says it.
fn canonical(name: &str) -> Option<(&'static str, Option<i64>)> {
    let name = name.trim().to_lowercase().replace('_', " ").replace("armor", "armour");
    if let Some(strikes) = name.strip_suffix(" attack").unwrap_or(&name).strip_suffix("-strike") {
        let n = match strikes {
            "n" => None,
            "four" => Some(4),
            digits => Some(digits.parse().ok().filter(|n| *n >= 1)?),
        };
        return Some(("N-strike", n));
    }
    let name = match name.as_str() {
        "double" => "double attack",
        "triple" => "triple attack",
        other => other,
    };
    NAMES.into_iter().find(|known| *known == name).map(|known| (known, None))
}

fn allowed(ability: &str) -> &'static [&'static str] {
    match ability {
        "N-strike" => &["n"],
        "break armour" | "counter attack" | "purify" => &["ratio"],
        "vampire" => &["ratio", "add"],
        "fixed damage" => &["damage"],
        "drain" => &["atk", "def"],
        _ => &[],
    }
}

fn whole(entry: Entry<'_>, least: i64, problems: &mut Problems) -> Option<i64> {
    let number = entry.value.as_integer().and_then(whole_number).filter(|number| *number >= least);
    if number.is_none() {
        let expected = format!("a whole number of at least {least}, within 64 bits");
        push_unexpected(&entry, &expected, problems);
    }
    number
}

fn flag(entry: Entry<'_>, problems: &mut Problems) -> bool {
    if entry.value.as_bool().is_none() {
        push_unexpected(&entry, "true or false", problems);
    }
    entry.value.as_bool().unwrap_or_default()
}

/// A ratio from the digits that stand in the file: 0.29 is 29/100, not the nearest double.
fn ratio(entry: Entry<'_>, problems: &mut Problems) -> Option<Ratio> {
    let digits = match &entry.value {
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => whole_number(number).map(|number| number.to_string()),
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    let ratio = digits.and_then(|digits| Ratio::from_str(digits.strip_prefix('+').unwrap_or(&digits)).ok());
    if ratio.is_none() {
        push_unexpected(&entry, "a decimal number of at least 0 with at most 15 digits, such as 0.25", problems);
    }
    ratio
}

fn push_unexpected(entry: &Entry<'_>, expected: &str, problems: &mut Problems) {
    let message = format!("`{}`: expected {expected}, found {}", entry.key, described(&entry.value));
    problems.push(Problem::at(entry.place.clone(), message));
}

/// The ability as the writer puts it into a file.
pub(super) fn write(ability: Ability) -> String {
    let name = ability.name();
    let table = |parameter: &str, value: &dyn Display| format!("{{ name = \"{name}\", {parameter} = {value} }}");
    match ability {
        Ability::NStrike { n: Ability::DEFAULT_N } => "\"four-strike attack\"".to_owned(),
        Ability::NStrike { n } => table("n", &n),
        plain if Ability::PLAIN.contains(&plain) => format!("\"{name}\""),
        Ability::BreakArmour { ratio } | Ability::CounterAttack { ratio } | Ability::Purify { ratio } => {
            table("ratio", &ratio)
        }
        Ability::Vampire { ratio, add: true } => table("ratio", &format!("{ratio}, add = true")),
        Ability::Vampire { ratio, add: false } => table("ratio", &ratio),
        Ability::FixedDamage { damage } => table("damage", &damage),
        Ability::Drain { atk, def } => table("atk", &format!("{atk}, def = {def}")),
        _ => format!("\"{name}\""),
    }
}
