//! A tower asked for in plain words: what was understood, and what is made instead of what cannot be. Knows nothing of
//! how a tower is drawn.

mod lexicon;
mod read;
mod settle;
#[cfg(test)]
mod tests;
mod token;

use std::fmt;

use super::description::Cycle;
use super::kind::Kinds;
pub use lexicon::{LEXICON, Sense, Size, Way};
use read::read;
use settle::settle;
use token::in_words;

/// Floors that may be asked for.
pub const MOST_ASKED: u8 = 6;
/// Floors that are made.
pub const MOST_FLOORS: u8 = 4;
/// Rooms of a floor that is made from words, at least.
pub const LEAST_ROOMS: u16 = 6;
/// Rooms of a floor at most.
pub const MOST_ROOMS: u16 = 25;
/// Characters of a request.
const LONGEST_ASK: usize = 1_000;
/// The difficulty of floor 1 unless it is said.
pub const USUAL_DIFFICULTY: u8 = 2;

/// What is made of a request in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The words, without line breaks and further spaces.
    pub ask: String,
    /// Floors, from 1 to [`MOST_FLOORS`].
    pub floors: u8,
    /// Rooms in all, both ends counted; each floor has from [`LEAST_ROOMS`] to [`MOST_ROOMS`].
    pub rooms: (u16, u16),
    /// Whether the floors lead down.
    pub descends: bool,
    /// The puzzle of the last floor.
    pub cycle: Option<Cycle>,
    /// The difficulty of floor 1, from 1 to 5.
    pub difficulty: u8,
    /// Kinds of rooms that there are to be, in the order of the words; a floor each in turn from floor 1.
    pub named: Vec<String>,
    /// Kinds of rooms that there are not to be.
    pub unwanted: Vec<String>,
    /// What was understood, and what is done instead of what cannot be, a line each.
    pub told: Vec<String>,
}

/// A request that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// There are no words.
    #[error("nothing is asked for; {CAN_BE_ASKED}")]
    Empty,
    /// There are too many.
    #[error("a request has at most {LONGEST_ASK} characters, this one {0}")]
    TooLong(usize),
    /// There is no word that means anything.
    #[error("nothing was understood of `{0}`; {CAN_BE_ASKED}")]
    NothingUnderstood(String),
    /// No floor at all.
    #[error("`{0}` asks for no floor; a tower has at least one, and one to six can be asked for")]
    NoFloor(String),
    /// No room at all.
    #[error("`{0}` asks for no room; a floor has 6 to 25 of them")]
    NoRoom(String),
    /// More floors than may be asked for.
    #[error("`{0}` asks for too many floors; one to six can be asked for, of which at most four are made")]
    TooManyFloors(String),
}

const CAN_BE_ASKED: &str = "what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, \
                            `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and \
                            a difficulty (`easy`, `hard`, `difficulty 4`)";

/// Understands a request. The kinds lend it the words for rooms.
///
/// # Errors
/// [`AskError`] if there is nothing that could be made instead.
pub fn understand(ask: &str, kinds: &Kinds) -> Result<Request, AskError> {
    let length = ask.chars().count();
    if length > LONGEST_ASK {
        return Err(AskError::TooLong(length));
    }
    let ask = ask.split_whitespace().collect::<Vec<_>>().join(" ");
    if ask.is_empty() {
        return Err(AskError::Empty);
    }
    let reading = read(&ask, kinds);
    if reading.said.is_empty() {
        return Err(AskError::NothingUnderstood(brief(&ask)));
    }
    let mut request = settle(ask, reading)?;
    request.told.insert(0, format!("understood as: {request}"));
    Ok(request)
}

/// Characters of a request that are quoted.
const LONGEST_QUOTE: usize = 60;

/// The beginning of a text, without what a terminal would obey.
fn brief(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(LONGEST_QUOTE).collect();
    if shown.chars().count() < text.chars().count() { shown + " …" } else { shown }
}

/// `three floors, each below the one before; 35 to 50 rooms, among them 1 vault; a flood before the boss; difficulty 4 on
/// floor 1`.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let floors = i64::from(self.floors);
        write!(f, "{} {}", in_words(floors), if floors == 1 { "floor" } else { "floors" })?;
        match (self.floors, self.descends) {
            (1, _) => {}
            (_, true) => f.write_str(", each below the one before")?,
            (_, false) => f.write_str(", each above the one before")?,
        }
        match self.rooms {
            (least, most) if least == most => write!(f, "; {least} rooms")?,
            (least, most) => write!(f, "; {least} to {most} rooms")?,
        }
        if !self.named.is_empty() {
            write!(f, ", among them {}", counted(&self.named))?;
        }
        if !self.unwanted.is_empty() {
            write!(f, ", none of them {}", self.unwanted.join(" or "))?;
        }
        if let Some(cycle) = self.cycle {
            write!(f, "; a {} before the boss", cycle_word(cycle))?;
        }
        write!(f, "; difficulty {} on floor 1", self.difficulty)
    }
}

/// `2 forge, 1 crypt`: kinds of rooms, each once, in the order in which they come first.
fn counted(kinds: &[String]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(other, _)| other == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    counts.join(", ")
}

fn cycle_word(cycle: Cycle) -> &'static str {
    match cycle {
        Cycle::Code => "code",
        Cycle::Flood => "flood",
        Cycle::Lock => "lock",
    }
}
