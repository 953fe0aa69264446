//! The monster table of a native file. Knows nothing of where the monsters stand.

use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;
use toml::de::DeValue;

use super::ability;
use super::quantity::{AtLeast, Label, Within};
use super::read::string;
use crate::format::legend;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table};
use crate::game::{Abilities, Monster, MonsterId, Rules};

/// A row without its abilities, which are read by themselves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: Option<Label>,
    hp: AtLeast<1>,
    atk: AtLeast<0>,
    def: AtLeast<0>,
    #[serde(default)]
    gold: AtLeast<0>,
    #[serde(default)]
    experience: AtLeast<0>,
    height: Option<Within<1, 3>>,
    /// Taken out before the row is read; named here so that a misspelt key finds it.
    #[serde(default, rename = "abilities")]
    _abilities: Option<Vec<String>>,
}

/// The monster table: rows in the order of the file. A row that is wrong in part is still a row, so that the map is
/// not blamed for it. Beside it, how tall they are, of those of which the file says it.
pub(super) fn read(table: Table<'_>, rules: Rules, problems: &mut Problems) -> (Vec<Monster>, Vec<(MonsterId, u8)>) {
    let (mut monsters, mut heights) = (Vec::new(), Vec::new());
    for entry in table.into_entries() {
        if !legend::is_monster(&entry.key) {
            let message = format!("unknown monster {}", quoted(&entry.key));
            problems.push(
                Problem::at(entry.key_place, message)
                    .with_help("a type of monster is a number, such as [monsters.1]; the boss is [monsters.B]"),
            );
        } else if monsters.len() < usize::from(MonsterId::MAX) {
            let (monster, height) = read_row(entry, rules, problems);
            heights.extend(height.map(|height| (monsters.len() as MonsterId, height)));
            monsters.push(monster);
        } else {
            problems.push(Problem::at(entry.key_place, format!("more than {} types of monster", MonsterId::MAX)));
            break;
        }
    }
    (monsters, heights)
}

fn read_row(entry: Entry<'_>, rules: Rules, problems: &mut Problems) -> (Monster, Option<u8>) {
    let symbol = entry.key.clone();
    let mut monster = Monster {
        boss: symbol == legend::BOSS,
        name: legend::monster_name(&symbol),
        symbol,
        hp: 1,
        atk: 0,
        def: 0,
        gold: 0,
        experience: 0,
        abilities: Abilities::none(),
    };
    let Some(mut table) = entry.into_table(problems) else { return (monster, None) };
    if let Some(list) = table.take("abilities") {
        let place = list.place.clone();
        monster.abilities = read_abilities(list, problems);
        if let Some(objection) = rules.objection(&monster.abilities) {
            let message = format!("{objection}, and this tower's rules are `{}`", rules.set);
            problems.push(Problem::at(place, message));
        }
    }
    let Some((row, _)) = table.read::<Row>(problems) else { return (monster, None) };
    monster.name = row.name.map_or(monster.name, |name| name.0);
    (monster.hp, monster.atk, monster.def) = (row.hp.0, row.atk.0, row.def.0);
    (monster.gold, monster.experience) = (row.gold.0, row.experience.0);
    (monster, row.height.map(|height| height.0))
}

/// A list of abilities, or one ability alone.
fn read_abilities(entry: Entry<'_>, problems: &mut Problems) -> Abilities {
    let values: Vec<(DeValue<'_>, Range<usize>)> = match entry.value {
        DeValue::Array(_) => entry.into_array(problems).unwrap_or_default(),
        alone => vec![(alone, entry.place)],
    };
    let mut abilities = Abilities::none();
    for (value, place) in values {
        let Some(ability) = ability::read(value, place.clone(), problems) else { continue };
        if abilities.iter().any(|earlier| earlier.code() == ability.code()) {
            problems.push(Problem::at(place, format!("the ability `{}` is listed twice", ability.name())));
        }
        abilities.insert(ability);
    }
    abilities
}

/// Appends a row. `height` is how tall the monster is, if anybody says.
pub(super) fn write(monster: &Monster, height: Option<u8>, text: &mut String) {
    let mut lines = vec![format!("[monsters.{}]", monster.symbol), format!("name = {}", string(&monster.name))];
    lines.extend([("hp", monster.hp), ("atk", monster.atk), ("def", monster.def)].map(|(k, v)| format!("{k} = {v}")));
    let gains = [("gold", monster.gold), ("experience", monster.experience)];
    lines.extend(gains.into_iter().filter(|(_, value)| *value != 0).map(|(key, value)| format!("{key} = {value}")));
    lines.extend(height.map(|height| format!("height = {height}")));
    let abilities: Vec<String> = monster.abilities.iter().map(ability::write).collect();
    if !abilities.is_empty() {
        lines.push(format!("abilities = [{}]", abilities.join(", ")));
    }
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
}
