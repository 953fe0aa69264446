//! The body of a request. Knows the fields of the chat endpoint, and nothing of how it is sent.

use serde_json::{Map, Value, json};

use crate::prompt::{AnswerForm, Message, Wanted};

use super::endpoint::Endpoint;

/// The body that asks an endpoint's model to go on with a conversation.
pub fn body(endpoint: &Endpoint, messages: &[Message], wanted: Wanted) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(endpoint.model));
    body.insert("messages".into(), json!(messages));
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
            let schema = json!({ "name": "choice", "strict": true, "schema": schema });
            body.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": schema }));
        }
        AnswerForm::Tool => {
            let function = json!({
                "name": FUNCTION,
                "description": "Executes one of the legal actions.",
                "strict": true,
                "parameters": schema,
            });
            body.insert("tools".into(), json!([{ "type": "function", "function": function }]));
            body.insert("tool_choice".into(), json!({ "type": "function", "function": { "name": FUNCTION } }));
        }
    }
    body.extend(endpoint.extra_body.clone());
    Value::Object(body)
}

/// The one function that a model can call.
const FUNCTION: &str = "choose_action";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Role;

    #[test]
    fn only_what_is_set_is_sent() {
        let endpoint = Endpoint { model: "m".into(), answer: AnswerForm::Text, ..Endpoint::default() };
        let messages = [Message::new(Role::User, "hello")];
        assert_eq!(
            body(&endpoint, &messages, Wanted::default()),
            json!({ "model": "m", "messages": [{ "role": "user", "content": "hello" }] })
        );
        let endpoint = Endpoint {
            temperature: Some(0.0),
            max_tokens: Some(9),
            answer: AnswerForm::JsonSchema,
            extra_body: [("temperature".to_owned(), json!(1)), ("min_p".to_owned(), json!(0.1))].into_iter().collect(),
            ..endpoint
        };
        let sent = body(&endpoint, &messages, Wanted::default());
        assert_eq!(sent["max_tokens"], 9);
        assert_eq!(sent["response_format"]["json_schema"]["schema"], Wanted::default().schema(None));
        assert_eq!((&sent["temperature"], &sent["min_p"]), (&json!(1), &json!(0.1)));
        let brief = body(&Endpoint { reasoning_chars: Some(80), ..endpoint.clone() }, &messages, Wanted::default());
        let schema = &brief["response_format"]["json_schema"]["schema"];
        assert_eq!(schema["properties"]["reasoning"]["maxLength"], 80);
        let sent = body(&Endpoint { answer: AnswerForm::Tool, ..endpoint }, &messages, Wanted::default());
        assert_eq!(sent["tools"][0]["function"]["name"], sent["tool_choice"]["function"]["name"]);
    }
}
