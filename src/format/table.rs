//! Reading a TOML document so that all of its mistakes are told at once, each at its place. Knows nothing of what
//! the document describes: that is a type with `#[serde(default, deny_unknown_fields)]`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue, Deserializer, Error};

use super::problem::{Problem, Problems, quoted};

/// Stands for the place of a table whose keys are tried one by one: an error there is about no key.
const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

/// A table of a document. Keys are taken out one by one, or read together as a type.
#[derive(Clone, Debug)]
pub struct Table<'s> {
    entries: DeTable<'s>,
    place: Range<usize>,
}

/// A key of a table with its value.
#[derive(Clone, Debug)]
pub struct Entry<'s> {
    /// The key, without quotes.
    pub key: String,
    /// Bytes of the key.
    pub key_place: Range<usize>,
    /// The value.
    pub value: DeValue<'s>,
    /// Bytes of the value.
    pub place: Range<usize>,
}

/// Where the keys of a table that has been read stand, so that a caller can point at them.
#[derive(Clone, Debug, Default)]
pub struct Places {
    table: Range<usize>,
    values: BTreeMap<String, Range<usize>>,
}

impl Places {
    /// Bytes of a key's value; those of the table's head if the key is not there.
    pub fn of(&self, key: &str) -> Range<usize> {
        self.values.get(key).unwrap_or(&self.table).clone()
    }

    /// Bytes of the table's head.
    pub fn table(&self) -> Range<usize> {
        self.table.clone()
    }

    /// Whether the key is written in the table.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }
}

impl<'s> Table<'s> {
    /// The document as a table. What cannot be parsed is added to `problems` and left out of the table, so that
    /// the rest can be checked all the same.
    pub fn parse(text: &'s str, problems: &mut Problems) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let message = format!("not TOML: {}", error.message());
            problems.push_syntax(Problem { message, span: error.span(), help: None });
        }
        Table { entries: root.into_inner(), place: 0..0 }
    }

    /// Bytes of the table's head.
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// Whether no key is left.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether it has the key.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Takes a key out.
    pub fn take(&mut self, key: &str) -> Option<Entry<'s>> {
        self.entries.remove_entry(key).map(Entry::new)
    }

    /// The keys that are left with their bytes, in the order of the document.
    pub fn keys(&self) -> Vec<(String, Range<usize>)> {
        let mut keys: Vec<_> = self.entries.keys().map(|key| (key.get_ref().to_string(), key.span())).collect();
        keys.sort_by_key(|(_, place)| place.start);
        keys
    }

    /// Bytes of each element of a key that holds a list; none if it holds something else or is not there.
    pub fn element_places(&self, key: &str) -> Vec<Range<usize>> {
        match self.entries.get(key).map(Spanned::get_ref) {
            Some(DeValue::Array(elements)) => elements.iter().map(Spanned::span).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes out these keys, as a table of their own at the same place.
    pub fn split(&mut self, keys: &[&str]) -> Table<'s> {
        let entries = keys.iter().filter_map(|key| self.entries.remove_entry(*key)).collect();
        Table { entries, place: self.place.clone() }
    }

    /// Takes out a key that must hold a table, such as `[limits]`; one that holds something else is a problem.
    pub fn take_table(&mut self, key: &str, problems: &mut Problems) -> Option<Table<'s>> {
        self.take(key)?.into_table(problems)
    }

    /// Takes out a key that must hold tables, such as `[[agent]]`, in the order of the document. What is not a
    /// table among them is a problem.
    pub fn take_tables(&mut self, key: &str, problems: &mut Problems) -> Vec<Table<'s>> {
        let Some(entry) = self.take(key) else { return Vec::new() };
        let DeValue::Array(array) = entry.value else {
            let message = format!("expected tables, each under `[[{key}]]`, found {}", described(&entry.value));
            problems.push(Problem::at(entry.key_place, message));
            return Vec::new();
        };
        let elements = into_elements(array);
        elements.into_iter().filter_map(|(value, place)| into_table(key, value, place, problems)).collect()
    }

    /// All keys with their values, in the order of the document.
    pub fn into_entries(self) -> Vec<Entry<'s>> {
        let mut entries: Vec<Entry<'s>> = self.entries.into_iter().map(Entry::new).collect();
        entries.sort_by_key(|entry| entry.key_place.start);
        entries
    }

    /// The keys that are left, read together as a `T`, with their places; `None` if anything is wrong with them.
    ///
    /// Each key is tried on its own, so that every unknown key, wrong type and value out of range is told. `T` must not
    /// use `#[serde(flatten)]`.
    pub fn read<T: DeserializeOwned>(self, problems: &mut Problems) -> Option<(T, Places)> {
        let before = problems.len();
        let (value, places) = self.read_right_keys(problems);
        value.filter(|_| problems.len() == before).map(|value| (value, places))
    }

    /// The same for a `T` whose keys may all be left out: those that are wrong are told, and count as left out.
    pub fn read_partly<T: DeserializeOwned + Default>(self, problems: &mut Problems) -> (T, Places) {
        let (value, places) = self.read_right_keys(problems);
        (value.unwrap_or_default(), places)
    }

    fn read_right_keys<T: DeserializeOwned>(self, problems: &mut Problems) -> (Option<T>, Places) {
        let places = self.places();
        let mut wrong: Vec<String> = Vec::new();
        let mut good = DeTable::new();
        for (key, value) in self.entries {
            match try_key::<T>(key.clone(), value.clone()) {
                Ok(()) => {
                    good.insert(key, value);
                }
                Err(error) => {
                    wrong.push(key.get_ref().to_string());
                    match problems.is_full() {
                        true => problems.push_unlisted(),
                        false => problems.push(explained(&error, &key, &value)),
                    }
                }
            }
        }
        (read_together::<T>(good, &self.place, &wrong, problems), places)
    }

    fn places(&self) -> Places {
        let values = self.entries.iter().map(|(key, value)| (key.get_ref().to_string(), value.span())).collect();
        Places { table: self.place.clone(), values }
    }
}

impl<'s> Entry<'s> {
    fn new((key, value): (Spanned<std::borrow::Cow<'s, str>>, Spanned<DeValue<'s>>)) -> Self {
        Entry {
            key_place: key.span(),
            key: key.into_inner().into_owned(),
            place: value.span(),
            value: value.into_inner(),
        }
    }

    /// The value as a table; anything else is a problem.
    pub fn into_table(self, problems: &mut Problems) -> Option<Table<'s>> {
        into_table(&self.key, self.value, self.place, problems)
    }

    /// The value as an array of values with their places; anything else is a problem.
    pub fn into_array(self, problems: &mut Problems) -> Option<Vec<(DeValue<'s>, Range<usize>)>> {
        match self.value {
            DeValue::Array(array) => Some(into_elements(array)),
            other => {
                let message = format!("`{}`: expected a list, found {}", self.key, described(&other));
                problems.push(Problem::at(self.place, message));
                None
            }
        }
    }
}

fn into_elements<'s>(array: DeArray<'s>) -> Vec<(DeValue<'s>, Range<usize>)> {
    array
        .into_iter()
        .map(|element| (element.span(), element.into_inner()))
        .map(|(place, value)| (value, place))
        .collect()
}

fn into_table<'s>(key: &str, value: DeValue<'s>, place: Range<usize>, problems: &mut Problems) -> Option<Table<'s>> {
    match value {
        DeValue::Table(entries) => Some(Table { entries, place }),
        other => {
            let message = format!("`{key}`: expected a table, found {}", described(&other));
            problems.push(Problem::at(place, message));
            None
        }
    }
}

/// A value in words: its type and, where it is short, what it is.
pub fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string {}", quoted(text)),
        DeValue::Integer(number) => format!("the number {}", quoted(&number.to_string())),
        DeValue::Float(number) => format!("the number {}", quoted(&number.to_string())),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(time) => format!("the date or time `{time}`"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// A TOML number as 64 bits hold it; `None` beyond them.
pub fn whole_number(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

type Key<'s> = Spanned<std::borrow::Cow<'s, str>>;

/// Reads a table with this key only. That other keys are missing is no error of this key.
fn try_key<T: DeserializeOwned>(key: Key<'_>, value: Spanned<DeValue<'_>>) -> Result<(), Error> {
    let mut alone = DeTable::new();
    alone.insert(key, value);
    match T::deserialize(Deserializer::from(Spanned::new(NOWHERE, alone))) {
        Err(error) if error.span() != Some(NOWHERE) => Err(error),
        _ => Ok(()),
    }
}

/// Reads keys that are each right. What can still be wrong is that others are missing; `wrong` are those that are
/// there, but could not be read.
fn read_together<T: DeserializeOwned>(
    mut table: DeTable<'_>,
    place: &Range<usize>,
    wrong: &[String],
    problems: &mut Problems,
) -> Option<T> {
    // serde names one missing key at a time: a stand-in for each lets it find the next.
    let mut complete = true;
    loop {
        let error = match T::deserialize(Deserializer::from(Spanned::new(NOWHERE, table.clone()))) {
            Ok(value) => return complete.then_some(value),
            Err(error) => error,
        };
        complete = false;
        let Some(missing) = missing_key(&error) else {
            problems.push(Problem::at(place.clone(), error.message()));
            return None;
        };
        if !wrong.contains(&missing) && !problems.is_damaged() {
            problems.push(Problem::at(place.clone(), format!("the key `{missing}` is missing")));
        }
        let key = || Spanned::new(NOWHERE, missing.clone().into());
        let stand_in = stand_ins().find(|value| try_key::<T>(key(), value.clone()).is_ok())?;
        if table.insert(key(), stand_in).is_some() {
            return None;
        }
    }
}

fn missing_key(error: &Error) -> Option<String> {
    error.message().strip_prefix("missing field `")?.strip_suffix('`').map(str::to_owned)
}

/// A value of each type, for keys that are missing.
fn stand_ins() -> impl Iterator<Item = Spanned<DeValue<'static>>> {
    // They have places of their own: at NOWHERE, an error would pass for one about a missing key.
    ["1", "1.0", "\"\"", "false", "[]", "{}"].into_iter().filter_map(|text| DeValue::parse(text).ok())
}

/// serde's error in words for people, at the place of the value or, if it is unknown, of the key.
fn explained(error: &Error, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Problem {
    let place = error.span().unwrap_or(value.span());
    let (name, message) = (key.get_ref(), error.message());
    if let Some((found, expected)) = unknown(message, "field") {
        let problem = Problem::at(place, format!("unknown key {}", quoted(found)));
        return with_names(problem, found, expected);
    }
    if let Some((found, expected)) = unknown(message, "variant") {
        let problem = Problem::at(place, format!("`{name}`: unknown value {}", quoted(found)));
        return with_names(problem, found, expected);
    }
    let culprit = value_at(value, &place);
    if let Some(number) = culprit.and_then(DeValue::as_integer).filter(|number| whole_number(number).is_none()) {
        return Problem::at(place, format!("`{name}`: the number {} is beyond 64 bits", quoted(&number.to_string())));
    }
    let text = match message.strip_prefix("invalid ").and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((complaint, expected)) => {
            let found = match complaint.strip_prefix("length ") {
                Some(length) => format!("{length} of them"),
                None => culprit.map_or_else(|| shortened(complaint), described),
            };
            format!("`{name}`: expected {}, found {found}", in_words(expected))
        }
        None if message == "wanted string or table" => {
            format!("`{name}`: expected a string, found {}", culprit.map_or("another type".to_owned(), described))
        }
        None => format!("`{name}`: {}", shortened(message)),
    };
    Problem::at(place, text)
}

/// The found name and the list of valid ones of serde's "unknown field `x`, expected one of `a`, `b`".
fn unknown<'m>(message: &'m str, what: &str) -> Option<(&'m str, &'m str)> {
    let rest = message.strip_prefix("unknown ")?.strip_prefix(what)?.strip_prefix(" `")?;
    rest.rsplit_once("`, expected ").or_else(|| rest.rsplit_once("`, there are no "))
}

fn with_names(problem: Problem, found: &str, expected: &str) -> Problem {
    let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let near = problem.clone().with_nearest(found, names.iter().copied());
    match names.as_slice() {
        _ if near.help.is_some() => near,
        [] => problem.with_help("no key is known here"),
        names => problem.with_help(format!("known here: {}", names.join(", "))),
    }
}

/// The value at exactly this place, in `value` or inside it.
fn value_at<'v, 's>(value: &'v Spanned<DeValue<'s>>, place: &Range<usize>) -> Option<&'v DeValue<'s>> {
    if value.span() == *place {
        return Some(value.get_ref());
    }
    match value.get_ref() {
        DeValue::Array(array) => array.iter().find_map(|element| value_at(element, place)),
        DeValue::Table(table) => table.values().find_map(|inner| value_at(inner, place)),
        _ => None,
    }
}

/// serde's name of a type in words.
fn in_words(expected: &str) -> String {
    match expected {
        "i64" | "i32" | "i128" | "isize" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" | "u128" => "a whole number of at least 0",
        "a nonzero u32" | "a nonzero usize" | "a nonzero u64" => "a whole number of at least 1",
        "f64" | "f32" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => match other.strip_prefix("an array of length ") {
            Some(length) => return format!("a list of {length} values"),
            None => return other.to_owned(),
        },
    }
    .to_owned()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Batch {
        name: String,
        seed: i64,
        repeats: u32,
        floors: Vec<String>,
        price: Price,
        mode: Mode,
        temperature: Option<f64>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Price {
        input: f64,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Mode {
        #[default]
        Auto,
        Action,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Agent {
        name: String,
        kind: Mode,
        weight: i64,
    }

    fn mistakes(text: &str) -> String {
        let mut problems = Problems::new("run.toml", text);
        let mut table = Table::parse(text, &mut problems);
        for agent in table.take_tables("agent", &mut problems) {
            agent.read::<Agent>(&mut problems);
        }
        table.read::<Batch>(&mut problems);
        problems.into_result(Some(())).map_or_else(|problems| problems.to_string(), |()| "none".to_owned())
    }

    #[test]
    fn five_mistakes_are_told_at_once() {
        let text = "name = 7\nflors = []\nseed = 9223372036854775808\nfloors = [\"a\", 3]\nrepeats = -1\n";
        assert_snapshot!(mistakes(text), @"
        run.toml:1:8: `name`: expected a string, found the number `7`
        run.toml:2:1: unknown key `flors` (did you mean `floors`?)
        run.toml:3:8: `seed`: the number `9223372036854775808` is beyond 64 bits
        run.toml:4:16: `floors`: expected a string, found the number `3`
        run.toml:5:11: `repeats`: expected a whole number from 0 to 4294967295, found the number `-1`
        ");
    }

    #[test]
    fn mistakes_inside_values_have_their_own_place() {
        let text = "mode = \"acton\"\nprice = { inptu = 1.0 }\ntemperature = \"warm\"\n";
        assert_snapshot!(mistakes(text), @"
        run.toml:1:8: `mode`: unknown value `acton` (did you mean `action`?)
        run.toml:2:11: unknown key `inptu` (did you mean `input`?)
        run.toml:3:15: `temperature`: expected a number, found the string `warm`
        ");
        assert_snapshot!(mistakes("price = { input = 1979-05-27 }\nmode = 3\nseed = 1.5"), @"
        run.toml:1:19: `price`: expected a number, found the date or time `1979-05-27`
        run.toml:2:8: `mode`: expected a string, found the number `3`
        run.toml:3:8: `seed`: expected a whole number, found the number `1.5`
        ");
        assert_snapshot!(mistakes("mode = \"somewhere else\"\nseed = 99999999999999999999999999999999999999999"), @"
        run.toml:1:8: `mode`: unknown value `somewhere else` (known here: auto, action)
        run.toml:2:8: `seed`: the number `9999999999999999999999999999999999999999…` is beyond 64 bits
        ");
    }

    #[test]
    fn every_missing_key_is_told() {
        assert_snapshot!(mistakes("[[agent]]\n[[agent]]\nname = 3\nkind = \"auto\"\n"), @"
        run.toml:1:1: the key `name` is missing
        run.toml:1:1: the key `kind` is missing
        run.toml:2:1: the key `weight` is missing
        run.toml:3:8: `name`: expected a string, found the number `3`
        ");
        assert_snapshot!(mistakes("agent = [3, { name = \"a\", kind = \"auto\", weight = 1 }]\n"), @"run.toml:1:10: `agent`: expected a table, found the number `3`");
        assert_snapshot!(mistakes("[agent]\n"), @"run.toml:1:2: expected tables, each under `[[agent]]`, found a table");
    }

    #[test]
    fn broken_syntax_does_not_hide_other_mistakes() {
        assert_snapshot!(mistakes("seed = 1x\nname = \"a\nrepeats = true\nseed = 2\n[[agent]\nname = \"x\"\n"), @r#"
        run.toml:1:8: not TOML: string values must be quoted, expected literal string
        run.toml:2:10: not TOML: invalid basic string, expected `"`
        run.toml:3:11: `repeats`: expected a whole number from 0 to 4294967295, found `true`
        run.toml:4:1: not TOML: duplicate key
        run.toml:5:9: not TOML: unclosed array table, expected `]`
        run.toml:6:1: not TOML: duplicate key
        "#);
        assert_snapshot!(mistakes("name = \"never closed"), @r#"run.toml:1:21: not TOML: invalid basic string, expected `"`"#);
    }

    #[test]
    fn a_right_table_is_read_with_the_places_of_its_keys() {
        let text = "\u{feff}seed = 7\r\nfloors = [\"a\"]\r\n";
        let mut problems = Problems::new("run.toml", text);
        let (batch, places) = Table::parse(text, &mut problems).read::<Batch>(&mut problems).unwrap();
        assert_eq!((batch.seed, batch.floors.len()), (7, 1));
        assert_eq!(&text[places.of("floors")], "[\"a\"]");
        assert_eq!(places.of("name"), places.table());
        let problem = Problem::at(places.of("floors"), "missing file");
        assert_eq!(problems.line_column(&problem), Some((2, 10)));
        assert!(problems.is_empty());
        let text = "[[agent]]\nname = \"a\"\nkind = \"action\"\nweight = 0x10\n";
        let agents = Table::parse(text, &mut problems).take_tables("agent", &mut problems);
        let [agent] = <[Table; 1]>::try_from(agents).unwrap();
        let (agent, _) = agent.read::<Agent>(&mut problems).unwrap();
        assert!(agent.name == "a" && matches!(agent.kind, Mode::Action) && agent.weight == 16);
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert!(mistakes(&format!("name = {}", "[".repeat(1 << 20))).starts_with("run.toml:1:"));
        for text in [format!("{} = 1", vec!["a"; 1 << 16].join(".")), format!("[{}]", vec!["a"; 1 << 16].join("."))] {
            let told = mistakes(&text);
            assert_eq!(told, "run.toml: not TOML: recursion limit");
        }
    }
}
