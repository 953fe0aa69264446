//! Workers killed every two seconds, the server killed and started again, the follower killed and started elsewhere: the
//! same results, every episode once, and no answer that was written down is asked for again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::chat;
use crate::harness::root;
use crate::lab::{Lab, Process, assert_same_run, assert_whole};
use crate::server::{Options, Server};

/// Workers at a time, and what each does at once.
const WORKERS: usize = 3;
const JOBS: usize = 4;
/// How long a worker lives that is the next to be killed.
const PAUSE: Duration = Duration::from_secs(2);
/// Kills of workers before which the server dies, and before which the follower dies.
const SERVER_DIES: usize = 2;
const FOLLOWER_DIES: usize = 4;

/// Two models and two reference agents that think for a while.
fn config(lab: &Lab, chat: &chat::Server) -> PathBuf {
    let floors = root().join("floors");
    let mut config = format!(
        "name = \"chaos\"\nseed = 11\nrepeats = 2\nfloors = [{:?}, {:?}]\n[limits]\nturns = 25\n",
        floors.join("*.toml"),
        floors.join("generated/*.toml")
    );
    for kind in ["random", "heuristic"] {
        let _ = write!(config, "[[agent]]\nname = \"{kind}\"\nkind = \"{kind}\"\ndelay_ms = 150\n");
    }
    for model in ["m1", "m2"] {
        let _ = write!(
            config,
            "[[agent]]\nname = {model:?}\nkind = \"model\"\nmodel = {model:?}\nbase_url = {:?}\n",
            chat.base_url
        );
    }
    lab.config("chaos.toml", &config)
}

/// Two repeats of three agents and one of a deterministic one, on 21 floors.
const EPISODES: usize = 21 * (2 * 3 + 1);

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn chat() -> chat::Server {
    chat::Server::start(|request| {
        let latency = Duration::from_millis(60 + chat::hash(&request.body) / 9 % 90);
        chat::Reply::json(&chat::says(&chat::plays(request))).after(latency)
    })
}

/// How often each request was made.
fn asked(chat: &chat::Server) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for body in chat.bodies() {
        *asked.entry(body.to_string()).or_default() += 1;
    }
    asked
}

#[test]
#[ignore = "needs nats-server"]
fn whatever_dies_the_results_are_the_same() {
    let mut server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let chat = chat();
    let config = config(&lab, &chat);
    let local = lab.local(&config);
    let calm = asked(&chat);

    let worker = || lab.worker(&["--jobs", &JOBS.to_string()]);
    let mut workers: Vec<Process> = (0..WORKERS).map(|_| worker()).collect();
    let lease = ["--lease", "3s"];
    let mut follower = lab.follower(&config, &lab.path("first"), &lease);
    let (mut dice, mut kills) = (Dice(7), 0);
    let out = lab.path("second");
    loop {
        thread::sleep(PAUSE);
        if kills >= FOLLOWER_DIES && !follower.runs() {
            break;
        }
        assert!(follower.runs(), "the batch is over before everything was tried:\n{}", follower.says());
        if kills == SERVER_DIES {
            server.kill();
            thread::sleep(Duration::from_millis(500));
            server.restart();
        }
        if kills == FOLLOWER_DIES {
            follower.kill();
            follower = lab.follower(&config, &out, &lease);
        }
        let victim = dice.below(WORKERS);
        std::mem::replace(&mut workers[victim], worker()).kill();
        kills += 1;
    }
    follower.ends_well();
    assert_whole(&out, EPISODES);
    assert_same_run(&local, &out);

    // Whatever was on its way when a worker died, and nothing else: the server's death costs no call, nor the follower's.
    let in_all = asked(&chat);
    assert!(in_all.keys().eq(calm.keys()), "other requests were made than by one process");
    let made = |asked: &BTreeMap<String, usize>| asked.values().sum::<usize>();
    for (request, once) in &calm {
        assert!(in_all[request] >= 2 * once, "{request}");
    }
    let again = made(&in_all) - 2 * made(&calm);
    assert!(again <= kills * JOBS, "{again} calls were made again by {kills} kills");
    println!("{kills} kills, {} calls, {again} made again", made(&calm));
}

/// Workers that stay, and ask for work whenever the server dies.
#[test]
#[ignore = "needs nats-server"]
fn workers_outlive_the_server_again_and_again() {
    let mut server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let floors = root().join("floors/*.toml");
    let config = lab.config(
        "again.toml",
        &format!(
            "seed = 2\nrepeats = 40\nanalysis = false\nfloors = [{floors:?}]\n[[agent]]\nname = \"random\"\nkind = \"random\"\n\
             delay_ms = 4\n"
        ),
    );
    let out = lab.path("run");
    let mut workers = [lab.worker(&["--jobs", "2"]), lab.worker(&["--jobs", "1"])];
    let mut follower = lab.follower(&config, &out, &["--lease", "3s"]);
    let mut deaths = 0;
    for pause in [900, 350, 500, 1_200, 650, 800] {
        thread::sleep(Duration::from_millis(pause));
        if follower.runs() {
            server.restart();
            deaths += 1;
        }
    }
    assert!(deaths >= 4, "the batch was over after {deaths} deaths of the server");
    follower.ends_well();
    assert!(workers.iter_mut().all(Process::runs));
    assert_whole(&out, 240);
    assert_same_run(&lab.local(&config), &out);
}
