//! What a state is worth, as far as it is known: its value, or two bounds that it lies between. Knows nothing of how they
//! are found.
//!
//! A *value* is `Option<i64>`: the final HP under best play, or none if the game can no longer be won. Values are ordered
//! as options are, none below every number, and a worth is a closed interval of values. So `least: None` says that no way
//! to win was found, `most: None` that there is none, and `most: Some(i64::MAX)` that no bound is known: nobody has more.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Bounds of a state's value, both within reach of proof: the least is what a way to win that was found gives, the most
/// is what none exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Worth {
    /// Final HP that some way to win gives; none if none was found.
    pub least: Option<i64>,
    /// Final HP that no play exceeds, `i64::MAX` if no bound is known; none if it is proven that the game cannot be won.
    pub most: Option<i64>,
}

impl Worth {
    /// Nothing is known.
    pub const UNKNOWN: Worth = Worth { least: None, most: Some(i64::MAX) };

    /// The game cannot be won any more.
    pub const LOST: Worth = Worth { least: None, most: None };

    /// The value is known.
    pub const fn exactly(value: Option<i64>) -> Self {
        Worth { least: value, most: value }
    }

    /// Between what was found and what is proven; without a bound anything is possible.
    pub fn between(least: Option<i64>, bound: Option<i64>) -> Self {
        Worth { least, most: Some(bound.unwrap_or(i64::MAX)) }
    }

    /// Whether the value is known, be it that the game is lost.
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }

    /// The value, if it is known.
    pub fn value(&self) -> Option<Option<i64>> {
        self.is_known().then_some(self.least)
    }

    /// The final HP under best play, if that is known and the game can be won.
    pub fn hp(&self) -> Option<i64> {
        self.value().flatten()
    }

    /// Whether it is proven that the game cannot be won any more.
    pub fn is_lost(&self) -> bool {
        self.most.is_none()
    }

    /// Whether it is proven that the game can still be won.
    pub fn is_saved(&self) -> bool {
        self.least.is_some()
    }

    /// Whether the game can still be won; none if that is not known.
    pub fn can_be_won(&self) -> Option<bool> {
        if self.is_saved() { Some(true) } else { self.is_lost().then_some(false) }
    }

    /// The proven upper bound of the final HP; none if none is known, or the game is lost.
    pub fn bound(&self) -> Option<i64> {
        self.most.filter(|most| *most < i64::MAX || self.is_known())
    }

    /// Whether nothing at all is known.
    pub fn is_unknown(&self) -> bool {
        *self == Worth::UNKNOWN
    }

    /// Whether the bounds contradict each other: then one of them was not proven.
    pub fn is_contradictory(&self) -> bool {
        self.least > self.most
    }

    /// What is known of one state from two sides.
    pub fn and(self, other: Worth) -> Self {
        Worth { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// A state from which `next` can be reached is worth at least as much: best play may go there.
    pub fn at_least_that_of(self, next: Worth) -> Self {
        Worth { least: self.least.max(next.least), ..self }
    }

    /// A state that is reached from `before` is worth at most as much: no play wins what best play did not.
    pub fn at_most_that_of(self, before: Worth) -> Self {
        Worth { most: self.most.min(before.most), ..self }
    }

    /// A state and all that its legal actions lead to, each tightened by the others: the state is worth exactly as much
    /// as the best of them. Without actions nothing is concluded.
    pub fn tighten(&mut self, next: &mut [Worth]) {
        if next.is_empty() {
            return;
        }
        self.least = self.least.max(next.iter().map(|next| next.least).max().flatten());
        self.most = self.most.min(next.iter().map(|next| next.most).max().flatten());
        for one in next.iter_mut() {
            one.most = one.most.min(self.most);
        }
        // If one alone can be as good as the state is at least, it is that one.
        let mut able = next.iter_mut().filter(|next| next.most >= self.least);
        if let (Some(alone), None) = (able.next(), able.next()) {
            alone.least = alone.least.max(self.least);
        }
    }
}

/// As people read it: `68`, `lost`, `between 12 and 340`, `at least 12`, `at most 340 if not lost`, `not known`.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.value(), self.least, self.bound()) {
            (Some(None), ..) => "lost".to_owned(),
            (Some(Some(hp)), ..) => hp.to_string(),
            (None, Some(least), Some(most)) => format!("between {least} and {most}"),
            (None, Some(least), None) => format!("at least {least}"),
            (None, None, Some(most)) => format!("at most {most} if not lost"),
            (None, None, None) => "not known".to_owned(),
        };
        f.pad(&text)
    }
}

/// The same for a column of few characters: `68`, `lost`, `12–340`, `≥12`, `≤340?`, `?`.
pub fn brief(worth: Worth) -> String {
    match (worth.value(), worth.least, worth.bound()) {
        (Some(None), ..) => "lost".to_owned(),
        (Some(Some(hp)), ..) => hp.to_string(),
        (None, Some(least), Some(most)) => format!("{least}–{most}"),
        (None, Some(least), None) => format!("≥{least}"),
        (None, None, Some(most)) => format!("≤{most}?"),
        (None, None, None) => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(least: i64, most: i64) -> Worth {
        Worth { least: Some(least), most: Some(most) }
    }

    fn at_most(most: i64) -> Worth {
        Worth { least: None, most: Some(most) }
    }

    #[test]
    fn what_is_known_of_each_kind() {
        let exact = Worth::exactly;
        let cases = [
            (exact(Some(68)), "68", "68", Some(Some(68)), Some(true), Some(68)),
            (exact(None), "lost", "lost", Some(None), Some(false), None),
            (between(12, 340), "between 12 and 340", "12–340", None, Some(true), Some(340)),
            (Worth::between(Some(12), None), "at least 12", "≥12", None, Some(true), None),
            (Worth::between(None, Some(340)), "at most 340 if not lost", "≤340?", None, None, Some(340)),
            (Worth::UNKNOWN, "not known", "?", None, None, None),
            // A value beyond which there is none is a value, not the lack of a bound.
            (
                exact(Some(i64::MAX)),
                "9223372036854775807",
                "9223372036854775807",
                Some(Some(i64::MAX)),
                Some(true),
                Some(i64::MAX),
            ),
        ];
        for (worth, long, short, value, can_be_won, bound) in cases {
            assert_eq!((worth.to_string().as_str(), brief(worth).as_str()), (long, short));
            assert_eq!((worth.value(), worth.can_be_won(), worth.bound()), (value, can_be_won, bound), "{worth}");
            assert_eq!(worth.is_known(), value.is_some());
            assert!(!worth.is_contradictory());
        }
        assert!(Worth::UNKNOWN.is_unknown() && !at_most(340).is_unknown() && !Worth::LOST.is_unknown());
        assert_eq!(Worth::LOST, exact(None));
        assert_eq!(format!("{:>6}|{:<6}|", exact(Some(68)), Worth::LOST), "    68|lost  |");
    }

    #[test]
    fn two_sides_give_more_than_one_and_may_contradict() {
        assert_eq!(between(12, 340).and(between(20, 400)), between(20, 340));
        assert_eq!(Worth::UNKNOWN.and(between(20, 400)), between(20, 400));
        assert_eq!(at_most(5).and(Worth::LOST), Worth::LOST);
        assert!(between(12, 30).and(between(31, 40)).is_contradictory());
        assert!(between(12, 30).and(Worth::LOST).is_contradictory());
    }

    #[test]
    fn values_never_rise_along_a_play() {
        assert_eq!(at_most(340).at_least_that_of(between(12, 30)), between(12, 340));
        assert_eq!(between(20, 340).at_least_that_of(Worth::LOST), between(20, 340));
        assert_eq!(between(12, 340).at_most_that_of(between(1, 50)), between(12, 50));
        assert_eq!(Worth::UNKNOWN.at_most_that_of(Worth::LOST), Worth::LOST);
    }

    #[test]
    fn a_state_is_worth_what_the_best_of_its_actions_leads_to() {
        let tightened = |mut state: Worth, mut next: Vec<Worth>| {
            state.tighten(&mut next);
            (state, next)
        };
        // Found by one action, bounded by all of them, and the state's bound caps each.
        assert_eq!(
            tightened(at_most(100), vec![between(12, 340), Worth::LOST, at_most(60)]),
            (between(12, 100), vec![between(12, 100), Worth::LOST, at_most(60)])
        );
        assert_eq!(tightened(Worth::UNKNOWN, vec![between(1, 40), at_most(50)]).0, between(1, 50));
        assert_eq!(tightened(Worth::UNKNOWN, vec![Worth::LOST, Worth::LOST]).0, Worth::LOST);
        // An action that nobody judged bounds nothing.
        assert_eq!(tightened(Worth::UNKNOWN, vec![between(1, 40), Worth::UNKNOWN]).0, between(1, i64::MAX));
        // The only one that can be as good as the state is at least.
        assert_eq!(
            tightened(between(50, 90), vec![at_most(49), Worth::UNKNOWN, Worth::LOST]).1,
            [at_most(49), between(50, 90), Worth::LOST]
        );
        assert_eq!(tightened(between(50, 90), vec![at_most(50), Worth::UNKNOWN]).1, [at_most(50), at_most(90)]);
        assert_eq!(tightened(between(1, 2), vec![]), (between(1, 2), vec![]));
    }
}
