//! What `mota generate towers` prints.

use schemars::JsonSchema;
use serde::Serialize;

use crate::generate::tower::build::Refused;
use crate::generate::tower::many::{Kept, Tried};

/// What `mota generate towers --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TowersAnswer {
    /// The towers of each request.
    pub(super) requests: Vec<TowersOfAsk>,
    /// Whether all towers were made.
    pub(super) complete: bool,
    /// Seconds in all.
    pub(super) seconds: f64,
}

/// The towers of a request, taken together.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TowersOfAsk {
    /// The words.
    ask: String,
    /// Seeds tried.
    tried: usize,
    /// Towers made: each can be won, and passes all checks.
    made: usize,
    /// Those whose optimum is known, and not only bounds of it.
    known: usize,
    /// The optimum in percent of the HP at the start: least, median, most.
    optimum_percent: [f64; 3],
    /// HP at the start: least, median, most.
    start_hp: [i64; 3],
    /// Decisions of best play: least, median, most.
    decisions: [i64; 3],
    /// Drawings that were not kept: no place for rooms, stairs or ladders.
    no_place: u32,
    /// Drawings that were not kept: no place for what must lie or stand there.
    no_room: u32,
    /// Drawings that were not kept: a check failed.
    unsound: u32,
    /// Drawings that were not kept: best play does not end in the range.
    out_of_range: u32,
    /// Drawings that were not kept: too little was proven of best play.
    unproven: u32,
    /// Seconds a tower: median, most.
    seconds: [f64; 2],
    /// How hard the floors are, in the order of their numbers; empty unless measured.
    floors: Vec<FloorHardness>,
    /// Seeds of which no tower was made, and why.
    failed: Vec<(u64, String)>,
}

/// How hard a floor is, over all towers of a request.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FloorHardness {
    /// The floor's number, from 1.
    floor: usize,
    /// The floor alone, as best play comes to it: the most HP that can be left with, in percent of those that are come with:
    /// the mean over the towers of which it is known.
    optimum_percent: f64,
    /// Of the states of the floor alone, those from which it can no longer be left, in percent: the mean over the towers of which
    /// they are known.
    lost_percent: f64,
    /// Towers of which both are known.
    known: usize,
    /// HP that best play pays there, in percent of the HP at the start: the mean.
    paid_percent: f64,
    /// Decisions of best play there: the mean.
    decisions: f64,
}

impl TowersOfAsk {
    /// Counts.
    pub(super) fn of(ask: &str, tried: &[Tried]) -> Self {
        let made: Vec<_> = tried.iter().filter_map(|tried| tried.made.as_ref().ok()).collect();
        let hp = |made: &&Kept| made.tower.hero.hp.max(1);
        let share = |made: &&Kept| 1_000 * made.worth.least.unwrap_or_default() / hp(made);
        let refused = |of: fn(&Refused) -> u32| made.iter().map(|made| of(&made.refused)).sum();
        let mut times: Vec<f64> = tried.iter().map(|tried| tried.took.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let round = |seconds: f64| (seconds * 1e3).round() / 1e3;
        TowersOfAsk {
            ask: ask.to_owned(),
            tried: tried.len(),
            made: made.len(),
            known: made.iter().filter(|made| made.worth.is_known()).count(),
            optimum_percent: three(made.iter().map(share)).map(|tenths| tenths as f64 / 10.0),
            start_hp: three(made.iter().map(hp)),
            decisions: three(made.iter().map(|made| i64::from(made.decisions))),
            no_place: refused(|refused| refused.no_place),
            no_room: refused(|refused| refused.no_room),
            unsound: refused(|refused| refused.unsound),
            out_of_range: refused(|refused| refused.out_of_range),
            unproven: refused(|refused| refused.unproven),
            seconds: [times.get(times.len() / 2), times.last()].map(|time| round(time.copied().unwrap_or_default())),
            floors: floors(tried),
            failed: tried.iter().filter_map(|tried| Some((tried.seed, tried.made.as_ref().err()?.clone()))).collect(),
        }
    }

    /// A few lines.
    pub(super) fn text(&self) -> String {
        let Self { ask, tried, made, known, optimum_percent: [least, middle, most], start_hp, .. } = self;
        let mut text = format!(
            "{ask}: {made} of {tried} seeds made, all pass the checks and can be won; optimum known of {known}\n"
        );
        if *made == 0 {
            text = format!("{ask}: none of {tried} seeds made\n");
        }
        text += &format!(
            "  optimum {least:.1} to {most:.1} % of the HP at the start, median {middle:.1}; HP at the start {} to {}, median {}\n",
            start_hp[0], start_hp[2], start_hp[1]
        );
        let [few, usual, many] = self.decisions;
        text += &format!(
            "  decisions of best play {few} to {many}, median {usual}; {:.3} s a tower, at most {:.3}\n",
            self.seconds[0], self.seconds[1]
        );
        text += &format!(
            "  drawings not kept: {} without place for rooms, stairs or ladders, {} for contents, {} unsound, {} out of range, {} unproven\n",
            self.no_place, self.no_room, self.unsound, self.out_of_range, self.unproven
        );
        for FloorHardness { floor, optimum_percent, lost_percent, paid_percent, decisions, .. } in &self.floors {
            text += &format!(
                "  floor {floor}: alone, {lost_percent:.1} % of states are lost and the optimum is {optimum_percent:.1} % of the HP come with; best play makes {decisions:.1} decisions and pays {paid_percent:.1} % of the HP at the start\n"
            );
        }
        for (seed, why) in &self.failed {
            text += &format!("  seed {seed}: {why}\n");
        }
        text
    }
}

/// The least, the median and the most.
fn three(numbers: impl Iterator<Item = i64>) -> [i64; 3] {
    let mut numbers: Vec<i64> = numbers.collect();
    numbers.sort_unstable();
    [numbers.first(), numbers.get(numbers.len() / 2), numbers.last()].map(|number| number.copied().unwrap_or_default())
}

fn floors(tried: &[Tried]) -> Vec<FloorHardness> {
    let made = tried.iter().filter_map(|tried| tried.made.as_ref().ok());
    let measured: Vec<_> = made.filter_map(|made| Some((made, made.hardness.as_ref()?))).collect();
    let most = measured.iter().map(|(_, floors)| floors.len()).max().unwrap_or_default();
    let tenths = |number: f64| (number * 10.0).round() / 10.0;
    let of = |floor: usize| {
        let there =
            || measured.iter().filter_map(move |(made, floors)| Some((made.tower.hero.hp.max(1), floors.get(floor)?)));
        let count = there().count().max(1) as f64;
        let alone = there().filter_map(|(_, floor)| {
            let alone = floor.alone?;
            let ((reached, lost), optimum) = (alone.states?, alone.optimum?);
            Some((100.0 * lost as f64 / reached.max(1) as f64, 100.0 * optimum as f64 / alone.start.max(1) as f64))
        });
        let alone: Vec<(f64, f64)> = alone.collect();
        let mean = |of: fn(&(f64, f64)) -> f64| tenths(alone.iter().map(of).sum::<f64>() / alone.len().max(1) as f64);
        let paid: f64 = there().map(|(hp, floor)| floor.paid as f64 / hp as f64).sum();
        let decisions: u32 = there().map(|(_, floor)| floor.decisions).sum();
        FloorHardness {
            floor: floor + 1,
            optimum_percent: mean(|(_, optimum)| *optimum),
            lost_percent: mean(|(lost, _)| *lost),
            known: alone.len(),
            paid_percent: tenths(100.0 * paid / count),
            decisions: tenths(f64::from(decisions) / count),
        }
    };
    (0..most).map(of).collect()
}
