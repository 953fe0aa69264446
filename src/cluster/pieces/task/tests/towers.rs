//! Towers.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{done, shuffled, taken_in, task};
use crate::cluster::pieces::harvest::Towers;
use crate::cluster::pieces::task::towers::{Seeds, SharedTowers, pieces, pieces_of};
use crate::cluster::pieces::task::{Piece, Task, TaskError, Work};
use crate::format::write_native;
use crate::generate::tower::build::Wishes;
use crate::generate::tower::many::{self, Order, Tried};
use crate::generate::tower::{Kinds, describe, understand};

const ASKS: [&str; 2] = ["one floor", "two levels, easy"];

fn shared(wishes: Wishes) -> SharedTowers {
    SharedTowers { asks: ASKS.map(str::to_owned).to_vec(), kinds: Kinds::standard(), wishes, measure: true }
}

fn in_one_place(ask: usize, first: u64, count: u64, wishes: Wishes) -> Vec<Tried> {
    let kinds = Kinds::standard();
    let request = understand(ASKS[ask], &kinds).unwrap();
    let describe = |seed| describe(&request, &kinds, seed);
    let order = Order { describe: &describe, kinds: &kinds, wishes, first, count, measure: true, threads: 2 };
    many::make(&order, &|| false, &|_| {})
}

fn without_times(tried: impl IntoIterator<Item = Tried>) -> Vec<Tried> {
    tried.into_iter().map(|tried| Tried { took: Duration::ZERO, ..tried }).collect()
}

fn in_pieces(task: &Task, pieces: &[Seeds]) -> BTreeMap<(usize, u64), Tried> {
    let results = pieces.iter().flat_map(|seeds| {
        let tried = seeds.results(&done(task, &Piece::Towers(seeds.clone()))).unwrap();
        tried.into_iter().map(|tried| ((seeds.ask, tried.seed), tried))
    });
    results.collect()
}

#[test]
fn any_pieces_in_any_order_make_the_same_towers() {
    let task = task(Work::Towers(shared(Wishes::default())));
    let expected: Vec<Vec<Tried>> =
        (0..2).map(|ask| without_times(in_one_place(ask, 5, 5, Wishes::default()))).collect();
    assert!(expected.iter().flatten().all(|tried| tried.made.as_ref().unwrap().hardness.is_some()));
    for (size, order) in [(1, 1), (2, 2), (5, 3)] {
        let pieces = shuffled((0..2).flat_map(|ask| pieces_of(ask, 5, 5, size)), order);
        let mut made = in_pieces(&task, &pieces);
        for (ask, expected) in expected.iter().enumerate() {
            let later = made.split_off(&(ask + 1, 0));
            let made = without_times(std::mem::replace(&mut made, later).into_values());
            let texts = |tried: &[Tried]| -> Vec<String> {
                tried.iter().map(|tried| write_native(&tried.made.as_ref().unwrap().tower)).collect()
            };
            assert_eq!(texts(&made), texts(expected));
            assert!(made == *expected, "{made:?}");
        }
    }
}

#[test]
fn a_harvest_of_towers_is_what_is_made_in_one_place() {
    let task = task(Work::Towers(shared(Wishes::default())));
    let mut told = 0;
    let mut tell = |_: &Tried| told += 1;
    let mut harvest = Towers::new(1, 20, 9, &mut tell);
    taken_in(&mut harvest, &task, 4);
    assert!(without_times(harvest.made()) == without_times(in_one_place(1, 20, 9, Wishes::default())));
    assert_eq!(told, 9);
}

#[test]
fn why_there_is_no_tower_is_told_in_the_same_words() {
    let wishes = Wishes { optimum: Some(999_999..=1_000_000), attempts: 2, ..Wishes::default() };
    let task = task(Work::Towers(shared(wishes.clone())));
    let made = in_pieces(&task, &[Seeds { ask: 0, first: 3, count: 2 }]);
    let made = without_times(made.into_values());
    assert!(made.iter().all(|tried| tried.made.is_err()));
    assert_eq!(made, without_times(in_one_place(0, 3, 2, wishes)));
}

#[test]
fn pieces_hold_each_seed_once() {
    let told: Vec<Seeds> = pieces(1, 10, 9).collect();
    assert_eq!(told, [(10, 4), (14, 4), (18, 1)].map(|(first, count)| Seeds { ask: 1, first, count }));
    assert_eq!(pieces(0, 3, 0).count(), 0);
    // In one place the highest seed is made again for those above it.
    let last: Vec<Seeds> = pieces_of(0, u64::MAX - 1, 4, 2).collect();
    assert_eq!(last.iter().map(|seeds| seeds.first).collect::<Vec<_>>(), [u64::MAX - 1, u64::MAX]);
}

#[test]
fn who_is_stopped_gives_no_half_of_a_piece() {
    let task = task(Work::Towers(shared(Wishes::default())));
    let seeds = Seeds { ask: 0, first: 3, count: 2 };
    assert!(matches!(task.run(&Piece::Towers(seeds.clone()), &|| true), Err(TaskError::Stopped)));
    let none = Piece::Towers(Seeds { ask: 2, ..seeds.clone() });
    assert!(matches!(task.run(&none, &|| false), Err(TaskError::Broken(_))));
    let told = |lines: &[&str]| seeds.results(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
    let failed = |seed: u64, took: &str| format!(r#"{{"seed":{seed},"took_s":{took},"failed":"no"}}"#);
    assert!(told(&[&failed(3, "1"), &failed(4, "0.5")]).is_ok());
    for wrong in [failed(5, "1"), failed(4, "-1"), r#"{"seed":4,"took_s":1,"kept":{"tower":""}}"#.to_owned()] {
        assert!(told(&[&failed(3, "1"), &wrong]).is_err(), "{wrong}");
    }
    assert!(told(&[&failed(3, "1")]).is_err());
}
