//! The forms in which an answer can be asked for, and how it is to name its action. Knows nothing of how it is read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The form in which an answer is asked for. Whatever form is asked for, all are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// Structured output: the server constrains the answer to a JSON Schema.
    #[default]
    JsonSchema,
    /// One function, `choose_action`.
    Tool,
    /// Free text that ends with a line naming the action.
    Text,
}

impl AnswerForm {
    /// The name that configs use.
    pub fn name(self) -> &'static str {
        match self {
            AnswerForm::JsonSchema => "json_schema",
            AnswerForm::Tool => "tool",
            AnswerForm::Text => "text",
        }
    }
}

/// How an answer names its action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Naming {
    /// By its number in the list of legal actions; a tile is understood as well.
    #[default]
    Number,
    /// By its tile alone: the legal actions are not listed, and a number could be a lucky one.
    Target,
}

/// What an answer must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// How it names its action.
    pub naming: Naming,
    /// Whether a tile has a floor, too: there are several.
    pub floors: bool,
}

impl Wanted {
    /// The JSON Schema of an answer whose reasoning may have at most `reasoning_chars` characters: with 0 there is
    /// none, without a number there is no limit. It does not list what is legal: an illegal answer is a finding, not
    /// something to be made impossible. Reasoning comes first, because a model cannot reason after it has answered.
    pub fn schema(self, reasoning_chars: Option<u32>) -> Value {
        let reasoning = match reasoning_chars {
            Some(0) => None,
            Some(most) => Some(json!({ "type": "string", "maxLength": most })),
            None => Some(json!({ "type": "string" })),
        };
        let integer = || json!({ "type": "integer" });
        let action = match self.naming {
            Naming::Number => ("action", integer()),
            Naming::Target => {
                let floor = self.floors.then(|| ("floor", integer()));
                ("target", object(floor.into_iter().chain([("x", integer()), ("y", integer())])))
            }
        };
        object(reasoning.map(|reasoning| ("reasoning", reasoning)).into_iter().chain([action]))
    }
}

/// An object that must have all of these properties and no others.
fn object(properties: impl Iterator<Item = (&'static str, Value)>) -> Value {
    let properties: Map<String, Value> = properties.map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_hold_what_is_wanted_in_its_order() {
        assert_eq!(
            Wanted::default().schema(Some(80)).to_string(),
            r#"{"type":"object","properties":{"reasoning":{"type":"string","maxLength":80},"action":{"type":"integer"}},"required":["reasoning","action"],"additionalProperties":false}"#
        );
        assert_eq!(Wanted::default().schema(Some(0))["required"], json!(["action"]));
        let target = |floors| Wanted { naming: Naming::Target, floors }.schema(None);
        assert_eq!(target(false)["required"], json!(["reasoning", "target"]));
        assert_eq!(target(false)["properties"]["target"]["required"], json!(["x", "y"]));
        assert_eq!(target(true)["properties"]["target"]["required"], json!(["floor", "x", "y"]));
    }
}
