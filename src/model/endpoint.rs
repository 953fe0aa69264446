//! Where a model is and how it is asked: the options that a user sets. Knows nothing of how they travel.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::prompt::tokens::TokenRate;
use crate::prompt::{AnswerForm, OnInvalid, Room};

use super::rate::Rates;
use super::retry::Patience;
use super::usage::Price;

/// A model behind an OpenAI-compatible chat endpoint. An option that is not set is not sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Endpoint {
    /// Address without `/chat/completions`, such as `http://127.0.0.1:8080/v1`.
    pub base_url: String,
    /// The model's name, as the server knows it.
    pub model: String,
    /// Name of the environment variable that holds the API key; none for a server that asks for no key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// Sampling temperature, at least 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Share of probability that is sampled from, above 0 and at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The server's sampling seed, the same for every call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Tokens that an answer may have, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The same under the name that newer servers want; they count reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<u32>,
    /// How much a reasoning model reasons, such as `low`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// Headers sent with every call. They are no place for secrets: a config is kept with its results.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Further fields of the request, for whatever else a server understands.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
    /// The form in which answers are asked for.
    pub answer: AnswerForm,
    /// Characters of reasoning that the schema of `json_schema` and `tool` allows before the action; 0 leaves
    /// reasoning out. Keeps a small model from rambling until its tokens are used up. Not every server knows the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_chars: Option<u32>,
    /// Earlier turns that are sent as messages of their own (the prompt and the answer of each) in place of a line each:
    /// how many of the last, or `"full"` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// Tokens that a prompt may have, by the server's own count as far as it has counted, at least 1: earlier turns are
    /// left out until it fits, which the model is told. No limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens that the prompt of one turn fits itself into, where it is one that does so (`tower`), at least 1: floors and
    /// details are left out, which the model is told. At most `prompt_tokens`; the prompt's own number unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tower_tokens: Option<u64>,
    /// How often an answer that cannot be used is asked again.
    pub reasks: u32,
    /// What happens when they are used up.
    pub on_invalid: OnInvalid,
    /// Prices, for providers that do not state what a call cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Requests in any minute, over all episodes of this agent, at least 1; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// Tokens in any minute, sent and answered, at least 1; what a call will use is estimated from the length of its
    /// messages and `max_tokens` until the server has counted. No limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// Calls on their way at once, at least 1. Whether or not it is given, fewer leave at once after the server has said
    /// that it has too much to do, and more again as it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrent_calls: Option<u32>,
    /// Seconds after which an attempt without an answer is given up as stalled, above 0.
    pub timeout: f64,
    /// How long a server that gives no answer is waited for.
    pub retry: Patience,
}

impl Default for Endpoint {
    fn default() -> Self {
        Endpoint {
            base_url: "https://api.openai.com/v1".into(),
            model: String::new(),
            api_key_env: None,
            temperature: None,
            top_p: None,
            seed: None,
            max_tokens: None,
            max_completion_tokens: None,
            reasoning_effort: None,
            headers: BTreeMap::new(),
            extra_body: Map::new(),
            answer: AnswerForm::default(),
            reasoning_chars: None,
            history: None,
            prompt_tokens: None,
            tower_tokens: None,
            reasks: 2,
            on_invalid: OnInvalid::default(),
            price: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            concurrent_calls: None,
            timeout: 600.0,
            retry: Patience::default(),
        }
    }
}

/// How many earlier turns are sent as messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of turns or \"full\"")]
pub enum History {
    /// The last so many, at least 1.
    Turns(u32),
    /// All.
    All(Full),
}

/// The word for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Full {
    /// All earlier turns.
    Full,
}

impl History {
    /// The most turns.
    pub fn turns(self) -> u32 {
        match self {
            History::Turns(turns) => turns,
            History::All(Full::Full) => u32::MAX,
        }
    }
}

/// What is wrong with an endpoint's options, or why a client cannot be made of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// An option has a value that cannot be used.
    #[error("{option}: {reason}")]
    Option {
        /// Which option.
        option: String,
        /// Why its value cannot be used.
        reason: String,
    },
    /// The environment has no key.
    #[error("api_key_env: the environment variable `{variable}` {reason}; set it, or remove api_key_env")]
    NoKey {
        /// The variable that is named.
        variable: String,
        /// What is the matter with it.
        reason: &'static str,
    },
    /// No connection can be prepared on this machine.
    #[error("no HTTP client can be made: {0}")]
    Http(String),
}

/// Fields of a request that are the harness's own.
const OWN_FIELDS: [&str; 4] = ["messages", "model", "stream", "n"];

impl Endpoint {
    /// What the prompt of one turn may come to, where it fits itself into a number of tokens.
    pub fn room(&self, rate: TokenRate) -> Room {
        Room { tokens: self.tower_tokens, cap: self.prompt_tokens, rate }
    }

    /// Everything that is wrong with the options, all at once. The environment is not looked at.
    pub fn check(&self) -> Vec<EndpointError> {
        let mut wrong = Vec::new();
        let mut check = |holds: bool, option: &str, reason: &str| {
            if !holds {
                wrong.push(EndpointError::Option { option: option.to_owned(), reason: reason.to_owned() });
            }
        };
        let url = reqwest::Url::parse(&self.base_url).ok();
        let is_web = url.as_ref().is_some_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        check(is_web, "base_url", "must be an address such as http://127.0.0.1:8080/v1");
        let has_secret = url.is_some_and(|url| {
            let asked = url.query_pairs().any(|(name, _)| is_secret(&name));
            url.password().is_some() || !url.username().is_empty() || asked
        });
        check(!has_secret, "base_url", "must hold no user, password or key: name the key's variable in api_key_env");
        check(!self.model.trim().is_empty(), "model", "is missing");
        check(
            self.temperature.is_none_or(|value| value.is_finite() && value >= 0.0),
            "temperature",
            "must be at least 0",
        );
        check(self.top_p.is_none_or(|value| value > 0.0 && value <= 1.0), "top_p", "must be above 0 and at most 1");
        check(self.max_tokens != Some(0), "max_tokens", "must be at least 1");
        check(self.history != Some(History::Turns(0)), "history", "must be at least 1, or \"full\"");
        check(self.prompt_tokens != Some(0), "prompt_tokens", "must be at least 1");
        check(self.tower_tokens != Some(0), "tower_tokens", "must be at least 1");
        check(self.max_completion_tokens != Some(0), "max_completion_tokens", "must be at least 1");
        let both = self.max_tokens.is_some() && self.max_completion_tokens.is_some();
        check(!both, "max_completion_tokens", "is the newer name of max_tokens; set one of them");
        check(self.requests_per_minute != Some(0), "requests_per_minute", "must be at least 1");
        check(self.tokens_per_minute != Some(0), "tokens_per_minute", "must be at least 1");
        check(self.concurrent_calls != Some(0), "concurrent_calls", "must be at least 1");
        check(self.reasks <= 20, "reasks", "must be at most 20");
        check(is_duration(self.timeout) && self.timeout > 0.0, "timeout", "must be above 0 and at most 86400 seconds");
        for (option, value) in self.retry.seconds() {
            check(is_duration(value), option, "must be at least 0 and at most 86400 seconds");
        }
        for (option, price) in self.price.iter().flat_map(prices) {
            check(price.is_finite() && price >= 0.0, option, "must be at least 0 US dollars per million tokens");
        }
        for (name, value) in &self.headers {
            let option = format!("headers.{name}");
            check(http::HeaderName::try_from(name).is_ok(), &option, "is not the name of a header");
            check(http::HeaderValue::try_from(value).is_ok(), &option, "has a value that a header cannot carry");
            check(!is_secret(name), &option, "is sent by api_key_env; a config holds no secret");
        }
        for field in OWN_FIELDS {
            let option = format!("extra_body.{field}");
            check(!self.extra_body.contains_key(field), &option, "is the harness's own field");
        }
        wrong
    }

    /// The limits that all calls keep together.
    pub fn rates(&self) -> Rates {
        Rates {
            requests_per_minute: self.requests_per_minute,
            tokens_per_minute: self.tokens_per_minute,
            concurrent_calls: self.concurrent_calls,
        }
    }

    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        let url = reqwest::Url::parse(&self.base_url).ok();
        url.as_ref().and_then(|url| url.host_str()).is_some_and(|host| {
            let bare = host.trim_start_matches('[').trim_end_matches(']');
            host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        })
    }
}

/// Whether something of this name is likely a secret, which a config must not hold because it is kept with its results.
fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    ["authorization", "key", "token", "secret", "password", "cookie"].iter().any(|word| name.contains(word))
}

fn is_duration(seconds: f64) -> bool {
    (0.0..=86_400.0).contains(&seconds)
}

fn prices(price: &Price) -> Vec<(&'static str, f64)> {
    let optional = |option, price: Option<f64>| price.map(|price| (option, price));
    [Some(("price.input", price.input)), Some(("price.output", price.output))]
        .into_iter()
        .chain([optional("price.cached", price.cached), optional("price.reasoning", price.reasoning)])
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_endpoint_is_read_and_written() {
        let text = r#"
            base_url = "http://127.0.0.1:8099/v1"
            model = "smollm2"
            api_key_env = "OPENAI_API_KEY"
            temperature = 0.0
            max_tokens = 512
            answer = "text"
            on_invalid = "abort"
            price = { input = 0.15, output = 0.60 }
            retry = { total = 60.0 }
            headers = { "X-Title" = "mota" }
            extra_body = { min_p = 0.1 }
        "#;
        let endpoint: Endpoint = toml::from_str(text).expect("it is an endpoint");
        assert_eq!(endpoint.check(), []);
        assert!(endpoint.is_local());
        assert_eq!((endpoint.reasks, endpoint.timeout, endpoint.retry.total), (2, 600.0, 60.0));
        let written = toml::to_string(&endpoint).expect("it can be written");
        assert_eq!(toml::from_str::<Endpoint>(&written), Ok(endpoint));
        assert!(toml::from_str::<Endpoint>("modell = \"x\"").is_err());
    }

    #[test]
    fn all_mistakes_are_found_at_once() {
        let endpoint = Endpoint {
            base_url: "127.0.0.1:80".into(),
            temperature: Some(-1.0),
            max_tokens: Some(5),
            max_completion_tokens: Some(5),
            timeout: f64::NAN,
            headers: [("Authorization".to_owned(), "Bearer x".to_owned())].into(),
            extra_body: [("stream".to_owned(), true.into())].into_iter().collect(),
            ..Endpoint::default()
        };
        let wrong: Vec<String> = endpoint.check().iter().map(EndpointError::to_string).collect();
        insta::assert_snapshot!(wrong.join("\n"), @r"
        base_url: must be an address such as http://127.0.0.1:8080/v1
        model: is missing
        temperature: must be at least 0
        max_completion_tokens: is the newer name of max_tokens; set one of them
        timeout: must be above 0 and at most 86400 seconds
        headers.Authorization: is sent by api_key_env; a config holds no secret
        extra_body.stream: is the harness's own field
        ");
    }
}
