//! What `mota generate floors` and `mota generate tower` print.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

use crate::generate::{Outcome, Tally};
use crate::solver::Worth;

/// What `mota generate floors --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GenerateOutput {
    /// The floors that were kept, in the order of their seeds.
    pub(super) floors: Vec<FloorOutput>,
    /// Whether as many floors were found as were wanted.
    pub(super) complete: bool,
    /// Seeds tried, up to where the search ended.
    pub(super) tried: u64,
    /// What became of the others.
    pub(super) rejected: Rejected,
    /// Seconds in all.
    pub(super) seconds: f64,
}

/// A floor that was kept.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FloorOutput {
    /// The seed that made it.
    pub(super) seed: u64,
    /// Its file.
    pub(super) file: String,
    /// Final HP under best play.
    pub(super) optimum: i64,
    /// ATK at the end of best play.
    pub(super) atk: i64,
    /// DEF at the end of best play.
    pub(super) def: i64,
}

/// Seeds whose floors were not kept, by reason.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Rejected {
    /// The boss cannot be defeated.
    pub(super) unwinnable: u64,
    /// The optimum is below the range.
    pub(super) too_hard: u64,
    /// The optimum is above the range.
    pub(super) too_easy: u64,
    /// Not solved within the limit of steps.
    pub(super) unsolved: u64,
}

impl GenerateOutput {
    pub(super) fn new(floors: Vec<FloorOutput>, tally: &Tally, outcome: Outcome, seconds: f64) -> Self {
        let Tally { tried, unwinnable, too_hard, too_easy, unsolved, .. } = *tally;
        let rejected = Rejected { unwinnable, too_hard, too_easy, unsolved };
        GenerateOutput { floors, complete: outcome == Outcome::Complete, tried, rejected, seconds }
    }

    /// The floors, a line each, and what became of the other seeds.
    pub(super) fn text(&self, outcome: Outcome, optimum: &RangeInclusive<i64>) -> String {
        let mut text = String::new();
        for FloorOutput { seed, file, optimum, atk, def } in &self.floors {
            text += &format!("seed {seed}: optimum {optimum} (ATK {atk}, DEF {def})  {file}\n");
        }
        let kept = self.floors.len();
        let share = |n: u64| 100.0 * n as f64 / self.tried.max(1) as f64;
        let Rejected { unwinnable, too_hard, too_easy, unsolved } = self.rejected;
        let seeds = if self.tried == 1 { "seed" } else { "seeds" };
        text += &format!("{} {seeds} tried, {kept} kept ({:.1} %)", self.tried, share(kept as u64));
        for (count, why) in [
            (unwinnable, "cannot be won".to_owned()),
            (too_hard, format!("have an optimum below {}", optimum.start())),
            (too_easy, format!("have an optimum above {}", optimum.end())),
            (unsolved, "were not solved within the limit of steps".to_owned()),
        ] {
            if count > 0 {
                text += &format!("; {count} ({:.1} %) {why}", share(count));
            }
        }
        text += &format!("\n{:.1} s, {:.0} seeds a second\n", self.seconds, self.tried as f64 / self.seconds.max(1e-3));
        match outcome {
            Outcome::Complete => {}
            Outcome::TriesUsedUp => text += "fewer floors than wanted: the seeds allowed by --tries are used up\n",
            Outcome::LastSeed => text += "fewer floors than wanted: there is no higher seed\n",
            Outcome::Stopped => text += "fewer floors than wanted: interrupted\n",
        }
        text
    }
}

/// A tower that was made.
#[derive(Debug)]
pub struct TowerOutput {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) file: Option<String>,
    /// Rooms, floor by floor.
    pub(super) rooms: Vec<usize>,
    pub(super) told: Vec<String>,
    pub(super) worth: Worth,
    pub(super) attempts: u32,
    pub(super) seconds: f64,
}

/// What `mota generate tower --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TowerAnswer {
    /// Its name.
    name: String,
    /// The seed that it was made from.
    seed: u64,
    /// Its file.
    file: Option<String>,
    /// Rooms of each floor.
    rooms: Vec<usize>,
    /// What was understood, what is done instead of what cannot be, and what could not be drawn.
    told: Vec<String>,
    /// Final HP under best play; null if only bounds are known.
    optimum: Option<i64>,
    /// Final HP that a way to win gives.
    least: Option<i64>,
    /// Final HP that no play exceeds, as is proven; null if no bound is known.
    most: Option<i64>,
    /// Drawings that were tried.
    attempts: u32,
    /// Seconds in all.
    seconds: f64,
}

impl TowerOutput {
    /// The tower in a line.
    pub(super) fn line(&self) -> String {
        let rooms: usize = self.rooms.iter().sum();
        let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let drawings = count(self.attempts as usize, "drawing");
        let (floors, rooms) = (count(self.rooms.len(), "floor"), count(rooms, "room"));
        let Self { name, worth, seconds, .. } = self;
        format!("{name}: {floors}, {rooms}; optimum {worth}; {drawings} tried; {seconds:.1} s")
    }

    pub(super) fn answer(self) -> TowerAnswer {
        let TowerOutput { name, seed, file, rooms, told, worth, attempts, seconds } = self;
        let (optimum, least, most) = (worth.hp(), worth.least, worth.bound());
        TowerAnswer { name, seed, file, rooms, told, optimum, least, most, attempts, seconds }
    }
}
