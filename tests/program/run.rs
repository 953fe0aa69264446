//! `mota run` from one configuration to the losing decisions: the same bytes whatever the concurrency, verified traces,
//! resume after `kill -9`, and what is refused.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{json, lines, mota, refusal, root, run, scratch, traces};
use serde_json::Value;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn quickstart_gives_the_same_traces_whatever_the_concurrency() {
    let folder = scratch();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    run(&["run", "configs/quickstart.toml", "--out", text(&one), "--set", "concurrency.episodes=1"], 0);
    let output = run(&["run", "configs/quickstart.toml", "--out", text(&many), "--set", "concurrency.episodes=50"], 0);
    assert_eq!(traces(&one), traces(&many));
    for file in [
        "tables/results.csv",
        "tables/results.md",
        "tables/losing-decisions.csv",
        "tables/episodes.parquet",
        "plots/state-value-complex.svg",
        "plots/state-value-complex.png",
    ] {
        let [left, right] = [&one, &many].map(|run| fs::read(run.join("report").join(file)).expect(file));
        assert!(left == right && !left.is_empty(), "{file}");
    }
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("complex") && printed.contains("report/tables/"), "{printed}");

    let mut verify = vec!["replay".to_owned(), "--verify".into(), "--json".into()];
    verify.extend(fs::read_dir(one.join("episodes")).unwrap().map(|entry| entry.unwrap().path().display().to_string()));
    let verify: Vec<&str> = verify.iter().map(String::as_str).collect();
    let verified = json(&verify);
    assert!(verified.as_array().unwrap().iter().all(|result| result["ok"] == true));

    let analyses = json(&["analyze", text(&one), "--json"]);
    for episode in analyses.as_array().unwrap() {
        let (agent, floor, ending) = (&episode["agent"], &episode["floor"], episode["ending"].as_str().unwrap());
        if agent == "optimal" {
            assert_eq!(episode["hero"]["hp"], episode["optimum"], "{floor}");
            assert_eq!(ending, "won");
        }
        if agent == "published" && floor == "complex" {
            assert_eq!((ending, &episode["hero"]["hp"]), ("won", &Value::from(22)));
        }
        let lost = ending == "dead" || ending == "stuck";
        assert_eq!(episode["losing"].is_object(), lost, "{agent} on {floor} {ending}");
    }
    let again = run(&["run", "configs/quickstart.toml", "--out", text(&one), "--set", "concurrency.episodes=1"], 0);
    assert!(String::from_utf8(again.stdout).unwrap().contains("had ended before"));
}

#[test]
fn a_trace_with_one_number_changed_fails_and_names_the_decision() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = folder.path().join("one.toml");
    let floor = root().join("floors/simple.toml");
    fs::write(&config, format!("floors = [{:?}]\n[[agent]]\nname = \"optimal\"\nkind = \"optimal\"\n", text(&floor)))
        .unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    let path = fs::read_dir(out.join("episodes")).unwrap().next().unwrap().unwrap().path();
    let original = fs::read_to_string(&path).unwrap();
    run(&["replay", "--verify", text(&path)], 0);
    let mut changed = 0;
    for (index, line) in original.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap();
        for pointer in numbers(&record, String::new()) {
            let mut record = record.clone();
            let number = record.pointer(&pointer).unwrap().as_i64().unwrap();
            *record.pointer_mut(&pointer).unwrap() = Value::from(number + 1);
            let mut tampered: Vec<String> = original.lines().map(str::to_owned).collect();
            tampered[index] = record.to_string();
            fs::write(&path, tampered.join("\n") + "\n").unwrap();
            let output = run(&["replay", "--verify", text(&path)], 1);
            let told = String::from_utf8(output.stdout).unwrap();
            let place = match record["record"].as_str().unwrap() {
                "decision" => format!("decision {}", index),
                other => other.to_owned(),
            };
            assert!(told.contains(&place), "line {index} {pointer}: {told}");
            changed += 1;
        }
    }
    assert!(changed > 500, "only {changed} numbers were tried");
}

/// Numbers of the game in a record: not the clock's, nor those of the run that no rule determines.
fn numbers(value: &Value, path: String) -> Vec<String> {
    const FREE: [&str; 4] = ["/time", "/seed", "/turn_limit", "/format"];
    match value {
        _ if FREE.contains(&path.as_str()) => Vec::new(),
        Value::Number(_) => vec![path],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| numbers(item, format!("{path}/{index}"))).collect()
        }
        Value::Object(keys) => keys.iter().flat_map(|(key, item)| numbers(item, format!("{path}/{key}"))).collect(),
        _ => Vec::new(),
    }
}

/// "`kill -9` in the middle of a batch of 200 episodes, ten times at random moments: the resumed run equals an
/// undisturbed one."
#[test]
fn kill_nine_loses_nothing() {
    let folder = scratch();
    let config = folder.path().join("batch.toml");
    let floor = |name: &str| format!("{:?}", text(&root().join("floors").join(name)));
    let agents: String = (["greedy", "heuristic", "optimal"].iter())
        .map(|kind| format!("[[agent]]\nname = \"{kind}\"\nkind = \"{kind}\"\ndelay_ms = 4\n"))
        .collect();
    let batch = format!(
        "seed = 3\nrepeats = 97\nanalysis = false\nfloors = [{}, {}]\n[concurrency]\nepisodes = 20\n{agents}\
         [[agent]]\nname = \"random\"\nkind = \"random\"\ndelay_ms = 4\n",
        floor("simple.toml"),
        floor("hand03.toml"),
    );
    fs::write(&config, batch).unwrap();
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    let command = |out: &Path| {
        let mut command = mota();
        command.args(["run", text(&config), "--out", text(out)]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let undisturbed = json(&["run", text(&config), "--out", text(&calm), "--json"]);
    assert_eq!(undisturbed["planned"], 200);
    // Moments spread over the start, the middle and the end of a run; what they hit differs from run to run.
    let mut kills = 0;
    for milliseconds in [40, 90, 60, 150, 110, 75, 200, 130, 55, 170] {
        let mut child = command(&killed).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
    }
    let begun = fs::read_dir(killed.join("episodes")).map_or(0, Iterator::count);
    let resumed = json(&["run", text(&config), "--out", text(&killed), "--json"]);
    assert_eq!((&resumed["planned"], &resumed["open"]), (&Value::from(200), &Value::from(0)));
    assert!(kills >= 5 && begun > 0, "{kills} kills hit the run, {begun} episodes had begun");
    assert_eq!(traces(&calm), traces(&killed));
}

#[test]
fn a_torn_last_line_is_cut_off() {
    let folder = scratch();
    let (config, out) = (folder.path().join("c.toml"), folder.path().join("run"));
    let floor = root().join("floors/simple.toml");
    fs::write(&config, format!("floors = [{:?}]\n[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\n", text(&floor)))
        .unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    let path = fs::read_dir(out.join("episodes")).unwrap().next().unwrap().unwrap().path();
    let (whole, bytes) = (lines(&path), fs::read(&path).unwrap());
    for keep in [0, 1, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..keep]).unwrap();
        let output = run(&["run", text(&config), "--out", text(&out)], 0);
        assert_eq!(lines(&path), whole, "cut at {keep}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(keep < bytes.len() / 3 || told.contains("torn last line"), "{told}");
    }
}

#[test]
fn a_run_of_another_configuration_is_refused_with_the_difference() {
    let folder = scratch();
    let (config, out) = (folder.path().join("c.toml"), folder.path().join("run"));
    let floor = root().join("floors/simple.toml");
    let write = |extra: &str| {
        let head = format!("name = \"x\"\nfloors = [{:?}]\n", text(&floor));
        fs::write(&config, format!("{head}{extra}")).unwrap();
    };
    write("[[agent]]\nname = \"a\"\nkind = \"lookahead\"\ndepth = 1\n");
    run(&["run", text(&config), "--out", text(&out)], 0);
    write("seed = 9\n[[agent]]\nname = \"a\"\nkind = \"lookahead\"\ndepth = 2\n");
    let told = refusal(&["run", text(&config), "--out", text(&out)], 2);
    assert!(told.contains("seed: 0 before, 9 now") && told.contains("depth: 1 before, 2 now"), "{told}");
    write(
        "[limits]\nturns = 90\n[[agent]]\nname = \"a\"\nkind = \"lookahead\"\ndepth = 1\n[[agent]]\nname = \"b\"\nkind = \"greedy\"\n",
    );
    assert_eq!(json(&["run", text(&config), "--out", text(&out), "--json"])["planned"], 2);
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "mine").unwrap();
    let told = refusal(&["run", text(&config), "--out", text(&foreign)], 2);
    assert!(told.contains("holds no run"), "{told}");
    assert_eq!(fs::read_to_string(foreign.join("thesis.txt")).unwrap(), "mine");
}

#[test]
fn five_mistakes_are_told_at_once() {
    let folder = scratch();
    let config = folder.path().join("wrong.toml");
    fs::write(
        &config,
        "seed = -1\nrepeets = 3\nfloors = 5\n[limits]\nturns = 0\n[[agent]]\nname = \"a\"\nkind = \"heuristik\"\n",
    )
    .unwrap();
    let told = refusal(&["run", text(&config)], 2);
    for mistake in ["wrong.toml:1", "repeats", "wrong.toml:3", "turns", "heuristic"] {
        assert!(told.contains(mistake), "{mistake} in {told}");
    }
    let floors = folder.path().join("floors.toml");
    fs::write(&floors, "floors = [\"none*.toml\", \"broken.toml\", \"lost.toml\"]\nprompts = [\"nope\"]\n[[agent]]\nname = \"a\"\nkind = \"model\"\nmodel = \"m\"\napi_key_env = \"MOTA_NO_SUCH_KEY\"\n").unwrap();
    fs::write(folder.path().join("broken.toml"), "[hero]\nhp = -4\n").unwrap();
    let lost = fs::read_to_string(root().join("floors/simple.toml")).unwrap().replace("hp = 470", "hp = 47");
    fs::write(folder.path().join("lost.toml"), lost).unwrap();
    let told = refusal(&["run", text(&floors)], 2);
    for mistake in ["matches no file", "broken.toml:2", "cannot be defeated", "nope", "MOTA_NO_SUCH_KEY"] {
        assert!(told.contains(mistake), "{mistake} in {told}");
    }
}

/// The mistakes of the file, of what it names and of the floors are told in one run, each with its line.
/// Where answers name tiles, a shop that sells several things at one tile cannot be used.
#[test]
fn a_prompt_without_a_list_is_refused_on_a_floor_with_a_shop() {
    let folder = scratch();
    let shop = "shop = { first_price = 10, atk = 2, def = 2 }\n";
    let floor = |shop: &str| {
        format!(
            "hero = {{ hp = 100, atk = 9, def = 4, gold = 12 }}\nmonsters.B = {{ hp = 50, atk = 5, def = 8 }}\n{shop}\
             [[floor]]\nmap = \"@ {} B\"\n",
            if shop.is_empty() { "." } else { "$" }
        )
    };
    let config = folder.path().join("c.toml");
    let text = "floors = [\"floor.toml\"]\nprompts = [\"unlisted\"]\n[[agent]]\nname = \"m\"\nkind = \"model\"\n\
                base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\nconcurrent_calls = 2\nrequests_per_minute = 60\n";
    fs::write(&config, text).unwrap();
    let dry_run = ["run", config.to_str().unwrap(), "--dry-run"];
    fs::write(folder.path().join("floor.toml"), floor(shop)).unwrap();
    let told = refusal(&dry_run, 2);
    assert!(told.contains("the prompt `unlisted` has answers name tiles"), "{told}");
    fs::write(folder.path().join("floor.toml"), floor("")).unwrap();
    run(&dry_run, 0);
}

#[test]
fn mistakes_of_every_stage_are_told_together() {
    let folder = scratch();
    let config = folder.path().join("all.toml");
    fs::write(
        &config,
        "repeets = 2\nfloors = [\"none.toml\", \"broken.toml\"]\nprompts = [\"single_flor\"]\n[limits]\nturns = 0\n\
         [limit]\nturns = 3\n\
         [[agent]]\nname = \"a\"\nkind = \"heuristic\"\n[[agent]]\nname = \"a\"\nkind = \"model\"\n\
         base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\ntemperature = \"hot\"\nmax_tokens = 0\n",
    )
    .unwrap();
    fs::write(folder.path().join("broken.toml"), "[hero]\nhp = -4\n").unwrap();
    let told = refusal(&["run", text(&config)], 2);
    for mistake in [
        "all.toml:1:1",
        "all.toml:2:11",
        "all.toml:3:12",
        "single_floor",
        "all.toml:5:9",
        "unknown key `limit` (did you mean `limits`?)",
        "two agents",
        "`temperature`: expected a number",
        "max_tokens: must be at least 1",
        "broken.toml:2",
    ] {
        assert!(told.contains(mistake), "{mistake} in {told}");
    }
}

fn one_agent(folder: &Path, extra: &str) -> std::path::PathBuf {
    let config = folder.join("one.toml");
    let floor = root().join("floors/simple.toml");
    fs::write(&config, format!("floors = [{:?}]\n{extra}\n[[agent]]\nname = \"a\"\nkind = \"greedy\"\n", text(&floor)))
        .unwrap();
    config
}

fn only_trace(run: &Path) -> std::path::PathBuf {
    fs::read_dir(run.join("episodes")).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn a_lowered_turn_limit_ends_the_episode_and_verifies() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = one_agent(folder.path(), "");
    run(&["run", text(&config), "--out", text(&out)], 0);
    let trace = only_trace(&out);
    let head: String = fs::read_to_string(&trace).unwrap().split_inclusive('\n').take(6).collect();
    fs::write(&trace, head).unwrap();
    run(&["run", text(&config), "--out", text(&out), "--set", "limits.turns=3"], 0);
    assert_eq!(lines(&trace).last().unwrap()["ending"], "turn_limit");
    run(&["replay", "--verify", text(&trace)], 0);
}

#[test]
fn a_folder_that_was_half_made_is_gone_on_with() {
    let folder = scratch();
    let out = folder.path().join("run");
    for part in ["episodes", "floors"] {
        fs::create_dir_all(out.join(part)).unwrap();
    }
    fs::write(out.join(".lock"), "").unwrap();
    run(&["run", text(&one_agent(folder.path(), "")), "--out", text(&out)], 0);
}

#[test]
fn a_broken_trace_keeps_no_other_episode_from_being_played() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = one_agent(folder.path(), "[[agent]]\nname = \"b\"\nkind = \"heuristic\"");
    fs::create_dir_all(out.join("episodes")).unwrap();
    run(&["run", text(&config), "--out", text(&out)], 0);
    for trace in fs::read_dir(out.join("episodes")).unwrap().map(|entry| entry.unwrap().path()) {
        match trace.file_name().unwrap().to_string_lossy().starts_with('a') {
            true => fs::write(&trace, "{\"record\":\"header\"}\n").unwrap(),
            false => fs::remove_file(&trace).unwrap(),
        }
    }
    let output = run(&["run", text(&config), "--out", text(&out), "--json"], 1);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["open"], summary["broken"].as_array().unwrap().len()), (&Value::from(1), 1));
    assert_eq!(summary["endings"].as_object().unwrap().len(), 1);
}

/// A trace counts as an episode's only if it says so itself.
#[test]
fn a_trace_of_another_episode_or_run_is_not_taken_for_this_one() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = one_agent(folder.path(), "repeats = 2\n[[agent]]\nname = \"r\"\nkind = \"random\"");
    run(&["run", text(&config), "--out", text(&out)], 0);
    let trace = |repeat: u32| out.join("episodes").join(format!("r.simple.none.{repeat}.6ae1bc1f.jsonl"));
    let original = fs::read(trace(1)).unwrap();
    fs::copy(trace(0), trace(1)).unwrap();
    let output = run(&["run", text(&config), "--out", text(&out), "--json"], 1);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["broken"][0].as_str().unwrap().contains("belongs to another episode or run"), "{summary}");
    assert_eq!(json_lines(&out).len(), 2);
    run(&["replay", "--verify", text(&trace(1))], 1);
    fs::write(trace(1), original).unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    let output = run(&["run", text(&config), "--out", text(&out), "--json", "--set", "seed=77"], 1);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["open"], summary["broken"].as_array().unwrap().len()), (&Value::from(3), 3));
}

#[test]
fn fresh_begins_anew_even_over_a_broken_manifest() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = one_agent(folder.path(), "");
    run(&["run", text(&config), "--out", text(&out)], 0);
    fs::write(out.join("manifest.json"), "").unwrap();
    let told = refusal(&["run", text(&config), "--out", text(&out)], 2);
    assert!(told.contains("--fresh"), "{told}");
    run(&["run", text(&config), "--out", text(&out), "--fresh"], 0);
}

#[test]
fn aborted_episodes_are_played_again_when_asked() {
    let folder = scratch();
    let out = folder.path().join("run");
    let config = one_agent(
        folder.path(),
        "repeats = 3\n[[agent]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"exit 1\"]",
    );
    let first = json(&["run", text(&config), "--out", text(&out), "--json"]);
    assert_eq!(first["endings"]["aborted"], 3);
    let plain = json(&["run", text(&config), "--out", text(&out), "--json"]);
    assert_eq!((&plain["ended_before"], &plain["endings"]["aborted"]), (&Value::from(4), &Value::from(3)));
    // As an interrupted retry leaves it: one trace is gone already.
    fs::remove_file(out.join("episodes/c.simple.none.1.6ae1bc1f.jsonl")).unwrap();
    let again = json(&["run", text(&config), "--out", text(&out), "--json", "--retry", "aborted"]);
    assert_eq!((&again["ended_before"], &again["open"]), (&Value::from(1), &Value::from(0)));
    assert_eq!(again["endings"]["aborted"], 3);
}

#[test]
fn a_floor_that_cannot_begin_is_told_before_anything_runs() {
    let folder = scratch();
    let floor = fs::read_to_string(root().join("floors/simple.toml")).unwrap();
    let floor = floor.replace("hp = 470", "hp = 9223372036854775807").replace("Y Y 1", "p Y 1");
    fs::write(folder.path().join("over.toml"), floor).unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, "floors = [\"over.toml\"]\n[[agent]]\nname = \"a\"\nkind = \"greedy\"\n").unwrap();
    let told = refusal(&["run", text(&config)], 2);
    assert!(told.contains("c.toml:1:11") && told.contains("64 bits"), "{told}");
}

/// Where there is no terminal, a wait for a server shows in the lines that are printed.
#[test]
fn waiting_for_a_server_is_said() {
    let folder = scratch();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut request = [0; 65_536];
            let _ = std::io::Read::read(&mut stream, &mut request);
            let body = "{\"error\":{\"message\":\"Loading model\"}}";
            let head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close";
            let _ = std::io::Write::write_all(
                &mut stream,
                format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).as_bytes(),
            );
        }
    });
    let config = folder.path().join("c.toml");
    let floor = root().join("floors/simple.toml");
    let agent =
        format!("[[agent]]\nname = \"m\"\nkind = \"model\"\nmodel = \"m\"\nbase_url = \"http://{address}/v1\"\n");
    fs::write(&config, format!("floors = [{:?}]\n{agent}retry = {{ first = 3.0, longest = 60.0 }}\n", text(&floor)))
        .unwrap();
    let out = folder.path().join("run");
    let mut child = mota().args(["run", text(&config), "--out", text(&out)]).stderr(Stdio::piped()).spawn().unwrap();
    let told = std::io::BufReader::new(child.stderr.take().unwrap());
    let line = std::io::BufRead::lines(told).map_while(Result::ok).find(|line| line.contains("waiting"));
    child.kill().unwrap();
    child.wait().unwrap();
    let line = line.expect("a line that says so");
    assert!(line.contains("1 waiting, next in") && line.contains("503") && line.contains("Loading model"), "{line}");
}

#[test]
fn runs_that_would_merge_two_things_are_not_reported_together() {
    let folder = scratch();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let report = folder.path().join("report");
    let config = one_agent(folder.path(), "");
    run(&["run", text(&config), "--out", text(&one)], 0);
    let told = refusal(&["report", text(&one), text(&one), "--out", text(&report)], 2);
    assert!(told.contains("both hold the episode"), "{told}");
    let other = fs::read_to_string(&config).unwrap().replace("greedy", "heuristic");
    fs::write(&config, other).unwrap();
    run(&["run", text(&config), "--out", text(&two)], 0);
    let told = refusal(&["report", text(&one), text(&two), "--out", text(&report)], 2);
    assert!(told.contains("agent `a`, kind"), "{told}");
    let other = fs::read_to_string(&config).unwrap().replace("\"a\"", "\"b\"");
    fs::write(&config, other).unwrap();
    fs::remove_dir_all(&two).unwrap();
    run(&["run", text(&config), "--out", text(&two)], 0);
    assert_eq!(json(&["report", text(&one), text(&two), "--out", text(&report), "--json"])["episodes"], 2);
}

/// A floor whose values do not fit in memory is played and reported all the same; what is not known is said.
#[test]
fn a_floor_whose_values_are_not_known_keeps_its_results_and_its_bounds() {
    let folder = scratch();
    let row = "1 ".repeat(30);
    let map = format!("@ {}\n{}B 1\n", "1 ".repeat(29), format!("{row}\n").repeat(12) + &"1 ".repeat(28));
    let floor = format!(
        "[hero]\nhp = 100000\natk = 9\ndef = 4\n[monsters.1]\nhp = 20\natk = 5\ndef = 1\n[monsters.B]\nhp = 50\natk = 20\ndef = 1\n[[floor]]\nmap = \"\"\"\n{map}\"\"\"\n"
    );
    fs::write(folder.path().join("many.toml"), floor).unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, "floors = [\"many.toml\"]\n[limits]\nturns = 5\n[[agent]]\nname = \"a\"\nkind = \"greedy\"\n")
        .unwrap();
    let out = folder.path().join("run");
    let output = run(&["run", text(&config), "--out", text(&out)], 0);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("optimum is not known"), "{told}");
    let analysis = &json_lines(&out)[0];
    assert!(analysis["optimum"].is_null() && analysis["losing"].is_null(), "{analysis}");
    let bound = |name: &str| analysis["optimum_bracket"][name].as_i64().unwrap_or_else(|| panic!("{analysis}"));
    assert!(bound("least") < bound("most"));
    let results = fs::read_to_string(out.join("report/tables/results.csv")).unwrap();
    assert_eq!(results.lines().count(), 2, "{results}");
    assert_eq!(json_lines(&out)[0]["decisions"].as_array().unwrap().len(), 5);
}

fn json_lines(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("analysis/episodes.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn two_processes_do_not_share_a_run() {
    let folder = scratch();
    let (config, out) = (folder.path().join("c.toml"), folder.path().join("run"));
    let floor = root().join("floors/simple.toml");
    fs::write(
        &config,
        format!("floors = [{:?}]\n[[agent]]\nname = \"greedy\"\nkind = \"greedy\"\ndelay_ms = 3000\n", text(&floor)),
    )
    .unwrap();
    let mut first = mota().args(["run", text(&config), "--out", text(&out)]).stderr(Stdio::null()).spawn().unwrap();
    while !out.join("manifest.json").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = refusal(&["run", text(&config), "--out", text(&out)], 3);
    assert!(told.contains("another process"), "{told}");
    first.kill().unwrap();
    first.wait().unwrap();
}
