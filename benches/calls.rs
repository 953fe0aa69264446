//! What a model call costs the harness: `mota run` against a server that answers at once, beside a bare client that sends
//! as much; and a thousand episodes at once against one that takes its time. `cargo bench --bench calls`; lines given
//! after `--` are added to the agent's configuration, such as `'history = "full"'`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use mota::game::{Floor, Item, Position, Potion, Tile};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};

/// Decisions of an episode, unless it ends before.
const TURNS: usize = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", milliseconds] => serve(number(milliseconds)),
        ["measure", command @ ..] => measure(command),
        ["send", address, calls, at_once, bytes] => send(address, number(calls), number(at_once), number(bytes)),
        lines => compare(lines),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// The two measurements, printed side by side.
fn compare(lines: &[&str]) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let lines = lines.join("\n");
    println!("{:<44} {:>7} {:>9} {:>9} {:>8} {:>8}", "", "calls", "ms a call", "bytes sent", "MB", "wall");
    let server = Server::start(0);
    let instant = run(folder.path(), &server.base_url, 200, 100, TURNS, &lines);
    instant.print("200 episodes, 100 at once, no latency");
    let bytes = instant.bytes / instant.calls.max(1);
    let bare = Measure::of(&["send", &server.base_url, &instant.calls.to_string(), "100", &bytes.to_string()], |_| {
        (instant.calls, instant.bytes)
    });
    bare.print("  a bare client that sends as much");
    println!("  ratio: {:.1} times the CPU", instant.ms_a_call() / bare.ms_a_call());
    drop(server);
    let server = Server::start(2_000);
    run(folder.path(), &server.base_url, 1_000, 1_000, 5, &lines).print("1,000 episodes at once, 5 turns, 2 s latency");
}

/// Plays so many episodes and measures the process that does.
fn run(folder: &Path, base_url: &str, episodes: usize, at_once: usize, turns: usize, lines: &str) -> Measure {
    let config = folder.join(format!("calls-{episodes}.toml"));
    let out = folder.join(format!("run-{episodes}"));
    let floor = long_floor(folder);
    let text = format!(
        "floors = [{floor:?}]\nrepeats = {episodes}\nanalysis = false\n[limits]\nturns = {turns}\n[concurrency]\n\
         episodes = {at_once}\n[[agent]]\nname = \"m\"\nkind = \"model\"\nmodel = \"m\"\nbase_url = {base_url:?}\n{lines}\n"
    );
    fs::write(&config, text).expect("a configuration");
    let paths = [&config, &out].map(|path| path.to_str().expect("a path").to_owned());
    Measure::of(&["measure", env!("CARGO_BIN_EXE_mota"), "run", &paths[0], "--out", &paths[1]], |_| counted(&out))
}

/// A floor on which every way to play is long and whose values are known at once: corridors, one after the other, with six
/// monsters and gems in each.
fn long_floor(folder: &Path) -> PathBuf {
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/complex.toml");
    let mut tower = mota::format::read_tower(&known).expect("a floor");
    let (side, corridors) = (13usize, 6usize);
    let tile = |x: usize, y: usize| match (y % 2, (y / 2) % 2) {
        (0, _) if y == 2 * corridors => Tile::Wall,
        (0, _) if x % 2 == 1 => Tile::Monster(((x / 2 + y) % 4) as u16),
        (0, _) if x % 4 == 2 => Tile::Item(Item::Potion(Potion::Red)),
        (0, _) => Tile::Floor,
        (_, 0) if x == side - 1 && y < 2 * corridors - 1 => Tile::Floor,
        (_, 1) if x == 0 && y < 2 * corridors - 1 => Tile::Floor,
        _ => Tile::Wall,
    };
    let mut rows: Vec<Vec<Tile>> = (0..side).map(|y| (0..side).map(|x| tile(x, y)).collect()).collect();
    let boss = tower.bosses().next().and_then(|at| tower.tile(at)).expect("a boss");
    rows[2 * corridors - 2][0] = boss;
    (tower.name, tower.hero.hp, tower.hero.atk, tower.start) = ("long".into(), 20_000, 30, Position::new(0, 0, 0));
    tower.floors = vec![Floor::from_rows(String::new(), rows).expect("rows of one length")];
    let path = folder.join("long.toml");
    fs::write(&path, mota::format::write_native(&tower)).expect("a floor");
    path
}

/// Calls in the traces of a run and the bytes of their messages.
fn counted(out: &Path) -> (usize, usize) {
    let (mut calls, mut bytes) = (0, 0);
    for entry in fs::read_dir(out.join("episodes")).expect("traces").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a trace");
        for call in text.lines().filter(|line| line.starts_with(r#"{"record":"call""#)) {
            let call: Value = serde_json::from_str(call).expect("a line is JSON");
            calls += 1;
            bytes += call["sent_bytes"].as_u64().unwrap_or(0) as usize;
        }
    }
    (calls, bytes)
}

/// What a process used.
struct Measure {
    calls: usize,
    bytes: usize,
    cpu_s: f64,
    megabytes: f64,
    wall: Duration,
}

impl Measure {
    /// Runs this program again with these arguments; it prints what it used. `counted` tells calls and bytes.
    fn of(arguments: &[&str], counted: impl FnOnce(&str) -> (usize, usize)) -> Self {
        let began = Instant::now();
        let output = itself(arguments).stderr(Stdio::inherit()).output().expect("the measured process");
        let wall = began.elapsed();
        let text = String::from_utf8_lossy(&output.stdout);
        let used: Value = serde_json::from_str(text.lines().last().unwrap_or_default()).expect("what it used");
        let (calls, bytes) = counted(&text);
        let megabytes = used["kilobytes"].as_f64().unwrap_or(f64::NAN) / 1024.0;
        Measure { calls, bytes, cpu_s: used["cpu_s"].as_f64().unwrap_or(f64::NAN), megabytes, wall }
    }

    fn ms_a_call(&self) -> f64 {
        self.cpu_s * 1e3 / self.calls as f64
    }

    fn print(&self, what: &str) {
        let (ms, each, wall) = (self.ms_a_call(), self.bytes / self.calls.max(1), self.wall.as_secs_f64());
        println!("{what:<44} {:>7} {ms:>9.3} {each:>9} {:>8.1} {wall:>7.1}s", self.calls, self.megabytes);
    }
}

/// Runs a command and prints what it used.
fn measure(command: &[&str]) {
    let status = Command::new(command[0]).args(&command[1..]).stdout(Stdio::null()).status().expect("the command");
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    print_usage(UsageWho::RUSAGE_CHILDREN);
}

fn print_usage(who: UsageWho) {
    let usage = getrusage(who).expect("what was used");
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let cpu_s = seconds(usage.user_time()) + seconds(usage.system_time());
    println!("{}", json!({ "cpu_s": cpu_s, "kilobytes": usage.max_rss() }));
}

/// The bare client: bodies of one message, answers dropped.
#[tokio::main]
async fn send(base_url: &str, calls: usize, at_once: usize, bytes: usize) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url: Arc<str> = format!("{base_url}/chat/completions").into();
    let left = Arc::new(AtomicUsize::new(calls));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..at_once {
        let (client, url, left) = (client.clone(), url.clone(), left.clone());
        tasks.spawn(async move {
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                let message = json!({ "role": "user", "content": "x".repeat(bytes) });
                let body = json!({ "model": "m", "messages": [message] });
                let answer = client.post(&*url).json(&body).send().await.expect("an answer");
                let answer: Value = answer.json().await.expect("an answer is JSON");
                assert!(answer["choices"][0]["message"]["content"].is_string());
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no task panics");
    }
    print_usage(UsageWho::RUSAGE_SELF);
}

/// The server, in a process of its own that ends with this.
struct Server {
    process: Child,
    base_url: String,
}

impl Server {
    fn start(milliseconds: usize) -> Self {
        let mut process =
            itself(&["serve", &milliseconds.to_string()]).stdout(Stdio::piped()).spawn().expect("a server");
        let mut address = String::new();
        let stdout = process.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut address).expect("its address");
        Server { process, base_url: format!("http://{}/v1", address.trim()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn itself(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(arguments);
    command
}

/// Answers every request with the last of the listed actions that is not lethal.
#[tokio::main]
async fn serve(milliseconds: usize) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("an address"));
    let latency = Duration::from_millis(milliseconds as u64);
    let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(latency);
    let router = router.layer(axum::extract::DefaultBodyLimit::disable());
    axum::serve(listener, router).await.expect("it serves");
}

async fn answer(State(latency): State<Duration>, body: String) -> String {
    tokio::time::sleep(latency).await;
    let listed = body.rfind("Legal actions").map_or("", |from| &body[from..]);
    let harmless = listed.split("\\n").filter(|line| line.contains("HP after it")).last().unwrap_or("1.");
    let action: u32 = harmless.split('.').next().and_then(|digits| digits.parse().ok()).unwrap_or(1);
    let content = json!({ "reasoning": "It costs little and opens the way.", "action": action }).to_string();
    let choice = json!({ "index": 0, "message": { "role": "assistant", "content": content }, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": body.len() / 4, "completion_tokens": 20 });
    json!({ "choices": [choice], "usage": usage }).to_string()
}
