//! The variables of a tower while it is read: those that are listed, and those that scripts name. Knows nothing of what
//! is done with them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::format::problem::{Problem, Problems};
use crate::format::table::{Table, described, whole_number};
use crate::game::{Tower, Variable, VariableId};

/// The longest name of a variable, in characters.
const LONGEST: usize = 200;

/// The variables found so far.
#[derive(Default)]
pub(super) struct Variables {
    rows: Vec<Variable>,
    ids: BTreeMap<String, VariableId>,
}

impl Variables {
    /// The variables that `[variables]` lists, in its order.
    pub(super) fn read(table: Option<Table<'_>>, problems: &mut Problems) -> Self {
        let mut variables = Variables::default();
        for entry in table.map(Table::into_entries).unwrap_or_default() {
            if !is_name(&entry.key) {
                let message = format!("a variable's name is 1 to {LONGEST} characters without control characters");
                problems.push(Problem::at(entry.key_place, message));
                continue;
            }
            let Some(start) = entry.value.as_integer().and_then(whole_number) else {
                let found = described(&entry.value);
                let message = format!("expected what the variable is at the start, a whole number, found {found}");
                problems.push(Problem::at(entry.place, message));
                continue;
            };
            if variables.add(&entry.key, start).is_none() {
                problems.push(Problem::at(entry.key_place, format!("more than {} variables", VariableId::MAX)));
                break;
            }
        }
        variables
    }

    /// The variable of a name. One that begins with `flag:` or `item:` is added, 0 at the start, if it is not there.
    pub(super) fn find_or_add(&mut self, name: &str) -> Option<VariableId> {
        let known = self.ids.get(name).copied();
        let is_usual = name.starts_with("flag:") || name.starts_with("item:");
        known.or_else(|| if is_usual && is_name(name) { self.add(name, 0) } else { None })
    }

    /// The names found so far.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|variable| variable.name.as_str())
    }

    /// The variables in the order of their numbers.
    pub(super) fn finish(self) -> Vec<Variable> {
        self.rows
    }

    pub(super) fn add(&mut self, name: &str, start: i64) -> Option<VariableId> {
        let id = VariableId::try_from(self.rows.len()).ok().filter(|id| *id < VariableId::MAX)?;
        self.rows.push(Variable { name: name.to_owned(), start });
        self.ids.insert(name.to_owned(), id);
        Some(id)
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= LONGEST && !name.chars().any(char::is_control)
}

/// Appends the table of a tower's variables, if it has any.
pub(super) fn write(tower: &Tower, text: &mut String) {
    if !tower.variables.is_empty() {
        text.push_str("\n[variables]\n");
    }
    for variable in &tower.variables {
        let _ = writeln!(text, "{} = {}", key(&variable.name), variable.start);
    }
}

/// A name as a TOML key: always in quotes, since most have a colon. A key may not stand in three quotes, as values may.
pub(super) fn key(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
