//! Workers and followers that are asked to end, and batches that are removed: others go on at once, and nothing is left
//! behind.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use futures_util::TryStreamExt;
use serde_json::Value;

use crate::harness::root;
use crate::lab::{Lab, assert_same_run, assert_whole};
use crate::server::{Options, Server};

/// Six episodes of some nine decisions, each of which takes a while.
fn config(lab: &Lab) -> PathBuf {
    let floors = root().join("floors/*.toml");
    let text = format!(
        "name = \"parting\"\nseed = 5\nanalysis = false\nfloors = [{floors:?}]\n\
         [[agent]]\nname = \"random\"\nkind = \"random\"\ndelay_ms = 300\n"
    );
    lab.config("parting.toml", &text)
}

const EPISODES: usize = 6;

#[test]
#[ignore = "needs nats-server"]
fn a_worker_that_is_asked_to_end_gives_back_at_once() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let first = lab.worker(&["--json"]);
    let began = Instant::now();
    // Had they to wait for the lease, the others would come too late.
    let follower = lab.follower(&config, &out, &["--lease", "1h"]);
    while !out.join("episodes").is_dir() || out.join("episodes").read_dir().expect("a folder").count() < EPISODES {
        assert!(began.elapsed() < Duration::from_secs(30), "{}", first.says());
        std::thread::sleep(Duration::from_millis(20));
    }
    first.ask_to_end();
    let ended = first.ends();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let told: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!((told["interrupted"].as_bool(), told["back"].as_u64()), (Some(true), Some(EPISODES as u64)), "{told}");
    let _second = lab.worker(&[]);
    follower.ends_well();
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_whole(&out, EPISODES);
    assert_same_run(&lab.local(&config), &out);
}

/// Nothing that only a server can take keeps a worker from ending when there is none any more.
#[test]
#[ignore = "needs nats-server"]
fn a_worker_ends_although_the_server_is_away() {
    let mut server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let mut asked = lab.worker(&[]);
    let mut idle = lab.worker(&["--idle", "3s"]);
    asked.says_soon("waiting for work");
    idle.says_soon("waiting for work");
    server.kill();
    let began = Instant::now();
    asked.ask_to_end();
    assert_eq!((asked.ends().code, idle.ends().code), (Some(130), Some(0)));
    assert!(began.elapsed() < Duration::from_secs(40));
}

#[test]
#[ignore = "needs nats-server"]
fn a_follower_that_is_asked_to_end_leaves_the_work_to_the_workers() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let mut follower = lab.follower(&config, &out, &["--json"]);
    follower.says_soon("no worker is there");
    follower.ask_to_end();
    let ended = follower.ends();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let told: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!((told["planned"].as_u64(), told["open"].as_u64()), (Some(6), Some(6)), "{told}");
    // Nobody follows; the episodes are played all the same, and are there when somebody looks.
    let worker = lab.worker(&["--json", "--idle", "4s"]);
    let told: Value = serde_json::from_str(&worker.ends_well().out).expect("JSON");
    assert_eq!(told["whole"], EPISODES, "{told}");
    lab.follower(&config, &out, &[]).ends_well();
    assert_whole(&out, EPISODES);
}

#[test]
#[ignore = "needs nats-server"]
fn a_batch_that_is_removed_leaves_nothing_behind() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let batches = |more: &[&str]| lab.start(&[&["batches", "--nats", &lab.url], more].concat(), &[]).ends_well().out;
    insta::assert_snapshot!("no_batches", batches(&[]).replace(&lab.url, "URL"));
    let _worker = lab.worker(&[]);
    lab.follower(&config, &out, &["--set", "agent.0.delay_ms=0"]).ends_well();
    let listed: Value = serde_json::from_str(&batches(&["--json"])).expect("JSON");
    assert_eq!((&listed[0]["batch"], &listed[0]["items"]), (&"run-parting".into(), &0.into()), "{listed}");
    assert!(streams(&lab.url).iter().any(|name| name.contains("run-parting")));
    batches(&["--remove", "run-parting"]);
    assert_eq!(streams(&lab.url), ["KV_MOTA"]);
    insta::assert_snapshot!("removed_twice", {
        let ended = lab.start(&["batches", "--nats", &lab.url, "--remove", "run-parting"], &[]).ends();
        format!("{:?}\n{}{}", ended.code, ended.out, ended.error).replace(&lab.url, "URL")
    });
    // What the folder holds is whole without the server.
    let again = lab.follower(&config, &out, &["--set", "agent.0.delay_ms=0"]).ends_well();
    assert!(again.out.contains("had ended before"), "{}", again.out);
}

/// The names of all streams of a server.
#[tokio::main(flavor = "current_thread")]
async fn streams(url: &str) -> Vec<String> {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    let mut names: Vec<String> = context.stream_names().try_collect().await.expect("names");
    names.sort();
    names
}
