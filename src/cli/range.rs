//! Ranges as they are typed: `1..250`, both ends counted; `5` alone; `10..` and `..3` where an end may be open.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a range of whole numbers; an open end is the least or the greatest number that there is.
///
/// # Errors
/// That it is none, in words.
pub fn range(text: &str) -> Result<RangeInclusive<i64>, String> {
    ends(text, i64::MIN, i64::MAX)
}

/// Reads how many of something there may be.
///
/// # Errors
/// That it is none, in words.
pub fn count(text: &str) -> Result<RangeInclusive<u16>, String> {
    match text.trim().starts_with("..") || text.trim().ends_with("..") {
        true => Err(wrong(text)),
        false => ends(text, 0, u16::MAX),
    }
}

/// Reads a size such as `4x4`.
///
/// # Errors
/// That it is none, in words.
pub fn size(text: &str) -> Result<(u16, u16), String> {
    let sides = text.split_once(['x', 'X', '×']);
    let sides = sides.and_then(|(across, down)| Some((across.trim().parse().ok()?, down.trim().parse().ok()?)));
    sides.ok_or_else(|| format!("`{text}` is not a size such as 4x4"))
}

fn ends<T: FromStr + PartialOrd + Copy>(text: &str, least: T, most: T) -> Result<RangeInclusive<T>, String> {
    let number = |text: &str, open: T| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong(text)),
    };
    let (from, to) = match text.split_once("..") {
        Some((from, to)) => (number(from, least)?, number(to.trim_start_matches('='), most)?),
        None => {
            let one = text.trim().parse().map_err(|_| wrong(text))?;
            (one, one)
        }
    };
    match from > to {
        true => Err(format!("`{text}` is empty: its first number is above its last")),
        false => Ok(from..=to),
    }
}

fn wrong(text: &str) -> String {
    format!("`{text}` is not a range such as 1..250")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_count_and_may_be_open() {
        assert_eq!(range("1..250"), Ok(1..=250));
        assert_eq!(range(" 1 ..= 250 "), Ok(1..=250));
        assert_eq!(range("-5"), Ok(-5..=-5));
        assert_eq!(range("10.."), Ok(10..=i64::MAX));
        assert_eq!(range("..3"), Ok(i64::MIN..=3));
        for wrong in ["", "a", "1-3", "1..b", "3..1", "1..2..3", "1.5"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_have_two_ends() {
        assert_eq!(count("0..1"), Ok(0..=1));
        assert_eq!(count("4"), Ok(4..=4));
        for wrong in ["", "1..", "..1", "-1..1", "70000", "2..1"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_two_sides() {
        assert_eq!(size("4x5"), Ok((4, 5)));
        for wrong in ["", "4", "4x", "x4", "4x4x4", "-1x2"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
