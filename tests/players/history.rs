//! Earlier turns as messages, and what is left out for the sake of a limit.

use std::sync::Arc;
use std::time::Duration;

use mota::agent::conversation;
use mota::eval::Ending;
use mota::eval::config::{Limits, Span};
use mota::eval::episode::Outcome;
use mota::model::endpoint::{Full, History};
use mota::model::{Cache, Endpoint, Price};
use serde_json::{Value, json};

use crate::server::{Line, Server, says};
use crate::sitting::{OPTIMUM, Sitting, optimal_answers};

fn roles(request: &Value) -> String {
    let messages = request["messages"].as_array().expect("messages");
    messages.iter().map(|message| message["role"].as_str().expect("a role").chars().next().unwrap_or('?')).collect()
}

fn with_history(history: History, turns: u32) -> Sitting {
    let mut sitting = Sitting::of("single_floor", turns);
    sitting.endpoint = Endpoint { history: Some(history), ..sitting.endpoint };
    sitting
}

/// What the trace says was sent is what the server got.
fn check_trace(sitting: &Sitting, requests: &[Value]) {
    let trace = sitting.trace();
    assert_eq!(trace.calls.len(), requests.len());
    for (number, (call, request)) in trace.calls.iter().zip(requests).enumerate() {
        let sent = json!(conversation::sent(call, &trace.calls[..number]));
        assert_eq!(sent, request["messages"], "call {number}");
    }
}

#[tokio::test]
async fn earlier_prompts_and_answers_are_sent_again() {
    let sitting = with_history(History::All(Full::Full), 4);
    let mut script = optimal_answers();
    script.insert(1, says("what?"));
    let (_, requests) = sitting.play(script).await;
    let told: Vec<String> = requests.iter().map(roles).collect();
    assert_eq!(told, ["su", "suau", "suauau", "suauau", "suauauau"], "an answer that cannot be used is not carried on");
    check_trace(&sitting, &requests);
    // What came of a turn stands in the next question; no turn is told twice.
    let asked = |number: usize| {
        requests.last().expect("a request")["messages"][number]["content"].as_str().unwrap_or_default().to_owned()
    };
    assert!(asked(3).contains("Last turns\nturn 1: ") && !asked(5).contains("turn 1: "), "{}", asked(5));
    assert_eq!(asked(2), "Target: (6,4)");
}

#[tokio::test]
async fn so_many_of_the_last_turns_are_sent_again() {
    let sitting = with_history(History::Turns(2), 5);
    let (_, requests) = sitting.play(optimal_answers()).await;
    let told: Vec<String> = requests.iter().map(roles).collect();
    assert_eq!(told, ["su", "suau", "suauau", "suauau", "suauau"]);
    check_trace(&sitting, &requests);
}

/// Nobody counts tokens here: 3,000 of them are guessed to be 9,000 bytes.
#[tokio::test]
async fn what_does_not_fit_is_left_out_and_said_to_be() {
    for prompt in ["single_floor", "route"] {
        let mut sitting = Sitting::of(prompt, 6);
        let (history, prompt_tokens) = (Some(History::All(Full::Full)), Some(3_500));
        sitting.endpoint = Endpoint { history, prompt_tokens, ..sitting.endpoint };
        let mut script = vec![uncounted("Route: (6,4) (5,6)")];
        script.truncate(usize::from(prompt == "route"));
        script.extend(OPTIMUM.iter().map(|(x, y)| uncounted(&format!("Target: ({x},{y})"))));
        let (_, requests) = sitting.play(script).await;
        check_trace(&sitting, &requests);
        let texts = |request: &Value| -> Vec<String> {
            let messages = request["messages"].as_array().expect("messages");
            messages.iter().map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
        };
        for request in &requests {
            let bytes: usize = texts(request).iter().map(|text| text.len() + 12).sum();
            assert!(bytes <= 10_500, "{prompt}: {bytes} bytes");
        }
        let last = texts(requests.last().expect("a request"));
        let left_out = 5 - (last.len() - 2) / 2;
        assert!((1..5).contains(&left_out), "{prompt}: {} messages", last.len());
        assert!(last[1].starts_with(&format!("({left_out} earlier turn")), "{prompt}: {}", last[1]);
        assert_eq!(sitting.trace().calls.last().map(|call| call.cut as usize), Some(left_out));
    }
}

fn uncounted(content: &str) -> Line {
    let choice = json!({ "message": { "content": content }, "finish_reason": "stop" });
    Line::Body(json!({ "choices": [choice] }).to_string())
}

/// Without messages of earlier turns it is the lines about them that are left out; what remains must fit.
#[tokio::test]
async fn a_prompt_that_is_too_long_tells_less_and_then_ends_its_episode() {
    let counted = |target: (u16, u16), tokens: u64| {
        let body = json!({
            "choices": [{ "message": { "content": format!("Target: ({},{})", target.0, target.1) }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": tokens, "completion_tokens": 10 },
        });
        Line::Body(body.to_string())
    };
    let bytes = |request: &Value| -> u64 {
        let messages = request["messages"].as_array().expect("messages").iter();
        messages.map(|message| message["content"].as_str().unwrap_or_default().len() as u64 + 12).sum()
    };
    let free = Sitting::of("single_floor", 2);
    let (_, whole) = free.play(optimal_answers()).await;
    // The server counts a token a byte, and the second prompt, longer by the lines about the first turn, is one too long.
    let (first, second) = (bytes(&whole[0]), bytes(&whole[1]));
    let mut sitting = Sitting::of("single_floor", 5);
    sitting.endpoint = Endpoint { prompt_tokens: Some(second - 1), ..sitting.endpoint };
    let script = vec![counted(OPTIMUM[0], first), counted(OPTIMUM[1], 2 * second)];
    let (outcome, requests) = sitting.play(script).await;
    assert_eq!(outcome, Outcome::Finished(Ending::Aborted));
    check_trace(&sitting, &requests);
    assert_eq!(requests.len(), 2);
    let text = |number: usize| requests[number]["messages"][1]["content"].as_str().unwrap_or_default().to_owned();
    assert!(text(1).starts_with("(1 earlier turn is left out.)\n\n") && !text(1).contains("Last turns"), "{}", text(1));
    let reason = sitting.trace().footer.and_then(|footer| footer.reason).unwrap_or_default();
    let ends = format!("prompt_tokens allows {}", second - 1);
    assert!(reason.starts_with("the prompt comes to about ") && reason.ends_with(&ends), "{reason}");
}

/// A server whose tokens a byte change from call to call, and answers that cannot be used in between: what is left out, and
/// whether the episode ends, follows from what was answered, not from where it was interrupted.
#[tokio::test]
async fn cut_after_any_line_what_is_left_out_is_the_same() {
    let counted = |content: &str, tokens: u64| {
        let choice = json!({ "message": { "content": content }, "finish_reason": "stop" });
        let usage = json!({ "prompt_tokens": tokens, "completion_tokens": 10 });
        Line::Body(json!({ "choices": [choice], "usage": usage }).to_string())
    };
    let script = || -> Vec<Line> {
        let mut lines = Vec::new();
        for (turn, (x, y)) in OPTIMUM.iter().enumerate().take(6) {
            lines.push(counted("I do not know.", 1_000 + 150 * (turn as u64 % 3)));
            lines.push(counted(&format!("Target: ({x},{y})"), 1_250 - 100 * (turn as u64 % 2)));
        }
        lines
    };
    let (mut endings, mut cuts) = (Vec::new(), 0);
    for (history, most) in [(None, 1_260), (None, 1_300), (None, 1_500), (Some(History::Turns(2)), 3_000)] {
        let mut sitting = Sitting::of("single_floor", 6);
        sitting.endpoint = Endpoint { history, prompt_tokens: Some(most), ..sitting.endpoint };
        let (outcome, whole) = sitting.play(script()).await;
        check_trace(&sitting, &whole);
        let expected = sitting.timeless();
        cuts += sitting.trace().calls.iter().filter(|call| call.cut > 0).count();
        endings.push(outcome.clone());
        let text = std::fs::read_to_string(sitting.path()).expect("a trace");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for keep in 0..lines.len() {
            std::fs::write(sitting.path(), lines[..keep].concat()).expect("a trace");
            let answered = lines[..keep].iter().filter(|line| line.contains(r#""record":"call""#)).count();
            let (again, requests) = sitting.play(script().split_off(answered.min(script().len() - 1))).await;
            assert_eq!((&again, &requests[..]), (&outcome, &whole[answered..]), "{most} tokens, cut after line {keep}");
            assert_eq!(sitting.timeless(), expected, "{most} tokens, cut after line {keep}");
        }
    }
    assert!(cuts > 0 && endings.contains(&Outcome::Finished(Ending::Aborted)), "{cuts} {endings:?}");
    assert!(endings.contains(&Outcome::Finished(Ending::TurnLimit)), "{endings:?}");
}

/// Asking again makes the conversation longer; the lines about earlier turns give way before the episode does.
#[tokio::test]
async fn asking_again_makes_room_for_itself() {
    let free = Sitting::of("single_floor", 6);
    let mut script = optimal_answers();
    script.insert(5, says("?"));
    let bytes = |request: &Value| -> u64 {
        let messages = request["messages"].as_array().expect("messages").iter();
        messages.map(|message| message["content"].as_str().unwrap_or_default().len() as u64 + 12).sum()
    };
    // Nobody counts, so that three bytes are a token throughout.
    let uncounting = |lines: Vec<Line>| -> Vec<Line> {
        let strip = |line: Line| match line {
            Line::Body(body) => Line::Body(body.replace("\"usage\"", "\"used\"")),
            other => other,
        };
        lines.into_iter().map(strip).collect()
    };
    let (_, whole) = free.play(uncounting(script.clone())).await;
    let mut sitting = Sitting::of("single_floor", 6);
    // The sixth question fits, and asking it again does not.
    let most = bytes(&whole[5]).div_ceil(3) + 5;
    assert!(most < bytes(&whole[6]).div_ceil(3));
    sitting.endpoint = Endpoint { prompt_tokens: Some(most), ..sitting.endpoint };
    let (outcome, requests) = sitting.play(uncounting(script)).await;
    assert_eq!(outcome, Outcome::Finished(Ending::TurnLimit));
    check_trace(&sitting, &requests);
    let cut: Vec<u32> = sitting.trace().calls.iter().map(|call| call.cut).collect();
    assert_eq!(cut, [0, 0, 0, 0, 0, 0, 5]);
}

/// A budget is no less one because a server does not count: what it used is guessed from lengths, and said to be.
#[tokio::test]
async fn what_nobody_counts_is_guessed() {
    let mut sitting = Sitting::of("single_floor", 30);
    sitting.limits = Limits { tokens: Some(6_000), ..sitting.limits };
    sitting.endpoint = Endpoint { max_tokens: Some(50), ..sitting.endpoint };
    let script = OPTIMUM.iter().map(|(x, y)| uncounted(&format!("Target: ({x},{y})"))).collect();
    let (outcome, requests) = sitting.play(script).await;
    assert_eq!((outcome, requests.len()), (Outcome::Finished(Ending::Aborted), 4));
    let trace = sitting.trace();
    assert!(trace.calls.iter().all(|call| call.usage.guessed && call.usage.prompt_tokens > 1_000));
    assert!(trace.spent().tokens <= 6_000);
}

/// A limit of tokens or money is not passed: a call that may pass it is not made.
#[tokio::test]
async fn an_episode_ends_before_it_passes_its_budget() {
    let usage = |cost: Option<f64>| {
        let mut usage = json!({ "prompt_tokens": 1_600, "completion_tokens": 100 });
        if let Some(cost) = cost {
            usage["cost"] = json!(cost);
        }
        usage
    };
    let script = |cost: Option<f64>| {
        let line = |target: &(u16, u16)| {
            let content = format!("Target: ({},{})", target.0, target.1);
            let choice = json!({ "message": { "content": content }, "finish_reason": "stop" });
            Line::Body(json!({ "choices": [choice], "usage": usage(cost) }).to_string())
        };
        OPTIMUM.iter().map(line).collect::<Vec<_>>()
    };
    let price = Price { input: 10.0, output: 100.0, ..Price::default() };
    let cases = [
        ("tokens", Limits { tokens: Some(6_000), ..Limits::default() }, None, None, 3),
        // 1,600 x 10 + 100 x 100 millionths of a dollar a call, by our prices; by the provider's word twice that.
        ("our prices", Limits { cost_usd: Some(0.08), ..Limits::default() }, Some(price), None, 3),
        ("its word", Limits { cost_usd: Some(0.08), ..Limits::default() }, None, Some(0.026), 3),
    ];
    for (what, limits, price, cost, calls) in cases {
        let mut sitting = Sitting::of("single_floor", 30);
        sitting.limits = Limits { turns: 30, ..limits };
        sitting.endpoint = Endpoint { max_tokens: Some(100), price, ..sitting.endpoint };
        let (outcome, requests) = sitting.play(script(cost)).await;
        assert_eq!((outcome, requests.len()), (Outcome::Finished(Ending::Aborted), calls), "{what}");
        let reason = sitting.trace().footer.and_then(|footer| footer.reason).unwrap_or_default();
        assert!(reason.starts_with("the limit of ") && reason.contains(", the next call may "), "{what}: {reason}");
    }
}

#[tokio::test]
async fn an_episode_waits_no_longer_than_it_may() {
    let mut sitting = Sitting::of("single_floor", 3);
    sitting.limits = Limits { wait: Some(Span(Duration::from_secs(5))), ..sitting.limits };
    let busy = Line::Status(429, Some("4"), "slow down");
    let (outcome, requests) = sitting.play(vec![Line::Status(429, Some("6"), "slow down"), busy]).await;
    assert_eq!((outcome, requests.len()), (Outcome::Finished(Ending::Aborted), 1), "six seconds are too long");
    let trace = sitting.trace();
    assert!(trace.footer.and_then(|footer| footer.reason).is_some_and(|reason| reason.contains("the limit is 5 s")));
}

/// An answer that was had once is not asked for again, and is what it was; another repeat asks for its own.
#[tokio::test]
async fn an_answer_from_the_cache_is_the_answer() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let server = Server::start(optimal_answers()).await;
    let sitting = |repeat| {
        let cache = Some(Arc::new(Cache::new(folder.path())));
        Sitting { cache, repeat, ..Sitting::of("single_floor", 30) }
    };
    let (first, second, third) = (sitting(0), sitting(0), sitting(1));
    assert_eq!(first.play_at(&server.base_url).await, Outcome::Finished(Ending::Won));
    let asked = server.requests().len();
    assert_eq!(second.play_at(&server.base_url).await, Outcome::Finished(Ending::Won));
    assert_eq!(server.requests().len(), asked, "nothing is asked twice");
    assert_eq!(second.timeless(), first.timeless());
    let (paid, free) = (first.trace(), second.trace());
    assert!(paid.calls.iter().all(|call| !call.time.from_cache) && free.calls.iter().all(|call| call.time.from_cache));
    assert_eq!((paid.spent().tokens, free.spent().tokens), (1_100 * asked as u64, 0));
    third.play_at(&server.base_url).await;
    assert!(server.requests().len() > asked, "another repeat is another question");
}
