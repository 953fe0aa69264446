//! Names of rooms: plain words that say what is true of a room, no name twice. Knows nothing of links.

use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The names that a tower has so far.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

/// What may be said of any room.
const ANY: [&str; 24] = [
    "old",
    "quiet",
    "cold",
    "dusty",
    "bare",
    "dim",
    "damp",
    "empty",
    "broken",
    "hidden",
    "inner",
    "outer",
    "far",
    "silent",
    "worn",
    "burnt",
    "draughty",
    "mossy",
    "swept",
    "patched",
    "forgotten",
    "crooked",
    "sooty",
    "whitewashed",
];
const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];
/// Squares from which on a room is great, and up to which it is small.
const GREAT: u16 = 28;
const SMALL: u16 = 6;

impl Names {
    /// The name of a floor's first room: `First landing`, `Second landing`.
    pub fn landing(&mut self, kind: &str, floor: usize) -> String {
        let ordinal = ORDINALS.get(floor).copied().unwrap_or("further");
        self.take(vec![format!("{ordinal} {kind}")])
    }

    /// The name of a room: `Great hall`, `Low store`, `Dusty library`.
    pub fn of(&mut self, kind: &str, size: [u16; 2], height: u8, rng: &mut ChaCha8Rng) -> String {
        let [width, depth] = size;
        let squares = width.saturating_mul(depth);
        let mut words: Vec<&str> = ANY.to_vec();
        words.shuffle(rng);
        // What is true of its size and height comes first, most of the time.
        let mut own: Vec<&str> = Vec::new();
        own.extend((squares >= GREAT).then_some("great"));
        own.extend((squares <= SMALL).then_some("small"));
        own.extend((height == 1).then_some("low"));
        own.extend((height == 3).then_some("high"));
        own.extend((width >= 3 * depth).then_some("long"));
        own.shuffle(rng);
        let mut offers: Vec<String> = own.iter().chain(&words).map(|word| format!("{word} {kind}")).collect();
        offers.extend(ORDINALS.iter().skip(1).map(|ordinal| format!("{ordinal} {kind}")));
        self.take(offers)
    }

    /// The first of the offers that no room has; a number behind the first if there is none.
    fn take(&mut self, offers: Vec<String>) -> String {
        let offers: Vec<String> = offers.iter().map(|offer| capitalised(offer)).collect();
        let free = offers.iter().find(|name| !self.taken.contains(*name)).cloned();
        let name = free.unwrap_or_else(|| {
            let first = offers.into_iter().next().unwrap_or_default();
            let mut numbered = (2..u32::MAX).map(|number| format!("{first} {number}"));
            numbered.find(|name| !self.taken.contains(name)).unwrap_or_default()
        });
        self.taken.insert(name.clone());
        name
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
