use super::*;
use crate::agent::ChosenBy;
use crate::eval::Ending;
use sample::{Sample, episode};
use std::path::Path;

fn play(agent: &str, prompt: &str, floor: &str, seed: u64, skill: u64) -> Sample {
    let mut x = seed.wrapping_mul(0x9E3779B97F4A7C15) | 1;
    let mut next = move |n: u64| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x % n
    };
    let mut s = episode(agent, prompt, floor);
    let mut v = 68i64;
    for _ in 0..(22 + next(6)) {
        match next(100) {
            r if r < skill => {}
            r if r < 97 => {
                v -= (next(18)) as i64;
            }
            _ => v = 0,
        }
        if v <= 0 {
            let at = [(11, 8), (8, 7), (12, 2), (0, 4)][next(4) as usize];
            return s.loses(ChosenBy::Agent, "fight the Red Slime", at).lost_turns(3).ended(Ending::Stuck, 50);
        }
        s = s.values(&[v]);
    }
    if next(10) == 0 { s.ended(Ending::TurnLimit, 80) } else { s.ended(Ending::Won, v) }
}

#[test]
fn pictures() {
    let mut a = vec![];
    a.push(episode("optimal", "none", "few").values(&[68; 24]).ended(Ending::Won, 68).done());
    for r in 0..5 {
        a.push(play("Qwen3.5-397B", "single_floor", "few", r + 1, 80).done());
    }
    for r in 0..5 {
        a.push(play("Qwen3.5-397B", "solver_route", "few", r + 40, 92).done());
    }
    for (i, name) in [
        "random",
        "greedy",
        "heuristic",
        "lookahead",
        "optimal",
        "published_route",
        "a-provider/some-very-long-model-name-instruct",
    ]
    .iter()
    .enumerate()
    {
        for r in 0..(if i == 0 { 20 } else { 1 }) {
            a.push(
                play(
                    name,
                    if i == 6 { "single_floor" } else { "none" },
                    "hand01",
                    r + 7 * i as u64 + 100,
                    70 + 4 * i as u64,
                )
                .note("monster table reconstructed")
                .done(),
            );
        }
    }
    for c in 0..28 {
        for r in 0..8 {
            a.push(
                play(
                    &format!("model-{c}"),
                    ["single_floor", "route"][c % 2],
                    "many",
                    r + 1000 * c as u64,
                    60 + c as u64,
                )
                .done(),
            );
        }
    }
    for r in 0..1000 {
        a.push(play("random", "none", "thousand", r + 5, 75).done());
    }
    for r in 0..300 {
        a.push(play("heuristic", "none", "thousand", r + 5000, 85).done());
    }
    a.push(episode("a", "none", "one").values(&[68, 68, 40]).ended(Ending::Won, 40).done());
    for _ in 0..3 {
        a.push(episode("魔塔-7B", "none", "魔塔").values(&[68, 68, 40]).loses(ChosenBy::Agent, "x", (8, 7)).done());
    }
    a.push(episode("a", "none", "unwinnable").optimum(None).lost_turns(2).ended(Ending::Stuck, 5).done());
    a.push(
        episode("a", "none", "huge")
            .optimum(Some(123_456_789))
            .values(&[123_456_789, 100_000_000])
            .ended(Ending::Won, 100_000_000)
            .done(),
    );
    let t = std::time::Instant::now();
    let files = write_all(&a, Path::new("/tmp/h-report")).unwrap();
    eprintln!("{:?} {files:?}", t.elapsed());
    println!("{}", terminal(&a).unwrap());
}
