//! Whole numbers in JSON for a reader that knows fractions only: JavaScript rounds beyond 2⁵³.

use serde::{Serialize, Serializer};

/// A whole number: in JSON a number where that is exact in JavaScript, else its digits as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(i128);

const EXACT: i128 = (1 << 53) - 1;

impl<T: Into<i128>> From<T> for Whole {
    fn from(number: T) -> Self {
        Whole(number.into())
    }
}

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) if self.0.abs() <= EXACT => serializer.serialize_i64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_digit_is_lost() {
        let all = [Whole::from(-3), Whole::from((1_i64 << 53) - 1), Whole::from(i64::MIN), Whole::from(u64::MAX)];
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(json, r#"[-3,9007199254740991,"-9223372036854775808","18446744073709551615"]"#);
    }
}
