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

/// What a call asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// An action.
    #[default]
    Action,
    /// A whole route, before the first action.
    Route,
}

/// What an answer must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// An action or a route.
    pub asks: Asks,
    /// How it names its action.
    pub naming: Naming,
    /// Whether a tile has a floor, too: there are several.
    pub floors: bool,
    /// Whether it may hold another route beside its action.
    pub revises: bool,
}

/// The most steps of a route where the length of an answer is limited.
const STEPS: u32 = 100;

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
        let mut route = json!({ "type": "array", "items": { "type": "string" } });
        if reasoning_chars.is_some() {
            route["maxItems"] = STEPS.into();
        }
        let action = match self.naming {
            Naming::Number => ("action", integer()),
            Naming::Target => {
                let floor = self.floors.then(|| ("floor", integer()));
                ("target", object(floor.into_iter().chain([("x", integer()), ("y", integer())])))
            }
        };
        let (writes, acts) = (self.asks == Asks::Route || self.revises, self.asks == Asks::Action);
        let parts = [reasoning.map(|reasoning| ("reasoning", reasoning)), writes.then_some(("route", route))];
        object(parts.into_iter().flatten().chain(acts.then_some(action)))
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
        let target = |floors| Wanted { naming: Naming::Target, floors, ..Wanted::default() }.schema(None);
        assert_eq!(target(false)["required"], json!(["reasoning", "target"]));
        assert_eq!(target(false)["properties"]["target"]["required"], json!(["x", "y"]));
        assert_eq!(target(true)["properties"]["target"]["required"], json!(["floor", "x", "y"]));
    }

    #[test]
    fn a_route_comes_alone_or_before_an_action() {
        let route = Wanted { asks: Asks::Route, ..Wanted::default() };
        assert_eq!(route.schema(None)["required"], json!(["reasoning", "route"]));
        assert_eq!(route.schema(None)["properties"]["route"]["maxItems"], json!(null));
        assert_eq!(route.schema(Some(80))["properties"]["route"]["maxItems"], 100);
        let revising = Wanted { revises: true, ..Wanted::default() };
        assert_eq!(revising.schema(Some(0))["required"], json!(["route", "action"]));
    }
}
