//! The model agent against a server that misbehaves in every way that servers do.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use crate::game::{last_action, start};
use crate::log::Calls;
use crate::server::{Line, Server, Witness, completion, says};
use mota::agent::{Agent, AgentError, Choice, ChosenBy, ModelAgent, Verdict};
use mota::model::key::Key;
use mota::model::{Ask, CallEvent, CallWatch, Client, Endpoint, Patience, Price};
use mota::prompt::{AnswerForm, OnInvalid, Prompt};
use serde_json::json;

const KEY: &str = "sk-secret/0123456789";
const OK: &str = r#"{"reasoning": "it is weak", "action": 1}"#;

/// Waits of milliseconds, so that a test waits for nothing.
fn endpoint(base_url: &str) -> Endpoint {
    let retry = Patience { first: 0.001, longest: 0.002, ..Patience::default() };
    Endpoint { base_url: base_url.into(), model: "m".into(), timeout: 20.0, retry, ..Endpoint::default() }
}

fn agent(endpoint: Endpoint, watch: Arc<dyn CallWatch>) -> ModelAgent {
    let client = Client::with_key("m", endpoint, Key::new(KEY), watch).expect("the endpoint is right");
    let prompt = Prompt::builtin("single_floor").expect("it is built in");
    ModelAgent::new(Arc::new(client), Arc::new(prompt), last_action)
}

/// What became of one decision.
struct Outcome {
    choice: Result<Choice, AgentError>,
    calls: Calls,
    events: Vec<String>,
    requests: Vec<serde_json::Value>,
}

async fn play(script: Vec<Line>) -> Outcome {
    play_with(script, |endpoint| endpoint).await
}

async fn play_with(script: Vec<Line>, change: impl FnOnce(Endpoint) -> Endpoint) -> Outcome {
    let server = Server::start(script).await;
    let witness = Arc::new(Witness::default());
    let mut agent = agent(change(endpoint(&server.base_url)), witness.clone());
    let start = start();
    let mut calls = Calls::default();
    let choice = agent.choose(&start.view(&[]), &mut calls).await;
    Outcome { choice, calls, events: witness.events(), requests: server.requests() }
}

fn chosen(number: u32, by: ChosenBy) -> Choice {
    Choice { number, by }
}

impl Outcome {
    fn choice(&self) -> Choice {
        self.choice.clone().expect("there is a choice")
    }

    fn error(&self) -> AgentError {
        self.choice.clone().expect_err("there is no choice")
    }
}

#[tokio::test]
async fn busy_servers_are_waited_for_and_every_wait_is_announced() {
    let outcome = play(vec![
        Line::Status(429, Some("1"), r#"{"error": {"message": "slow down", "code": "rate_limit"}}"#),
        Line::Status(500, None, "oops"),
        Line::Status(503, None, r#"{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}"#),
        says(OK),
    ])
    .await;
    assert_eq!(outcome.choice(), chosen(1, ChosenBy::Agent));
    insta::assert_snapshot!(outcome.events.join("\n"), @r"
    m/0 sent
    m/0 waiting 1 s: 429 slow down (rate_limit)
    m/0 sent
    m/0 waiting: 500 oops
    m/0 sent
    m/0 waiting: 503 Loading model (unavailable_error)
    m/0 sent
    m/0 answered: 100 tokens
    ");
    assert_eq!(outcome.calls.verdicts(), [Verdict::Ok]);
    let time = &outcome.calls.0[0].time;
    assert_eq!(time.retries.len(), 3);
    assert!(time.waiting_s >= 1.0, "waiting is kept apart from working");
}

#[tokio::test]
async fn a_server_that_starts_late_is_waited_for() {
    let reserved = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = reserved.local_addr().expect("an address");
    drop(reserved);

    /// Tells of the first wait.
    struct FirstWait(Mutex<Option<tokio::sync::oneshot::Sender<String>>>);
    impl CallWatch for FirstWait {
        fn note(&self, _: &str, _: u64, event: CallEvent<'_>) {
            if let CallEvent::Waiting { why, .. } = event
                && let Some(sender) = self.0.lock().expect("a lock").take()
            {
                let _ = sender.send(why.to_owned());
            }
        }
    }

    let (sender, first_wait) = tokio::sync::oneshot::channel();
    let late = tokio::spawn(async move {
        let why = first_wait.await.expect("a wait");
        let listener = tokio::net::TcpListener::bind(address).await.expect("the port is still free");
        (why, Server::start_on(listener, vec![says(OK)]))
    });
    let mut agent = agent(endpoint(&format!("http://{address}/v1")), Arc::new(FirstWait(Mutex::new(Some(sender)))));
    let (start, mut calls) = (start(), Calls::default());
    assert_eq!(agent.choose(&start.view(&[]), &mut calls).await.expect("a choice"), chosen(1, ChosenBy::Agent));
    let (why, _server) = late.await.expect("the server has started");
    assert!(why.contains("refused"), "{why}");
}

#[tokio::test]
async fn a_connection_cut_in_the_middle_of_an_answer_is_lost_and_the_call_is_made_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let server = std::thread::spawn(move || {
        let body = json!({ "choices": [{ "message": { "content": "Action: 1" } }] }).to_string();
        for sent in [10, body.len()] {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            while !request.ends_with(b"}") {
                let count = stream.read(&mut buffer).expect("a request");
                request.extend_from_slice(&buffer[..count]);
            }
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).expect("a head");
            stream.write_all(&body.as_bytes()[..sent]).expect("a body");
        }
    });
    let witness = Arc::new(Witness::default());
    let mut agent = agent(endpoint(&format!("http://{address}/v1")), witness.clone());
    let (start, mut calls) = (start(), Calls::default());
    assert_eq!(agent.choose(&start.view(&[]), &mut calls).await.expect("a choice"), chosen(1, ChosenBy::Agent));
    server.join().expect("the server has answered twice");
    assert!(witness.events()[1].contains("connection lost"), "{:?}", witness.events());
}

#[tokio::test]
async fn a_stalled_answer_is_given_up_and_asked_again() {
    let outcome = play_with(vec![Line::Silence, says(OK)], |endpoint| Endpoint { timeout: 2.0, ..endpoint }).await;
    assert_eq!(outcome.choice(), chosen(1, ChosenBy::Agent));
    assert_eq!(outcome.events[1], "m/0 waiting: no answer within 2 s");
}

#[tokio::test]
async fn a_wrong_request_ends_the_episode_with_the_servers_words() {
    let outcome = play(vec![Line::Status(400, None, r#"{"error": {"message": "context length exceeded"}}"#)]).await;
    assert!(matches!(outcome.error(), AgentError::Episode(_)));
    assert_eq!(outcome.error().to_string(), "400 context length exceeded");
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.calls.verdicts(), [Verdict::TransportError]);
}

#[tokio::test]
async fn a_wrong_key_or_model_stops_the_agent_and_leaves_no_call_behind() {
    for (status, words) in [(401, "wrong key"), (403, "not for you"), (404, "no such model")] {
        let outcome = play(vec![Line::Status(status, None, words)]).await;
        assert!(matches!(outcome.error(), AgentError::Agent(_)));
        assert_eq!(outcome.error().to_string(), format!("{status} {words}"));
        assert_eq!((outcome.requests.len(), outcome.calls.0.len()), (1, 0));
    }
}

#[tokio::test]
async fn what_is_no_completion_is_tried_three_times_and_shown() {
    for (body, words) in
        [("<html>\n<h1>It works!</h1>", "<html> <h1>It works!</h1>"), (r#"{"choices": ["#, r#"{"choices": ["#)]
    {
        let outcome = play(vec![Line::Body(body.into())]).await;
        assert!(matches!(outcome.error(), AgentError::Episode(_)));
        assert_eq!(outcome.error().to_string(), format!("the answer is no chat completion: {words}, 3 times in a row"));
        assert_eq!(outcome.requests.len(), 3);
        assert_eq!(outcome.calls.verdicts(), [Verdict::TransportError]);
    }
    let outcome = play(vec![Line::Body("<html>".into()), says(OK)]).await;
    assert_eq!(outcome.choice(), chosen(1, ChosenBy::Agent));
}

#[tokio::test]
async fn waiting_has_a_limit_in_total() {
    let patience = Patience { first: 0.001, longest: 0.002, total: 0.05, loading: 0.05 };
    for words in ["overloaded", "Loading model"] {
        let outcome =
            play_with(vec![Line::Status(503, None, words)], |endpoint| Endpoint { retry: patience, ..endpoint }).await;
        assert!(matches!(outcome.error(), AgentError::Episode(_)));
        assert!(outcome.error().to_string().starts_with(&format!("503 {words}; given up after ")));
        assert_eq!(outcome.calls.verdicts(), [Verdict::TransportError]);
    }
    let outcome = play(vec![Line::Status(429, Some("7200"), "come back tomorrow")]).await;
    assert_eq!(outcome.requests.len(), 1, "a wait beyond the limit is not begun");
}

#[tokio::test]
async fn answers_that_cannot_be_used_are_asked_again_and_then_replaced() {
    let cases = [
        (completion(json!({ "content": null }), "stop"), Verdict::Empty),
        (completion(json!({ "content": "", "reasoning_content": "let me see" }), "stop"), Verdict::Truncated),
        (completion(json!({ "content": "<think>let me see" }), "stop"), Verdict::Truncated),
        (completion(json!({ "content": OK }), "length"), Verdict::Truncated),
        (completion(json!({ "content": null, "refusal": "I cannot" }), "stop"), Verdict::Refused),
        (completion(json!({ "content": OK }), "content_filter"), Verdict::Refused),
        (says("I go north"), Verdict::Unparsable),
        (says(r#"{"action": 3}"#), Verdict::Illegal),
    ];
    for (line, verdict) in cases {
        let outcome = play(vec![line]).await;
        assert_eq!(outcome.choice(), chosen(2, ChosenBy::OnInvalid), "{verdict:?}");
        assert_eq!(outcome.calls.verdicts(), [verdict; 3]);
        assert_eq!(outcome.calls.0.iter().map(|call| call.reask).collect::<Vec<_>>(), [0, 1, 2]);
    }
}

/// Under the prompt that lists no actions the schema asks for a tile, and a number names nothing.
#[tokio::test]
async fn without_a_list_a_tile_must_be_named() {
    let number = r#"{"reasoning": "the first", "action": 1}"#;
    let tile = r#"{"reasoning": "it is weak", "target": {"x": 1, "y": 0}}"#;
    let server = Server::start(vec![says(number), says(tile)]).await;
    let client = Client::with_key("m", endpoint(&server.base_url), Key::none(), Arc::new(Witness::default())).unwrap();
    let prompt = Prompt::builtin("unlisted").unwrap();
    let mut agent = ModelAgent::new(Arc::new(client), Arc::new(prompt), last_action);
    let (start, mut calls) = (start(), Calls::default());
    let choice = agent.choose(&start.view(&[]), &mut calls).await.unwrap();
    assert_eq!(choice.by, ChosenBy::Agent);
    let target = start.actions[choice.number as usize - 1].target;
    assert_eq!((target.x, target.y), (1, 0));
    let verdicts: Vec<Verdict> = calls.0.iter().map(|call| call.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unparsable, Verdict::Ok]);
    let schema = &server.requests()[0]["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["properties"]["target"]["required"], json!(["x", "y"]));
    assert!(schema["properties"]["action"].is_null());
}

#[tokio::test]
async fn on_invalid_may_abort_or_draw() {
    let bad = || vec![says("I go north")];
    let outcome = play_with(bad(), |endpoint| Endpoint { on_invalid: OnInvalid::Abort, reasks: 1, ..endpoint }).await;
    insta::assert_snapshot!(outcome.error(), @"no usable answer in 2 tries; the last: No action could be found in your answer; the legal actions have numbers 1 to 2.");
    assert!(matches!(outcome.error(), AgentError::Episode(_)));
    let random = |endpoint| Endpoint { on_invalid: OnInvalid::Random, reasks: 0, ..endpoint };
    let (first, second) = (play_with(bad(), random).await.choice(), play_with(bad(), random).await.choice());
    assert_eq!((first, first.by), (second, ChosenBy::OnInvalid));
}

#[tokio::test]
async fn a_reask_says_what_was_wrong() {
    let outcome = play(vec![says(r#"{"action": 9}"#), says("Action: 2")]).await;
    assert_eq!(outcome.choice(), chosen(2, ChosenBy::Agent));
    let messages = outcome.requests[1]["messages"].as_array().expect("messages").clone();
    let roles: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(messages[2]["content"], r#"{"action": 9}"#);
    insta::assert_snapshot!(messages[3]["content"].as_str().unwrap_or_default(), @"There is no action 9; the legal actions have numbers 1 to 2.");
    assert_eq!(messages[..2], outcome.requests[0]["messages"].as_array().expect("messages")[..]);
    assert_eq!(json!(outcome.calls.0[1].messages), json!(messages), "the trace has the messages as they were sent");
}

#[tokio::test]
async fn an_interrupted_turn_goes_on_where_it_was() {
    let whole = play(vec![says("I go north"), says(r#"{"action": 9}"#), says("Action: 1")]).await;
    assert_eq!(whole.calls.verdicts(), [Verdict::Unparsable, Verdict::Illegal, Verdict::Ok]);
    for done in 0..=3 {
        let server = Server::start(vec![says("Action: 1")]).await;
        let mut agent = agent(endpoint(&server.base_url), Arc::new(Witness::default()));
        let (start, mut calls) = (start(), Calls::default());
        let choice = agent.choose(&start.view(&whole.calls.0[..done]), &mut calls).await.expect("a choice");
        assert_eq!(choice, chosen(1, ChosenBy::Agent));
        match done {
            3 => assert!(calls.0.is_empty() && server.requests().is_empty(), "an answer is not asked for twice"),
            _ => assert_eq!((calls.0[0].reask, &calls.0[0].messages), (done as u32, &whole.calls.0[done].messages)),
        }
    }
}

#[tokio::test]
async fn tokens_cost_what_the_config_says_unless_the_provider_states_it() {
    let price = Some(Price { input: 2.0, output: 10.0, ..Price::default() });
    let outcome = play_with(vec![says(OK)], |endpoint| Endpoint { price, ..endpoint }).await;
    assert_eq!(outcome.calls.0[0].usage.cost_usd, Some(0.003));
    let stated = json!({ "choices": [{ "message": { "content": OK } }], "usage": { "cost": 0.5 } });
    let outcome = play_with(vec![Line::Body(stated.to_string())], |endpoint| Endpoint { price, ..endpoint }).await;
    assert_eq!(outcome.calls.0[0].usage.cost_usd, Some(0.5));
    let outcome = play(vec![says(OK)]).await;
    assert_eq!(outcome.calls.0[0].usage.cost_usd, None);
}

#[tokio::test]
async fn a_tool_call_is_an_answer() {
    let call = json!({ "tool_calls": [{ "id": "1", "type": "function", "function": { "name": "choose_action", "arguments": "{\"reasoning\":\"\",\"action\":2}" } }] });
    let outcome =
        play_with(vec![completion(call, "tool_calls")], |endpoint| Endpoint { answer: AnswerForm::Tool, ..endpoint })
            .await;
    assert_eq!(outcome.choice(), chosen(2, ChosenBy::Agent));
    assert!(outcome.calls.0[0].content.is_some());
}

#[tokio::test]
async fn lone_surrogates_and_bytes_that_are_no_text_do_not_break_an_answer() {
    let body = r#"{"choices": [{"message": {"content": "half an emoji \ud83d and \u0000\nAction: 1"}}]}"#;
    let outcome = play(vec![Line::Body(body.into())]).await;
    assert_eq!(outcome.choice(), chosen(1, ChosenBy::Agent));
    assert!(serde_json::to_string(&outcome.calls.0[0]).is_ok());
}

#[tokio::test]
async fn a_call_may_be_dropped_and_the_watch_is_told() {
    let server = Server::start(vec![Line::Silence]).await;
    let witness = Arc::new(Witness::default());
    let mut agent = agent(endpoint(&server.base_url), witness.clone());
    let (start, mut calls) = (start(), Calls::default());
    let view = start.view(&[]);
    tokio::select! {
        biased;
        _ = agent.choose(&view, &mut calls) => panic!("the server never answers"),
        () = async { while server.requests().is_empty() { tokio::task::yield_now().await } } => {}
    }
    assert_eq!(witness.events(), ["m/0 sent", "m/0 dropped"]);
    assert!(calls.0.is_empty());
}

/// Everything that is logged, whoever logs it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a lock").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_is_sent_and_never_written() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone());
    let _guard = tracing::subscriber::set_default(subscriber.finish());
    let echo = r#"{"error": {"message": "no access with {key}", "code": "x"}}"#;
    let scripts = [
        vec![Line::Status(401, None, echo)],
        vec![Line::Status(400, None, echo)],
        vec![Line::Status(500, None, "{key} is tired"), says("{key}")],
        vec![Line::Body("<html>{key}".into())],
        vec![completion(json!({ "content": "{key}", "reasoning": "{key}", "refusal": "{key}" }), "{key}")],
    ];
    let mut written = String::new();
    for script in scripts {
        let outcome = play(script).await;
        written += &format!("{:?} {:?} ", outcome.choice, outcome.events);
        written += &serde_json::to_string(&outcome.calls.0).expect("calls can be written");
    }
    assert!(written.contains("[API key]"), "the server has seen the key and has echoed it");
    written += &String::from_utf8_lossy(&log.0.lock().expect("a lock"));
    assert!(!written.contains("0123456789"), "the key has been written");
    let client =
        Client::with_key("m", endpoint("http://127.0.0.1:9/v1"), Key::new("line\nbreak"), Arc::new(Witness::default()));
    assert!(client.is_err_and(|error| !error.to_string().contains("line")));
}

#[tokio::test]
async fn the_key_comes_from_the_variable_that_the_config_names() {
    // Cargo sets this variable for every test; any value serves as a key.
    let (variable, value) = ("CARGO_PKG_README", env!("CARGO_PKG_README"));
    let server = Server::start(vec![Line::Status(401, None, "key: {key}")]).await;
    let endpoint = Endpoint { api_key_env: Some(variable.into()), ..endpoint(&server.base_url) };
    let client = Client::new("m", endpoint.clone(), Arc::new(Witness::default())).expect("the variable is set");
    let error = client.call(Ask::of(&[])).await.expect_err("the server refuses");
    assert_eq!(error.to_string(), "401 key: Bearer [API key]");
    assert!(!format!("{error:?}").contains(value));
    let unset = Endpoint { api_key_env: Some("MOTA_TEST_VARIABLE_THAT_IS_NEVER_SET".into()), ..endpoint };
    let error = Client::new("m", unset, Arc::new(Witness::default())).err().expect("the variable is not set");
    insta::assert_snapshot!(error, @"api_key_env: the environment variable `MOTA_TEST_VARIABLE_THAT_IS_NEVER_SET` is not set; set it, or remove api_key_env");
}
