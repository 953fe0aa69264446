//! What is made of what was said: of two words that contradict each other the first counts, numbers are brought into
//! their ranges, and whatever is done otherwise than asked is told. Knows nothing of words that were not understood.

use super::super::description::Cycle;
use super::lexicon::{Sense, Size, Way};
use super::read::{Reading, Said};
use super::token::in_words;
use super::{AskError, LEAST_ROOMS, MOST_ASKED, MOST_FLOORS, MOST_ROOMS, Request, USUAL_DIFFICULTY, brief};

/// Makes a request of what was read.
///
/// # Errors
/// [`AskError`] if it cannot be met in any way.
pub fn settle(ask: String, reading: Reading) -> Result<Request, AskError> {
    let Reading { said, mut unknown } = reading;
    let mut table = Table { said, told: Vec::new() };
    table.refuse_none()?;
    let asked = table.floors()?;
    let way = table.way();
    let rooms = table.rooms();
    let floors = floors(asked, way.is_some(), &rooms);
    let descends = way == Some(Way::Down) && floors > 1;
    if floors == 1
        && let Some(way) = way
    {
        let way = if way == Way::Down { "down" } else { "up" };
        table.tell(format!("one floor leads nowhere, so it does not lead {way}"));
    }
    let cycle = table.cycle();
    let difficulty = table.difficulty();
    let (mut named, unwanted) = table.kinds();
    let most_named = usize::from(floors) * usize::from(MOST_ROOMS - NOT_NAMED);
    if named.len() > most_named {
        table.tell(format!("{most_named} rooms at most can be named on {}; the first are made", count_floors(floors)));
        named.truncate(most_named);
    }
    let rooms = table.fit(rooms, floors, named.len());
    for ((), size) in table.all(|said| (*said == Said::RoomSize).then_some(())) {
        table.tell(format!("`{size}`: sizes of rooms are not read from words; a description says them"));
    }
    unknown.extend(table.not_understood());
    if !unknown.is_empty() {
        table.tell(not_understood(&unknown));
    }
    Ok(Request { ask, floors, rooms, descends, cycle, difficulty, named, unwanted, told: table.told })
}

/// Rooms of a floor whose kind is not free: the first, and the goal.
const NOT_NAMED: u16 = 2;
/// Words that are listed as not understood.
const MOST_LISTED: usize = 12;

/// How many rooms are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rooms {
    /// As many as usual.
    Usual,
    /// So many in all, as these words say.
    InAll(i64, i64, String),
    /// So many a floor.
    Each(i64, i64, String),
}

/// How many floors are made.
fn floors(asked: Option<u8>, leads: bool, rooms: &Rooms) -> u8 {
    let needed = match rooms {
        Rooms::InAll(_, most, _) => most.saturating_add(i64::from(MOST_ROOMS) - 1) / i64::from(MOST_ROOMS),
        Rooms::Usual | Rooms::Each(..) => 1,
    };
    let least = if leads { 2 } else { 1 };
    asked.unwrap_or_else(|| u8::try_from(needed).unwrap_or(MOST_FLOORS).clamp(least, MOST_FLOORS))
}

/// What was said, and what is to be told of it.
struct Table {
    said: Vec<(Said, String)>,
    told: Vec<String>,
}

impl Table {
    fn tell(&mut self, line: String) {
        self.told.push(line);
    }

    /// What a question of the request is answered by, with the words.
    fn all<T>(&self, of: impl Fn(&Said) -> Option<T>) -> Vec<(T, String)> {
        self.said.iter().filter_map(|(said, words)| Some((of(said)?, words.clone()))).collect()
    }

    /// The first answer; that others contradict it is told.
    fn first<T: PartialEq + Clone>(&mut self, of: impl Fn(&Said) -> Option<T>) -> Option<(T, String)> {
        let all = self.all(of);
        let first = all.first()?.clone();
        let others: Vec<&str> =
            all.iter().filter(|(other, _)| *other != first.0).map(|(_, words)| words.as_str()).collect();
        if !others.is_empty() {
            let others = others.join("`, `");
            self.tell(format!("`{}` and `{others}` contradict each other; the first counts", first.1));
        }
        Some(first)
    }

    fn refuse_none(&self) -> Result<(), AskError> {
        for (said, words) in &self.said {
            match said {
                Said::Floors(_, high) if *high < 1 => return Err(AskError::NoFloor(words.clone())),
                Said::Rooms(_, high) | Said::RoomsEach(_, high) if *high < 1 => {
                    return Err(AskError::NoRoom(words.clone()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn floors(&mut self) -> Result<Option<u8>, AskError> {
        let asked = self.first(|said| match said {
            Said::Floors(low, high) => Some((*low, *high)),
            Said::Sense(Sense::Several(number)) => Some((i64::from(*number), i64::from(*number))),
            _ => None,
        });
        let Some(((low, high), words)) = asked else {
            let some = !self.all(|said| (*said == Said::SomeFloors).then_some(())).is_empty();
            if some {
                self.tell("how many floors is not said: two are made".into());
            }
            return Ok(some.then_some(2));
        };
        let number = low.max(1);
        if number > i64::from(MOST_ASKED) {
            return Err(AskError::TooManyFloors(words));
        }
        let made = number.min(i64::from(MOST_FLOORS));
        if low != high || made != low {
            let most = if made < number { "at most four floors are made: " } else { "" };
            self.tell(format!("`{words}`: {most}{} made", are(made)));
        } else if self.said.iter().any(|(said, w)| *w == words && matches!(said, Said::Sense(_))) {
            self.tell(format!("`{words}`: {} made", are(made)));
        }
        Ok(u8::try_from(made).ok())
    }

    fn way(&mut self) -> Option<Way> {
        let way = self.first(|said| match said {
            Said::Sense(Sense::Way(way)) => Some(*way),
            _ => None,
        });
        way.map(|(way, _)| way)
    }

    fn rooms(&mut self) -> Rooms {
        let size = self.first(|said| match said {
            Said::Sense(Sense::Size(size)) => Some(*size),
            _ => None,
        });
        let number = self.first(|said| match said {
            Said::Rooms(..) | Said::RoomsEach(..) => Some(said.clone()),
            _ => None,
        });
        let size = size.map(|(size, words)| (in_all(size), words));
        match (number, size) {
            (Some((Said::Rooms(low, high), words)), size) => {
                if let Some(((least, most), size)) = size.filter(|((least, most), _)| low < *least || high > *most) {
                    self.tell(format!(
                        "`{size}` is {least} to {most} rooms, and `{words}` is said, too; the number counts"
                    ));
                }
                Rooms::InAll(low.max(1), high, words)
            }
            (Some((Said::RoomsEach(low, high), words)), size) => {
                if let Some((_, size)) = size {
                    self.tell(format!("`{size}` and `{words}` are both said; the number counts"));
                }
                Rooms::Each(low.max(1), high, words)
            }
            (_, Some(((low, high), words))) => Rooms::InAll(low, high, words),
            _ => Rooms::Usual,
        }
    }

    /// Brings the number of rooms between what the floors need and what they hold.
    fn fit(&mut self, rooms: Rooms, floors: u8, named: usize) -> (u16, u16) {
        let number = u16::from(floors);
        let named = u16::try_from(named).unwrap_or(u16::MAX).div_ceil(number.max(1));
        let each = named.saturating_add(NOT_NAMED).clamp(LEAST_ROOMS, MOST_ROOMS);
        let (least, most) = (each * number, MOST_ROOMS * number);
        let bring = |rooms: i64| u16::try_from(rooms.clamp(least.into(), most.into())).unwrap_or(most);
        let (low, high, words) = match rooms {
            Rooms::Usual if number == 1 => {
                let (low, high) = Size::Usual.rooms();
                return (low.max(least), high.max(least));
            }
            // With fewer floors there would be more rooms a floor; as it is they need not be many.
            Rooms::Usual => return (least, (least + number).min(most)),
            Rooms::InAll(low, high, words) => (low, high, words),
            Rooms::Each(low, high, words) => {
                (low.saturating_mul(number.into()), high.saturating_mul(number.into()), words)
            }
        };
        let on = count_floors(floors);
        if high < i64::from(least) {
            let why = match each > LEAST_ROOMS {
                true => "the rooms that are named, each floor's first and its goal are more".to_owned(),
                false => format!("a floor has {LEAST_ROOMS} rooms at least"),
            };
            self.tell(format!("`{words}`: {why}; on {on} {least} are made"));
        } else if low > i64::from(most) {
            self.tell(format!("`{words}`: a floor has {MOST_ROOMS} rooms at most; on {on} {most} are made"));
        }
        (bring(low), bring(high))
    }

    fn cycle(&mut self) -> Option<Cycle> {
        let wanted = |said: &Said| match said {
            Said::Sense(Sense::Cycle(cycle)) => Some(*cycle),
            _ => None,
        };
        let asked: Vec<Cycle> = self.all(wanted).into_iter().map(|(cycle, _)| cycle).collect();
        // That one is not wanted contradicts only that the same is.
        let cycle = self.first(|said| match said {
            Said::Not(inner) => wanted(inner).filter(|cycle| asked.contains(cycle)).map(|_| None),
            said => wanted(said).map(Some),
        });
        cycle.and_then(|(cycle, _)| cycle)
    }

    fn difficulty(&mut self) -> u8 {
        let asked = self.first(|said| match said {
            Said::Difficulty(number) => Some(*number),
            Said::Sense(Sense::Difficulty(number)) => Some(i64::from(*number)),
            _ => None,
        });
        let Some((asked, words)) = asked else { return USUAL_DIFFICULTY };
        let made = asked.clamp(1, 5);
        if made != asked {
            self.tell(format!("`{words}`: difficulties are 1 to 5; {made} is made"));
        }
        u8::try_from(made).unwrap_or(USUAL_DIFFICULTY)
    }

    /// Kinds of rooms that are named, and those that are not wanted.
    fn kinds(&mut self) -> (Vec<String>, Vec<String>) {
        let (mut named, mut unwanted): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut told = Vec::new();
        for (said, words) in &self.said {
            match said {
                Said::Kind(kind, _) if unwanted.contains(kind) => {
                    told.push(format!("`{words}`: it was said before that there is none; there is none"));
                }
                Said::Kind(kind, number) => {
                    // More than all floors hold are cut off later.
                    let number = usize::try_from((*number).min(200)).unwrap_or(0);
                    if number == 0 {
                        unwanted.push(kind.clone());
                    }
                    named.extend(std::iter::repeat_n(kind.clone(), number));
                }
                Said::Not(inner) => match &**inner {
                    Said::Kind(kind, _) if named.contains(kind) => {
                        told.push(format!("`{words}`: it was said before that there is one; there is one"));
                    }
                    Said::Kind(kind, _) if !unwanted.contains(kind) => unwanted.push(kind.clone()),
                    _ => {}
                },
                _ => {}
            }
        }
        self.told.extend(told);
        (named, unwanted)
    }

    /// What is not wanted without saying what is.
    fn not_understood(&self) -> Vec<String> {
        let of = |said: &Said| match said {
            Said::Not(inner) => match **inner {
                Said::Kind(..) | Said::Sense(Sense::Cycle(_) | Sense::Way(_)) => None,
                _ => Some(()),
            },
            _ => None,
        };
        self.all(of).into_iter().map(|(_, words)| words).collect()
    }
}

fn in_all(size: Size) -> (i64, i64) {
    let (least, most) = size.rooms();
    (least.into(), most.into())
}

fn are(number: i64) -> String {
    format!("{} {}", in_words(number), if number == 1 { "is" } else { "are" })
}

fn count_floors(floors: u8) -> String {
    format!("{} {}", in_words(floors.into()), if floors == 1 { "floor" } else { "floors" })
}

fn not_understood(unknown: &[String]) -> String {
    let listed: Vec<String> = unknown.iter().take(MOST_LISTED).map(|word| format!("`{}`", brief(word))).collect();
    let more = match unknown.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("not understood: {}{more}", listed.join(", "))
}
