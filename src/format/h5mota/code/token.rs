//! Words and signs of JavaScript, with the engine's own `flag:x` and its like as words. Knows nothing of grammar.

use super::NotUnderstood;

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A number, in plain decimals.
    Number(String),
    /// A text.
    Text(String),
    /// A name or keyword.
    Name(String),
    /// `flag:x` and its like.
    Stored(Store, String),
    /// A sign.
    Sign(&'static str),
}

/// What a stored quantity belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// A flag of the game.
    Flag,
    /// A quantity of the hero.
    Status,
    /// How many of an item the hero has.
    Item,
    /// A flag of the event's own tile.
    Switch,
    /// A flag of the event while it runs.
    Temp,
    /// A number of a monster's row: `enemy:id:atk`.
    Enemy,
    /// What stands on a tile: `blockId:x,y`.
    BlockId,
    /// Of which class what stands on a tile is: `blockCls:x,y`.
    BlockClass,
    /// The number of what stands on a tile: `blockNumber:x,y`.
    BlockNumber,
    /// A factor of a quantity of the hero.
    Buff,
    /// Something kept beyond the game.
    Global,
    /// What the hero wears.
    Equip,
}

const STORES: [(&str, Store); 12] = [
    ("flag", Store::Flag),
    ("status", Store::Status),
    ("item", Store::Item),
    ("switch", Store::Switch),
    ("temp", Store::Temp),
    ("enemy", Store::Enemy),
    ("blockId", Store::BlockId),
    ("blockCls", Store::BlockClass),
    ("blockNumber", Store::BlockNumber),
    ("buff", Store::Buff),
    ("global", Store::Global),
    ("equip", Store::Equip),
];

impl Store {
    /// The word before the colon.
    pub fn word(self) -> &'static str {
        STORES.iter().find(|(_, store)| *store == self).map_or("", |(word, _)| word)
    }

    /// Splits `flag:x` into what it belongs to and its name; both kinds of colon are read.
    pub fn split(text: &str) -> Option<(Store, &str)> {
        let (word, name) = text.split_once([':', '：'])?;
        let store = STORES.iter().find(|(known, _)| *known == word.trim()).map(|(_, store)| *store)?;
        Some((store, name.trim()))
    }
}

/// The longest first.
const SIGNS: [&str; 48] = [
    ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "...", "&&=", "||=", "??=", "==", "!=", "<=", ">=", "&&", "||",
    "??", "?.", "=>", "+=", "-=", "*=", "/=", "%=", "++", "--", "**", "<<", ">>", "+", "-", "*", "/", "%", "<", ">",
    "!", "=", "?", ":", "(", ")", "[", "]", "{", "}", ",",
];

const MORE_SIGNS: [&str; 6] = [".", ";", "&", "|", "^", "~"];

/// The tokens of a text.
pub fn tokens(text: &str) -> Result<Vec<Token>, NotUnderstood> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_blank(rest);
        let Some(first) = rest.chars().next() else { return Ok(found) };
        let starts_number =
            first.is_ascii_digit() || (first == '.' && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit));
        let (token, length) = match first {
            '"' | '\'' => string(rest, first)?,
            '`' => return Err(NotUnderstood("a template of text".into())),
            _ if starts_number => number(rest)?,
            c if is_name(c) => name(rest),
            _ => sign(rest, first)?,
        };
        found.push(token);
        rest = rest.get(length..).unwrap_or("");
    }
}

fn skip_blank(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or("");
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").and_then(|end| comment.get(end + 2..)).unwrap_or("");
        } else {
            return rest;
        }
    }
}

fn sign(text: &str, first: char) -> Result<(Token, usize), NotUnderstood> {
    let found = SIGNS.iter().chain(&MORE_SIGNS).find(|sign| text.starts_with(**sign));
    found.map(|sign| (Token::Sign(sign), sign.len())).ok_or_else(|| NotUnderstood(format!("the sign {first:?}")))
}

fn number(text: &str) -> Result<(Token, usize), NotUnderstood> {
    let mut end = 0;
    let mut before = ' ';
    for c in text.chars() {
        let exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || c == '.' || exponent) {
            break;
        }
        end += c.len_utf8();
        before = c;
    }
    let digits = text.get(..end).unwrap_or("");
    let decimals = super::super::literal::decimal(digits);
    decimals.map(|number| (Token::Number(number), end)).ok_or_else(|| NotUnderstood(format!("the number {digits}")))
}

fn string(text: &str, quote: char) -> Result<(Token, usize), NotUnderstood> {
    let mut content = String::new();
    let mut escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                content.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                escaped = false;
            }
            '\\' => escaped = true,
            c if c == quote => return Ok((Token::Text(content), place + 1)),
            c => content.push(c),
        }
    }
    Err(NotUnderstood("a text that does not end".into()))
}

fn name(text: &str) -> (Token, usize) {
    let length = |text: &str| text.find(|c: char| !is_name(c) && !c.is_numeric()).unwrap_or(text.len());
    let end = length(text);
    let word = text.get(..end).unwrap_or("");
    let rest = text.get(end..).unwrap_or("");
    let store = STORES.iter().find(|(known, _)| *known == word).map(|(_, store)| *store);
    let Some((store, colon)) = store.zip(rest.chars().next().filter(|c| matches!(c, ':' | '：'))) else {
        return (Token::Name(word.to_owned()), end);
    };
    let start = end + colon.len_utf8();
    let after = text.get(start..).unwrap_or("");
    let taken = match store {
        Store::BlockId | Store::BlockClass | Store::BlockNumber => {
            after.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(after.len())
        }
        Store::Enemy => {
            after.find(|c: char| !is_name(c) && !c.is_numeric() && !matches!(c, ':' | '.')).unwrap_or(after.len())
        }
        _ => length(after),
    };
    match after.get(..taken) {
        Some(name) if !name.is_empty() => (Token::Stored(store, name.to_owned()), start + taken),
        _ => (Token::Name(word.to_owned()), end),
    }
}

fn is_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$' | '@')
}
