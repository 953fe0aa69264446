//! What `mota generate floors` prints.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

use crate::generate::{Outcome, Tally};

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
