//! Values as a project's files write them: JSON, or literals of JavaScript with bare keys, comments, single quotes and
//! trailing commas. Code that stands where a value should is kept as text and never run. Knows nothing of what the values
//! mean.

mod cursor;
mod value;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use cursor::Cursor;
pub use value::{Kind, Value, decimal};

/// How deep lists and objects may nest.
pub const DEEPEST: usize = 128;

/// What is wrong with a literal, and where, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The bytes that it is about.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
}

/// A value that was read, and what was odd about it.
#[derive(Clone, Debug)]
pub struct Read {
    /// The value.
    pub value: Value,
    /// Keys that stand twice in one object, with their lines; the later one counts, as in JavaScript.
    pub repeated: Vec<(String, u32)>,
    /// The line of the first thing that follows the value and is neither blank nor a comment nor `;`.
    pub rest: Option<u32>,
}

/// Reads the value that a file assigns to a name: `name = VALUE`, `;` after it or not.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str) -> Result<Read, Mistake> {
    let mut reader = Reader { cursor: Cursor::new(text), repeated: Vec::new() };
    reader.skip_to_value()?;
    let value = reader.value(0)?;
    reader.cursor.skip_blank()?;
    while reader.cursor.take(';') {
        reader.cursor.skip_blank()?;
    }
    let rest = (!reader.cursor.is_at_end()).then(|| reader.cursor.line());
    Ok(Read { value, repeated: reader.repeated, rest })
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    repeated: Vec<(String, u32)>,
}

impl Reader<'_> {
    /// Passes over `var name =` or `main.floors.ID =`; a file may also begin with the value itself.
    fn skip_to_value(&mut self) -> Result<(), Mistake> {
        self.cursor.skip_blank()?;
        if matches!(self.cursor.peek(), Some('{' | '[')) {
            return Ok(());
        }
        let start = self.cursor.place();
        loop {
            self.cursor.skip_blank()?;
            match self.cursor.next() {
                Some('=') => return Ok(()),
                Some(c) if c.is_alphanumeric() || "_$.[]'\"-".contains(c) => {}
                Some(_) => return Err(self.cursor.mistake(start, "expected `name = …` with a value in braces")),
                None => return Err(self.cursor.mistake(start, "the file ends; expected `name = …` with a value")),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Mistake> {
        self.cursor.skip_blank()?;
        let (start, line) = (self.cursor.place(), self.cursor.line());
        if depth > DEEPEST {
            return Err(self.cursor.mistake(start, &format!("lists and objects nest deeper than {DEEPEST}")));
        }
        let kind = match self.cursor.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"' | '\'' | '`') => Kind::Text(self.cursor.string()?),
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number()?,
            Some(c) if is_name(c) => self.word()?,
            Some('(') => Kind::Code(self.cursor.code()?),
            Some(_) => return Err(self.cursor.mistake(start, "expected a value")),
            None => return Err(self.cursor.mistake(start, "the file ends here; expected a value")),
        };
        Ok(Value { line, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Mistake> {
        self.cursor.next();
        let mut members: Vec<(String, Value)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        loop {
            self.cursor.skip_blank()?;
            let start = self.cursor.place();
            if self.cursor.take('}') {
                return Ok(Kind::Object(members));
            }
            let line = self.cursor.line();
            let key = self.key()?;
            self.cursor.skip_blank()?;
            let value = match self.cursor.peek() {
                // A method: `name(…) { … }`.
                Some('(') => Value { line, kind: Kind::Code(self.cursor.code()?) },
                _ if self.cursor.take(':') => self.value(depth + 1)?,
                Some(_) => return Err(self.cursor.mistake(start, "expected `:` after the key")),
                None => return Err(self.cursor.mistake(start, "the file ends within an object; expected `}`")),
            };
            match known.entry(key.clone()) {
                Entry::Occupied(place) => {
                    self.repeated.push((key, line));
                    if let Some(member) = members.get_mut(*place.get()) {
                        member.1 = value;
                    }
                }
                Entry::Vacant(place) => {
                    place.insert(members.len());
                    members.push((key, value));
                }
            }
            self.separator('}', start)?;
        }
    }

    fn key(&mut self) -> Result<String, Mistake> {
        let start = self.cursor.place();
        match self.cursor.peek() {
            Some('"' | '\'') => self.cursor.string(),
            Some(c) if is_name(c) || c.is_ascii_digit() => Ok(self.cursor.take_while(|c| is_name(c) || c.is_numeric())),
            Some(_) => Err(self.cursor.mistake(start, "expected a key or `}`")),
            None => Err(self.cursor.mistake(start, "the file ends within an object; expected `}`")),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Mistake> {
        self.cursor.next();
        let mut items = Vec::new();
        loop {
            self.cursor.skip_blank()?;
            let start = self.cursor.place();
            if self.cursor.take(']') {
                return Ok(Kind::List(items));
            }
            if self.cursor.is_at_end() {
                return Err(self.cursor.mistake(start, "the file ends within a list; expected `]`"));
            }
            items.push(self.value(depth + 1)?);
            self.separator(']', start)?;
        }
    }

    /// What stands between two members: a comma, or the end that is read next.
    fn separator(&mut self, end: char, start: usize) -> Result<(), Mistake> {
        self.cursor.skip_blank()?;
        match self.cursor.peek() {
            Some(',') => {
                self.cursor.next();
                Ok(())
            }
            Some(c) if c == end => Ok(()),
            Some(_) => {
                let place = self.cursor.place();
                Err(self.cursor.mistake(place, &format!("expected `,` or `{end}`")))
            }
            None => Err(self.cursor.mistake(start, &format!("the file ends here; expected `{end}`"))),
        }
    }

    fn number(&mut self) -> Result<Kind, Mistake> {
        let start = self.cursor.place();
        let text = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
        match value::decimal(&text) {
            Some(number) => Ok(Kind::Number(number)),
            None => Err(self.cursor.mistake(start, "expected a number")),
        }
    }

    /// A name where a value should be: a constant, or code.
    fn word(&mut self) -> Result<Kind, Mistake> {
        let before = self.cursor.clone();
        let word = self.cursor.take_while(is_name_or_digit);
        let follows = {
            let mut ahead = self.cursor.clone();
            ahead.skip_blank()?;
            ahead.peek()
        };
        let kind = match (word.as_str(), follows) {
            (_, None | Some(',' | '}' | ']' | ';')) => match word.as_str() {
                "null" | "undefined" | "NaN" => Some(Kind::Null),
                "true" => Some(Kind::Bool(true)),
                "false" => Some(Kind::Bool(false)),
                _ => None,
            },
            _ => None,
        };
        match kind {
            Some(kind) => Ok(kind),
            None => {
                self.cursor = before;
                Ok(Kind::Code(self.cursor.code()?))
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

fn is_name_or_digit(c: char) -> bool {
    is_name(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str) -> String {
        match read(text) {
            Ok(read) => read.value.to_string(),
            Err(mistake) => format!("{}..{}: {}", mistake.span.start, mistake.span.end, mistake.message),
        }
    }

    #[test]
    fn json_and_literals_of_javascript_are_read() {
        assert_snapshot!(told("var a_1 = \n{\"x\": [1, -2.50, 1e2], \"塔\": null}"), @r#"{"x":[1,-2.5,100],"塔":null}"#);
        assert_snapshot!(told("main.floors.MT0 = {floorId: 'MT0', /* c */ map: [[0,1,],], // end\n 5: true, };\n"), @r#"{"floorId":"MT0","map":[[0,1]],"5":true}"#);
        assert_snapshot!(told(r#"{"t": "a\n\u4e00\x41\\\"", 'u': `b`}"#), @r#"{"t":"a\n一A\\\"","u":"b"}"#);
    }

    #[test]
    fn code_is_kept_and_not_run() {
        assert_snapshot!(told("x = {f: function () { return {a: '}'}; }, g: (a) => a + 1, h(x) { y }, b: 2}"), @"{\"f\":code`function () { return {a: '}'}; }`,\"g\":code`(a) => a + 1`,\"h\":code`(x) { y }`,\"b\":2}");
    }

    #[test]
    fn mistakes_have_places() {
        assert_snapshot!(told("x = {a: 1"), @"5..6: the file ends here; expected `}`");
        assert_snapshot!(told("x = {a 1}"), @"5..6: expected `:` after the key");
        assert_snapshot!(told("x = [1 2]"), @"7..8: expected `,` or `]`");
        assert_snapshot!(told("x = \"a"), @"4..5: the file ends within a string");
        assert_snapshot!(told("x = {a: @}"), @"8..9: expected a value");
        assert_snapshot!(told(""), @"0..0: the file ends; expected `name = …` with a value");
        assert_snapshot!(told(&format!("x = {}", "[".repeat(100_000))), @"133..134: lists and objects nest deeper than 128");
        assert_snapshot!(told("x = {a: (b}"), @"8..9: this code does not end");
    }

    #[test]
    fn what_is_odd_is_told() {
        let read = read("x = {a: 1,\n a: 2}; more()").unwrap();
        assert_eq!((read.repeated, read.rest), (vec![("a".to_owned(), 2)], Some(2)));
        assert_eq!(read.value.to_string(), r#"{"a":2}"#);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[\\PC\n]{0,80}", piece in "[\\[\\]{}:,'\"`a/*0-9\\\\.(=-]{0,60}") {
            let _ = (read(&text), read(&format!("x = {piece}")));
        }
    }
}
