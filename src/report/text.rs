//! Text measured, cut and broken into lines. An estimate from above: which font will show it is not known.

use unicode_width::UnicodeWidthChar;

use super::svg::Font;

/// Width of a text in pixels: an estimate from above, since which font will show it is not known.
pub fn width(text: &str, font: Font) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.3,
            'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.4,
            's' | 'c' | 'k' | 'v' | 'x' | 'y' | 'z' | '_' => 0.53,
            'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.92,
            c if c.is_uppercase() => 0.7,
            c => match c.width() {
                Some(0) => 0.0,
                Some(columns @ 2..) => 0.525 * columns as f64,
                _ => 0.6,
            },
        })
        .sum();
    ems * font.size * if font.bold { 1.08 } else { 1.0 }
}

/// `text`, or as much of its beginning as fits into `room` pixels, with `…`.
pub fn cut(text: &str, font: Font, room: f64) -> String {
    if width(text, font) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() {
        let candidate = format!("{}…", kept.trim_end());
        if width(&candidate, font) <= room {
            return candidate;
        }
    }
    String::new()
}

/// `text` in lines of at most `room` pixels, broken at blanks, and within a word only where it is wider than a line.
pub fn wrap(text: &str, font: Font, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, font) + width(" ", font) + width(word, font) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(pieces(word, font, room)),
        }
    }
    lines
}

/// A word in pieces of at most `room` pixels and at least one character. Chinese text is one word.
fn pieces(word: &str, font: Font, room: f64) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut left = 0.0;
    for character in word.chars() {
        let wide = width(character.encode_utf8(&mut [0; 4]), font);
        match pieces.last_mut() {
            Some(piece) if wide <= left => piece.push(character),
            _ => {
                pieces.push(character.to_string());
                left = room;
            }
        }
        left -= wide;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font { size: 10.0, bold: false, fill: "#000", halo: false };

    #[test]
    fn cut_text_fits_and_says_that_it_is_cut() {
        assert_eq!(cut("short", FONT, 100.0), "short");
        let name = "a-model-with-a-very-long-name / single_floor";
        for room in [5.0, 20.0, 60.0, 120.0] {
            let cut = cut(name, FONT, room);
            assert!(width(&cut, FONT) <= room, "{cut}");
            assert!(cut.is_empty() || cut.ends_with('…'), "{cut}");
        }
    }

    #[test]
    fn wrapped_lines_fit_and_keep_every_word() {
        let text = "one two three four five six seven";
        let lines = wrap(text, FONT, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, FONT) <= 60.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_word_wider_than_a_line_is_broken() {
        for word in ["打开黄门以后就再也打不过首领了", "a-name-that-is-longer-than-any-line-here"] {
            let lines = wrap(word, FONT, 50.0);
            assert!(lines.len() > 1 && lines.iter().all(|line| width(line, FONT) <= 50.0), "{lines:?}");
            assert_eq!(lines.concat(), word);
            assert_eq!(wrap(word, FONT, 0.0).len(), word.chars().count());
        }
    }
}
