//! From a list in a file to a script. Every mistake is told, each at its place.

use std::ops::Range;

use toml::de::DeValue;

use super::super::expression;
use super::super::symbols::Symbols;
use super::super::variables::Variables;
use crate::format::problem::{Problem, Problems, quoted};
use crate::format::table::{Entry, Table, described};
use crate::game::script::{MOST_DEEP, MOST_LEVELS};
use crate::game::{Choice, Expression, Floor, Instruction, Script};

/// Instructions that need nothing more.
const WORDS: [(&str, Instruction); 5] = [
    ("break", Instruction::Break),
    ("continue", Instruction::Continue),
    ("stop", Instruction::Stop),
    ("win", Instruction::Win),
    ("lose", Instruction::Lose),
];

/// The keys that name an instruction, each with what else its table may hold.
const TABLES: [(&str, &[&str]); 15] = [
    ("set", &["to"]),
    ("put", &["at"]),
    ("remove", &[]),
    ("open", &[]),
    ("hide", &[]),
    ("show", &[]),
    ("move", &["to"]),
    ("alter", &["what", "to"]),
    ("fight", &["at"]),
    ("go", &[]),
    ("if", &["then", "else"]),
    ("elif", &["then", "else"]),
    ("while", &["do"]),
    ("choose", &["options"]),
    ("skip", &[]),
];

/// How deep a script stands in others.
#[derive(Clone, Copy)]
struct Nesting {
    level: usize,
    depth: usize,
}

impl Nesting {
    fn within(self, levels: usize) -> Self {
        Nesting { level: self.level + levels, depth: self.depth + 1 }
    }
}

/// Reads the scripts of one tower.
pub(in super::super) struct ScriptReader<'r> {
    /// The text of the file.
    pub text: &'r str,
    /// The tower's symbols.
    pub symbols: &'r Symbols<'r>,
    /// The tower's variables.
    pub variables: &'r mut Variables,
    /// The floors; none if not all of them could be read.
    pub floors: Option<&'r [Floor]>,
    /// Where mistakes go.
    pub problems: &'r mut Problems,
}

/// `if` and what follows it: conditions with what is then done.
type Cases = Vec<(Expression, Script)>;

impl ScriptReader<'_> {
    /// Reads a script. What is wrong in it is left out.
    pub(in super::super) fn script(&mut self, list: Entry<'_>) -> Script {
        self.nested(list, Nesting { level: 1, depth: 1 })
    }

    fn nested(&mut self, list: Entry<'_>, nesting: Nesting) -> Script {
        let place = list.place.clone();
        let elements = list.into_array(self.problems).unwrap_or_default();
        if !elements.is_empty() && self.is_too_deep(nesting, &place) {
            return Script::new();
        }
        let mut script = Script::new();
        let mut cases = Cases::new();
        for (value, place) in elements {
            let table = match value {
                DeValue::String(word) => {
                    close(&mut cases, Script::new(), &mut script);
                    script.extend(self.word(&word, place));
                    continue;
                }
                table @ DeValue::Table(_) => inline_table("do", table, place.clone(), self.problems),
                other => {
                    let message = format!("expected an instruction, found {}", described(&other));
                    let help = "write { set = \"hp\", to = \"hp + 50\" } or a word such as \"stop\"";
                    self.problems.push(Problem::at(place, message).with_help(help));
                    continue;
                }
            };
            let Some(mut table) = table else { continue };
            let Some(key) = self.kind(&table, &place) else { continue };
            match key {
                "if" | "elif" => {
                    let opens = key == "if";
                    if opens {
                        close(&mut cases, Script::new(), &mut script);
                    } else if cases.is_empty() {
                        let message = "`elif` follows an `if` or `elif` without `else`";
                        self.problems.push(Problem::at(place.clone(), message));
                    }
                    let nesting = Nesting { depth: nesting.depth + cases.len(), ..nesting };
                    if self.is_too_deep(nesting, &place) {
                        continue;
                    }
                    let condition = self.expression_of(&mut table, key);
                    let then = self.script_of(&mut table, "then", nesting.within(1), &place);
                    cases.push((condition.unwrap_or(Expression::whole(0)), then));
                    if let Some(otherwise) = table.take("else") {
                        let otherwise = self.nested(otherwise, nesting.within(1));
                        close(&mut cases, otherwise, &mut script);
                    }
                }
                _ => {
                    close(&mut cases, Script::new(), &mut script);
                    script.extend(self.instruction(key, table, &place, nesting));
                }
            }
        }
        close(&mut cases, Script::new(), &mut script);
        script
    }

    fn is_too_deep(&mut self, nesting: Nesting, place: &Range<usize>) -> bool {
        let too_deep = nesting.level > MOST_LEVELS || nesting.depth > MOST_DEEP;
        if too_deep {
            self.problems.push(
                Problem::at(place.clone(), "this is nested too deep")
                    .with_help(format!("at most {MOST_LEVELS} levels (a choice is two), and {MOST_DEEP} with `elif`")),
            );
        }
        too_deep
    }

    fn word(&mut self, word: &str, place: Range<usize>) -> Option<Instruction> {
        let found = WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, instruction)| instruction);
        if found.is_none() {
            let problem = Problem::at(place, format!("unknown instruction {}", quoted(word)));
            let near = problem.clone().with_nearest(word, WORDS.iter().map(|(known, _)| *known));
            let is_table = TABLES.iter().any(|(known, _)| *known == word);
            self.problems.push(match near.help {
                _ if is_table => problem.with_help(format!("write {{ {word} = … }}")),
                Some(_) => near,
                None => problem.with_help("the words are break, continue, stop, win and lose"),
            });
        }
        found
    }

    /// The key that says which instruction a table is.
    fn kind(&mut self, table: &Table<'_>, place: &Range<usize>) -> Option<&'static str> {
        let keys = table.keys();
        let mut kinds = TABLES.iter().filter(|(kind, _)| keys.iter().any(|(key, _)| key == kind));
        let (first, second) = (kinds.next(), kinds.next());
        let problem = match (first, second) {
            (Some((kind, others)), None) => {
                for (key, place) in keys.iter().filter(|(key, _)| key != kind && !others.contains(&key.as_str())) {
                    let problem = Problem::at(place.clone(), format!("`{kind}` has no {}", quoted(key)));
                    let near = problem.clone().with_nearest(key, others.iter().copied());
                    self.problems.push(match (near.help.is_some(), others.is_empty()) {
                        (true, _) => near,
                        (_, true) => problem.with_help(format!("`{kind}` stands alone")),
                        _ => problem.with_help(format!("beside it: {}", others.join(", "))),
                    });
                }
                return Some(kind);
            }
            (Some((first, _)), Some((second, _))) => {
                let message = format!("this is both `{first}` and `{second}`");
                Problem::at(place.clone(), message).with_help("write a table for each instruction")
            }
            (None, _) => {
                let all = TABLES.map(|(kind, _)| kind);
                let near = keys.iter().find_map(|(key, place)| {
                    let problem = Problem::at(place.clone(), format!("unknown instruction {}", quoted(key)));
                    Some(problem.with_nearest(key, all)).filter(|problem| problem.help.is_some())
                });
                let none = || {
                    let found: Vec<String> = keys.iter().take(3).map(|(key, _)| quoted(key)).collect();
                    let message = match found.is_empty() {
                        true => "this table is no instruction: it is empty".to_owned(),
                        false => format!("this table is no instruction: it has {}", found.join(", ")),
                    };
                    Problem::at(place.clone(), message).with_help(format!("known: {}", all.join(", ")))
                };
                near.unwrap_or_else(none)
            }
        };
        self.problems.push(problem);
        None
    }

    fn instruction(
        &mut self,
        kind: &'static str,
        mut table: Table<'_>,
        place: &Range<usize>,
        nesting: Nesting,
    ) -> Option<Instruction> {
        let table = &mut table;
        Some(match kind {
            "set" => {
                let (target, value) = (self.target_of(table, kind), self.needed_expression(table, "to", place));
                Instruction::Set { target: target?, value: value? }
            }
            "put" => {
                let (tile, at) = (self.tile_of(table, kind), self.needed_places(table, "at", place));
                Instruction::Put { tile: tile?, at: at? }
            }
            "remove" => Instruction::Remove { at: self.places_of(table, kind)? },
            "open" => Instruction::Open { at: self.places_of(table, kind)? },
            "hide" => Instruction::Hide { at: self.places_of(table, kind)? },
            "show" => Instruction::Show { at: self.places_of(table, kind)? },
            "move" => {
                let (from, to) = (self.place_of(table, kind), self.optional_place(table, "to"));
                Instruction::Move { from: from?, to: to? }
            }
            "alter" => {
                let monster = self.monster_of(table, kind);
                let what = self.needed_text(table, "what", place).and_then(|(name, place)| {
                    let attribute = expression::attribute(&name, place);
                    attribute.map_err(|problem| self.problems.push(problem)).ok()
                });
                let value = self.needed_expression(table, "to", place);
                Instruction::Alter { monster: monster?, what: what?, value: value? }
            }
            "fight" => {
                let (monster, at) = (self.monster_of(table, kind), self.optional_place(table, "at"));
                Instruction::Fight { monster: monster?, at: at? }
            }
            "go" => Instruction::Go { to: self.place_of(table, kind)? },
            "while" => {
                let condition = self.expression_of(table, kind);
                let body = self.script_of(table, "do", nesting.within(1), place);
                Instruction::While { condition: condition?, body }
            }
            "choose" => {
                let text = self.words_of(table, kind);
                let options = self.options_of(table, nesting, place);
                Instruction::Choose { text: text?, options }
            }
            _ => Instruction::Skip(self.words_of(table, kind)?),
        })
    }

    fn options_of(&mut self, table: &mut Table<'_>, nesting: Nesting, place: &Range<usize>) -> Vec<Choice> {
        let list = self.needed(table, "options", place).and_then(|list| list.into_array(self.problems));
        let mut options = Vec::new();
        for (value, place) in list.unwrap_or_default() {
            let Some(mut option) = inline_table("options", value, place.clone(), self.problems) else { continue };
            if let Some(text) = self.needed_words(&mut option, "text", &place) {
                let condition = option.has("if").then(|| self.expression_of(&mut option, "if")).flatten();
                let script = option.take("do").map(|list| self.nested(list, nesting.within(2)));
                options.push(Choice { text, condition, script: script.unwrap_or_default() });
            }
            for (key, place) in option.keys().into_iter().filter(|(key, _)| !["if", "do"].contains(&key.as_str())) {
                let problem = Problem::at(place, format!("an option has no {}", quoted(&key)));
                let near = problem.clone().with_nearest(&key, ["text", "if", "do"]);
                self.problems.push(if near.help.is_some() { near } else { problem.with_help("known: text, if, do") });
            }
        }
        options
    }

    fn script_of(&mut self, table: &mut Table<'_>, key: &str, nesting: Nesting, place: &Range<usize>) -> Script {
        self.needed(table, key, place).map(|list| self.nested(list, nesting)).unwrap_or_default()
    }
}

/// Ends what began with an `if`: what is done otherwise stands within its last case.
fn close(cases: &mut Cases, otherwise: Script, script: &mut Script) {
    let mut inner = otherwise;
    while let Some((condition, then)) = cases.pop() {
        inner = vec![Instruction::If { condition, then, otherwise: inner }];
    }
    script.extend(inner);
}

fn inline_table<'s>(key: &str, value: DeValue<'s>, place: Range<usize>, problems: &mut Problems) -> Option<Table<'s>> {
    Entry { key: key.to_owned(), key_place: place.clone(), value, place }.into_table(problems)
}
