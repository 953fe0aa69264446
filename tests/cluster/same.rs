//! A run that workers played is the run that one process plays: traces apart from their clocks, manifest, analysis, tables
//! and page, however many workers there were.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::harness::root;
use crate::lab::{Lab, assert_same_run, assert_whole, text};
use crate::server::{Options, Server};

/// Reference agents on all floors that come with the program: 483 episodes at five repeats.
fn config(lab: &Lab) -> PathBuf {
    let floors = root().join("floors");
    let mut config = format!(
        "name = \"same\"\nseed = 7\nrepeats = 12\nfloors = [{:?}, {:?}]\n[limits]\nturns = 120\n",
        floors.join("*.toml"),
        floors.join("generated/*.toml")
    );
    for kind in ["random", "greedy", "heuristic", "optimal"] {
        let _ = write!(config, "[[agent]]\nname = \"{kind}\"\nkind = \"{kind}\"\n");
    }
    lab.config("same.toml", &config)
}

/// Twelve of a random agent and three of agents that play a floor once, on 21 floors.
const EPISODES: usize = 21 * (12 + 3);

#[test]
#[ignore = "needs nats-server"]
fn workers_give_what_one_process_gives() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let config = config(&lab);
    let local = lab.local(&config);
    assert_whole(&local, EPISODES);
    for workers in [1, 3] {
        let out = lab.path(&format!("by-{workers}"));
        let team: Vec<_> = (0..workers).map(|_| lab.worker(&["--jobs", "8"])).collect();
        // The same name each time: what another sitting published is gone once its results are here.
        let ended = lab.follower(&config, &out, &["--fresh"]).ends_well();
        assert!(ended.out.contains("Written to"), "{}", ended.out);
        assert_same_run(&local, &out);
        drop(team);
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_that_comes_late_finds_the_work() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let floor = root().join("floors/simple.toml");
    let config = lab.config(
        "late.toml",
        &format!(
            "floors = [{floor:?}]\nrepeats = 5\nanalysis = false\n[[agent]]\nname = \"random\"\nkind = \"random\"\n"
        ),
    );
    let out = lab.path("out");
    let mut follower = lab.follower(&config, &out, &[]);
    follower.says_soon("worker");
    let _worker = lab.worker(&[]);
    follower.ends_well();
    assert_whole(&out, 5);
    assert_same_run(&lab.local(&config), &out);
    let again = lab.follower(&config, &out, &[]).ends_well();
    assert!(again.out.contains("had ended before"), "{} {}", again.out, text(&out));
}
