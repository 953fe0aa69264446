//! The same work on many things, on all cores, handed over in their order. Knows nothing of the things.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Makes so many things side by side and hands them over in their order; stops at the first that is not taken. Of those
/// made early a few per core are kept: what is made may be large.
///
/// # Errors
/// What `take` says.
pub fn in_order<T: Send, E>(
    count: usize,
    make: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Bounded, so that nobody gets far ahead of a slow disk.
        let (sender, receiver) = sync_channel(threads);
        for _ in 0..threads {
            let (sender, next, make) = (sender.clone(), &next, &make);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    // Whoever took them has gone away: there is no more to do.
                    if index >= count || sender.send((index, make(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, made) in receiver {
            early.insert(index, made);
            while let Some(made) = early.remove(&due) {
                take(made)?;
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_in_order_whoever_is_first() {
        let slow_first = |index: usize| {
            thread::sleep(std::time::Duration::from_millis(if index == 0 { 20 } else { 0 }));
            index
        };
        let mut taken = Vec::new();
        in_order(50, slow_first, |index| {
            taken.push(index);
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(taken, (0..50).collect::<Vec<_>>());
        assert_eq!(in_order(0, slow_first, |_| Err(())), Ok(()));
    }

    #[test]
    fn the_first_that_is_not_taken_ends_it() {
        let made = AtomicUsize::new(0);
        let make = |index| {
            made.fetch_add(1, Ordering::Relaxed);
            index
        };
        assert_eq!(in_order(100_000, make, |index| if index < 3 { Ok(()) } else { Err(index) }), Err(3));
        assert!(made.load(Ordering::Relaxed) < 1_000);
    }
}
