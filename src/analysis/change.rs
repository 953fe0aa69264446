//! What a step did to the worth of the state. The one place that says what is proven of it: it is so, it is not so, or (none)
//! that is not known.

use crate::solver::Worth;

/// What the states before and after a step are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// That before it.
    pub before: Worth,
    /// That after it.
    pub after: Worth,
}

impl Change {
    /// Whether both values are known.
    pub fn is_known(self) -> bool {
        self.before.is_known() && self.after.is_known()
    }

    /// HP of value that it cost: 0 if none, all of the value if the game can no longer be won after it; none if that was
    /// so before, or if that is not known.
    pub fn value_lost(self) -> Option<i64> {
        Some(self.before.hp()? - self.after.value()?.unwrap_or(0))
    }

    /// Whether no other step leads to a higher value; not so where nothing can be won any more.
    pub fn is_optimal(self) -> Option<bool> {
        let Change { before, after } = self;
        match after.is_saved() && after.least >= before.most {
            true => Some(true),
            false => (after.is_lost() || before.is_lost() || after.most < before.least).then_some(false),
        }
    }

    /// Whether it lowered the value, be it to none.
    pub fn loses_value(self) -> Option<bool> {
        let Change { before, after } = self;
        if before.least > after.most { Some(true) } else { (before.most <= after.least).then_some(false) }
    }

    /// Whether the game could be won before it and no longer after it.
    pub fn is_losing(self) -> Option<bool> {
        match (self.before.can_be_won(), self.after.can_be_won()) {
            (Some(true), Some(false)) => Some(true),
            (Some(false), _) | (_, Some(true)) => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOST: Worth = Worth::LOST;
    const UNKNOWN: Worth = Worth::UNKNOWN;

    fn exactly(hp: i64) -> Worth {
        Worth::exactly(Some(hp))
    }

    fn between(least: i64, most: i64) -> Worth {
        Worth::between(Some(least), Some(most))
    }

    fn at_least(least: i64) -> Worth {
        Worth::between(Some(least), None)
    }

    fn at_most(most: i64) -> Worth {
        Worth::between(None, Some(most))
    }

    /// Before, after; whether it was optimal, lost value, lost the game; what it cost.
    #[test]
    fn every_pair_of_what_can_be_known() {
        const YES: Option<bool> = Some(true);
        const NO: Option<bool> = Some(false);
        let cases = [
            // Both known: as ever.
            (exactly(68), exactly(68), YES, NO, NO, Some(0)),
            (exactly(68), exactly(42), NO, YES, NO, Some(26)),
            (exactly(68), LOST, NO, YES, YES, Some(68)),
            (LOST, LOST, NO, NO, NO, None),
            // Known before, bounds after.
            (exactly(68), between(12, 68), None, None, NO, None),
            (exactly(68), between(12, 67), NO, YES, NO, None),
            (exactly(68), at_most(68), None, None, None, None),
            (exactly(68), at_most(67), NO, YES, None, None),
            (exactly(68), UNKNOWN, None, None, None, None),
            // Bounds before, known after.
            (between(42, 68), exactly(68), YES, NO, NO, None),
            (between(42, 68), exactly(42), None, None, NO, None),
            (between(42, 68), exactly(41), NO, YES, NO, None),
            (between(42, 68), LOST, NO, YES, YES, None),
            (at_least(42), LOST, NO, YES, YES, None),
            (at_least(42), exactly(41), NO, YES, NO, None),
            (at_least(42), exactly(42), None, None, NO, None),
            // Lost, perhaps before already.
            (at_most(68), LOST, NO, None, None, None),
            (at_most(68), exactly(68), YES, NO, NO, None),
            (at_most(68), exactly(12), None, None, NO, None),
            (UNKNOWN, LOST, NO, None, None, None),
            // Bounds on both sides: apart, touching, overlapping, one within the other.
            (between(50, 60), between(10, 49), NO, YES, NO, None),
            (between(50, 60), between(10, 50), None, None, NO, None),
            (between(50, 60), between(10, 55), None, None, NO, None),
            (between(50, 60), between(52, 58), None, None, NO, None),
            (between(50, 60), at_most(49), NO, YES, None, None),
            (between(50, 60), at_most(55), None, None, None, None),
            (at_most(60), at_most(10), None, None, None, None),
            (UNKNOWN, UNKNOWN, None, None, None, None),
            (at_least(12), at_least(12), None, None, NO, None),
        ];
        for (before, after, optimal, loses_value, losing, lost) in cases {
            let change = Change { before, after };
            let found = (change.is_optimal(), change.loses_value(), change.is_losing(), change.value_lost());
            assert_eq!(found, (optimal, loses_value, losing, lost), "{before} → {after}");
        }
    }

    /// Whatever values two worths may stand for, what is said of the worths is true of them.
    #[test]
    fn nothing_is_said_that_a_value_within_the_bounds_would_contradict() {
        let values = [None, Some(1), Some(2), Some(3)];
        let mut worths = Vec::new();
        for least in values {
            worths.extend(values.into_iter().filter(|most| *most >= least).map(|most| Worth { least, most }));
        }
        for (before, after) in worths.iter().flat_map(|before| worths.iter().map(move |after| (*before, *after))) {
            let change = Change { before, after };
            let within = |worth: Worth| values.into_iter().filter(move |it| worth.least <= *it && *it <= worth.most);
            for (was, is) in within(before).flat_map(|was| within(after).map(move |is| (was, is))) {
                // No play wins what best play did not.
                if is > was {
                    continue;
                }
                let true_change = Change { before: Worth::exactly(was), after: Worth::exactly(is) };
                let agree = |said: Option<bool>, truly: Option<bool>| said.is_none() || said == truly;
                assert!(agree(change.is_optimal(), true_change.is_optimal()), "{before} → {after}: {was:?} → {is:?}");
                assert!(agree(change.loses_value(), true_change.loses_value()), "{before} → {after}: {was:?} → {is:?}");
                assert!(agree(change.is_losing(), true_change.is_losing()), "{before} → {after}: {was:?} → {is:?}");
            }
        }
    }
}
