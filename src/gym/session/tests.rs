//! The environment by its requests and answers: what is earned, what is refused, how an episode ends.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::format::read_tower;
use crate::game::ItemMode;

fn game(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{name}.toml"));
    Game::new(read_tower(&path).expect("a floor"), ItemMode::Auto).expect("a game")
}

fn session(names: &[&str], settings: Settings) -> Session {
    Session::new(names.iter().map(|name| game(name)).collect(), settings)
}

fn exact() -> Settings {
    Settings { turns: None, memory: Some(1 << 30), effort: Effort::default() }
}

/// Sends a request and reads the answer as a program would.
fn ask(session: &mut Session, request: Value) -> Value {
    serde_json::to_value(session.answer(request.to_string().as_bytes())).expect("JSON")
}

fn chosen(answer: &Value, fits: impl Fn(&Value) -> bool) -> Value {
    let found = answer["actions"].as_array().expect("a list").iter().find(|action| fits(action));
    found.unwrap_or_else(|| panic!("no such action in {}", answer["actions"]))["number"].clone()
}

#[test]
fn without_regret_the_optimum_is_reached() {
    let mut session = session(&["simple", "complex"], exact());
    for (reset, optimum) in [(json!({}), 13), (json!({ "floor": "complex" }), 68), (json!({ "index": 0 }), 13)] {
        let mut answer = ask(&mut session, json!({ "reset": reset }));
        assert_eq!((&answer["value"], &answer["optimum"]), (&json!(optimum), &json!(optimum)));
        assert_eq!((&answer["reward"], &answer["final_hp"]), (&Value::Null, &Value::Null));
        let mut steps = 0;
        while answer["terminated"] == false {
            let best = chosen(&answer, |action| action["regret"] == 0);
            answer = ask(&mut session, json!({ "step": { "action": best } }));
            assert_eq!((&answer["value"], &answer["reward"]["value_lost"]), (&json!(optimum), &json!(0)));
            steps += 1;
        }
        assert_eq!((&answer["end"], &answer["final_hp"]), (&json!("won"), &json!(optimum)));
        assert_eq!((&answer["actions"], &answer["observation"]["turn"]), (&json!([]), &json!(steps + 1)));
        let told = ask(&mut session, json!({ "step": { "action": 1 } }));
        assert_eq!(told, json!({ "error": "the game has ended, it is won; reset begins another episode" }));
    }
}

#[test]
fn what_an_action_costs_is_what_it_then_costs() {
    let mut session = session(&["complex"], exact());
    let before = ask(&mut session, json!({ "reset": {} }));
    let early = chosen(&before, |action| action["value"] == 42);
    let door = &before["observation"]["actions"][early.as_u64().unwrap() as usize - 1];
    assert_eq!((&door["target"], &door["verb"]), (&json!({ "x": 8, "y": 7 }), &json!("open")));
    let after = ask(&mut session, json!({ "step": { "target": { "x": 8, "y": 7 } } }));
    assert_eq!((&after["value"], &after["optimum"]), (&json!(42), &json!(68)));
    let collected = ["blue gem (8,5): +1 DEF", "red potion (8,6): +75 HP"];
    assert_eq!(after["reward"], json!({ "damage": 0, "hp_change": 75, "collected": collected, "value_lost": 26 }));
    assert_eq!(ask(&mut session, json!({ "observe": {} }))["observation"], after["observation"]);
    let losing = chosen(&after, |action| action["losing"] == true && action["lethal"] == false);
    let worth = &after["actions"][losing.as_u64().unwrap() as usize - 1];
    assert_eq!((&worth["value"], &worth["regret"]), (&Value::Null, &json!(42)));
    let lost = ask(&mut session, json!({ "step": { "action": losing } }));
    assert_eq!((&lost["value"], &lost["reward"]["value_lost"]), (&Value::Null, &json!(42)));
    let actions = lost["actions"].as_array().unwrap();
    assert!(actions.iter().all(|action| action["regret"].is_null() && action["losing"] == false), "{actions:?}");
}

#[test]
fn a_lethal_action_ends_the_game() {
    let mut session = session(&["complex"], exact());
    let mut answer = ask(&mut session, json!({ "reset": {} }));
    while answer["end"].is_null() {
        let actions = answer["actions"].as_array().unwrap();
        let last = actions.iter().find(|action| action["lethal"] == true).or(actions.last()).unwrap();
        answer = ask(&mut session, json!({ "step": { "action": last["number"] } }));
    }
    assert_eq!((&answer["end"], &answer["final_hp"]), (&json!("dead"), &json!(0)));
    assert!(answer["reward"]["damage"].as_i64() > answer["reward"]["hp_change"].as_i64().map(|change| -change - 1));
}

#[test]
fn what_cannot_be_met_changes_nothing() {
    let mut session = session(&["simple", "complex"], exact());
    for request in [json!({ "observe": {} }), json!({ "step": { "action": 1 } })] {
        assert_eq!(ask(&mut session, request), json!({ "error": NOT_BEGUN }));
    }
    let before = ask(&mut session, json!({ "reset": {} }));
    for (request, told) in [
        (json!({ "step": { "action": 0 } }), "there is no action 0; the legal actions have numbers 1 to 4"),
        (json!({ "step": { "action": u32::MAX } }), "there is no action 4294967295"),
        (json!({ "step": { "target": { "x": 1, "y": 1 } } }), "(1,1)"),
        (json!({ "step": { "target": { "floor": 9, "x": 1, "y": 1 } } }), "(9:1,1)"),
        (json!({ "reset": { "floor": "hand03" } }), "there is no floor named `hand03`; there are simple, complex"),
        (json!({ "reset": { "index": 2 } }), "there is no floor 2; they count from 0 to 1"),
        (json!({ "reset": { "index": 0, "seed": 1 } }), "by one of them only"),
        (json!({ "go": {} }), "this is no request"),
    ] {
        let error = ask(&mut session, request.clone());
        assert!(error["error"].as_str().is_some_and(|error| error.contains(told)), "{request}: {error}");
        assert_eq!(ask(&mut session, json!({ "observe": {} })), before, "{request}");
    }
}

#[test]
fn the_limit_of_decisions_truncates() {
    let mut session = session(&["simple"], Settings { turns: Some(2), ..exact() });
    ask(&mut session, json!({ "reset": {} }));
    let first = ask(&mut session, json!({ "step": { "action": 4 } }));
    assert_eq!((&first["truncated"], &first["observation"]["turn_limit"]), (&json!(false), &json!(2)));
    let second = ask(&mut session, json!({ "step": { "action": 1 } }));
    let ended = [&second["truncated"], &second["terminated"], &second["end"], &second["final_hp"]];
    assert_eq!(ended, [&json!(true), &json!(false), &Value::Null, &json!(0)]);
    let told = ask(&mut session, json!({ "step": { "action": 1 } }));
    assert!(told["error"].as_str().unwrap().contains("the limit of decisions"), "{told}");
}

#[test]
fn values_that_are_not_known_say_why() {
    let mut session = session(&["simple"], Settings { turns: None, memory: None, effort: Effort::default() });
    let answer = ask(&mut session, json!({ "reset": {} }));
    assert_eq!(answer["values_unknown"], "no values were asked for");
    assert_eq!((&answer["value"], &answer["optimum"]), (&Value::Null, &Value::Null));
    let bounds = json!({ "least": null, "most": null });
    assert_eq!((&answer["bracket"], &answer["optimum_bracket"]), (&bounds, &bounds));
    let unknown =
        json!({ "number": 1, "value": null, "bracket": bounds, "regret": null, "losing": null, "lethal": false });
    assert_eq!(answer["actions"][0], unknown);
    assert_eq!(ask(&mut session, json!({ "step": { "action": 1 } }))["reward"]["value_lost"], Value::Null);
}

#[test]
fn a_seed_draws_a_floor_and_always_the_same() {
    let mut session = session(&["simple", "complex", "hand03"], Settings::default());
    let mut floor = |seed: u64| ask(&mut session, json!({ "reset": { "seed": seed } }))["observation"]["tower"].clone();
    let drawn: Vec<Value> = (0..40).map(&mut floor).collect();
    assert_eq!(drawn, (0..40).map(&mut floor).collect::<Vec<_>>());
    for name in ["simple", "complex", "hand03"] {
        assert!(drawn.iter().filter(|floor| **floor == name).count() > 5, "{name}: {drawn:?}");
    }
}
