//! Runs on one server have nothing to do with each other.

use std::path::PathBuf;

use crate::harness::root;
use crate::lab::{Lab, assert_same_run, assert_whole};
use crate::server::{Access, ONE, Options, Server, TWO};

/// A random agent on six floors under this name and seed.
fn config(lab: &Lab, name: &str, seed: u32, more: &str) -> PathBuf {
    let floors = root().join("floors/*.toml");
    let text = format!(
        "name = {name:?}\nseed = {seed}\nrepeats = 4\nanalysis = false\nfloors = [{floors:?}]\n\
         [[agent]]\nname = \"random\"\nkind = \"random\"\n{more}\n"
    );
    lab.config(&format!("{name}-{seed}.toml"), &text)
}

const EPISODES: usize = 24;

#[test]
#[ignore = "needs nats-server"]
fn runs_side_by_side_never_mix() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    // The same agents, floors and ids; names that begin alike, and one that does not fit a subject.
    let runs = [("night", 1), ("night.2", 2), ("night-2", 3)];
    let followers: Vec<_> = (runs.iter())
        .map(|(name, seed)| {
            let config = config(&lab, name, *seed, "delay_ms = 5");
            (lab.follower(&config, &lab.path(name), &[]), config, name)
        })
        .collect();
    let _workers = [lab.worker(&["--jobs", "4"]), lab.worker(&["--jobs", "4"])];
    for (follower, config, name) in followers {
        follower.ends_well();
        let out = lab.path(name);
        assert_whole(&out, EPISODES);
        let alone = Lab::new(String::new());
        assert_same_run(&alone.local(&config), &out);
    }
}

#[test]
#[ignore = "needs nats-server"]
fn another_configuration_under_the_same_name_is_refused() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let slow = config(&lab, "night", 1, "delay_ms = 20");
    let mut first = lab.follower(&slow, &lab.path("first"), &[]);
    first.says_soon("worker");
    let other = lab.follower(&config(&lab, "night", 2, "delay_ms = 20"), &lab.path("second"), &[]).ends();
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(!lab.path("second").exists(), "nothing is in the way of another name");
    insta::assert_snapshot!(other.error);
    let _worker = lab.worker(&["--jobs", "4"]);
    first.ends_well();
    assert_whole(&lab.path("first"), EPISODES);
}

/// Of two who publish the same run at the same moment both follow it, and each episode is played once.
#[test]
#[ignore = "needs nats-server"]
fn two_who_publish_the_same_run_at_once_both_follow_it() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let _worker = lab.worker(&["--jobs", "8"]);
    for seed in 1..=4 {
        let name = format!("twice-{seed}");
        let config = config(&lab, &name, seed, "delay_ms = 2");
        let outs = ["one", "other"].map(|who| lab.path(&format!("{name}-{who}")));
        let followers = outs.each_ref().map(|out| lab.follower(&config, out, &[]));
        for follower in followers {
            follower.ends_well();
        }
        for out in &outs {
            assert_whole(out, EPISODES);
            assert_same_run(&outs[0], out);
        }
        assert_eq!(Lab::headers(&outs[0]), Lab::headers(&outs[1]), "the same episodes, not the like of them");
    }
}

/// Somebody begins a run anew that another one follows: who followed is told so, and changes nothing by trying again.
#[test]
#[ignore = "needs nats-server"]
fn a_run_that_another_begins_anew() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let config = config(&lab, "anew", 1, "delay_ms = 40");
    let _worker = lab.worker(&["--jobs", "2"]);
    let mut first = lab.follower(&config, &lab.path("first"), &[]);
    first.says_soon("1 worker");
    let second = lab.follower(&config, &lab.path("second"), &["--fresh"]);
    let ended = first.ends();
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.error.contains("somebody has published"), "{}", ended.error);
    assert!(!ended.error.contains("the same command goes on"), "{}", ended.error);
    second.ends_well();
    assert_whole(&lab.path("second"), EPISODES);
    let list = || lab.start(&["batches", "--nats", &lab.url, "--json"], &[]).ends_well().out;
    let before = list();
    let again = lab.follower(&config, &lab.path("first"), &[]).ends();
    assert_eq!(again.code, Some(2), "{again:?}");
    insta::assert_snapshot!("published_anew", again.error);
    assert_eq!(list(), before, "a refusal changes nothing");
}

#[test]
#[ignore = "needs nats-server"]
fn accounts_of_one_server_may_use_the_same_names() {
    let server = Server::start(Options { access: Access::Passwords, ..Options::default() });
    let labs = [ONE, TWO].map(|user| Lab::new(server.url_of(user)));
    let started: Vec<_> = (labs.iter().zip([1, 2]))
        .map(|(lab, seed)| {
            let config = config(lab, "night", seed, "");
            (lab, lab.follower(&config, &lab.path("run"), &[]), config, lab.worker(&["--jobs", "4"]))
        })
        .collect();
    for (lab, follower, config, _worker) in started {
        follower.ends_well();
        assert_same_run(&lab.local(&config), &lab.path("run"));
    }
}
