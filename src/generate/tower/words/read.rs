//! Reads a request word by word: what was said, in its order. Knows nothing of what is to be made of it.

use super::super::kind::Kinds;
use super::super::word::words_of;
use super::lexicon::{ABOUT, EACH, FLOORS, JOINS, LEXICON, NOT, PASSED, PLURALS, ROOMS, Sense};
use super::token::{Token, number_at, tokens};

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// So many floors, or between so many.
    Floors(i64, i64),
    /// Floors, and not how many.
    SomeFloors,
    /// So many rooms in all, or between so many.
    Rooms(i64, i64),
    /// So many rooms on each floor, or between so many.
    RoomsEach(i64, i64),
    /// A difficulty by its number.
    Difficulty(i64),
    /// A word of the lexicon.
    Sense(Sense),
    /// A size, but of a room.
    RoomSize,
    /// A kind of room, so many times.
    Kind(String, i64),
    /// That something is not wanted.
    Not(Box<Said>),
}

/// A request as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What was said, each with its words.
    pub said: Vec<(Said, String)>,
    /// Words that nothing could be made of.
    pub unknown: Vec<String>,
}

/// Reads a request; the kinds lend it their words.
pub fn read(ask: &str, kinds: &Kinds) -> Reading {
    let tokens = tokens(ask);
    let reader = Reader { tokens: &tokens, kinds: kind_phrases(kinds) };
    let mut reading = Reading::default();
    let mut at = 0;
    // Words between a number and what it counts are read on their own.
    let mut taken = vec![false; tokens.len()];
    while let Some(token) = tokens.get(at) {
        if taken.get(at).copied().unwrap_or(false) {
            at += 1;
            continue;
        }
        match reader.at(at) {
            Some(Match { said, length, counted }) => {
                let mut words = reader.words(at, length);
                if let Some(counted) = counted {
                    taken.iter_mut().skip(counted).take(1).for_each(|taken| *taken = true);
                    words += &format!(" {}", reader.words(counted, 1));
                }
                reading.said.extend(said.map(|said| (said, words)));
                at += length;
            }
            None => {
                if !PASSED.contains(&token.word.as_str()) {
                    reading.unknown.push(token.word.clone());
                }
                at += 1;
            }
        }
    }
    reading
}

/// What stands at a place.
struct Match {
    /// What it says; nothing if it is passed over.
    said: Option<Said>,
    /// Of how many words it is.
    length: usize,
    /// Where the word stands that a number counts, if others stand between.
    counted: Option<usize>,
}

impl Match {
    fn new(said: Said, length: usize) -> Self {
        Match { said: Some(said), length, counted: None }
    }
}

/// Words of a kind of room, with its name.
type KindPhrase = (Vec<String>, String);

fn kind_phrases(kinds: &Kinds) -> Vec<KindPhrase> {
    let of = |name: &str, word: &str| (words_of(word), name.to_owned());
    (kinds.kinds.iter())
        .flat_map(|kind| kind.words.iter().chain([&kind.name]).map(|word| of(&kind.name, word)))
        .filter(|(phrase, _)| !phrase.is_empty())
        .collect()
}

struct Reader<'a> {
    tokens: &'a [Token],
    kinds: Vec<KindPhrase>,
}

impl Reader<'_> {
    /// What stands at a place, if anything is to be made of it.
    fn at(&self, at: usize) -> Option<Match> {
        (self.about(at))
            .or_else(|| self.negated(at))
            .or_else(|| self.difficulty(at))
            .or_else(|| self.counted(at))
            .or_else(|| self.plain(at))
            .or_else(|| self.uncounted(at))
    }

    /// A phrase before a number that leaves it as it is.
    fn about(&self, at: usize) -> Option<Match> {
        let length = ABOUT.iter().filter_map(|phrase| self.phrase(at, phrase)).max()?;
        match ["a pair of", "a couple of"].iter().any(|two| self.phrase(at, two).is_some()) {
            true => self.noun(at + length).map(|said| Match::new(said(2, 2), length + 1)),
            false => {
                number_at(self.tokens, at + length)?;
                Some(Match { said: None, length, counted: None })
            }
        }
    }

    /// `no code`, `without a forge`, `no floors`.
    fn negated(&self, at: usize) -> Option<Match> {
        self.word(at).filter(|word| NOT.contains(word))?;
        let article =
            usize::from(self.word(at + 1).is_some_and(|word| ["a", "an", "any", "the", "too"].contains(&word)));
        let next = at + 1 + article;
        if let Some(said) = self.noun(next) {
            return Some(Match::new(said(0, 0), 2 + article));
        }
        let inner = self.counted(next).or_else(|| self.plain(next))?;
        let said = inner.said.map(|said| Said::Not(Box::new(said)));
        Some(Match { said, length: 1 + article + inner.length, counted: inner.counted })
    }

    /// `difficulty 4`, `difficulty level of 4`.
    fn difficulty(&self, at: usize) -> Option<Match> {
        self.word(at).filter(|word| *word == "difficulty")?;
        let between = (0..3).take_while(|between| match between {
            0 => true,
            n => self.word(at + n).is_some_and(|word| ["level", "of", "is"].contains(&word)),
        });
        between
            .filter_map(|between| {
                let (number, length) = number_at(self.tokens, at + 1 + between)?;
                Some(Match::new(Said::Difficulty(number), 1 + between + length))
            })
            .next()
    }

    /// A number with what it counts: `three floors`, `2 to 3 flooded decks`, `ten rooms a floor`, `two forges`.
    fn counted(&self, at: usize) -> Option<Match> {
        let (low, mut length) = number_at(self.tokens, at)?;
        let mut high = low;
        let next = self.tokens.get(at + length)?;
        let between = usize::from(["to", "or"].contains(&next.word.as_str()));
        if (between == 1 || next.joined)
            && let Some((number, further)) = number_at(self.tokens, at + length + between)
        {
            high = number;
            length += between + further;
        }
        let (low, high) = (low.min(high), low.max(high));
        if let Some((kind, words)) = self.kind(at + length) {
            return Some(Match::new(Said::Kind(kind, low), length + words));
        }
        for between in 0..=MOST_BETWEEN {
            let place = at + length + between;
            if let Some(said) = self.noun(place) {
                if between > 0 {
                    return Some(Match { said: Some(said(low, high)), length, counted: Some(place) });
                }
                let each = (ROOMS.contains(&self.word(place)?)).then(|| self.each(place + 1)).flatten();
                return Some(match each {
                    Some(words) => Match::new(Said::RoomsEach(low, high), length + 1 + words),
                    None => Match::new(said(low, high), length + 1),
                });
            }
            let token = self.tokens.get(place)?;
            if (token.begins && between > 0)
                || JOINS.contains(&token.word.as_str())
                || number_at(self.tokens, place).is_some()
            {
                return None;
            }
        }
        None
    }

    /// A word or phrase that needs no number.
    fn plain(&self, at: usize) -> Option<Match> {
        let Some((length, sense)) = self.sense(at) else {
            let (kind, words) = self.kind(at)?;
            return Some(Match::new(Said::Kind(kind, 1), words));
        };
        let of_room = matches!(sense, Sense::Size(_)) && self.begins_room(at + length);
        Some(Match::new(if of_room { Said::RoomSize } else { Said::Sense(sense) }, length))
    }

    /// The longest phrase of the lexicon at a place, unless one for a kind of room is longer.
    fn sense(&self, at: usize) -> Option<(usize, Sense)> {
        let all = LEXICON.iter().flat_map(|(sense, _, phrases)| phrases.iter().map(move |phrase| (*sense, *phrase)));
        let standing = all.filter_map(|(sense, phrase)| Some((self.phrase(at, phrase)?, sense)));
        let longest = standing.max_by_key(|(length, _)| *length)?;
        let kind = self.kind(at).map_or(0, |(_, words)| words);
        Some(longest).filter(|(length, _)| kind <= *length)
    }

    /// Whether a room is named at a place, in the same clause as what stands before.
    fn begins_room(&self, at: usize) -> bool {
        let is_kind = self.sense(at).is_none() && self.kind(at).is_some();
        let is_room = is_kind || self.word(at).is_some_and(|word| ROOMS.contains(&word));
        is_room && self.tokens.get(at).is_some_and(|token| !token.begins)
    }

    /// A floor or floors without a number.
    fn uncounted(&self, at: usize) -> Option<Match> {
        let word = self.word(at).filter(|word| FLOORS.contains(word))?;
        if PLURALS.contains(&word) {
            return Some(Match::new(Said::SomeFloors, 1));
        }
        // `each floor` and `the last floor` say nothing of how many there are.
        let before = at.checked_sub(1).and_then(|before| self.word(before));
        match before.is_some_and(|word| OF_SEVERAL.contains(&word)) {
            true => Some(Match { said: None, length: 1, counted: None }),
            false => Some(Match::new(Said::Floors(1, 1), 1)),
        }
    }

    /// What a number counts at a place.
    fn noun(&self, at: usize) -> Option<fn(i64, i64) -> Said> {
        let word = self.word(at)?;
        match (FLOORS.contains(&word), ROOMS.contains(&word)) {
            (true, _) => Some(Said::Floors),
            (_, true) => Some(Said::Rooms),
            _ => None,
        }
    }

    /// Of how many words `a floor`, `per level` or `on each deck` is.
    fn each(&self, at: usize) -> Option<usize> {
        let on = usize::from(self.word(at).is_some_and(|word| ["on", "to"].contains(&word)));
        self.word(at + on).filter(|word| EACH.contains(word))?;
        self.word(at + on + 1).filter(|word| FLOORS.contains(word) && !PLURALS.contains(word))?;
        Some(on + 2)
    }

    /// The kind of room that is named at a place, and in how many words.
    fn kind(&self, at: usize) -> Option<(String, usize)> {
        let stands = |phrase: &[String]| {
            phrase.iter().enumerate().all(|(n, word)| {
                let last = n + 1 == phrase.len();
                // `guard rooms` as `guard room`.
                self.word(at + n).is_some_and(|said| {
                    said == word.as_str() || (last && said.strip_suffix('s') == Some(word.as_str()))
                })
            })
        };
        let named = self.kinds.iter().filter(|(phrase, _)| stands(phrase));
        // Of equally long ones the first row counts.
        let longest = named.rev().max_by_key(|(phrase, _)| phrase.len())?;
        Some((longest.1.clone(), longest.0.len()))
    }

    /// Of how many words a phrase is, if it stands at a place.
    fn phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        let stands = phrase.split(' ').enumerate().all(|(n, word)| self.word(at + n) == Some(word));
        stands.then(|| phrase.split(' ').count())
    }

    fn word(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).map(|token| token.word.as_str())
    }

    fn words(&self, at: usize, length: usize) -> String {
        let words: Vec<&str> = self.tokens.iter().skip(at).take(length).map(|token| token.word.as_str()).collect();
        words.join(" ")
    }
}

/// Words that may stand between a number and what it counts.
const MOST_BETWEEN: usize = 2;
/// Words before a floor that speak of one among several.
const OF_SEVERAL: [&str; 14] = [
    "each", "every", "per", "last", "first", "second", "third", "fourth", "top", "bottom", "next", "lower", "upper",
    "lowest",
];
