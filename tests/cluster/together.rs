//! What holds over all workers together: calls at once, and the budget of a batch.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::chat::{self, Reply};
use crate::harness::root;
use crate::lab::{Lab, assert_whole};
use crate::server::{Options, Server};

/// A server of models that counts how many requests it is answering at once. Each is said to have used 1,000 tokens.
fn chat() -> (chat::Server, Arc<AtomicUsize>) {
    let (now, most) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let highest = most.clone();
    let server = chat::Server::start(move |_| {
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(30));
        now.fetch_sub(1, Ordering::SeqCst);
        let choice =
            json!({ "message": { "content": "{\"reasoning\": \"x\", \"action\": 1}" }, "finish_reason": "stop" });
        Reply::json(&json!({ "choices": [choice], "usage": { "prompt_tokens": 900, "completion_tokens": 100 } }))
    });
    (server, highest)
}

/// Eight episodes of five decisions: forty calls.
fn config(lab: &Lab, chat: &chat::Server, agent: &str) -> PathBuf {
    let text = format!(
        "name = \"together\"\nanalysis = false\nrepeats = 8\nfloors = [{:?}]\n[limits]\nturns = 5\n\
         [[agent]]\nname = \"m\"\nkind = \"model\"\nmodel = \"m\"\nbase_url = {:?}\nmax_tokens = 100\n{agent}\n",
        root().join("floors/complex.toml"),
        chat.base_url
    );
    lab.config("together.toml", &text)
}

#[test]
#[ignore = "needs nats-server"]
fn calls_at_once_are_counted_over_all_workers() {
    let server = Server::start(Options::default());
    for (limit, agent) in [(2, "concurrent_calls = 2"), (usize::MAX, "")] {
        let lab = Lab::new(server.url());
        let (chat, most) = chat();
        let out = lab.path("run");
        let _workers: Vec<_> = (0..3).map(|_| lab.worker(&["--jobs", "4"])).collect();
        lab.follower(&config(&lab, &chat, agent), &out, &["--fresh"]).ends_well();
        assert_whole(&out, 8);
        assert_eq!(chat.asked(), 40);
        let most = most.load(Ordering::SeqCst);
        assert!((2..=limit).contains(&most), "{most} calls at once");
        // Without the limit there are more, else this shows nothing.
        assert!(limit == 2 || most > 2, "{most} calls at once");
    }
}

#[test]
#[ignore = "needs nats-server"]
fn the_budget_of_a_batch_holds_over_all_workers() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (chat, _) = chat();
    let (config, out) = (config(&lab, &chat, ""), lab.path("run"));
    let _workers: Vec<_> = (0..3).map(|_| lab.worker(&["--jobs", "4"])).collect();
    let first = lab.follower(&config, &out, &["--set", "limits.run.tokens=12000"]).ends();
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!((7..=12).contains(&chat.asked()), "{} calls", chat.asked());
    assert!(first.out.contains("[limits.run]"), "{}", first.out);
    lab.follower(&config, &out, &["--set", "limits.run.tokens=100000"]).ends_well();
    assert_eq!(chat.asked(), 40);
    assert_whole(&out, 8);
}
