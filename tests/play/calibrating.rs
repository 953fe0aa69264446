//! Calibration: the same outcome on any number of threads, anytime, and never worse than what the floor had.

use std::path::Path;

use mota::calibrate::{Calibration, Limits, Measure, Parameter, Quantity, Subject, Target, Wanted, search};
use mota::format::{read_tower, write_native};
use mota::game::{Game, ItemMode, Tower};
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
    search(&tower, &Parameter::default_of(&tower), targets, limits, &|| false, |_| {})
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
    assert_ne!(one.best.values, run(&out_of_reach(), &Limits { seed: 4, ..limits() }).best.values);
    assert_eq!((one.candidates, one.complete, one.stopped), (320, false, false));
}

#[test]
fn more_candidates_are_never_worse_and_begin_alike() {
    let distances = [1, 32, 33, 320].map(|most_candidates| {
        let calibration = run(&out_of_reach(), &Limits { most_candidates, ..limits() });
        assert_eq!(calibration.candidates, most_candidates);
        calibration.best.distance
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
    assert_eq!(optimum, calibration.best.optimum);
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
    let parameters = Parameter::default_of(&tower);
    let stopped = search(&tower, &parameters, &out_of_reach(), &limits(), &|| true, |_| panic!("nothing to tell"));
    assert_eq!((stopped.tower, stopped.candidates, stopped.stopped, stopped.complete), (tower, 0, true, false));
}

#[test]
fn start_hp_can_be_searched_for_alone() {
    let tower = Tower { hero: mota::game::Hero { hp: 100, ..simple().hero }, ..simple() };
    let hp = Parameter::number(Subject::Hero, Quantity::Hp, 1..=1_000);
    let limits = Limits { most_candidates: 5_000, ..limits() };
    let calibration = search(&tower, &[hp], &[target(Measure::Optimum, 40, 40)], &limits, &|| false, |_| {});
    assert!(calibration.complete, "{:?}", calibration.best);
}
