//! A cluster of three servers: one after the other dies and comes back while a run is played, and nothing is lost.

use std::thread;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;

use crate::harness::{mota, root};
use crate::lab::{Lab, Process, assert_same_run, assert_whole};
use crate::server::{Options, Server};

/// How long three servers may take to find each other.
const PATIENCE: Duration = Duration::from_secs(30);

fn lab(servers: &[Server]) -> Lab {
    let urls: Vec<String> = servers.iter().map(Server::url).collect();
    let lab = Lab::new(urls.join(","));
    let began = Instant::now();
    loop {
        let listed = mota().args(["batches", "--nats", &lab.url]).output().expect("the program starts");
        if listed.status.success() {
            return lab;
        }
        assert!(began.elapsed() < PATIENCE, "{}", String::from_utf8_lossy(&listed.stderr));
        thread::sleep(Duration::from_millis(200));
    }
}

#[test]
#[ignore = "needs nats-server"]
fn one_of_three_servers_may_die_at_any_time() {
    let mut servers = Server::start_three();
    let lab = lab(&servers);
    let floors = root().join("floors/*.toml");
    let config = lab.config(
        "three.toml",
        &format!(
            "seed = 4\nrepeats = 20\nanalysis = false\nfloors = [{floors:?}]\n[[agent]]\nname = \"random\"\nkind = \"random\"\n\
             delay_ms = 150\n"
        ),
    );
    let out = lab.path("run");
    let mut workers: Vec<Process> = (0..2).map(|_| lab.worker(&["--jobs", "3"])).collect();
    let mut follower = lab.follower(&config, &out, &["--lease", "3s", "--nats-replicas", "3"]);
    follower.says_soon("episodes");
    let mut deaths = 0;
    for victim in [1, 0, 2, 0] {
        thread::sleep(Duration::from_secs(2));
        if follower.runs() {
            servers[victim].kill();
            thread::sleep(Duration::from_millis(1_500));
            servers[victim].restart();
            deaths += usize::from(follower.runs());
        }
    }
    assert!(deaths >= 3, "the run was over after {deaths} deaths");
    follower.ends_well();
    assert!(workers.iter_mut().all(Process::runs));
    assert_whole(&out, 120);
    assert_same_run(&lab.local(&config), &out);
}

/// On how many servers the streams are kept whose names begin so.
fn kept(url: &str) -> Vec<(String, usize)> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let addresses: Vec<&str> = url.split(',').collect();
        let client = async_nats::connect(addresses).await.expect("a connection");
        let streams = async_nats::jetstream::new(client).streams();
        let streams: Vec<_> = streams.try_collect().await.expect("the list of streams");
        let mut kept: Vec<_> = streams.into_iter().map(|info| (info.config.name, info.config.num_replicas)).collect();
        kept.sort();
        kept
    })
}

/// What was published on one server is kept on three once that is asked for, and stays so when nothing is said.
#[test]
#[ignore = "needs nats-server"]
fn a_batch_that_is_there_is_kept_on_as_many_servers_as_is_said() {
    let servers = Server::start_three();
    let lab = lab(&servers);
    let floor = root().join("floors/*.toml");
    let config =
        lab.config("kept.toml", &format!("floors = [{floor:?}]\n[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n"));
    let _worker = lab.worker(&[]);
    // Each time another folder, which does not know yet that all has ended.
    let follow = |out: &str, more: &[&str]| lab.follower(&config, &lab.path(out), more).ends_well();
    follow("new", &[]);
    assert!(kept(&lab.url).iter().all(|(_, servers)| *servers == 1), "{:?}", kept(&lab.url));
    follow("three", &["--nats-replicas", "3"]);
    follow("as-it-is", &[]);
    let three = kept(&lab.url);
    assert!(three.len() == 5 && three.iter().all(|(_, servers)| *servers == 3), "{three:?}");
    // One server's batch does not take the list of all from the others.
    follow("one", &["--nats-replicas", "1"]);
    let one = kept(&lab.url);
    assert!(one.iter().all(|(name, servers)| *servers == if name == "KV_MOTA" { 3 } else { 1 }), "{one:?}");

    // One server alone has no others to keep anything on.
    let alone = Server::start(Options::default());
    let lab = Lab::new(alone.url());
    let ended = lab.follower(&config, &lab.path("alone"), &["--nats-replicas", "3"]).ends();
    assert_ne!(ended.code, Some(0));
    assert!(ended.error.contains("replicas"), "{}", ended.error);
}
