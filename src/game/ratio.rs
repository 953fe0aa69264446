//! A decimal factor such as 0.9, held as a fraction. Knows nothing of what it scales.

use std::fmt;
use std::str::FromStr;

/// A decimal number of at least 0, exact: `numerator / 10^k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i64,
    denominator: i64,
}

impl Ratio {
    /// `numerator / denominator`; `None` if the numerator is negative or the denominator not a power of ten.
    pub const fn new(numerator: i64, denominator: i64) -> Option<Self> {
        let mut rest = denominator;
        while rest > 1 && rest % 10 == 0 {
            rest /= 10;
        }
        if numerator < 0 || rest != 1 {
            return None;
        }
        let (mut numerator, mut denominator) = (numerator, denominator);
        while denominator > 1 && numerator % 10 == 0 {
            (numerator, denominator) = (numerator / 10, denominator / 10);
        }
        Some(Ratio { numerator, denominator })
    }

    /// A factor known to be well formed; for constants only.
    pub(crate) const fn constant(numerator: i64, denominator: i64) -> Self {
        match Ratio::new(numerator, denominator) {
            Some(ratio) => ratio,
            None => panic!("not a decimal ratio"),
        }
    }

    /// The largest whole number not above `ratio × value`, in exact arithmetic; `None` on overflow.
    pub fn floor_of(self, value: i64) -> Option<i64> {
        match self.numerator.checked_mul(value) {
            Some(product) => Some(product.div_euclid(self.denominator)),
            None => {
                let product = i128::from(self.numerator) * i128::from(value);
                i64::try_from(product.div_euclid(i128::from(self.denominator))).ok()
            }
        }
    }

    /// The same in the doubles of the HTML5 engine, where `floor(0.29 × 100)` is 28; `None` beyond `i64`.
    pub fn floor_of_in_doubles(self, value: i64) -> Option<i64> {
        let product = (self.as_f64() * value as f64).floor();
        (product.abs() < 9.2e18).then_some(product as i64)
    }

    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether it is above 1.
    pub fn exceeds_one(self) -> bool {
        self.numerator > self.denominator
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.denominator.ilog10() as usize;
        let whole = self.numerator / self.denominator;
        match digits {
            0 => write!(f, "{whole}"),
            _ => write!(f, "{whole}.{:0digits$}", self.numerator % self.denominator),
        }
    }
}

/// Why a text is not a ratio.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a decimal number of at least 0 with at most 15 digits, such as 0.25")]
pub struct NotARatio(pub String);

impl FromStr for Ratio {
    type Err = NotARatio;

    fn from_str(text: &str) -> Result<Self, NotARatio> {
        let wrong = || NotARatio(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{decimals}");
        let plain = !whole.is_empty() && digits.len() <= 15 && digits.bytes().all(|b| b.is_ascii_digit());
        if !plain {
            return Err(wrong());
        }
        let numerator = digits.parse().map_err(|_| wrong())?;
        Ratio::new(numerator, 10_i64.pow(decimals.len() as u32)).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_double_floors_differ_where_doubles_do() {
        let ratio: Ratio = "0.29".parse().unwrap();
        assert_eq!(ratio.floor_of(100), Some(29));
        assert_eq!(ratio.floor_of_in_doubles(100), Some(28));
    }

    #[test]
    fn overflow_is_seen() {
        let three: Ratio = "3".parse().unwrap();
        assert_eq!(three.floor_of(i64::MAX), None);
        assert_eq!(three.floor_of_in_doubles(i64::MAX), None);
        let tenth: Ratio = "0.30".parse().unwrap();
        assert_eq!(tenth.floor_of(i64::MAX), Some(2_767_011_611_056_432_742));
    }

    #[test]
    fn reads_what_it_prints() {
        for text in ["0", "3", "0.9", "0.05", "1.25"] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), text);
        }
        for wrong in ["", "-1", "1e3", ".5", "a", "1.2.3", "1234567890123456"] {
            assert!(wrong.parse::<Ratio>().is_err(), "{wrong}");
        }
    }
}
