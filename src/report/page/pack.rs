//! Packing what a page carries, on all cores. Knows nothing of what is packed.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// JSON, deflated, in base64: letters, digits, `+`, `/` and `=` only.
///
/// # Errors
/// If the value has no JSON.
pub fn pack(value: &impl Serialize) -> io::Result<String> {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut deflated, value)?;
    Ok(STANDARD.encode(deflated.finish()?))
}

/// Makes so many things side by side and hands them over in their order; stops at the first that is not taken.
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
        // Bounded, so that nobody packs far ahead of a slow disk.
        let (sender, receiver) = sync_channel(2 * threads);
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
pub fn unpack(packed: &str) -> serde_json::Value {
    let deflated = STANDARD.decode(packed).expect("base64");
    serde_json::from_reader(flate2::read::DeflateDecoder::new(deflated.as_slice())).expect("deflated JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_what_was_given_and_holds_no_markup() {
        let text = "</script><!--\u{2028}\0".repeat(1_000);
        let packed = pack(&text).unwrap();
        assert!(packed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
        assert!(packed.len() < text.len() / 10);
        assert_eq!(unpack(&packed), text.as_str());
    }

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
