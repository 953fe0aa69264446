//! A request as a row of words and numbers, with where one clause ends. Knows nothing of what words mean.

/// A word of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// In small letters; of digits, a comma or full stop between them and a sign before them, if it is a number.
    pub word: String,
    /// Whether a new clause begins with it: a comma, a full stop or the like stands before it.
    pub begins: bool,
    /// Whether a hyphen joins it to the word before.
    pub joined: bool,
}

/// Splits a request into words.
pub fn tokens(ask: &str) -> Vec<Token> {
    let chars: Vec<char> = ask.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
    let is_word = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
    let mut tokens = Vec::new();
    let (mut word, mut begins, mut joined) = (String::new(), true, false);
    for (at, c) in chars.iter().copied().enumerate() {
        let (before, after) = (at.checked_sub(1), Some(at + 1));
        let in_number = is_digit(before) && is_digit(after) && matches!(c, '.' | ',');
        let is_sign = matches!(c, '-' | '−') && is_digit(after) && !is_word(before);
        match c {
            '\'' | '’' => continue,
            c if c.is_alphanumeric() || in_number => word.extend(c.to_lowercase()),
            _ if is_sign => word.push('-'),
            c => {
                let ended = !word.is_empty();
                if ended {
                    tokens.push(Token { word: std::mem::take(&mut word), begins, joined });
                }
                let hyphen = matches!(c, '-' | '‐' | '‑' | '–');
                joined = hyphen && ended;
                begins = ends_clause(c) || (begins && !ended);
            }
        }
    }
    if !word.is_empty() {
        tokens.push(Token { word, begins, joined });
    }
    tokens
}

/// The number that begins at a token, and of how many tokens it is: digits or words.
pub fn number_at(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    let word = tokens.get(at)?.word.as_str();
    if let Some(digits) = word.strip_prefix('-').or(Some(word)).filter(|digits| !digits.is_empty())
        && digits.chars().all(|c| c.is_ascii_digit())
    {
        // More digits than a number has are as good as the most: nobody makes so many of anything.
        let number = digits.parse().unwrap_or(i64::MAX);
        return Some((if word.starts_with('-') { -number } else { number }, 1));
    }
    let tens = TENS.iter().find(|(ten, _)| *ten == word).map(|(_, tens)| *tens);
    let Some(tens) = tens else { return small(word).map(|number| (number, 1)) };
    let next = tokens.get(at + 1).filter(|next| !next.begins).and_then(|next| small(&next.word));
    // `twenty five`, but not `twenty twelve`.
    Some(match next.filter(|units| (1..10).contains(units)) {
        Some(units) if tens < 100 => (tens + units, 2),
        _ => (tens, 1),
    })
}

/// A number as people read it: in words up to twelve.
pub fn in_words(number: i64) -> String {
    let word = usize::try_from(number).ok().filter(|number| *number <= 12).and_then(|number| SMALL.get(number));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn small(word: &str) -> Option<i64> {
    let position = |words: &[&str]| words.iter().position(|other| *other == word);
    let number = position(&SMALL).or(OTHERS.iter().find(|(other, _)| *other == word).map(|(_, number)| *number))?;
    i64::try_from(number).ok()
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const OTHERS: [(&str, usize); 3] = [("single", 1), ("dozen", 12), ("couple", 2)];
const TENS: [(&str, i64); 9] = [
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
];

fn ends_clause(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '\n' | '—' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ask: &str) -> Vec<String> {
        tokens(ask).into_iter().map(|token| token.word).collect()
    }

    #[test]
    fn a_request_is_a_row_of_words() {
        assert_eq!(words("Three FLOORS, the smith's!"), ["three", "floors", "the", "smiths"]);
        assert_eq!(
            words("two-storey 2-3 rooms -4 1,000 2.5 3."),
            ["two", "storey", "2", "3", "rooms", "-4", "1,000", "2.5", "3"]
        );
        let ask = tokens("hard, two-storey");
        assert_eq!(
            ask.iter().map(|token| (token.begins, token.joined)).collect::<Vec<_>>(),
            [(true, false), (true, false), (false, true)]
        );
        assert!(tokens(" -,. ").is_empty());
    }

    #[test]
    fn numbers_are_digits_or_words() {
        for (ask, number) in [
            ("3", Some((3, 1))),
            ("-3", Some((-3, 1))),
            ("twelve", Some((12, 1))),
            ("twenty-five rooms", Some((25, 2))),
            ("forty rooms", Some((40, 1))),
            ("hundred one", Some((100, 1))),
            ("twenty, five", Some((20, 1))),
            ("99999999999999999999999", Some((i64::MAX, 1))),
            ("1,000", None),
            ("2.5", None),
            ("½", None),
            ("٣", None),
            ("a", None),
        ] {
            assert_eq!(number_at(&tokens(ask), 0), number, "{ask}");
        }
        assert_eq!(number_at(&[], 3), None);
        assert_eq!(
            (in_words(0), in_words(12), in_words(13), in_words(-1)),
            ("zero".into(), "twelve".into(), "13".into(), "-1".into())
        );
    }
}
