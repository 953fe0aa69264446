//! The state value along an episode, as it is drawn. Knows analyses; knows nothing of pixels.

use std::collections::BTreeMap;

use crate::analysis::{EpisodeAnalysis, LosingDecision};
use crate::eval::Ending;
use crate::game::Position;
use crate::solver::Worth;

/// The state value along episodes that had the same values and ended alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// How many episodes.
    pub count: usize,
    /// The values, as far as they are known: at index 0 before the first decision, at index n after decision n. Never
    /// empty, and none is lost.
    pub values: Vec<Span>,
    /// How they end.
    pub end: End,
}

/// Between what a value lies; twice the same where it is known. Without a bound the higher is `i64::MAX`; the lower is 0
/// where no way to win was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The value is at least this, if the game can be won.
    pub low: i64,
    /// It is at most this.
    pub high: i64,
}

impl Span {
    /// Whether the value is known.
    pub fn is_known(self) -> bool {
        self.low == self.high
    }
}

/// How a curve ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The boss is defeated; the last value is the final HP.
    Won,
    /// A decision after which the boss can no longer be defeated; the last value is that before it.
    Lost {
        /// Its number.
        turn: u32,
        /// The tile of its action.
        target: Position,
    },
    /// The boss can no longer be defeated after the last of these decisions, and it is not known which of them lost.
    Between {
        /// The number of the first.
        first: u32,
        /// The number of the last.
        last: u32,
    },
    /// The boss could still have been defeated, as far as is known: turn limit, abortion, or not yet finished.
    Open,
}

impl Curve {
    /// The turn at which it ends.
    pub fn turn(&self) -> u32 {
        match self.end {
            End::Lost { turn, .. } => turn,
            End::Between { last, .. } => last,
            End::Won | End::Open => self.values.len() as u32 - 1,
        }
    }

    /// The last value, or the least that it can be.
    pub fn last(&self) -> i64 {
        self.values.last().map_or(0, |value| value.low)
    }

    /// The highest of what was found, and of what is proven.
    pub fn highest(&self) -> [i64; 2] {
        let highest = |of: fn(&Span) -> i64| self.values.iter().map(of).filter(|hp| *hp < i64::MAX).max();
        [highest(|value| value.low), highest(|value| value.high)].map(Option::unwrap_or_default)
    }

    /// Whether all values are known.
    pub fn is_known(&self) -> bool {
        self.values.iter().all(|value| value.is_known())
    }
}

/// The curves of some episodes, equal ones merged, in the order of their first appearance. An episode that began
/// where the boss cannot be defeated has none, nor has one of which nothing is known.
pub fn curves(episodes: &[&EpisodeAnalysis]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut places: BTreeMap<(Vec<Span>, End), usize> = BTreeMap::new();
    for episode in episodes {
        let (values, end) = (values(episode), end(episode));
        if values.is_empty() {
            continue;
        }
        let place = *places.entry((values.clone(), end)).or_insert(curves.len());
        match curves.get_mut(place) {
            Some(curve) => curve.count += 1,
            None => curves.push(Curve { count: 1, values, end }),
        }
    }
    curves
}

/// The values up to the first that is lost; none if nothing is known of any.
fn values(episode: &EpisodeAnalysis) -> Vec<Span> {
    if episode.is_unknown() {
        return Vec::new();
    }
    let span = |worth: Worth| Some(Span { low: worth.least.unwrap_or_default(), high: worth.most? });
    let first = episode.decisions.first().map_or(episode.optimum, |decision| decision.before);
    let after = episode.decisions.iter().map(|decision| decision.after());
    std::iter::once(first).chain(after).map_while(span).collect()
}

fn end(episode: &EpisodeAnalysis) -> End {
    // A game that may have been lost from the start is not said to have been lost by a decision.
    let could_be_won = episode.losing_between.filter(|between| between.could_be_won);
    let between = || could_be_won.and_then(|between| Some((between.first, between.last?)));
    match (&episode.losing, between(), episode.ending) {
        (Some(LosingDecision { turn, target, .. }), ..) => End::Lost { turn: *turn, target: *target },
        (None, Some((first, last)), _) => End::Between { first, last },
        (None, None, Some(Ending::Won)) => End::Won,
        (None, None, _) => End::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::report::sample::episode;

    #[test]
    fn equal_episodes_are_one_curve() {
        let lost = |x| episode("a", "none", "f").values(&[68, 42]).loses(ChosenBy::Agent, "fight the Bat", (x, 8));
        let analyses = [
            episode("a", "none", "f").values(&[68, 42]).ended(Ending::Won, 42).done(),
            lost(11).lost_turns(3).ended(Ending::Stuck, 1).done(),
            lost(11).ended(Ending::Dead, 0).done(),
            lost(10).ended(Ending::Dead, 0).done(),
            episode("a", "none", "f").values(&[68, 42]).ended(Ending::TurnLimit, 500).done(),
            episode("a", "none", "f").done(),
            episode("a", "none", "f").optimum(None).lost_turns(1).ended(Ending::Stuck, 9).done(),
        ];
        let target = |x| End::Lost { turn: 3, target: Position::new(0, x, 8) };
        let span = |value: &i64| Span { low: *value, high: *value };
        let curve = |count, values: &[i64], end| Curve { count, values: values.iter().map(span).collect(), end };
        assert_eq!(
            curves(&analyses.iter().collect::<Vec<_>>()),
            [
                curve(1, &[68, 68, 42], End::Won),
                curve(2, &[68, 68, 42], target(11)),
                curve(1, &[68, 68, 42], target(10)),
                curve(1, &[68, 68, 42], End::Open),
                curve(1, &[68], End::Open),
            ]
        );
    }
}
