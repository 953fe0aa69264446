//! The values of instructions: expressions, places, symbols, texts.

use std::ops::Range;

use toml::de::DeValue;

use super::super::expression::{self, Names};
use super::super::quantity::Text;
use super::read::ScriptReader;
use crate::format::problem::{Problem, quoted};
use crate::format::table::{Entry, Table, described, whole_number};
use crate::game::{Expression, MonsterId, Number, Position, Target, Tile};

impl ScriptReader<'_> {
    /// Takes a key out that must be there.
    pub(super) fn needed<'s>(&mut self, table: &mut Table<'s>, key: &str, place: &Range<usize>) -> Option<Entry<'s>> {
        let entry = table.take(key);
        if entry.is_none() {
            self.problems.push(Problem::at(place.clone(), format!("the key `{key}` is missing")));
        }
        entry
    }

    pub(super) fn needed_expression(
        &mut self,
        table: &mut Table<'_>,
        key: &str,
        place: &Range<usize>,
    ) -> Option<Expression> {
        let entry = self.needed(table, key, place)?;
        self.expression(entry)
    }

    /// The expression under a key that is there.
    pub(super) fn expression_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<Expression> {
        let entry = table.take(key)?;
        self.expression(entry)
    }

    /// An expression, or a number by itself.
    pub(in super::super) fn expression(&mut self, entry: Entry<'_>) -> Option<Expression> {
        match &entry.value {
            DeValue::String(text) => {
                let parsed = expression::parse(text, &mut self.names());
                parsed.map_err(|problem| self.push_inside(&entry, text, problem)).ok()
            }
            DeValue::Integer(number) if whole_number(number).is_some() => whole_number(number).map(Expression::whole),
            DeValue::Boolean(holds) => Some(Expression::Number(Number::of_truth(*holds))),
            other => {
                let message = format!("`{}`: expected an expression, found {}", entry.key, described(other));
                let help = "write it in quotes, such as \"hp + 50\"";
                self.problems.push(Problem::at(entry.place.clone(), message).with_help(help));
                None
            }
        }
    }

    pub(super) fn target_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<Target> {
        let entry = table.take(key)?;
        let text = self.text_in(&entry)?;
        let target = expression::target(&text, &mut self.names());
        target.map_err(|problem| self.push_inside(&entry, &text, problem)).ok()
    }

    pub(super) fn tile_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<Tile> {
        let entry = table.take(key)?;
        let symbol = self.text_in(&entry)?;
        let tile = expression::tile(&symbol, entry.place.clone(), self.symbols);
        let tile = tile.map_err(|problem| self.problems.push(problem)).ok()?;
        if let Some(key) = self.symbols.unsaid(tile) {
            let message = format!("{} gives what [items] does not say", quoted(&symbol));
            let problem = Problem::at(entry.place, message).with_help(format!("add `{key} = …` under [items]"));
            self.problems.push(problem);
        } else if tile == Tile::Shop && !self.symbols.has_shop {
            let message = "this puts a shop, but there is no table [shop] with what it sells";
            self.problems.push(Problem::at(entry.place, message));
        }
        Some(tile)
    }

    pub(super) fn monster_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<MonsterId> {
        let entry = table.take(key)?;
        let symbol = match entry.value.as_integer().and_then(whole_number) {
            Some(number) => number.to_string(),
            None => self.text_in(&entry)?,
        };
        let monster = expression::monster(&symbol, entry.place, self.symbols);
        monster.map_err(|problem| self.problems.push(problem)).ok()
    }

    pub(super) fn needed_text(
        &mut self,
        table: &mut Table<'_>,
        key: &str,
        place: &Range<usize>,
    ) -> Option<(String, Range<usize>)> {
        let entry = self.needed(table, key, place)?;
        Some((self.text_in(&entry)?, entry.place))
    }

    pub(super) fn needed_words(&mut self, table: &mut Table<'_>, key: &str, place: &Range<usize>) -> Option<String> {
        let entry = self.needed(table, key, place)?;
        self.words(&entry)
    }

    /// A text that people read.
    pub(super) fn words_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<String> {
        let entry = table.take(key)?;
        self.words(&entry)
    }

    fn words(&mut self, entry: &Entry<'_>) -> Option<String> {
        let text = Text::try_from(self.text_in(entry)?);
        let place = entry.place.clone();
        text.map_err(|why| self.problems.push(Problem::at(place, format!("`{}`: {why}", entry.key)))).ok().map(|t| t.0)
    }

    fn text_in(&mut self, entry: &Entry<'_>) -> Option<String> {
        match &entry.value {
            DeValue::String(text) => Some(text.to_string()),
            other => {
                let message = format!("`{}`: expected a string, found {}", entry.key, described(other));
                self.problems.push(Problem::at(entry.place.clone(), message));
                None
            }
        }
    }

    pub(super) fn place_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<Position> {
        let entry = table.take(key)?;
        self.position(&entry.key, &entry.value, entry.place)
    }

    /// A place that need not be there; `None` if what is there is none.
    pub(super) fn optional_place(&mut self, table: &mut Table<'_>, key: &str) -> Option<Option<Position>> {
        match table.has(key) {
            true => self.place_of(table, key).map(Some),
            false => Some(None),
        }
    }

    pub(super) fn needed_places(
        &mut self,
        table: &mut Table<'_>,
        key: &str,
        place: &Range<usize>,
    ) -> Option<Vec<Position>> {
        let entry = self.needed(table, key, place)?;
        self.places(entry)
    }

    pub(super) fn places_of(&mut self, table: &mut Table<'_>, key: &str) -> Option<Vec<Position>> {
        let entry = table.take(key)?;
        self.places(entry)
    }

    /// Places, or one by itself.
    fn places(&mut self, entry: Entry<'_>) -> Option<Vec<Position>> {
        let is_one = matches!(&entry.value, DeValue::Array(list) if matches!(list.first().map(|v| v.get_ref()), Some(DeValue::Integer(_))));
        if is_one {
            return Some(vec![self.position(&entry.key, &entry.value, entry.place)?]);
        }
        let key = entry.key.clone();
        let elements = entry.into_array(self.problems)?;
        let count = elements.len();
        let places: Vec<Position> =
            elements.into_iter().filter_map(|(value, place)| self.position(&key, &value, place)).collect();
        (places.len() == count).then_some(places)
    }

    /// Floor, column and row.
    fn position(&mut self, key: &str, value: &DeValue<'_>, place: Range<usize>) -> Option<Position> {
        let number = |value: &DeValue<'_>| u16::try_from(whole_number(value.as_integer()?)?).ok();
        let numbers = match value {
            DeValue::Array(list) => list.iter().map(|value| number(value.get_ref())).collect::<Option<Vec<u16>>>(),
            _ => None,
        };
        let Some([floor, x, y]) = numbers.and_then(|numbers| <[u16; 3]>::try_from(numbers).ok()) else {
            let message = format!("`{key}`: expected floor, column and row, found {}", described(value));
            self.problems.push(Problem::at(place, message).with_help("write [0, 3, 4], each from 0"));
            return None;
        };
        let at = Position::new(floor, x, y);
        if let Some(message) = expression::outside(at, self.floors) {
            self.problems.push(Problem::at(place, message));
        }
        Some(at)
    }

    fn names(&mut self) -> Names<'_> {
        Names { symbols: self.symbols, variables: self.variables, floors: self.floors }
    }

    /// Adds a mistake inside a string, at its place in the file if that is written without escapes.
    fn push_inside(&mut self, entry: &Entry<'_>, text: &str, mut problem: Problem) {
        let written = self.text.get(entry.place.clone()).unwrap_or_default();
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| written.starts_with(quote)).unwrap_or("");
        let inner = written.get(quote.len()..written.len().saturating_sub(quote.len()));
        problem.span = problem.span.map(|span| match inner == Some(text) {
            true => {
                let start = entry.place.start + quote.len();
                start + span.start..start + span.end
            }
            false => entry.place.clone(),
        });
        self.problems.push(problem);
    }
}
