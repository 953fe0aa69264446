//! The map of one floor: tokens separated by blanks, each with its place in the file. Knows symbols, not monsters.

use std::ops::Range;

/// A symbol as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'s> {
    /// The symbol.
    pub text: &'s str,
    /// Its bytes in the file; those of the whole map if the map is written with escapes.
    pub place: Range<usize>,
}

/// The rows of a map that are not blank. `decoded` is the value of the TOML string at `place` of `source`.
pub(super) fn rows<'s>(source: &str, place: Range<usize>, decoded: &'s str) -> Vec<Vec<Token<'s>>> {
    let raw = source.get(place.clone()).unwrap_or_default();
    let mut written = words(raw, place.start);
    trim_quotes(&mut written);
    let read: Vec<Vec<(&str, usize)>> = words(decoded, 0);
    let as_written = read.len() == written.len()
        && read.iter().zip(&written).all(|(left, right)| left.iter().map(|w| w.0).eq(right.iter().map(|w| w.0)));
    let token = |(row, column): (usize, usize), text: &'s str| match as_written {
        true => {
            let start = written[row][column].1;
            Token { text, place: start..start + text.len() }
        }
        false => Token { text, place: place.clone() },
    };
    let tokens = |(row, words): (usize, Vec<(&'s str, usize)>)| {
        words.into_iter().enumerate().map(|(column, (text, _))| token((row, column), text)).collect()
    };
    read.into_iter().enumerate().map(tokens).collect()
}

/// The words of each line that has any, with their offsets from `start` on.
fn words(text: &str, start: usize) -> Vec<Vec<(&str, usize)>> {
    let offset = |word: &str| start + (word.as_ptr() as usize - text.as_ptr() as usize);
    text.lines()
        .map(|line| line.split_whitespace().map(|word| (word, offset(word))).collect::<Vec<_>>())
        .filter(|words| !words.is_empty())
        .collect()
}

/// Takes the quotes of a TOML string off its first and last word.
fn trim_quotes(rows: &mut Vec<Vec<(&str, usize)>>) {
    if let Some(first) = rows.first_mut().and_then(|row| row.first_mut()) {
        let bare = ["\"\"\"", "'''", "\"", "'"].into_iter().find_map(|quote| first.0.strip_prefix(quote));
        let bare = bare.unwrap_or(first.0);
        *first = (bare, first.1 + first.0.len() - bare.len());
    }
    if let Some(last) = rows.last_mut().and_then(|row| row.last_mut()) {
        last.0 =
            ["\"\"\"", "'''", "\"", "'"].into_iter().find_map(|quote| last.0.strip_suffix(quote)).unwrap_or(last.0);
    }
    for row in rows.iter_mut() {
        row.retain(|(word, _)| !word.is_empty());
    }
    rows.retain(|row| !row.is_empty());
}

/// A map with its columns aligned.
pub(super) fn aligned(rows: &[Vec<&str>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|token| token.len()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<&str>| {
        let padded: Vec<String> = row.iter().zip(&widths).map(|(token, width)| format!("{token:width$}")).collect();
        padded.join(" ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(source: &str, decoded: &str) -> Vec<(String, String)> {
        let start = source.find(['"', '\'']).unwrap();
        let rows = rows(source, start..source.len(), decoded);
        rows.into_iter().flatten().map(|token| (token.text.to_owned(), source[token.place].to_owned())).collect()
    }

    #[test]
    fn tokens_have_their_places_however_the_map_is_quoted() {
        for (source, decoded) in [
            ("map = \"\"\"\n@ 12\r\n\n.  B\n\"\"\"", "@ 12\n\n.  B\n"),
            ("map = '''@ 12\n. B'''", "@ 12\n. B"),
            ("map = '@ 12 . B'", "@ 12 . B"),
        ] {
            let expected = ["@", "12", ".", "B"].map(|text| (text.to_owned(), text.to_owned()));
            assert_eq!(places(source, decoded), expected, "{source}");
        }
    }

    #[test]
    fn a_map_with_escapes_is_read_at_the_place_of_the_whole() {
        let source = "map = \"@ 1\\n. B\"";
        assert_eq!(places(source, "@ 1\n. B")[3], ("B".to_owned(), "\"@ 1\\n. B\"".to_owned()));
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(aligned(&[vec!["@", "12", "#"], vec![".", "B", "10"]]), "@ 12 #\n. B  10\n");
    }
}
