//! What goes wrong with one run, or waits in it, keeps no other run waiting; and what a server has lost is offered again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, consumer};
use futures_util::TryStreamExt;

use crate::chat::{self, Reply};
use crate::harness::root;
use crate::lab::{Lab, assert_whole, text};
use crate::server::{Options, Server};

/// A random agent on six floors.
fn config(lab: &Lab, name: &str, more: &str) -> PathBuf {
    let floors = root().join("floors/*.toml");
    let config = format!(
        "name = {name:?}\nseed = 5\nanalysis = false\nfloors = [{floors:?}]\n[[agent]]\nname = \"random\"\nkind = \"random\"\n{more}\n"
    );
    lab.config(&format!("{name}.toml"), &config)
}

const EPISODES: usize = 6;

#[tokio::main(flavor = "current_thread")]
async fn stream<T>(url: &str, name: &str, act: impl AsyncFn(jetstream::stream::Stream) -> T) -> T {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    act(context.get_stream(name).await.expect("a stream")).await
}

/// Publishes a run that nobody plays yet.
fn publish(lab: &Lab, config: &Path, out: &Path, more: &[&str]) {
    let mut follower = lab.follower(config, out, more);
    follower.says_soon("no worker is there");
    follower.ask_to_end();
    assert_eq!(follower.ends().code, Some(130));
}

/// Waits until so many episodes of an agent have ended.
fn wait_for(out: &Path, agent: &str, episodes: usize) {
    let began = Instant::now();
    loop {
        let entries = std::fs::read_dir(out.join("episodes")).into_iter().flatten().flatten();
        let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(agent));
        let texts = ours.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        let ended = texts.filter(|text| text.contains("\"footer\"")).count();
        if ended >= episodes {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{ended} episodes of {agent} have ended");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_run_whose_queue_is_gone_keeps_no_other_waiting_and_gets_it_back() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let names = ["one", "other"];
    let followers = names.map(|name| lab.follower(&config(&lab, name, "delay_ms = 50"), &lab.path(name), &[]));
    let _worker = lab.worker(&["--jobs", "1"]);
    wait_for(&lab.path("one"), "random", 1);
    stream(&lab.url, "MOTA-run-one-work", async |stream| {
        let names: Vec<String> = stream.consumer_names().try_collect().await.expect("names");
        assert_eq!(names.len(), 1);
        stream.delete_consumer(&names[0]).await.expect("a consumer");
    });
    for (follower, name) in followers.into_iter().zip(names) {
        follower.ends_well();
        assert_whole(&lab.path(name), EPISODES);
    }
}

#[test]
#[ignore = "needs nats-server"]
fn an_agent_whose_calls_wait_leaves_places_to_others() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let chat = chat::Server::start(|request| {
        Reply::json(&chat::says(&chat::plays(request))).after(Duration::from_millis(200))
    });
    let slow = format!(
        "name = \"slow\"\nanalysis = false\nrepeats = 8\nfloors = [{:?}]\n[limits]\nturns = 12\n[[agent]]\nname = \"m\"\n\
         kind = \"model\"\nmodel = \"m\"\nbase_url = {:?}\nconcurrent_calls = 1\n",
        root().join("floors/complex.toml"),
        chat.base_url
    );
    let mut slow = lab.follower(&lab.config("slow.toml", &slow), &lab.path("slow"), &[]);
    let _worker = lab.worker(&["--jobs", "4"]);
    let began = Instant::now();
    while chat.asked() < 5 {
        assert!(began.elapsed() < Duration::from_secs(30), "{}", slow.says());
        std::thread::sleep(Duration::from_millis(20));
    }
    lab.follower(&config(&lab, "quick", "delay_ms = 20"), &lab.path("quick"), &[]).ends_well();
    assert!(slow.runs(), "it had all the places");
    assert!(chat.asked() < 70, "{} calls were made meanwhile", chat.asked());
}

/// Of two agents one has no worker that can play it: its episodes wait.
#[test]
#[ignore = "needs nats-server"]
fn episodes_that_are_no_longer_offered_are_offered_again() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let more = "[[agent]]\nname = \"waits\"\nkind = \"command\"\ncommand = [\"true\"]\n";
    let (config, out) = (config(&lab, "again", more), lab.path("run"));
    let mut follower = lab.follower(&config, &out, &[]);
    follower.says_soon("no worker is there");
    stream(&lab.url, "MOTA-run-again-work", async |stream| {
        let lost = stream.cached_info().config.subjects[0].replacen("work.*", "work.random", 1);
        let purged = stream.purge().filter(lost).await.expect("purged");
        assert_eq!(purged.purged, EPISODES as u64);
    });
    let _worker = lab.worker(&[]);
    wait_for(&out, "random", EPISODES);
    assert!(follower.runs());
}

#[test]
#[ignore = "needs nats-server"]
fn pieces_that_are_no_longer_offered_are_offered_again() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let out = lab.path("floors");
    let arguments = ["generate", "floors", "--count", "2", "--output", text(&out), "--nats", &lab.url];
    let mut follower = lab.start(&arguments, &[]);
    follower.says_soon("no worker has come yet");
    let context = |name: String| stream(&lab.url, &name, async |stream| stream.purge().await.expect("purged").purged);
    let works: Vec<String> = streams(&lab.url).into_iter().filter(|name| name.ends_with("-work")).collect();
    assert_eq!(works.len(), 1, "{works:?}");
    assert!(context(works[0].clone()) > 0);
    let _worker = lab.worker(&[]);
    follower.ends_well();
    let files = std::fs::read_dir(&out).expect("a folder").map(|entry| entry.expect("an entry").path());
    assert_eq!(files.filter(|path| path.extension().is_some_and(|kind| kind == "toml")).count(), 2);
}

/// The list of batches is lost: what was offered before is offered anew, under numbers that start again.
#[test]
#[ignore = "needs nats-server"]
fn a_run_is_taken_up_although_the_list_is_lost() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab, "listed", ""), lab.path("run"));
    publish(&lab, &config, &out, &[]);
    // What the second publication offers bears its number.
    stream(&lab.url, "MOTA-run-listed-work", async |stream| stream.purge().await.expect("purged").purged);
    publish(&lab, &config, &out, &[]);
    remove(&lab.url, "KV_MOTA");
    let follower = lab.follower(&config, &out, &[]);
    let _worker = lab.worker(&[]);
    follower.ends_well();
    assert_whole(&out, EPISODES);
}

/// Workers renew what they have as often as was wanted when they took it.
#[test]
#[ignore = "needs nats-server"]
fn who_follows_with_a_shorter_lease_takes_nothing_from_workers() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let config = config(&lab, "leases", "delay_ms = 1000");
    let mut first = lab.follower(&config, &lab.path("first"), &["--lease", "1h"]);
    let _workers = [lab.worker(&["--jobs", "6"]), lab.worker(&["--jobs", "6"])];
    let taken = || {
        stream(&lab.url, "MOTA-run-leases-journal", async |stream| {
            let config = consumer::pull::OrderedConfig::default();
            let messages =
                stream.create_consumer(config).await.expect("a consumer").messages().await.expect("messages");
            let all = usize::try_from(stream.cached_info().state.messages).expect("a number");
            let lines: Vec<_> = futures_util::StreamExt::take(messages, all).try_collect().await.expect("lines");
            let mark = |line: &async_nats::jetstream::Message| {
                line.headers.as_ref()?.get("Mota-Mark").map(|mark| mark.as_str().to_owned())
            };
            lines.iter().filter(|line| mark(line).as_deref() == Some("taken")).count()
        })
    };
    first.says_soon("worker");
    let began = Instant::now();
    while taken() < EPISODES {
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(50));
    }
    let second = lab.follower(&config, &lab.path("second"), &["--lease", "2s"]);
    first.ends_well();
    second.ends_well();
    assert_eq!(taken(), EPISODES, "each is taken once");
}

#[tokio::main(flavor = "current_thread")]
async fn streams(url: &str) -> Vec<String> {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    context.stream_names().try_collect().await.expect("names")
}

#[tokio::main(flavor = "current_thread")]
async fn remove(url: &str, stream: &str) {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    context.delete_stream(stream).await.expect("a stream that can be removed");
}
