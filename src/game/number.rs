//! The numbers that events calculate with: exact fractions, so that half of three is one and a half until it is
//! assigned to something whole. Knows nothing of what is calculated.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction in lowest terms; its denominator is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    numerator: i128,
    denominator: i128,
}

impl Number {
    /// None, no, false.
    pub const ZERO: Number = Number { numerator: 0, denominator: 1 };
    /// One, yes, true.
    pub const ONE: Number = Number { numerator: 1, denominator: 1 };

    /// `numerator / denominator`; `None` if the denominator is 0 or the fraction leaves its range.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let common = gcd(numerator.checked_abs()?, denominator.checked_abs()?);
        let sign = if denominator < 0 { -1 } else { 1 };
        (denominator != 0)
            .then(|| Number { numerator: sign * numerator / common, denominator: sign * denominator / common })
    }

    /// 1 if it holds, else 0.
    pub fn of_truth(holds: bool) -> Self {
        if holds { Number::ONE } else { Number::ZERO }
    }

    /// Whether it counts as true: anything but 0.
    pub fn is_true(self) -> bool {
        self.numerator != 0
    }

    /// The part above the line.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The part below the line, at least 1.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The largest whole number not above it; `None` beyond `i64`.
    pub fn floor(self) -> Option<i64> {
        i64::try_from(self.numerator.div_euclid(self.denominator)).ok()
    }

    /// The sum; `None` beyond its range, as all that follow.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Number::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Number { numerator: other.numerator.checked_neg()?, ..other })
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        Number::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The quotient; `None` by 0, too.
    pub fn over(self, other: Self) -> Option<Self> {
        Number::new(self.numerator.checked_mul(other.denominator)?, self.denominator.checked_mul(other.numerator)?)
    }

    /// What remains of a division, with the sign of the dividend; `None` by 0, too.
    pub fn modulo(self, other: Self) -> Option<Self> {
        let quotient = self.over(other)?;
        let whole = Number { numerator: quotient.numerator / quotient.denominator, denominator: 1 };
        self.minus(other.times(whole)?)
    }

    /// Which is greater; `None` beyond the range.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}

impl From<i64> for Number {
    fn from(whole: i64) -> Self {
        Number { numerator: whole.into(), denominator: 1 }
    }
}

/// Prints `3` and `(3/2)`, both of which an expression can be read from.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.numerator, self.denominator) {
            (numerator, 1) => write!(f, "{numerator}"),
            (numerator, denominator) => write!(f, "({numerator}/{denominator})"),
        }
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn calculates_as_fractions_do(a in -999_i64..999, b in 1_i64..99, c in -999_i64..999, d in 1_i64..99) {
            let of = |a: i64, b: i64| Number::new(a.into(), b.into()).unwrap();
            let (x, y) = (of(a, b), of(c, d));
            prop_assert_eq!(x.plus(y), Number::new((a * d + c * b).into(), (b * d).into()));
            prop_assert_eq!(x.times(y), Number::new((a * c).into(), (b * d).into()));
            prop_assert_eq!(x.plus(y).unwrap().minus(y), Some(x));
            prop_assert_eq!(x.over(y), Number::new((a * d).into(), (b * c).into()));
            prop_assert_eq!(x.floor(), Some(a.div_euclid(b)));
            prop_assert_eq!(x.compare(y), Some((a * d).cmp(&(c * b))));
            prop_assert_eq!(of(a, 1).modulo(of(d, 1)), Some(of(a % d, 1)));
        }
    }

    #[test]
    fn what_leaves_the_range_is_none() {
        let most = Number { numerator: i128::MAX, denominator: 1 };
        assert_eq!(most.plus(Number::ONE), None);
        assert_eq!(most.times(most), None);
        assert_eq!(Number::ONE.over(Number::ZERO), None);
        assert_eq!(Number::ONE.modulo(Number::ZERO), None);
        assert_eq!(Number { numerator: i128::MIN, denominator: 1 }.floor(), None);
    }
}
