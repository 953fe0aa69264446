//! Limits that hold over several workers: three of them in one process, each with a connection of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::kv::{self, Store};
use mota::cluster::limits::{self, SharedLimits, Waits};
use mota::model::gate::Ticket;
use mota::model::rate::Return;
use mota::model::{Budget, Limits, Rates, Refusal, Spending};

use crate::proxy::Proxy;
use crate::server::{Options, Server};

const AGENT: &str = "qwen3.8b";
const LEASE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(60);

/// The bucket of a batch, over a connection of its own.
async fn bucket(url: &str) -> Store {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    let config = kv::Config { bucket: "counts".into(), ..kv::Config::default() };
    context.create_or_update_key_value(config).await.expect("a bucket")
}

async fn worker(server: &Server, name: &str, rates: Rates, budget: Budget) -> Arc<SharedLimits> {
    worker_with(&server.url(), name, rates, budget, PATIENCE).await
}

async fn worker_with(url: &str, name: &str, rates: Rates, budget: Budget, patience: Duration) -> Arc<SharedLimits> {
    let rates = vec![(AGENT.to_owned(), rates)];
    let waits = Waits { lease: LEASE, patience };
    SharedLimits::with(bucket(url).await, name.into(), rates, budget, waits).await.expect("limits")
}

async fn workers(server: &Server, rates: Rates, budget: Budget) -> Vec<Arc<SharedLimits>> {
    let mut workers = Vec::new();
    for name in ["one", "two", "three"] {
        workers.push(worker(server, name, rates, budget).await);
    }
    workers
}

fn tokens(tokens: u64) -> Spending {
    Spending { tokens, cost_usd: 0.0 }
}

async fn leave(limits: &SharedLimits, most: Spending) -> Result<Ticket, Refusal> {
    limits.leave(AGENT, &|| most, &mut |_, _| {}).await
}

/// The same, given up after some time.
async fn leave_within(limits: &SharedLimits, most: Spending, seconds: f64) -> Option<Ticket> {
    let left = tokio::time::timeout(Duration::from_secs_f64(seconds), leave(limits, most)).await;
    left.ok().map(|left| left.expect("no refusal"))
}

fn answered(limits: &SharedLimits, ticket: Ticket, used: Spending) {
    limits.come_back(AGENT, ticket, Return::Answered { used });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn calls_at_once_are_counted_over_all_workers() {
    let server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(4), ..Rates::default() };
    let (away, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut calls = tokio::task::JoinSet::new();
    let workers = workers(&server, rates, Budget::default()).await;
    for call in 0..60 {
        let (worker, away, most) = (workers[call % 3].clone(), away.clone(), most.clone());
        calls.spawn(async move {
            let ticket = leave(&worker, tokens(1)).await.expect("no refusal");
            most.fetch_max(away.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            away.fetch_sub(1, Ordering::SeqCst);
            answered(&worker, ticket, tokens(1));
        });
    }
    while calls.join_next().await.transpose().expect("no panic").is_some() {}
    assert_eq!(most.load(Ordering::SeqCst), 4, "as many as may, and no more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn requests_of_a_minute_are_counted_over_all_workers() {
    let server = Server::start(Options::default());
    let rates = Rates { requests_per_minute: Some(7), tokens_per_minute: Some(1_000), ..Rates::default() };
    let workers = workers(&server, rates, Budget::default()).await;
    let mut calls = tokio::task::JoinSet::new();
    for call in 0..12 {
        let worker = workers[call % 3].clone();
        calls.spawn(async move {
            let ticket = leave_within(&worker, tokens(10), 3.0).await?;
            answered(&worker, ticket, tokens(10));
            Some(())
        });
    }
    let left = calls.join_all().await.into_iter().flatten().count();
    assert_eq!(left, 7);
    // Whoever gave up is not counted, and how long it takes is told.
    let mut waits = Vec::new();
    let mut told = |why: &'static str, seconds: f64| waits.push((why, seconds));
    let left = workers[0].leave(AGENT, &|| tokens(10), &mut told);
    assert!(tokio::time::timeout(Duration::from_millis(500), left).await.is_err());
    let [("this agent's own limit for a minute", seconds)] = waits[..] else { panic!("{waits:?}") };
    assert!(seconds > 50.0 && seconds <= 61.0, "{seconds}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn a_budget_is_spent_by_all_workers_together() {
    let server = Server::start(Options::default());
    let store = bucket(&server.url()).await;
    let prices = BTreeMap::from([(AGENT.to_owned(), 0.25)]);
    limits::open(&store, tokens(30), &prices).await.expect("an answer");
    // Opened again with less, nothing is forgotten.
    limits::open(&store, tokens(10), &BTreeMap::from([(AGENT.to_owned(), 0.125)])).await.expect("an answer");
    assert_eq!(limits::dearest(&store).await, Ok(prices));
    let budget = Budget { tokens: Some(100), cost_usd: None };
    let workers = workers(&server, Rates::default(), budget).await;
    let first = leave(&workers[0], tokens(40)).await.expect("70 are left");
    // What is on its way is waited for.
    assert_eq!(leave_within(&workers[1], tokens(40), 0.5).await, None);
    answered(&workers[0], first, tokens(20));
    let second = leave_within(&workers[1], tokens(40), 3.0).await.expect("50 are left");
    answered(&workers[1], second, tokens(40));
    workers[1].settled().await;
    assert_eq!(limits::spent(&store).await, Ok(tokens(90)));
    let Err(Refusal::Spent(why)) = leave(&workers[2], tokens(11)).await else { panic!("10 are left") };
    insta::assert_snapshot!(why, @"the batch's budget ([limits.run]), the limit of 100 tokens: 90 used, the next call may use 11");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn calls_of_unknown_cost_are_made_one_at_a_time_over_all_workers() {
    let server = Server::start(Options::default());
    let budget = Budget { tokens: None, cost_usd: Some(1.0) };
    let workers = workers(&server, Rates::default(), budget).await;
    let unknown = Spending { tokens: 5, cost_usd: f64::INFINITY };
    let first = leave(&workers[0], unknown).await.expect("nothing is spent");
    assert_eq!(first.most, Spending { tokens: 5, cost_usd: 1.0 });
    assert_eq!(leave_within(&workers[1], unknown, 0.5).await, None);
    answered(&workers[0], first, Spending { tokens: 5, cost_usd: 0.25 });
    let second = leave_within(&workers[2], unknown, 3.0).await.expect("0.75 are left");
    assert_eq!(second.most, Spending { tokens: 5, cost_usd: 0.75 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn what_a_dead_worker_held_is_had_again_and_what_a_living_one_holds_is_not() {
    let server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(2), ..Rates::default() };
    let budget = Budget { tokens: Some(100), cost_usd: None };
    let mut workers = workers(&server, rates, budget).await;
    let dead = workers.remove(0);
    leave(&dead, tokens(60)).await.expect("nothing is away");
    let living = leave(&workers[0], tokens(40)).await.expect("40 are left, and a place");
    // Nobody says what came of its call.
    drop(dead);
    let began = Instant::now();
    let ticket = leave_within(&workers[1], tokens(60), 10.0).await.expect("the dead one's place and tokens");
    let took = began.elapsed();
    assert!(took > LEASE / 2 && took < 3 * LEASE, "{took:?}");
    answered(&workers[1], ticket, tokens(0));
    tokio::time::sleep(2 * LEASE).await;
    assert_eq!(leave_within(&workers[1], tokens(61), 1.0).await, None, "40 are held by a worker that is heard of");
    answered(&workers[0], living, tokens(0));
    leave_within(&workers[1], tokens(61), 3.0).await.expect("nothing is away");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn whoever_gives_up_waiting_holds_nothing() {
    let server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(1), ..Rates::default() };
    let budget = Budget { tokens: Some(1_000), cost_usd: None };
    let workers = workers(&server, rates, budget).await;
    let held = leave(&workers[0], tokens(10)).await.expect("nothing is away");
    let mut calls = tokio::task::JoinSet::new();
    for call in 0..40 {
        let worker = workers[call % 3].clone();
        // At every stage of asking.
        calls.spawn(async move { leave_within(&worker, tokens(10), 0.001 * call as f64).await });
    }
    assert!(calls.join_all().await.iter().all(Option::is_none));
    answered(&workers[0], held, tokens(10));
    for worker in &workers {
        let ticket = leave_within(worker, tokens(990), 5.0).await.expect("all that is left, and the only place");
        worker.come_back(AGENT, ticket, Return::Otherwise);
    }
    for worker in &workers {
        worker.settled().await;
    }
    assert_eq!(limits::spent(&bucket(&server.url()).await).await, Ok(tokens(10)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn a_server_killed_and_started_again_has_lost_no_count() {
    let mut server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(3), ..Rates::default() };
    let budget = Budget { tokens: Some(100_000), cost_usd: None };
    let workers = workers(&server, rates, budget).await;
    let (away, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut calls = tokio::task::JoinSet::new();
    for call in 0..90 {
        let (worker, away, most) = (workers[call % 3].clone(), away.clone(), most.clone());
        calls.spawn(async move {
            let ticket = leave(&worker, tokens(10)).await.expect("no refusal");
            most.fetch_max(away.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(50)).await;
            away.fetch_sub(1, Ordering::SeqCst);
            answered(&worker, ticket, tokens(7));
        });
    }
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        server.kill();
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.restart();
    }
    while calls.join_next().await.transpose().expect("no panic").is_some() {}
    for worker in &workers {
        worker.settled().await;
    }
    assert_eq!(most.load(Ordering::SeqCst), 3);
    assert_eq!(limits::spent(&bucket(&server.url()).await).await, Ok(tokens(90 * 7)), "each call once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn what_the_server_has_done_and_not_said_is_counted_once() {
    let server = Server::start(Options::default());
    let proxy = Proxy::to(&server.url());
    let rates = Rates { concurrent_calls: Some(1), ..Rates::default() };
    let budget = Budget { tokens: Some(100), cost_usd: None };
    let worker = worker_with(&proxy.url(), "one", rates, budget, PATIENCE).await;
    for call in 1..=2 {
        let ticket = leave(&worker, tokens(10)).await.expect("a free place");
        proxy.cut_at_next_acknowledgement();
        answered(&worker, ticket, tokens(7));
        worker.settled().await;
        assert_eq!(
            (proxy.cuts(), limits::spent(&bucket(&server.url()).await).await),
            (call, Ok(tokens(7 * call as u64)))
        );
    }
    // So are a reservation and a departure: all that is left can be had, and the only place.
    for cuts in [3, 4] {
        proxy.cut_at_next_acknowledgement();
        let ticket = leave(&worker, tokens(86)).await.expect("a free place");
        assert_eq!(proxy.cuts(), cuts);
        worker.come_back(AGENT, ticket, Return::Otherwise);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn without_a_bucket_calls_are_refused_at_once() {
    let server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(3), ..Rates::default() };
    let worker = worker(&server, "one", rates, Budget::default()).await;
    let ticket = leave(&worker, tokens(1)).await.expect("nothing is away");
    let context = jetstream::new(async_nats::connect(server.url()).await.expect("a connection"));
    context.delete_key_value("counts").await.expect("it is there");
    let began = Instant::now();
    let refusal = leave(&worker, tokens(1)).await.expect_err("nobody can count");
    insta::assert_snapshot!(refusal, @"the limits cannot be counted: the batch's key-value bucket is gone from the server; it has been removed");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    worker.come_back(AGENT, ticket, Return::Busy);
    let settled = tokio::time::timeout(Duration::from_secs(5), worker.settled()).await;
    assert!(settled.is_ok(), "nothing is waited for where there is nothing to count");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn a_server_that_stays_away_is_waited_for_and_not_for_ever() {
    let mut server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(3), ..Rates::default() };
    let patience = Duration::from_secs(6);
    let worker = worker_with(&server.url(), "one", rates, Budget::default(), patience).await;
    let ticket = leave(&worker, tokens(1)).await.expect("nothing is away");
    server.kill();
    let (began, mut waits) = (Instant::now(), Vec::new());
    let mut told = |why: &'static str, _: f64| waits.push(why);
    let refusal = worker.leave(AGENT, &|| tokens(1), &mut told).await.expect_err("nobody answers");
    let refusal = refusal.to_string();
    let words = "the limits cannot be counted: the server does not answer for 6 s: ";
    assert!(refusal.starts_with(words), "{refusal}");
    assert!(began.elapsed() >= patience && began.elapsed() < 2 * patience, "{:?}", began.elapsed());
    assert!(waits.contains(&"the limits' server does not answer"), "{waits:?}");
    worker.come_back(AGENT, ticket, Return::Otherwise);
    server.restart();
    // What was refused holds nothing, and what came back is counted when there is somebody to count.
    let mut tickets = Vec::new();
    for _ in 0..3 {
        tickets.push(leave_within(&worker, tokens(1), 10.0).await.expect("a free place"));
    }
    assert_eq!(leave_within(&worker, tokens(1), 0.5).await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn a_worker_with_much_to_do_leaves_places_to_the_others() {
    let server = Server::start(Options::default());
    let rates = Rates { concurrent_calls: Some(1), ..Rates::default() };
    let workers = workers(&server, rates, Budget::default()).await;
    let mut busy = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let worker = workers[0].clone();
        busy.spawn(async move {
            loop {
                let ticket = leave(&worker, tokens(1)).await.expect("no refusal");
                tokio::time::sleep(Duration::from_millis(20)).await;
                answered(&worker, ticket, tokens(1));
            }
        });
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    for worker in &workers[1..] {
        for _ in 0..3 {
            let ticket = leave_within(worker, tokens(1), 10.0).await.expect("a place now and then");
            answered(worker, ticket, tokens(1));
        }
    }
}

/// In a cluster two who write the same count at once are told that it is not known yet who was first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nats-server"]
async fn three_servers_answer_those_who_ask_at_once() {
    let servers = Server::start_three();
    let store = loop {
        let context = jetstream::new(async_nats::connect(servers[0].url()).await.expect("a connection"));
        let config = kv::Config { bucket: "counts".into(), num_replicas: 3, ..kv::Config::default() };
        match context.create_key_value(config).await {
            Ok(store) => break store,
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    };
    let rates = Rates { concurrent_calls: Some(4), ..Rates::default() };
    let mut calls = tokio::task::JoinSet::new();
    for name in ["one", "two", "three", "four"] {
        let waits = Waits { lease: LEASE, patience: PATIENCE };
        let rates = vec![(AGENT.to_owned(), rates)];
        let worker = SharedLimits::with(store.clone(), name.into(), rates, Budget::default(), waits).await;
        let worker = worker.expect("limits");
        calls.spawn(async move {
            let mut silent = 0;
            for _ in 0..25 {
                let mut told = |why: &'static str, _| silent += usize::from(why.contains("does not answer"));
                let ticket = worker.leave(AGENT, &|| tokens(1), &mut told).await.expect("no refusal");
                answered(&worker, ticket, tokens(1));
            }
            silent
        });
    }
    assert_eq!(calls.join_all().await, [0; 4]);
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn where_nothing_is_stated_no_server_is_asked() {
    let mut server = Server::start(Options::default());
    let worker = worker(&server, "one", Rates::default(), Budget::default()).await;
    server.kill();
    let tickets: Vec<Ticket> = {
        let mut tickets = Vec::new();
        for _ in 0..1_000 {
            tickets.push(leave_within(&worker, tokens(1), 0.1).await.expect("nothing holds it back"));
        }
        tickets
    };
    tickets.into_iter().for_each(|ticket| worker.come_back(AGENT, ticket, Return::Otherwise));
    worker.settled().await;
}
