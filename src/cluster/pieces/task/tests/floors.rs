//! Floors.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use super::{done, shuffled, taken_in, task};
use crate::cluster::pieces::harvest::Floors;
use crate::cluster::pieces::task::floors::{Seeds, SharedFloors, pieces, pieces_by};
use crate::cluster::pieces::task::{Piece, Task, TaskError, Work};
use crate::format::{parse_tower, write_native};
use crate::generate::{Acceptance, Finding, GenerateError, Order, Outcome, Recipe, Sieve, Tally, search};

fn order(first_seed: u64, count: usize, most_tries: u64, except: BTreeSet<u64>) -> Order {
    let table = parse_tower("simple.toml", include_str!("../../../../../floors/simple.toml")).unwrap();
    let acceptance = Acceptance { optimum: 1..=250, most_steps: 3_000 };
    Order { recipe: Recipe::sized(2, 3, 3, Arc::new(table)), acceptance, first_seed, count, most_tries, except }
}

/// All that a search tells.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    found: Vec<Finding>,
    tried: Vec<Tally>,
    end: Option<Result<(Tally, Outcome), GenerateError>>,
}

fn in_one_place(order: &Order) -> Heard {
    let (mut found, mut tried) = (Vec::new(), Vec::new());
    let keep = |finding| {
        found.push(finding);
        ControlFlow::Continue(())
    };
    let end = search(order, 2, &|| false, keep, |tally| tried.push(*tally));
    Heard { found, tried, end: Some(end) }
}

fn in_pieces(order: &Order, pieces: &[Seeds]) -> Heard {
    let task = task(Work::Floors(SharedFloors::of(order)));
    let (mut found, mut tried) = (Vec::new(), Vec::new());
    let mut sieve = match Sieve::new(order).unwrap() {
        ControlFlow::Continue(sieve) => sieve,
        ControlFlow::Break(end) => return Heard { end: Some(Ok(end)), ..Heard::default() },
    };
    let mut keep = |finding| {
        found.push(finding);
        ControlFlow::Continue(())
    };
    let mut end = None;
    'pieces: for seeds in pieces {
        for (seed, result) in seeds.results(&done(&task, &Piece::Floors(seeds.clone()))).unwrap() {
            if let ControlFlow::Break(ended) = sieve.add(seed, result, &mut keep, &mut |tally| tried.push(*tally)) {
                end = Some(ended);
                break 'pieces;
            }
        }
    }
    let end = end.unwrap_or_else(|| Ok(sieve.end(false)));
    Heard { found, tried, end: Some(end) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_pieces_in_any_order_find_the_same_floors(
        first in 0u64..10_000, count in 0usize..4, tries in 0u64..40, size in 1u64..17, shuffle: u64, gaps in proptest::collection::btree_set(0u64..60, 0..20),
    ) {
        let except = gaps.into_iter().map(|gap| first + gap).collect();
        let order = order(first, count, tries, except);
        let pieces = shuffled(pieces_by(&order, |_| size), shuffle);
        prop_assert_eq!(pieces.iter().map(|seeds| seeds.count).sum::<u64>(), tries);
        prop_assert_eq!(in_pieces(&order, &pieces), in_one_place(&order));
    }
}

#[test]
fn a_harvest_of_floors_is_a_search() {
    for (order, number) in
        [(order(40, 3, 1_000, BTreeSet::from([41, 104])), 1), (order(7, 900, 700, BTreeSet::new()), 2)]
    {
        let (mut found, mut tried) = (Vec::new(), Vec::new());
        let mut keep = |finding| {
            found.push(finding);
            ControlFlow::Continue(())
        };
        let mut tell = |tally: &Tally| tried.push(*tally);
        let ControlFlow::Continue(sieve) = Sieve::new(&order).unwrap() else { panic!("there is something to try") };
        let mut harvest = Floors::new(&order, sieve, &mut keep, &mut tell);
        taken_in(&mut harvest, &task(Work::Floors(SharedFloors::of(&order))), number);
        let end = Some(harvest.end(false));
        assert_eq!(Heard { found, tried, end }, in_one_place(&order));
    }
}

#[test]
fn the_last_seeds_are_tried_like_others() {
    let order = order(u64::MAX - 4, 9, 100, BTreeSet::from([u64::MAX - 1]));
    let pieces: Vec<Seeds> = pieces_by(&order, |_| 2).collect();
    assert_eq!(
        pieces.iter().map(|seeds| (u64::MAX - seeds.first, seeds.count)).collect::<Vec<_>>(),
        [(4, 2), (2, 2), (0, 1)]
    );
    let heard = in_pieces(&order, &pieces);
    assert_eq!(heard, in_one_place(&order));
    assert_eq!(heard.end.unwrap().unwrap().1, Outcome::LastSeed);
}

#[test]
fn a_floor_that_cannot_be_solved_ends_the_search_where_it_stands() {
    let mut order = order(0, 3, 20, BTreeSet::new());
    // More HP than there are numbers.
    Arc::make_mut(&mut order.recipe.table).items.red_potion = i64::MAX;
    Arc::make_mut(&mut order.recipe.table).items.blue_potion = i64::MAX;
    let heard = in_pieces(&order, &shuffled(pieces_by(&order, |_| 3), 1));
    assert!(matches!(heard.end, Some(Err(GenerateError::Solve { .. }))), "{:?}", heard.end);
    assert_eq!(heard, in_one_place(&order));
}

#[test]
fn pieces_are_small_at_first_and_where_floors_are_large() {
    let sizes = [(3, 3), (4, 4), (6, 6)].map(|(across, down)| {
        let mut order = order(7, 1, 1_000_000, BTreeSet::new());
        order.recipe = Recipe::sized(across, down, 3, order.recipe.table.clone());
        let sizes: Vec<u64> = pieces(&order).map(|seeds| seeds.count).take(200).collect();
        [sizes[0], sizes[64], sizes[199]]
    });
    assert_eq!(sizes, [[64, 512, 2_048], [16, 64, 256], [1, 1, 1]]);
}

#[test]
fn what_is_not_the_result_is_refused() {
    let seeds = Seeds { first: 3, count: 2, except: BTreeSet::new() };
    let told = |lines: &[&str]| {
        seeds.results(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()).unwrap_err().to_string()
    };
    insta::assert_snapshot!(
        [
            told(&[]),
            told(&["{}"]),
            told(&[r#"{"first":3,"verdicts":["unwinnable"]}"#]),
            told(&[r#"{"first":4,"verdicts":["unwinnable","passed_over"]}"#]),
            told(&[r#"{"first":3,"verdicts":["unwinnable","delicious"]}"#]),
        ]
        .join("\n")
    );
    let right = [r#"{"first":3,"verdicts":["too_easy","passed_over"]}"#.to_owned()];
    assert!(seeds.results(&right).is_ok());
}

#[test]
fn who_is_stopped_gives_no_half_of_a_piece() {
    let order = order(0, 3, 20, BTreeSet::new());
    let task = task(Work::Floors(SharedFloors::of(&order)));
    let piece = Piece::Floors(Seeds { first: 0, count: 3, except: BTreeSet::new() });
    assert!(matches!(task.run(&piece, &|| true), Err(TaskError::Stopped)));
    let other = Piece::Towers(crate::cluster::pieces::task::towers::Seeds { ask: 0, first: 0, count: 1 });
    let told = task.run(&other, &|| false).unwrap_err().to_string();
    assert_eq!(told, "this piece of work cannot be done: it is of another kind than its batch");
}

#[test]
fn another_version_is_refused_by_name() {
    let mut shared =
        crate::cluster::pieces::task::Shared::new(Work::Floors(SharedFloors::of(&order(0, 1, 1, BTreeSet::new()))));
    shared.mota = "0.0.7".into();
    let told = Task::new(shared).err().unwrap().to_string();
    let here = env!("CARGO_PKG_VERSION");
    assert_eq!(
        told,
        format!("this work was published by mota 0.0.7, and this is mota {here}; use the same version everywhere")
    );
}

#[test]
fn the_recipe_arrives_as_it_was_sent() {
    let order = order(0, 1, 1, BTreeSet::new());
    let shared = SharedFloors::of(&order);
    let recipe = shared.recipe().unwrap();
    assert_eq!(recipe, order.recipe);
    assert_eq!(write_native(&recipe.table), write_native(&order.recipe.table));
}
