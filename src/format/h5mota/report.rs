//! What an import says of what it did: each scripted event, and what else is not modelled. Knows nothing of how it was
//! found out.

use schemars::JsonSchema;
use serde::Serialize;

/// How much of an event is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Modelled {
    /// Nothing in it can change the game: it is text, sound, pictures.
    Show,
    /// All that changes the game.
    Yes,
    /// A part.
    Partly,
    /// Nothing.
    No,
}

impl Modelled {
    /// The word that tables use.
    pub fn word(self) -> &'static str {
        match self {
            Modelled::Show => "show only",
            Modelled::Yes => "yes",
            Modelled::Partly => "partly",
            Modelled::No => "no",
        }
    }
}

/// A scripted event of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EventNote {
    /// The floor's id; empty for what belongs to none.
    pub floor: String,
    /// The column; none if it belongs to the floor as a whole.
    pub x: Option<u16>,
    /// The row.
    pub y: Option<u16>,
    /// When it happens.
    pub trigger: String,
    /// What it does, in words.
    pub what: String,
    /// Instructions in it that change, or may change, the game's state; those that are inserted from elsewhere included.
    pub changes: usize,
    /// Those of them that are modelled.
    pub changes_modelled: usize,
    /// Calls of the project's own code alone, of which no file that is read says what they do; not among the changes.
    pub unknown: usize,
    /// How much of it is modelled.
    pub modelled: Modelled,
    /// Why not all of it.
    pub why: String,
}

/// Something else that is not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OtherNote {
    /// What kind of thing.
    pub what: String,
    /// Which.
    pub name: String,
    /// Of a block, the tiles that show it; of an ability, the kinds of monsters that have it; of anything else, how often
    /// the import came upon it, an item once for each ratio of floors.
    pub count: usize,
    /// Where it was first met.
    pub first: String,
    /// What is not modelled about it.
    pub why: String,
}

/// All that an import says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// The project's title.
    pub title: String,
    /// Floors in play.
    pub floors: usize,
    /// The difficulty played; none if the project has none.
    pub difficulty: Option<String>,
    /// What wins the game, in words.
    pub goal: String,
    /// Whether the game can be won by what was imported, as far as that is a matter of having a goal at all.
    pub has_goal: bool,
    /// The scripted events, by floor and place.
    pub events: Vec<EventNote>,
    /// What else is not modelled.
    pub others: Vec<OtherNote>,
    /// What was odd about the files.
    pub oddities: Vec<String>,
}

impl Report {
    /// Instructions that change the game's state, in all events: how many, and how many of them are modelled.
    pub fn changes(&self) -> (usize, usize) {
        let all = self.events.iter().map(|event| event.changes).sum();
        (all, self.events.iter().map(|event| event.changes_modelled).sum())
    }

    /// Calls of the project's own code of which no file that is read says what they do, in all events.
    pub fn unknown(&self) -> usize {
        self.events.iter().map(|event| event.unknown).sum()
    }

    /// How many events are modelled so far.
    pub fn count(&self, modelled: Modelled) -> usize {
        self.events.iter().filter(|event| event.modelled == modelled).count()
    }

    /// The share of the instructions that change the game's state that is modelled, in per cent; none if there are none.
    pub fn share(&self) -> Option<f64> {
        let (all, modelled) = self.changes();
        (all > 0).then(|| 100.0 * modelled as f64 / all as f64)
    }
}
