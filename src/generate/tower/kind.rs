//! The table of room kinds: what a kind of room has in it. Knows nothing of rooms.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::word::{has_phrase, words_of};
use crate::game::{Colour, Gem, Item, Potion};

/// The table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kinds {
    /// The rows; of those whose words a note has, the first counts.
    #[serde(rename = "kind")]
    pub kinds: Vec<Kind>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Words, in small letters, that name it in a note, a room's name or a request.
    pub words: Vec<String>,
    /// Its share of monsters: 1 is usual.
    pub monsters: f64,
    /// The chance of a cache, from 0 to 1.
    pub cache: f64,
    /// What a cache holds: items by name, each as likely.
    pub holds: Vec<String>,
    /// The chance of a plate, from 0 to 1.
    pub plate: f64,
    /// How far one sees in it, in squares.
    pub light: u16,
    /// Its share of the floor's potions: 1 is usual.
    pub potions: f64,
}

/// The items that a cache may hold and a hand may place, by name.
pub const ITEMS: [(&str, Item); 8] = [
    ("yellow key", Item::Key(Colour::Yellow)),
    ("blue key", Item::Key(Colour::Blue)),
    ("red gem", Item::Gem(Gem::Red)),
    ("blue gem", Item::Gem(Gem::Blue)),
    ("red potion", Item::Potion(Potion::Red)),
    ("blue potion", Item::Potion(Potion::Blue)),
    ("sword", Item::Sword),
    ("shield", Item::Shield),
];

/// The kind of rooms of which nothing is said.
pub const USUAL: &str = "hall";

const STANDARD: &str = include_str!("../../../floors/kinds.toml");
const MOST_MONSTERS: f64 = 2.0;
const MOST_POTIONS: f64 = 2.0;
const LEAST_LIGHT: u16 = 3;
const MOST_LIGHT: u16 = 10;
/// Rows that a table may have.
const MOST_ROWS: usize = 64;
/// Characters of a row's name, and of each of its words.
const LONGEST_NAME: usize = 30;

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KindsError {
    /// It is no such table.
    #[error("{file}: {}", message.trim_end())]
    File {
        /// The file.
        file: String,
        /// What TOML says, with the place.
        message: String,
    },
    /// It has no row, or too many.
    #[error("the table of kinds has {0} rows; write 1 to {MOST_ROWS} tables [[kind]]")]
    Rows(usize),
    /// A row's name or a word that is none.
    #[error(
        "the kind `{kind}`: `{word}` is no {what}; write 1 to {LONGEST_NAME} small letters, digits, spaces and `-`"
    )]
    Word {
        /// The row.
        kind: String,
        /// The word.
        word: String,
        /// `name` or `word`.
        what: &'static str,
    },
    /// Two rows of one name.
    #[error("there are two kinds `{0}`; give one of them another name")]
    TwoOfAName(String),
    /// A row that a word of an earlier one hides.
    #[error(
        "the word `{word}` of the kind `{kind}` stands in the kind `{earlier}`, too, which comes first; leave one out"
    )]
    TwoOfAWord {
        /// The word.
        word: String,
        /// The later row.
        kind: String,
        /// The earlier row.
        earlier: String,
    },
    /// A number out of its range.
    #[error("the kind `{kind}`: `{key}` must be from {least} to {most}, not {found}")]
    Range {
        /// The row.
        kind: String,
        /// The key.
        key: &'static str,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// What it is.
        found: f64,
    },
    /// An item that there is not.
    #[error("the kind `{kind}` holds `{item}`, which is no item of these: {}", item_names().join(", "))]
    Item {
        /// The row.
        kind: String,
        /// The name.
        item: String,
    },
    /// A cache without anything to put into it.
    #[error("the kind `{0}` has caches, but `holds` lists nothing to put into them")]
    Empty(String),
    /// A kind that there is not.
    #[error("there is no kind `{kind}`; the kinds are: {}", known.join(", "))]
    Unknown {
        /// Its name.
        kind: String,
        /// Those that there are.
        known: Vec<String>,
    },
}

impl Kinds {
    /// The table that comes with the program.
    pub fn standard() -> Self {
        // A test reads it; without it there would be a table without rows, which every use of it refuses.
        Kinds::read(STANDARD, "floors/kinds.toml").unwrap_or(Kinds { kinds: Vec::new() })
    }

    /// Reads a table from the text of a file, whose name is for messages.
    ///
    /// # Errors
    /// [`KindsError`]: what is wrong with it first.
    pub fn read(text: &str, file: &str) -> Result<Self, KindsError> {
        let kinds: Kinds = toml::from_str(text)
            .map_err(|error| KindsError::File { file: file.to_owned(), message: error.to_string() })?;
        kinds.check()?;
        Ok(kinds)
    }

    /// Whether the table can be used.
    ///
    /// # Errors
    /// [`KindsError`]: what is wrong with it first.
    pub fn check(&self) -> Result<(), KindsError> {
        if !(1..=MOST_ROWS).contains(&self.kinds.len()) {
            return Err(KindsError::Rows(self.kinds.len()));
        }
        let mut names = BTreeSet::new();
        let mut words: Vec<(Vec<String>, &str)> = Vec::new();
        for kind in &self.kinds {
            kind.check()?;
            if !names.insert(&kind.name) {
                return Err(KindsError::TwoOfAName(kind.name.clone()));
            }
            for word in &kind.words {
                let phrase = words_of(word);
                if let Some((_, earlier)) = words.iter().find(|(other, of)| *other == phrase && *of != kind.name) {
                    let (word, kind, earlier) = (word.clone(), kind.name.clone(), (*earlier).to_owned());
                    return Err(KindsError::TwoOfAWord { word, kind, earlier });
                }
                words.push((phrase, &kind.name));
            }
        }
        Ok(())
    }

    /// The row of a name.
    pub fn named(&self, name: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }

    /// The row of a room: the one that is named outright; else the first of which a word stands in the note, then in the
    /// room's name; else the hall, or the last row of a table that has none.
    ///
    /// # Errors
    /// [`KindsError::Unknown`] if the kind that is named is none, [`KindsError::Rows`] if the table has no row.
    pub fn of(&self, named: Option<&str>, note: &str, name: &str) -> Result<&Kind, KindsError> {
        if let Some(kind) = named {
            return self.named(kind).ok_or_else(|| KindsError::Unknown { kind: kind.to_owned(), known: self.names() });
        }
        let said = |text: &str| {
            let text = words_of(text);
            self.kinds.iter().find(|kind| kind.words.iter().any(|word| has_phrase(&text, &words_of(word))))
        };
        let kind = said(note).or_else(|| said(name)).or_else(|| self.named(USUAL)).or_else(|| self.kinds.last());
        kind.ok_or(KindsError::Rows(0))
    }

    /// The names of the rows, in their order.
    pub fn names(&self) -> Vec<String> {
        self.kinds.iter().map(|kind| kind.name.clone()).collect()
    }
}

impl Kind {
    /// What a cache holds; names that are no items are left out.
    pub fn items(&self) -> Vec<Item> {
        self.holds.iter().filter_map(|name| item_named(name)).collect()
    }

    fn check(&self) -> Result<(), KindsError> {
        let kind = || self.name.clone();
        let wrong = |word: &str, what| KindsError::Word { kind: kind(), word: word.to_owned(), what };
        if !is_word(&self.name) {
            return Err(wrong(&self.name, "name"));
        }
        if let Some(word) = self.words.iter().find(|word| !is_word(word)) {
            return Err(wrong(word, "word"));
        }
        for (key, least, most, found) in [
            ("monsters", 0.0, MOST_MONSTERS, self.monsters),
            ("cache", 0.0, 1.0, self.cache),
            ("plate", 0.0, 1.0, self.plate),
            ("light", f64::from(LEAST_LIGHT), f64::from(MOST_LIGHT), f64::from(self.light)),
            ("potions", 0.0, MOST_POTIONS, self.potions),
        ] {
            // NaN lies in no range.
            if !(least..=most).contains(&found) {
                return Err(KindsError::Range { kind: kind(), key, least, most, found });
            }
        }
        match self.holds.iter().find(|item| item_named(item).is_none()) {
            Some(item) => Err(KindsError::Item { kind: kind(), item: item.clone() }),
            None if self.holds.is_empty() && self.cache > 0.0 => Err(KindsError::Empty(kind())),
            None => Ok(()),
        }
    }
}

/// The item of a name: `yellow key`, `red gem`, `blue potion`, `sword` and so on.
pub fn item_named(name: &str) -> Option<Item> {
    ITEMS.iter().find(|(other, _)| *other == name).map(|(_, item)| *item)
}

fn item_names() -> Vec<&'static str> {
    ITEMS.iter().map(|(name, _)| *name).collect()
}

/// Whether it is read back from a text word by word as it stands here.
fn is_word(word: &str) -> bool {
    let right = |c: char| c.is_lowercase() || c.is_ascii_digit() || c == ' ' || c == '-';
    word.chars().count() <= LONGEST_NAME && word.chars().all(right) && !words_of(word).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_table_has_sixteen_rows() {
        let kinds = Kinds::read(STANDARD, "floors/kinds.toml").unwrap();
        assert_eq!(kinds, Kinds::standard());
        insta::assert_snapshot!(kinds.names().join(" "), @"forge armoury laboratory library chapel crypt cistern vault kitchen ward cells barracks guardroom store landing hall");
        assert_eq!(kinds.kinds.len(), 16);
        assert!(kinds.kinds.iter().all(|kind| kind.words.contains(&kind.name)));
        assert!(kinds.kinds.iter().all(|kind| kind.items().len() == kind.holds.len()));
    }

    #[test]
    fn items_are_named_as_the_game_names_them() {
        for (name, item) in ITEMS {
            assert_eq!((item.to_string().as_str(), item_named(name)), (name, Some(item)));
        }
        assert_eq!(item_named("green gem"), None);
    }

    #[test]
    fn a_room_has_the_kind_that_it_names_or_that_its_words_say() {
        let kinds = Kinds::standard();
        for (named, note, name, expected) in [
            (Some("crypt"), "a kitchen with a long table", "Forge", "crypt"),
            (None, "A KITCHEN, with a long table.", "Forge", "kitchen"),
            (None, "", "Old Forge", "forge"),
            (None, "nothing of note", "The smith's place", "hall"),
            (None, "where the smith sleeps", "Hall", "forge"),
            // Of several words the one of the first row counts, wherever it stands.
            (None, "a hall beside the forge", "", "forge"),
            (None, "the flooded vaults", "", "cistern"),
            (None, "the guard-room", "", "guardroom"),
            (None, "the Strong\nRoom", "", "vault"),
            // Whole words only.
            (None, "forged halls of the wardens", "Hall", "hall"),
            (None, "stored", "rewarding", "hall"),
            (None, "", "", "hall"),
        ] {
            let kind = kinds.of(named, note, name).unwrap();
            assert_eq!(kind.name, expected, "{named:?} {note:?} {name:?}");
        }
        let told = kinds.of(Some("kitchn"), "", "").unwrap_err().to_string();
        assert!(told.starts_with("there is no kind `kitchn`; the kinds are: forge, armoury"), "{told}");
        assert_eq!(Kinds { kinds: Vec::new() }.of(None, "", ""), Err(KindsError::Rows(0)));
    }

    #[test]
    fn what_is_wrong_with_a_table_is_told() {
        let row = "[[kind]]\nname = \"hall\"\nwords = [\"hall\"]\nmonsters = 1.0\ncache = 0.5\nholds = [\"sword\"]\nplate = 0.0\nlight = 5\npotions = 1.0\n";
        assert!(Kinds::read(row, "k.toml").is_ok());
        let changed = |from: &str, to: &str| Kinds::read(&row.replacen(from, to, 1), "k.toml").unwrap_err().to_string();
        let mut told = vec![
            Kinds::read("kind = []", "k.toml").unwrap_err().to_string(),
            Kinds::read(&row.repeat(2), "k.toml").unwrap_err().to_string(),
            Kinds::read(&(row.to_owned() + &row.replacen("hall", "cave", 1)), "k.toml").unwrap_err().to_string(),
        ];
        for (from, to) in [
            ("name = \"hall\"", "name = \"\""),
            ("words = [\"hall\"]", "words = [\"Hall\"]"),
            ("monsters = 1.0", "monsters = 2.5"),
            ("monsters = 1.0", "monsters = nan"),
            ("cache = 0.5", "cache = -0.1"),
            ("light = 5", "light = 2"),
            ("[\"sword\"]", "[\"swords\"]"),
            ("[\"sword\"]", "[]"),
            ("light", "lights"),
            ("plate = 0.0\n", ""),
        ] {
            told.push(changed(from, to));
        }
        insta::assert_snapshot!(told.join("\n"), @r"
        the table of kinds has 0 rows; write 1 to 64 tables [[kind]]
        there are two kinds `hall`; give one of them another name
        the word `hall` of the kind `cave` stands in the kind `hall`, too, which comes first; leave one out
        the kind ``: `` is no name; write 1 to 30 small letters, digits, spaces and `-`
        the kind `hall`: `Hall` is no word; write 1 to 30 small letters, digits, spaces and `-`
        the kind `hall`: `monsters` must be from 0 to 2, not 2.5
        the kind `hall`: `monsters` must be from 0 to 2, not NaN
        the kind `hall`: `cache` must be from 0 to 1, not -0.1
        the kind `hall`: `light` must be from 3 to 10, not 2
        the kind `hall` holds `swords`, which is no item of these: yellow key, blue key, red gem, blue gem, red potion, blue potion, sword, shield
        the kind `hall` has caches, but `holds` lists nothing to put into them
        k.toml: TOML parse error at line 8, column 1
          |
        8 | lights = 5
          | ^^^^^^
        unknown field `lights`, expected one of `name`, `words`, `monsters`, `cache`, `holds`, `plate`, `light`, `potions`

        k.toml: TOML parse error at line 1, column 1
          |
        1 | [[kind]]
          | ^^^^^^^^
        missing field `plate`
        ");
    }
}
