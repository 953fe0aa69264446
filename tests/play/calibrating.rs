//! Calibration: the same outcome on any number of threads, anytime, and never worse than what the floor had.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use mota::calibrate::{
    Calibration, Candidate, Limits, Measure, Measured, Parameter, Quantity, Subject, Target, Wanted, search,
};
use mota::format::{read_tower, write_native};
use mota::game::{Game, Hero, ItemMode, Tower};
use mota::inspect::Player;
use mota::solver::Values;

fn simple() -> Tower {
    read_tower(Path::new("floors/simple.toml")).unwrap()
}

fn limits() -> Limits {
    Limits { most_candidates: 320, memory: 1 << 28, most_steps: 100_000, threads: 2, seed: 3, anew: false }
}

fn target(measure: Measure, from: i64, to: i64) -> Target {
    Target { measure, wanted: Wanted::Within(from..=to) }
}

fn run(targets: &[Target], limits: &Limits) -> Calibration {
    let tower = simple();
    search(&tower, &Parameter::default_of(&tower), targets, limits, &|| false, |_| {}).unwrap()
}

/// Values, and distance of the best.
fn best(calibration: &Calibration) -> &Candidate {
    calibration.best.as_ref().unwrap()
}

/// Targets that no table within the default ranges meets: the search goes on to its limit.
fn out_of_reach() -> [Target; 2] {
    [target(Measure::Optimum, 60, 80), target(Measure::Decisions, 90, 99)]
}

#[test]
fn the_outcome_does_not_depend_on_threads() {
    let one = run(&out_of_reach(), &Limits { threads: 1, ..limits() });
    assert_eq!(one, run(&out_of_reach(), &limits()));
    assert_eq!(one, run(&out_of_reach(), &Limits { threads: 5, ..limits() }));
    let other = run(&out_of_reach(), &Limits { seed: 4, ..limits() });
    assert_ne!(best(&one).values, best(&other).values);
    assert_eq!((one.candidates, one.complete, one.stopped), (320, false, false));
}

#[test]
fn more_candidates_are_never_worse_and_begin_alike() {
    let distances = [1, 32, 33, 320].map(|most_candidates| {
        let calibration = run(&out_of_reach(), &Limits { most_candidates, ..limits() });
        assert_eq!(calibration.candidates, most_candidates);
        best(&calibration).distance
    });
    assert!(distances.is_sorted_by(|one, other| one >= other), "{distances:?}");
    assert!(distances[3] < distances[0], "{distances:?}");
}

#[test]
fn what_is_told_is_what_the_floor_is() {
    let greedy = Target { measure: Measure::Agent(Player::Greedy), wanted: Wanted::Lost };
    let targets = [target(Measure::Optimum, 100, 200), target(Measure::Forced, 1, 99), greedy];
    let calibration = run(&targets, &Limits { most_candidates: 20_000, ..limits() });
    assert!(calibration.complete, "{:?}", calibration.best);
    let game = Game::new(calibration.tower.clone(), ItemMode::Auto).unwrap();
    let optimum = Values::new(&game, 1 << 28).unwrap().of(&game.start().unwrap()).unwrap();
    assert_eq!(optimum, best(&calibration).optimum.number());
    assert!((100..=200).contains(&optimum.unwrap()));
    // Only what was varied has changed, and within its range.
    let mut before = simple();
    for parameter in Parameter::default_of(&before) {
        assert!(parameter.range.contains(&parameter.value_on(&calibration.tower)), "{parameter}");
    }
    before.monsters = calibration.tower.monsters.clone();
    assert_eq!(write_native(&before), write_native(&calibration.tower));
}

#[test]
fn a_floor_that_meets_its_targets_stays_as_it_is() {
    let calibration = run(&[target(Measure::Optimum, 13, 13)], &limits());
    assert_eq!((calibration.tower, calibration.complete), (simple(), true));
    let anew = run(&[target(Measure::Optimum, 13, 13)], &Limits { anew: true, most_candidates: 1, ..limits() });
    assert_ne!(anew.tower, simple());
}

#[test]
fn a_search_that_is_stopped_at_once_keeps_the_floor() {
    let tower = simple();
    // Values that the floor does not have: it must not be given them unmeasured.
    let parameters = [Parameter::number(Subject::Monster("B".into()), Quantity::Hp, 500..=600)];
    let never = |_: &_| panic!("nothing to tell");
    let stopped = search(&tower, &parameters, &out_of_reach(), &limits(), &|| true, never).unwrap();
    assert_eq!((stopped.tower, stopped.candidates, stopped.stopped, stopped.complete), (tower, 0, true, false));
    assert_eq!(stopped.best, None);
}

/// Whatever moment a search is stopped at, as many candidates as it tells lead to the same.
#[test]
fn a_search_that_is_stopped_in_between_is_made_again_by_its_number() {
    let tower = simple();
    let parameters = Parameter::default_of(&tower);
    for looks in [3, 10, 40, 90, 200] {
        let (looked, threads) = (AtomicUsize::new(0), 1 + looks % 3);
        let stop = || looked.fetch_add(1, Ordering::Relaxed) > looks;
        let limits = Limits { threads, ..limits() };
        let stopped = search(&tower, &parameters, &out_of_reach(), &limits, &stop, |_| {}).unwrap();
        assert!(stopped.stopped && stopped.candidates < 320, "{looks}");
        if stopped.candidates > 0 {
            let again = run(&out_of_reach(), &Limits { most_candidates: stopped.candidates, ..limits });
            assert_eq!((again.best, again.tower), (stopped.best, stopped.tower), "{looks}");
        }
    }
}

#[test]
fn start_hp_can_be_searched_for_alone() {
    let tower = Tower { hero: Hero { hp: 100, ..simple().hero }, ..simple() };
    let hp = Parameter::number(Subject::Hero, Quantity::Hp, 1..=1_000);
    let limits = Limits { most_candidates: 5_000, ..limits() };
    let calibration = search(&tower, &[hp], &[target(Measure::Optimum, 40, 40)], &limits, &|| false, |_| {}).unwrap();
    assert!(calibration.complete, "{:?}", calibration.best);
}

#[test]
fn floors_that_cannot_be_won_can_be_wanted() {
    let lost = Target { measure: Measure::Optimum, wanted: Wanted::Lost };
    assert!(run(&[lost], &Limits { anew: true, ..limits() }).complete);
}

/// A target out of reach does not make a floor that cannot be won the best.
#[test]
fn a_floor_that_is_won_is_nearer_than_one_that_is_not() {
    let tower = simple();
    let boss = |of, range| Parameter::number(Subject::Monster("B".into()), of, range);
    let parameters = [boss(Quantity::Hp, 40..=400), boss(Quantity::Atk, 20..=40)];
    for (from, to) in [(200, 210), (2_000, 2_010), (9_000, 9_100)] {
        for most_candidates in [64, 128, 640] {
            let limits = Limits { most_candidates, ..limits() };
            let targets = [target(Measure::Optimum, from, to)];
            let calibration = search(&tower, &parameters, &targets, &limits, &|| false, |_| {}).unwrap();
            let optimum = best(&calibration).optimum;
            assert!(matches!(optimum, Measured::Number(13..)), "{from}..{to}: {optimum:?}");
        }
    }
}

#[test]
fn targets_that_no_floor_meets_are_refused() {
    let tower = simple();
    let at = |x, y| mota::game::Position::new(0, x, y);
    let after = |actions: &[mota::game::Position]| Measure::After(actions.to_vec());
    for wrong in [
        target(Measure::Optimum, -10, 0),
        target(Measure::Critical, -5, -1),
        target(Measure::LostStates, 101, 200),
        target(after(&[at(99, 0)]), 1, 9),
        target(after(&[at(7, 0), at(0, 0)]), 1, 9),
    ] {
        assert!(wrong.check(&tower).is_err(), "{wrong}");
    }
    for right in [target(Measure::Optimum, -10, 1), target(Measure::Critical, 0, 0), target(after(&[at(7, 0)]), 1, 9)] {
        assert_eq!(right.check(&tower), Ok(()), "{right}");
    }
}

#[test]
fn what_cannot_be_varied_is_refused() {
    let told = |parameters: &[Parameter]| {
        let error = search(&simple(), parameters, &out_of_reach(), &limits(), &|| false, |_| {}).unwrap_err();
        error.to_string()
    };
    let one = || Subject::Monster("1".into());
    #[expect(clippy::reversed_empty_ranges, reason = "it is what is refused")]
    let empty = Parameter::number(one(), Quantity::Hp, 5..=4);
    assert_eq!(told(&[]), "nothing is varied");
    assert_eq!(told(&[empty]), "1.hp: there is nothing to choose from");
    assert_eq!(told(&[Parameter::ability(one(), Vec::new())]), "1.ability: there is nothing to choose from");
}

/// Where the values do not fit into memory, the optimum alone may be found all the same.
#[test]
fn without_memory_the_optimum_is_still_measured() {
    let targets = [target(Measure::Optimum, 13, 13), target(Measure::Critical, 0, 99)];
    let calibration = run(&targets, &Limits { memory: 10, most_candidates: 1, ..limits() });
    assert_eq!(best(&calibration).measured, [Measured::Number(13), Measured::Unknown]);
}
