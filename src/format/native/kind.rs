//! The items and doors of a tower's own in a file: `[things.i1]`, `[gates.D1]`. Knows nothing of where they stand.

use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::quantity::Label;
use super::read::{KeyCounts, string, write_keys};
use super::script::{self, ScriptReader};
use super::variables::{Variables, key};
use crate::format::legend;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table, described, whole_number};
use crate::game::{Gate, GateId, Hero, Keys, Marks, Script, Thing, Tower, VariableId};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThingKeys {
    name: Label,
    #[serde(default)]
    give: Gain,
    #[serde(default, rename = "tools")]
    _tools: IgnoredAny,
    #[serde(default, rename = "do")]
    _script: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GateKeys {
    name: Label,
    #[serde(default)]
    keys: KeyCounts,
    #[serde(default)]
    by_event: bool,
    #[serde(default, rename = "tools")]
    _tools: IgnoredAny,
}

/// What an item adds, which may be less than nothing.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Gain {
    hp: i64,
    atk: i64,
    def: i64,
    mdef: i64,
    gold: i64,
    experience: i64,
    keys: KeyGain,
    marks: MarkKeys,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct KeyGain {
    yellow: i64,
    blue: i64,
    red: i64,
    green: i64,
}

/// What marks a hero.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MarkKeys {
    cross: bool,
    coin: bool,
    curse: bool,
    hatred: i64,
}

impl MarkKeys {
    /// The marks.
    pub(super) fn marks(&self) -> Marks {
        Marks { cross: self.cross, coin: self.coin, curse: self.curse, hatred: self.hatred }
    }
}

/// Reads the items of a tower's own, with the lists of what else they do, which are read once the floors are known.
pub(super) fn read_things<'s>(
    table: Option<Table<'s>>,
    variables: &mut Variables,
    problems: &mut Problems,
) -> (Vec<Thing>, Vec<Option<Entry<'s>>>) {
    let (mut things, mut scripts) = (Vec::new(), Vec::new());
    for entry in rows(table, legend::is_thing, "thing", "[things.i1]", problems) {
        let symbol = entry.key.clone();
        let mut thing =
            Thing { symbol, name: String::new(), gain: Hero::default(), tools: Vec::new(), script: Vec::new() };
        let mut script = None;
        if let Some(mut table) = entry.into_table(problems) {
            thing.tools = read_tools(&mut table, i64::MIN, variables, problems);
            script = table.take("do");
            if let Some((keys, _)) = table.read::<ThingKeys>(problems) {
                (thing.name, thing.gain) = (keys.name.0, keys.give.hero());
            }
        }
        things.push(thing);
        scripts.push(script);
    }
    (things, scripts)
}

/// Reads what else items do, in their order.
pub(super) fn read_scripts(scripts: Vec<Option<Entry<'_>>>, reader: &mut ScriptReader<'_>) -> Vec<Script> {
    scripts.into_iter().map(|list| list.map(|list| reader.script(list)).unwrap_or_default()).collect()
}

/// Reads the doors of a tower's own.
pub(super) fn read_gates(table: Option<Table<'_>>, variables: &mut Variables, problems: &mut Problems) -> Vec<Gate> {
    let mut gates = Vec::new();
    for entry in rows(table, legend::is_gate, "gate", "[gates.D1]", problems) {
        let symbol = entry.key.clone();
        let mut gate = Gate { symbol, name: String::new(), keys: Keys::default(), tools: Vec::new(), by_event: false };
        if let Some(mut table) = entry.into_table(problems) {
            gate.tools = read_tools(&mut table, 0, variables, problems);
            if let Some((keys, _)) = table.read::<GateKeys>(problems) {
                (gate.name, gate.by_event) = (keys.name.0, keys.by_event);
                gate.keys = keys.keys.counted();
            }
        }
        gates.push(gate);
    }
    gates
}

/// The rows whose symbols are right.
fn rows<'s>(
    table: Option<Table<'s>>,
    is_symbol: fn(&str) -> bool,
    kind: &str,
    example: &str,
    problems: &mut Problems,
) -> Vec<Entry<'s>> {
    let mut rows = Vec::new();
    for entry in table.map(Table::into_entries).unwrap_or_default() {
        if !is_symbol(&entry.key) {
            let problem = Problem::at(entry.key_place, format!("unknown {kind} {}", quoted(&entry.key)));
            problems.push(problem.with_help(format!("its name is a letter and a number, such as {example}")));
        } else if rows.len() < usize::from(GateId::MAX) {
            rows.push(entry);
        } else {
            problems.push(Problem::at(entry.key_place, format!("more than {} of these", GateId::MAX)));
            break;
        }
    }
    rows
}

/// Variables with a number each.
fn read_tools(
    table: &mut Table<'_>,
    least: i64,
    variables: &mut Variables,
    problems: &mut Problems,
) -> Vec<(VariableId, i64)> {
    let mut tools = Vec::new();
    let entries = table.take_table("tools", problems).map(Table::into_entries).unwrap_or_default();
    for entry in entries {
        let Some(id) = variables.find_or_add(&entry.key) else {
            let problem = Problem::at(entry.key_place, format!("unknown variable {}", quoted(&entry.key)));
            let near = problem.clone().with_nearest(&entry.key, variables.names());
            let help = "list it under [variables]; only flag:NAME and item:NAME need not be";
            problems.push(if near.help.is_some() { near } else { problem.with_help(help) });
            continue;
        };
        match entry.value.as_integer().and_then(whole_number).filter(|number| *number >= least) {
            Some(number) => tools.push((id, number)),
            None => {
                let expected = if least == 0 { "a whole number of at least 0" } else { "a whole number" };
                let message = format!("{}: expected {expected}, found {}", quoted(&entry.key), described(&entry.value));
                problems.push(Problem::at(entry.place, message));
            }
        }
    }
    tools
}

impl Gain {
    fn hero(&self) -> Hero {
        let KeyGain { yellow, blue, red, green } = self.keys;
        Hero {
            hp: self.hp,
            atk: self.atk,
            def: self.def,
            mdef: self.mdef,
            gold: self.gold,
            experience: self.experience,
            keys: Keys { yellow, blue, red, green },
            marks: self.marks.marks(),
        }
    }
}

/// Appends the items and doors of a tower's own.
pub(super) fn write(tower: &Tower, text: &mut String) {
    for thing in &tower.things {
        let _ = writeln!(text, "\n[things.{}]\nname = {}", thing.symbol, string(&thing.name));
        let gain = write_gain(&thing.gain);
        if !gain.is_empty() {
            let _ = writeln!(text, "give = {{ {gain} }}");
        }
        write_tools(tower, &thing.tools, text);
        if !thing.script.is_empty() {
            text.push_str("do = ");
            script::write(&thing.script, tower, 0, text);
            text.push('\n');
        }
    }
    for gate in &tower.gates {
        let _ = writeln!(text, "\n[gates.{}]\nname = {}", gate.symbol, string(&gate.name));
        if let Some(keys) = write_keys(gate.keys) {
            let _ = writeln!(text, "keys = {keys}");
        }
        write_tools(tower, &gate.tools, text);
        if gate.by_event {
            text.push_str("by_event = true\n");
        }
    }
}

fn write_tools(tower: &Tower, tools: &[(VariableId, i64)], text: &mut String) {
    if tools.is_empty() {
        return;
    }
    let name = |id: VariableId| tower.variables.get(usize::from(id)).map_or("?", |variable| &variable.name);
    let tools: Vec<String> = tools.iter().map(|(id, count)| format!("{} = {count}", key(name(*id)))).collect();
    let _ = writeln!(text, "tools = {{ {} }}", tools.join(", "));
}

fn write_gain(gain: &Hero) -> String {
    let quantities = [
        ("hp", gain.hp),
        ("atk", gain.atk),
        ("def", gain.def),
        ("mdef", gain.mdef),
        ("gold", gain.gold),
        ("experience", gain.experience),
    ];
    let quantities = quantities.into_iter().filter(|(_, value)| *value != 0);
    let mut parts: Vec<String> = quantities.map(|(key, value)| format!("{key} = {value}")).collect();
    parts.extend(write_keys(gain.keys).map(|keys| format!("keys = {keys}")));
    parts.extend(write_marks(gain.marks).map(|marks| format!("marks = {marks}")));
    parts.join(", ")
}

/// What marks a hero as a table; none if nothing does.
pub(super) fn write_marks(marks: Marks) -> Option<String> {
    let set = [("cross", marks.cross), ("coin", marks.coin), ("curse", marks.curse)];
    let mut parts: Vec<String> =
        set.into_iter().filter(|(_, is_set)| *is_set).map(|(key, _)| format!("{key} = true")).collect();
    if marks.hatred != 0 {
        parts.push(format!("hatred = {}", marks.hatred));
    }
    (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(", ")))
}
