//! The body of a request. Knows the fields of the chat endpoint, and nothing of how it is sent.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::prompt::{AnswerForm, Asks, Message, Wanted};

use super::endpoint::Endpoint;

/// The body of a request. A field that `extra_body` names again is sent as it says.
#[derive(Clone, Debug, Serialize)]
pub struct Body<'a> {
    model: &'a str,
    messages: &'a [Message],
    #[serde(flatten)]
    options: Map<String, Value>,
}

/// The body that asks an endpoint's model to go on with a conversation.
pub fn body<'a>(endpoint: &'a Endpoint, messages: &'a [Message], wanted: Wanted) -> Body<'a> {
    let mut body = Map::new();
    let options = [
        ("temperature", endpoint.temperature.map(Value::from)),
        ("top_p", endpoint.top_p.map(Value::from)),
        ("seed", endpoint.seed.map(Value::from)),
        ("max_tokens", endpoint.max_tokens.map(Value::from)),
        ("max_completion_tokens", endpoint.max_completion_tokens.map(Value::from)),
        ("reasoning_effort", endpoint.reasoning_effort.clone().map(Value::from)),
    ];
    body.extend(options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let schema = wanted.schema(endpoint.reasoning_chars);
    match endpoint.answer {
        AnswerForm::Text => {}
        AnswerForm::JsonSchema => {
            let name = match wanted.asks {
                Asks::Action => "choice",
                Asks::Route => "route",
            };
            let schema = json!({ "name": name, "strict": true, "schema": schema });
            body.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": schema }));
        }
        AnswerForm::Tool => {
            let (name, description) = match wanted.asks {
                Asks::Action => ("choose_action", "Executes one of the legal actions."),
                Asks::Route => ("write_route", "Writes down a whole route, from now to the boss."),
            };
            let function = json!({
                "name": name,
                "description": description,
                "strict": true,
                "parameters": schema,
            });
            body.insert("tools".into(), json!([{ "type": "function", "function": function }]));
            body.insert("tool_choice".into(), json!({ "type": "function", "function": { "name": name } }));
        }
    }
    body.extend(endpoint.extra_body.clone());
    Body { model: &endpoint.model, messages, options: body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Role;

    fn sent(endpoint: &Endpoint, messages: &[Message]) -> Value {
        json!(body(endpoint, messages, Wanted::default()))
    }

    #[test]
    fn only_what_is_set_is_sent() {
        let endpoint = Endpoint { model: "m".into(), answer: AnswerForm::Text, ..Endpoint::default() };
        let messages = [Message::new(Role::User, "hello")];
        assert_eq!(
            sent(&endpoint, &messages),
            json!({ "model": "m", "messages": [{ "role": "user", "content": "hello" }] })
        );
        let endpoint = Endpoint {
            temperature: Some(0.0),
            max_tokens: Some(9),
            answer: AnswerForm::JsonSchema,
            extra_body: [("temperature".to_owned(), json!(1)), ("min_p".to_owned(), json!(0.1))].into_iter().collect(),
            ..endpoint
        };
        let asked = sent(&endpoint, &messages);
        assert_eq!(asked["max_tokens"], 9);
        assert_eq!(asked["response_format"]["json_schema"]["schema"], Wanted::default().schema(None));
        assert_eq!((&asked["temperature"], &asked["min_p"]), (&json!(1), &json!(0.1)));
        let brief = sent(&Endpoint { reasoning_chars: Some(80), ..endpoint.clone() }, &messages);
        let schema = &brief["response_format"]["json_schema"]["schema"];
        assert_eq!(schema["properties"]["reasoning"]["maxLength"], 80);
        let called = sent(&Endpoint { answer: AnswerForm::Tool, ..endpoint }, &messages);
        assert_eq!(called["tools"][0]["function"]["name"], called["tool_choice"]["function"]["name"]);
    }
}
