//! The limits of an agent: a server that counts how much reaches it at once, and one that can take only so much.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use mota::model::key::Key;
use mota::model::{Ask, Client, Endpoint, Patience};
use mota::prompt::{Message, Role};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::server::{Server, Witness, says};

/// What reached a server.
#[derive(Default)]
struct Counts {
    now: AtomicU32,
    most: AtomicU32,
    refused: AtomicU32,
}

/// A server that answers after some milliseconds, and refuses what is more than it can take at once.
#[derive(Clone)]
struct Busy {
    takes: u32,
    counts: Arc<Counts>,
}

impl Busy {
    async fn start(takes: u32) -> (String, Arc<Counts>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let busy = Busy { takes, counts: Arc::default() };
        let counts = busy.counts.clone();
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(busy);
        tokio::spawn(async move { axum::serve(listener, router).await });
        (base_url, counts)
    }
}

async fn answer(State(busy): State<Busy>) -> Response {
    let counts = &busy.counts;
    let now = counts.now.fetch_add(1, Ordering::SeqCst) + 1;
    counts.most.fetch_max(now, Ordering::SeqCst);
    let response = match now > busy.takes {
        true => {
            counts.refused.fetch_add(1, Ordering::SeqCst);
            (StatusCode::TOO_MANY_REQUESTS, "slow down").into_response()
        }
        false => {
            tokio::time::sleep(Duration::from_millis(20)).await;
            json!({ "choices": [{ "message": { "content": "1" }, "finish_reason": "stop" }] })
                .to_string()
                .into_response()
        }
    };
    counts.now.fetch_sub(1, Ordering::SeqCst);
    response
}

fn client(base_url: &str, watch: Arc<Witness>, change: impl FnOnce(Endpoint) -> Endpoint) -> Arc<Client> {
    let retry = Patience { first: 0.001, longest: 0.002, ..Patience::default() };
    let endpoint = Endpoint { base_url: base_url.into(), model: "m".into(), retry, ..Endpoint::default() };
    Arc::new(Client::with_key("m", change(endpoint), Key::none(), watch).expect("the endpoint is right"))
}

/// So many calls at once; all must be answered.
async fn calls(client: &Arc<Client>, count: u64) {
    let mut tasks = JoinSet::new();
    for seed in 0..count {
        let client = client.clone();
        tasks.spawn(async move { client.call(Ask { seed, ..Ask::of(&[Message::new(Role::User, "hello")]) }).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no call panics").expect("every call is answered");
    }
}

#[tokio::test]
async fn no_more_calls_are_on_their_way_than_may_be() {
    let (base_url, counts) = Busy::start(u32::MAX).await;
    let limited = client(&base_url, Arc::default(), |endpoint| Endpoint { concurrent_calls: Some(3), ..endpoint });
    calls(&limited, 20).await;
    assert_eq!(counts.most.load(Ordering::SeqCst), 3);
    calls(&client(&base_url, Arc::default(), |endpoint| endpoint), 20).await;
    assert!(counts.most.load(Ordering::SeqCst) > 3, "without a limit more are on their way");
}

/// A server that takes four calls at once gets thirty. Those that it refuses come back after one or two milliseconds: by
/// themselves they would be refused some hundred times.
#[tokio::test]
async fn a_server_with_too_much_to_do_gets_less() {
    let (base_url, counts) = Busy::start(4).await;
    calls(&client(&base_url, Arc::default(), |endpoint| endpoint), 30).await;
    let refused = counts.refused.load(Ordering::SeqCst);
    assert!((1..70).contains(&refused), "{refused} calls were refused");
}

#[tokio::test]
async fn a_call_that_waits_for_its_minute_says_so_and_can_be_dropped() {
    let server = Server::start(vec![says("1")]).await;
    let witness = Arc::new(Witness::default());
    let limited = client(&server.base_url, witness.clone(), |endpoint| Endpoint {
        requests_per_minute: Some(1),
        concurrent_calls: Some(1),
        ..endpoint
    });
    calls(&limited, 1).await;
    let hello = [Message::new(Role::User, "hello")];
    let second = tokio::time::timeout(Duration::from_millis(50), limited.call(Ask::of(&hello))).await;
    assert!(second.is_err(), "the second call left within the same minute");
    let events = witness.events();
    assert_eq!(events[..2], ["m/0 sent", "m/0 answered: 100 tokens"]);
    let (seconds, why) = events[2].strip_prefix("m/1 waiting ").and_then(|told| told.split_once(" s: ")).unwrap();
    assert_eq!(why, "this agent's own limit for a minute");
    assert!((30.0..=60.0).contains(&seconds.parse::<f64>().unwrap()), "{seconds}");
    assert_eq!(events[3..], ["m/1 dropped"]);
    assert_eq!(server.requests().len(), 1);
}

/// A call that is dropped on its way, or while it waits, holds nobody back for ever.
#[tokio::test]
async fn dropped_calls_make_room() {
    let (base_url, counts) = Busy::start(u32::MAX).await;
    let limited = client(&base_url, Arc::default(), |endpoint| Endpoint { concurrent_calls: Some(1), ..endpoint });
    let hello = [Message::new(Role::User, "hello")];
    let (first, second) = tokio::join!(
        tokio::time::timeout(Duration::from_millis(5), limited.call(Ask::of(&hello))),
        tokio::time::timeout(Duration::from_millis(5), limited.call(Ask::of(&hello))),
    );
    assert!(first.is_err() && second.is_err());
    calls(&limited, 3).await;
    assert!(counts.most.load(Ordering::SeqCst) <= 2);
}
