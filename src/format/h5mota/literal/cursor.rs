//! A place in a text that moves forwards: blanks, comments, strings and code of JavaScript. Knows nothing of values.

use super::Mistake;

/// A place in a text.
#[derive(Clone)]
pub struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> Cursor<'t> {
    /// The start of a text.
    pub fn new(text: &'t str) -> Self {
        Cursor { text, at: 0, line: 1 }
    }

    /// Bytes before it.
    pub fn place(&self) -> usize {
        self.at
    }

    /// The line, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Passes over the next character.
    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.line += u32::from(c == '\n');
        Some(c)
    }

    /// Passes over the next character if it is this one.
    pub fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.next();
        }
        found
    }

    /// Passes over characters, and gives them.
    pub fn take_while(&mut self, of: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&of) {
            self.next();
        }
        self.text.get(start..self.at).unwrap_or("").to_owned()
    }

    /// A mistake that begins at a place.
    pub fn mistake(&self, start: usize, message: &str) -> Mistake {
        let length = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Mistake { span: start..start + length, message: message.to_owned() }
    }

    /// Passes over blanks and comments.
    pub fn skip_blank(&mut self) -> Result<(), Mistake> {
        loop {
            let rest = self.rest();
            match self.peek() {
                Some(c) if c.is_whitespace() || c == '\u{feff}' => {
                    self.next();
                }
                Some('/') if rest.starts_with("//") => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.next();
                    }
                }
                Some('/') if rest.starts_with("/*") => {
                    let start = self.at;
                    let length = rest.find("*/").ok_or_else(|| self.mistake(start, "this comment does not end"))?;
                    while self.at < start + length + 2 {
                        self.next();
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads a string in quotes of any kind.
    pub fn string(&mut self) -> Result<String, Mistake> {
        let start = self.at;
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.mistake(start, "the file ends within a string")),
                Some('\\') => self.escape(&mut text),
                Some('\n') if quote != Some('`') => {
                    return Err(self.mistake(start, "this string does not end on its line"));
                }
                c if c == quote => return Ok(text),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        match self.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('v') => text.push('\u{b}'),
            Some('0') => text.push('\0'),
            Some('\n') | None => {}
            Some('x') => text.push(self.hex(2)),
            Some('u') if self.take('{') => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                self.take('}');
                text.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some('u') => {
                let first = self.code_unit(4);
                let c = match first {
                    0xd800..0xdc00 if self.rest().starts_with("\\u") => {
                        self.next();
                        self.next();
                        let second = self.code_unit(4);
                        char::decode_utf16([first, second].map(|unit| unit as u16)).next().and_then(Result::ok)
                    }
                    unit => char::from_u32(unit),
                };
                text.push(c.unwrap_or('\u{fffd}'));
            }
            Some(c) => text.push(c),
        }
    }

    fn hex(&mut self, digits: usize) -> char {
        char::from_u32(self.code_unit(digits)).unwrap_or('\u{fffd}')
    }

    fn code_unit(&mut self, digits: usize) -> u32 {
        let mut unit = 0;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else { return 0xfffd };
            self.next();
            unit = unit * 16 + digit;
        }
        unit
    }

    /// Passes over code up to the comma or closing bracket that ends it, and gives its text.
    pub fn code(&mut self) -> Result<String, Mistake> {
        let start = self.at;
        let mut open = Vec::new();
        let mut closed_body = false;
        loop {
            self.skip_blank()?;
            match self.peek() {
                None if open.is_empty() => break,
                None => return Err(self.mistake(start, "this code does not end")),
                Some(',' | ';') if open.is_empty() => break,
                Some('"' | '\'' | '`') => {
                    self.string()?;
                }
                Some(c @ ('(' | '[' | '{')) => {
                    if closed_body && open.is_empty() && c == '{' {
                        break;
                    }
                    open.push(c);
                    self.next();
                }
                Some(c @ (')' | ']' | '}')) => match (open.pop(), c) {
                    (None, _) => break,
                    (Some('('), ')') | (Some('['), ']') => {
                        self.next();
                    }
                    (Some('{'), '}') => {
                        self.next();
                        closed_body = open.is_empty();
                    }
                    _ => return Err(self.mistake(start, "this code does not end")),
                },
                Some(_) => {
                    self.next();
                }
            }
        }
        Ok(self.text.get(start..self.at).unwrap_or("").trim_end().to_owned())
    }
}
