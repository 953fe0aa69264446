//! What is said of decisions of which not all values are known, case by case; and what the states of a play tell of each
//! other.

use super::judge::JudgeError;
use super::losing::{LosingBetween, losing, losing_between};
use super::tighten::tighten;
use super::{ActionValue, Count, DecisionValue};
use crate::agent::ChosenBy;
use crate::game::{Hero, Position};
use crate::solver::Worth;

const LOST: Worth = Worth::LOST;
const UNKNOWN: Worth = Worth::UNKNOWN;

fn exactly(hp: i64) -> Worth {
    Worth::exactly(Some(hp))
}

fn between(least: i64, most: i64) -> Worth {
    Worth::between(Some(least), Some(most))
}

fn at_most(most: i64) -> Worth {
    Worth::between(None, Some(most))
}

/// A decision of which the first action was executed; those that kill are named.
fn decision(turn: u32, before: Worth, next: &[Worth], lethal: &[usize]) -> DecisionValue {
    let action = |(index, worth): (usize, &Worth)| ActionValue {
        number: index as u32 + 1,
        target: Position::new(0, index as u16, 0),
        text: "open the yellow door".into(),
        lethal: lethal.contains(&index),
        worth: *worth,
    };
    DecisionValue {
        turn,
        hero: Hero::default(),
        before,
        actions: next.iter().enumerate().map(action).collect(),
        chosen: 1,
        executed: 1,
        by: ChosenBy::Agent,
    }
}

/// Before, after each action, which are lethal; whether the decision was critical, and forced.
#[test]
fn critical_and_forced_are_said_only_if_they_are_proven() {
    const YES: Option<bool> = Some(true);
    const NO: Option<bool> = Some(false);
    let saved = between(1, 9);
    type Case<'a> = (Worth, &'a [Worth], &'a [usize], Option<bool>, Option<bool>);
    let cases: [Case<'_>; 18] = [
        // All known, as ever.
        (exactly(9), &[exactly(9), LOST], &[], YES, YES),
        (exactly(9), &[exactly(9), LOST], &[1], NO, YES),
        (exactly(9), &[exactly(9), exactly(3), LOST], &[], YES, NO),
        (exactly(9), &[exactly(9)], &[], NO, YES),
        (LOST, &[LOST, LOST], &[], NO, NO),
        // One is lost and one saves, whatever else there is.
        (saved, &[saved, LOST, UNKNOWN], &[], YES, None),
        (saved, &[saved, saved, UNKNOWN], &[], None, NO),
        (saved, &[saved, UNKNOWN], &[1], NO, None),
        (saved, &[saved, LOST, UNKNOWN], &[1, 2], NO, None),
        // Some action must save, and it can only be this one.
        (saved, &[LOST, at_most(9)], &[], YES, YES),
        (saved, &[LOST, at_most(9)], &[0], None, YES),
        (saved, &[LOST, UNKNOWN, UNKNOWN], &[], YES, None),
        // Whether anything saves is not known.
        (at_most(9), &[LOST, UNKNOWN], &[], None, None),
        (at_most(9), &[LOST, UNKNOWN], &[0, 1], NO, None),
        (UNKNOWN, &[UNKNOWN, UNKNOWN], &[], None, None),
        (UNKNOWN, &[UNKNOWN], &[], None, None),
        (UNKNOWN, &[LOST, LOST], &[], NO, NO),
        (UNKNOWN, &[saved, saved], &[], NO, NO),
    ];
    for (before, next, lethal, critical, forced) in cases {
        let decision = decision(1, before, next, lethal);
        assert_eq!(
            (decision.is_critical(), decision.is_forced()),
            (critical, forced),
            "{before} → {next:?} {lethal:?}"
        );
    }
}

#[test]
fn what_is_not_known_is_counted_apart() {
    let count = Count::of([Some(true), None, Some(false), Some(true), None]);
    assert_eq!(count, Count { proven: 2, not_known: 2 });
    assert_eq!(Count::of([]), Count::default());
}

/// A play of states worth this, one action a decision and perhaps another of which nothing is known.
fn play(path: &[Worth], alternatives: bool) -> (Vec<Worth>, Vec<DecisionValue>) {
    let next = |after: Worth| if alternatives { vec![after, UNKNOWN] } else { vec![after] };
    let decisions = path.windows(2).zip(1..).map(|(pair, turn)| decision(turn, pair[0], &next(pair[1]), &[]));
    (path.to_vec(), decisions.collect())
}

fn tightened(path: &[Worth], alternatives: bool) -> (Vec<Worth>, Vec<DecisionValue>) {
    let (mut path, mut decisions) = play(path, alternatives);
    tighten(&mut path, &mut decisions).unwrap();
    for (decision, around) in decisions.iter().zip(path.windows(2)) {
        assert_eq!([decision.before, decision.after()], [around[0], around[1]]);
    }
    (path, decisions)
}

#[test]
fn what_was_won_later_could_be_won_before_and_what_could_not_be_won_is_not_won_later() {
    let (path, decisions) = tightened(&[at_most(100), UNKNOWN, between(12, 340), UNKNOWN, LOST], true);
    assert_eq!(path, [between(12, 100), between(12, 100), between(12, 100), at_most(100), LOST]);
    // What was not done is bounded by the state before it.
    assert_eq!(decisions[0].actions[1].worth, at_most(100));
    assert_eq!(decisions[3].actions[1].worth, at_most(100));
    // With one action there was no choice.
    let (path, _) = tightened(&[UNKNOWN, at_most(60), exactly(40)], false);
    assert_eq!(path, [exactly(40); 3]);
    let won = tightened(&[UNKNOWN, UNKNOWN, exactly(21)], true);
    assert_eq!(won.0, [Worth::between(Some(21), None), Worth::between(Some(21), None), exactly(21)]);
}

#[test]
fn known_values_stay_as_they_are() {
    let path = [exactly(68), exactly(68), exactly(42), LOST, LOST];
    let (kept, decisions) = tightened(&path, true);
    assert_eq!(kept, path);
    assert!(decisions.iter().all(DecisionValue::is_known));
    assert_eq!(tightened(&path[3..], false), play(&path[3..], false));
}

#[test]
fn bounds_that_cross_are_a_mistake_that_is_told() {
    for path in [[at_most(10), exactly(11)], [LOST, between(1, 2)], [between(5, 4), UNKNOWN]] {
        let (mut path, mut decisions) = play(&path, true);
        let error = tighten(&mut path, &mut decisions).unwrap_err();
        assert!(matches!(error, JudgeError::Contradiction { turn: 1, .. }), "{error}");
    }
}

#[test]
fn the_losing_decision_is_named_if_it_is_proven_and_else_bounded() {
    let between_turns = |first, last, could_be_won| Some(LosingBetween { first, last, could_be_won });
    let saved = between(12, 340);
    let cases: [(&[Worth], Option<u32>, Option<LosingBetween>); 10] = [
        (&[exactly(68), exactly(42), LOST, LOST], Some(2), None),
        (&[saved, saved, LOST, LOST], Some(2), None),
        (&[saved, saved, at_most(200), at_most(200), LOST, LOST], None, between_turns(2, Some(4), true)),
        (&[saved, UNKNOWN, LOST], None, between_turns(1, Some(2), true)),
        // Saved to the end: there is none. Not known at the end: there may be one.
        (&[saved, saved, saved], None, None),
        (&[saved, saved, UNKNOWN], None, between_turns(2, None, true)),
        // It may have been lost from the start.
        (&[UNKNOWN, UNKNOWN, LOST], None, between_turns(1, Some(2), false)),
        (&[UNKNOWN, UNKNOWN], None, between_turns(1, None, false)),
        (&[LOST, LOST], None, None),
        (&[saved], None, None),
    ];
    for (path, which, where_it_is) in cases {
        let (path, decisions) = tightened(path, true);
        assert_eq!(losing(&decisions).map(|losing| losing.turn), which, "{path:?}");
        assert_eq!(losing_between(&decisions, path[0]), where_it_is, "{path:?}");
    }
    let words = |between: Option<LosingBetween>| between.map(|between| between.in_words()).unwrap();
    assert_eq!(words(between_turns(3, Some(17), true)), "between decisions 3 and 17");
    assert_eq!(words(between_turns(3, None, true)), "at decision 3 or later, if there is one");
    assert_eq!(words(between_turns(1, Some(4), false)), "between decisions 1 and 4, or lost from the start");
}

#[test]
fn earlier_losses_are_those_that_are_proven() {
    let (_, decisions) = tightened(&[between(60, 70), between(10, 50), between(10, 45), LOST], true);
    let losing = losing(&decisions).unwrap();
    assert_eq!((losing.turn, losing.earlier_losses, losing.earlier_not_known), (3, 1, 1));
    assert_eq!(losing.before, between(10, 45));
}
