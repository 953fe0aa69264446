//! Prompts that carry a route: the model's own, written first and revised, and a solver's.

use std::fs;

use mota::agent::call::Asks;
use mota::agent::{ChosenBy, Verdict};
use mota::eval::Ending;
use mota::eval::episode::Outcome;
use mota::game::Position;
use mota::model::Endpoint;
use mota::prompt::AnswerForm;
use serde_json::json;

use crate::server::{Line, completion, says};
use crate::sitting::{OPTIMUM, Sitting, acts, optimal_answers, question, words};

/// A route of two tiles that holds nothing, and a tile that is none.
const ODD: [(u16, u16); 3] = [(6, 4), (0, 0), (5, 6)];

fn written(route: &[(u16, u16)]) -> Line {
    says(&json!({ "reasoning": "x", "route": words(route) }).to_string())
}

/// The lines of a prompt from a heading to the next blank line.
fn section(prompt: &str, heading: &str) -> String {
    let from = prompt.find(heading).unwrap_or_else(|| panic!("{heading} is not in\n{prompt}"));
    prompt[from..].lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_route_is_written_carried_marked_and_revised() {
    let sitting = Sitting::of("route", 4);
    let script = vec![
        written(&ODD),
        acts(&[], (6, 4)),
        acts(&[], (5, 6)),
        acts(&[(5, 6), (4, 7), (3, 7)], (4, 7)),
        acts(&[], (3, 7)),
    ];
    let (outcome, requests) = sitting.play(script).await;
    assert_eq!(outcome, Outcome::Finished(Ending::TurnLimit));
    assert_eq!(requests.len(), 5, "writing the route is a call and no turn");
    let schema = |request: usize| &requests[request]["response_format"]["json_schema"]["schema"]["required"];
    assert_eq!((schema(0), schema(1)), (&json!(["reasoning", "route"]), &json!(["reasoning", "route", "action"])));
    assert!(!question(&requests[0]).contains("Legal actions\n") && question(&requests[0]).contains("whole route"));
    let routes: Vec<String> = requests[1..].iter().map(|request| section(question(request), "Your route")).collect();
    insta::assert_snapshot!(routes.join("\n\n"), @r"
    Your route
    1. Black Slime (6,4): next
    2. open floor (0,0): there is nothing to do here
    3. Green Slime (5,6)

    Your route
    1. Black Slime (6,4): done
    2. open floor (0,0): there is nothing to do here
    3. Green Slime (5,6): next

    Your route
    1. Black Slime (6,4): done
    2. open floor (0,0): there is nothing to do here
    3. Green Slime (5,6): done

    Your route
    1. Green Slime (5,6): done
    2. yellow door (4,7): done
    3. Black Slime (3,7): next
    ");
    let trace = sitting.trace();
    let asked: Vec<(u32, Asks)> = trace.calls.iter().map(|call| (call.turn, call.asks)).collect();
    let expected = [(1, Asks::Route), (1, Asks::Action), (2, Asks::Action), (3, Asks::Action), (4, Asks::Action)];
    assert_eq!(asked, expected);
    let tiles = |route: &[(u16, u16)]| Some(route.iter().map(|(x, y)| Position::new(0, *x, *y)).collect::<Vec<_>>());
    assert_eq!(trace.calls[0].route, tiles(&ODD));
    assert_eq!((trace.calls[1].route.clone(), trace.calls[3].route.clone()), (None, tiles(&[(5, 6), (4, 7), (3, 7)])));
}

/// A route that is lost with an interruption would change everything that is asked after it.
#[tokio::test]
async fn cut_after_any_line_the_route_is_as_it_was() {
    let sitting = Sitting::of("route", 4);
    let answers = || {
        vec![
            says("nonsense"),
            written(&ODD),
            acts(&[], (6, 4)),
            acts(&[(4, 7)], (5, 6)),
            says("?"),
            acts(&[], (4, 7)),
            acts(&[], (3, 7)),
        ]
    };
    let (_, whole) = sitting.play(answers()).await;
    assert_eq!(whole.len(), answers().len());
    let (expected, text) = (sitting.timeless(), fs::read_to_string(sitting.path()).expect("a trace"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for keep in 0..lines.len() {
        fs::write(sitting.path(), lines[..keep].concat()).expect("a trace");
        let answered = lines[..keep].iter().filter(|line| line.contains(r#""record":"call""#)).count();
        let (_, requests) = sitting.play(answers().split_off(answered.min(answers().len() - 1))).await;
        assert_eq!(requests, whole[answered..], "what is asked after line {keep}");
        assert_eq!(sitting.timeless(), expected, "cut after line {keep}");
    }
}

#[tokio::test]
async fn a_model_that_writes_no_route_plays_without_one() {
    let sitting = Sitting::of("route", 1);
    let cut = completion(json!({ "content": "{\"route\": [\"(1," }), "length");
    let (_, requests) = sitting.play(vec![says("north"), cut, says(""), acts(&[], (6, 4))]).await;
    let trace = sitting.trace();
    let verdicts: Vec<Verdict> = trace.calls.iter().map(|call| call.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unparsable, Verdict::Truncated, Verdict::Empty, Verdict::Ok]);
    assert_eq!(trace.decisions[0].by, ChosenBy::Agent);
    insta::assert_snapshot!(section(question(&requests[3]), "You have written"), @"You have written no route.");
    insta::assert_snapshot!(question(&requests[1]), @"No route could be found in your answer; write the tiles of your route in their order, such as (3,4) (3,1).");
}

#[tokio::test]
async fn a_route_comes_in_every_form() {
    for form in [AnswerForm::JsonSchema, AnswerForm::Tool, AnswerForm::Text] {
        let mut sitting = Sitting::of("route", 1);
        sitting.endpoint = Endpoint { answer: form, ..sitting.endpoint };
        let call = |name: &str, arguments: serde_json::Value| {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            completion(
                json!({ "content": null, "tool_calls": [{ "type": "function", "function": function }] }),
                "tool_calls",
            )
        };
        let script = match form {
            AnswerForm::JsonSchema => vec![written(&ODD), acts(&[(5, 6)], (6, 4))],
            AnswerForm::Tool => vec![
                call("write_route", json!({ "route": words(&ODD) })),
                call("choose_action", json!({ "route": ["(5,6)"], "action": "(6,4)" })),
            ],
            AnswerForm::Text => vec![says("Hm.\nRoute: (6,4) (0,0) (5,6)"), says("Route: (5,6)\nAction: (6,4)")],
        };
        let (_, requests) = sitting.play(script).await;
        let trace = sitting.trace();
        let steps: Vec<usize> = trace.calls.iter().filter_map(|call| Some(call.route.as_ref()?.len())).collect();
        assert_eq!((steps, trace.decisions[0].target), (vec![3, 1], Position::new(0, 6, 4)), "{form:?}");
        if form == AnswerForm::Tool {
            let names: Vec<&serde_json::Value> =
                requests.iter().map(|request| &request["tools"][0]["function"]["name"]).collect();
            assert_eq!(names, ["write_route", "choose_action"]);
        }
    }
}

#[tokio::test]
async fn the_solvers_route_is_listed_with_what_is_done() {
    let sitting = Sitting::of("solver_route", 30);
    let (outcome, requests) = sitting.play(optimal_answers()).await;
    assert_eq!(outcome, Outcome::Finished(Ending::Won));
    assert_eq!(requests.len(), OPTIMUM.len(), "a solver's route is not asked for");
    assert_eq!(sitting.trace().footer.map(|footer| footer.hero.hp), Some(13));
    let listed = section(question(&requests[3]), "A route that a solver found");
    insta::assert_snapshot!(listed.lines().take(6).collect::<Vec<_>>().join("\n"), @r"
    A route that a solver found, from the first turn on
    1. fight the Black Slime (6,4): done
    2. fight the Green Slime (5,6): done
    3. open the yellow door (4,7): done
    4. fight the Black Slime (3,7): next
    5. open the yellow door (7,0)
    ");
    assert_eq!(listed.lines().count(), 1 + OPTIMUM.len());
}
