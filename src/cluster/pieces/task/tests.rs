//! Pieces of any size, done in any order, come to what is done in one place.

mod analysis;
mod floors;
mod towers;

use super::{Piece, Shared, Task, Work};
use crate::cluster::pieces::spread::Harvest;

/// A batch whose work has travelled.
fn task(work: Work) -> Task {
    let shared = serde_json::to_string(&Shared::new(work)).unwrap();
    Task::new(serde_json::from_str(&shared).unwrap()).unwrap()
}

/// Does a piece that has travelled.
fn done(task: &Task, piece: &Piece) -> Vec<String> {
    let piece: Piece = serde_json::from_str(&serde_json::to_string(piece).unwrap()).unwrap();
    let lines = task.run(&piece, &|| false).unwrap();
    assert!(lines.iter().all(|line| !line.contains('\n')));
    lines
}

/// Takes a harvest in, its pieces done in some order.
fn taken_in(harvest: &mut dyn Harvest, task: &Task, order: u64) {
    let pieces = shuffled(std::iter::from_fn(|| harvest.next()).take(400), order);
    for (item, piece) in pieces {
        if harvest.take(&item, &done(task, &piece)).unwrap().is_break() {
            return;
        }
        // What nobody asked for, or asked for once, is not taken twice.
        assert!(harvest.take(&item, &[]).unwrap().is_continue());
    }
}

/// Some order of things, another for each number.
fn shuffled<T>(things: impl Iterator<Item = T>, number: u64) -> Vec<T> {
    use rand::{SeedableRng, seq::SliceRandom};
    let mut things: Vec<T> = things.collect();
    things.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(number));
    things
}
