//! One attempt: a request goes out, a response comes back, nothing is repeated.
//!
//! async-openai builds the request and reads the response, with types of our own so that reasoning, usage and cost
//! fields survive. The exchange between the two is ours and replaces the crate's own: that one repeats requests
//! silently on 429 and 5xx, drops the `Retry-After` header and the body of many errors, and writes bodies to the
//! log in which a server may have echoed the key.

use std::error::Error;
use std::sync::Once;
use std::time::Duration;

use async_openai::config::Config;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::Value;

use crate::prompt::escape::readable;

use super::endpoint::{Endpoint, EndpointError};
use super::error::Fault;
use super::key::Key;
use super::request::Body;
use super::response::words;
use super::retry::retry_after;

/// Bytes that a response may have; more is not an answer.
const LARGEST_BODY: usize = 64 << 20;

/// Seconds for making a connection, unless the whole attempt has less.
const CONNECT: f64 = 30.0;

/// The chat endpoint as async-openai calls it.
pub(super) type Chat = async_openai::Client<Server>;

/// A chat client whose every request is one attempt of [`exchange`].
pub(super) fn chat(endpoint: &Endpoint, key: &Key) -> Result<Chat, EndpointError> {
    let http = http_client(endpoint)?;
    // The client builds requests with one handle, and the service sends them with another: one pool of connections.
    let builder = http.clone();
    let server = Server::new(endpoint, key)?;
    let (key, timeout) = (key.clone(), endpoint.timeout);
    let service = tower::service_fn(move |request: HttpRequestFactory| {
        let (http, key) = (http.clone(), key.clone());
        async move { exchange(http, request, key, timeout).await.map_err(|fault| OpenAIError::Boxed(Box::new(fault))) }
    });
    Ok(async_openai::Client::build(builder, server).with_http_service(service))
}

/// Sends a body and reads the completion.
pub(super) async fn attempt(chat: &Chat, body: &Body<'_>) -> Result<Value, Fault> {
    chat.chat().create_byot(body).await.map_err(|error| match error {
        OpenAIError::Boxed(boxed) => match boxed.downcast::<Fault>() {
            Ok(fault) => *fault,
            Err(other) => Fault::Request(other.to_string()),
        },
        OpenAIError::JSONDeserialize(error, _) => Fault::Unreadable(error.to_string()),
        other => Fault::Request(other.to_string()),
    })
}

async fn exchange(
    http: reqwest::Client,
    request: HttpRequestFactory,
    key: Key,
    timeout: f64,
) -> Result<reqwest::Response, Fault> {
    let request = request.build().await.map_err(|error| Fault::Request(key.redact(error.to_string())))?;
    let lost = |error: reqwest::Error| connection_fault(error, &key, timeout);
    let mut response = http.execute(request).await.map_err(lost)?;
    let status = response.status();
    let asked_for = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let asked_for = asked_for.and_then(|value| retry_after(value, Timestamp::now()));
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(lost)? {
        if bytes.len() + chunk.len() > LARGEST_BODY {
            return Err(Fault::Unreadable(format!("it is longer than {LARGEST_BODY} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = key.redact(readable(&bytes));
    if !status.is_success() {
        // Words are unescaped, which may bring a key to light that was escaped in the body.
        let words = key.redact(words(&text));
        return Err(Fault::Status { status: status.as_u16(), words, retry_after: asked_for });
    }
    if serde_json::from_str::<Value>(&text).is_err() {
        return Err(Fault::Unreadable(words(&text)));
    }
    Ok(http::Response::new(text).into())
}

/// What broke, in the words of the innermost error: the outer ones only say that something did.
fn connection_fault(error: reqwest::Error, key: &Key, timeout: f64) -> Fault {
    if error.is_timeout() && !error.is_connect() {
        return Fault::Stalled(timeout);
    }
    let what = if error.is_connect() { "no connection" } else { "connection lost" };
    let error = error.without_url();
    let mut innermost: &dyn Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    Fault::Connection(key.redact(format!("{what}: {innermost}")))
}

fn http_client(endpoint: &Endpoint) -> Result<reqwest::Client, EndpointError> {
    static PROVIDER: Once = Once::new();
    // An error means that the program around us has chosen a provider already, which is as good.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .timeout(Duration::from_secs_f64(endpoint.timeout))
        .connect_timeout(Duration::from_secs_f64(endpoint.timeout.min(CONNECT)));
    if endpoint.is_local() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| EndpointError::Http(error.to_string()))
}

/// Address and headers of a server, as async-openai asks for them. The crate's own configuration reads keys from
/// variables that the user has not named.
#[derive(Clone, Debug)]
pub(super) struct Server {
    base_url: String,
    headers: HeaderMap,
    key: Key,
}

impl Server {
    fn new(endpoint: &Endpoint, key: &Key) -> Result<Self, EndpointError> {
        let wrong = |name: &str| EndpointError::Option {
            option: format!("headers.{name}"),
            reason: "cannot be sent as a header".into(),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in &endpoint.headers {
            let header = HeaderName::try_from(name).map_err(|_| wrong(name))?;
            headers.insert(header, HeaderValue::try_from(value).map_err(|_| wrong(name))?);
        }
        if let Some(key) = key.expose() {
            let mut bearer = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| wrong("authorization"))?;
            bearer.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, bearer);
        }
        Ok(Server { base_url: endpoint.base_url.trim_end_matches('/').to_owned(), headers, key: key.clone() })
    }
}

impl Config for Server {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base_url
    }

    fn api_key(&self) -> &SecretString {
        self.key.secret()
    }
}
