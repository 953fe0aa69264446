//! Keys stay with the workers: who has a wrong one, or none, for an agent leaves that agent's episodes to others.

use std::fs;
use std::path::Path;

use crate::chat::{self, Reply, Request};
use crate::harness::root;
use crate::lab::{Lab, assert_whole};
use crate::server::{Options, Server};

const VARIABLE: &str = "MOTA_TEST_CLUSTER_KEY";
const RIGHT: &str = "sk-right-key-of-this-test";
const WRONG: &str = "sk-wrong-key-of-this-test";

/// Lets `locked` play only with the right key; `open` needs none.
fn chat() -> chat::Server {
    chat::Server::start(|request: &Request| match request.model() == "locked" && request.key() != RIGHT {
        true => Reply::new("401 Unauthorized", "", "{\"error\": {\"message\": \"this key is not known\"}}"),
        false => Reply::json(&chat::says(&chat::plays(request))),
    })
}

fn config(lab: &Lab, chat: &chat::Server) -> std::path::PathBuf {
    let url = &chat.base_url;
    let text = format!(
        "name = \"keys\"\nanalysis = false\nrepeats = 2\nfloors = [{:?}]\n[limits]\nturns = 8\n\
         [[agent]]\nname = \"locked\"\nkind = \"model\"\nmodel = \"locked\"\nbase_url = {url:?}\napi_key_env = \"{VARIABLE}\"\n\
         [[agent]]\nname = \"open\"\nkind = \"model\"\nmodel = \"open\"\nbase_url = {url:?}\n",
        root().join("floors/*.toml")
    );
    lab.config("keys.toml", &text)
}

/// Two repeats of two agents on six floors.
const EPISODES: usize = 24;

/// Episodes of an agent that have ended, in a run that is still being written.
fn ended(run: &Path, agent: &str) -> usize {
    let Ok(entries) = fs::read_dir(run.join("episodes")) else { return 0 };
    let names = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!("{agent}.")));
    names
        .filter(|entry| fs::read_to_string(entry.path()).is_ok_and(|text| text.contains(r#""record":"footer""#)))
        .count()
}

#[test]
#[ignore = "needs nats-server"]
fn a_wrong_key_leaves_the_episodes_to_workers_that_have_the_right_one() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let chat = chat();
    let config = config(&lab, &chat);
    let out = lab.path("run");
    let wrong = lab.worker_with(&["--jobs", "4"], &[(VARIABLE, WRONG)]);
    let none = lab.worker_with(&["--jobs", "4"], &[]);
    let follower = lab.follower(&config, &out, &[]);
    // Whoever cannot play `locked` plays `open` to its end.
    let began = std::time::Instant::now();
    while ended(&out, "open") < 12 {
        assert!(began.elapsed().as_secs() < 60, "{}\n{}\n{}", follower.says(), wrong.says(), none.says());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(ended(&out, "locked"), 0);
    let _right = lab.worker_with(&["--jobs", "4"], &[(VARIABLE, RIGHT)]);
    follower.ends_well();
    assert_whole(&out, EPISODES);
    for (process, key) in [(&wrong, WRONG), (&none, RIGHT)] {
        assert!(!process.says().contains(key), "{}", process.says());
    }
    assert!(wrong.says().contains("locked"), "the worker does not say whom it cannot play: {}", wrong.says());
    assert!(server.never_had(RIGHT) && server.never_had(WRONG), "a key is on the server");
}

/// More workers than the losses after which an episode is given up: a refused key is no loss.
#[test]
#[ignore = "needs nats-server"]
fn any_number_of_wrong_keys_spoils_nothing() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let chat = chat();
    let floor = root().join("floors/simple.toml");
    let config = lab.config(
        "many.toml",
        &format!(
            "name = \"many\"\nanalysis = false\nfloors = [{floor:?}]\n[limits]\nturns = 3\n[[agent]]\nname = \"locked\"\n\
             kind = \"model\"\nmodel = \"locked\"\nbase_url = {:?}\napi_key_env = \"{VARIABLE}\"\n",
            chat.base_url
        ),
    );
    let out = lab.path("run");
    let follower = lab.follower(&config, &out, &[]);
    for _ in 0..12 {
        let mut wrong = lab.worker_with(&[], &[(VARIABLE, WRONG)]);
        wrong.says_soon("cannot play here");
    }
    let _right = lab.worker_with(&[], &[(VARIABLE, RIGHT)]);
    follower.ends_well();
    assert_whole(&out, 1);
}
