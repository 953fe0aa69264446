//! A chat completion as servers really send it. Reads what is there and never insists on what is not.

use serde_json::Value;

use crate::prompt::Answer;

use super::error::Fault;
use super::usage::Usage;

/// Characters of a server's own words that are repeated to people.
const WORDS: usize = 300;

/// The answer in the first choice of a completion.
///
/// # Errors
/// [`Fault::Status`] if the body holds an error in place of choices (some gateways say so with status 200), and
/// [`Fault::Unreadable`] if it holds neither.
pub fn answer(body: &Value) -> Result<Answer, Fault> {
    let choice = body.get("choices").and_then(|choices| choices.get(0));
    let Some(choice) = choice.filter(|choice| choice.is_object()) else {
        return Err(match body.get("error") {
            Some(error) if !error.is_null() => Fault::Status {
                status: error_status(error).unwrap_or(502),
                words: words(&body.to_string()),
                retry_after: None,
            },
            _ => Fault::Unreadable(words(&body.to_string())),
        });
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let field = |name: &str| message.get(name).and_then(text);
    let called = message.get("tool_calls").and_then(|calls| calls.get(0)).and_then(|call| call.get("function"));
    let arguments = called.or_else(|| message.get("function_call")).and_then(|function| function.get("arguments"));
    Ok(Answer {
        content: field("content").or_else(|| choice.get("text").and_then(text)),
        reasoning: reasoning(message),
        arguments: arguments.filter(|arguments| !arguments.is_null()).map(|arguments| match arguments {
            Value::String(text) => text.clone(),
            object => object.to_string(),
        }),
        refusal: field("refusal").or_else(|| parts_of(message, &["refusal"])),
        finish_reason: choice.get("finish_reason").and_then(text),
    })
}

/// What a completion says that it used; 0 where it says nothing that makes sense.
pub fn usage(body: &Value) -> Usage {
    let usage = body.get("usage").unwrap_or(&Value::Null);
    let count = |path: &[&str]| path.iter().try_fold(usage, |value, key| value.get(key)).and_then(tokens);
    let cost = ["cost", "total_cost", "estimated_cost"].into_iter().find_map(|key| usage.get(key).and_then(dollars));
    Usage {
        prompt_tokens: count(&["prompt_tokens"]).unwrap_or(0),
        completion_tokens: count(&["completion_tokens"]).unwrap_or(0),
        reasoning_tokens: count(&["completion_tokens_details", "reasoning_tokens"])
            .or_else(|| count(&["reasoning_tokens"]))
            .unwrap_or(0),
        cached_tokens: count(&["prompt_tokens_details", "cached_tokens"])
            .or_else(|| count(&["prompt_cache_hit_tokens"]))
            .unwrap_or(0),
        cost_usd: cost,
        guessed: false,
    }
}

/// A server's own words: the message of its error if it has that form, else the beginning of the text, on one line.
pub fn words(text: &str) -> String {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let error = body.get("error").unwrap_or(&body);
    let message = ["message", "detail", "error"].into_iter().find_map(|key| error.get(key)?.as_str());
    let message = message.or_else(|| error.as_str());
    let code = ["code", "type"].into_iter().find_map(|key| error.get(key)?.as_str());
    let whole = match (message, code) {
        (Some(message), Some(code)) if !message.contains(code) => format!("{message} ({code})"),
        (Some(message), _) => message.to_owned(),
        (None, _) => text.to_owned(),
    };
    let mut line = String::new();
    for word in whole.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(WORDS) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    if line.is_empty() { "(no words)".into() } else { line }
}

fn error_status(error: &Value) -> Option<u16> {
    let code = error.get("code").or_else(|| error.get("status"))?;
    let status = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
    u16::try_from(status).ok().filter(|status| (400..600).contains(status))
}

/// The reasoning of a message, in whatever field it comes: one of its own, the details that some gateways list, or parts
/// of its content.
fn reasoning(message: &Value) -> Option<String> {
    let field = |name: &&str| message.get(name).and_then(all_text).filter(|text| !text.is_empty());
    let own = ["reasoning_content", "reasoning", "thinking", "reasoning_details"].iter().find_map(field);
    own.or_else(|| parts_of(message, &THOUGHTS))
}

/// Types of content parts that are reasoning.
const THOUGHTS: [&str; 3] = ["thinking", "reasoning", "reasoning_content"];

/// The texts of the content's parts of these types.
fn parts_of(message: &Value, types: &[&str]) -> Option<String> {
    let parts = message.get("content")?.as_array()?;
    let wanted =
        parts.iter().filter(|part| part.get("type").and_then(Value::as_str).is_some_and(|it| types.contains(&it)));
    let text: String = wanted.filter_map(all_text).collect();
    (!text.is_empty()).then_some(text)
}

/// All text in a value of any depth: a string, or what its parts and fields say, the names of types aside.
fn all_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(all_text).collect()),
        Value::Object(fields) => {
            let saying = ["text", "summary", "thinking", "reasoning", "content", "refusal"];
            saying.iter().find_map(|name| fields.get(*name).and_then(all_text))
        }
        _ => None,
    }
}

/// A text: a string, or a list of parts of which those count that are an answer.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let is_answer = |part: &&Value| {
                let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
                !THOUGHTS.contains(&kind) && kind != "refusal"
            };
            let part = |part: &Value| match part {
                Value::String(text) => Some(text.clone()),
                part => part.get("text").and_then(Value::as_str).map(str::to_owned),
            };
            Some(parts.iter().filter(is_answer).filter_map(part).collect())
        }
        _ => None,
    }
}

/// A count of tokens; nonsense counts as absent.
fn tokens(value: &Value) -> Option<u64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    (0.0..1e12).contains(&number).then_some(number as u64)
}

fn dollars(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_of_many_servers() {
        let read = |message: Value| answer(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }));
        let content = |message: Value| read(message).expect("a completion").content;
        assert_eq!(content(json!({ "content": "a" })), Some("a".into()));
        assert_eq!(content(json!({ "content": null })), None);
        assert_eq!(content(json!({})), None);
        assert_eq!(content(json!({ "content": 7 })), None);
        assert_eq!(
            content(json!({ "content": [{ "type": "text", "text": "a" }, "b", { "type": "image" }] })),
            Some("ab".into())
        );
        let thought = |field: &str| read(json!({ field: "hm", "content": "" })).expect("a completion").reasoning;
        assert_eq!(thought("reasoning_content"), Some("hm".into()));
        assert_eq!(thought("reasoning"), Some("hm".into()));
        for (message, thought, said) in [
            (
                json!({ "content": "1", "reasoning_details": [{ "type": "reasoning.text", "text": "h" }, { "type": "reasoning.summary", "summary": "m" }, { "type": "reasoning.encrypted", "data": "x" }] }),
                "hm",
                "1",
            ),
            (json!({ "content": "1", "reasoning": null, "reasoning_content": "", "thinking": "hm" }), "hm", "1"),
            (
                json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }, { "type": "text", "text": "1" }] }),
                "hm",
                "1",
            ),
            (
                json!({ "content": [{ "type": "thinking", "thinking": "hm", "signature": "x" }, { "type": "text", "text": "1" }] }),
                "hm",
                "1",
            ),
            (
                json!({ "content": [{ "type": "reasoning", "text": "hm" }, { "type": "output_text", "text": "1" }] }),
                "hm",
                "1",
            ),
        ] {
            let found = read(message.clone()).expect("a completion");
            assert_eq!(
                (found.reasoning.as_deref(), found.content.as_deref()),
                (Some(thought), Some(said)),
                "{message}"
            );
        }
        let refused = read(json!({ "content": [{ "type": "refusal", "refusal": "no" }] })).expect("a completion");
        assert_eq!((refused.refusal.as_deref(), refused.content.as_deref()), (Some("no"), Some("")));
        let called =
            json!({ "tool_calls": [{ "function": { "name": "choose_action", "arguments": "{\"action\":2}" } }] });
        assert_eq!(read(called).expect("a completion").arguments, Some("{\"action\":2}".into()));
        let two = json!({ "choices": [{ "message": { "content": "first" } }, { "message": { "content": "second" } }] });
        assert_eq!(answer(&two).expect("a completion").content, Some("first".into()));
    }

    #[test]
    fn what_is_no_completion() {
        for body in [json!({}), json!([]), json!(null), json!({ "choices": [] }), json!({ "choices": "x" })] {
            assert!(matches!(answer(&body), Err(Fault::Unreadable(_))), "{body}");
        }
        let overloaded = json!({ "error": { "code": 429, "message": "slow down" } });
        assert_eq!(
            answer(&overloaded),
            Err(Fault::Status { status: 429, words: "slow down".into(), retry_after: None })
        );
        let odd = json!({ "error": { "code": "oops", "message": "x" } });
        assert!(matches!(answer(&odd), Err(Fault::Status { status: 502, .. })));
    }

    #[test]
    fn usage_that_makes_sense_is_kept() {
        let full = json!({ "usage": {
            "prompt_tokens": 42, "completion_tokens": "25", "total_tokens": 67,
            "prompt_tokens_details": { "cached_tokens": 3 },
            "completion_tokens_details": { "reasoning_tokens": 20 },
            "cost": 0.25,
        }});
        let expected = Usage {
            prompt_tokens: 42,
            completion_tokens: 25,
            reasoning_tokens: 20,
            cached_tokens: 3,
            cost_usd: Some(0.25),
            guessed: false,
        };
        assert_eq!(usage(&full), expected);
        let odd = json!({ "usage": { "prompt_tokens": -3, "completion_tokens": 1e300, "prompt_tokens_details": 7, "cost": -1 } });
        for body in [odd, json!({}), json!({ "usage": null }), json!({ "usage": [1] }), json!(3)] {
            assert_eq!(usage(&body), Usage::default(), "{body}");
        }
    }

    #[test]
    fn words_are_the_servers_own() {
        assert_eq!(words(r#"{"error":{"message":"no such model","type":"not_found"}}"#), "no such model (not_found)");
        assert_eq!(words(r#"{"error":"bad"}"#), "bad");
        assert_eq!(words(r#"{"detail":"missing field"}"#), "missing field");
        assert_eq!(words("<html>\n  <h1>Bad\u{0}gateway"), "<html> <h1>Bad gateway");
        assert_eq!(words(""), "(no words)");
        assert_eq!(words(&"é".repeat(1_000)).chars().count(), 301);
    }
}
