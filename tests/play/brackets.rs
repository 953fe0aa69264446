//! Bounds of state values against the values themselves, on thousands of random towers: what little effort proves is true,
//! and nothing that is said of a decision is contradicted by what is so.

use crate::towers::{Kind, item_mode, tower};
use mota::analysis::judge::{losing, losing_between, play};
use mota::analysis::{DecisionValue, LosingBetween};
use mota::game::{Game, State, Tower};
use mota::solver::{Effort, SolveError, Values, Worth, Worths, values::DEFAULT_MEMORY};
use proptest::prelude::*;

/// A play of some choices: its states, one more than decisions, and the numbers of the actions.
fn played(game: &Game, choices: &[prop::sample::Index]) -> (Vec<State>, Vec<u32>) {
    let (mut states, mut executed) = (vec![game.start().unwrap()], Vec::new());
    for choice in choices {
        let state = &states[states.len() - 1];
        let actions = game.actions(state).unwrap();
        if actions.is_empty() {
            break;
        }
        let index = choice.index(actions.len());
        executed.push(index as u32 + 1);
        states.push(game.apply(state, &actions[index]).unwrap().state);
    }
    (states, executed)
}

/// Nothing proven: only the states of a play are judged, each by so many steps.
fn path_only(game: &Game, steps: u64) -> Worths {
    let unproven = SolveError::NotProven { best: None, upper_bound: None };
    let worths = Worths::of(game, Err(unproven), Effort::Steps(steps)).unwrap();
    assert!(!worths.judge_alternatives() && worths.why_unknown().is_some());
    worths
}

fn contains(worth: Worth, value: Worth) -> bool {
    value.is_known() && worth.least <= value.least && value.most <= worth.most
}

fn agrees(said: Option<bool>, truly: Option<bool>) -> bool {
    said.is_none() || said == truly
}

/// What bounds say of a decision against what is so.
fn check_decision(said: &DecisionValue, truly: &DecisionValue) -> Result<(), TestCaseError> {
    prop_assert!(contains(said.before, truly.before), "before: {} for {}", said.before, truly.before);
    for (one, other) in said.actions.iter().zip(&truly.actions) {
        prop_assert!(contains(one.worth, other.worth), "{}: {} for {}", one.text, one.worth, other.worth);
        prop_assert_eq!(
            (one.number, one.target, &one.text, one.lethal),
            (other.number, other.target, &other.text, other.lethal)
        );
    }
    type Claim = fn(&DecisionValue) -> Option<bool>;
    let claims: [(&str, Claim); 5] = [
        ("optimal", DecisionValue::is_optimal),
        ("loses value", DecisionValue::loses_value),
        ("losing", DecisionValue::is_losing),
        ("critical", DecisionValue::is_critical),
        ("forced", DecisionValue::is_forced),
    ];
    for (claim, of) in claims {
        prop_assert!(of(truly).is_some(), "{} is not told of known values", claim);
        prop_assert!(agrees(of(said), of(truly)), "{}: {:?}, {:?}", claim, of(said), of(truly));
    }
    prop_assert!(said.value_lost().is_none() || said.value_lost() == truly.value_lost());
    Ok(())
}

fn check(
    tower: Tower,
    items: mota::game::ItemMode,
    choices: &[prop::sample::Index],
    steps: u64,
) -> Result<(), TestCaseError> {
    let game = Game::new(tower, items).unwrap();
    let (states, executed) = played(&game, choices);
    let states: Vec<&State> = states.iter().collect();
    let exact = Worths::new(&game, DEFAULT_MEMORY, Effort::default()).unwrap();
    prop_assert!(exact.why_unknown().is_none());
    let (optimum, truly) = play(&exact, &states, &executed).unwrap();
    // What is known is not changed by what its neighbours tell of it.
    let values = exact.values().unwrap();
    for (decision, state) in truly.iter().zip(&states) {
        prop_assert_eq!(decision.before, Worth::exactly(values.of(state).unwrap()));
    }
    let which = losing(&truly);
    prop_assert_eq!(losing_between(&truly, optimum), None);

    let little = path_only(&game, steps);
    for state in &states {
        let worth = little.of_state(state).unwrap();
        prop_assert!(contains(worth, Worth::exactly(values.of(state).unwrap())), "{} at {:?}", worth, state);
    }
    let searched = Values::new(&game, 0).unwrap();
    prop_assert!(searched.keys().is_none());
    let searched = Worths::of(&game, Ok(searched.into()), Effort::Steps(steps)).unwrap();
    prop_assert!(searched.judge_alternatives());
    for worths in [&little, &searched] {
        let (least_known, said) = play(worths, &states, &executed).unwrap();
        prop_assert!(contains(least_known, optimum));
        prop_assert_eq!(said.len(), truly.len());
        for (said, truly) in said.iter().zip(&truly) {
            check_decision(said, truly)?;
        }
        match (losing(&said), losing_between(&said, least_known)) {
            (Some(said), between) => {
                prop_assert_eq!(Some(said.turn), which.as_ref().map(|losing| losing.turn));
                prop_assert_eq!(between, None);
            }
            (None, Some(LosingBetween { first, last, could_be_won })) => match &which {
                Some(losing) => prop_assert!((first..=last.unwrap_or(u32::MAX)).contains(&losing.turn)),
                // It was never lost, or never to be won: neither is denied.
                None => prop_assert!(last.is_none() || !could_be_won),
            },
            (None, None) => prop_assert_eq!(&which, &None),
        }
        // The same effort says the same again, whatever was asked before.
        let again = if std::ptr::eq(worths, &little) { path_only(&game, steps) } else { continue };
        prop_assert_eq!(play(&again, &states, &executed).unwrap().1, said);
    }
    Ok(())
}

fn choices() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn floors(tower in tower(Kind { floors: 1, rows: 3, shop: false, abilities: true, vampire: false }), items in item_mode(), choices in choices(), steps in 1_u64..60) {
        check(tower, items, &choices, steps)?;
    }

    #[test]
    fn several_floors(tower in tower(Kind { floors: 2, rows: 3, shop: true, abilities: false, vampire: true }), choices in choices(), steps in 1_u64..200) {
        check(tower, mota::game::ItemMode::Auto, &choices, steps)?;
    }
}
