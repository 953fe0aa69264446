//! Bytes from a server or a model as JSON text that can be parsed. Knows nothing of what the JSON means.

use std::borrow::Cow;

/// The bytes as UTF-8, with what is not UTF-8 and every lone surrogate escape (`\ud800` without its second half)
/// replaced by U+FFFD. Models that are cut off in the middle of an emoji send such escapes, and JSON parsers
/// refuse the whole document for them.
pub fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match without_lone_surrogates(&text) {
        Cow::Borrowed(_) => text.into_owned(),
        Cow::Owned(repaired) => repaired,
    }
}

/// The text with every lone surrogate escape replaced by `\ufffd`. Linear in its length.
pub fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(offset) = text.as_bytes()[at..].iter().position(|byte| *byte == b'\\') {
        let escape = at + offset;
        at = match surrogate(text, escape) {
            None => next_char(text, escape + 1),
            Some(Half::High) if matches!(surrogate(text, escape + ESCAPE), Some(Half::Low)) => escape + 2 * ESCAPE,
            Some(_) => {
                repaired.push_str(&text[kept..escape]);
                repaired.push_str("\\ufffd");
                kept = escape + ESCAPE;
                kept
            }
        };
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    repaired.push_str(&text[kept..]);
    Cow::Owned(repaired)
}

/// Bytes of `\uXXXX`.
const ESCAPE: usize = 6;

enum Half {
    High,
    Low,
}

/// Which half of a surrogate pair is escaped at a byte, if any.
fn surrogate(text: &str, at: usize) -> Option<Half> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

/// The byte after the character at a byte; the end of the text at the latest.
fn next_char(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(text.len(), |found| at + found.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_lone_surrogates_are_replaced() {
        for (text, expected) in [
            (r#""\ud800""#, r#""\ufffd""#),
            (r#""\udc00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud800""#, r#""\\ud800""#),
            (r#""\u00e9 \n \\""#, r#""\u00e9 \n \\""#),
            (r#""\ud83dé""#, r#""\ufffdé""#),
            (r"\ud80", r"\ud80"),
            (r"\é\", r"\é\"),
        ] {
            assert_eq!(without_lone_surrogates(text), expected);
        }
        assert_eq!(readable(b"\"\xff\\ud800\""), "\"\u{fffd}\\ufffd\"");
    }

    proptest! {
        #[test]
        fn any_escaped_code_unit_parses_afterwards(units in proptest::collection::vec(any::<u16>(), 0..12)) {
            let escaped: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let repaired = readable(format!("\"{escaped}\"").as_bytes());
            let read: String = serde_json::from_str(&repaired).expect("every code unit can be read");
            prop_assert_eq!(read, String::from_utf16_lossy(&units));
        }
    }
}
