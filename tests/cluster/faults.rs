//! What can be wrong with a server, in the words that users read, and that nothing is lost by it: once the cause is gone the
//! same command goes on.

use std::path::{Path, PathBuf};

use async_nats::jetstream;

use crate::greeting::Greeter;
use crate::harness::root;
use crate::lab::{Ended, Lab, assert_same_run, assert_whole, text};
use crate::server::{Access, ONE, Options, PLAIN, Server, Tls, free_port};

/// A random agent that thinks for a moment, on six floors.
fn config(lab: &Lab) -> PathBuf {
    let floors = root().join("floors/*.toml");
    let text = format!(
        "name = \"faults\"\nseed = 3\nrepeats = 8\nanalysis = false\nfloors = [{floors:?}]\n\
         [[agent]]\nname = \"random\"\nkind = \"random\"\ndelay_ms = 20\n"
    );
    lab.config("faults.toml", &text)
}

const EPISODES: usize = 48;

/// What all three commands say of a server, which must be the same.
fn refusals(lab: &Lab, more: &[&str], code: i32) -> String {
    let config = config(lab);
    let out = lab.path("run");
    let run = lab.follower(&config, &out, more).ends();
    let worker = lab.worker(more).ends();
    let batches = lab.start(&[&["batches", "--nats", &lab.url], more].concat(), &[]).ends();
    for ended in [&run, &worker, &batches] {
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert_eq!(ended.error, run.error);
    }
    run.error
}

/// The words without the port, which differs from test to test.
fn plain(said: &str) -> String {
    let port = regex::Regex::new(r"127\.0\.0\.1:\d+").expect("a pattern");
    port.replace_all(said, "127.0.0.1:PORT").into_owned()
}

#[test]
fn servers_that_are_none_or_too_old() {
    let old = Greeter::nats("2.9.10");
    insta::assert_snapshot!("too_old", plain(&refusals(&Lab::new(old.url), &[], 3)));
    let other = Greeter::start("HTTP/1.1 400 Bad Request\r\n\r\n".into());
    insta::assert_snapshot!("no_nats_server", plain(&refusals(&Lab::new(other.url), &[], 3)));
    let nobody = Lab::new(format!("nats://127.0.0.1:{}", free_port()));
    insta::assert_snapshot!("nobody_there", plain(&refusals(&nobody, &[], 3)));
    insta::assert_snapshot!("no_address", refusals(&Lab::new("http://user:secret@queue".into()), &[], 2));
}

#[test]
#[ignore = "needs nats-server"]
fn who_is_not_let_in() {
    let server = Server::start(Options { access: Access::Passwords, ..Options::default() });
    insta::assert_snapshot!("no_credentials", plain(&refusals(&Lab::new(server.url()), &[], 2)));
    let wrong = Lab::new(server.url_of((ONE.0, "wrong-password")));
    insta::assert_snapshot!("wrong_password", plain(&refusals(&wrong, &[], 2)));
    insta::assert_snapshot!("no_jetstream_for_us", plain(&refusals(&Lab::new(server.url_of(PLAIN)), &[], 3)));
    let server = Server::start(Options { jetstream: false, ..Options::default() });
    insta::assert_snapshot!("no_jetstream", plain(&refusals(&Lab::new(server.url()), &[], 3)));
}

#[test]
#[ignore = "needs nats-server"]
fn files_of_credentials() {
    let server = Server::start(Options { access: Access::Credentials, ..Options::default() });
    let lab = Lab::new(server.url());
    insta::assert_snapshot!("no_file_of_credentials", plain(&refusals(&lab, &[], 2)));
    let missing = refusals(&lab, &["--nats-creds", "no-such.creds"], 2);
    insta::assert_snapshot!("missing_file_of_credentials", missing);
    insta::assert_snapshot!("other_file_of_credentials", refusals(&lab, &["--nats-creds", "README.md"], 2));
    plays(&lab, &["--nats-creds", text(server.credentials())]);
    let server = Server::start(Options { access: Access::Token("a/b@c"), ..Options::default() });
    plays(&Lab::new(server.url().replacen("://", "://a%2Fb%40c@", 1)), &[]);
}

#[test]
#[ignore = "needs nats-server"]
fn encrypted_connections() {
    let server = Server::start(Options { tls: Tls::Mutual, ..Options::default() });
    let (lab, certificates) = (Lab::new(server.url()), server.certificates());
    let (ca, other) = (text(&certificates.ca), text(&certificates.other_ca));
    insta::assert_snapshot!("unknown_authority", plain(&refusals(&lab, &[], 3)));
    insta::assert_snapshot!("other_authority", plain(&refusals(&lab, &["--nats-ca", other], 3)));
    insta::assert_snapshot!("no_certificate", plain(&refusals(&lab, &["--nats-ca", ca], 3)));
    let (certificate, key) = &certificates.client;
    plays(&lab, &["--nats-ca", ca, "--nats-cert", text(certificate), "--nats-key", text(key)]);
}

#[test]
#[ignore = "needs nats-server"]
fn a_domain_of_its_own() {
    let server = Server::start(Options { domain: Some("lab"), ..Options::default() });
    let lab = Lab::new(server.url());
    plays(&lab, &["--nats-domain", "lab"]);
}

/// A run is played over the server.
fn plays(lab: &Lab, more: &[&str]) {
    let config = config(lab);
    let out = lab.path("run");
    let _worker = lab.worker(more);
    lab.follower(&config, &out, more).ends_well();
    assert_whole(&out, EPISODES);
}

#[test]
#[ignore = "needs nats-server"]
fn a_full_server_is_waited_for() {
    let mut server = Server::start(Options { storage: Some(200_000), ..Options::default() });
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let mut worker = lab.worker(&["--jobs", "8"]);
    let mut follower = lab.follower(&config, &out, &[]);
    follower.says_soon("takes nothing more");
    worker.says_soon("takes nothing more");
    assert!(follower.runs() && worker.runs());
    server.options.storage = None;
    server.restart();
    follower.ends_well();
    assert_whole(&out, EPISODES);
    assert_same_run(&lab.local(&config), &out);
}

/// Removes a stream while the run is played; what the follower says, and that the same command goes on.
fn without(stream: &str) -> String {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let mut worker = lab.worker(&["--jobs", "4"]);
    let follower = lab.follower(&config, &out, &[]);
    wait_for_ended(&out, 5);
    remove(&server.url(), stream);
    let ended = follower.ends();
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(worker.runs(), "{}", worker.says());
    lab.follower(&config, &out, &[]).ends_well();
    assert_whole(&out, EPISODES);
    assert_same_run(&lab.local(&config), &out);
    last_words(&ended)
}

#[test]
#[ignore = "needs nats-server"]
fn the_stream_of_work_is_removed() {
    insta::assert_snapshot!("work_removed", without("MOTA-run-faults-work"));
}

#[test]
#[ignore = "needs nats-server"]
fn the_stream_of_journals_is_removed() {
    insta::assert_snapshot!("journal_removed", without("MOTA-run-faults-journal"));
}

/// A machine that lost its power may have lost what its disk had not got yet, and gives the same numbers again.
#[test]
#[ignore = "needs nats-server"]
fn a_server_that_has_lost_its_last_lines() {
    let mut server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let (config, out) = (config(&lab), lab.path("run"));
    let mut worker = lab.worker(&["--jobs", "2"]);
    let follower = lab.follower(&config, &out, &["--lease", "3s"]);
    wait_for_ended(&out, 5);
    server.keep();
    wait_for_ended(&out, 20);
    server.roll_back();
    let ended = follower.ends();
    assert_eq!(ended.code, Some(3), "{ended:?}");
    insta::assert_snapshot!("rolled_back", last_words(&ended));
    assert!(worker.runs(), "{}", worker.says());
    lab.follower(&config, &out, &["--lease", "3s"]).ends_well();
    assert_whole(&out, EPISODES);
    // What workers have begun anew in the meantime is kept, and what the folder had of it is put aside.
    let _ = std::fs::remove_dir_all(out.join("retried"));
    assert_same_run(&lab.local(&config), &out);
}

/// Waits until so many episodes have ended.
fn wait_for_ended(out: &Path, episodes: usize) {
    let began = std::time::Instant::now();
    let ended = || {
        let entries = std::fs::read_dir(out.join("episodes")).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        texts.filter(|text| text.contains("\"footer\"")).count()
    };
    while ended() < episodes {
        assert!(began.elapsed().as_secs() < 60, "nothing is played");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn remove(url: &str, stream: &str) {
    let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
    context.delete_stream(stream).await.expect("a stream that can be removed");
}

/// The error that a program ended with, without the progress before it.
fn last_words(ended: &Ended) -> String {
    let at = ended.error.rfind("  × ").unwrap_or_default();
    ended.error[at..].to_owned()
}
