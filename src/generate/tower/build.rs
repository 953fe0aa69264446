//! A tower from a description and a seed: drawn, peopled, and kept if the solver proves what is wanted of it. The same
//! description and seed give the same tower.

use std::ops::RangeInclusive;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::accept::{self, Settled, Verdict, Wanted};
use super::bestiary::Bestiary;
use super::description::Description;
use super::furnish::furnish;
use super::goods;
use super::ground::Ground;
use super::kind::{Kinds, KindsError};
use super::locks;
use super::population::Rule;
use super::site::Site;
use crate::check::{Finding, check};
use crate::game::{Origin, Step, Tower};
use crate::generate::draft::RANDOM;
use crate::solver::SolveError;
use crate::solver::worth::Worth;

/// What a tower must be like to be kept, and how long that is sought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wishes {
    /// Final HP under best play; follows from the difficulty unless given.
    pub optimum: Option<RangeInclusive<i64>>,
    /// Steps of the search after which a bracket must do. Not a time, so that the same towers are kept everywhere.
    pub most_steps: u64,
    /// Drawings that are tried.
    pub attempts: u32,
}

impl Default for Wishes {
    fn default() -> Self {
        Wishes { optimum: None, most_steps: 1_500_000, attempts: 200 }
    }
}

/// A tower that was kept.
#[derive(Clone, Debug)]
pub struct Made {
    /// The tower.
    pub tower: Tower,
    /// What could not be drawn as it was asked for.
    pub told: Vec<String>,
    /// Final HP under best play: known, or between what a route that was found gives and what is proven.
    pub worth: Worth,
    /// The route to the end that gives the least of it.
    pub route: Vec<Step>,
    /// Drawings that were tried.
    pub attempts: u32,
    /// Those that were not kept.
    pub refused: Refused,
}

/// Drawings that were not kept, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The rooms, stairs or ladders found no place.
    pub no_place: u32,
    /// What must lie or stand somewhere found no place.
    pub no_room: u32,
    /// A check failed.
    pub unsound: u32,
    /// Best play does not end in the range that is wanted, whatever the HP at the start, or hardly takes a decision.
    pub out_of_range: u32,
    /// What is proven of best play within the steps of the solver is too little.
    pub unproven: u32,
}

impl Refused {
    /// The reason of most of them, in words; `unsound` is what a check found, `homeless` what found no place.
    fn why(&self, unsound: Option<&Finding>, homeless: Option<&str>) -> String {
        let homeless = homeless.map(|what| format!(": {what}")).unwrap_or_default();
        let found = unsound.map(|finding| format!(": {}, {}", finding.code, finding.message)).unwrap_or_default();
        let reasons = [
            (self.no_place, "the rooms, stairs or ladders found no place".to_owned()),
            (self.no_room, format!("what must lie or stand somewhere found no place{homeless}")),
            (self.unsound, format!("it does not pass the checks of `mota check`{found}")),
            (self.out_of_range, "its best play does not end in the range that is wanted".to_owned()),
            (
                self.unproven,
                "what is proven of it within the steps of the solver is too little; allow more with --steps".to_owned(),
            ),
        ];
        if self.unproven >= UNPROVEN {
            return reasons[4].1.clone();
        }
        reasons.into_iter().max_by_key(|(count, _)| *count).map(|(_, why)| why).unwrap_or_default()
    }
}

/// Why there is no tower.
#[derive(Debug, Error)]
pub enum BuildError {
    /// No drawing was kept.
    #[error("none of {attempts} drawings was kept: {why}")]
    NoneKept {
        /// How many were tried.
        attempts: u32,
        /// What was wrong with them, most often.
        why: String,
    },
    /// A room is of no kind that the table has.
    #[error(transparent)]
    Kind(#[from] KindsError),
    /// A drawing could not be solved at all.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Drawings in which every second way, the quick exit and every keeper must find a place, before they may be left out.
const STRICT: u32 = 60;

/// Drawings of which too little is proven, before the others are not tried: they take long, and are alike.
const UNPROVEN: u32 = 8;

/// Makes a tower.
///
/// # Errors
/// [`BuildError`] if no drawing is kept, or `stop` says so.
pub fn tower(
    description: &Description,
    kinds: &Kinds,
    seed: u64,
    wishes: &Wishes,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Made, BuildError> {
    let bestiary = Bestiary::standard();
    for room in description.floors.iter().flat_map(|floor| &floor.rooms) {
        kinds.of(room.kind.as_deref(), &room.note, &room.name)?;
    }
    let mut refused = Refused::default();
    let (mut unsound, mut homeless): (Option<Finding>, Option<&str>) = (None, None);
    for attempt in 0..wishes.attempts {
        if stop() {
            return Err(SolveError::Stopped.into());
        }
        let strict = attempt < STRICT;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(attempt));
        let rule = Rule { kinds, bestiary: &bestiary, seed: seed.wrapping_add(u64::from(attempt) << 32) };
        let Some(site) = Site::draw(description, strict, &mut rng) else {
            refused.no_place += 1;
            continue;
        };
        let ground = match people(site, &rule, strict, &mut rng) {
            Ok(ground) => ground,
            Err(what) => {
                refused.no_room += 1;
                homeless.get_or_insert(what);
                continue;
            }
        };
        // No check asks for HP.
        if let Some(finding) = furnish(&ground, &rule, 1).into_iter().flat_map(|tower| check(&tower)).next() {
            refused.unsound += 1;
            unsound.get_or_insert(finding);
            continue;
        }
        let wanted = Wanted::of(description, wishes);
        match accept::settle(&ground, &rule, &wanted, stop)? {
            Verdict::Kept(kept) => {
                let Settled { mut tower, worth, route } = *kept;
                let optimum = worth.value().flatten();
                if let Worth { least: Some(least), most: Some(most) } = worth
                    && least != most
                {
                    tower.note = Some(format!("best play ends with {least} to {most} HP: more is not proven"));
                }
                tower.origin = Some(Origin { command: String::new(), random: Some(RANDOM.into()), optimum });
                return Ok(Made { tower, told: ground.site.told, worth, route, attempts: attempt + 1, refused });
            }
            Verdict::OutOfRange => refused.out_of_range += 1,
            Verdict::Unproven => {
                refused.unproven += 1;
                if refused.unproven >= UNPROVEN {
                    let why = refused.why(unsound.as_ref(), homeless);
                    return Err(BuildError::NoneKept { attempts: attempt + 1, why });
                }
            }
        }
    }
    Err(BuildError::NoneKept { attempts: wishes.attempts, why: refused.why(unsound.as_ref(), homeless) })
}

/// Puts everything into a drawn tower, or says what finds no place; unless `strict`, keepers may find none.
fn people<'d>(site: Site<'d>, rule: &Rule<'_>, strict: bool, rng: &mut ChaCha8Rng) -> Result<Ground<'d>, &'static str> {
    let mut ground = Ground::of(site);
    locks::shut(&mut ground);
    goods::put_by_hand(&mut ground, rule).ok_or("what is placed by hand")?;
    if locks::put_keepers(&mut ground, rule.bestiary) > 0 {
        if strict {
            return Err("a keeper before the stairs or a ladder");
        }
        let told =
            "a floor can be reached without a fight: no square for a keeper lies far enough from stairs and ladders";
        ground.site.told.push(told.into());
    }
    rule.populate(&mut ground);
    locks::put_boss(&mut ground, rule.bestiary)
        .ok_or("the boss and its guard, three squares from stairs and ladders")?;
    locks::put_cycle_key(&mut ground, rng).ok_or("what opens the gate before the boss")?;
    let spare = match ground.site.description.difficulty {
        0..=2 => 1,
        3 => 0,
        4 => -1,
        _ => -2,
    };
    locks::put_keys(&mut ground, spare, rng).ok_or("a key before its door")?;
    goods::deal(&mut ground, rule, rng);
    Ok(ground)
}
