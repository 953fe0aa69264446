//! An episode that kills every worker that plays it: it is left open and named, and the others are played.

use crate::harness::{root, traces};
use crate::lab::Lab;
use crate::server::{Options, Server};

#[test]
#[ignore = "needs nats-server"]
fn an_episode_that_kills_its_workers_is_left_open() {
    let server = Server::start(Options::default());
    let lab = Lab::new(server.url());
    let floor = root().join("floors/complex.toml");
    // The program kills whoever has started it before the fourth decision.
    let kills =
        r#"while read line; do case "$line" in *'"turn":4,'*) kill -9 $PPID;; esac; echo '{"action": 1}'; done"#;
    let config = lab.config(
        "deadly.toml",
        &format!(
            "name = \"deadly\"\nanalysis = false\nfloors = [{floor:?}]\n[[agent]]\nname = \"random\"\nkind = \"random\"\n\
             [[agent]]\nname = \"deadly\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", {kills:?}]\n"
        ),
    );
    let out = lab.path("run");
    let mut follower = lab.follower(&config, &out, &["--lease", "2s"]);
    let worker = || lab.worker(&["--commands", "--jobs", "2"]);
    let (mut one, mut deaths) = (worker(), 0);
    while follower.runs() {
        if !one.runs() {
            deaths += 1;
            assert!(deaths <= 12, "it is played on and on: {}", follower.says());
            one = worker();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let ended = follower.ends();
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!((10..=12).contains(&deaths), "{deaths} deaths\n{ended:?}");
    assert!(ended.out.contains("workers had this episode and were lost"), "{}", ended.out);
    let traces = traces(&out);
    let whole = |lines: &[serde_json::Value]| lines.last().is_some_and(|line| line["record"] == "footer");
    let open: Vec<&str> = traces.iter().filter(|(_, lines)| !whole(lines)).map(|(name, _)| name.as_str()).collect();
    assert!(traces.len() == 2 && open.len() == 1 && open[0].starts_with("deadly"), "{open:?} of {}", traces.len());
}
