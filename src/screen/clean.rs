//! Text from outside (models, floors, traces) made fit for a terminal: nothing in it is obeyed, nothing hides, and its
//! width is known. Knows nothing of panes.

use unicode_width::UnicodeWidthChar;

/// Combining marks kept on one character; more would only smear over the lines around.
const MARKS: usize = 4;

/// Columns of the widest character kept. The few that Unicode gives more (U+17D8, a Khmer sign, has three) are shown by
/// terminals in one, two or three.
const WIDEST: usize = 2;

/// Columns that a tab comes to.
const TAB: &str = "    ";

/// A text on one line: control characters as they are typed (`^[`), what has no place of its own left out.
pub fn line(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        match c {
            '\t' => clean.push_str(TAB),
            '\0'..='\u{1f}' => clean.extend(['^', char::from(b'@' + c as u8)]),
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => clean.push('\u{fffd}'),
            c if turns_text_around(c) => clean.push('\u{fffd}'),
            c if is_invisible(c) => continue,
            c if columns(c) > WIDEST => clean.push('\u{fffd}'),
            c if c.width() == Some(0) => {
                marks += 1;
                if marks <= MARKS && !clean.is_empty() {
                    clean.push(c);
                }
                continue;
            }
            c => clean.push(c),
        }
        marks = 0;
    }
    clean
}

/// A text of several lines, each made fit for the terminal.
pub fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['\n', '\u{2028}', '\u{2029}']).map(|part| line(part.strip_suffix('\r').unwrap_or(part)))
}

/// Columns that a clean text takes.
pub fn width(clean: &str) -> usize {
    clean.chars().map(columns).sum()
}

/// A clean text within so many columns; one that is cut ends with `…`.
pub fn cut(clean: &str, most: usize) -> String {
    if width(clean) <= most {
        return clean.to_owned();
    }
    let (mut cut, mut used) = (String::new(), 1);
    for c in clean.chars() {
        used += columns(c);
        if used > most {
            break;
        }
        cut.push(c);
    }
    if most > 0 {
        cut.push('…');
    }
    cut
}

/// A clean text in lines of at most `most` columns, broken between words where there are some. At least one line. Linear
/// in the text's length.
pub fn wrap(clean: &str, most: usize) -> Vec<String> {
    let most = most.max(WIDEST);
    let mut wrapped = Vec::new();
    // The line so far, its width, and the bytes and columns of it up to and with its last space.
    let (mut current, mut used, mut space) = (String::new(), 0, None);
    for c in clean.chars() {
        if used + columns(c) > most {
            let (bytes, before) = match (c, space) {
                (' ', _) | (_, None) => (current.len(), used),
                (_, Some(space)) => space,
            };
            let rest = current.split_off(bytes);
            wrapped.push(std::mem::replace(&mut current, rest).trim_end().to_owned());
            (used, space) = (used - before, None);
            if c == ' ' {
                continue;
            }
        }
        current.push(c);
        used += columns(c);
        if c == ' ' && !current.trim_start().is_empty() {
            space = Some((current.len(), used));
        }
    }
    wrapped.push(current);
    wrapped
}

fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Characters by which what follows is shown in another order than it stands.
fn turns_text_around(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that show nothing, or change how their neighbours are shown in ways that terminals disagree about.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_obeyed_and_nothing_hides() {
        assert_eq!(line("\u{1b}[31mred\u{7}\u{9b}2J"), "^[[31mred^G\u{fffd}2J");
        assert_eq!(line("a\tb\nc\r"), "a    b^Jc^M");
        assert_eq!(line("safe\u{202e}txt.exe\u{200b}\u{feff}!"), "safe\u{fffd}txt.exe!");
        assert_eq!(line(&format!("e{}x", "\u{301}".repeat(50))).chars().count(), 2 + MARKS);
        assert_eq!(lines("a\r\nb\n").collect::<Vec<_>>(), ["a", "b", ""]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("魔塔"), cut("魔塔魔塔", 5)), (4, "魔塔…".to_owned()));
        assert_eq!(cut("魔塔魔塔", 4), "魔…");
        assert_eq!((cut("abc", 3), cut("abc", 2), cut("abc", 0)), ("abc".into(), "a…".into(), String::new()));
        assert_eq!(wrap("魔塔魔塔魔", 5), ["魔塔", "魔塔", "魔"]);
    }

    #[test]
    fn each_character_there_is_keeps_to_two_columns() {
        assert_eq!(line("a\u{17d8}b"), "a\u{fffd}b");
        for c in '\0'..=char::MAX {
            let clean = line(&format!("{c}|"));
            assert!(clean.chars().all(|c| columns(c) <= WIDEST), "{c:?} {clean:?}");
            assert!(wrap(&clean, 2).iter().all(|wrapped| width(wrapped) <= 2), "{c:?} {clean:?}");
        }
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("fight the Red Slime", 10), ["fight the", "Red Slime"]);
        assert_eq!(wrap("a  bb ccc", 4), ["a", "bb", "ccc"]);
        assert_eq!(wrap("  indented words", 11), ["  indented", "words"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }

    #[test]
    fn a_line_of_a_megabyte_takes_no_time() {
        let began = std::time::Instant::now();
        let long = line(&"魔 x".repeat(300_000));
        assert!(wrap(&long, 40).len() > 30_000);
        assert!(wrap(&line(&"x".repeat(1 << 20)), 40).len() > 26_000);
        assert!(began.elapsed().as_secs_f64() < 2.0);
    }

    proptest! {
        #[test]
        fn any_text_is_clean_and_keeps_to_its_width(text in any::<String>(), most in 2_usize..30) {
            let clean = line(&text);
            prop_assert!(!clean.chars().any(|c| c.is_control() || turns_text_around(c)));
            for wrapped in wrap(&clean, most) {
                prop_assert!(width(&wrapped) <= most, "{wrapped:?}");
            }
            prop_assert!(width(&cut(&clean, most)) <= most);
        }
    }
}
