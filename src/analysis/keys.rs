//! How a worth stands in JSON: a known value under its own name, null if the game is lost; one that is not known as null with
//! its bounds beside it. Knows nothing of what it is the worth of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solver::Worth;

/// Bounds of a value that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bracket {
    /// Final HP that a way to win that was found gives; null if none was found, which proves nothing.
    least: Option<i64>,
    /// Final HP that no play exceeds; null if no bound is known.
    most: Option<i64>,
}

impl Bracket {
    /// The bounds of a worth that is not known.
    pub fn of(worth: Worth) -> Option<Self> {
        (!worth.is_known()).then(|| Bracket { least: worth.least, most: worth.bound() })
    }

    fn worth(value: Option<i64>, bracket: Option<Bracket>) -> Worth {
        bracket.map_or(Worth::exactly(value), |bracket| Worth::between(bracket.least, bracket.most))
    }
}

/// Names of a worth's keys, with what the schema says of them.
macro_rules! keys {
    ($module:ident, $keys:ident, $value:ident, $bracket:ident, $meaning:literal) => {
        /// The keys of a worth, for `#[serde(flatten, with)]`.
        pub mod $module {
            use schemars::JsonSchema;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use super::Bracket;
            use crate::solver::Worth;

            /// A worth.
            #[derive(Serialize, Deserialize, JsonSchema)]
            pub struct $keys {
                #[doc = $meaning]
                $value: Option<i64>,
                /// The bounds that it lies between, if it is not known; then the null beside it says nothing.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $bracket: Option<Bracket>,
            }

            /// Writes the keys.
            ///
            /// # Errors
            /// The writer's.
            pub fn serialize<S: Serializer>(worth: &Worth, to: S) -> Result<S::Ok, S::Error> {
                $keys { $value: worth.hp(), $bracket: Bracket::of(*worth) }.serialize(to)
            }

            /// Reads the keys.
            ///
            /// # Errors
            /// The reader's.
            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Worth, D::Error> {
                let $keys { $value, $bracket } = $keys::deserialize(from)?;
                Ok(Bracket::worth($value, $bracket))
            }
        }
    };
}

keys!(
    value,
    ValueKeys,
    value,
    bracket,
    "Final HP under best play after it; null if the boss can no longer be defeated, or if that is not known."
);
keys!(
    before,
    BeforeKeys,
    before,
    before_bracket,
    "Value of the state before it: the best of its actions' values; null if it is lost, or if that is not known."
);
keys!(
    value_before,
    ValueBeforeKeys,
    value_before,
    value_before_bracket,
    "Value of the state before it; null if it is lost, or if that is not known."
);
keys!(
    optimum,
    OptimumKeys,
    optimum,
    optimum_bracket,
    "Value of the first state: the floor's optimum; null if it cannot be won, or if that is not known."
);

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use crate::analysis::ActionValue;
    use crate::game::Position;
    use crate::solver::Worth;

    #[test]
    fn what_is_known_stands_as_it_always_did_and_what_is_not_has_bounds() {
        let cases = [
            (Worth::exactly(Some(68)), json!({ "value": 68 })),
            (Worth::LOST, json!({ "value": null })),
            (Worth::between(Some(12), Some(340)), json!({ "value": null, "bracket": { "least": 12, "most": 340 } })),
            (Worth::between(Some(12), None), json!({ "value": null, "bracket": { "least": 12, "most": null } })),
            (Worth::between(None, Some(340)), json!({ "value": null, "bracket": { "least": null, "most": 340 } })),
            (Worth::UNKNOWN, json!({ "value": null, "bracket": { "least": null, "most": null } })),
        ];
        for (worth, told) in cases {
            let (target, text) = (Position::new(0, 1, 2), "open the yellow door".to_owned());
            let action = ActionValue { number: 1, target, text: text.clone(), lethal: false, worth };
            let mut expected = json!({ "number": 1, "target": target, "text": text, "lethal": false });
            expected.as_object_mut().unwrap().extend(told.as_object().unwrap().clone());
            assert_eq!(to_value(&action).unwrap(), expected);
            assert_eq!(from_value::<ActionValue>(expected).unwrap(), action);
        }
    }
}
