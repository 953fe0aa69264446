//! Where a secret stands in a server's text, however the text escapes it: as JSON, as part of an address, in a page, or in
//! a text of one kind within another. Knows nothing of what the secret is for.

/// The text with something else in place of a secret, which is ASCII and not empty.
pub fn replaced(text: &str, secret: &str, with: &str) -> Option<String> {
    let (bytes, secret) = (text.as_bytes(), secret.as_bytes());
    let mut clean = String::new();
    let (mut at, mut kept) = (0, 0);
    while at < bytes.len() {
        match end_of(bytes, at, secret) {
            Some(end) => {
                clean.push_str(&text[kept..at]);
                clean.push_str(with);
                (at, kept) = (end, end);
            }
            None => at += 1,
        }
    }
    (kept > 0).then(|| clean + &text[kept..])
}

/// Where the secret ends that begins here, if it does. All ways of reading what stands here are followed, because a
/// character of the secret may look like the beginning of an escape.
fn end_of(text: &[u8], start: usize, secret: &[u8]) -> Option<usize> {
    let (first, rest) = secret.split_first()?;
    if !matches!(text[start], b'\\' | b'%' | b'&') && text[start] != *first {
        return None;
    }
    let mut ends = Vec::new();
    add_ends(text, start, *first, &mut ends);
    for character in rest {
        let starts = std::mem::take(&mut ends);
        for start in starts {
            add_ends(text, start, *character, &mut ends);
        }
        ends.sort_unstable();
        ends.dedup();
        if ends.is_empty() {
            return None;
        }
    }
    ends.into_iter().max()
}

/// How often an escape may itself be escaped. A limit, because a server may send backslashes without end.
const DEPTH: usize = 32;

/// Adds where a character ends that begins here, for each way in which it may be written so.
fn add_ends(text: &[u8], start: usize, character: u8, ends: &mut Vec<usize>) {
    let Some(here) = text.get(start..).filter(|here| !here.is_empty()) else { return };
    let mut add = |length: Option<usize>| ends.extend(length.map(|length| start + length));
    add((here[0] == character).then_some(1));
    match here[0] {
        // Text within text within text has many backslashes.
        b'\\' => {
            let run = here.iter().take(DEPTH).take_while(|byte| **byte == b'\\').count();
            let after = &here[run..];
            add(coded(after, b"u00", character).map(|length| run + length));
            add(coded(after, b"x", character).map(|length| run + length));
            match character {
                b'\\' => (2..=run).for_each(|length| add(Some(length))),
                _ => add((after.first() == Some(&character)).then_some(run + 1)),
            }
        }
        b'%' => {
            let escaped = here[1..].chunks_exact(2).take(DEPTH).take_while(|pair| *pair == b"25").count();
            for times in 0..=escaped {
                let before = 1 + 2 * times;
                add(hex(&here[before..], character).map(|length| before + length));
            }
        }
        b'&' => {
            let escaped = here[1..].chunks_exact(4).take(DEPTH).take_while(|part| *part == b"amp;").count();
            for times in 0..=escaped {
                let before = 1 + 4 * times;
                add((character == b'&' && times > 0).then_some(before));
                add(entity(&here[before..], character).map(|length| before + length));
            }
        }
        _ => {}
    }
}

/// Bytes of a code with this beginning that stand for a character.
fn coded(here: &[u8], beginning: &[u8], character: u8) -> Option<usize> {
    Some(beginning.len() + hex(here.strip_prefix(beginning)?, character)?)
}

/// Two hexadecimal digits that stand for a character.
fn hex(here: &[u8], character: u8) -> Option<usize> {
    let digits = std::str::from_utf8(here.get(..2)?).ok()?;
    (u8::from_str_radix(digits, 16) == Ok(character)).then_some(2)
}

/// Bytes of an entity of a page, after its `&`, that stand for a character.
fn entity(here: &[u8], character: u8) -> Option<usize> {
    const NAMES: [(&str, u8); 4] = [("lt", b'<'), ("gt", b'>'), ("quot", b'"'), ("apos", b'\'')];
    let length = here.iter().take(8).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&here[..length]).ok()?;
    let stands = match name.strip_prefix('#') {
        Some(code) => match code.strip_prefix(['x', 'X']) {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => code.parse().ok(),
        },
        None => NAMES.iter().find(|(known, _)| *known == name).map(|(_, stands)| *stands),
    };
    (stands == Some(character)).then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The ways in which a character may be written.
    fn written(way: u8, byte: u8) -> String {
        let character = char::from(byte);
        match way {
            0 => format!("\\u{byte:04x}"),
            1 => format!("\\\\u{byte:04X}"),
            2 => format!("\\x{byte:02x}"),
            3 => format!("%{byte:02X}"),
            4 => format!("%25{byte:02x}"),
            5 => format!("&#{byte};"),
            6 => format!("&amp;#x{byte:x};"),
            7 => match character {
                '<' => "&lt;".into(),
                '>' => "&gt;".into(),
                '"' => "&quot;".into(),
                '\'' => "&apos;".into(),
                '&' => "&amp;".into(),
                other => other.to_string(),
            },
            8 if !character.is_ascii_alphanumeric() => format!("\\{character}"),
            _ => character.to_string(),
        }
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let secret = "sk-/+\"\\%25&amp;<é".trim_end_matches('é');
        for way in 0..10 {
            let text: String = secret.bytes().map(|byte| written(way, byte)).collect();
            assert_eq!(replaced(&format!("é {text}."), secret, "*").as_deref(), Some("é *."), "way {way}: {text}");
        }
        assert_eq!(replaced("", secret, "*"), None);
        assert_eq!(replaced("sk-sk-/", secret, "*"), None);
        assert_eq!(replaced("sk-ask-abcsk-abc", "sk-abc", "*").as_deref(), Some("sk-a**"));
    }

    /// What is replaced in a text of JSON leaves JSON.
    #[test]
    fn json_stays_json() {
        let secret = r#"a\b"/c"#;
        let text = serde_json::json!({ "words": [secret, format!("\\{secret}"), format!("{secret}\"")], secret: 1 });
        let clean = replaced(&text.to_string(), secret, "*").expect("it is in there");
        let clean: serde_json::Value = serde_json::from_str(&clean).expect("JSON");
        assert_eq!(clean["*"], 1);
        assert_eq!((&clean["words"][0], &clean["words"][2]), (&"*".into(), &"*\"".into()));
    }

    #[test]
    fn escapes_without_end_take_no_time_without_end() {
        for part in ["\\", "%25", "&amp;"] {
            assert_eq!(replaced(&part.repeat(1 << 20), "sk-0123456789", "*"), None);
        }
    }

    proptest! {
        #[test]
        fn any_mixture_of_ways_is_found(secret in "[!-~]{8,40}", ways in proptest::collection::vec(0u8..10, 40)) {
            let text: String = secret.bytes().zip(&ways).map(|(byte, way)| written(*way, byte)).collect();
            let found = replaced(&format!("<{text}>"), &secret, "*");
            prop_assert_eq!(found.as_deref(), Some("<*>"), "{}", text);
        }

        #[test]
        fn any_text_is_looked_through(text in ".{0,200}", secret in "[!-~]{1,8}") {
            if let Some(clean) = replaced(&text, &secret, "") {
                prop_assert!(clean.len() < text.len());
            }
        }
    }
}
