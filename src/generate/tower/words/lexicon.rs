//! The words that a request may use, and what each means. Knows nothing of how they are put together.

use super::super::description::Cycle;

/// What a word means that needs no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// How many rooms in all.
    Size(Size),
    /// Where the floors lead.
    Way(Way),
    /// The puzzle of the last floor.
    Cycle(Cycle),
    /// The difficulty of floor 1, from 1 to 5.
    Difficulty(u8),
    /// More floors than one.
    Several(u8),
    /// What is made in any case.
    Tower,
}

/// How many rooms there are in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Few.
    Small,
    /// As many as unless it is said.
    Usual,
    /// Many.
    Large,
    /// More than a floor holds.
    Giant,
}

/// Where the floors lead from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Down.
    Down,
    /// Up.
    Up,
}

impl Size {
    /// Rooms in all, both ends counted.
    pub fn rooms(self) -> (u16, u16) {
        match self {
            Size::Small => (6, 8),
            Size::Usual => (9, 12),
            Size::Large => (18, 25),
            Size::Giant => (35, 50),
        }
    }
}

/// Words and phrases by what they mean, with what the manual says of them. Where several stand at one place, the longest
/// counts.
pub const LEXICON: [(Sense, &str, &[&str]); 16] = [
    (Sense::Size(Size::Small), "6 to 8 rooms in all", &["small", "tiny", "little", "short"]),
    (
        Sense::Size(Size::Usual),
        "9 to 12 rooms in all",
        &["usual size", "usual sized", "medium size", "medium sized", "normal size", "middling", "mid sized"],
    ),
    (Sense::Size(Size::Large), "18 to 25 rooms in all", &["large", "big", "long"]),
    (
        Sense::Size(Size::Giant),
        "35 to 50 rooms in all, over two floors at least",
        &["giant", "huge", "gigantic", "enormous", "vast", "colossal"],
    ),
    (
        Sense::Way(Way::Down),
        "leads down, with a quick exit from behind the boss; two floors unless a number is said",
        &[
            "deep",
            "descends",
            "descending",
            "descend",
            "descent",
            "goes down into",
            "goes down",
            "going down into",
            "going down",
            "go down into",
            "go down",
            "leads down into",
            "leads down",
            "leading down",
            "lead down",
            "down into",
            "downwards",
            "downward",
            "down",
        ],
    ),
    (
        Sense::Way(Way::Up),
        "leads up; two floors unless a number is said",
        &[
            "ascends",
            "ascending",
            "ascend",
            "ascent",
            "goes up into",
            "goes up",
            "going up",
            "go up",
            "leads up into",
            "leads up",
            "leading up",
            "lead up",
            "up into",
            "climbs",
            "climbing",
            "climb",
            "upwards",
            "upward",
            "up",
        ],
    ),
    (
        Sense::Cycle(Cycle::Code),
        "a code, written somewhere, opens a gate before the boss",
        &["code", "codes", "coded", "password", "passcode", "cipher"],
    ),
    (
        Sense::Cycle(Cycle::Flood),
        "a wheel somewhere lets the water out of the way to the boss",
        &[
            "flood",
            "floods",
            "flooded",
            "flooding",
            "water",
            "drown",
            "drowned",
            "drowning",
            "sluice",
            "flooded lock",
            "drowned lock",
        ],
    ),
    (
        Sense::Cycle(Cycle::Lock),
        "a key of its own, which lies somewhere, opens a lock before the boss",
        &["lock", "locks", "locked", "vault key"],
    ),
    (
        Sense::Difficulty(1),
        "difficulty 1",
        &["easy", "very easy", "easiest", "gentle", "simple", "difficulty easy", "difficulty very easy"],
    ),
    (
        Sense::Difficulty(2),
        "difficulty 2, as unless it is said",
        &["usual", "normal", "ordinary", "usual difficulty", "normal difficulty"],
    ),
    (
        Sense::Difficulty(3),
        "difficulty 3",
        &["medium", "moderate", "moderately hard", "medium hard", "medium difficulty", "tricky"],
    ),
    (Sense::Difficulty(4), "difficulty 4", &["hard", "difficult", "tough", "harsh"]),
    (
        Sense::Difficulty(5),
        "difficulty 5",
        &[
            "very hard",
            "very difficult",
            "very tough",
            "hardest",
            "extremely hard",
            "really hard",
            "brutal",
            "merciless",
            "deadly",
        ],
    ),
    (
        Sense::Several(3),
        "three floors",
        &[
            "several floors",
            "several levels",
            "several storeys",
            "several decks",
            "some floors",
            "some levels",
            "a few floors",
            "a few levels",
            "few floors",
            "many floors",
            "many levels",
            "multi storey",
            "multi level",
            "multi floor",
        ],
    ),
    (
        Sense::Tower,
        "what is made in any case",
        &["tower", "towers", "dungeon", "dungeons", "castle", "keep", "labyrinth"],
    ),
];

/// What counts as a floor, behind a number.
pub const FLOORS: [&str; 14] = [
    "floor", "floors", "level", "levels", "storey", "storeys", "story", "stories", "deck", "decks", "floored",
    "storeyed", "storied", "levelled",
];
/// Words of these that stand for several.
pub const PLURALS: [&str; 5] = ["floors", "levels", "storeys", "stories", "decks"];
/// What counts as a room, behind a number.
pub const ROOMS: [&str; 4] = ["room", "rooms", "chamber", "chambers"];
/// Words that say of the next that it is not wanted.
pub const NOT: [&str; 5] = ["no", "not", "without", "never", "nor"];
/// Words that join what stands about them; none of them lies between a number and what it counts.
pub const JOINS: [&str; 14] =
    ["and", "or", "with", "of", "on", "in", "into", "to", "for", "that", "which", "has", "by", "plus"];
/// Words between a number of rooms and a floor that make it a number for each.
pub const EACH: [&str; 5] = ["a", "per", "each", "every", "an"];
/// Phrases before a number that leave it as it is.
pub const ABOUT: [&str; 11] = [
    "no more than",
    "not more than",
    "no fewer than",
    "no less than",
    "not less than",
    "at most",
    "at least",
    "up to",
    "a pair of",
    "a couple of",
    "as many as",
];
/// Words that are passed over.
pub const PASSED: [&str; 79] = [
    "a",
    "an",
    "the",
    "this",
    "some",
    "any",
    "and",
    "or",
    "but",
    "with",
    "of",
    "on",
    "in",
    "into",
    "to",
    "for",
    "from",
    "that",
    "which",
    "has",
    "have",
    "having",
    "is",
    "are",
    "be",
    "it",
    "its",
    "by",
    "at",
    "as",
    "one",
    "ones",
    "each",
    "every",
    "per",
    "please",
    "make",
    "makes",
    "me",
    "my",
    "give",
    "i",
    "we",
    "want",
    "would",
    "like",
    "need",
    "build",
    "generate",
    "create",
    "made",
    "there",
    "where",
    "whose",
    "through",
    "under",
    "below",
    "above",
    "over",
    "behind",
    "before",
    "between",
    "room",
    "rooms",
    "chamber",
    "chambers",
    "difficulty",
    "size",
    "sized",
    "about",
    "around",
    "together",
    "also",
    "then",
    "so",
    "plus",
    "including",
    "door",
    "doors",
];
