//! Budgets of a batch, and answers that are kept: what is asked of a server that counts, over several sittings.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{mota, refusal, root, scratch};
use crate::server::{Reply, Server};

/// Gives every request the same answer, said to have used 1,000 tokens and a hundredth of a dollar.
fn server() -> Server {
    let choice = json!({ "message": { "content": "{\"reasoning\": \"x\", \"action\": 1}" }, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 900, "completion_tokens": 100, "cost": 0.01 });
    let completion = json!({ "choices": [choice], "usage": usage });
    Server::start(move |_| Reply::json(&completion))
}

/// Eight episodes of five decisions: forty calls.
fn config(folder: &Path, server: &Server, more: &str) -> String {
    let floor = root().join("floors/complex.toml");
    let text = format!(
        "floors = [{floor:?}]\nrepeats = 8\nanalysis = false\n{more}\n[concurrency]\nepisodes = 4\n[limits]\nturns = 5\n\
         [[agent]]\nname = \"m\"\nkind = \"model\"\nmodel = \"m\"\nbase_url = {:?}\nmax_tokens = 100\n",
        server.base_url
    );
    let path = folder.join("budget.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs the batch; the exit code and the answer.
fn sit(config: &str, out: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let output = mota().args(["run", config, "--json", "--out"]).arg(out).args(more).output().unwrap();
    let answer = serde_json::from_slice(&output.stdout);
    (output.status.code(), answer.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

/// Calls in the traces of a run.
fn calls(out: &Path) -> usize {
    let traces = fs::read_dir(out.join("episodes")).unwrap().flatten();
    traces.map(|entry| fs::read_to_string(entry.path()).unwrap().matches(r#""record":"call""#).count()).sum()
}

#[test]
fn a_batch_stops_before_it_passes_its_budget_and_goes_on_when_that_is_raised() {
    for (limit, raised) in [("tokens=12000", "tokens=25000"), ("cost_usd=0.12", "cost_usd=0.25")] {
        let (folder, server) = (scratch(), server());
        let (config, out) = (config(folder.path(), &server, ""), folder.path().join("run"));
        let set = |limit: &str| format!("limits.run.{limit}");
        let (code, answer) = sit(&config, &out, &["--set", &set(limit)]);
        assert_eq!(code, Some(1), "{limit}: {answer}");
        assert!(
            (7..=12).contains(&server.asked()),
            "{limit}: {} calls, {} in traces, {answer}",
            server.asked(),
            calls(&out)
        );
        let why = answer["stopped_agents"]["m"].as_str().unwrap_or_default().to_owned();
        assert!(why.contains("[limits.run]") && why.contains("the next call may"), "{limit}: {why}");
        assert!(answer["open"].as_u64() >= Some(4), "{limit}: {answer}");
        // The same command again learns nothing new: what earlier sittings used counts, and what it had cost is known.
        sit(&config, &out, &["--set", &set(limit)]);
        assert!(server.asked() <= 12, "{limit}: {} calls", server.asked());
        let (code, _) = sit(&config, &out, &["--set", &set(raised)]);
        assert_eq!(code, Some(1), "{limit}");
        assert!((15..=25).contains(&server.asked()), "{limit}: {} calls", server.asked());
        let (code, answer) = sit(&config, &out, &[]);
        assert_eq!((code, &answer["open"]), (Some(0), &json!(0)), "{limit}");
        assert_eq!((server.asked(), calls(&out)), (40, 40), "nothing is asked twice: {limit}");
    }
}

#[test]
fn a_second_run_takes_its_answers_from_the_cache() {
    let (folder, server) = (scratch(), server());
    let config = config(folder.path(), &server, "cache = \"kept\"");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    sit(&config, &first, &[]);
    assert_eq!(server.asked(), 40);
    // A budget that would be used up at once: what is in the cache costs nothing.
    let (code, answer) = sit(&config, &second, &["--set", "limits.run.tokens=1"]);
    assert_eq!((code, &answer["open"]), (Some(0), &json!(0)));
    assert_eq!((server.asked(), calls(&second)), (40, 40));
    assert!(folder.path().join("kept").is_dir(), "relative to the configuration");
    // Repeats that were not played before are not in it.
    sit(&config, &second, &["--set", "repeats=9"]);
    assert_eq!(server.asked(), 45);
}

#[test]
fn limits_that_are_none_are_told_with_their_places() {
    let (folder, server) = (scratch(), server());
    let config = config(folder.path(), &server, "");
    let set = ["--set", "limits.run.tokens=0", "--set", "limits.run.cost_usd=-1.0", "--set", "limits.wait=\"soon\""];
    let told = refusal(&[&["run", &config][..], &set].concat(), 2);
    for wrong in ["`tokens` must be at least 1", "`cost_usd` must be a number above 0", "not a length of time"] {
        assert!(told.contains(wrong), "{told}");
    }
    let told = refusal(&["run", &config, "--set", "limits.run.token=5"], 2);
    assert!(told.contains("`token`") && told.contains("tokens"), "{told}");
    let told = refusal(&["run", &config, "--set", "agent.0.history=0", "--set", "agent.0.prompt_tokens=0"], 2);
    assert!(told.contains("history") && told.contains("prompt_tokens"), "{told}");
    let told = refusal(&["run", &config, "--set", "agent.0.history=\"ful\""], 2);
    assert!(told.contains("history"), "{told}");
    let told = refusal(&["run", &config, "--set", "cache=\"\""], 2);
    assert!(told.contains("`cache` must name a folder"), "{told}");
    let told = refusal(&["run", &config, "--set", "agent.0.prompt_tokens=100"], 2);
    assert!(told.contains("comes to about") && told.contains("complex"), "{told}");
}

/// Another route, or another way to be told of earlier turns, is another experiment.
#[test]
fn a_run_is_not_gone_on_with_under_another_condition() {
    let (folder, server) = (scratch(), server());
    let config = config(folder.path(), &server, "prompts = [\"solver_route\"]\nroute_source = \"exact\"");
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    sit(&config, &out, &[]);
    let told = refusal(&["run", &config, "--out", out_text, "--set", "route_source=\"published\""], 2);
    assert!(told.contains("route_source: exact before, published now"), "{told}");
    let told = refusal(&["run", &config, "--out", out_text, "--set", "agent.0.history=3"], 2);
    assert!(told.contains("agent `m`, history: not set before, 3 now"), "{told}");
    sit(&config, &out, &["--set", "limits.wait=\"5m\"", "--set", "limits.run.tokens=1000000"]);
}

/// Whatever runs at once and whatever price the configuration states, a provider that asks for more is not paid more than
/// the batch may cost.
#[test]
fn a_provider_that_is_dearer_than_its_price_is_not_paid_more() {
    for price in ["", "price = { input = 0.1, output = 0.1 }"] {
        let (folder, server) = (scratch(), server());
        let config = config(folder.path(), &server, "");
        let text = fs::read_to_string(&config).unwrap().replace("episodes = 4", "episodes = 8") + price;
        fs::write(&config, text).unwrap();
        let out = folder.path().join("run");
        for sitting in 1..=3 {
            sit(&config, &out, &["--set", "limits.run.cost_usd=0.1"]);
            // With a price that is wrong the first calls may all leave before its word is known.
            let most = if price.is_empty() { 10 } else { 18 };
            assert!((7..=most).contains(&server.asked()), "sitting {sitting}, {price:?}: {} calls", server.asked());
        }
    }
}
